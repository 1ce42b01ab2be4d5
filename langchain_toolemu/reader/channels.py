"""Channels, as gpt-oss writes them: `<|channel|>commentary to=functions.f<|message|>{...}<|call|>`.

The rule of this room: a message to a tool is a call, the analysis is a thought and never read, and
any other channel is the answer. Gemma's `<|channel>thought` ends with its line, and has no message.
"""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.faults import CUT
from langchain_toolemu.reader.items import Envelope, emit_bad
from langchain_toolemu.reader.objects import Named, ObjectReader
from langchain_toolemu.reader.tag_words import THOUGHT
from langchain_toolemu.reader.tags import TagSet
from langchain_toolemu.reader.window import SPACE, Waiting

_ENVELOPE = Envelope("channel", explicit=True)
_TAG = re.compile(r"<(?=[|c]|\Z)")
_RECIPIENT = re.compile(r"to=([\w.:-]+)")
_CHANNEL = re.compile(r"(?:.*<\|channel\|>)?\s*(\w*)")
_LONGEST_HEADER = 200
_HEADER_END = re.compile(r"<\|message\|>|\n")
_CLOSER = "<channel|>"
_ANALYSIS = "analysis"
_FIRST_OF_NEXT = re.compile("a")
_NEXT = ("assistantfinal", "assistantcommentary")
_END = TagSet({"call", "end", "start", "return", "channel"})


def read_channel(context: Context) -> Waiting[None]:
    """Read a message from behind its first tag."""
    header, end = yield from _header(context)
    recipient = _RECIPIENT.search(header)
    if recipient and end.strip():
        context.window.pos += len(header) + len(end)
        yield from _call(context, recipient.group(1))
    elif recipient and not end and context.cut and len(header) < _LONGEST_HEADER:
        context.window.pos += len(header)
        emit_bad(context, _ENVELOPE, "cut", CUT, name=_bound(context, recipient.group(1)))
    else:
        context.release()
        if end and _is_thought(header):
            yield from _pass_message(context)


def _header(context: Context) -> Waiting[tuple[str, str]]:
    """What stands before the message, not consumed, and what ends it; nothing if it is too long, or never ends."""
    while True:
        ahead, certain = context.window.ahead(_LONGEST_HEADER)
        found = _HEADER_END.search(ahead)
        if found or certain:
            return (ahead[: found.start()], found.group()) if found else (ahead, "")
        yield


def _is_thought(header: str) -> bool:
    found = _CHANNEL.match(header)
    return found is not None and found.group(1) in THOUGHT


def _bound(context: Context, written: str) -> str:
    spec = context.resolve(written)
    return spec.name if spec else written


def _call(context: Context, written: str) -> Waiting[None]:
    window = context.window
    yield from window.run(SPACE)
    char = yield from window.peek()
    if char != "{":
        context.release()
        return
    yield from ObjectReader(context, _ENVELOPE, Named(written, certain=True)).read()
    tag = yield from _END.peek(window)
    if tag and tag.word == "call":
        window.pos += len(tag.raw)
        context.output.extend(window.take())


def _pass_message(context: Context) -> Waiting[None]:
    """Let a thought out as text, up to the tag that ends it."""
    window = context.window
    while True:
        yield from window.until(_TAG)
        tag = yield from _END.peek(window)
        if window.exhausted or (tag and tag.raw.startswith("<|")):
            return
        if tag and tag.raw == _CLOSER:
            window.pos += len(_CLOSER)
            return
        window.pos += 1


def pass_stripped_analysis(context: Context) -> Waiting[None]:
    """Let a thought out that the server took the tags from: `analysisThe user wants…assistantfinal`."""
    window = context.window
    size = len(_ANALYSIS) + 1
    ahead, certain = window.ahead(size)
    while not certain and _ANALYSIS.startswith(ahead):
        yield
        ahead, certain = window.ahead(size)
    # No word begins like this: the first of the thought is written right behind the channel's name.
    found = ahead.startswith(_ANALYSIS) and ahead[-1].isupper()
    while found and not window.exhausted:
        yield from window.until(_FIRST_OF_NEXT)
        found = not (yield from _next_begins(context))
        window.pos += not window.exhausted


def _next_begins(context: Context) -> Waiting[bool]:
    """Whether the name of another channel stands here, behind the role."""
    size = max(map(len, _NEXT))
    ahead, certain = context.window.ahead(size)
    while not certain and any(start.startswith(ahead) for start in _NEXT):
        yield
        ahead, certain = context.window.ahead(size)
    return ahead.startswith(_NEXT)
