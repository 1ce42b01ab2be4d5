"""Python calls one after the other: in a list, or alone in a block or on a line.

The rule of this module: calls are let out only when the whole list, the whole block, or the rest of the line has been
seen to hold nothing else. An assignment, an import or a `print` makes it a program, and a word after the call makes it
a sentence about it.
"""

import re

import regex

from langchain_toolemu.reader.arguments import Found
from langchain_toolemu.reader.code import fits_alone, precedes_code
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.literals.parser import skip_comment
from langchain_toolemu.reader.literals.strings import StringReader
from langchain_toolemu.reader.marks import NAME
from langchain_toolemu.reader.notations.objects import Named, ObjectReader
from langchain_toolemu.reader.notations.python_calls import PythonCall, read_call_text
from langchain_toolemu.reader.notations.reading import (
    CUT,
    TWO_QUOTINGS,
    Bad,
    Envelope,
    Reading,
    Row,
)
from langchain_toolemu.reader.tag_words import CLOSE, ENDINGS, LEFT, OPEN, OTHERS, RESULT
from langchain_toolemu.reader.tags import TagSet
from langchain_toolemu.reader.window import REST_OF_LINE, Waiting

_AFTER_CALL = re.compile(r"[\s)]+")
_EXTRA = re.compile(r"[\])]+")
_CALL_IN_STRING = regex.compile(r"[\"'`]\s*([\w.\-\\]+)\(")
_BETWEEN = re.compile(r"[\s,;)\]]+")  # sample extra-parenthesis
_BETWEEN_ON_LINE = re.compile(r"[ \t,;)\]]+")
_ANOTHERS = OTHERS | RESULT
_ENDS = TagSet(OPEN | CLOSE | LEFT | _ANOTHERS | {"call"})


class CallList:
    """Reads `[f(a=1), g("x")]`, or `["f(a=1)", "g('x')"]` where each is a string, from its bracket."""

    def __init__(self, context: Context, *, explicit: bool) -> None:
        self._context = context
        self._window = context.window
        self._explicit = explicit
        self._row = Row("python")
        self._cut = False
        self._fault = ""
        self._unclosed = False

    def read(self) -> Waiting[Reading]:
        """Consume the list."""
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
        if not closed:
            return (yield from self._refuse())
        is_link = (yield from self._window.peek()) == "("  # the text of a markdown link
        return self._row.text() if is_link else self._row.calls()

    def _closes(self, mark: str, space: str) -> bool:
        """Whether the list ends here: with its bracket, or without. Sample unclosed-call-list."""
        if mark in ("]", "`", "~", "<") or self._unclosed:
            return True
        return ("\n" in space and mark.isalpha()) if mark else not self._context.cut

    def _element(self) -> Waiting[bool]:
        """Consume one call; whether there was one."""
        char = yield from self._past_comments()
        if char == "]" and self._row.found:  # after a trailing comma
            return True
        if char and char in "\"'`":
            found = yield from self._from_string()
        else:
            found = yield from self._plain()
        if found is None or (self._is_talk(found) and not self._explicit):
            return False
        self._row.add(found, self._window.take())
        return True

    def _is_talk(self, found: Found) -> bool:
        """Whether this shows what calls look like, or is the first and of no bound tool."""
        return found.echo or (not self._row.found and not found.spec)

    def _past_comments(self) -> Waiting[str]:
        while True:
            char = yield from self._window.past_space()
            if not char or char not in "#/" or not (yield from skip_comment(self._window)):
                return char

    def _plain(self) -> Waiting[Found | None]:
        name = yield from self._window.name(NAME)
        known = self._row.found or self._explicit or self._context.resolve(name)
        char = yield from self._window.peek()
        if not name or char != "(" or not known:
            return None
        call = PythonCall(self._context, self._window, name)
        yield from call.read()
        self._row.notes.update(dict.fromkeys(call.notes))
        self._fault = call.fault
        self._cut = call.cut and bool(call.fault)
        self._unclosed = call.unclosed
        return call.found

    def _from_string(self) -> Waiting[Found | None]:
        begins = yield from self._window.expect(_CALL_IN_STRING, 160)
        if begins is None or not (self._row.found or self._context.resolve(begins[1])):
            return None
        string = StringReader(self._window, (), frozenset())
        yield from string.read(is_name=True)
        if not string.closed:
            self._cut, self._fault = True, CUT
            return None
        after = yield from self._window.peek()
        if after.isalnum():
            self._fault = TWO_QUOTINGS
        return read_call_text(self._context, string.decoded())

    def _refuse(self) -> Waiting[Reading]:
        """Text if nothing was a call; otherwise what came before the fault, and the fault."""
        if not (self._row.found or self._fault or self._explicit):
            return self._row.text()
        at_end = self._window.ended and self._window.exhausted and not self._fault
        if self._cut or at_end:
            return self._row.calls(Bad("cut", CUT, label=self._row.label))
        if not self._explicit:
            yield from self._window.run(REST_OF_LINE)
        detail = self._fault or "not a list of calls"
        return Bad("unreadable", detail, text=self._row.text().text, label=self._row.label)


