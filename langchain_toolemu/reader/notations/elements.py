"""Calls written as elements: `<function=f>`, `<invoke name="f">`, `<f>`, GLM's key and value pairs.

The rule of this module: an element's text is its argument, byte for byte but for the line breaks at its two ends. A
closing tag ends the text only if what follows can follow, so that an argument may hold tags of its own; where they may
be the next argument's instead, the call is refused.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from html import unescape

import regex

from langchain_toolemu.reader.arguments import Found, found_call
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.literals.texts import read_typed
from langchain_toolemu.reader.marks import skip_fence
from langchain_toolemu.reader.notations.objects import Named, ObjectReader
from langchain_toolemu.reader.notations.reading import (
    CUT,
    NAMELESS,
    NOT_A_CALL,
    Bad,
    Calls,
    Envelope,
    NotACall,
    Reading,
    given_twice,
)
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
from langchain_toolemu.reader.window import SPACE, Waiting

_LOOKAHEAD = 256
_MIXED = "an object stands among its elements"
_MAYBE_TAG = re.compile("<(?=[/|\uff5c\\w]|\\Z)|&(?=l|\\Z)")
_ELEMENT = regex.compile(r"(?:<|&lt;)[A-Za-z_][\w.-]*(?:>|&gt;)")
_NAME_TEXT = re.compile(r"[\w.\-\\ \n:]+")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*\Z", re.DOTALL)
_OWN_LINES = re.compile(r"\r?\n(?:(.*?)\r?\n)?\Z", re.DOTALL)
_CALL_WORDS = OPEN | WEAK
_UNCLOSED = "a closing tag is missing, and it can be read in two ways"


class _Inside:
    """What a text has opened so far and not closed.

    Attributes:
        elements: Elements of the text's own word.
        calls: Calls, or what is around them.
        doubtful: Whether one of them may be the call's next argument, or the next call.
    """

    __slots__ = ("calls", "doubtful", "elements")

    def __init__(self) -> None:
        self.elements = 0
        self.calls = 0
        self.doubtful = False

    def element(self, tag: Tag) -> None:
        """A tag of the text's own word."""
        self.elements = max(self.elements + _step(tag), 0)

    def call(self, tag: Tag) -> None:
        """A tag of a call."""
        self.calls = max(self.calls + _step(tag), 0)


def _step(tag: Tag) -> int:
    """How much deeper a text is after a tag."""
    return -1 if tag.closing else int(not tag.empty)


