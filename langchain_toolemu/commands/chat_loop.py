"""A model and its tools in a loop, shown as it runs: what `toolemu demo` and `toolemu chat` do, without an agent library."""

import argparse
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from datetime import datetime
from difflib import get_close_matches
from functools import reduce
from importlib import import_module
from logging import INFO, Handler, LogRecord, getLogger
from operator import add as concatenate
from threading import Lock
from typing import Any, TextIO

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, message_chunk_to_message
from langchain_core.messages.tool import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, tool

from langchain_toolemu.chat_models.recording import (
    ROUTINE,
    SentRequest,
    TurnRecording,
    current_recording,
)
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.model_options import coloured, given_flags
from langchain_toolemu.check.named_model import CheckError, explain_request_error, named_model
from langchain_toolemu.commands.wait_notice import wait_notice
from langchain_toolemu.errors import ToolEmuError, ToolEmuWarning

MAX_ROUNDS = 10
_UNABLE = 3
_COMMANDS = {
    "/help": "show this list",
    "/tools": "show the tools and their arguments",
    "/reset": "begin a new conversation",
    "/report": "show how the last answer was made, one line per turn",
    "/quit": "end the chat, as Ctrl-D does, or Ctrl-C at the prompt; during an answer Ctrl-C stops only that",
}
_COMMAND = re.compile(r"/[a-z]+")  # a path has more
_QUIT = ("/quit", "/exit")
_ERASE_LINE = "\r\x1b[K"
# The verdict before such a line says the same, with the reason.
_SAME_FACT = "; the turn goes on emulated"
_OF_A_VERDICT = 3  # axis, verdict, reason
# The embedded model calls a tool for this one; it answers many others itself, and wrongly.
_FIRST_QUESTION = "What time is it?"


class ChatLoop:
    """A conversation with a model that may call tools: the messages so far, and what they cost."""

    def __init__(
        self,
        llm: BaseChatModel,
        tools: Sequence[BaseTool],
        screen: "Screen",
        *,
        shows_replies: bool = False,
    ) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self._shows_replies = shows_replies  # as the model wrote them, before what became of them
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
        self._screen.note(f"stopped: it has called tools {MAX_ROUNDS} times in a row")

    def _turn(self) -> AIMessage:
        pieces: list[Any] = []
        turn = TurnRecording("", "chat", "", {})
        current_recording.set(turn if self._shows_replies else None)
        with self._screen.wait():
            for piece in self._llm.stream(self.history):
                pieces.append(piece)
                if not self._shows_replies:
                    self._screen.answer(piece.text)
        current_recording.set(None)
        message = message_chunk_to_message(reduce(concatenate, pieces))
        assert isinstance(message, AIMessage)  # noqa: S101 - for the type checker
        if self._shows_replies:
            self._show_replies(turn.sent, message)
        self._screen.end_answer()
        for bad in message.invalid_tool_calls:
            self._screen.note(f"not made: a call of {bad['name'] or 'a tool'}: {bad['error']}")
        for call in message.tool_calls:
            self._screen.call(call)
        if not (message.tool_calls or message.text.strip()):
            self._screen.note("the model gave no answer")
        self.requests += message.response_metadata.get("toolemu", {}).get("requests", 1)
        self.tokens += message.usage_metadata["total_tokens"] if message.usage_metadata else 0
        return message

    def _show_replies(self, sent: Sequence[SentRequest], message: AIMessage) -> None:
        """What the model wrote, why it was asked again, and what its answer became."""
        report = message.response_metadata.get("toolemu", {})
        noticed = [warning for warning in report.get("warnings", ()) if warning not in ROUTINE]
        for request in sent:
            if request is not sent[0]:
                self._screen.note(f"asked again: {request.reason or '; '.join(noticed)}")
            self._screen.wrote("".join(request.reply))
        self._screen.answer(message.text)

    def reports(self) -> list[str]:
        """The report of each turn since the last question, in one line."""
        places = [n for n, message in enumerate(self.history) if isinstance(message, HumanMessage)]
        turns = self.history[places[-1] + 1 :] if places else []
        reports = (message.response_metadata.get("toolemu", {}).items() for message in turns)
        return [", ".join(f"{k}={v!r}" for k, v in report if v) for report in reports if report]

    def _result(self, call: ToolCall) -> ToolMessage:
        """The result of a tool; if it failed, the model is told the error."""
        try:
            result: ToolMessage = self.tools[call["name"]].invoke(call)
        except Exception as error:  # noqa: BLE001 - a tool may raise whatever it likes
            text = f"{type(error).__name__}: {error}"
            result = ToolMessage(text, tool_call_id=str(call["id"]), name=call["name"], status="error")  # fmt: skip
        self._screen.result(result)
        return result


