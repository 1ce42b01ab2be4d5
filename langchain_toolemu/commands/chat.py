"""Talk to a chat model in the terminal, and watch its calls, their results and what is asked again: `toolemu chat`.

The embedded model is asked in mode force, unless --mode says otherwise. /quit, Ctrl-C or the end of the input ends it. Where the input is no terminal, each of its lines is a question.

Exit codes: 0, the chat was ended; 2, the command was misspelt; 3, the model or a tool cannot be had.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING, Any

from langchain_toolemu.check.model_options import (
    MODEL_OPTIONS,
    add_arguments,
    add_flags,
    given_flags,
    refuse_bad_address,
)

if TYPE_CHECKING:
    from langchain_toolemu.chat_models.toolemu import ChatToolEmu
    from langchain_toolemu.commands.chat_loop import ChatLoop, Screen

_UNABLE = 3
_QUIT = ("/quit", "/exit")
# The embedded model calls for this one, too. Many others it answers by itself, and wrongly.
_FIRST_QUESTION = "What time is it?"
_TOOLS = (
    "--tools",
    {"metavar": "MODULE:FUNCTION,..."},
    "functions to call, from modules in this folder or installed; default: add and current_time",
)


def run(options: argparse.Namespace) -> int:
    """Talk as the options say; returns the exit code."""
    refuse_bad_address(options)
    from langchain_toolemu.check.named_model import CheckError

    with ExitStack() as stack:
        try:
            return _chat(options, stack)
        except CheckError as error:
            sys.stderr.write(f"toolemu: {error}\n")
            return _UNABLE
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            return 0


def _chat(options: argparse.Namespace, stack: ExitStack) -> int:
    from langchain_toolemu.commands.chat_loop import ChatLoop, Screen, load_tools, show_decisions

    screen = Screen(sys.stdout)
    tools = load_tools(options.tools)
    llm = _chat_model(options, stack)
    names = ", ".join(tool.name for tool in tools)
    own = "" if options.tools else " (your own: --tools module:function)"
    screen.say(f"Tools: {names}{own}. /quit ends it.")
    if not options.tools:
        screen.say(f"Try: {_FIRST_QUESTION}")
    stack.enter_context(show_decisions(screen))
    loop = ChatLoop(llm, tools, screen)
    for question in _questions():
        _ask(question, loop, screen, llm)
    return 0


def _chat_model(options: argparse.Namespace, stack: ExitStack) -> "ChatToolEmu":
    from langchain_toolemu.chat_models.toolemu import ChatToolEmu
    from langchain_toolemu.check.named_model import named_model
    from langchain_toolemu.commands.wait_notice import wait_notice

    # What is known of the embedded model need not be found out by asking it first.
    mode = "fallback" if options.model or options.gguf else "force"
    with nullcontext() if options.model else wait_notice("loading the embedded model"):
        named = named_model(options, stack)
    return ChatToolEmu(named.llm, **{"mode": mode, **given_flags(options)})


def _ask(question: str, loop: "ChatLoop", screen: "Screen", llm: "ChatToolEmu") -> None:
    from langchain_toolemu.check.named_model import CheckError, explain_request_error

    try:
        loop.ask(question)
    except Exception as error:
        screen.end_answer()
        words = explain_request_error(error, llm.llm)
        if not sys.stdin.isatty():
            raise CheckError(words) from error
        screen.note(f"{words} Your question was taken back.")


def _questions() -> Iterator[str]:
    """What the user says, line by line, until the end."""
    prompt = "\nyou: " if sys.stdin.isatty() else ""
    while True:
        try:
            said = input(prompt).strip()
        except EOFError:
            return
        if said in _QUIT:
            return
        if said:
            yield said


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    command: argparse.ArgumentParser = commands.add_parser(
        "chat",
        help="talk to a chat model in the terminal, and watch its calls",
        description=__doc__,
    )
    add_arguments(command, (*MODEL_OPTIONS, _TOOLS))
    add_flags(command)
    command.set_defaults(run=run, refuse=command.error)
