"""How calls are written, your way: for a model that was tuned on a form of its own."""

import re

from any_model import any_model
from langchain_core.tools import tool

from langchain_toolemu import ChatToolEmu, Dialect

# A dialect is data: what stands around the JSON of a call, and what its two keys are called.
MINE = Dialect("mine", opening="<call>", closing="</call>", name_key="fn", args_key="with")


# Or it brings its own way to read, for a form that is no JSON: text in, names and arguments out.
def read_pairs(text: str) -> list[tuple[str, dict[str, str]]]:
    """The calls of `<<add a=1 b=2>>`."""
    found = re.findall(r"<<(\w+)((?: \w+=\w+)*)>>", text)
    return [(name, dict(pair.split("=") for pair in rest.split())) for name, rest in found]


class Pairs(Dialect):
    """What is read in such a form is written in it, too."""

    def write(self, tool: str, args: dict) -> str:
        """One call as text."""
        return f"<<{tool}{''.join(f' {key}={value}' for key, value in args.items())}>>"

    def form(self) -> str:
        """A call with blanks to fill in."""
        return "<<tool_name argument_name=value>>"


PAIRS = Pairs("pairs", opening="<<", closing=">>", read=read_pairs)


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


if __name__ == "__main__":
    for dialect in (MINE, PAIRS):
        print("a call:   ", dialect.write("add", {"a": 1, "b": 2}))

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
