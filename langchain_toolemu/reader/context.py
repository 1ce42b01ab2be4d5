"""What every part of the reader shares while it reads one reply."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from langchain_toolemu.reader.cursor import Cursor
from langchain_toolemu.reader.output import Output
from langchain_toolemu.tools import ToolSet, ToolSpec

_SHAPE_WORDS = ("name", "arguments", "args", "parameters", "input", "tool", "function", "action")


class Context:
    """The reply's cursor and output, and the tools that decide what a text means.

    Attributes:
        cut: Whether the reply ended by the length limit.
        explicit_only: Whether only envelopes count that can mean nothing but a call.
    """

    def __init__(self, tools: ToolSet, forced: str | None, explicit_only: bool) -> None:
        self.cursor = Cursor()
        self.output = Output()
        self.tools = tools
        self.forced: ToolSpec | None = tools.resolve(forced) if forced else None
        self.explicit_only = explicit_only
        self.cut = False

    def flush(self) -> None:
        """Let the consumed text go out as prose."""
        self.output.text(self.cursor.take())

    def hold(self) -> None:
        """Keep what is consumed from here on, until it is known what it is."""
        self.flush()
        self.cursor.flowing = False

    def release(self) -> None:
        """Give up holding: it was prose."""
        self.cursor.flowing = True
        self.flush()

    @cached_property
    def parameters(self) -> frozenset[str]:
        """Every argument name of every bound tool."""
        return frozenset(name for spec in self.tools for name in spec.properties)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every key a call to the bound tools may hold, at any depth."""
        nested = (key for spec in self.tools for key in _property_names(spec.parameters))
        return frozenset((*nested, *_SHAPE_WORDS))


def _property_names(schema: Mapping[str, Any]) -> Iterator[str]:
    pending: list[Any] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            properties = part.get("properties")
            if isinstance(properties, Mapping):
                yield from (str(name) for name in properties)
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)
