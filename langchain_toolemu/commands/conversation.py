"""A model and its tools in a loop, told piece by piece: what `toolemu demo` and `toolemu chat` show.

It is an agent without an agent library, since this package needs none.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from logging import INFO, Handler, LogRecord, getLogger
from operator import add
from typing import Any, TextIO

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, message_chunk_to_message
from langchain_core.messages.tool import ToolCall, ToolMessage
from langchain_core.tools import BaseTool

from langchain_toolemu.errors import ToolEmuWarning

MAX_ROUNDS = 10


@dataclass(slots=True)
class Cost:
    """What a conversation took."""

    requests: int = 0
    tokens: int = 0

    def count(self, message: AIMessage) -> None:
        """Add one turn's."""
        report = message.response_metadata.get("toolemu", {})
        self.requests += report.get("requests", 1)
        self.tokens += message.usage_metadata["total_tokens"] if message.usage_metadata else 0

    def __str__(self) -> str:
        requests = "1 request" if self.requests == 1 else f"{self.requests} requests"
        return f"{requests}, {self.tokens} tokens"


class Conversation:
    """Questions and answers with a model that may call tools.

    Attributes:
        history: All messages so far.
        cost: What they took.

    Example:
        ```python
        talk = Conversation(llm, tools, Screen(sys.stdout))
        talk.ask("What is 1234 plus 4321?")
        ```
    """

    def __init__(self, llm: BaseChatModel, tools: Sequence[BaseTool], screen: "Screen") -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._llm = llm.bind_tools(tools) if tools else llm
        self._screen = screen
        self.history: list[BaseMessage] = []
        self.cost = Cost()

    def ask(self, question: str) -> None:
        """Put a question, run what is called, and show everything; an error leaves the history as it was."""
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
            self._screen.words(piece.text)
        self._screen.end_of_words()
        message = message_chunk_to_message(reduce(add, pieces))
        assert isinstance(message, AIMessage)  # noqa: S101 - a chat model says nothing else
        for call in message.tool_calls:
            self._screen.call(call)
        self.cost.count(message)
        return message

    def _result(self, call: ToolCall) -> ToolMessage:
        """What a tool says, be it that it failed: the model is told so, too."""
        try:
            result: ToolMessage = self._tools[call["name"]].invoke(call)
        except Exception as error:  # noqa: BLE001 - a tool may raise whatever it likes
            said = f"{type(error).__name__}: {error}"
            result = ToolMessage(said, tool_call_id=str(call["id"]), name=call["name"], status="error")  # fmt: skip
        self._screen.result(result)
        return result


class Screen:
    """Where a conversation is shown: a line for each call, result and note, and words as they come.

    Colours only on a terminal.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._colours = out.isatty()
        self._in_words = False

    def words(self, text: str) -> None:
        """A piece of an answer."""
        text = text if self._in_words else text.lstrip()
        if not text:
            return
        start = "" if self._in_words else self._painted("  answer: ", 36)
        self._in_words = True
        self._write(f"{start}{text}")

    def end_of_words(self) -> None:
        """The answer is complete, or interrupted."""
        if self._in_words:
            self._write("\n")
        self._in_words = False

    def call(self, call: ToolCall) -> None:
        """A call that the model makes."""
        args = ", ".join(f"{name}={value!r}" for name, value in call["args"].items())
        self._line(self._painted("  call:   ", 33) + f"{call['name']}({args})")

    def result(self, message: ToolMessage) -> None:
        """What the tool said."""
        head, colour = ("failed: ", 31) if message.status == "error" else ("result: ", 32)
        self._line(self._painted(f"  {head}", colour) + message.text)

    def note(self, words: str) -> None:
        """Something that the user should know."""
        self._line(self._painted(f"  ({words})", 2))

    def aside(self, words: str) -> None:
        """A note that can be done without: not in the middle of an answer."""
        if not self._in_words:
            self.note(words)

    def say(self, words: str) -> None:
        """A line of our own."""
        self._line(words)

    def _line(self, text: str) -> None:
        self.end_of_words()
        self._write(f"{text}\n")

    def _painted(self, text: str, colour: int) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colours else text

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


@contextmanager
def told_live(screen: Screen) -> Iterator[None]:
    """Show each decision of a turn, such as a re-ask, when it is made, and warnings without a place in the code."""
    log, handler = getLogger("langchain_toolemu"), _ToScreen(screen)
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


class _ToScreen(Handler):
    """A log's lines as notes."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(INFO)
        self._screen = screen

    def emit(self, record: LogRecord) -> None:
        """Show a line."""
        self._screen.note(record.getMessage())
