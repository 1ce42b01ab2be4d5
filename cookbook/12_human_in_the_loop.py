"""A person says yes before a tool runs: emulated calls stop at LangChain's middleware as native ones do."""

from any_model import any_model
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from langchain_toolemu import ChatToolEmu


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


def transfer(amount: int, account: int) -> str:
    """Transfer money to an account."""
    return f"{amount} euros went to account {account}"


if __name__ == "__main__":
    agent = create_agent(
        ChatToolEmu(llm=any_model(), mode="force"),
        [get_weather, transfer],
        middleware=[HumanInTheLoopMiddleware(interrupt_on={"transfer": True})],
        checkpointer=InMemorySaver(),
    )
    thread = {"configurable": {"thread_id": "1"}, "recursion_limit": 20}
    state = agent.invoke(
        {"messages": [("user", "Please transfer 50 euros to account 77.")]}, thread
    )

    # The graph has stopped before the tool. What it wants to do is in the interrupt.
    while "__interrupt__" in state:
        decisions = []
        for action in state["__interrupt__"][0].value["action_requests"]:
            print("wants to call", action["name"], "with", action["args"])
            yes = input("Allow it? [y/n] ").strip().lower().startswith("y")
            decisions.append({"type": "approve"} if yes else {"type": "reject"})
        state = agent.invoke(Command(resume={"decisions": decisions}), thread)

    print("answer:", state["messages"][-1].content)
