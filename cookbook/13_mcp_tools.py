"""Tools of an MCP server, for a model that knows neither MCP nor tools.

pip install langchain-mcp-adapters
"""

import asyncio
import sys
from pathlib import Path

from any_model import any_model
from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient

from langchain_toolemu import ChatToolEmu

SERVER = str(Path(__file__).with_name("weather_server.py"))


async def main() -> None:
    # The client starts the server. One on the network has a `url` instead of a command.
    server = {"transport": "stdio", "command": sys.executable, "args": [SERVER]}
    tools = await MultiServerMCPClient({"weather": server}).get_tools()
    print("tools: ", [tool.name for tool in tools])

    # MCP tools are asynchronous: `ainvoke`, not `invoke`.
    agent = create_agent(ChatToolEmu(llm=any_model(), mode="force"), tools)
    question = {"messages": [("user", "What is the weather in Paris?")]}
    state = await agent.ainvoke(question, {"recursion_limit": 10})
    for call in state["messages"][1].tool_calls:
        print("call:  ", call["name"], call["args"])
    print("answer:", state["messages"][-1].text)


if __name__ == "__main__":
    asyncio.run(main())
