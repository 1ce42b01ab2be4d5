"""Talk to a chat model in the terminal, and watch its calls and their results: `toolemu chat`.

The embedded model is asked in mode force, unless --mode says otherwise. Ctrl-D or Ctrl-C ends the
chat. If the input is not a terminal, each line is a question.

Exit codes: 0, the chat was ended; 2, invalid usage; 3, the model or a tool is unavailable.
"""

import argparse
from typing import Any

from langchain_toolemu.check import model_options

_TOOLS = (
    "--tools",
    {"metavar": "MODULE:FUNCTION,..."},
    "functions that the model may call, from installed modules or this folder; default: add and "
    "current_time",
)


def run(options: argparse.Namespace) -> int:
    """Chat as the options say; returns the exit code."""
    model_options.refuse_bad_address(options)
    from langchain_toolemu.commands.chat_loop import run_chat

    return run_chat(options)


def add_command(commands: Any) -> None:
    """Add the subcommand and its options to a parser's subcommands."""
    words = "talk to a chat model in the terminal, and watch its calls"
    command = model_options.add_subcommand(commands, "chat", words, __doc__, run)
    model_options.add_arguments(command, (*model_options.MODEL_OPTIONS, _TOOLS))
    model_options.add_flags(command)
