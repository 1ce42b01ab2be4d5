"""Calls whose name stands first: `f(a=1)`, `f {"a": 1}`, `f` with GLM's pairs, `functions.f:0`.

The rule of this room: inside an envelope a name is enough to begin with. What it takes in the open
is said in `lines` and `python_blocks`.
"""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import BadCallReason
from langchain_toolemu.reader.faults import COMPUTED, CUT
from langchain_toolemu.reader.items import Envelope, emit_bad, emit_calls
from langchain_toolemu.reader.marks import skip_fence
from langchain_toolemu.reader.markup import MarkupCall
from langchain_toolemu.reader.objects import Named, ObjectReader
from langchain_toolemu.reader.python_calls import PythonCall
from langchain_toolemu.reader.shapes import found_call
from langchain_toolemu.reader.tag_words import BEFORE_ID, CLOSE, ENVELOPES, EVERY, SEPARATOR
from langchain_toolemu.reader.tags import Tag, TagSet
from langchain_toolemu.reader.vocabulary import YAML_KEYS, fold
from langchain_toolemu.reader.window import SPACE, Waiting
from langchain_toolemu.reader.yaml_bodies import find_yaml_calls

_NAME = re.compile(r"[\w.:/\\-]+")
_LOOKAHEAD = 256
_TWO_ENDS = "its closing tag can be read in two ways"
_ID = re.compile(r"[\w-]+")
_MAYBE_CLOSER = re.compile("<(?=[/|\uff5c]|\\Z)|\\[(?=/|\\Z)|&(?=l|\\Z)|\n")
_YAML_ENDS = ("\n", '"', "'", "]", "}")  # an end anywhere else may be in the middle of a word
_MORE_WORDS = re.compile(r"[\w.\\ -]+")
PRINT = "print"
_NOISE = frozenset({"function", "json", "call"})
_TAGS = TagSet(EVERY)


def _is_yaml_key(word: str) -> bool:
    return word.endswith(":") and fold(word[:-1]) in YAML_KEYS


def may_be_called(context: Context, envelope: Envelope, written: str) -> bool:
    """Whether a name can be a tool's: in an envelope that means calls, any but `print`."""
    if envelope.explicit and written != PRINT:
        return True
    return context.resolve(written) is not None


