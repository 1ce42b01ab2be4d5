"""Calls written as elements: `<function=f>`, `<invoke name="f">`, `<f>`, GLM's key and value pairs.

The rule of this room: an element's text is its argument, byte for byte but for one line break at
either end. A closing tag ends the text only if what follows can follow, so that an argument may
hold tags of its own.
"""

import re
from html import unescape

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import SPACE, Waiting
from langchain_toolemu.reader.faults import CUT, given_twice
from langchain_toolemu.reader.items import Envelope, emit_bad, emit_calls
from langchain_toolemu.reader.marks import skip_fence
from langchain_toolemu.reader.objects import Named, ObjectReader
from langchain_toolemu.reader.shapes import Found, found_call
from langchain_toolemu.reader.tag_words import (
    ARGUMENTS,
    BESIDE,
    CLOSE,
    ELEMENTS,
    NAME,
    OPEN,
    PAIR,
    PARAMETER,
    WEAK,
)
from langchain_toolemu.reader.tags import Tag, TagSet, parse_tag, word_of
from langchain_toolemu.reader.typed_text import read_typed
from langchain_toolemu.values import BadCallReason

_LOOKAHEAD = 256
_WHY = {"cut": CUT, "unreadable": "an object stands among its elements"}
_MAYBE_TAG = re.compile("<(?=[/|\uff5c\\w]|\\Z)|&(?=l|\\Z)")
_ELEMENT = re.compile(r"(?:<|&lt;)[A-Za-z_][\w.-]*(?:>|&gt;)")
_MAY_BE_ELEMENT = re.compile(r"(?:<|&(?:l(?:t;?)?)?)(?:[A-Za-z_][\w.-]*(?:&(?:gt?)?)?)?\Z")
_NAME_TEXT = re.compile(r"[\w.\-\\ \n:]+")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*\Z", re.DOTALL)
_EDGE = re.compile(r"\A\r?\n|\r?\n\Z")


