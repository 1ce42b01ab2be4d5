"""Fences: code blocks that hold calls, and code blocks that are a program or documentation.

The rule of this room: a block is read for calls only if it begins with one. A block of Python must
hold nothing but calls; any other block goes out as text, unsearched, to its closing fence.
"""

import re

from langchain_toolemu.reader.asides import pass_rest
from langchain_toolemu.reader.bodies import Body
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import Waiting
from langchain_toolemu.reader.items import Envelope
from langchain_toolemu.reader.python_blocks import PythonBlock
from langchain_toolemu.reader.tag_words import OPEN, RESULT
from langchain_toolemu.reader.tags import word_of

_MARK = {"`": re.compile("`"), "~": re.compile("~")}
_MARKS = {"`": re.compile(r"`+"), "~": re.compile(r"~+")}
_INFO = re.compile(r"[^\n`{\[<(\"]+")
_PLAIN_INFO = re.compile(r"[ \t]*[\w+#.-]{0,30}(?:[ \t]+[\w+#.-]{1,30})?[ \t]*\Z")
_TO_LINE_END = re.compile(r"[^\n`]+")
_EXPLICIT = OPEN | {"action", "tool"}


def read_fence(context: Context) -> Waiting[None]:
    """Read what a run of backticks or tildes begins."""
    cursor = context.cursor
    at_line_start = cursor.at_line_start
    marks = yield from cursor.run(_MARKS[cursor.window[cursor.pos]])
    if len(marks) < 3:
        yield from _inline(context, marks)
        return
    info = yield from cursor.run(_INFO)
    if _closes_left_fence(context, marks, info):
        context.release()
        return
    if not (at_line_start or _PLAIN_INFO.match(info)):
        context.release()
        return
    if context.output.acted and word_of(info) in RESULT:
        yield from pass_rest(context)
        return
    explicit = any(word_of(word) in _EXPLICIT for word in info.split())
    block = Block(context, Envelope("fence", explicit=explicit), marks)
    if (context.explicit_only and not explicit) or not (yield from block.read()):
        context.release()
        context.open_fence = ""
        yield from _pass_block(context, marks)


def _closes_left_fence(context: Context, marks: str, info: str) -> bool:
    """Whether these marks end a fence whose calls were read, but which held more than calls."""
    left, context.open_fence = context.open_fence, ""
    return bool(left) and marks.startswith(left) and not info.strip()


def _inline(context: Context, marks: str) -> Waiting[None]:
    """Code in a line of prose: an object counts, a Python call only if the line is its own."""
    cursor = context.cursor
    char = yield from cursor.peek()
    if char and char in "{[" and marks[0] == "`" and not context.explicit_only:
        yield from Block(context, Envelope("json", explicit=False), marks).read()
    context.release()


class Block(Body):
    """The body of a fence."""

    def __init__(self, context: Context, envelope: Envelope, marks: str) -> None:
        super().__init__(context, envelope)
        self._closing = marks
        self._depth = 1  # the fence itself
        context.open_fence = marks if len(marks) > 2 else ""

    def _fence(self) -> Waiting[bool]:
        self._context.open_fence = ""
        yield from self._cursor.run(_MARKS[self._closing[0]])
        return False

    def _value(self, char: str) -> Waiting[bool]:
        if self._envelope.explicit or char in "{[<&":
            return (yield from super()._value(char))
        return (yield from PythonBlock(self._context, self._envelope, self._closing).read())


def _pass_block(context: Context, marks: str) -> Waiting[None]:
    """Let a block out as text, with the blocks inside it, up to its closing fence."""
    cursor = context.cursor
    depth = 1
    while depth:
        yield from cursor.until(_MARK[marks[0]])
        if cursor.exhausted:
            return
        context.flush()
        own_line = cursor.at_line_start
        run = yield from cursor.run(_MARKS[marks[0]])
        if len(run) >= len(marks) and own_line:
            info = yield from cursor.run(_TO_LINE_END)
            depth += 1 if info.strip() else -1
