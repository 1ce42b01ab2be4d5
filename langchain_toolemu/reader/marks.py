"""Fence marks, wherever they stand between a name, a tag and an object."""

import re

from langchain_toolemu.reader.cursor import Cursor, Waiting

_MARKS = re.compile(r"[`~]+")
_INFO = re.compile(r"[\w ]+")


def skip_fence(cursor: Cursor) -> Waiting[bool]:
    """Consume a run of marks and the word behind it; whether it was a fence."""
    marks = yield from cursor.run(_MARKS)
    if len(marks) < 3:
        return False
    yield from cursor.run(_INFO)
    return True
