"""An agent on a model that cannot call tools: first natively, then through ChatToolEmu.

`toolemu demo` shows the same without an agent library. The model is real: SmolLM2-135M on an embedded llama.cpp server.
"""

import time

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from rich.console import Console
from rich.panel import Panel

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.local import LocalServer

QUESTION = "What is 1234 plus 4321?"
console = Console(highlight=False)


def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return f"22 degrees and sunny in {city}"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def show(message: BaseMessage) -> None:
    """One line for each thing that happens."""
    if isinstance(message, ToolMessage):
        console.print(f"  [green]tool result[/]  {message.name} -> {message.content}")
        return
    for call in message.tool_calls:
        console.print(f"  [yellow]tool call[/]    {call['name']}({call['args']})")
    if message.text:
        console.print("  [cyan]answer[/]      ", message.text.strip())


def run(model: object) -> list[AIMessage]:
    """Ask an agent the question, show each step as it comes, and what it took."""
    agent = create_agent(model, [get_weather, add], system_prompt="You are a helpful assistant.")
    said: list[AIMessage] = []
    start = time.perf_counter()
    with console.status("the model is thinking"):
        for step in agent.stream({"messages": [("user", QUESTION)]}, {"recursion_limit": 10}):
            for message in next(iter(step.values()))["messages"]:
                show(message)
                said += [message] if isinstance(message, AIMessage) else []
    requests = sum(m.response_metadata.get("toolemu", {"requests": 1})["requests"] for m in said)
    tokens = sum(message.usage_metadata["total_tokens"] for message in said)
    seconds = time.perf_counter() - start
    console.print(f"  [dim]requests: {requests}, tokens: {tokens}, {seconds:.1f} s[/]\n")
    return said


if __name__ == "__main__":
    tools = "tools: get_weather(city), add(a, b)"
    console.print(Panel(f"[bold]{QUESTION}[/]\n{tools}", title="langchain-toolemu"))
    with LocalServer() as server:
        console.print("[bold]1. ChatOpenAI alone[/]: the server silently ignores the tools")
        run(server.chat_model())
        console.print("[bold]2. ChatToolEmu around it[/], mode='force'")
        said = run(ChatToolEmu(llm=server.chat_model(), mode="force"))
    console.print("  message.response_metadata['toolemu']:", said[0].response_metadata["toolemu"])
