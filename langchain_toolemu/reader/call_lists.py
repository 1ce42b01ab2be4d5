"""Lists of Python calls: `[f(a=1), g("x")]`, and `["f(a=1)", "g('x')"]` where each is a string."""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.faults import CUT, TWO_QUOTINGS
from langchain_toolemu.reader.items import Envelope, emit_bad
from langchain_toolemu.reader.literals.parser import skip_comment
from langchain_toolemu.reader.literals.strings import StringReader
from langchain_toolemu.reader.python_calls import NAME, PythonCall, read_call_text
from langchain_toolemu.reader.rows import Row
from langchain_toolemu.reader.shapes import Found
from langchain_toolemu.reader.window import REST_OF_LINE, SPACE, Waiting

_AFTER_CALL = re.compile(r"[\s)]+")
_EXTRA = re.compile(r"[\])]+")
_CALL_IN_STRING = re.compile(r"[\"'`]\s*([\w.\-\\]+)\(")
_MAY_BE_CALL = re.compile(r"[\"'`]\s*[\w.\-\\]*\Z")


class CallList:
    """Reads one list of calls, from its opening bracket."""

    def __init__(self, context: Context, envelope: Envelope) -> None:
        self._context = context
        self._window = context.window
        self._envelope = (
            Envelope("python", explicit=False) if envelope.label == "json" else envelope
        )
        self._row = Row(context, self._envelope)
        self._cut = False
        self._fault = ""
        self._unclosed = False

    def read(self) -> Waiting[bool]:
        """Consume the list; whether it was one of calls."""
        self._window.pos += 1
        closed = False
        while (yield from self._element()):
            space = yield from self._window.run(_AFTER_CALL)
            mark = yield from self._window.peek()
            if mark and mark in ",;]":
                self._window.pos += 1
            if mark not in (",", ";"):
                closed = self._closes(mark, space)
                break
        yield from self._window.run(_EXTRA)
        if closed and (yield from self._is_link()):
            return self._release()
        if not closed:
            return (yield from self._refuse())
        self._row.emit()
        return True

    def _closes(self, mark: str, space: str) -> bool:
        """Whether the list ends here: with its bracket, or without. Sample unclosed-call-list."""
        if mark in ("]", "`", "~", "<") or self._unclosed:
            return True
        return ("\n" in space and mark.isalpha()) if mark else not self._context.cut

    def _is_link(self) -> Waiting[bool]:
        """Whether it is the text of a markdown link."""
        char = yield from self._window.peek()
        return char == "("

    def _element(self) -> Waiting[bool]:
        """Consume one call; whether there was one."""
        char = yield from self._past_comments()
        if char == "]" and self._row:  # behind a trailing comma
            return True
        if char and char in "\"'`":
            found = yield from self._from_string()
        else:
            found = yield from self._plain()
        if found is None or (self._is_talk(found) and not self._envelope.explicit):
            return False
        self._row.add(found)
        return True

    def _is_talk(self, found: Found) -> bool:
        """Whether this shows what calls look like, or is the first and of no bound tool."""
        return found.echo or (not self._row and not found.spec)

    def _past_comments(self) -> Waiting[str]:
        while True:
            yield from self._window.run(SPACE)
            char = yield from self._window.peek()
            if not char or char not in "#/" or not (yield from skip_comment(self._window)):
                return char

    def _plain(self) -> Waiting[Found | None]:
        name = yield from self._window.name(NAME)
        known = self._row or self._envelope.explicit or self._context.resolve(name)
        char = yield from self._window.peek()
        if not name or char != "(" or not known:
            return None
        call = PythonCall(self._context, self._window, name)
        yield from call.read()
        self._row.note(call.notes)
        self._fault = call.fault
        self._cut = call.cut and bool(call.fault)
        self._unclosed = call.unclosed
        return call.found

    def _from_string(self) -> Waiting[Found | None]:
        if not (yield from self._string_holds_call()):
            return None
        string = StringReader(self._window, (), frozenset())
        yield from string.read(is_name=True)
        if not string.closed:
            self._cut, self._fault = True, CUT
            return None
        behind = yield from self._window.peek()
        if behind.isalnum():
            self._fault = TWO_QUOTINGS
        return read_call_text(self._context, string.decoded())

    def _string_holds_call(self) -> Waiting[bool]:
        while True:
            ahead, certain = self._window.ahead(160)
            if found := _CALL_IN_STRING.match(ahead):
                return bool(self._row or self._context.resolve(found.group(1)))
            if certain or not _MAY_BE_CALL.match(ahead):
                return False
            yield

    def _release(self) -> bool:
        self._row.release()
        return False

    def _refuse(self) -> Waiting[bool]:
        """Text if nothing was a call; otherwise what came before the fault, and the fault."""
        if not (self._row or self._fault or self._envelope.explicit):
            return self._release()
        at_end = self._window.ended and self._window.exhausted and not self._fault
        if not (self._cut or at_end or self._envelope.explicit):
            yield from self._window.run(REST_OF_LINE)
        rest = self._window.take()
        if self._cut or at_end:
            self._row.emit()
            emit_bad(self._context, self._envelope, "cut", CUT, raw=rest)
        else:
            raw = self._row.text + rest
            detail = self._fault or "not a list of calls"
            emit_bad(self._context, self._envelope, "unreadable", detail, raw=raw)
        return True