class CallBlock:
    """Reads calls to the end of a fenced block, or of a line.

    Args:
        context: The reply.
        envelope: What the calls are in.
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
        self._row = Row()

    def read(self) -> Waiting[Reading]:
        """Consume the calls; text if there is anything else."""
        while True:
            yield from self._window.run(self._between)
            char = yield from self._window.peek()
            if self._ends_at(char) or (yield from self._leaks_end(char)):
                return (yield from self._end())
            if char == "#" and self._closing:
                yield from self._window.run(REST_OF_LINE)
            elif char == "[" and not self._row.found:
                return (yield from CallList(self._context, explicit=False).read())
            else:
                reading = yield from self._call()
                if reading is not None:
                    return reading

    def _ends_at(self, char: str) -> bool:
        return not char or char == self._closing or (not self._closing and char == "\n")

    def _leaks_end(self, char: str) -> Waiting[bool]:
        """Whether a token comes here that ends the message, or begins another's. Sample leaked-end."""
        if char != "<" or not self._row.found:
            return False
        tag = yield from _ENDS.peek(self._window)
        if tag is None:
            return False
        return tag.closing or tag.word in CLOSE | _ANOTHERS or tag.raw in ENDINGS

    def _call(self) -> Waiting[Reading | None]:
        """Consume one call; `None` if more may follow, otherwise what the whole is."""
        name = yield from self._window.name(NAME)
        if not name or self._context.resolve(name) is None:
            return self._row.text()
        char = yield from self._window.peek()
        if char != "(":
            return (yield from self._object(name))
        call = PythonCall(self._context, self._window, name)
        yield from call.read()
        self._row.notes.update(dict.fromkeys(call.notes))
        if self._foreign and not (call.found and call.closed and fits_alone(call.found)):
            return self._row.text()
        if call.found is None:
            return (yield from self._refuse(call)) if call.fault else self._row.text()
        return self._accept(call.found, ends=call.unclosed and not self._closing)

    def _accept(self, found: Found, *, ends: bool) -> Reading | None:
        if found.echo or (found.lacks and not (found.args or found.fault)):
            return self._row.text()  # sample refusal-names-function
        self._row.add(found, self._window.take())
        return self._row.calls() if ends else None

    def _object(self, name: str) -> Waiting[Reading]:
        """A name and an object: `get_weather {"city": "Paris"}`."""
        char = yield from self._window.past_space()
        if char != "{" or self._row.found:
            return self._row.text()
        named = Named(name, certain=False)
        return (yield from ObjectReader(self._context, self._envelope, named).read())

    def _end(self) -> Waiting[Reading]:
        in_program = self._foreign and (yield from precedes_code(self._context))
        return self._row.text() if in_program else self._row.calls()

    def _refuse(self, call: PythonCall) -> Waiting[Reading]:
        """What came before a call that was meant and cannot be read, and that call."""
        if not call.unclosed:
            yield from self._window.run(REST_OF_LINE)
        return self._row.calls(call.bad)
