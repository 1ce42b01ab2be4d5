"""How calls are written, your way: for a model that was tuned on a form of its own."""

from any_model import any_model
from langchain_core.tools import tool

from langchain_toolemu import ChatToolEmu, Dialect

# A dialect is data: what stands around the JSON of a call, and what its two keys are called.
MINE = Dialect("mine", opening="<call>", closing="</call>", name_key="tool", args_key="args")


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


if __name__ == "__main__":
    print("a call:   ", MINE.write("add", {"a": 1, "b": 2}))

    llm = ChatToolEmu(llm=any_model(), mode="force", dialect=MINE)
    question = "Add 1234 and 4321."

    # The contract, the examples and the history are all written in it.
    for message in llm.preview(question, tools=[get_weather, add]):
        print(f"--- {message.type}\n{message.content}")

    # The reader reads this form and all others: a model that falls back into its own is understood.
    message = llm.bind_tools([get_weather, add]).invoke(question)
    print("--- read as")
    print([(call["name"], call["args"]) for call in message.tool_calls])
    print("dialect:", message.response_metadata["toolemu"]["dialect"])
