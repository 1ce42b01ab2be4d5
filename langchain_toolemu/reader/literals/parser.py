"""Parses one value as it arrives: JSON, Python and JavaScript, with models' mistakes.

Valid JSON gives what `json.loads` gives. Every repair is noted, and none invents content. The
parser never looks back, does not recurse, and stops at a fixed depth.
"""

import re
from collections.abc import Callable, Container
from typing import Any, Literal, TypeAlias

import regex

from langchain_toolemu.reader.literals import frames
from langchain_toolemu.reader.literals.strings import PREFIXES, Listener, LongText, StringReader
from langchain_toolemu.reader.vocabulary import QUOTE_STARTS, TOKENS
from langchain_toolemu.reader.window import SPACE, Waiting, Window

MAX_DEPTH = 100

Tail: TypeAlias = Literal["nothing", "mark", "string", "number", "literal", "container"]
Step: TypeAlias = Waiting[None] | None
_State: TypeAlias = Callable[["Parser", str], Step]

_TOKEN = re.compile(r"[\w.+$\\-]+")
_RAW_STOP = re.compile(r"[,}]")
_RAW_KEY = re.compile(r"([\w.-]*)\s*(:?)")
_SPACED_KEY = regex.compile(r"(?:[ \t]+[\w.+$\\-]+)+(?=[ \t]*:)")
_STARS = re.compile(r"\*+")
# A string without anything to decide, and what shows that it is one. Most strings are such.
_PLAIN = re.compile(r"\"([^\"\\]{0,200})\"\s{0,40}([,:}\]])")
_BARE_KEYS = "keys without quotes were accepted"
_OPENERS: dict[str, frames.ContainerKind] = {"{": "object", "[": "array", "(": "tuple"}


