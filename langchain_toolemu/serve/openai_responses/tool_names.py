"""Names of tools: offered without namespaces, and answered by the names that the client uses.

A tool search that the client runs is a function, too. Tools that it found, or that the client
added, are offered from then on.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from langchain_toolemu.serve.protocol import Fields, fields_of

_MOST_CHARS = 64  # of a name, as providers have it
_UNUSUAL = re.compile(r"[^a-zA-Z0-9_-]")
SEARCH = "tool_search"


class KnownTool(NamedTuple):
    """A tool as the client knows it."""

    kind: str
    name: str
    namespace: str = ""


class ToolNames:
    """Gives each tool a name of its own."""

    def __init__(self) -> None:
        self._flat: dict[KnownTool, str] = {}
        self.known: dict[str, KnownTool] = {}  # by the names under which they are offered

    def offer(self, tools: Iterable[Fields], found: Iterable[Fields]) -> list[dict[str, Any]]:
        """All tools with flat names; those of items only if they are not there yet."""
        given, later = [*_each(tools)], [*_each(found)]
        for _, known in given:  # a name without a namespace stays as it is
            if known and known.kind != SEARCH and not known.namespace:
                self.known[known.name] = known
        offered = [self._renamed(tool, known) for tool, known in given]
        return offered + [self._renamed(*pair) for pair in later if pair[1] not in self._flat]

    def flat(self, known: KnownTool) -> str:
        """The name under which a tool is offered, or would be."""
        if known in self._flat:
            return self._flat[known]
        if known.kind != SEARCH and not known.namespace:
            return known.name
        space = known.namespace and known.namespace.rstrip("_") + "__"
        name = _UNUSUAL.sub("_", space + known.name)
        if len(name) > _MOST_CHARS or self.known.get(name, known) != known:
            digest = hashlib.sha256(repr(known).encode()).hexdigest()[:8]
            name = f"{name[: _MOST_CHARS - 9]}_{digest}"
        return name

    def flat_names(self, tools: Iterable[Fields]) -> list[str]:
        """The names of several tools, without a provider's own."""
        return [self.flat(known) for _, known in _each(tools) if known]

    def choose(self, name: str, namespace: str) -> str:
        """The name of the tool that a choice means; the namespace may be left out if one fits."""
        if name in self.known and not namespace:
            return name
        named = [(flat, known) for flat, known in self.known.items() if known.name == name]
        meant = [flat for flat, known in named if namespace in ("", known.namespace)]
        return meant[0] if len(meant) == 1 else name

    def _renamed(self, tool: dict[str, Any], known: KnownTool | None) -> dict[str, Any]:
        if known is None:
            return tool
        name = self._flat[known] = self.flat(known)
        self.known[name] = known
        return {**tool, "type": "custom" if known.kind == "custom" else "function", "name": name}


def _each(tools: Iterable[Fields]) -> Iterator[tuple[dict[str, Any], KnownTool | None]]:
    """The tools, those in namespaces one by one; a provider's own without a `KnownTool`."""
    for tool in tools:
        if tool.body.get("type") != "namespace":
            yield tool.body, _known(tool)
            continue
        namespace = tool.need("name", str)
        about = {"description": tool.take("description", str)}
        for inner in fields_of(tool.need("tools", list), tool.place("tools")):
            known = _known(inner)
            described = inner.body if inner.body.get("description") else {**inner.body, **about}
            yield described, known and known._replace(namespace=namespace)


def _known(tool: Fields) -> KnownTool | None:
    kind = tool.need("type", str)
    tool.take("format", dict)
    if kind == SEARCH and tool.rest.get("execution") == "client":
        return KnownTool(SEARCH, SEARCH)
    return KnownTool(kind, tool.need("name", str)) if kind in ("function", "custom") else None
