"""What stands between an envelope's opener and its closer: one call after another."""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import Waiting
from langchain_toolemu.reader.items import Envelope, emit_bad
from langchain_toolemu.reader.objects import ObjectReader
from langchain_toolemu.reader.tags import KNOWN, peek_tag, prefixes_of

_SPACE = re.compile(r"[\s,;]+")
_FENCE = re.compile(r"[`~]+\w*")
_PREFIXES = prefixes_of(KNOWN)


def read_body(context: Context, envelope: Envelope) -> Waiting[None]:
    """Read calls until the envelope closes, the reply ends, or something else comes."""
    cursor = context.cursor
    calls = 0
    while True:
        yield from cursor.run(_SPACE)
        char = yield from cursor.peek()
        if char and char in "{[":
            if not (yield from ObjectReader(context, envelope).read()):
                return
            cursor.flowing = False
            calls += 1
        elif char and char in "`~":
            yield from cursor.run(_FENCE)
        elif char and char in "<&":
            tag = yield from peek_tag(cursor, KNOWN, _PREFIXES)
            if tag is None:
                break
            cursor.pos += len(tag.raw)
            if tag.closes:
                break
        else:
            break
    _leave(context, envelope, calls)


def _leave(context: Context, envelope: Envelope, calls: int) -> None:
    raw = context.cursor.take()
    if calls:
        if raw.strip() and not context.output.extend(raw):
            context.output.text("")
        return
    if envelope.explicit and context.cursor.exhausted and context.cut:
        emit_bad(context, envelope, "cut", "the reply ended inside it", raw=raw)
        return
    context.output.text(raw)