class Parser:
    """Reads one value. `root` is the value so far, `closed` whether it is complete."""

    def __init__(
        self, window: Window, keys: Container[str] = frozenset(), listener: Listener | None = None
    ) -> None:
        self.call: frames.Frame | None = None  # a Python call's arguments, where those were read
        self.frames: list[frames.Frame] = []
        self.root: Any = None
        self.closed = False
        self.failed = ""  # why no value can be read any further
        self.tail: Tail = "nothing"  # what was read last: whether an end here is a cut
        self.notes: dict[str, None] = {}  # what was fixed
        self.implied = False  # whether closers were missing or out of place
        self.doubtful = False  # whether something in it can as well be read otherwise
        self.bare_words: list[str] = []  # the words without quotes
        self._repeated = ""
        self.partial: str | None = None  # what there is of a string that never closed
        self.line_breaks = 0  # how many come before what could not be read
        self._window = window
        self._keys = keys
        self._watched_depth = 1
        self._listener = listener or Listener()
        self._state: _State = Parser._value

    def read(self) -> Waiting[bool]:
        """Consume one value; whether it was closed."""
        window = self._window
        while not (self.closed or self.failed or self.partial is not None):
            if space := frames.SPACES.match(window.text, window.pos):
                window.pos = space.end()
                self.line_breaks += space[0].count("\n")
            # What follows a backslash tells whether it is one of a line break.
            half = not window.ended and window.text.endswith("\\")
            if window.pos < len(window.text) - half:
                step = self._state(self, window.text[window.pos])
                if step is not None:
                    yield from step
            elif window.ended:
                break
            else:
                yield
        return self.closed

    def read_arguments(self) -> Waiting[bool]:
        """Consume the arguments of a Python call, from after its parenthesis."""
        self.call = frames.Frame("call")
        self._push(self.call)
        return self.read()

    @property
    def complete(self) -> bool:
        """Whether nothing or only closers are missing. A number at the end may lack digits."""
        whole = self.tail == "number" and bool(self.failed)
        return self.closed or whole or self.tail in ("string", "literal", "container")

    @property
    def elided(self) -> bool:
        """Whether something was left out on purpose, as in documentation: `{...}`, `<city>`."""
        return self.failed in ("unexpected '.'", "unexpected '<'") or "..." in self.bare_words

    @property
    def repeated(self) -> str:
        """A key that was given twice, so that one of its values would be lost."""
        return next((frame.repeated for frame in self.frames if frame.repeated), self._repeated)

    def _value(self, char: str) -> Step:
        if char in QUOTE_STARTS:
            return self._string(char)
        if self._listener.takes_raw(self.frames):
            return self._raw()
        if char in _OPENERS:
            return self._open(_OPENERS[char])
        if _TOKEN.match(char):
            return self._scalar()
        if char in "}])" and self.frames and not self.frames[-1].keyed:
            return self._close(char)
        return self._other(char)

    def _key(self, char: str) -> Step:
        if char in QUOTE_STARTS:
            return self._string(char, key=True)
        if char in "}])":
            return self._close(char)
        if char == "{":
            return self._brace_for_key()
        if char.isalpha() or char in "_$":
            return self._bare_key()
        return self._other(char)

    def _argument(self, char: str) -> Step:
        self.frames[-1].key = None
        if char == ")":
            return self._close(char)
        if char.isalpha() or char == "_":
            return self._named_argument()
        if char == "*":
            return self._unpacked()
        return self._value(char)

    def _colon(self, char: str) -> Step:
        if char in ",}" and self._is_set():
            return self._after(char)
        if char not in ":\uff1a":
            return self._other(char)
        self._state = Parser._value
        return self._mark()

    def _is_set(self) -> bool:
        """Whether the braces hold members without names, as Python's sets do: then they are a list.

        Sample set.
        """
        frame = self.frames[-1]
        if len(self.frames) < 2 or frame.items or frame.extra or frame.bare_keys:
            return False
        listed, outer = frames.Frame("array"), self.frames[-2]
        listed.closer, listed.items = "}", [frame.key]
        self.frames[-1] = listed
        container: Any = outer.positional if outer.keyed and outer.key is None else outer.items
        container[-1 if outer.key is None else outer.key] = listed.items
        self.notes["a set was read as a list"] = None
        self.tail = "string"
        return True

    def _after(self, char: str) -> Step:
        if char in ",\uff0c":
            self._state = self._begin_member()
            return self._mark()
        if char in "}])":
            return self._close(char)
        if self._comma_was_forgotten(char):
            self.notes["a missing comma was added"] = None
            return self._begin_member()(self, char)
        return self._other(char)

    def _begin_member(self) -> _State:
        members: dict[str, _State] = {"object": Parser._key, "call": Parser._argument}
        return members.get(self.frames[-1].kind, Parser._value)

    def _comma_was_forgotten(self, char: str) -> bool:
        kind = self.frames[-1].kind
        if char in "`<":  # which more likely begin what ends the envelope
            return False
        if kind == "object":
            bare = self.frames[-1].bare_keys and self.line_breaks > 0 and char.isalpha()
            return char in QUOTE_STARTS or bare
        return kind == "array" and (char in QUOTE_STARTS if self.tail == "string" else char == "{")

    def _other(self, char: str) -> Waiting[None]:
        if char in "/#" and (yield from frames.skip_comment(self._window)):
            self.notes["comments were left out"] = None
            return
        self.failed = f"unexpected {char!r}"

    def _mark(self) -> Step:
        self._window.pos += 1
        self.tail = "mark"
        self.line_breaks = 0
        return None

    def _open(self, kind: frames.ContainerKind) -> Step:
        self._mark()
        if len(self.frames) >= MAX_DEPTH:
            self.failed = f"it is nested deeper than {MAX_DEPTH} levels"
        else:
            self._push(frames.Frame(kind))
        return None

    def _push(self, frame: frames.Frame) -> None:
        if self.frames:
            self.frames[-1].add(frame.items)
        else:
            self.root = frame.items
            self._watched_depth = 2 if frame.kind == "array" else 1
        self.frames.append(frame)
        self.tail = "mark"
        self._state = self._begin_member()

    def _brace_for_key(self) -> Step:
        frame = self.frames[-1]
        if not frame.items and not frame.extra:  # sample doubled-braces
            frame.extra = 1
            self.notes["doubled braces were read as one"] = None
            return self._mark()
        if any(outer.closer == "]" for outer in self.frames):  # sample missing-closer-in-list
            self._close_down_to("]")
            self._state = Parser._value
        else:
            self.failed = "unexpected '{'"
        return None

    def _close(self, char: str) -> Step:
        frame = self.frames[-1]
        if self.tail == "mark" and frame.items:
            self.notes["a trailing comma was left out"] = None
        self._mark()
        if frame.closer == char and frame.extra:
            frame.extra -= 1
            self.tail = "container"
            self._state = Parser._after
        elif frame.closer == char:
            self._pop()
        elif not frame.items:
            self.failed = f"unexpected {char!r}"
        else:
            return self._mismatch(char)
        return None

    def _mismatch(self, char: str) -> Waiting[None]:
        """A closer that does not fit: others are missing before it, or it is one too many."""
        self.implied = True
        fits_outside = any(frame.closer == char for frame in self.frames)
        if not fits_outside or (yield from self._goes_on_inside()):  # sample stray-closer
            self.notes["a stray closing bracket was left out"] = None
            self.tail = "container"
            self._state = Parser._after
        else:  # sample missing-inner-closer
            self._close_down_to(char)
            self._pop()

    def _goes_on_inside(self) -> Waiting[bool]:

        def goes_on(ahead: str, final: bool) -> bool | None:
            rest = ahead.lstrip()
            comma = rest.startswith(",")
            member = frames.member_follows(rest[comma:], final=final)
            self.doubtful |= rest[comma:].lstrip().startswith(("/", "#"))
            if member is None or self.frames[-1].keyed:
                return member
            return comma and not member

        return self._window.ask(frames.LOOKAHEAD, goes_on)

    def _close_down_to(self, closer: str) -> None:
        self.implied = True
        self.notes["a missing closing bracket was added"] = None
        while self.frames[-1].closer != closer:
            self._pop()

    def _pop(self) -> None:
        done = self.frames.pop()
        self._repeated = done.repeated or self._repeated
        self.tail = "container"
        if not self.frames:
            self.closed = True
            return
        if done.kind == "object" and len(self.frames) <= 2 and self.frames[-1].kind == "array":
            self._listener.element(done.items)
        self._end_member(done.items)

    def _add(self, value: Any, tail: Tail) -> None:
        self.tail = tail
        self.line_breaks = 0
        if not self.frames:
            self.root = value
            self.closed = True
            return
        self.frames[-1].add(value)
        self._end_member(value)

    def _end_member(self, value: Any) -> None:
        self._state = Parser._after
        key = self.frames[-1].key
        is_watched = len(self.frames) == self._watched_depth
        if key is not None and is_watched and not self._listener.member(key, value):
            self._let_go()

    def _let_go(self) -> None:
        self._listener = Listener()
        self._window.flowing = True

    def _set_key(self, key: str) -> None:
        is_watched = len(self.frames) == self._watched_depth
        self.frames[-1].key = key = self._listener.own_keys.get(key, key) if is_watched else key
        self.tail = "mark"
        self._state = Parser._colon
        if is_watched and not self._listener.key(key):
            self._let_go()

    def _bare_key(self) -> Waiting[None]:
        key = yield from self._window.run(_TOKEN)
        key += yield from self._window.skip(_SPACED_KEY)
        self.frames[-1].bare_keys = True
        self.notes[_BARE_KEYS] = None
        self._set_key(key)

    def _named_argument(self) -> Waiting[None]:
        word = yield from self._window.run(_TOKEN)
        char = yield from self._window.peek()
        if word in PREFIXES and char and char in "\"'":
            yield from self._any_string(char, prefix=word)
            return
        space = yield from self._window.run(SPACE)
        char = yield from self._window.peek()
        if char and char in "=:":
            self.frames[-1].key = word
            self._state = Parser._value
            self._mark()
        else:
            self._add_token(word)
            self.line_breaks = space.count("\n")

    def _unpacked(self) -> Waiting[None]:
        stars = self.frames[-1].key = yield from self._window.run(_STARS)
        self.tail = "mark"
        self._state = Parser._value
        if stars != "**":
            self.failed = "unexpected '*'"

    def _raw(self) -> Waiting[None]:
        """A text without quotes, up to the next argument or the call's end.

        Sample gemma-raw-text.
        """
        parts: list[str] = []
        while True:
            parts.append((yield from self._window.until(_RAW_STOP)))
            if (yield from self._window.ask(frames.LOOKAHEAD, self._raw_ends)):
                break
            parts.append(self._window.text[self._window.pos])
            self._window.pos += 1
        text = "".join(parts).rstrip()
        self.doubtful |= any(quote in text for quote in TOKENS)  # sample gemma-token-lost
        self._add(None if text == "null" else text, "number")

    def _raw_ends(self, ahead: str, final: bool) -> bool | None:
        rest = ahead[1:].lstrip()
        if ahead[:1] != ",":
            return rest[:1] in ("", "<") if rest or final else None
        found = _RAW_KEY.match(rest)
        if found and found[2]:
            return found[1] in self._keys
        return None if found and not final and found.end() == len(rest) else False

    def _scalar(self) -> Step:
        window = self._window
        found = _TOKEN.match(window.text, window.pos)
        if found and found.end() < len(window.text) and found[0] not in PREFIXES:
            window.pos = found.end()
            self._add_token(found[0])
            return None
        return self._slow_scalar()

    def _slow_scalar(self) -> Waiting[None]:
        """One that the window cuts, or that may be the prefix of a string."""
        token = yield from self._window.run(_TOKEN)
        char = yield from self._window.peek()
        if token in PREFIXES and char and char in "\"'":
            yield from self._any_string(char, prefix=token)
        else:
            self._add_token(token)

    def _add_token(self, token: str) -> None:
        value = frames.read_scalar(token)
        if isinstance(value, frames.BareWord):
            self.bare_words.append(value)
        # More text could have prolonged it.
        is_open = isinstance(value, (frames.BareWord, int, float)) and not isinstance(value, bool)
        self._add(value, "number" if is_open else "literal")

    def _string(self, char: str, *, key: bool = False) -> Step:
        plain = char == '"' and self.frames
        found = _PLAIN.match(self._window.text, self._window.pos) if plain else None
        if found is None or not (found[2] in ",:" or found[2] == self.frames[-1].closer):
            return self._any_string(char, key=key)
        self._window.pos = found.end(1) + 1
        if key:
            self._set_key(found[1])
        else:
            self._add(found[1], "string")
        return None

    def _any_string(self, char: str, *, key: bool = False, prefix: str = "") -> Waiting[None]:
        follow = None if key or prefix else self._follower
        string = StringReader(self._window, self.frames, self._keys, follow)
        is_watched = len(self.frames) == self._watched_depth
        is_name = key or (is_watched and self._listener.names_tool(self.frames[-1].key or ""))
        if not (yield from string.read(is_name=is_name)):
            self.failed = f"unexpected {char!r}"
            return
        listed = bool(self.frames) and not self.frames[-1].keyed
        self.doubtful |= string.body.doubtful or string.body.swallowed(self._keys, listed=listed)
        if string.body.inner:
            self.notes["quotes inside a string were taken as text"] = None
        text = string.decoded(prefix, python=bool(self.frames) and self.frames[0].kind == "call")
        if not string.closed:
            self.partial = text
            self.tail = "mark"
        elif key:
            self._set_key(text)
        elif prefix in ("f", "F") and "{" in text:
            self.failed = "an f-string is not a value"
        else:
            self._add(text, "string")

    def _follower(self, quote: str) -> LongText | None:
        """The object that streams a string argument, if nothing before it was repaired."""
        # Models that write those never quote a key.
        own = {_BARE_KEYS} if quote in TOKENS else set()
        if self.notes.keys() - own or self.implied or self.doubtful or self.bare_words:
            return None
        return self._listener.long_text(self.frames, quote)
