"""A value that was read, seen as calls.

The rule of this room: the bound tools decide. A value is a call where a bound tool's name stands in
a name's place; what names no bound tool is reported with its name, and the caller decides whether
its envelope meant a call. Nothing here touches the types of arguments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.reader.cursor import Cursor
from langchain_toolemu.reader.parser import Parser
from langchain_toolemu.reader.vocabulary import (
    ARGUMENT_KEYS,
    COMPANION_KEYS,
    INNER_KEYS,
    LIST_KEYS,
    NAME_KEYS,
    fold,
)
from langchain_toolemu.tools import ToolSet, ToolSpec


@dataclass(frozen=True, slots=True)
class Found:
    """What a value says: the name as written, the tool it means if any, the arguments if readable.

    Attributes:
        fault: Why it cannot be a call although it names one.
    """

    written: str
    spec: ToolSpec | None
    args: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    fault: str = ""


def find_calls(value: Any, tools: ToolSet, forced: ToolSpec | None = None) -> list[Found]:
    """Every call a value holds, in order."""
    found: list[Found] = []
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending.extend(reversed(part))
        elif isinstance(part, dict):
            inner, calls = _look_into(part, tools, forced)
            pending.extend(reversed(inner))
            found.extend(calls)
    return found


def _look_into(
    part: dict[str, Any], tools: ToolSet, forced: ToolSpec | None
) -> tuple[list[Any], list[Found]]:
    """The values inside an object that hold its calls, or the calls it states itself."""
    for key, value in part.items():
        word = fold(key)
        if word in LIST_KEYS and isinstance(value, list):
            return [value], []
        if word in INNER_KEYS and isinstance(value, dict):
            return [value], []
    if forced is not None and fits(part, forced) and not _names_bound_tool(part, tools):
        return [], [found_call(forced.name, forced, part)]
    if named := _named(part, tools):
        return [], [named]
    return [], _keyed_by_tool(part, tools)


def _names_bound_tool(part: dict[str, Any], tools: ToolSet) -> bool:
    found = _named(part, tools)
    return found is not None and found.spec is not None


def _keyed_by_tool(part: Mapping[str, Any], tools: ToolSet) -> list[Found]:
    """The calls of `{"tool_name": {...arguments}}`, where every key is a bound tool."""
    calls = [(key, tools.resolve(key), value) for key, value in part.items()]
    named = [call for call in calls if not (call[1] is None and _is_companion(call[0]))]
    if not all(spec and (value is None or isinstance(value, dict)) for _, spec, value in named):
        return []
    return [found_call(key, spec, value) for key, spec, value in named if spec]


def fits(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether an object can be a tool's arguments: all that are required, none unknown."""
    known = set(spec.properties)
    return known.issuperset(args) and set(spec.required) <= set(args) and not is_schema(args, spec)


def _named(part: dict[str, Any], tools: ToolSet) -> Found | None:
    """The call of an object with a name's key."""
    names = {fold(k): k for k, v in part.items() if fold(k) in NAME_KEYS and isinstance(v, str)}
    ranked = [names[word] for word in NAME_KEYS if word in names]
    bound = [(key, spec) for key in ranked if (spec := tools.resolve(part[key]))]
    if len(bound) > 1:
        bound = [(k, s) for k, s in bound if all(o in s.properties for o, _ in bound if o != k)]
    if len(bound) == 1:
        return _call_of(part, *bound[0])
    if not bound and ranked and any(fold(key) in ARGUMENT_KEYS for key in part):
        return Found(part[ranked[0]], None, {})
    return None


def _call_of(part: dict[str, Any], name_key: str, spec: ToolSpec) -> Found | None:
    written = part[name_key]
    rest = {key: value for key, value in part.items() if key != name_key}
    argument_key = _argument_key(rest, spec)
    given = rest.pop(argument_key) if argument_key else None
    beside = {key: value for key, value in rest.items() if _is_argument(key, spec)}
    if argument_key is None:
        unknown = {k: v for k, v in rest.items() if k not in beside and not _is_companion(k)}
        return found_call(written, spec, {**beside, **unknown}, bare_name=not (beside or unknown))
    return found_call(written, spec, given, beside=beside)


