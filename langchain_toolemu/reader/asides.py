"""What is not the model's answer: its thoughts, tool results and turns it made up. Passed on, never read.

The rules of this room: any closer of a thought ends it, whatever it opened with. The end of a thought that was never
opened makes thoughts of all calls before it. What follows a result that the model made up behind a call, or a turn of
somebody else, rests on nothing.
"""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.tag_words import (
    AUTHOR,
    RESULT,
    RESULT_END,
    THOUGHT,
    THOUGHT_END,
    THOUGHTS,
)
from langchain_toolemu.reader.tags import Tag, TagSet, word_of
from langchain_toolemu.reader.window import Waiting

_MAYBE_TAG = re.compile("<(?=[/|\uff5c]|\\Z)|&(?=l|\\Z)|\\[(?=/|\\Z)|\u25c1(?=/|\\Z)")
_THOUGHT_CLOSERS = TagSet(THOUGHT | THOUGHT_END)
_RESULT_CLOSERS = TagSet(RESULT | RESULT_END)
_QUOTES = frozenset("`\"'")
_NOTHING = re.compile(r"(?!)")
_ROLE = re.compile(r"[ \t]*([\w-]*)")
_LONGEST_ROLE = 32


def ends_aside(tag: Tag) -> bool:
    """Whether a tag of an aside is its last."""
    return tag.closing or tag.word in THOUGHT_END | RESULT_END


def pass_aside(context: Context, tag: Tag) -> Waiting[None]:
    """Let everything out as text, to the closing tag or the end."""
    is_thought = tag.word in THOUGHTS
    context.release()
    if context.output.acted and not is_thought:
        yield from pass_rest(context)
    elif not tag.empty:
        yield from _pass_to(context, _THOUGHT_CLOSERS if is_thought else _RESULT_CLOSERS)
        _begin_line(context)


def _pass_to(context: Context, closers: TagSet) -> Waiting[None]:
    window = context.window
    while True:
        yield from window.until(_MAYBE_TAG)
        closer = yield from closers.peek(window)
        if window.exhausted:
            return
        window.pos += len(closer.raw) if closer else 1
        if closer and ends_aside(closer):
            return


def leave_aside(context: Context, tag: Tag) -> None:
    """Consume a closer without an opener; behind a quotation mark it is only spoken of."""
    if tag.word in THOUGHTS and context.output.last_char not in _QUOTES:
        context.output.disown()
        context.window.pos += len(tag.raw)
        _begin_line(context)
    else:
        context.window.pos += len(tag.raw)


def _begin_line(context: Context) -> None:
    """The answer begins here, whatever stands before it on the line."""
    context.flush()
    context.window.at_line_start = True
    context.output.end_line()


def pass_rest(context: Context) -> Waiting[None]:
    """Let all that is left out as text."""
    context.release()
    yield from context.window.until(_NOTHING)


def is_foreign_turn(context: Context) -> Waiting[bool]:
    """Whether the message that begins here is somebody else's."""
    while True:
        ahead, certain = context.window.ahead(_LONGEST_ROLE)
        found = _ROLE.match(ahead)
        if found and (certain or found.end() < len(ahead)):
            return word_of(found.group(1)) in AUTHOR
        yield
