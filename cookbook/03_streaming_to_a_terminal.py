"""Words on the screen while they are written, and calls as soon as they are complete."""

from any_model import any_model
from langchain.agents import create_agent
from langchain_core.messages import AIMessageChunk, ToolMessage

from langchain_toolemu import ChatToolEmu


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


if __name__ == "__main__":
    agent = create_agent(ChatToolEmu(llm=any_model(), mode="force"), [get_weather, add])
    question = {"messages": [("user", "What is 1234 plus 4321?")]}

    # `messages` gives each piece as it comes. A call never shows as text: it is held back until it is
    # certain, and comes out as a call.
    for piece, _about in agent.stream(question, stream_mode="messages"):
        if isinstance(piece, AIMessageChunk):
            print(piece.text, end="", flush=True)
            for call in piece.tool_calls:
                print(f"[calls {call['name']} with {call['args']}]")
        elif isinstance(piece, ToolMessage):
            print(f"[it says {piece.content}]")
    print()