class Screen:
    """Shows a line for each call, result and note, and answers as they come; on a terminal with colours and a waiting sign."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._in_answer = self._shows_sign = False
        self._lock = Lock()

    def wait(self) -> AbstractContextManager[None]:
        """Show on a terminal how long the model has been silent, until the block ends."""
        if not self._is_terminal:
            return nullcontext()
        return wait_notice("waiting for the model", self._draw_sign, every=1.0)

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
        self._write("\n" if self._in_answer else "")
        self._in_answer = False

    def wrote(self, reply: str) -> None:
        """A reply of the model's, as it came."""
        self.say(self._coloured("  model wrote: ", 35) + (" ".join(reply.split()) or "(nothing)"))

    def call(self, call: ToolCall) -> None:
        """A call that the model makes."""
        args = ", ".join(f"{name}={value!r}" for name, value in call["args"].items())
        self.say(self._coloured("  call:   ", 33) + f"{call['name']}({args})")

    def result(self, message: ToolMessage) -> None:
        """The result of a call."""
        failed = message.status == "error"
        head, colour = ("failed: ", 31) if failed else ("result: ", 32)
        text = " ".join(message.text.split()) if failed else message.text
        self.say(self._coloured(f"  {head}", colour) + text)

    def note(self, words: str) -> None:
        """Something that the user should know."""
        self.say(self._coloured(f"  ({words})", 2))

    def say(self, text: str) -> None:
        """Show a line."""
        self.end_answer()
        self._write(f"{text}\n")

    def _coloured(self, text: str, colour: int) -> str:
        return coloured(text, colour, self._out)

    def _draw_sign(self, words: str) -> None:
        self._write(self._coloured(f"  {words}", 2), is_sign=True)

    def _write(self, text: str, *, is_sign: bool = False) -> None:
        with self._lock:
            if is_sign and self._in_answer:
                return
            self._out.write(_ERASE_LINE * self._shows_sign + text)
            self._out.flush()
            self._shows_sign = is_sign


@contextmanager
def _show_decisions(screen: Screen) -> Iterator[None]:
    """Show each decision of a turn, such as a re-ask, as it is made, and warnings without their place in the code."""
    log, handler = getLogger("langchain_toolemu"), Handler(INFO)
    usual, level, propagates = warnings.showwarning, log.level, log.propagate

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, ToolEmuWarning):
            usual(message, category, *where, **more)
        elif message.code != "calls_emulated":  # the verdict has said so
            screen.note(str(message))

    def emit(record: LogRecord) -> None:
        # The user knows the model's name, with which the message begins.
        about, *others = record.args if isinstance(record.args, tuple) else ("",)
        words = record.getMessage().removeprefix(str(about)).lstrip(": ")
        if not words.endswith(_SAME_FACT):
            screen.note(f"native {words}" if len(others) == _OF_A_VERDICT else words)

    handler.emit = emit  # type: ignore[method-assign]
    log.addHandler(handler)
    log.setLevel(INFO)
    log.propagate = False
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show
            yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagates


# --- tools ---


def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


def current_time() -> str:
    """Get the current date and time."""
    return datetime.now().astimezone().strftime("%A, %d %B %Y, %H:%M")


def _load_tools(names: str | None) -> list[BaseTool]:
    """The tools that a text names as `module:function`, separated by commas; two examples without a text."""
    if names is None:
        return [tool(current_time), tool(add)]
    # A command's import path does not include the current folder.
    if "" not in sys.path:
        sys.path.insert(0, "")
    return [_load(name.strip()) for name in names.split(",") if name.strip()]