def _is_argument(key: str, spec: ToolSpec) -> bool:
    return key in spec.properties and not _is_companion(key)


def _is_companion(key: str) -> bool:
    return fold(key) in COMPANION_KEYS or fold(key) in NAME_KEYS


def _argument_key(rest: Mapping[str, Any], spec: ToolSpec) -> str | None:
    """The key that holds the arguments, unless it is an argument itself."""
    words = {fold(key): key for key in rest}
    for word in ARGUMENT_KEYS:
        key = words.get(word)
        if key is None:
            continue
        value = rest[key]
        if key in spec.properties and not (isinstance(value, dict) and fits(value, spec)):
            continue
        return key
    return None


def found_call(
    written: str,
    spec: ToolSpec,
    given: Any,
    *,
    beside: Mapping[str, Any] | None = None,
    bare_name: bool = False,
) -> Found:
    """A bound tool's call with its arguments as they were given: an object, a string, nothing."""
    notes: tuple[str, ...] = (
        () if written == spec.name else (f"name {written!r} read as {spec.name!r}",)
    )
    args = _as_object(given, spec)
    if args is None:
        return Found(written, spec, {}, notes, "its arguments are not an object")
    if bare_name and spec.required:
        return Found(written, spec, {}, notes, "it has no arguments")
    if is_schema(args, spec):
        return Found(written, spec, {}, notes, "it repeats the tool's schema")
    missing = {key: value for key, value in (beside or {}).items() if key not in args}
    if missing:
        notes += ("arguments beside the others were taken in",)
    return Found(written, spec, _with_clean_keys({**args, **missing}, spec), notes)


def _with_clean_keys(args: dict[str, Any], spec: ToolSpec) -> dict[str, Any]:
    """Markdown escapes taken out of names. Sample markdown-escapes."""
    return {_clean_key(key, spec): value for key, value in args.items()}


def _clean_key(key: str, spec: ToolSpec) -> str:
    plain = key.replace("\\", "").strip()
    return plain if key not in spec.properties and plain in spec.properties else key


def _as_object(given: Any, spec: ToolSpec) -> dict[str, Any] | None:
    if isinstance(given, str) and given.strip():
        given = _from_text(given, spec)
    if given is None or given == "":
        return {}
    if isinstance(given, list) and len(given) == 1 and isinstance(given[0], dict):
        given = given[0]
    if isinstance(given, dict):
        return given
    return as_only_argument(given, spec)


def _from_text(text: str, spec: ToolSpec) -> Any:
    """Arguments that were written as a string of JSON, or the text itself."""
    value = read_whole(text, frozenset(spec.properties))
    return text if value is None else value


def as_only_argument(given: Any, spec: ToolSpec) -> dict[str, Any] | None:
    """A bare value, where the tool takes a single argument or needs a single one."""
    names = list(spec.properties)
    if len(names) == 1:
        return {names[0]: given}
    return {spec.required[0]: given} if len(spec.required) == 1 else None


def read_whole(text: str, keys: frozenset[str] = frozenset()) -> Any:
    """The value a complete text holds, or `None` if it holds anything else."""
    cursor = Cursor(text, ended=True)
    parser = Parser(cursor, keys)
    for _ in parser.read():
        pass
    if not parser.closed or parser.bare_words or parser.doubtful:
        return None
    return None if text[cursor.pos :].strip() else parser.root


def is_schema(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether these are not arguments but their description, echoed."""
    if isinstance(args.get("properties"), dict) and "properties" not in spec.properties:
        return True
    described = [isinstance(v, dict) and ("type" in v or "anyOf" in v) for v in args.values()]
    takes_objects = any(_may_be_object(spec.properties.get(key)) for key in args)
    return bool(described) and all(described) and not takes_objects


def _may_be_object(schema: Any) -> bool:
    declared = schema.get("type") if isinstance(schema, Mapping) else None
    return declared in (None, "object") or (isinstance(declared, Sequence) and "object" in declared)
