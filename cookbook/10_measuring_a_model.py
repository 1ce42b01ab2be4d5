"""Is emulation good enough for your model and your tools? Count: a few questions, right calls, cost."""

import time

from any_model import any_model
from langchain_core.tools import tool

from langchain_toolemu import ChatToolEmu, get_toolemu_callback, probe_tool_support


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


# What you ask, and the call that is right. `None`: no call is.
QUESTIONS = [
    ("Please add 12 and 30.", ("add", {"a": 12, "b": 30})),
    ("Can you add 7 and 8 for me?", ("add", {"a": 7, "b": 8})),
    ("What is the weather in Paris?", ("get_weather", {"city": "Paris"})),
    ("How is the weather in Oslo today?", ("get_weather", {"city": "Oslo"})),
    ("Hello, how are you?", None),
]


def is_right(message, expected) -> bool:
    calls = [(call["name"], call["args"]) for call in message.tool_calls]
    return calls == ([] if expected is None else [expected])


def measure(llm: ChatToolEmu) -> str:
    bound, start = llm.bind_tools([add, get_weather]), time.perf_counter()
    with get_toolemu_callback() as counted:
        right = sum(is_right(bound.invoke(asked), wanted) for asked, wanted in QUESTIONS)
    total, seconds = counted.total, time.perf_counter() - start
    return (
        f"{right} of {len(QUESTIONS)} right, {total.requests} requests, "
        f"{sum(total.reasks.values())} re-asks, {total.input_tokens} tokens in, {seconds:.1f} s"
    )


if __name__ == "__main__":
    model = any_model(max_tokens=64)
    print("by itself:", probe_tool_support(model))
    for dialect in ("json", "fenced", "tagged"):
        print(f"{dialect:9}:", measure(ChatToolEmu(llm=model, mode="force", dialect=dialect)))
