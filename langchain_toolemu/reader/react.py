"""ReAct: `Action: f`, `Action Input: ...`, and the observation that a model must not make up.

The rule of this room: an action is a bound tool's name on a line of its own, followed by its input.
What comes after an observation the model wrote itself rests on nothing and is not read.
"""

import re
from collections.abc import Sequence

from langchain_toolemu.reader.asides import pass_rest
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import REST_OF_LINE, SPACE, Waiting
from langchain_toolemu.reader.faults import CUT
from langchain_toolemu.reader.items import Envelope, emit_bad, emit_calls
from langchain_toolemu.reader.objects import Named, ObjectReader
from langchain_toolemu.reader.python_calls import PythonCall, read_call_text
from langchain_toolemu.reader.shapes import Found, found_call
from langchain_toolemu.reader.tag_words import THOUGHT
from langchain_toolemu.reader.typed_text import read_keywords, read_whole
from langchain_toolemu.tools import ToolSpec

_ENVELOPE = Envelope("react", explicit=False)
HEADS = frozenset({"action", "tool", "function"})

_HEAD_WORDS = ("action:", "tool:", "toolname:", "function:", "functionname:")
_INPUT_WORDS = (
    *("actioninput:", "toolinput:", "input:", "arguments:", "args:", "parameters:", "params:"),
)
_HEAD = re.compile(
    r"\**(?:action|(?:tool|function)(?:[ _]name)?)(?: \d+)?\**[ \t]*:[ \t*]*", re.IGNORECASE
)
_INPUT = re.compile(
    r"\s*\**(?:(?:action|tool)[ _]input|input|arguments|args|parameters|params)(?: \d+)?\**"
    r"[ \t]*:[ \t*]*",
    re.IGNORECASE,
)
_DECORATION = re.compile(r"[\s*_\d]+")
_NAME = re.compile(r"[^\n({\[]+")
_FENCED = re.compile(r"(?:`{3,}|~{3,})[^\n]*\n(.*?)\n?(?:`{3,}|~{3,})\s*\Z", re.DOTALL)
_STOP = re.compile(
    rf"\n[ \t]*(?:\**(?:observation|thought|action|final answer)|</(?:{'|'.join(sorted(THOUGHT))}))\b",
    re.IGNORECASE,
)
_LONGEST_STOP = 32
_LINE_END = re.compile(r"\n")
_OBSERVATION = re.compile(r"\**observation(?: \d+)?\**[ \t]*:", re.IGNORECASE)
_KEYWORDS = re.compile(r"\w+\s*=[^=]")
_LOOKAHEAD = 256


class React:
    """Reads one action with its input."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._cursor = context.cursor

    def read(self) -> Waiting[bool]:
        """Consume the action; whether it was one of a bound tool."""
        head = yield from self._expect(_HEAD, _HEAD_WORDS)
        if not head:
            return False
        written = yield from self._cursor.run(_NAME)
        written = written.strip(" \t`'\"*")
        spec = self._context.resolve(written)
        if spec is None:
            return False
        if "action" not in head.lower():
            return (yield from self._labelled(written))
        return (yield from self._act(written, spec))

    def _act(self, written: str, spec: ToolSpec) -> Waiting[bool]:
        char = yield from self._cursor.peek()
        if char == "(":
            return (yield from self._python(written))
        if char == "[":
            return (yield from self._in_brackets(written, spec))
        if (yield from self._expect(_INPUT, _INPUT_WORDS)):
            return (yield from self._input(written, spec))
        return not spec.required and self._emit(found_call(written, spec, {}))

    def _labelled(self, written: str) -> Waiting[bool]:
        """`Tool: f` and `Input: {...}`: other labels, which count before an object only."""
        if not (yield from self._expect(_INPUT, _INPUT_WORDS)):  # sample labels
            return False
        yield from self._cursor.run(SPACE)
        char = yield from self._cursor.peek()
        if char != "{":
            return False
        named = Named(written, certain=False)
        return (yield from ObjectReader(self._context, _ENVELOPE, named).read())

    def _in_brackets(self, written: str, spec: ToolSpec) -> Waiting[bool]:
        """`Action: search[cheap flights]`. Sample react-brackets."""
        text = (yield from self._cursor.run(REST_OF_LINE)).rstrip()
        return text.endswith("]") and self._emit(found_call(written, spec, text[1:-1]))

    def _expect(self, head: re.Pattern[str], words: Sequence[str]) -> Waiting[str]:
        """Consume a heading; nothing if it is not there."""
        while True:
            ahead, certain = self._cursor.ahead(_LOOKAHEAD)
            found = head.match(ahead)
            if found and (certain or found.end() < len(ahead)):
                self._cursor.pos += found.end()
                return found.group()
            begun = _DECORATION.sub("", ahead).lower()
            if certain or not any(word.startswith(begun) for word in words):
                return ""
            yield

    def _input(self, written: str, spec: ToolSpec) -> Waiting[bool]:
        yield from self._cursor.run(SPACE)
        char = yield from self._cursor.peek()
        if char == "{":
            named = Named(written, certain=True)
            return (yield from ObjectReader(self._context, _ENVELOPE, named).read())
        text = yield from self._text()
        if self._context.cut and self._cursor.ended and self._cursor.exhausted:
            emit_bad(self._context, _ENVELOPE, "cut", CUT, name=spec.name)
            return True
        return self._emit(self._found(written, spec, text.strip()))

    def _python(self, written: str) -> Waiting[bool]:
        call = PythonCall(self._context, self._cursor, written)
        yield from call.read()
        if call.found:
            return self._emit(call.found)
        if call.fault:
            emit_bad(self._context, _ENVELOPE, call.reason, call.fault, name=written)
        return bool(call.fault)

    def _emit(self, found: Found) -> bool:
        emit_calls(self._context, _ENVELOPE, [found])
        return True

    def _found(self, written: str, spec: ToolSpec, text: str) -> Found:
        """The call with an input that is no object: the only argument, or `a=1, b=2`."""
        if fenced := _FENCED.match(text):
            text = fenced.group(1)
        if _KEYWORDS.match(text):
            call = read_call_text(self._context, f"{spec.name}({text})")
            if call is not None and set(call.args) <= set(spec.properties):
                return call
        value = read_whole(text)
        given = value if isinstance(value, (str, dict)) else read_keywords(text, spec) or text
        return found_call(written, spec, given)

    def _text(self) -> Waiting[str]:
        """Consume an input of several lines, up to the next heading."""
        cursor = self._cursor
        parts: list[str] = []
        while True:
            found = _STOP.search(cursor.window, cursor.pos)
            if found and (cursor.ended or found.end() < len(cursor.window)):
                end = found.start()
            elif cursor.ended:
                end = len(cursor.window)
            else:
                kept = cursor.window.rfind(
                    "\n", max(cursor.pos, len(cursor.window) - _LONGEST_STOP)
                )
                end = kept if kept >= 0 else len(cursor.window)
            parts.append(cursor.window[cursor.pos : end])
            cursor.pos = end
            if cursor.ended or (found and end == found.start()):
                return "".join(parts)
            yield


def pass_made_up(context: Context) -> Waiting[None]:
    """Let an observation out as text: its line, or behind a call everything to the end."""
    context.release()
    line = yield from context.cursor.until(_LINE_END)
    if context.output.acted and _OBSERVATION.match(line):
        yield from pass_rest(context)
