"""The smallest request that a server still refuses, and what in it is to blame: `toolemu doctor --minimise FILE`.

Parts are left out, the largest first, as long as what is left is refused in the same way. What makes it a request at all stays.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from langchain_toolemu.check.named_model import CheckError
from langchain_toolemu.errors import reason_of
from langchain_toolemu.model_facts.error_text import statements, statuses

Place: TypeAlias = tuple[str | int, ...]
Send: TypeAlias = Callable[[dict[str, Any]], Exception | None]

MAX_REQUESTS = 300
_LIMIT = "max_tokens"
_KEPT = frozenset({
    _LIMIT, "model", "messages", "role", "content", "type", "function", "name", "parameters", "id", "tool_call_id", "arguments",
})  # fmt: skip
"""Without these a request is refused for another reason, which some servers tell in the same words."""

_NAMES = ("properties", "$defs", "definitions")  # whose keys are names, and no keywords
_PLAIN = frozenset({"type", "properties", "required", "description", "items"})
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_NOT_WORDS = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|[\W\d_]+""")
_SAME = 0.6  # of the words of two errors
_SHORT = 24
_ASKED = [{"role": "user", "content": "Hello."}]


@dataclass
class Minimised:
    """What was found out."""

    body: dict[str, Any]  # the smallest request
    refusal: Exception  # of the whole one
    requests: int
    blamed: list[tuple[str, str]] = field(default_factory=list)  # tools, and what of each


def read_body(file: Path) -> dict[str, Any]:
    """The body of a request that a file holds: as JSON, or only its tools, also as an MCP server lists them."""
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        body = {"tools": held} if isinstance(held, list) else dict(held.get("result", held))
        body["tools"] = [_in_openai_form(tool) for tool in body.get("tools") or ()]
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise CheckError(
            f"{file} cannot be read: {reason_of(error)}. Write the body of a request, or a list of tools, as JSON."
        ) from error
    left = {key: value for key, value in body.items() if key not in ("stream", "stream_options")}
    return {"messages": _ASKED, **{key: value for key, value in left.items() if value != []}}


def _in_openai_form(tool: dict[str, Any]) -> dict[str, Any]:
    if "name" not in tool:
        return tool
    schema: Any = next(
        (tool[key] for key in ("inputSchema", "input_schema", "parameters") if key in tool), {}
    )
    function = {
        "name": tool["name"],
        "description": tool.get("description") or "",
        "parameters": schema,
    }
    return {"type": "function", "function": function}


def minimise(body: dict[str, Any], send: Send, most: int = MAX_REQUESTS) -> Minimised | None:
    """The smallest part of a request that is refused as the whole is; `None` if the whole is taken."""
    refusal = send(body)
    return None if refusal is None else _Minimiser(body, refusal, send, most).result()


class _Minimiser:
    def __init__(self, body: dict[str, Any], refusal: Exception, send: Send, most: int) -> None:
        self._body = self._whole = body
        self._refusal, self._send, self._most = refusal, send, most
        self._requests = 1

    def result(self) -> Minimised:
        # What is taken costs a reply, which may be long.
        self._accept({_LIMIT: 1, **self._body})
        self._shrink(())
        body = {key: self._body[key] for key in self._body if key != _LIMIT or key in self._whole}
        return Minimised(body, self._refusal, self._requests, list(blamed_in(body)))

    def _accept(self, body: dict[str, Any]) -> bool:
        """Go on with a body if it is refused in the same way."""
        if self._requests >= self._most:
            return False
        self._requests += 1
        error = self._send(body)
        same = error is not None and is_same(error, self._refusal)
        if same:
            self._body = body
        return same

    def _shrink(self, place: Place) -> None:
        node = _at(self._body, place)
        if isinstance(node, str) and len(node) > _SHORT:
            self._accept(_with(self._body, place, node[:_SHORT]))
        if not isinstance(node, dict | list):
            return
        self._leave_out(place)
        node = _at(self._body, place)
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            self._shrink((*place, key))

    def _leave_out(self, place: Place) -> None:
        """Leave out as many members of an object or a list as can be, halves first."""
        names = bool(place) and place[-1] in _NAMES
        node = _at(self._body, place)
        keys = [key for key in _keys(node) if names or key not in _KEPT]
        size = len(keys)
        while size:
            start = 0
            while start < len(keys):
                gone = keys[start : start + size]
                if self._accept(_with(self._body, place, _without(_at(self._body, place), gone))):
                    keys = _after(keys, start, size, is_list=isinstance(node, list))
                else:
                    start += size
            size //= 2