class MarkupCall:
    """Reads one call from behind its opening tag."""

    def __init__(
        self, context: Context, envelope: Envelope, written: str | None, tag: Tag | None = None
    ) -> None:
        self._context = context
        self._cursor = context.cursor
        self._envelope = envelope
        self._written = written
        self._texts = _attributes(context, written, tag)
        self._given: str | None = None
        self._key: str | None = None
        self._container = tag.word if tag else ""
        self._in_element = self._container in context.tool_words
        self._parts = 0
        self._closed = tag is not None and tag.empty
        self._emitted = False
        self._broken: BadCallReason | None = None
        self._why = ""
        self._tags = context.argument_tags

    def read(self) -> Waiting[bool]:
        """Consume the call; whether it was one."""
        while not self._closed and (yield from self._part()):
            pass
        return self._settle()

    @property
    def _spec_words(self) -> frozenset[str]:
        spec = self._context.resolve(self._written) if self._written else None
        return frozenset(map(word_of, spec.properties)) if spec else self._context.parameter_words

    def _part(self) -> Waiting[bool]:
        """Consume one element, or what else may stand between them; whether to go on."""
        yield from self._cursor.run(SPACE)
        char = yield from self._cursor.peek()
        if char == "{":
            return (yield from self._json())
        if char and char in "`~":
            return (yield from skip_fence(self._cursor))
        if not char or char not in "<&":
            return False
        tag = yield from self._tags.peek(self._cursor)
        if tag is None:
            tag = yield from self._foreign()
        if tag is None:
            return False
        return self._closing(tag) if tag.closing else (yield from self._element(tag))

    def _foreign(self) -> Waiting[Tag | None]:
        """An element inside the tool's own that the tool does not know: an argument nonetheless."""
        while self._in_element:
            ahead, certain = self._cursor.ahead(_LOOKAHEAD)
            if _ELEMENT.match(ahead):
                return parse_tag(ahead)
            if certain or not _MAY_BE_ELEMENT.match(ahead):
                return None
            yield
        return None

    def _closing(self, tag: Tag) -> bool:
        """Consume a closing tag that is the call's own; whether to go on."""
        if tag.word in ELEMENTS - NAME:
            self._cursor.pos += len(tag.raw)
            return True
        self._closed = True
        own = tag.word in WEAK | self._context.tool_words
        self._cursor.pos += len(tag.raw) if own else 0
        return False

    def _element(self, tag: Tag) -> Waiting[bool]:
        if tag.word in BESIDE:  # sample server-name
            return (yield from self._text(tag)) is not None
        if tag.word in PARAMETER and tag.value:
            return (yield from self._argument(tag, tag.value))
        if self._written and (tag.word in self._spec_words or tag.word not in self._tags.words):
            return (yield from self._argument(tag, tag.written))
        if tag.word == "argkey":
            self._key = yield from self._text(tag)
            return self._key is not None
        if tag.word == "argvalue" and self._key:
            return (yield from self._argument(tag, self._key.strip()))
        if tag.word in NAME and self._written is None:
            return (yield from self._name(tag))
        if tag.word in ARGUMENTS:
            return (yield from self._arguments(tag))
        self._closed = tag.word in CLOSE
        return False

    def _name(self, tag: Tag) -> Waiting[bool]:
        """Consume the element with the tool's name, which is a word and nothing else."""
        self._cursor.pos += len(tag.raw)
        text = yield from self._cursor.run(_NAME_TEXT)
        closer = yield from TagSet({tag.word}).peek(self._cursor)
        if closer is None or not closer.closing or not text.strip():
            return False
        self._cursor.pos += len(closer.raw)
        self._parts += 1
        self._written = text.strip()
        return True

    def _argument(self, tag: Tag, name: str) -> Waiting[bool]:
        text = yield from self._text(tag)
        if text is None:
            return False
        self._parts += 1
        if self._texts.get(name, text) != text:
            self._broken = "unreadable"
            self._why = given_twice(name)
        self._texts[name] = text
        return True

    def _arguments(self, tag: Tag) -> Waiting[bool]:
        """All arguments in one element: an object, elements, or the text of the only one."""
        ahead = yield from self._after(tag)
        if ahead in ("{", "<", "`", ""):
            self._cursor.pos += len(tag.raw)
            return True
        self._parts += 1
        self._given = yield from self._text(tag)
        return self._given is not None

    def _after(self, tag: Tag) -> Waiting[str]:
        """The first character behind a tag and white space."""
        while True:
            ahead, certain = self._cursor.ahead(_LOOKAHEAD)
            rest = ahead[len(tag.raw) :].lstrip()
            if rest or certain:
                return rest[:1]
            yield

    def _json(self) -> Waiting[bool]:
        """Arguments as one object, which is all there is then."""
        if self._written is None or self._texts:
            self._broken = "unreadable"
            return False
        named = Named(self._written, certain=True)
        self._emitted = yield from ObjectReader(self._context, self._envelope, named).read()
        self._cursor.flowing = False
        return self._emitted

    def _text(self, tag: Tag) -> Waiting[str | None]:
        """Consume an element; its text, or nothing if it never closes."""
        cursor = self._cursor
        cursor.pos += len(tag.raw)
        if tag.empty:
            return ""
        same = TagSet({tag.word})
        inner = 0  # elements of the same word inside the text
        parts: list[str] = []
        while True:
            parts.append((yield from cursor.until(_MAYBE_TAG)))
            found = yield from same.peek(cursor)
            if cursor.exhausted:
                self._broken = "cut"
                return None
            if found and found.closing:
                if (yield from self._ends(found, inner)):
                    cursor.pos += len(found.raw)
                    return _content("".join(parts), escaped=tag.escaped)
                inner -= 1
            elif found:
                inner += 1
            parts.append(cursor.window[cursor.pos])
            cursor.pos += 1

    def _ends(self, closer: Tag, inner: int) -> Waiting[bool]:
        """Whether what follows a closing tag can follow the end of an argument."""
        while True:
            ahead, certain = self._cursor.ahead(_LOOKAHEAD)
            rest = ahead[len(closer.raw) :].lstrip()
            if not rest:
                if certain:
                    return True
            elif (following := parse_tag(rest)) is not None:
                return self._may_follow(self._tags.known(following) or following, inner)
            elif certain or rest[0] not in "<&[":
                return False
            yield

    def _may_follow(self, tag: Tag, inner: int) -> bool:
        if tag.closing or tag.word in CLOSE:
            outer = OPEN | CLOSE | {self._container}
            return tag.word in (outer if inner > 0 else outer | WEAK | ARGUMENTS)
        # Behind a tag of the text's own, the next one is the text's own too.
        named = tag.word in PARAMETER and bool(tag.value)
        first = NAME if self._written is None else frozenset()
        known = named or tag.word in PAIR | ARGUMENTS | self._spec_words | first
        return inner <= 0 and (known or (self._in_element and bool(_ELEMENT.match(tag.raw))))

    def _settle(self) -> bool:
        if self._emitted:
            self._context.output.extend(self._cursor.take())
            return True
        if self._is_only_mentioned():
            return self._release()
        found = self._found()
        if self._is_only_talk(found):
            return self._release()
        if self._written is None:
            return self._bad("unreadable", "it names no tool")
        at_end = self._cursor.ended and self._cursor.exhausted
        if not self._closed and (found.lacks or (at_end and self._context.cut)):
            self._broken = self._broken or "cut"
        if self._broken:
            return self._bad(self._broken, self._why or _WHY[self._broken])
        notes = () if self._closed else ("a missing closing tag was added",)
        emit_calls(self._context, self._envelope, [found], notes)
        return True

    def _is_only_mentioned(self) -> bool:
        """Whether nothing belongs to a tag, not even an end."""
        empty = not (self._broken or self._parts or self._closed)
        return empty and not (self._context.cut and self._cursor.exhausted)

    def _release(self) -> bool:
        self._context.release()
        return False

    def _is_only_talk(self, found: Found) -> bool:
        """Whether this only mentions a tool."""
        if self._broken:
            return not (self._envelope.explicit or found.spec)
        named_only = not (self._texts or self._given or self._closed)
        return not self._envelope.explicit and (named_only or not found.meant)

    def _found(self) -> Found:
        written = (self._written or "").strip()
        spec = self._context.resolve(written)
        if spec is None:
            return Found(written, None, {})
        if self._given is not None and not self._texts:
            return found_call(written, spec, self._given)
        keys = {name: _declared(name, list(spec.properties)) for name in self._texts}
        args = {
            keys[name]: read_typed(text, spec, keys[name]) for name, text in self._texts.items()
        }
        return found_call(written, spec, args)

    def _bad(self, reason: BadCallReason, detail: str) -> bool:
        emit_bad(self._context, self._envelope, reason, detail, name=self._written)
        return True


def _attributes(context: Context, written: str | None, tag: Tag | None) -> dict[str, str]:
    """Arguments in the tag itself: `<get_weather city="Paris"/>`."""
    spec = context.resolve(written) if written else None
    if spec is None or tag is None:
        return {}
    taken = () if tag.word in context.tool_words else ("name", tag.written)
    return {k: value for k, value in tag.attributes if k in spec.properties and k not in taken}


def _content(text: str, *, escaped: bool) -> str:
    if found := _CDATA.match(text):
        return found.group(1)
    return _EDGE.sub("", unescape(text) if escaped else text)


def _declared(name: str, declared: list[str]) -> str:
    """The argument's own spelling of a name."""
    fitting = [one for one in declared if word_of(one) == word_of(name)]
    return fitting[0] if name not in declared and len(fitting) == 1 else name
