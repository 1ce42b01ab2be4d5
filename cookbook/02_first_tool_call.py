"""A first tool call, step by step: bind, ask, run, hand back the result."""

from any_model import any_model
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool

from langchain_toolemu import ChatToolEmu


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


TOOLS = {"get_weather": get_weather, "add": add}


if __name__ == "__main__":
    # 1. Wrap a model that cannot call tools, and bind some.
    llm = ChatToolEmu(llm=any_model(), mode="force").bind_tools([*TOOLS.values()])

    # 2. Ask. The model does not answer; it calls.
    history = [HumanMessage("What is 1234 plus 4321?")]
    message = llm.invoke(history)
    history.append(message)
    for call in message.tool_calls:
        print("call:  ", call["name"], call["args"])

        # 3. Run the tool. This package never does; it is your program's decision.
        result = TOOLS[call["name"]].invoke(call)
        history.append(result)
        print("result:", result.content)

    # 4. Hand the result back, and get the answer.
    print("answer:", llm.invoke(history).content)
