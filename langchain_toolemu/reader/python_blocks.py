"""Python calls that have a block, or a line of prose, to themselves.

The rule of this room: calls are let out only when the whole block, or the rest of the line, has been
seen to hold nothing else. An assignment, an import or a `print` makes it a program, and a word
behind the call makes it a sentence about it.
"""

import re

from langchain_toolemu.reader.call_lists import CallList
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.items import Envelope, emit_bad
from langchain_toolemu.reader.namespaces import fits_alone, precedes_code
from langchain_toolemu.reader.objects import Named, ObjectReader
from langchain_toolemu.reader.python_calls import NAME, PythonCall
from langchain_toolemu.reader.rows import Row
from langchain_toolemu.reader.shapes import Found
from langchain_toolemu.reader.tag_words import CLOSE
from langchain_toolemu.reader.tags import TagSet
from langchain_toolemu.reader.window import REST_OF_LINE, SPACE, Waiting

_BETWEEN = re.compile(r"[\s,;)\]]+")  # sample extra-parenthesis
_BETWEEN_ON_LINE = re.compile(r"[ \t,;)\]]+")
_ENDS = TagSet(CLOSE)


class PythonBlock:
    """Reads calls to the end of a fenced block, or of a line.

    Args:
        context: The reply.
        envelope: What the calls stand in.
        closing: The mark that ends the block; none for a line.
        foreign: Whether the first name has a namespace that may be an object of a program.
    """

    def __init__(
        self, context: Context, envelope: Envelope, closing: str = "", *, foreign: bool = False
    ) -> None:
        self._context = context
        self._window = context.window
        self._envelope = envelope
        self._closing = closing[:1]
        self._foreign = foreign
        self._between = _BETWEEN if closing else _BETWEEN_ON_LINE
        self._row = Row(context, envelope)

    def read(self) -> Waiting[bool]:
        """Consume the calls; whether there were some, and nothing else."""
        while True:
            yield from self._window.run(self._between)
            char = yield from self._window.peek()
            if self._ends_at(char) or (yield from self._leaks_end(char)):
                return (yield from self._end())
            if char == "#" and self._closing:
                yield from self._window.run(REST_OF_LINE)
            elif char == "[" and not self._row:
                return (yield from CallList(self._context, self._envelope).read())
            else:
                verdict = yield from self._call()
                if verdict is not None:
                    return verdict

    def _ends_at(self, char: str) -> bool:
        return not char or char == self._closing or (not self._closing and char == "\n")

    def _leaks_end(self, char: str) -> Waiting[bool]:
        """Whether a token stands here that ends the message. Sample leaked-end."""
        if char != "<" or not self._row:
            return False
        return (yield from _ENDS.peek(self._window)) is not None

    def _call(self) -> Waiting[bool | None]:
        """Consume one call; `None` if more may follow, otherwise the verdict on the whole."""
        name = yield from self._window.name(NAME)
        if not name or self._context.resolve(name) is None:
            return self._refuse()
        char = yield from self._window.peek()
        if char != "(":
            return (yield from self._object(name))
        call = PythonCall(self._context, self._window, name)
        yield from call.read()
        self._row.note(call.notes)
        if self._foreign and not (call.found and call.closed and fits_alone(call.found)):
            return self._refuse()
        if call.found is None:
            return (yield from self._refuse_call(call, name)) if call.fault else self._refuse()
        verdict = self._accept(call.found)
        on_line = verdict is None and call.unclosed and not self._closing
        return self._settle() if on_line else verdict

    def _accept(self, found: Found) -> bool | None:
        if found.echo or (found.lacks and not (found.args or found.fault)):
            return self._refuse()  # sample refusal-names-function
        self._row.add(found)
        return None

    def _object(self, name: str) -> Waiting[bool]:
        """A name and an object: `get_weather {"city": "Paris"}`."""
        yield from self._window.run(SPACE)
        char = yield from self._window.peek()
        if char != "{" or self._row:
            return self._refuse()
        named = Named(name, certain=False)
        return (yield from ObjectReader(self._context, self._envelope, named).read())

    def _end(self) -> Waiting[bool]:
        in_program = self._foreign and (yield from precedes_code(self._context))
        return self._refuse() if in_program else self._settle()

    def _settle(self) -> bool:
        if not self._row:
            return self._refuse()
        self._row.emit()
        return True

    def _refuse_call(self, call: PythonCall, name: str) -> Waiting[bool]:
        """Let out what came before a call that was meant and cannot be read."""
        if not call.unclosed:
            yield from self._window.run(REST_OF_LINE)
        rest = self._window.take()
        self._row.emit()
        spec = self._context.resolve(name)
        bound = spec.name if spec else name
        emit_bad(self._context, self._envelope, call.reason, call.fault, name=bound, raw=rest)
        return True

    def _refuse(self) -> bool:
        self._row.release()
        return False
