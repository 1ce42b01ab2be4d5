"""A value that was read, seen as calls.

The rule of this room: the bound tools decide. A value is a call where a bound tool's name stands in
a name's place; what names no bound tool is reported with its name, and the caller decides whether
its envelope meant a call. Nothing here touches the types of arguments.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from langchain_toolemu.reader.markdown import without_markdown
from langchain_toolemu.reader.typed_text import (
    Unread,
    argument_kinds,
    read_keywords,
    read_typed,
    read_whole,
)
from langchain_toolemu.reader.vocabulary import (
    ARGUMENT_KEYS,
    COMPANION_KEYS,
    INNER_KEYS,
    KINDS_OF_CALL,
    LIST_KEYS,
    NAME_KEYS,
    PARALLEL,
    fold,
)
from langchain_toolemu.tools import ToolSpec

_LONGEST_PLACEHOLDER = 80

Resolve: TypeAlias = Callable[[str], ToolSpec | None]


@dataclass(frozen=True, slots=True)
class Found:
    """What a value says: the name as written, the tool it means if any, the arguments if readable.

    Attributes:
        fault: Why it cannot be a call although it names one.
        echo: Whether it only describes the tool.
        bare: Whether it only names the tool, which needs arguments.
    """

    written: str
    spec: ToolSpec | None
    args: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    fault: str = ""
    echo: bool = False
    bare: bool = False

    @property
    def meant(self) -> bool:
        """Whether a bound tool was meant to be called."""
        return self.spec is not None and not (self.echo or self.bare)

    @property
    def lacks(self) -> bool:
        """Whether a required argument is missing."""
        return self.spec is not None and not set(self.spec.required) <= set(self.args)


def find_calls(value: Any, resolve: Resolve, forced: ToolSpec | None = None) -> list[Found]:
    """Every call a value holds, in order."""
    found: list[Found] = []
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending.extend(reversed(part))
        elif isinstance(part, dict):
            inner, calls = _look_into(part, resolve, forced)
            pending.extend(reversed(inner))
            found.extend(calls)
    return found


def _look_into(
    part: dict[str, Any], resolve: Resolve, forced: ToolSpec | None
) -> tuple[list[Any], list[Found]]:
    """The values inside an object that hold its calls, or the calls it states itself."""
    if forced is not None and len(part) == 1:  # sample forced-arguments
        [(key, value)] = part.items()
        alone = fold(key) in ARGUMENT_KEYS and key not in forced.properties
        part = value if alone and isinstance(value, dict) else part
    if forced is not None and _may_be_all(part, forced) and not _names_bound_tool(part, resolve):
        return [], [found_call(forced.name, forced, part)]
    named = _named(part, resolve)
    if named and named.spec:
        return [], [named]
    if named and named.written in PARALLEL:
        return [value for value in part.values() if isinstance(value, dict)], []
    for key, value in part.items():
        word = fold(key)
        if word in LIST_KEYS and isinstance(value, (list, dict)):
            return [value], []
        if word in INNER_KEYS and isinstance(value, dict):
            return [value], []
    return [], [named] if named else _keyed_by_tool(part, resolve)


def _may_be_all(part: dict[str, Any], forced: ToolSpec) -> bool:
    """Whether an object can only be the arguments of the tool that was demanded, were some of them missing."""
    known = set(forced.properties)
    return fits(part, forced) or (
        bool(part) and known.issuperset(part) and not _is_schema(part, forced)
    )


def _names_bound_tool(part: dict[str, Any], resolve: Resolve) -> bool:
    found = _named(part, resolve)
    return found is not None and found.spec is not None


def _keyed_by_tool(part: Mapping[str, Any], resolve: Resolve) -> list[Found]:
    """The calls of `{"tool_name": {...arguments}}`, where every key is a bound tool."""
    calls = [(key, resolve(key), value) for key, value in part.items()]
    named = [(k, spec, value) for k, spec, value in calls if spec or not _is_companion(k)]
    if not all(spec and _may_be_arguments(value, spec) for _, spec, value in named):
        return []
    return [found_call(key, spec, value) for key, spec, value in named if spec]


def _may_be_arguments(value: Any, spec: ToolSpec) -> bool:
    """Whether the tool's name as a key is enough to call this its arguments."""
    if not value and (value is None or isinstance(value, (dict, str))):
        return not spec.required
    return isinstance(value, dict) and resembles(value, spec)


