"""Checks the schemas of a request: a keyword with a value of the wrong type is refused by its place.

Whatever reads a schema later may rely on it. Unknown keywords are ignored.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.protocol import TYPE_NAMES, ClientRequest
from langchain_toolemu.tools.specs import function_name

_IN_PLACE = frozenset({"not", "additionalProperties", "items", "contains", "if", "then", "else"})
_IN_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_IN_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions"})


_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("$ref", "title", "description", "pattern", "format"), str),
    **dict.fromkeys(("enum", *_IN_LISTS), list),
    **dict.fromkeys(_IN_MAPS, dict),
}
# Lists of strings, or this type: in an old draft of JSON Schema a property has `required: true`.
_LISTS: Mapping[str, type] = {"type": str, "required": bool}


def check_schemas(request: ClientRequest) -> None:
    """Raise a `RequestError` for the first keyword with a wrong type."""
    for at, tool in enumerate(request.tools):
        function = tool.get("function", tool)
        for name in ("parameters", "input_schema"):
            if function.get(name) is not None:
                _check(function[name], f"tools[{at}] ({function_name(tool)}).{name}")
    form = (request.response_format or {}).get("json_schema")
    if isinstance(form, dict) and "schema" in form:
        _check(form["schema"], "response_format.schema")


def _check(schema: Any, place: str) -> None:
    left = [(schema, place)]
    while left:
        one, where = left.pop()
        if isinstance(one, bool):
            continue
        _need(isinstance(one, dict), where, "an object")
        for keyword, value in one.items():
            left += _inner(keyword, value, f"{where}.{keyword}")


def _inner(keyword: str, value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """Check a keyword's value, and give the schemas in it; `null` counts as left out."""
    if value is None:
        return
    if kind := _TYPES.get(keyword):
        _need(isinstance(value, kind), place, TYPE_NAMES[kind])
    if (kind := _LISTS.get(keyword)) and not isinstance(value, kind):
        is_list = isinstance(value, list) and all(isinstance(one, str) for one in value)
        _need(is_list, place, f"{'a string or ' if kind is str else ''}an array of strings")
    if keyword in _IN_MAPS:
        yield from ((one, f"{place}.{name}") for name, one in value.items())
    elif keyword in _IN_LISTS or (keyword == "items" and isinstance(value, list)):
        yield from ((one, f"{place}[{at}]") for at, one in enumerate(value))
    elif keyword in _IN_PLACE:
        yield value, place


def _need(fits: bool, place: str, wanted: str) -> None:
    if not fits:
        raise invalid(f"Invalid type for '{place}': it must be {wanted}.", place)
