"""One value, read as it comes: JSON, Python and JavaScript literals, with the faults models make.

The rule of this room: on valid JSON it gives what `json.loads` gives; every leniency beyond that is
noted, and none invents content. It is a stack machine fed through a cursor: it neither looks back
nor calls itself, and stops at a fixed depth.
"""

import re
from collections.abc import Callable
from html import unescape
from typing import Any, Literal, Protocol, TypeAlias

from langchain_toolemu.reader.cursor import Cursor, Waiting
from langchain_toolemu.reader.escapes import decode
from langchain_toolemu.reader.frames import Frame, Kind
from langchain_toolemu.reader.quotes import CLOSING, LOOKAHEAD, Body, Ending
from langchain_toolemu.reader.scalars import BareWord, is_number, read_scalar

MAX_DEPTH = 100

Tail: TypeAlias = Literal["nothing", "mark", "string", "number", "literal", "container"]

_SPACE = re.compile(r"\s*")
_TOKEN = re.compile(r"[\w.+$\\-]+")
_LINE = re.compile(r"[^\n]+")
_STARS = re.compile(r"\*+")
_SPECIAL = {
    quote: re.compile("|".join(re.escape(closer) for closer in (*closers, "\\")))
    for quote, closers in CLOSING.items()
}
_TRIPLE = {quote * 3: re.compile(rf"{quote * 3}|\\") for quote in "\"'"}
_OPENERS: dict[str, Kind] = {"{": "object", "[": "array", "(": "tuple"}
_STRING_PREFIXES = frozenset({"r", "R", "b", "B", "u", "U", "f", "F"})


class Watch(Protocol):
    """Who wants to know the members of the outermost object as they come.

    An answer of `False` says that this is no call: the text is released and merely followed to its
    end.
    """

    def key(self, key: str) -> bool:
        """A key was read."""
        ...

    def member(self, key: str, value: Any) -> bool:
        """A key's value was read."""
        ...

    def names_tool(self, key: str) -> bool:
        """Whether a key's value is a tool's name."""
        ...


