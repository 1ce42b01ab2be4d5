"""What is not the model's answer: its thoughts, and tool results it made up. Passed on, never read."""

import re

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.cursor import Waiting
from langchain_toolemu.reader.tags import Tag, TagSet

_MAYBE_TAG = re.compile("<(?=[/|\uff5c]|\\Z)|&(?=l|\\Z)")


def pass_aside(context: Context, tag: Tag) -> Waiting[None]:
    """Let everything out as text, to the closing tag or the end."""
    cursor = context.cursor
    context.release()
    closers = TagSet({tag.word})
    while True:
        yield from cursor.until(_MAYBE_TAG)
        closer = yield from closers.peek(cursor)
        if cursor.exhausted:
            return
        cursor.pos += len(closer.raw) if closer else 1
        if closer and closer.closing:
            return
