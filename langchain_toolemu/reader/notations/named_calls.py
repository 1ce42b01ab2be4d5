"""Calls that begin with the name, inside an envelope.

`f(a=1)`, `f {"a": 1}`, `f` with GLM's pairs, `functions.f:0`.
"""

import re
from dataclasses import dataclass, replace

import regex

from langchain_toolemu.reader import vocabulary as words
from langchain_toolemu.reader.call_arguments import found_call
from langchain_toolemu.reader.call_shapes import Named, find_calls
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.literals.texts import read_yaml, typed_yaml
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.notations.element_texts import begins_call
from langchain_toolemu.reader.notations.elements import OPEN_KEY, ElementCall
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.python_calls import PythonCall
from langchain_toolemu.reader.tags import MAYBE_TAG, Tag, TagSet, skip_fence
from langchain_toolemu.reader.vocabulary import fold
from langchain_toolemu.reader.window import SPACE, Waiting

_LOOKAHEAD = 256
_TWO_ENDS = "its closing tag can be read in two ways"
_ID = re.compile(r"[\w-]+")
_MAYBE_CLOSER = re.compile(f"{MAYBE_TAG}|\\[(?=[/A-Z]|\\Z)|\n")
_YAML_ENDS = ("\n", '"', "'", "]", "}")  # an end anywhere else may be in the middle of a word
_GAP = re.compile(r"[\s>]+")  # sample glm-five-flash
_MORE_WORDS = re.compile(r"[\w.\\ -]+")
PRINT = "print"
_NOISE = frozenset({"function", "json", "call"})
_TAGS = TagSet(words.EVERY)
_CLOSING_FENCE = regex.compile(r"\s*(?:```|~~~)")


def may_be_called(context: Context, envelope: outcome.Envelope, written: str) -> bool:
    """Whether a name can be a tool's: in an explicit envelope, any but `print`."""
    return (envelope.explicit and written != PRINT) or context.resolve(written) is not None


