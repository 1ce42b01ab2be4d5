"""A model and its tools in a loop, shown as it runs, without an agent library.

`toolemu chat` and `toolemu demo` use it.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext, suppress
from datetime import datetime
from functools import reduce
from importlib import import_module
from operator import add as concatenate
from typing import Any, TextIO

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, message_chunk_to_message
from langchain_core.messages.tool import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, tool

from langchain_toolemu.chat_models.recording import ROUTINE, TurnRecording, current_recording
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.model_options import coloured, given_flags
from langchain_toolemu.check.named_model import CheckError, explain_request_error, named_model
from langchain_toolemu.commands.wait_notice import wait_notice
from langchain_toolemu.errors import ToolEmuError, ToolEmuWarning

MAX_ROUNDS = 10
_UNABLE = 3
# The embedded model calls a tool for this one; it answers many others itself, and wrongly.
_FIRST_QUESTION = "What time is it?"


class Screen:
    """Shows a line for each call, result and note, and answers as they come."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._in_answer = False

    def answer(self, text: str) -> None:
        """A piece of an answer."""
        text = text if self._in_answer else text.lstrip()
        if text:
            self._write(text if self._in_answer else coloured("  answer: ", 36, self._out) + text)
            self._in_answer = True

    def end_answer(self) -> None:
        """The answer is complete, or interrupted."""
        self._write("\n" * self._in_answer)
        self._in_answer = False

    def line(self, head: str, colour: int, text: str) -> None:
        """A line that begins with a word in a colour."""
        self.say(coloured(f"  {head}", colour, self._out) + text)

    def note(self, words: str) -> None:
        """Something that the user should know."""
        self.line(f"({words})", 2, "")

    def say(self, text: str) -> None:
        """Show a line."""
        self.end_answer()
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


