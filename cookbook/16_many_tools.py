"""Forty tools and a small window: a middleware hands over the few that a question is about."""

import re

from any_model import any_model
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langchain_core.tools import StructuredTool

from langchain_toolemu import ChatToolEmu

KEPT = 3


def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return f"22 degrees in {city}"


def make_listing(thing: str) -> StructuredTool:
    """One of the many tools that nothing is asked of today."""
    return StructuredTool.from_function(
        lambda name: f"no {thing} called {name}",
        name=f"find_{thing}",
        description=f"Find the {thing} with a name in the records of the company.",
    )


THINGS = """
    invoice order customer supplier contract project ticket employee team office floor desk car key
    laptop phone printer license account budget payment refund discount coupon shipment warehouse
    shelf pallet product review survey campaign newsletter event meeting holiday course exam visitor
"""
TOOLS = [*map(make_listing, THINGS.split()), StructuredTool.from_function(get_weather)]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", text.lower()))


@wrap_model_call
def only_a_few(request, handler):
    """Keep the tools that share most words with the last question."""
    asked = words(next(m.text for m in reversed(request.messages) if m.type == "human"))
    shared = {tool.name: len(asked & words(f"{tool.name} {tool.description}")) for tool in TOOLS}
    kept = sorted(request.tools, key=lambda tool: -shared[tool.name])[:KEPT]
    return handler(request.override(tools=kept))


def size(llm: ChatToolEmu, tools: list) -> int:
    """Roughly, in tokens: four characters are one."""
    return sum(len(message.text) for message in llm.preview("Hello!", tools=tools)) // 4


if __name__ == "__main__":
    llm = ChatToolEmu(llm=any_model(), mode="force")
    print(f"contract: {size(llm, TOOLS)} tokens for {len(TOOLS)} tools", end=", ")
    print(f"{size(llm, TOOLS[-KEPT:])} for {KEPT}")

    agent = create_agent(llm, TOOLS, middleware=[only_a_few])
    question = {"messages": [("user", "What is the weather in Paris?")]}
    for message in agent.invoke(question, {"recursion_limit": 10})["messages"][1:]:
        for call in getattr(message, "tool_calls", []):
            print("call:    ", call["name"], call["args"])
        if message.text:
            print(f"{message.type}: ".ljust(10), message.text)
