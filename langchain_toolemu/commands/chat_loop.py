"""A model and its tools in a loop, shown as it runs: what `toolemu demo` and `toolemu chat` do.

It is an agent without an agent library, since this package needs none.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import datetime
from functools import reduce
from importlib import import_module
from logging import INFO, Handler, LogRecord, getLogger
from operator import add as concatenate
from typing import Any, TextIO

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, message_chunk_to_message
from langchain_core.messages.tool import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, tool

from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.model_options import given_flags
from langchain_toolemu.check.named_model import CheckError, explain_request_error, named_model
from langchain_toolemu.commands.wait_notice import wait_notice
from langchain_toolemu.errors import ToolEmuWarning

MAX_ROUNDS = 10
_UNABLE = 3
_QUIT = ("/quit", "/exit")
# The embedded model calls for this one, too. Many others it answers by itself, and wrongly.
_FIRST_QUESTION = "What time is it?"


class ChatLoop:
    """Questions and answers with a model that may call tools: the messages so far, and what they cost."""

    def __init__(self, llm: BaseChatModel, tools: Sequence[BaseTool], screen: "Screen") -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._llm = llm.bind_tools(tools) if tools else llm
        self._screen = screen
        self.history: list[BaseMessage] = []
        self.requests = 0
        self.tokens = 0

    def ask(self, question: str) -> None:
        """Ask a question, run the tools that are called, and show everything; an error leaves the history as it was."""
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
        self._screen.note(f"it has called tools {MAX_ROUNDS} times in a row, and is stopped")

    def _turn(self) -> AIMessage:
        pieces: list[Any] = []
        for piece in self._llm.stream(self.history):
            pieces.append(piece)
            self._screen.answer(piece.text)
        self._screen.end_answer()
        message = message_chunk_to_message(reduce(concatenate, pieces))
        assert isinstance(message, AIMessage)  # noqa: S101 - a chat model says nothing else
        for call in message.tool_calls:
            self._screen.call(call)
        self.requests += message.response_metadata.get("toolemu", {}).get("requests", 1)
        self.tokens += message.usage_metadata["total_tokens"] if message.usage_metadata else 0
        return message

    def _result(self, call: ToolCall) -> ToolMessage:
        """What a tool returns, or that it failed: the model is told that, too."""
        try:
            result: ToolMessage = self._tools[call["name"]].invoke(call)
        except Exception as error:  # noqa: BLE001 - a tool may raise whatever it likes
            said = f"{type(error).__name__}: {error}"
            result = ToolMessage(said, tool_call_id=str(call["id"]), name=call["name"], status="error")  # fmt: skip
        self._screen.result(result)
        return result


class Screen:
    """Shows a line for each call, result and note, and answers as they come; in colours on a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._colours = out.isatty()
        self._in_answer = False

    def answer(self, text: str) -> None:
        """A piece of an answer."""
        text = text if self._in_answer else text.lstrip()
        if not text:
            return
        start = "" if self._in_answer else self._coloured("  answer: ", 36)
        self._in_answer = True
        self._write(f"{start}{text}")

    def end_answer(self) -> None:
        """The answer is complete, or interrupted."""
        if self._in_answer:
            self._write("\n")
        self._in_answer = False

    def call(self, call: ToolCall) -> None:
        """A call that the model makes."""
        args = ", ".join(f"{name}={value!r}" for name, value in call["args"].items())
        self.say(self._coloured("  call:   ", 33) + f"{call['name']}({args})")

    def result(self, message: ToolMessage) -> None:
        """What the tool said."""
        head, colour = ("failed: ", 31) if message.status == "error" else ("result: ", 32)
        self.say(self._coloured(f"  {head}", colour) + message.text)

    def note(self, words: str) -> None:
        """Something that the user should know."""
        self.say(self._coloured(f"  ({words})", 2))

    def aside(self, words: str) -> None:
        """A note that is dropped in the middle of an answer."""
        if not self._in_answer:
            self.note(words)

    def say(self, text: str) -> None:
        """A line of our own."""
        self.end_answer()
        self._write(f"{text}\n")

    def _coloured(self, text: str, colour: int) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colours else text

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


@contextmanager
def _show_decisions(screen: Screen) -> Iterator[None]:
    """Show each decision of a turn, such as a re-ask, as it is made, and warnings without the place in the code."""
    log, handler = getLogger("langchain_toolemu"), _ScreenHandler(screen)
    usual, level, propagates = warnings.showwarning, log.level, log.propagate

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, ToolEmuWarning):
            screen.note(str(message))
        else:
            usual(message, category, *where, **more)

    log.addHandler(handler)
    log.setLevel(INFO)
    log.propagate = False
    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = usual
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagates


class _ScreenHandler(Handler):
    def __init__(self, screen: Screen) -> None:
        super().__init__(INFO)
        self._screen = screen

    def emit(self, record: LogRecord) -> None:
        self._screen.note(record.getMessage())


# --- tools ---


def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


def current_time() -> str:
    """Get the current date and time."""
    return datetime.now().astimezone().strftime("%A, %d %B %Y, %H:%M")


def _load_tools(names: str | None) -> list[BaseTool]:
    """The tools that a text names, as `module:function` with commas between them; without any, two to begin with."""
    if names is None:
        return [tool(current_time), tool(add)]
    # A command's path begins where it is installed, not where it is run.
    if "" not in sys.path:
        sys.path.insert(0, "")
    return [_load(name.strip()) for name in names.split(",") if name.strip()]


def _load(name: str) -> BaseTool:
    module, _, function = name.partition(":")
    if not (module and function):
        raise CheckError(f"{name!r} names no tool: write module:function.")
    try:
        found = getattr(import_module(module), function)
    except AttributeError as error:
        raise CheckError(f"The module {module} has no {function!r}.") from error
    except Exception as error:
        raise CheckError(f"The tool {name} cannot be imported: {error}") from error
    try:
        return found if isinstance(found, BaseTool) else tool(found)
    except (TypeError, ValueError) as error:
        raise CheckError(f"{name} cannot be a tool: {error}") from error


# --- the command ---


def run_chat(options: argparse.Namespace) -> int:
    """Chat as the options of `toolemu chat` say; returns the exit code."""
    with ExitStack() as stack:
        try:
            _chat(options, stack)
        except CheckError as error:
            sys.stderr.write(f"toolemu: {error}\n")
            return _UNABLE
        except KeyboardInterrupt:
            sys.stdout.write("\n")
    return 0


def _chat(options: argparse.Namespace, stack: ExitStack) -> None:
    screen = Screen(sys.stdout)
    tools = _load_tools(options.tools)
    # What is known of the embedded model need not be found out by asking it first.
    mode = "fallback" if options.model or options.gguf else "force"
    with nullcontext() if options.model else wait_notice("loading the embedded model"):
        named = named_model(options, stack)
    llm = ChatToolEmu(named.llm, **{"mode": mode, **given_flags(options)})
    own = "" if options.tools else " (your own: --tools module:function)"
    screen.say(f"Tools: {', '.join(one.name for one in tools)}{own}. /quit ends it.")
    if not options.tools:
        screen.say(f"Try: {_FIRST_QUESTION}")
    stack.enter_context(_show_decisions(screen))
    loop = ChatLoop(llm, tools, screen)
    for question in _questions():
        try:
            loop.ask(question)
        except Exception as error:
            screen.end_answer()
            words = explain_request_error(error, named.llm)
            if not sys.stdin.isatty():
                raise CheckError(words) from error
            screen.note(f"{words} Your question was taken back.")


def _questions() -> Iterator[str]:
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