class Parser:
    """Reads one value. `root` is what there is of it, `closed` whether that is all.

    Attributes:
        failed: Why no value can be read any further.
        tail: What was read last, which decides whether an end here is a cut.
        notes: What was mended.
        implied: Whether closers were missing or out of place.
    """

    def __init__(
        self, cursor: Cursor, keys: frozenset[str] = frozenset(), watch: Watch | None = None
    ) -> None:
        self.cursor = cursor
        self.keys = keys
        self.watch = watch
        self.frames: list[Frame] = []
        self.root: Any = None
        self.closed = False
        self.failed = ""
        self.tail: Tail = "nothing"
        self.notes: dict[str, None] = {}
        self.implied = False
        self.doubtful = False
        self.bare_words: list[str] = []
        self.partial = ""
        self._state: Callable[[str], Waiting[None] | None] = self._value

    def read(self) -> Waiting[bool]:
        """Consume one value; whether it was closed."""
        cursor = self.cursor
        while not (self.closed or self.failed):
            cursor.pos = _end_of_space(cursor.window, cursor.pos)
            if cursor.pos < len(cursor.window):
                step = self._state(cursor.window[cursor.pos])
                if step is not None:
                    yield from step
            elif cursor.ended:
                break
            else:
                yield
        return self.closed

    def read_arguments(self) -> Waiting[bool]:
        """Consume the arguments of a Python call, from behind its parenthesis."""
        self.frames.append(Frame("call"))
        self.root = self.frames[0]
        self.tail = "mark"
        self._state = self._argument
        return self.read()

    @property
    def complete(self) -> bool:
        """Whether only closers are missing."""
        return self.closed or self.tail in ("string", "literal", "container")

    # What may stand where

    def _value(self, char: str) -> Waiting[None] | None:
        if char in CLOSING or char == "&":
            return self._string(char)
        if char in _OPENERS:
            return self._open(_OPENERS[char])
        if _TOKEN.match(char):
            return self._scalar()
        if char in "}])" and self.frames and not self.frames[-1].keyed:
            return self._close(char)
        return self._other(char)

    def _key(self, char: str) -> Waiting[None] | None:
        frame = self.frames[-1]
        if char in CLOSING or char == "&":
            return self._string(char, key=True)
        if char in "}])":
            return self._close(char)
        if char == "{":
            return self._brace_for_key(frame)
        if char.isalpha() or char in "_$":
            return self._bare_key()
        if char == ",":
            return self._skip_mark("a stray comma was left out")
        return self._other(char)

    def _argument(self, char: str) -> Waiting[None] | None:
        self.frames[-1].key = None
        if char == ")":
            return self._close(char)
        if char.isalpha() or char == "_":
            return self._named_argument()
        if char == "*":
            return self._unpacked()
        return self._value(char)

    def _colon(self, char: str) -> Waiting[None] | None:
        if char == ":":
            self.cursor.pos += 1
            self.tail = "mark"
            self._state = self._value
            return None
        return self._other(char)

    def _after(self, char: str) -> Waiting[None] | None:
        frame = self.frames[-1]
        if char == ",":
            self.cursor.pos += 1
            self.tail = "mark"
            self._state = self._member
            return None
        if char in "}])":
            return self._close(char)
        if self._comma_was_forgotten(char, frame):
            self._note("a missing comma was added")
            self._state = self._member
            return self._member(char)
        return self._other(char)

    @property
    def _member(self) -> Callable[[str], Waiting[None] | None]:
        match self.frames[-1].kind:
            case "object":
                return self._key
            case "call":
                return self._argument
            case _:
                return self._value

    def _comma_was_forgotten(self, char: str, frame: Frame) -> bool:
        if frame.kind == "object":
            return char in CLOSING
        return frame.kind == "array" and char in "{\"'" and self.tail in ("string", "container")

    def _other(self, char: str) -> Waiting[None] | None:
        if char in "/#":
            return self._comment(char)
        self.failed = f"unexpected {char!r}"
        return None

    # Containers

    def _open(self, kind: Kind) -> None:
        self.cursor.pos += 1
        self.tail = "mark"
        if len(self.frames) >= MAX_DEPTH:
            self.failed = f"nested deeper than {MAX_DEPTH} levels"
            return
        frame = Frame(kind)
        if self.frames:
            self.frames[-1].add(frame.items)
        else:
            self.root = frame.items
        self.frames.append(frame)
        self._state = self._member

    def _brace_for_key(self, frame: Frame) -> None:
        if not frame.items and not frame.extra:  # sample doubled-braces
            self.cursor.pos += 1
            frame.extra = 1
            self._note("doubled braces were read as one")
        elif any(outer.kind == "array" for outer in self.frames):  # sample missing-closer-in-list
            self._close_down_to("]")
            self._state = self._value
        else:
            self.failed = "unexpected '{'"

    def _close(self, char: str) -> None:
        frame = self.frames[-1]
        self.cursor.pos += 1
        if frame.closer == char:
            if frame.extra:
                frame.extra -= 1
                self.tail = "container"
                self._state = self._after
            else:
                self._pop()
        elif any(outer.closer == char for outer in self.frames):  # sample missing-inner-closer
            self._close_down_to(char)
            self._pop()
        else:  # sample stray-closer
            self.implied = True
            self._note("a stray closing bracket was left out")

    def _close_down_to(self, closer: str) -> None:
        self.implied = True
        self._note("a missing closing bracket was added")
        while self.frames[-1].closer != closer:
            self._pop()

    def _pop(self) -> None:
        done = self.frames.pop()
        self.tail = "container"
        if not self.frames:
            self.closed = True
            return
        self._state = self._after
        self._tell_member(done.items)

    def _add(self, value: Any, tail: Tail) -> None:
        self.tail = tail
        if not self.frames:
            self.root = value
            self.closed = True
            return
        self.frames[-1].add(value)
        self._state = self._after
        self._tell_member(value)

    def _tell_member(self, value: Any) -> None:
        frame = self.frames[-1]
        if self._watched and frame.key is not None and not self.watch.member(frame.key, value):
            self._release()

    @property
    def _watched(self) -> bool:
        return self.watch is not None and len(self.frames) == 1

    def _release(self) -> None:
        self.watch = None
        self.cursor.flowing = True

    # Keys

    def _set_key(self, key: str) -> None:
        self.frames[-1].key = key
        self.tail = "mark"
        self._state = self._colon
        if self._watched and not self.watch.key(key):
            self._release()

    def _bare_key(self) -> Waiting[None]:
        key = yield from self.cursor.run(_TOKEN)
        self.frames[-1].bare_keys = True
        self._note("keys without quotes were accepted")
        self._set_key(key)

    def _named_argument(self) -> Waiting[None]:
        word = yield from self.cursor.run(_TOKEN)
        char = yield from self.cursor.peek()
        if word in _STRING_PREFIXES and char and char in "\"'":
            yield from self._string(char, prefix=word)
            return
        while char and char in " \t\n":
            self.cursor.pos += 1
            char = yield from self.cursor.peek()
        if char and char in "=:":
            self.cursor.pos += 1
            self.frames[-1].key = word
            self.tail = "mark"
            self._state = self._value
            return
        self._add_token(word)

    def _unpacked(self) -> Waiting[None]:
        stars = yield from self.cursor.run(_STARS)
        if stars == "**":
            self.frames[-1].key = "**"
            self.tail = "mark"
            self._state = self._value
        else:
            self.failed = "unexpected '*'"

    # Leaves

    def _scalar(self) -> Waiting[None]:
        token = yield from self.cursor.run(_TOKEN)
        char = yield from self.cursor.peek()
        if token in _STRING_PREFIXES and char and char in "\"'":
            yield from self._string(char, prefix=token)
        else:
            self._add_token(token)

    def _add_token(self, token: str) -> None:
        value = read_scalar(token)
        if isinstance(value, BareWord):
            self.bare_words.append(value)
            self._add(value, "number")
        else:
            self._add(value, "number" if is_number(value) else "literal")

    def _string(self, char: str, *, key: bool = False, prefix: str = "") -> Waiting[None]:
        quote = yield from self._opening_quote(char)
        if not quote:
            self.failed = f"unexpected {char!r}"
            return
        is_name = self._watched and self.watch.names_tool(self.frames[-1].key or "")
        body = Body(quote, is_name=key or is_name)
        self.tail = "mark"
        if not (yield from self._body(body)):
            self.partial = body.text
            self.tail = "mark"
            return
        self.doubtful |= body.doubtful
        text = self._decoded(body, prefix)
        if key:
            self._set_key(text)
        else:
            self._add(text, "string")

    def _opening_quote(self, char: str) -> Waiting[str]:
        """Consume a quote: one character, three, or an entity."""
        wanted = "&quot;" if char == "&" else char * 3
        ahead, certain = self.cursor.ahead(len(wanted))
        while wanted.startswith(ahead) and not certain:
            yield
            ahead, certain = self.cursor.ahead(len(wanted))
        if ahead == wanted and wanted in (*_TRIPLE, "&quot;"):
            self.cursor.pos += len(wanted)
            return wanted
        if char == "&":
            return ""
        self.cursor.pos += 1
        return char

    def _body(self, body: Body) -> Waiting[bool]:
        """Consume a string up to and with its closing quote; whether there was one."""
        cursor = self.cursor
        special = _TRIPLE.get(body.quote) or _SPECIAL[body.quote]
        while True:
            found = special.search(cursor.window, cursor.pos)
            if found is None:
                end = len(cursor.window) - _kept_back(cursor, body.quote)
                if end > cursor.pos:
                    body.add(cursor.window[cursor.pos : end])
                    cursor.pos = end
                if cursor.ended:
                    return False
                yield
                continue
            if found.start() > cursor.pos:
                body.add(cursor.window[cursor.pos : found.start()])
                cursor.pos = found.start()
            if found.group() == "\\":
                if not (yield from self._escape(body)):
                    return False
            elif (yield from self._ends(body, found.group())):
                return True

    def _escape(self, body: Body) -> Waiting[bool]:
        cursor = self.cursor
        ahead, certain = cursor.ahead(2)
        while not certain:
            yield
            ahead, certain = cursor.ahead(2)
        body.parts.append(ahead)
        cursor.pos += len(ahead)
        return len(ahead) == 2

    def _ends(self, body: Body, quote: str) -> Waiting[bool]:
        """Consume a quote and decide whether it closes the string."""
        cursor = self.cursor
        cursor.pos += len(quote)
        ending = len(body.quote) == 3 or None
        while ending is None:
            after, certain = cursor.ahead(LOOKAHEAD)
            ending = Ending(body, self.frames, self.keys, after, certain).decide()
            if ending is None:
                yield
        if ending:
            return True
        body.parts.append(quote)
        body.inner += 1
        self._note("quotes inside a string were taken as text")
        return False

    def _decoded(self, body: Body, prefix: str) -> str:
        text = body.text
        if body.quote == "&quot;":
            return decode(unescape(text))
        if prefix in ("r", "R"):
            return text
        if prefix in ("f", "F") and "{" in text:
            self.failed = "an f-string"
        return decode(text, python=body.quote in ("'", '"""', "'''") or self._in_call)

    @property
    def _in_call(self) -> bool:
        return bool(self.frames) and self.frames[0].kind == "call"

    # Between the tokens

    def _comment(self, char: str) -> Waiting[None]:
        if char == "/":
            ahead, certain = self.cursor.ahead(2)
            while not certain:
                yield
                ahead, certain = self.cursor.ahead(2)
            if ahead == "/*":
                yield from self._block_comment()
                return
            if ahead != "//":
                self.failed = "unexpected '/'"
                return
        self._note("comments were left out")
        yield from self.cursor.run(_LINE)

    def _block_comment(self) -> Waiting[None]:
        cursor = self.cursor
        cursor.pos += 2
        self._note("comments were left out")
        while (end := cursor.window.find("*/", cursor.pos)) < 0:
            cursor.pos = max(cursor.pos, len(cursor.window) - 1)
            if cursor.ended:
                cursor.pos = len(cursor.window)
                return
            yield
        cursor.pos = end + 2

    def _skip_mark(self, note: str) -> None:
        self.cursor.pos += 1
        self._note(note)

    def _note(self, note: str) -> None:
        self.notes[note] = None


def _end_of_space(text: str, pos: int) -> int:
    found = _SPACE.match(text, pos)
    return found.end() if found else pos


def _kept_back(cursor: Cursor, quote: str) -> int:
    """How much of the window's end may be the start of a closing quote of several characters."""
    if cursor.ended or len(quote) == 1:
        return 0
    size = min(len(quote) - 1, len(cursor.window) - cursor.pos)
    while size and not quote.startswith(cursor.window[-size:]):
        size -= 1
    return size