class NamedCall:
    """Reads a call inside an envelope from its name on.

    Args:
        context: The reply.
        envelope: What it stands in.
        first: Whether an opening tag stands before it, so that it may be YAML.
        opened: The words of the tags that are open around it.
        indent: The white space before it on its line.
    """

    def __init__(
        self, context: Context, envelope: Envelope, *, first: bool, opened: set[str], indent: str
    ) -> None:
        self._first = first
        self._closers = CLOSE | opened
        self._indent = indent
        self._passed_closer = False
        self._doubtful = False
        self._context = context
        self._window = context.window
        self._envelope = envelope

    def read(self) -> Waiting[bool]:
        """Consume the call; whether it was one, good or bad."""
        written = yield from self._window.run(_NAME)
        space = yield from self._window.run(SPACE)
        if self._first and (written == "-" or _is_yaml_key(written)):
            return (yield from self._yaml(written + space))
        written = written.removeprefix("call:").rstrip(":")
        char = yield from self._past_separators()
        if written in _NOISE and (char.isalpha() or char == "_"):
            written = yield from self._window.run(_NAME)
            char = yield from self._past_separators()
        if space == " " and self._context.resolve(written) is None and char.isalpha():
            more = yield from self._window.run(_MORE_WORDS)  # sample space-in-name
            written = f"{written} {more.strip()}"
            char = yield from self._past_separators()
            if self._context.resolve(written) is None:
                return self._release()
        if self._prints(written) and char == "(":
            return (yield from self._printed())
        return (yield from self._arguments(written, char))

    def _prints(self, written: str) -> bool:
        return written == PRINT and self._envelope.prints

    def _printed(self) -> Waiting[bool]:
        """`print(f(a=1))`, as Gemma writes a call: nothing else may be printed. Sample print."""
        self._window.pos += 1
        yield from self._window.run(SPACE)
        written = yield from self._window.run(_NAME)
        char = yield from self._window.peek()
        if char != "(" or self._context.resolve(written) is None:
            return self._release()
        call = PythonCall(self._context, self._window, written)
        yield from call.read()
        yield from self._window.run(SPACE)
        char = yield from self._window.peek()
        if call.found and char != ")":
            return self._bad("unreadable", "more than the call is printed", written)
        self._window.pos += char == ")"
        return self._settle(call, written)

    def _past_separators(self) -> Waiting[str]:
        """Consume what may stand between a name and its arguments; the character behind it."""
        while True:
            yield from self._window.run(SPACE)
            char = yield from self._window.peek()
            if self._closes_fence(char):
                return char
            if char and char in "`~" and (yield from skip_fence(self._window)):
                continue
            tag = (yield from self._peek()) if char and char in "<[&" else None
            if tag is None or tag.word not in SEPARATOR or tag.closing:
                return char
            self._window.pos += len(tag.raw)
            if tag.word in BEFORE_ID:  # sample mistral-call-id
                yield from self._window.run(_ID)

    def _closes_fence(self, char: str) -> bool:
        """Whether the marks that come next end the fence around the call. Sample name-in-fence."""
        return bool(char) and char in "`~" and bool(self._context.open_fence)

    def _peek(self) -> Waiting[Tag | None]:
        return (yield from _TAGS.peek(self._window))

    def _arguments(self, written: str, char: str) -> Waiting[bool]:
        if not may_be_called(self._context, self._envelope, written):
            return self._release()
        if char == "{":
            named = Named(written, certain=True)
            return (yield from ObjectReader(self._context, self._envelope, named).read())
        if char == "(":
            return (yield from self._python(written))
        if char and char in "<&":
            tag = yield from self._peek()
            if tag is None or not tag.closing:
                return (yield from MarkupCall(self._context, self._envelope, written).read())
            return self._alone(written)
        if self._closes_fence(char):
            return self._alone(written)
        at_end = not char or self._context.reach_cut()
        return self._at_the_end(written) if at_end else self._release()

    def _python(self, written: str) -> Waiting[bool]:
        call = PythonCall(self._context, self._window, written)
        yield from call.read()
        return self._settle(call, written)

    def _settle(self, call: PythonCall, written: str) -> bool:
        if call.found:
            emit_calls(self._context, self._envelope, [call.found], call.notes)
            return True
        if call.cut:
            return self._bad("cut", CUT, written)
        return self._bad("unreadable", COMPUTED, written)

    def _alone(self, written: str) -> bool:
        """A name and nothing else, as `<tool_call>get_time</tool_call>`."""
        spec = self._context.resolve(written)
        if spec is None:
            return self._release()
        call = found_call(written, spec, {}, bare_name=True)
        emit_calls(self._context, self._envelope, [call])
        return True

    def _at_the_end(self, written: str) -> bool:
        if self._context.resolve(written) is None and not self._context.cut:
            return self._release()
        return self._bad("cut", CUT, written)

    def _bad(self, reason: BadCallReason, detail: str, written: str | None) -> bool:
        spec = self._context.resolve(written) if written else None
        name = spec.name if spec else written
        emit_bad(self._context, self._envelope, reason, detail, name=name)
        return True

    def _release(self) -> bool:
        self._context.release()
        return False

    def _yaml(self, start: str) -> Waiting[bool]:
        """Consume a YAML body up to the closer, which YAML itself has none of."""
        text = self._indent + start + (yield from self._until_closer())
        found, fault = find_yaml_calls(text, self._context.resolve)
        ended = self._window.ended and self._window.exhausted
        named = next((call.written for call in found if call.spec), None)
        if self._doubtful:
            fault = fault or _TWO_ENDS
        if fault or not found:
            meant = named or (self._envelope.explicit and not ended and not start.startswith("-"))
            if not meant:
                return self._release()
            return self._bad("cut" if ended else "unreadable", fault or "it names no tool", named)
        if ended and (self._is_unfinished(text) or any(call.lacks for call in found)):
            return self._bad("cut", CUT, found[0].written)
        emit_calls(self._context, self._envelope, found)
        return True

    def _is_unfinished(self, text: str) -> bool:
        """Whether a body without a closer may not be whole, or may hold one."""
        whole = text.rstrip(" \t").endswith(_YAML_ENDS)
        return self._context.cut or self._passed_closer or not whole

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
            if at_line_start and (yield from self._at_fence()):
                return "".join(parts)

    def _at_fence(self) -> Waiting[bool]:
        ahead, certain = self._window.ahead(3)
        while not certain and not ahead.strip("`~"):
            yield
            ahead, certain = self._window.ahead(3)
        return ahead in ("```", "~~~")

    def _closes(self, outside: bool) -> Waiting[bool]:
        """Whether a closing tag stands here: any outside of the body, inside only the envelope's own."""
        tag = yield from self._peek()
        if tag is None or not (tag.closing or tag.word in CLOSE):
            return False
        if outside or (tag.word in self._closers and (yield from self._ends_body(tag))):
            return True
        self._passed_closer = self._passed_closer or tag.word in ENVELOPES
        return False

    def _ends_body(self, tag: Tag) -> Waiting[bool]:
        """Whether nothing of the body follows a tag: nothing on its line, nor indented below it."""
        while True:
            ahead, certain = self._window.ahead(_LOOKAHEAD)
            rest = ahead[len(tag.raw) :]
            behind = rest.lstrip()
            if certain or (behind and not tag.raw.startswith(behind)):
                break
            yield
        self._doubtful = self._doubtful or behind.startswith(tag.raw)
        _, newline, indent = rest[: len(rest) - len(behind)].rpartition("\n")
        if newline:
            return not behind or len(indent) <= len(self._indent)
        return not behind or behind[0] in "<[&"