class ElementCall:
    """Reads one call from after its opening tag."""

    def __init__(
        self, context: Context, envelope: Envelope, written: str | None, tag: Tag | None = None
    ) -> None:
        self._context = context
        self._window = context.window
        self._envelope = envelope
        self._written = written
        self._texts = _attributes(context, written, tag)
        self._given = _argument_text(tag, self._texts)
        self._key: str | None = None
        self._container = tag.word if tag else ""
        self._in_element = self._container in context.tool_words
        self._parts = 0
        self._closed = tag is not None and tag.empty
        self._object: Reading = NOT_A_CALL
        self._bad: Bad | None = None
        self._tags = context.argument_tags

    def read(self) -> Waiting[Reading]:
        """Consume the call."""
        while not self._closed and (yield from self._part()):
            pass
        return self._settle()

    @property
    def _spec_words(self) -> frozenset[str]:
        spec = self._context.resolve(self._written) if self._written else None
        return frozenset(map(word_of, spec.properties)) if spec else self._context.parameter_words

    def _part(self) -> Waiting[bool]:
        """Consume one element, or what else may stand between them; whether to go on."""
        yield from self._window.run(SPACE)
        char = yield from self._window.peek()
        if char == "{":
            return (yield from self._json())
        if char and char in "`~":
            return (yield from skip_fence(self._window))
        if not char or char not in "<&":
            return False
        tag = yield from self._tags.peek(self._window)
        if tag is None:
            tag = yield from self._foreign()
        if tag is None:
            return False
        return self._closing(tag) if tag.closing else (yield from self._element(tag))

    def _foreign(self) -> Waiting[Tag | None]:
        """An element inside the tool's own that the tool does not know: an argument nonetheless."""
        found = (yield from self._window.expect(_ELEMENT)) if self._in_element else None
        return parse_tag(found.group()) if found else None

    def _closing(self, tag: Tag) -> bool:
        """Consume a closing tag that is the call's own; whether to go on."""
        if tag.word in ELEMENTS - NAME:
            self._window.pos += len(tag.raw)
            return True
        self._closed = True
        own = tag.word in WEAK | self._context.tool_words
        self._window.pos += len(tag.raw) if own else 0
        return False

    def _element(self, tag: Tag) -> Waiting[bool]:
        if tag.word in BESIDE:  # sample server-name
            return (yield from self._text(tag)) is not None
        if tag.word in PARAMETER and tag.value:
            return (yield from self._argument(tag, tag.value))
        if self._written and (tag.word in self._spec_words or tag.word not in self._tags.words):
            return (yield from self._argument(tag, tag.written))
        if tag.word == "argkey":
            return (yield from self._pair_key(tag))
        if tag.word == "argvalue" and self._key:
            name, self._key = self._key.strip(), None
            return (yield from self._argument(tag, name))
        if tag.word in NAME and self._written is None:
            return (yield from self._name(tag))
        if tag.word in ARGUMENTS:
            return (yield from self._arguments(tag))
        if tag.word in PARAMETER | PAIR:
            self._refuse("an argument has no name")
            return (yield from self._text(tag)) is not None
        self._closed = tag.word in CLOSE
        return False

    def _pair_key(self, tag: Tag) -> Waiting[bool]:
        self._parts += 1
        self._miss_value()
        self._key = yield from self._text(tag)
        return self._key is not None

    def _miss_value(self) -> None:
        """Refuse a call with a key whose value did not come."""
        if self._key is not None:
            self._refuse(f"{self._key.strip()!r} has no value")

    def _refuse(self, why: str) -> None:
        self._bad = self._bad or Bad("unreadable", why)

    def _name(self, tag: Tag) -> Waiting[bool]:
        """Consume the element with the tool's name, which is a word and nothing else."""
        self._window.pos += len(tag.raw)
        text = yield from self._window.run(_NAME_TEXT)
        closer = yield from TagSet({tag.word}).peek(self._window)
        if closer is None or not closer.closing or not text.strip():
            return False
        self._window.pos += len(closer.raw)
        self._parts += 1
        self._written = text.strip()
        return True

    def _argument(self, tag: Tag, name: str) -> Waiting[bool]:
        text = yield from self._text(tag)
        if text is None:
            return False
        self._parts += 1
        if self._texts.get(name, text) != text:
            self._refuse(given_twice(name))
        self._texts[name] = text
        return True

    def _arguments(self, tag: Tag) -> Waiting[bool]:
        """All arguments in one element: an object, elements, or the text of the only one."""
        ahead = yield from self._after(tag)
        if ahead in ("{", "<", "`", ""):
            self._window.pos += len(tag.raw)
            return True
        self._parts += 1
        self._given = yield from self._text(tag)
        return self._given is not None

    def _after(self, tag: Tag) -> Waiting[str]:
        """The first character after a tag and white space."""
        while True:
            ahead, certain = self._window.ahead(_LOOKAHEAD)
            rest = ahead[len(tag.raw) :].lstrip()
            if rest or certain:
                return rest[:1]
            yield

    def _json(self) -> Waiting[bool]:
        """Arguments as one object, which is all there is then."""
        if not isinstance(self._object, NotACall):
            return False
        if self._written is None or self._texts:
            self._refuse(_MIXED)
            return False
        named = Named(self._written, certain=True)
        self._object = yield from ObjectReader(self._context, self._envelope, named).read()
        return not isinstance(self._object, NotACall)

    def _text(self, tag: Tag) -> Waiting[str | None]:
        """Consume an element; its text, or nothing if it never closes."""
        window = self._window
        window.pos += len(tag.raw)
        if tag.empty:
            return ""
        tags = TagSet({tag.word, self._container or tag.word, "argkey"} | _CALL_WORDS)
        inside = _Inside()
        parts: list[str] = []
        while True:
            parts.append((yield from window.until(_MAYBE_TAG)))
            found = yield from tags.peek(window)
            if window.exhausted:
                self._bad = self._bad or Bad("cut", CUT)
                return None
            closes = found is not None and found.closing and found.word == tag.word
            if found and closes and (yield from self._ends(found, inside)):
                window.pos += len(found.raw)
                return _content("".join(parts), escaped=tag.escaped)
            if found:
                self._pass(found, tag.word, inside)
            parts.append(window.text[window.pos])
            window.pos += 1

    def _pass(self, tag: Tag, word: str, inside: _Inside) -> None:
        """Count a tag of a text; that of an argument still to come may mean that a closer is missing."""
        if tag.word == word:
            inside.element(tag)
        elif tag.word != "argkey":
            inside.call(tag)
        awaited = tag.word == "argkey" or self._awaits(tag)
        inside.doubtful = inside.doubtful or (awaited and not tag.closing)

    def _awaits(self, tag: Tag) -> bool:
        """Whether a tag names an argument of the tool that was not given yet."""
        spec = self._context.resolve(self._written) if self._written else None
        if spec is None or tag.word not in PARAMETER or tag.value is None:
            return False
        name = _declared(tag.value, list(spec.properties))
        return name in spec.properties and not {name, tag.value} & self._texts.keys()

    def _ends(self, closer: Tag, inside: _Inside) -> Waiting[bool]:
        """Whether what follows a closing tag can follow the end of an argument."""
        if inside.elements:
            last = yield from self._is_last(closer, inside)
            if last and (inside.doubtful or inside.calls):
                self._refuse(_UNCLOSED)
            return last
        while True:
            ahead, certain = self._window.ahead(_LOOKAHEAD)
            rest = ahead[len(closer.raw) :].lstrip()
            if not rest:
                if certain:
                    return True
            elif (following := parse_tag(rest)) is not None:
                return self._may_follow(self._tags.known(following) or following)
            elif certain or rest[0] not in "<&[":
                return False
            yield

    def _may_follow(self, tag: Tag) -> bool:
        if tag.closing or tag.word in CLOSE:
            return tag.word in _CALL_WORDS | CLOSE | ARGUMENTS | {self._container}
        first = NAME if self._written is None else frozenset()
        known = tag.word in PARAMETER | PAIR | ARGUMENTS | self._spec_words | first
        foreign = self._in_element and bool(_ELEMENT.match(tag.raw))
        return known or foreign or _begins_call(tag)

    def _is_last(self, closer: Tag, inside: _Inside) -> Waiting[bool]:
        """Whether after a closing tag, which may be the text's own, the call is over for certain.

        Then nothing but closing tags follows, and after them the reply's end or another call.
        """
        over = OPEN | CLOSE | {self._container}
        while True:
            ahead, certain = self._window.ahead(_LOOKAHEAD)
            rest = ahead[len(closer.raw) :].lstrip()
            while (tag := self._parse(rest)) and (tag.closing or tag.word in CLOSE):
                if tag.word not in over:
                    return False
                rest = rest[len(tag.raw) :].lstrip()
            if tag is not None:
                return _begins_call(tag) and not inside.calls
            if certain or (rest and rest[0] not in "<&["):
                return not rest and len(ahead) < _LOOKAHEAD
            yield

    def _parse(self, text: str) -> Tag | None:
        tag = parse_tag(text)
        return tag and (self._tags.known(tag) or tag)

    def _settle(self) -> Reading:
        if not isinstance(self._object, NotACall):
            return self._object
        cut = not self._closed and self._context.reach_cut()
        if not (self._bad or self._parts or self._closed or cut):
            return self._object  # a tag, and nothing of its own
        self._miss_value()
        if self._given and self._texts:
            self._refuse(_MIXED)
        found = self._found()
        if self._is_only_talk(found):
            return self._object
        if self._written is None:
            return Bad("unreadable", NAMELESS)
        if cut or (found.lacks and not self._closed):
            self._bad = self._bad or Bad("cut", CUT)
        if self._bad:
            return replace(self._bad, name=self._written)
        return Calls([found], () if self._closed else ("a missing closing tag was added",))

    def _is_only_talk(self, found: Found) -> bool:
        """Whether this only mentions a tool."""
        if self._bad:
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


