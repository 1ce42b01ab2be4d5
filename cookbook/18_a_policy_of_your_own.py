"""A policy of your own holds back the deletion of some files. Before any other deletion, a person is asked."""

from dataclasses import dataclass

from any_model import any_model
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from langchain_toolemu import ChatToolEmu, Checks, Review
from langchain_toolemu.policy import DEFAULT


@dataclass(frozen=True)
class KeepsFiles:
    """Holds back a call of `delete_...` if one of these files is among its arguments."""

    kept: tuple[str, ...]

    def review(self, call, context):
        found = [name for name in self.kept if name in call.args.values()]
        if context.tool.name.startswith("delete_") and found:
            return Review.hold_back(f"{found[0]} is never deleted from a chat")
        return Review.accept()


def list_files() -> str:
    """List all files."""
    return "notes.txt, orders.db"


def delete_file(path: str) -> str:
    """Delete a file."""
    return f"{path} is deleted"


if __name__ == "__main__":
    agent = create_agent(
        # In force, every call is read from text and reviewed. A call that a provider makes natively is not.
        ChatToolEmu(
            llm=any_model(), mode="force", policy=DEFAULT + Checks(KeepsFiles(("orders.db",)))
        ),
        [list_files, delete_file],
        middleware=[HumanInTheLoopMiddleware(interrupt_on={"delete_file": True})],
        checkpointer=InMemorySaver(),
    )
    questions = ["Please delete the file 'notes.txt'.", "Please delete the file 'orders.db'."]
    for number, question in enumerate(questions):
        print("user:     ", question)
        thread = {"configurable": {"thread_id": str(number)}, "recursion_limit": 20}
        state = agent.invoke({"messages": [("user", question)]}, thread)

        while "__interrupt__" in state:
            decisions = []
            for action in state["__interrupt__"][0].value["action_requests"]:
                print("wants:    ", action["name"], action["args"])
                yes = input("Allow it? [y/n] ").strip().lower().startswith("y")
                decisions.append({"type": "approve"} if yes else {"type": "reject"})
            state = agent.invoke(Command(resume={"decisions": decisions}), thread)

        last = state["messages"][-1]
        for doubted in last.response_metadata["toolemu"]["doubted"]:
            print("held back:", doubted["name"], doubted["args"], "-", doubted["reason"])
        print("answer:   ", last.content)