@dataclass(eq=False)
class NamedCall(outcome.Notation):
    """Reads a call inside an envelope from its name on."""

    _first: bool  # whether an opening tag comes before it, so that it may be YAML
    _opened: set[str]  # the words of the tags around it
    _indent: str  # the white space before it on its line
    _passed_closer: bool = False
    _fenced: bool = False
    _doubtful: bool = False
    _named_later: bool = False  # an id came first

    def read(self) -> Waiting[outcome.Outcome]:
        """Consume the call."""
        written = yield from self._window.run(words.WIDE_NAME)
        space = yield from self._window.run(SPACE)
        is_key = written.endswith(":") and fold(written[:-1]) in words.YAML_KEYS
        if self._first and (written == "-" or is_key):
            return (yield from self._yaml(written + space))
        written = written.removeprefix("call:").rstrip(":")
        char = yield from self._past_separators()
        if (written in _NOISE or self._named_later) and (char.isalpha() or char == "_"):
            written = yield from self._window.run(words.WIDE_NAME)
            char = yield from self._past_separators()
        if space == " " and self._context.tools.resolve_whole(written) is None and char.isalpha():
            more = yield from self._window.run(_MORE_WORDS)  # sample space-in-name
            written = f"{written} {more.strip()}"
            char = yield from self._past_separators()
            if self._context.resolve(written) is None:
                return outcome.NOT_A_CALL
        if char == "(" and written == PRINT and self._envelope.prints:
            return (yield from self._printed())
        return (yield from self._arguments(written, char))

    def _printed(self) -> Waiting[outcome.Outcome]:
        """`print(f(a=1))`, as Gemma writes a call: nothing else may be printed. Sample print."""
        self._window.pos += 1
        yield from self._window.run(SPACE)
        written = yield from self._window.run(words.WIDE_NAME)
        char = yield from self._window.peek()
        if char != "(" or self._context.resolve(written) is None:
            return outcome.NOT_A_CALL
        return (yield from self._python(written, printed=True))

    def _python(self, written: str, *, printed: bool = False) -> Waiting[outcome.Outcome]:
        call = PythonCall(self._context, self._window, written, self._envelope)
        yield from call.read()
        char = (yield from self._window.past_space()) if printed else ""
        self._window.pos += char == ")"
        if call.found and printed and char != ")":
            return outcome.Bad("unreadable", "more than the call is printed", call.name)
        if call.found:
            return outcome.Calls([call.found], call.notes)
        if call.cut:
            return outcome.Bad("cut", outcome.CUT, call.name)
        return outcome.Bad("unreadable", outcome.COMPUTED, call.name)

    def _past_separators(self) -> Waiting[str]:
        """Consume what may come between a name and its arguments; the character after it."""
        while True:
            yield from self._window.run(_GAP)
            char = yield from self._window.peek()
            if self._closes_fence(char):
                return char
            if char and char in "`~" and (yield from skip_fence(self._window)):
                self._fenced = True
                continue
            tag = (yield from _TAGS.peek(self._window)) if char and char in "<[&" else None
            if tag is None or tag.word not in words.SEPARATOR or tag.closing:
                return char
            self._window.pos += len(tag.raw)
            self._named_later = self._named_later or tag.word == "toolcallname"
            if tag.word in words.BEFORE_ID:  # sample mistral-call-id
                yield from self._window.run(_ID)

    def _closes_fence(self, char: str) -> bool:
        """Whether the marks that come next end the fence around the call. Sample name-in-fence."""
        return bool(char) and char in "`~" and bool(self._context.open_fence)

    def _arguments(self, written: str, char: str) -> Waiting[outcome.Outcome]:
        if not may_be_called(self._context, self._envelope, written):
            return outcome.NOT_A_CALL
        if char == "{":
            return (yield from self._object(written))
        if char == "(":
            return (yield from self._python(written))
        if char and (char in "<&]" or (yield from self._window.expect(OPEN_KEY))):
            return (yield from self._elements(written))
        if self._closes_fence(char):
            return self._alone(written)
        at_end = not char or self._context.reach_cut()
        spec = self._context.resolve(written)
        if not at_end or (spec is None and not self._context.cut):
            return outcome.NOT_A_CALL
        return outcome.Bad("cut", outcome.CUT, spec.name if spec else written)

    def _object(self, written: str) -> Waiting[outcome.Outcome]:
        """A name and an object, which may be in a fence of its own. Sample deepseek-fences."""
        among = self._context.tools.specs if written.isdigit() else ()
        named = Named(written, certain=True, among=among)
        reading = yield from ObjectReader(self._context, self._envelope, named).read()
        if self._fenced:
            yield from self._window.skip(_CLOSING_FENCE)
        return reading

    def _elements(self, written: str) -> Waiting[outcome.Outcome]:
        tag = yield from _TAGS.peek(self._window)
        if tag and written in _NOISE and begins_call(tag):  # Step-3
            written = tag.value or written
            self._window.pos += len(tag.raw)
            return (yield from ElementCall(self._context, self._envelope, written, tag).read())
        if tag is None or not tag.closing:
            return (yield from ElementCall(self._context, self._envelope, written).read())
        return self._alone(written)

    def _alone(self, written: str) -> outcome.Outcome:
        """A name and nothing else, as `<tool_call>get_time</tool_call>`."""
        spec = self._context.resolve(written)
        if spec is None:
            return outcome.NOT_A_CALL
        return outcome.Calls([found_call(written, spec, {}, bare_name=True)])

    def _yaml(self, start: str) -> Waiting[outcome.Outcome]:
        text = self._indent + start + (yield from self._until_closer())
        root, fault = read_yaml(text)
        stated = find_calls(root, self._context.resolve)
        typed = [typed_yaml(call.args, call.spec) if call.spec else call.args for call in stated]
        found = [replace(call, args=args) for call, args in zip(stated, typed, strict=True)]
        if not self._envelope.explicit and not all(call.spec and call.meant for call in found):
            return outcome.NOT_A_CALL  # a file like any other
        ended = self._window.ended and self._window.exhausted
        named = next((call.spec.name for call in found if call.spec), None)
        if self._doubtful:
            fault = fault or _TWO_ENDS
        if fault or not found:
            meant = named or (self._envelope.explicit and not ended and not start.startswith("-"))
            bad = outcome.Bad("cut" if ended else "unreadable", fault or outcome.NAMELESS, named)
            return bad if meant else outcome.NOT_A_CALL
        # A body without the closer of its envelope may not be whole, or may hold one.
        is_value = not self._envelope.explicit and ": " in text.rpartition("\n")[2]
        ends = is_value or text.rstrip(" \t").endswith(_YAML_ENDS)
        whole = ends and not any(call.lacks for call in found)
        if ended and (self._context.cut or self._passed_closer or not whole):
            return outcome.Bad("cut", outcome.CUT, named or found[0].written)
        return outcome.Calls(found)

    def _until_closer(self) -> Waiting[str]:
        """Consume a body; its text, with the last line break, which a block's text ends with."""
        parts: list[str] = []
        at_line_start = False
        while True:
            text = yield from self._window.until(_MAYBE_CLOSER)
            char = yield from self._window.peek()
            parts.append(text)
            outside = at_line_start and not text.strip() and len(text) <= len(self._indent)
            if not char or (char != "\n" and (yield from self._closes(outside))):
                return "".join(parts)
            parts.append(char)
            self._window.pos += 1
            at_line_start = char == "\n"
            at_fence = at_line_start and (yield from self._window.peek()) in ("`", "~")
            if at_fence and (yield from self._window.expect(_CLOSING_FENCE, 3)):
                return "".join(parts)

    def _closes(self, outside: bool) -> Waiting[bool]:
        """Whether a closing tag comes here; inside the body only the envelope's own."""
        tag = yield from _TAGS.peek(self._window)
        if tag is None or not (tag.closing or tag.word in words.CLOSE):
            return False
        closes = outside or tag.word in words.CLOSE | self._opened
        if closes and (outside or (yield from self._ends_body(tag))):
            return True
        self._passed_closer = self._passed_closer or tag.word in words.ENVELOPES
        return False

    def _ends_body(self, tag: Tag) -> Waiting[bool]:
        """Whether nothing of the body follows a tag: nothing on its line, nor indented below it."""

        def behind(ahead: str, final: bool) -> str | None:
            rest = ahead[len(tag.raw) :]
            return rest if final or not tag.raw.startswith(rest.lstrip()) else None

        rest = yield from self._window.ask(_LOOKAHEAD, behind)
        after = rest.lstrip()
        self._doubtful = self._doubtful or after.startswith(tag.raw)
        _, newline, indent = rest[: len(rest) - len(after)].rpartition("\n")
        if newline:
            return not after or len(indent) <= len(self._indent)
        return not after or after[0] in "<[&"
