"""Python calls one after the other: let out together as calls, or together as the text they were."""

from collections.abc import Iterable

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.items import Envelope, emit_calls
from langchain_toolemu.reader.shapes import Found


class Row:
    """The calls so far, and the text of each."""

    def __init__(self, context: Context, envelope: Envelope) -> None:
        self._context = context
        self._envelope = envelope
        self._found: list[Found] = []
        self._slices: list[str] = []
        self._notes: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def text(self) -> str:
        """All that was taken for these calls."""
        return "".join(self._slices)

    def add(self, found: Found) -> None:
        """One more call, to which the consumed text belongs."""
        self._found.append(found)
        self._slices.append(self._context.window.take())

    def note(self, notes: Iterable[str]) -> None:
        """What was mended in any of them."""
        self._notes.update(dict.fromkeys(notes))

    def emit(self) -> None:
        """Let the calls out, if there are any."""
        if self._found:
            notes = tuple(self._notes)
            emit_calls(self._context, self._envelope, self._found, notes, self._slices)

    def release(self) -> None:
        """Let all of it out as text."""
        self._context.output.text(self.text)
        self._context.release()
