"""JSON values: one object or list, in the open or inside an envelope."""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import Waiting
from langchain_toolemu.reader.items import (
    Envelope,
    emit_bad,
    emit_calls,
    lacks_required,
    why_unreadable,
)
from langchain_toolemu.reader.parser import Parser
from langchain_toolemu.reader.shapes import Found, find_calls
from langchain_toolemu.reader.watch import CallWatch

_EXTRA_CLOSERS = re.compile(r"(?:[ \t]*\n?[ \t]*[}\]])+")
_MAY_BE_EXTRA = re.compile(r"[ \t]*\n?[ \t]*\Z")
_JUNK = re.compile(r"[ \t]*(?:[\"':]|,\s*\"[^\"]*\"\s*:)")
_REST_OF_LINE = re.compile(r"[^\n]+")


class ObjectReader:
    """Reads one JSON value and emits what it is worth."""

    def __init__(self, context: Context, envelope: Envelope) -> None:
        self.context = context
        self.envelope = envelope
        self.watch = None if envelope.explicit else CallWatch(context)
        self.parser = Parser(context.cursor, context.keys, self.watch)

    def read(self) -> Waiting[bool]:
        """Consume the value; whether it was a call, good or bad."""
        yield from self.parser.read()
        if self.watch is not None and self.watch.released:
            self.context.release()
            return False
        if self.parser.closed:
            yield from self._take_extra_closers()
        return (yield from self._judge())

    def _judge(self) -> Waiting[bool]:
        parser = self.parser
        if parser.closed or self._ends_early():
            return (yield from self._settle())
        if self.context.cursor.exhausted and not parser.failed:
            return self._bad("cut", "the reply ended inside it")
        yield from self._skip_line()
        return self._bad("unreadable", why_unreadable(parser))

    def _ends_early(self) -> bool:
        """Whether only closers are missing, and not because the reply was cut."""
        parser, cursor = self.parser, self.context.cursor
        if not parser.complete or not isinstance(parser.root, (dict, list)):
            return False
        if not parser.failed:
            return cursor.ended and not self.context.cut
        return True

    def _settle(self) -> Waiting[bool]:
        parser = self.parser
        found = self._found()
        if not found:
            return self._bad("unreadable", "it names no tool")
        if parser.doubtful or parser.bare_words or (yield from self._junk_follows()):
            yield from self._skip_line()
            return self._bad("unreadable", why_unreadable(parser))
        if not parser.closed and lacks_required(found):
            return self._bad("cut", "it ended before every required argument was there")
        emit_calls(self.context, self.envelope, found, tuple(parser.notes))
        return True

    def _found(self) -> list[Found]:
        found = find_calls(self.parser.root, self.context.tools, self.context.forced)
        if self.envelope.explicit or any(call.spec and not call.fault for call in found):
            return found
        return []

    def _bad(self, reason: str, detail: str) -> bool:
        """A bad call if a call was meant, text otherwise."""
        name = self.watch.name if self.watch else None
        if not (self.envelope.explicit or name):
            self.context.release()
            return False
        emit_bad(self.context, self.envelope, reason, detail, name=name)  # type: ignore[arg-type]
        return True

    def _take_extra_closers(self) -> Waiting[None]:
        cursor = self.context.cursor
        while True:
            found = _EXTRA_CLOSERS.match(cursor.window, cursor.pos)
            if found:
                cursor.pos = found.end()
            ahead, certain = cursor.ahead(64)
            if certain or not _MAY_BE_EXTRA.match(ahead):
                return
            yield

    def _junk_follows(self) -> Waiting[bool]:
        ahead, _ = self.context.cursor.ahead(128)
        return bool(_JUNK.match(ahead))
        yield

    def _skip_line(self) -> Waiting[None]:
        yield from self.context.cursor.run(_REST_OF_LINE)
