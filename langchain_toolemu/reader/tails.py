"""What may still follow a call that stood in the open: half of an envelope it never had.

The rule of this room: a closer without an opener belongs to the call before it; the end of thoughts
that were never opened makes a thought of it.
"""

import re

from langchain_toolemu.reader.asides import ends_aside
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.tag_words import ASIDE, CLOSE, OPEN, WEAK
from langchain_toolemu.reader.tags import TagSet
from langchain_toolemu.reader.window import SPACE, Waiting

_STRAY = re.compile(r"(?:`{3,}\s*\Z|JSON_END\b)")
_MAY_BE_STRAY = re.compile(r"(?:`+\s*|J(?:S(?:O(?:N(?:_(?:E(?:N(?:D)?)?)?)?)?)?)?)\Z")
_TAGS = TagSet(OPEN | WEAK | CLOSE | ASIDE)
_LOOKAHEAD = 64


def read_tail(context: Context) -> Waiting[None]:
    """Consume a stray closer behind a call."""
    window = context.window
    window.flowing = False
    yield from window.run(SPACE)
    char = yield from window.peek()
    if char and char in "<[&":
        yield from _closing_tag(context)
    elif char and char in "`J":
        yield from _closing_mark(context)


def _closing_tag(context: Context) -> Waiting[None]:
    tag = yield from _TAGS.peek(context.window)
    if tag is None or not (ends_aside(tag) or tag.word in CLOSE):
        return
    if tag.word in ASIDE:  # sample unopened-think
        context.output.retract()
        return
    context.window.pos += len(tag.raw)
    context.output.extend(context.window.take())


def _closing_mark(context: Context) -> Waiting[None]:
    """A fence that ends the reply, or `JSON_END`."""
    window = context.window
    while True:
        ahead, certain = window.ahead(_LOOKAHEAD)
        found = _STRAY.match(ahead)
        if found and (window.ended or found.end() < len(ahead)):
            window.pos += len(found.group().rstrip())
            context.output.extend(window.take())
            return
        if certain or not (found or _MAY_BE_STRAY.match(ahead)):
            return
        yield
