"""Which tools a text speaks of: those that share a word of their names with it.

Only a hint, for a model that wants to call and copies an example instead: a name says less than a description, but what it
says is seldom said by chance.
"""

import re
from collections.abc import Iterator

from langchain_toolemu.tools import ToolSet

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]{4,}")  # shorter ones are everybody's: get, to, in
_STEM = 5  # letters that tell a word from others in most of its forms
_MAX_CHARS = 10_000


def tools_spoken_of(text: str, tools: ToolSet) -> tuple[str, ...]:
    """The names of the tools that a text speaks of.

    Example:
        ```python
        tools_spoken_of("Is there a message from Ann?", tools)  # ("send_message",)
        ```
    """
    said = set(_stems(text[-_MAX_CHARS:]))
    return tuple(tool.name for tool in tools if not said.isdisjoint(_stems(tool.name)))


def _stems(text: str) -> Iterator[str]:
    words = _WORD.findall(_HUMP.sub(" ", text).replace("_", " "))
    return (word.casefold().removesuffix("s")[:_STEM] for word in words)
