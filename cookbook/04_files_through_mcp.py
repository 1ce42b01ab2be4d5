"""A filesystem agent: its tools come from an MCP server, which works in one folder and refuses to leave it.

pip install langchain-mcp-adapters
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from any_model import any_model
from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from progress import PROGRESS

from langchain_toolemu import ChatToolEmu

SERVER = str(Path(__file__).with_name("files_server.py"))
MEETING = """Meeting of 3 March. Present: Ann, Bob, Eve. The summer fair was a success.
Ann orders the new tents. Bob calls the insurance. Eve books the hall.
Next meeting: 7 April.
"""
REQUEST = (
    "Read the file meeting.txt. Then write a file todo.txt with who does what, one line for each."
)


async def work(folder: Path) -> str:
    # The client starts the server. One on the network has a `url` instead of a command.
    server = {"transport": "stdio", "command": sys.executable, "args": [SERVER, str(folder)]}
    async with MultiServerMCPClient({"files": server}).session("files") as session:
        tools = await load_mcp_tools(session)
        PROGRESS.say("tools", ", ".join(tool.name for tool in tools))
        agent = create_agent(
            ChatToolEmu(llm=any_model(embedded_can=False), max_tool_rounds=5),
            tools,
            system_prompt="You work with the files of one folder. Do what is asked, step by step.",
        )
        PROGRESS.say("user", REQUEST)
        # MCP tools are asynchronous: `ainvoke`, not `invoke`.
        state = await agent.ainvoke(
            {"messages": [("user", REQUEST)]}, {"callbacks": [PROGRESS], "recursion_limit": 20}
        )
    return state["messages"][-1].text


def main() -> dict:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "meeting.txt").write_text(MEETING, encoding="utf-8")
        (folder / "budget.csv").write_text("tents,900\nhall,350\n", encoding="utf-8")
        PROGRESS.say("answer", asyncio.run(work(folder)))
        files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    written = files.get("todo.txt")
    PROGRESS.say("todo.txt", written or "was not written")
    return files


if __name__ == "__main__":
    main()
