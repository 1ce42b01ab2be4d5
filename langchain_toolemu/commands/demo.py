"""Run an agent on a model that cannot call tools, without and with ChatToolEmu: `toolemu demo`.

Exit codes: 0, both were shown; 3, the embedded model is unavailable; 130, it was interrupted.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Any

from langchain_toolemu.check.model_options import add_subcommand

_QUESTION = "What is 1234 plus 4321?"
_REQUEST = "Add milk to the shopping list."
_UNABLE, _INTERRUPTED = 3, 130


def run(_: argparse.Namespace) -> int:
    """Show the demo; returns the exit code."""
    from langchain_toolemu.commands.wait_notice import wait_notice
    from langchain_toolemu.local import LocalModelError, LocalServer

    try:
        with wait_notice("loading the embedded model"):
            server = LocalServer()
        with server:
            _show(server)
    except LocalModelError as error:
        sys.stderr.write(f"toolemu: {error}\n")
        return _UNABLE
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return _INTERRUPTED
    return 0


def _show(server: Any) -> None:
    from langchain_core.tools import tool

    from langchain_toolemu.chat_models.toolemu import ChatToolEmu
    from langchain_toolemu.check.trials import add, get_weather
    from langchain_toolemu.commands.chat_loop import Screen

    screen, tools = Screen(sys.stdout), [tool(get_weather), tool(add)]
    screen.say(f"\n{_QUESTION}\nTools: get_weather(city), add(a, b)")
    screen.say("\n1. ChatOpenAI alone: the server silently ignores the tools")
    _ask(server.chat_model(), screen, _QUESTION, tools)
    screen.say(
        "\n2. ChatToolEmu(llm=ChatOpenAI(...), mode='force'): what the same model wrote, and what "
        "became of it"
    )
    emulated = ChatToolEmu(llm=server.chat_model(), mode="force")
    report = _ask(emulated, screen, _QUESTION, tools, shows_replies=True)
    screen.say(f"\nmessage.response_metadata['toolemu'] of the call: {report}")
    wanted = ["bread"]
    screen.say(f"\n3. An agent that changes something: a shopping list, {wanted}\n{_REQUEST}")
    _ask(emulated, screen, _REQUEST, [_list_tool(wanted)], shows_replies=True)
    screen.say(f"\nThe shopping list now: {wanted}")
    toolemu = own_name()
    screen.say(f"\nNext: {toolemu} chat, or {toolemu} check --model ollama:gemma2")


def _list_tool(items: list[str]) -> Any:
    """A tool that adds to a list."""
    from langchain_core.tools import tool

    def add_to_shopping_list(item: str) -> str:
        """Add an item to the shopping list."""
        items.append(item)
        return f"{item} is on the shopping list"

    return tool(add_to_shopping_list)


def _ask(
    llm: Any, screen: Any, question: str, tools: Sequence[Any], *, shows_replies: bool = False
) -> Any:
    """Ask a question, show the conversation and its cost; returns the first reply's report."""
    from langchain_core.messages import SystemMessage

    from langchain_toolemu.commands.chat_loop import ChatLoop

    loop = ChatLoop(llm, list(tools), screen, shows_replies=shows_replies)
    loop.history.append(SystemMessage("You are a helpful assistant."))
    start = time.perf_counter()
    loop.ask(question)
    seconds = time.perf_counter() - start
    requests = "1 request" if loop.requests == 1 else f"{loop.requests} requests"
    screen.note(f"{requests}, {loop.tokens} tokens, {seconds:.1f} s")
    return loop.history[2].response_metadata.get("toolemu")


def own_name() -> str:
    """The name or path of this command: `make demo` has an environment of its own."""
    installed = which("toolemu", path=str(Path(sys.executable).parent))
    if which("toolemu") or installed is None:
        return "toolemu"
    inside = Path(installed).is_relative_to(Path.cwd())
    return os.path.relpath(installed) if inside else installed


def add_command(commands: Any) -> None:
    """Add the subcommand to a parser's subcommands."""
    words = "run an agent on the embedded model, without and with this package"
    add_subcommand(commands, "demo", words, __doc__, run)