class ChatLoop:
    """A conversation with a model that may call tools: the messages so far, and what they cost."""

    def __init__(
        self,
        llm: BaseChatModel,
        tools: Sequence[BaseTool],
        screen: Screen,
        *,
        shows_replies: bool = False,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._shows_replies = shows_replies  # as the model wrote them, before what became of them
        self._llm = llm.bind_tools(tools) if tools else llm
        self._screen = screen
        self.history: list[BaseMessage] = []
        self.requests = 0
        self.tokens = 0

    def ask(self, question: str) -> None:
        """Ask a question, run the tools that are called, and show everything.

        An error leaves the history as it was.
        """
        before = [*self.history]
        self.history.append(HumanMessage(question))
        try:
            self._answer()
        except BaseException:
            self.history = before
            raise

    def _answer(self) -> None:
        for _ in range(MAX_ROUNDS):
            message = self._turn()
            self.history.append(message)
            if not message.tool_calls:
                return
            self.history += [self._result(call) for call in message.tool_calls]
        self._screen.note(f"stopped: it has called tools {MAX_ROUNDS} times in a row")

    def _turn(self) -> AIMessage:
        pieces: list[Any] = []
        turn = TurnRecording("", "chat", "", {})
        current_recording.set(turn if self._shows_replies else None)
        for piece in self._llm.stream(self.history):
            pieces.append(piece)
            if not self._shows_replies:
                self._screen.answer(piece.text)
        current_recording.set(None)
        message = message_chunk_to_message(reduce(concatenate, pieces))
        assert isinstance(message, AIMessage)  # noqa: S101 - for the type checker
        for request in turn.sent:
            if request.reason:
                self._screen.note(f"asked again: {request.reason}")
            reply = " ".join("".join(request.reply).split())
            self._screen.line("model wrote: ", 35, reply or "(nothing)")
        self._show(message)
        self.requests += message.response_metadata.get("toolemu", {}).get("requests", 1)
        self.tokens += message.usage_metadata["total_tokens"] if message.usage_metadata else 0
        return message

    def _show(self, message: AIMessage) -> None:
        """Show why the model was asked again, what else was noticed, and what the message holds."""
        report = message.response_metadata.get("toolemu", {})
        for reason in () if self._shows_replies else report.get("reasks", ()):
            self._screen.note(f"asked again: {reason}")
        for warning in report.get("warnings", ()):
            if warning not in ROUTINE:
                self._screen.note(warning)
        if self._shows_replies:
            self._screen.answer(message.text)
        for bad in message.invalid_tool_calls:
            self._screen.note(f"not made: a call of {bad['name'] or 'a tool'}: {bad['error']}")
        for call in message.tool_calls:
            args = ", ".join(f"{name}={value!r}" for name, value in call["args"].items())
            self._screen.line("call:   ", 33, f"{call['name']}({args})")
        if not (message.tool_calls or message.text.strip()):
            self._screen.note("the model gave no answer")
        self._screen.end_answer()

    def _result(self, call: ToolCall) -> ToolMessage:
        """The result of a tool; if it failed, the model is told the error."""
        try:
            result: ToolMessage = self._tools[call["name"]].invoke(call)
        except Exception as error:  # noqa: BLE001 - a tool may raise whatever it likes
            text = " ".join(f"{type(error).__name__}: {error}".split())
            self._screen.line("failed: ", 31, text)
            about = {"tool_call_id": str(call["id"]), "name": call["name"]}
            return ToolMessage(text, status="error", **about)
        self._screen.line("result: ", 32, result.text)
        return result


# --- tools ---


@tool
def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


@tool
def current_time() -> str:
    """Get the current date and time."""
    return datetime.now().astimezone().strftime("%A, %d %B %Y, %H:%M")


def _load(name: str) -> BaseTool:
    """The tool that a text names as `module:function`."""
    module, _, function = name.partition(":")
    if not (module and function):
        raise CheckError(f"{name!r} is not a tool: write module:function.")
    if "" not in sys.path:  # a command's import path does not include the current folder
        sys.path.insert(0, "")
    try:
        found = getattr(import_module(module), function)
        if isinstance(found, BaseTool):
            return found
        # Without a docstring it is offered as a program would offer it, with the same warning.
        return tool(found) if found.__doc__ else StructuredTool.from_function(found, description="")
    except Exception as error:
        fix = f"Name a function of a module that is installed or in this folder: {module}.py."
        raise CheckError(f"{name} cannot be a tool: {error}. {fix}") from error


# --- the command ---


def run_chat(options: argparse.Namespace) -> int:
    """Chat as the options of `toolemu chat` say; returns the exit code."""
    try:
        with ExitStack() as stack:
            _chat(options, stack)
    except ToolEmuError as error:
        sys.stderr.write(f"toolemu: {error}\n")
        return _UNABLE
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    return 0


def _chat(options: argparse.Namespace, stack: ExitStack) -> None:
    screen = Screen(sys.stdout)
    tools = [_load(name) for name in (options.tools or "").split(",") if name]
    # The embedded model is known to have no native tool calling.
    mode = "fallback" if options.model or options.gguf else "force"
    with nullcontext() if options.model else wait_notice("loading the embedded model"):
        llm = named_model(options, stack).llm
    stack.enter_context(warnings.catch_warnings())
    warnings.showwarning = _shown_on(screen)
    wrapped = ChatToolEmu(llm, **{"mode": mode, **given_flags(options)})
    loop = ChatLoop(wrapped, tools or [current_time, add], screen)
    if not tools:
        screen.say("Tools: current_time, add (your own: --tools module:function). Ctrl-D ends it.")
        screen.say(f"Try: {_FIRST_QUESTION}")
    is_person = sys.stdin.isatty()
    for question in _questions():
        if not is_person:  # a terminal shows it by itself
            screen.say(f"\nyou: {question}")
        try:
            loop.ask(question)
        except BrokenPipeError:  # nobody reads the output any more
            raise
        except Exception as error:
            words = explain_request_error(error, llm)
            if not is_person:  # for a script that is the end
                raise CheckError(words) from error
            screen.note(f"{words} Your question was removed")


def _shown_on(screen: Screen) -> Any:
    """What shows our warnings without their place in the code, and others as usual."""
    usual = warnings.showwarning

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, ToolEmuWarning):
            usual(message, category, *where, **more)
        elif message.code != "calls_emulated":  # the turn's report says so, too
            screen.note(str(message))

    return show


def _questions() -> Iterator[str]:
    """What a person types at a prompt, or the lines of a pipe."""
    prompt = "\nyou: " if sys.stdin.isatty() else ""
    with suppress(ImportError):  # with it, `input` can edit a line; not everywhere
        import readline  # noqa: F401
    with suppress(EOFError):
        while True:
            if question := input(prompt).strip():
                yield question
