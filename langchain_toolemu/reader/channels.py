"""Channels, as gpt-oss writes them: `<|channel|>commentary to=functions.f<|message|>{...}<|call|>`.

The rule of this room: a message to a tool is a call, the analysis is a thought and never read, and
any other channel is the answer.
"""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import SPACE, Waiting
from langchain_toolemu.reader.items import Envelope
from langchain_toolemu.reader.objects import Named, ObjectReader
from langchain_toolemu.reader.tags import TagSet

_ENVELOPE = Envelope("channel", explicit=True)
_TAG = re.compile(r"<(?=\||\Z)")
_RECIPIENT = re.compile(r"to=([\w.:-]+)")
_LONGEST_HEADER = 200
_HEADER = TagSet({"constrain", "message"})
_END = TagSet({"call", "end", "start", "return", "channel"})


def read_channel(context: Context) -> Waiting[None]:
    """Read a message from behind its first tag."""
    header = yield from _header(context)
    if header is None:
        context.release()
    elif found := _RECIPIENT.search(header):
        yield from _call(context, found.group(1))
    else:
        context.release()
        if header.strip().startswith("analysis"):
            yield from _pass_message(context)


def _header(context: Context) -> Waiting[str | None]:
    """Consume the header: what stands before the message, if there is one."""
    cursor = context.cursor
    header = ""
    while len(header) < _LONGEST_HEADER:
        header += yield from cursor.until(_TAG)
        tag = yield from _HEADER.peek(cursor)
        if tag and tag.word == "message":
            cursor.pos += len(tag.raw)
            return header
        taken = tag.raw if tag else (yield from cursor.peek())
        if not taken:
            break
        header += taken
        cursor.pos += len(taken)
    return None


def _call(context: Context, written: str) -> Waiting[None]:
    cursor = context.cursor
    yield from cursor.run(SPACE)
    char = yield from cursor.peek()
    if char != "{":
        context.release()
        return
    yield from ObjectReader(context, _ENVELOPE, Named(written, certain=True)).read()
    tag = yield from _END.peek(cursor)
    if tag and tag.word == "call":
        cursor.pos += len(tag.raw)
        context.output.extend(cursor.take())


def _pass_message(context: Context) -> Waiting[None]:
    """Let a thought out as text, up to the tag that ends it."""
    cursor = context.cursor
    while True:
        yield from cursor.until(_TAG)
        tag = yield from _END.peek(cursor)
        if tag or cursor.exhausted:
            return
        cursor.pos += 1
