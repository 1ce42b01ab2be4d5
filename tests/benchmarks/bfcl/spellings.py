"""Names and values in other spellings that lose nothing.

The rule here: a spelling that could mean another bound tool, or another argument, is not
written: it would be the reader's duty to refuse it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from tests.benchmarks.bfcl.cases import Called, Case
from tests.benchmarks.bfcl.dialects import Dialect

_NAMESPACES = ("functions.", "tools.", "default_api.", "api.", "my_server.")


def _fold(name: str) -> str:
    return re.sub(r"[\s_.\\-]", "", name).casefold()


def _renamed(call: Called, name: str, case: Case) -> Called | None:
    alike = [spec for spec in case.tools if _fold(spec.name) == _fold(call.name)]
    return replace(call, name=name) if name != call.name and len(alike) == 1 else None


def other_case(call: Called, case: Case, dialect: Dialect, rng: Random) -> Called | None:
    camel = re.sub(r"_([a-z])", lambda found: found[1].upper(), call.name)
    ways = (call.name.upper(), call.name.title(), camel, camel[:1].upper() + camel[1:])
    return _renamed(call, rng.choice(ways), case)


def other_separators(call: Called, case: Case, dialect: Dialect, rng: Random) -> Called | None:
    ways = [call.name.replace(".", "_"), call.name.replace("_", ".")]
    if dialect.names != "code":
        ways += [call.name.replace("_", "-"), call.name.replace(".", "-")]
    ways = [way for way in ways if way != call.name]
    return _renamed(call, rng.choice(ways), case) if ways else None


def with_namespace(call: Called, case: Case, dialect: Dialect, rng: Random) -> Called | None:
    last = call.name.rpartition(".")[2]
    alike = [spec for spec in case.tools if spec.name in (call.name, last)]
    return replace(call, name=rng.choice(_NAMESPACES) + call.name) if len(alike) == 1 else None


def with_spaces(call: Called, case: Case, dialect: Dialect, rng: Random) -> Called | None:
    """As in `<replace_ in_file>`; where a name stands alone, a space would end it."""
    if dialect.names == "code":
        return None
    ways = (re.sub(r"([_.])", r"\1 ", call.name, count=1), call.name.replace("_", " "))
    return _renamed(call, rng.choice(ways), case)


def with_markdown_escapes(call: Called, case: Case, dialect: Dialect, rng: Random) -> Called | None:
    return _renamed(call, call.name.replace("_", "\\_"), case)


def other_argument_names(call: Called, case: Case, dialect: Dialect, rng: Random) -> Called | None:
    def respelt(name: str) -> str:
        camel = re.sub(r"_([a-z])", lambda found: found[1].upper(), name)
        return rng.choice((camel, name.replace("_", "-"), name.title(), name.upper()))

    folded = [_fold(name) for name in call.declared]
    identifiers = dialect.names == "code"
    args = {
        new
        if folded.count(_fold(name)) == 1 and (not identifiers or new.isidentifier())
        else name: one
        for name, one in call.args.items()
        for new in [respelt(name)]
    }
    return replace(call, args=args) if args.keys() != call.args.keys() else None


def other_types(call: Called, case: Case, dialect: Dialect, rng: Random) -> Called | None:
    """`"5"` for 5, `"true"` for true, a scalar for a list of one, JSON in a string, another case."""
    properties = case.spec(call).properties
    args = {name: _retyped(one, properties.get(name, {}), rng) for name, one in call.args.items()}
    return replace(call, args=args) if json.dumps(args) != json.dumps(call.args) else None


def _retyped(value: Any, schema: Mapping[str, Any], rng: Random) -> Any:
    kind = schema.get("type")
    if kind in ("integer", "number", "boolean") and not isinstance(value, str):
        ways = [json.dumps(value)]
        if kind == "integer" and abs(value) < 10**15:
            ways.append(float(value))
        return rng.choice(ways)
    if kind == "array" and isinstance(value, list):
        return _retyped_list(value, schema, rng)
    if kind == "object" and isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    if kind == "string" and "enum" in schema:
        return _recased(value, schema["enum"], rng)
    if kind == "string" and re.fullmatch(r"[1-9]\d{0,8}", str(value)):
        return int(value)
    return value


def _retyped_list(value: list[Any], schema: Mapping[str, Any], rng: Random) -> Any:
    scalar = schema.get("items", {}).get("type") in ("string", "integer", "number")
    if len(value) == 1 and scalar and rng.random() < 0.5:
        return value[0]
    return json.dumps(value, ensure_ascii=False)


def _recased(value: Any, members: list[Any], rng: Random) -> Any:
    alike = [one for one in members if str(one).casefold() == str(value).casefold()]
    if value not in members or len(alike) != 1:
        return value
    return rng.choice((value.upper(), value.title(), value.lower()))
