"""Prose, and the places in it where a call may begin.

The rule of this room: one search per piece finds the next opener; what comes before it goes out at
once; what the opener begins is handed to the room that knows it, and comes back as calls or text.
"""

import re

from langchain_toolemu.reader.bodies import read_body
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import Waiting
from langchain_toolemu.reader.items import Envelope
from langchain_toolemu.reader.objects import ObjectReader
from langchain_toolemu.reader.tags import ASIDE, KNOWN, Tag, peek_tag, prefixes_of

_OPENER = re.compile(
    r"(?P<object>\{(?!\{\{|[^\s\"'“”„\u2018\u2019`&{}\w$/#]))"
    r"|(?P<array>\[(?![^\s{\"'\w\]]))"
    r"|(?P<tag><(?![^\w/|\uff5c]))|(?P<entity>&(?=l|\Z))"
    r"|(?P<fence>`(?![^`])|~(?![^~]))"
)
_EXPLICIT_OPENER = re.compile(
    r"(?P<array>\[(?![^A-Z]))|(?P<tag><(?![^\w/|\uff5c]))|(?P<entity>&(?=l|\Z))|(?P<fence>`(?![^`])|~(?![^~]))"
)
_PREFIXES = prefixes_of(KNOWN)


def scan(context: Context) -> Waiting[None]:
    """Read a whole reply."""
    cursor = context.cursor
    opener = _EXPLICIT_OPENER if context.explicit_only else _OPENER
    while True:
        found = None if context.output.full else opener.search(cursor.window, cursor.pos)
        cursor.pos = found.start() if found else len(cursor.window)
        if found:
            yield from _open(context, found.lastgroup or "")
        elif cursor.ended:
            context.flush()
            context.output.end()
            return
        else:
            yield


def _open(context: Context, kind: str) -> Waiting[None]:
    context.hold()
    match kind:
        case "object" | "array":
            yield from ObjectReader(context, Envelope("json", explicit=False)).read()
        case "tag" | "entity":
            yield from _tag(context)
        case _:
            yield from _fence(context)
    context.cursor.flowing = True
    context.output.settle()


def _tag(context: Context) -> Waiting[None]:
    tag = yield from peek_tag(context.cursor, KNOWN, _PREFIXES)
    if tag is None:
        context.cursor.pos += 1
        context.release()
        return
    context.cursor.pos += len(tag.raw)
    if tag.opens:
        yield from read_body(context, Envelope(tag.word, explicit=True))
    elif tag.word in ASIDE and not tag.closing:
        yield from _aside(context, tag)
    else:
        context.release()


def _aside(context: Context, tag: Tag) -> Waiting[None]:
    """Pass thoughts and made-up results through to their closing tag, unread."""
    cursor = context.cursor
    context.release()
    while True:
        end = cursor.window.find("<", cursor.pos)
        cursor.pos = end if end >= 0 else len(cursor.window)
        if end >= 0:
            closer = yield from peek_tag(cursor, {tag.word}, prefixes_of({tag.word}))
            cursor.pos += len(closer.raw) if closer else 1
            if closer and closer.closing:
                return
        elif cursor.ended:
            return
        else:
            yield


_INFO = re.compile(r"[`~]+[^\n`~{\[<]*\n?")


def _fence(context: Context) -> Waiting[None]:
    marks = yield from context.cursor.run(re.compile(r"[`~]+"))
    if len(marks) < 3:
        context.release()
        return
    info = yield from context.cursor.run(re.compile(r"[^\n`~{\[<]+"))
    explicit = "action" in info or "tool" in info
    if context.explicit_only and not explicit:
        context.release()
        return
    yield from read_body(context, Envelope("fence", explicit=explicit))
