"""An own dialect: a model that was tuned on commands of its own, such as [[move pallet=P-17 shelf=B4]], keeps them."""

import re

from any_model import any_model
from langchain.agents import create_agent
from progress import PROGRESS

from langchain_toolemu import ChatToolEmu, Dialect, Recipe

REQUEST = "Please move pallet P-17 to shelf B4."


def read_commands(text: str) -> list[tuple[str, dict[str, str]]]:
    """The calls in a text: `[[move pallet=P-17 shelf=B4]]`."""
    found = re.findall(r"\[\[(\w+)((?: \w+=[^\s\]]+)*)\]\]", text)
    return [(name, dict(pair.split("=", 1) for pair in rest.split())) for name, rest in found]


class Commands(Dialect):
    """Both directions: what is read in this form is written in it, too, in the rules and in the history.

    A form that is JSON between two markers needs no class:
    `Dialect("mine", opening="<call>", closing="</call>", name_key="fn", args_key="with")`.
    """

    def write(self, tool: str, args: dict) -> str:
        """One call as text."""
        return f"[[{tool}{''.join(f' {key}={value}' for key, value in args.items())}]]"

    def form(self) -> str:
        """A call with blanks to fill in."""
        return "[[tool_name argument_name=value]]"


COMMANDS = Commands("commands", opening="[[", closing="]]", read=read_commands)


class Warehouse:
    """Where each pallet is, and the tools of the fork-lift."""

    def __init__(self) -> None:
        self.shelves = {"P-17": "A1", "P-18": "A2"}

    def move(self, pallet: str, shelf: str) -> str:
        """Move a pallet to a shelf."""
        self.shelves[pallet] = shelf
        return f"{pallet} is on shelf {shelf} now."

    def find(self, pallet: str) -> str:
        """Find out on which shelf a pallet is."""
        return f"{pallet} is on shelf {self.shelves.get(pallet, 'unknown')}."


def main() -> dict:
    warehouse = Warehouse()
    tools = [warehouse.move, warehouse.find]
    # A native request does not use a dialect. In force there is none.
    llm = ChatToolEmu(
        llm=any_model(), mode="force", contract=Recipe(dialect=COMMANDS), max_tool_rounds=2
    )
    PROGRESS.say("prompt", llm.preview(REQUEST, tools=tools)[0].text)
    agent = create_agent(llm, tools)
    PROGRESS.say("user", REQUEST)
    state = agent.invoke({"messages": [("user", REQUEST)]}, {"callbacks": [PROGRESS]})
    PROGRESS.say("answer", state["messages"][-1].text)
    PROGRESS.say("shelves", warehouse.shelves)
    return warehouse.shelves


if __name__ == "__main__":
    main()