def _attributes(context: Context, written: str | None, tag: Tag | None) -> dict[str, str]:
    """Arguments in the tag itself: `<get_weather city="Paris"/>`."""
    spec = context.resolve(written) if written else None
    if spec is None or tag is None:
        return {}
    taken = () if tag.word in context.tool_words else ("name", tag.written)
    return {k: value for k, value in tag.attributes if k in spec.properties and k not in taken}


def _argument_text(tag: Tag | None, named: Mapping[str, str]) -> str | None:
    """All arguments in one attribute: `<invoke name="get_weather" arguments="city=Paris"/>`."""
    attributes = tag.attributes if tag else ()
    texts = [text for key, text in attributes if key not in named and word_of(key) in ARGUMENTS]
    return texts[0] if texts else None


def _begins_call(tag: Tag) -> bool:
    return tag.word in OPEN or (tag.word in WEAK and bool(tag.value))


def _content(text: str, *, escaped: bool) -> str:
    if found := _CDATA.match(text):
        return found.group(1)
    text = unescape(text) if escaped else text
    found = _OWN_LINES.match(text)
    return (found[1] or "") if found else text


def _declared(name: str, declared: list[str]) -> str:
    """The argument's own spelling of a name."""
    fitting = [one for one in declared if word_of(one) == word_of(name)]
    return fitting[0] if name not in declared and len(fitting) == 1 else name