def resembles(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether an object looks like a tool's arguments: all known, or none missing."""
    known, given = set(map(fold, spec.properties)), set(map(fold, args))
    return given <= known or (bool(known & given) and set(map(fold, spec.required)) <= given)


def fits(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether an object can be a tool's arguments: all that are required, none unknown."""
    known = set(spec.properties)
    return known.issuperset(args) and set(spec.required) <= set(args) and not _is_schema(args, spec)


def _named(part: dict[str, Any], resolve: Resolve) -> Found | None:
    """The call of an object with a name's key."""
    names = {fold(k): k for k, v in part.items() if fold(k) in NAME_KEYS and isinstance(v, str)}
    ranked = [names[word] for word in NAME_KEYS if word in names]
    bound = [(key, spec) for key in ranked if (spec := resolve(part[key]))]
    if len(bound) > 1:
        bound = [(k, s) for k, s in bound if all(o in s.properties for o, _ in bound if o != k)]
    if len(bound) == 1:
        return _call_of(part, *bound[0])
    if not bound and ranked:
        return Found(part[ranked[0]], None, {})
    return None


def _call_of(part: dict[str, Any], name_key: str, spec: ToolSpec) -> Found:
    written = part[name_key]
    rest = {key: value for key, value in part.items() if key != name_key}
    argument_key = _argument_key(rest, spec)
    given = rest.pop(argument_key) if argument_key else None
    if argument_key is None:
        args = {k: v for k, v in rest.items() if k in spec.properties or not _is_companion(k, v)}
        described = any(fold(key) == "description" for key in rest)
        return found_call(written, spec, args, bare_name=not args, described=described)
    if not given and fold(argument_key) == "parameters" and "description" in map(fold, rest):
        return Found(written, spec, {}, (), "it repeats the tool's schema", echo=True)
    known = {k: v for k, v in rest.items() if k.replace("\\_", "_") in spec.properties}
    beside = {key: value for key, value in known.items() if not _is_companion(key, value)}
    return found_call(written, spec, given, beside=beside)


def _is_companion(key: str, value: Any = None) -> bool:
    word = fold(key)
    if word == "type" and isinstance(value, str):
        return fold(value) in KINDS_OF_CALL
    return word in COMPANION_KEYS or word in NAME_KEYS


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
    described: bool = False,
) -> Found:
    """A bound tool's call with its arguments as they were given: an object, a string, nothing."""
    notes: tuple[str, ...] = (
        () if written == spec.name else (f"name {written!r} read as {spec.name!r}",)
    )
    args = _as_object(given, spec)
    if args is None:
        return Found(written, spec, {}, notes, "its arguments are not an object")
    if bare_name and (spec.required or described):
        return Found(written, spec, {}, notes, "it has no arguments", echo=described, bare=True)
    if _is_schema(args, spec):
        return Found(written, spec, {}, notes, "it repeats the tool's schema", echo=True)
    if any(_stands_for_value(key, value) for key, value in args.items()):
        return Found(written, spec, {}, notes, "a placeholder stands for a value", echo=True)
    missing = {key: value for key, value in (beside or {}).items() if key not in args}
    if missing:
        notes += ("arguments beside the others were taken in",)
    args = {**args, **missing}
    if any("\\_" in name for name in (written, *args)):
        args = without_markdown(args)
        notes += ("markdown escapes were taken out",)
    return Found(written, spec, args, notes)


def _stands_for_value(key: str, value: Any) -> bool:
    """Whether a value only shows where one belongs: `...`, `<city>`. Sample placeholder."""
    if not isinstance(value, str) or len(value) > _LONGEST_PLACEHOLDER:
        return False
    bracketed = value[:1] + value[-1:] in ("<>", "{}", "[]") and fold(value[1:-1]) == fold(key)
    return bracketed or value in ("...", "…")


def _as_object(given: Any, spec: ToolSpec) -> dict[str, Any] | None:
    if isinstance(given, str) and given.strip():
        return _from_text(given, spec)
    if given is None or given == "":
        return {}
    if isinstance(given, list) and len(given) == 1 and isinstance(given[0], dict):
        given = given[0]
    if isinstance(given, dict):
        return given
    return _as_only_argument(given, spec)


def _from_text(text: str, spec: ToolSpec) -> dict[str, Any] | None:
    """Arguments that were written as a string of JSON, or as the text of the only one."""
    value = read_whole(text, frozenset(spec.properties))
    alone = _as_only_argument(text, spec)
    if isinstance(value, dict) and (alone is None or resembles(value, spec)):
        return value
    if isinstance(value, Unread) and text.lstrip().startswith(('{"', "{'")):
        return None  # an object, and a broken one
    return read_keywords(text, spec) or alone


def _as_only_argument(given: Any, spec: ToolSpec) -> dict[str, Any] | None:
    """A bare value, where the tool takes a single argument or needs a single one."""
    names = list(spec.properties)
    if len(names) != 1:
        names = [name for name in spec.required if name in spec.properties]
    if len(names) != 1:
        return None
    return {names[0]: read_typed(given, spec, names[0]) if isinstance(given, str) else given}


def _is_schema(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether these are not arguments but their description, echoed. Sample schema-echo."""
    for word in ("properties", "parameters"):
        if isinstance(args.get(word), dict) and word not in spec.properties:
            return True
    described = [isinstance(v, dict) and ("type" in v or "anyOf" in v) for v in args.values()]
    if not described or not all(described):
        return False
    return not any(argument_kinds(spec, key) & {None, "object"} for key in args)
