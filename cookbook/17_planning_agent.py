"""A planning agent on a model that has no tools and thinks in its text: deepagents writes a plan, works it off, keeps a file.

pip install deepagents

Planning wants a capable model, such as a reasoning model of 8 billion parameters or more. Without OPENAI_BASE_URL one is
played: its replies are fixed, and everything around them is real.
"""

import json
import os

from any_model import any_model
from deepagents import create_deep_agent
from langchain.agents.middleware import TodoListMiddleware
from langchain_core.language_models import BaseChatModel, FakeListChatModel

from langchain_toolemu import ChatToolEmu

TASK = "Compare the weather in Paris and Rome, and write the result to /report.md."


def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return {"Paris": "22 degrees", "Rome": "31 degrees"}.get(city, "unknown")


def turn(thought: str, *calls: tuple[str, dict]) -> str:
    """What a model writes that thinks and then calls."""
    written = [json.dumps({"name": name, "arguments": args}) for name, args in calls]
    return "\n".join([f"<think>{thought}</think>", *written])


def plan(*states: str) -> tuple[str, dict]:
    steps = ("Ask for the weather", "Write the report")
    todos = [{"content": step, "status": state} for step, state in zip(steps, states, strict=True)]
    return "write_todos", {"todos": todos}


PLAYED = [
    turn("Two steps: look, then write.", plan("in_progress", "pending")),
    turn(
        "Both cities at once.",
        ("get_weather", {"city": "Paris"}),
        ("get_weather", {"city": "Rome"}),
    ),
    turn("Rome is warmer.", plan("completed", "in_progress")),
    turn(
        "Now the file.",
        ("write_file", {"file_path": "/report.md", "content": "Rome: 31, Paris: 22 degrees."}),
    ),
    turn("Done.", plan("completed", "completed")),
    "<think>I can answer.</think>Rome is warmer than Paris; the report is in /report.md.",
]


def model() -> BaseChatModel:
    return any_model() if "OPENAI_BASE_URL" in os.environ else FakeListChatModel(responses=PLAYED)


if __name__ == "__main__":
    llm = ChatToolEmu(llm=model(), mode="force", reasoning="blocks")
    agent = create_deep_agent(llm, [get_weather], middleware=[TodoListMiddleware()])
    state = agent.invoke({"messages": [("user", TASK)]}, {"recursion_limit": 50})
    for message in state["messages"][1:]:
        for block in message.content_blocks if message.type == "ai" else ():
            if block["type"] == "reasoning":
                print("thought:", block["reasoning"])
            elif block["type"] == "tool_call":
                print("call:   ", block["name"], block["args"])
    print("plan:   ", [todo["status"] for todo in state.get("todos", [])])
    print("files:  ", list(state.get("files", {})))
    print("answer: ", state["messages"][-1].text)
