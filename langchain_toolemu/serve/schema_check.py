"""The schemas of a request, of its tools and of its answer: a keyword with a value of the wrong type is refused by its place.

All that reads a schema later may rely on it. Keywords that are not known are left alone.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from langchain_toolemu.serve.faults import invalid
from langchain_toolemu.serve.protocol import ClientRequest
from langchain_toolemu.tools.specs import function_name

_IN_PLACE = frozenset({"not", "additionalProperties", "items", "contains", "if", "then", "else"})
_IN_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_IN_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions"})


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


_Check: TypeAlias = tuple[Callable[[Any], bool], str]
_TEXT: _Check = (lambda value: isinstance(value, str), "a string")
_LIST: _Check = (lambda value: isinstance(value, list), "an array")
_MAP: _Check = (lambda value: isinstance(value, dict), "an object")
_CHECKS: Mapping[str, _Check] = {
    **dict.fromkeys(("$ref", "title", "description", "pattern", "format"), _TEXT),
    **dict.fromkeys(("enum", *_IN_LISTS), _LIST),
    **dict.fromkeys(_IN_MAPS, _MAP),
    "type": (
        lambda value: isinstance(value, str) or _is_list_of_strings(value),
        "a string or an array of strings",
    ),
    # An old draft of JSON Schema has `true` in the property itself.
    "required": (
        lambda value: isinstance(value, bool) or _is_list_of_strings(value),
        "an array of strings",
    ),
}


def check_schemas(request: ClientRequest) -> None:
    """Raise a `RequestError` that names the first keyword at fault."""
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
        if not isinstance(one, dict):
            raise _wrong(where, "an object")
        for keyword, value in one.items():
            left += _inner(keyword, value, f"{where}.{keyword}")


def _inner(keyword: str, value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """The schemas in a keyword's value, which is checked itself; `null` counts as left out."""
    if value is None:
        return
    fits, wanted = _CHECKS.get(keyword, (None, ""))
    if fits and not fits(value):
        raise _wrong(place, wanted)
    if keyword in _IN_MAPS:
        yield from ((one, f"{place}.{name}") for name, one in value.items())
    elif keyword in _IN_LISTS or (keyword == "items" and isinstance(value, list)):
        yield from ((one, f"{place}[{at}]") for at, one in enumerate(value))
    elif keyword in _IN_PLACE:
        yield value, place


def _wrong(place: str, wanted: str) -> Exception:
    return invalid(f"Invalid type for '{place}': it must be {wanted}.", place)
