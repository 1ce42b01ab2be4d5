"""Tools with less said of them: long descriptions cut, or none but of some tools. Their signatures stay whole."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.tools import ToolSet, ToolSpec

_VALUES = frozenset({"default", "const", "enum", "examples"})
"""What holds values of the user's, in which nothing is a description."""

_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions"})
"""What holds schemas by names of the user's, of which one may be `description`."""


@dataclass(frozen=True, slots=True)
class Shortening:
    """What a contract leaves out.

    Attributes:
        examples: Whether examples are shown.
        longest: How many characters a description has at most.
        detailed: The tools that are described at all; `None` for all of them.
    """

    examples: bool = True
    longest: int | None = None
    detailed: tuple[str, ...] | None = None

    def of(self, tools: ToolSet) -> ToolSet:
        """The tools as they are listed."""
        if self.longest is None and self.detailed is None:
            return tools
        return ToolSet([self._tool(tool) for tool in tools])

    def _tool(self, tool: ToolSpec) -> ToolSpec:
        known = self.detailed is None or tool.name in self.detailed
        longest = self.longest if known else 0
        if longest is None:
            return tool
        return ToolSpec(
            tool.name,
            shortened_text(tool.description, longest),
            _shortened_schema(tool.parameters, longest),
        )


WHOLE = Shortening()
"""Nothing is left out."""


def shortened_text(text: str, longest: int) -> str:
    """A text of at most so many characters: its first sentence if that fits, else its first words.

    Example:
        ```python
        shortened_text("Reads a file. Paths are relative to the root.", 20)  # "Reads a file."
        ```
    """
    said = " ".join(text.split())
    if len(said) <= longest:
        return said
    start = said[: longest + 1]
    sentence = start.rfind(". ")
    if sentence > 0:
        return start[: sentence + 1]
    begun = start[: max(longest - 3, 0)]
    words = begun.rpartition(" ")[0] or begun  # not every script has spaces
    return f"{words}..." if words else ""


def _shortened_schema(schema: Any, longest: int) -> Any:
    """A schema whose descriptions have at most so many characters; of none, they are left out."""
    if isinstance(schema, list):
        return [_shortened_schema(one, longest) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: _shortened_part(key, part, longest)
        for key, part in schema.items()
        if longest or key != "description"
    }


def _shortened_part(key: str, part: Any, longest: int) -> Any:
    if key == "description":
        return shortened_text(str(part), longest)
    if key in _VALUES:
        return part
    if key in _NAMED and isinstance(part, Mapping):
        return {name: _shortened_schema(one, longest) for name, one in part.items()}
    return _shortened_schema(part, longest)
