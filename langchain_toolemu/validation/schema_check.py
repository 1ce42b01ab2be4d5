"""Whether a schema is one: a keyword with a value of the wrong type is named by its place.

Whatever reads a schema later may rely on it. Unknown keywords are ignored.
"""

from collections.abc import Iterator, Mapping
from typing import Any

# Types as JSON calls them.
TYPE_NAMES: Mapping[type, str] = {
    str: "a string", bool: "true or false", int: "an integer", float: "a number", list: "an array", dict: "an object",
}  # fmt: skip
_IN_PLACE = frozenset({"not", "additionalProperties", "items", "contains", "if", "then", "else"})
IN_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
IN_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions"})
_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("$ref", "title", "description", "pattern", "format"), str),
    **dict.fromkeys(("enum", *IN_LISTS), list),
    **dict.fromkeys(IN_MAPS, dict),
}
# Lists of strings, or this type: in an old draft of JSON Schema a property has `required: true`.
_LISTS: Mapping[str, type] = {"type": str, "required": bool}


def wrong_keyword(schema: Any, place: str) -> tuple[str, str] | None:
    """The place of the first keyword with a wrong type, and what it must be; `None` if there is none."""
    left = [(schema, place)]
    while left:
        inner, where = left.pop()
        if isinstance(inner, bool):
            continue
        if not isinstance(inner, dict):
            return where, TYPE_NAMES[dict]
        for keyword, value in inner.items():
            if value is not None:  # else it counts as left out
                if wanted := _complaint(keyword, value):
                    return f"{where}.{keyword}", wanted
                left += _inner(keyword, value, f"{where}.{keyword}")
    return None


def _complaint(keyword: str, value: Any) -> str:
    """What a keyword's value must be; empty if it is that."""
    kind = _TYPES.get(keyword)
    if kind and not isinstance(value, kind):
        return TYPE_NAMES[kind]
    kind = _LISTS.get(keyword)
    if not kind or isinstance(value, kind):
        return ""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return ""
    return f"{'a string or ' if kind is str else ''}an array of strings"


def _inner(keyword: str, value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """The schemas in a keyword's value, with their places."""
    if keyword in IN_MAPS:
        yield from ((schema, f"{place}.{name}") for name, schema in value.items())
    elif keyword in IN_LISTS or (keyword == "items" and isinstance(value, list)):
        yield from ((schema, f"{place}[{at}]") for at, schema in enumerate(value))
    elif keyword in _IN_PLACE:
        yield value, place
