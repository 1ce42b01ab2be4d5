"""A program for ChatOpenAI, with one name changed."""

import os

from langchain.agents import create_agent

# It was "from langchain_openai import ChatOpenAI".
from langchain_toolemu import ToolEmuChatOpenAI as ChatOpenAI


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


if __name__ == "__main__":
    # Everything below is as it was. On OpenAI's own server it does what it always did; on one that
    # has no tools for this model, the calls are emulated.
    llm = ChatOpenAI(
        model=os.environ.get("MODEL", "gemma2"),
        base_url=os.environ.get("OPENAI_BASE_URL", "http://localhost:11434/v1"),
        api_key=os.environ.get("OPENAI_API_KEY", "none"),
        temperature=0,
        max_retries=1,
    )
    agent = create_agent(llm, [get_weather])
    state = agent.invoke({"messages": [("user", "What is the weather in Paris?")]})

    for message in state["messages"]:
        message.pretty_print()
    print("\ntemperature:", llm.temperature, "| support:", llm.tool_support.verdict)