def _keys(node: Any) -> list[Any]:
    return list(node) if isinstance(node, dict) else list(range(len(node)))


def _without(node: Any, gone: Sequence[Any]) -> Any:
    if isinstance(node, dict):
        return {key: value for key, value in node.items() if key not in gone}
    return [value for index, value in enumerate(node) if index not in gone]


def _after(keys: list[Any], start: int, size: int, *, is_list: bool) -> list[Any]:
    """The keys that are left; those of a list move up."""
    return (
        list(range(len(keys) - len(keys[start : start + size])))
        if is_list
        else keys[:start] + keys[start + size :]
    )


def _at(body: Any, place: Place) -> Any:
    for step in place:
        body = body[step]
    return body


def _with(body: Any, place: Place, value: Any) -> Any:
    """A copy of a body with another value at a place."""
    if not place:
        return value
    first, rest = place[0], place[1:]
    if isinstance(body, dict):
        return {**body, first: _with(body[first], rest, value)}
    return [_with(item, rest, value) if n == first else item for n, item in enumerate(body)]


def is_same(error: Exception, other: Exception) -> bool:
    """Whether two errors say the same, apart from names, places and numbers."""
    words, others = _words_of(error), _words_of(other)
    alike = len(words & others) >= _SAME * max(len(words | others), 1)
    return set(statuses(error)) == set(statuses(other)) and alike


def _words_of(error: Exception) -> frozenset[str]:
    text = " ".join(statements(error)) or str(error)
    return frozenset(_NOT_WORDS.sub(" ", text.lower()).split())


def blamed_in(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each tool that is left in the smallest request, with the keywords of its schema that are left, or its name."""
    for tool in body.get("tools") or ():
        function = tool.get("function", tool)
        name = str(function.get("name"))
        found = list(_keywords(function.get("parameters"), ()))
        if not found and not _PLAIN_NAME.fullmatch(name):
            found = ["its name"]
        yield name, ", ".join(found) or "its schema"


def _keywords(schema: Any, place: Place) -> Iterator[str]:
    if isinstance(schema, list):
        for number, item in zip(count(), schema, strict=False):
            yield from _keywords(item, (*place, number))
    if not isinstance(schema, Mapping):
        return
    named = bool(place) and place[-1] in _NAMES
    for key, value in schema.items():
        if not named and key not in _PLAIN:
            where = ".".join(map(str, place)) or "the top level"
            yield f"{key} at {where}"
        if named or key in _PLAIN or isinstance(value, list):
            yield from _keywords(value, (*place, key))


# --- kinds of schemas that servers refuse ---


def _tool(name: str, about: Mapping[str, Any], **schema: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"value": about}, **schema}
    function = {"name": name, "description": "Report a value.", "parameters": parameters}
    return {"type": "function", "function": function}


_TEXT = {"type": "string"}
_SCHEMAS: Mapping[str, dict[str, Any]] = {
    "pattern": {**_TEXT, "pattern": r"^(?=.*\d)[\w.]{2,}$"},
    "maxLength": {**_TEXT, "maxLength": 100_000},
    "format": {**_TEXT, "format": "date-time"},
    "default": {**_TEXT, "default": "none"},
    "exclusiveMinimum": {"type": "number", "exclusiveMinimum": 0},
    "const": {"const": "room"},
    "anyOf": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
    "an object without properties": {"type": "object"},
    "an enum of numbers": {"type": "integer", "enum": [1, 2]},
}
KINDS: Mapping[str, dict[str, Any]] = {
    **{kind: _tool(f"report_{at}", schema) for at, (kind, schema) in enumerate(_SCHEMAS.items())},
    "$ref": _tool("report_ref", {"$ref": "#/$defs/Kind"}, **{"$defs": {"Kind": _TEXT}}),
    "anyOf at the top level": _tool(
        "report_any", _TEXT, anyOf=[{"required": ["value"]}, {"required": []}]
    ),
    "additionalProperties": _tool("report_only", _TEXT, additionalProperties=False),
    "a dot in a name": _tool("report.value", _TEXT),
}
"""A tool for each kind of schema that some server refuses, by what is refused."""


def refused_kinds(takes: Callable[[Sequence[str]], bool]) -> list[str]:
    """The kinds that a server refuses; `takes` sends the tools of some. One request if it takes all."""

    def among(kinds: list[str]) -> list[str]:
        if takes(kinds):
            return []
        half = len(kinds) // 2
        return kinds if not half else among(kinds[:half]) + among(kinds[half:])

    return among(list(KINDS))
