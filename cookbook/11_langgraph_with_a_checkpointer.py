"""A LangGraph graph of your own, with a memory: the conversation goes on where it stopped."""

from any_model import any_model
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langchain_toolemu import ChatToolEmu


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(llm: ChatToolEmu):
    """Model and tools in a loop, as in every agent."""
    bound = llm.bind_tools([get_weather, add])

    def call_model(state: MessagesState) -> dict:
        return {"messages": [bound.invoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", call_model)
    graph.add_node("tools", ToolNode([get_weather, add]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile(checkpointer=InMemorySaver())


if __name__ == "__main__":
    agent = build(ChatToolEmu(llm=any_model(), mode="force"))
    # All that is known of a conversation is in its messages, so any checkpointer will do.
    thread = {"configurable": {"thread_id": "ann"}, "recursion_limit": 10}

    for question in ("What is 1234 plus 4321?", "Please add 20 and 22."):
        state = agent.invoke({"messages": [("user", question)]}, thread)
        print("you:  ", question)
        print("model:", state["messages"][-1].content)

    kept = agent.get_state(thread).values["messages"]
    print("kept: ", [message.type for message in kept])
