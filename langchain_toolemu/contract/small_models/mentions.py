"""Which tools a text speaks of: those that share a word of their names with it.

Only a hint, for a model that wants to call and copies an example instead: a name says less than a description, but what it
says is seldom said by chance.
"""

from langchain_toolemu.tools import ToolSet
from langchain_toolemu.tools.stems import stems

_SHORTEST = 4  # letters; shorter words are everybody's: get, to, in
_MAX_CHARS = 10_000


def tools_spoken_of(text: str, tools: ToolSet) -> tuple[str, ...]:
    """The names of the tools that a text speaks of.

    Example:
        ```python
        tools_spoken_of("Is there a message from Ann?", tools)  # ("send_message",)
        ```
    """
    said = _stems(text[-_MAX_CHARS:])
    return tuple(tool.name for tool in tools if not said.isdisjoint(_stems(tool.name)))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(text, shortest=_SHORTEST))
