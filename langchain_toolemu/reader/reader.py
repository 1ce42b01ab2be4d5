"""`Reader`: pieces of a reply in, events out."""

from collections.abc import Sequence

from langchain_toolemu.reader.call_format import CallFormat
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import Event, ResultTexts, TextKind
from langchain_toolemu.reader.regions.prose import scan
from langchain_toolemu.reader.window import finish
from langchain_toolemu.tools import ToolSet


class Reader:
    """Reads tool calls out of a reply, piece by piece; the whole reply is one piece.

    Args:
        tools: The bound tools.
        forced: The one tool that was demanded, so that a bare object that fits its schema is its
            arguments.
        demands_any: Whether a call of some tool was demanded, so that a bare object is the arguments of the only tool
            that it fits.
        native: Whether the reply was not asked for calls in text: the tools were sent natively.
        explicit_only: Whether only envelopes count that can mean nothing but a call.
        first_object: Whether, all the same, a bare or fenced object counts that begins the reply.
        tells_thoughts: Whether thoughts are distinguished from the answer.
        only_thoughts: Whether nothing else is looked for: no call can be made.
        starts_in_thought: Whether the reply begins inside a thought, whose opener is in the prompt.
        results: The tool results of the conversation, which may hold calls that nobody asked for.
        dialect: How calls were asked for, if that is a dialect of one's own: its marks and keys are read, too.

    Example:
        ```python
        reader = Reader(tools)
        events = reader.feed('{"name": "get_weather", "arguments": {"city": "Paris"}}')
        events += reader.close()
        ```
    """

    def __init__(
        self,
        tools: ToolSet,
        *,
        forced: str | None = None,
        demands_any: bool = False,
        native: bool = False,
        explicit_only: bool = False,
        first_object: bool = False,
        tells_thoughts: bool = False,
        only_thoughts: bool = False,
        starts_in_thought: bool = False,
        results: ResultTexts | None = None,
        dialect: CallFormat | None = None,
    ) -> None:
        self._context = Context(
            tools,
            forced,
            demands_any=demands_any,
            native=native,
            explicit_only=explicit_only,
            first_object=first_object,
            tells_thoughts=tells_thoughts,
            only_thoughts=only_thoughts,
            starts_in_thought=starts_in_thought,
            results=results,
            dialect=dialect,
        )
        self._window, self._output = self._context.window, self._context.output
        self._scan = scan(self._context)
        next(self._scan)

    @property
    def kinds(self) -> Sequence[tuple[int, TextKind]]:
        """Where in the reply, as far as it was read, a text of another kind begins."""
        return self._context.kinds

    @property
    def kind(self) -> TextKind:
        """What the text is that comes now."""
        return self._context.output.kind

    def feed(self, text: str) -> list[Event]:
        """Read a piece; what became certain with it."""
        self._window.feed(text)
        next(self._scan)
        if self._window.flowing:
            self._context.flush()
        return self._output.drain()

    def close(self, *, cut: bool = False) -> list[Event]:
        """The reply is over; what was still open.

        Args:
            cut: Whether it ended by the length limit.
        """
        context = self._context
        context.window.ended = True
        context.cut = context.output.cut = cut
        finish(self._scan)
        return context.output.drain()
