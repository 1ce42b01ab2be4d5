"""A second model for when the first one is down: wrap each, then chain them."""

from any_model import any_model
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu, get_toolemu_callback


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


if __name__ == "__main__":
    # Nobody listens on port 1: this one is down.
    down = ChatOpenAI(model="away", base_url="http://127.0.0.1:1/v1", api_key="none", max_retries=0)
    up = any_model()

    # Wrap first, then `with_fallbacks`: what it gives is no chat model and cannot be wrapped.
    # Whether a model calls natively or not is found out for each by itself.
    first, second = ChatToolEmu(llm=down), ChatToolEmu(llm=up, mode="force")
    llm = first.with_fallbacks([second]).bind_tools([get_weather, add])

    with get_toolemu_callback() as counted:
        message = llm.invoke("What is 1234 plus 4321?")

    for call in message.tool_calls:
        print("call:  ", call["name"], call["args"])
    print("errors:", dict(counted.errors))
    answered = (name for name, counts in counted.models.items() if counts.turns > counts.failed)
    print("served:", ", ".join(answered))