def _load(name: str) -> BaseTool:
    module, _, function = name.partition(":")
    if not (module and function):
        raise CheckError(f"{name!r} is not a tool: write module:function.")
    try:
        loaded = import_module(module)
    except Exception as error:
        where = f"Run toolemu in the folder of {module}, or install it."
        raise CheckError(f"The tool {name} cannot be imported: {error}. {where}") from error
    if not hasattr(loaded, function):
        near = get_close_matches(function, vars(loaded), 1) or ["a function that it defines"]
        raise CheckError(f"The module {module} has no {function!r}. Name {near[0]}.")
    found = getattr(loaded, function)
    try:
        if isinstance(found, BaseTool):
            return found
        # Without a docstring it is offered as a program would offer it, with the same warning.
        return tool(found) if found.__doc__ else StructuredTool.from_function(found, description="")
    except (AttributeError, TypeError, ValueError) as error:
        fix = "Name a function."
        raise CheckError(f"{name} cannot be a tool: {error} {fix}") from error


# --- the command ---


def run_chat(options: argparse.Namespace) -> int:
    """Chat as the options of `toolemu chat` say; returns the exit code."""
    with ExitStack() as stack:
        try:
            _chat(options, stack)
        except ToolEmuError as error:
            sys.stderr.write(f"toolemu: {error}\n")
            return _UNABLE
        except KeyboardInterrupt:
            sys.stdout.write("\n")
    return 0


def _chat(options: argparse.Namespace, stack: ExitStack) -> None:
    screen = Screen(sys.stdout)
    tools = _load_tools(options.tools)
    # The embedded model is known to have no native tool calling.
    mode = "fallback" if options.model or options.gguf else "force"
    with nullcontext() if options.model else wait_notice("loading the embedded model"):
        named = named_model(options, stack)
    llm = ChatToolEmu(named.llm, **{"mode": mode, **given_flags(options)})
    own = "" if options.tools else " (your own: --tools module:function)"
    names = ", ".join(tool.name for tool in tools)
    screen.say(f"Tools: {names}{own}. /help lists the commands, /quit ends it.")
    if not options.tools:
        screen.say(f"Try: {_FIRST_QUESTION}")
    stack.enter_context(_show_decisions(screen))
    loop = ChatLoop(llm, tools, screen)
    for line in _lines():
        if not sys.stdin.isatty():  # a terminal shows it by itself
            screen.say(f"\nyou: {line}")
        if _COMMAND.fullmatch(line):
            _obey(line, loop, screen)
        else:
            _ask(line, loop, screen, named.llm)


def _ask(question: str, loop: ChatLoop, screen: Screen, llm: BaseChatModel) -> None:
    """Ask; after an error a script ends, and a person may ask again."""
    is_person = sys.stdin.isatty()
    try:
        loop.ask(question)
    except KeyboardInterrupt:
        screen.end_answer()
        if not is_person:
            raise
        screen.note("stopped; your question was removed. Ctrl-C at the prompt ends the chat")
    except BrokenPipeError:  # nobody reads the output any more
        raise
    except Exception as error:
        screen.end_answer()
        words = explain_request_error(error, llm)
        if not is_person:
            raise CheckError(words) from error
        screen.note(f"{words} Your question was removed.")


def _obey(command: str, loop: ChatLoop, screen: Screen) -> None:
    match command:
        case "/help":
            lines = [f"{name:8} {words}" for name, words in _COMMANDS.items()]
        case "/tools":
            lines = [
                f"{tool.name}({', '.join(tool.args)}): {tool.description.partition(chr(10))[0]}"
                for tool in loop.tools.values()
            ]
        case "/report":
            lines = loop.reports() or ["there is no answer yet, or the mode is off"]
        case "/reset":
            loop.history.clear()
            lines = ["a new conversation begins"]
        case _:
            lines = [f"{command} is not known. Use {', '.join(_COMMANDS)}"]
    for line in lines:
        screen.say(f"  {line}")


def _lines() -> Iterator[str]:
    is_terminal = sys.stdin.isatty()
    if is_terminal:
        with suppress(ImportError):  # not everywhere
            import readline  # noqa: F401 - with it, `input` can edit a line and bring back earlier ones
    while True:
        if is_terminal:
            sys.stdout.write("\n")
        try:
            line = input("you: " if is_terminal else "").strip()
        except EOFError:
            return
        if line in _QUIT:
            return
        if line:
            yield line
