"""Any model on Ollama, whether its template knows tools or not.

    ollama pull gemma2
    MODEL=gemma2 python cookbook/07_ollama.py

Ollama says of each model what it can do. That is asked once, so the very first turn goes the right way.
OLLAMA_HOST moves the server, as for Ollama itself.
"""

import os

from langchain.agents import create_agent
from langchain_ollama import ChatOllama

from langchain_toolemu import ChatToolEmu


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


if __name__ == "__main__":
    llm = ChatToolEmu(llm=ChatOllama(model=os.environ.get("MODEL", "gemma2"), temperature=0))
    agent = create_agent(llm, [get_weather])

    state = agent.invoke({"messages": [("user", "What is the weather in Paris?")]})
    for message in state["messages"]:
        message.pretty_print()

    print("\nnative tools:", llm.tool_support.verdict)
    print("how we know: ", llm.tool_support.reason)
