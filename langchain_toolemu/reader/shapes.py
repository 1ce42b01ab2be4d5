"""A value that was read, seen as calls.

The rule of this room: the bound tools decide. A value is a call where a bound tool's name stands in
a name's place; what names no bound tool is reported with its name, and the caller decides whether
its envelope meant a call. Nothing here touches the types of arguments.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from langchain_toolemu.reader.literals.texts import (
    Unread,
    argument_kinds,
    read_keywords,
    read_typed,
    read_whole,
)
from langchain_toolemu.reader.markdown import without_markdown
from langchain_toolemu.reader.vocabulary import (
    ARGUMENT_KEYS,
    COMPANION_KEYS,
    INNER_KEYS,
    KINDS_OF_CALL,
    KINDS_OF_RESULT,
    LIST_KEYS,
    NAME_KEYS,
    OWN_ROLES,
    PARALLEL,
    RESULT_KEYS,
    fold,
)
from langchain_toolemu.tools import ToolSpec

_LONGEST_PLACEHOLDER = 80
_LABEL = re.compile(r"(?:\{\s*)?[\"'`*]*([\w.-]+)[\"'`*]*\s*:(?!//)")
_EMPTY: tuple[Any, ...] = (None, "", {}, [])
# Around a placeholder, and inside it beside the argument's own name.
_BRACKETS = re.compile(r"\A(?:<+|\{+|\[+)([\w\s.:@$-]*)(?:>+|\}+|\]+)\Z")
_SHOUTED = re.compile(r"\AYOUR_[A-Z_]+\Z")
_WORD = re.compile(r"[^\W_]+")
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object"})
_FILLERS = frozenset({"a", "an", "the", "your", "name", "value", "here", "insert", "enter"})

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
    def stray(self) -> bool:
        """Whether it is no call at all, but stands in a list of them."""
        return not self.written

    @property
    def lacks(self) -> bool:
        """Whether a required argument is missing."""
        return self.spec is not None and not set(self.spec.required) <= set(self.args)


def find_calls(value: Any, resolve: Resolve, forced: ToolSpec | None = None) -> list[Found]:
    """Every call a value holds, in order, and what stands in a list of calls and is none."""
    found: list[Found] = []
    pending = [(value, False)]
    while pending:
        part, listed = pending.pop()
        if isinstance(part, list):
            pending.extend((one, True) for one in reversed(part))
            continue
        inner, calls = _look_into(part, resolve, forced) if isinstance(part, dict) else ([], [])
        pending.extend((one, listed) for one in reversed(inner))
        if listed and not (inner or calls or part in _EMPTY):
            calls = [Found("", None, {}, (), "it names no tool")]
        found.extend(calls)
    return [] if all(call.stray for call in found) else found


def _look_into(
    part: dict[str, Any], resolve: Resolve, forced: ToolSpec | None
) -> tuple[list[Any], list[Found]]:
    """The values inside an object that hold its calls, or the calls it states itself."""
    if forced is not None and len(part) == 1:  # sample forced-arguments
        [(key, value)] = part.items()
        alone = fold(key) in ARGUMENT_KEYS and key not in forced.properties
        part = value if alone and isinstance(value, dict) else part
    named = _named(part, resolve)
    if forced is not None and _may_be_all(part, forced) and not _names_tool(named, part, forced):
        return [], [found_call(forced.name, forced, part)]
    if _is_anothers(part, named.spec if named else None):
        return [], []
    if named and named.spec:
        return [], [named]
    if named and named.written in PARALLEL:
        return [value for value in part.values() if isinstance(value, dict)], []
    if inner := [value for key, value in part.items() if _may_hold_calls(key, value)]:
        return inner, []
    return [], [named] if named else _keyed_by_tool(part, resolve)


def _may_hold_calls(key: str, value: Any) -> bool:
    word = fold(key)
    if isinstance(value, list):
        return word in LIST_KEYS
    return isinstance(value, dict) and (word in LIST_KEYS or word in INNER_KEYS)


def _is_anothers(part: Mapping[str, Any], spec: ToolSpec | None) -> bool:
    """Whether this is a message that the model only makes up: a tool's result, a user's words.

    Sample made-up-result. A key that the tool declares is its argument, and says nothing of who writes.
    """
    declared = spec.properties if spec else ()
    said = {fold(key): value for key, value in part.items() if key not in declared}
    role, kind = said.get("role"), said.get("type")
    if isinstance(role, str) and fold(role) not in OWN_ROLES:
        return True
    if isinstance(kind, str) and fold(kind).endswith(KINDS_OF_RESULT):
        return True
    answered = any(fold(key) == "content" for key in part)
    return answered and not RESULT_KEYS.isdisjoint(said)


def _may_be_all(part: dict[str, Any], forced: ToolSpec) -> bool:
    """Whether an object can only be the arguments of the tool that was demanded, were some of them missing."""
    known = set(forced.properties)
    return fits(part, forced) or (
        bool(part) and known.issuperset(part) and not _is_schema(part, forced)
    )


def _names_tool(named: Found | None, part: Mapping[str, Any], forced: ToolSpec) -> bool:
    """Whether an object names its tool, rather than giving all arguments of the one that was demanded."""
    if named is None or named.spec is None:
        return False
    return named.spec is forced or not fits(part, forced)


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


def are_known(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether a tool declares all these arguments."""
    return set(map(fold, args)) <= set(map(fold, spec.properties))


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
        call = found_call(written, spec, args, bare_name=not args, described=described)
        return _with_all(rest, call)
    if not given and fold(argument_key) == "parameters" and "description" in map(fold, rest):
        return Found(written, spec, {}, (), "it repeats the tool's schema", echo=True)
    known = {k: v for k, v in rest.items() if k.replace("\\_", "_") in spec.properties}
    beside = {key: value for key, value in known.items() if not _is_companion(key, value)}
    return _with_all(rest, found_call(written, spec, given, beside=beside))


def _with_all(rest: Mapping[str, Any], call: Found) -> Found:
    """The call, refused if the object says more than was taken from it. Sample arguments-twice."""
    if call.fault:
        return call
    left = [key for key, value in rest.items() if _says_more(key, value, call)]
    return replace(call, fault=f"{left[0]!r} would be left out") if left else call


def _says_more(key: str, value: Any, call: Found) -> bool:
    """Whether a member holds calls, or arguments that are not among those of the call."""
    if call.spec is None or key in call.spec.properties or value in _EMPTY:
        return False
    if fold(key) not in ARGUMENT_KEYS:
        return _may_hold_calls(key, value)
    args = _as_object(value, call.spec)
    if args is None:
        return True
    return not (_is_schema(args, call.spec) or args.items() <= call.args.items())


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
    if any(_stands_for_value(k, v) for k, v in args.items()) or _are_types(args, spec):
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
    """Whether a value only shows where one belongs: `...`, `<city name>`. Sample placeholder."""
    if not isinstance(value, str) or len(value) > _LONGEST_PLACEHOLDER:
        return False
    bracketed = _BRACKETS.match(value)
    inner = bracketed[1] if bracketed else value if _SHOUTED.match(value) else ""
    return value in ("...", "…") or (bool(inner) and _only_names(inner, key))


def _only_names(text: str, key: str) -> bool:
    """Whether a text is an argument's name, with words around it that say no more."""
    said, named = _words(text), _words(key)
    return fold(text) == fold(key) or (set() < named <= said and said - named <= _FILLERS)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _are_types(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether every value is but the name of its own type; a single one may be meant. Sample types-as-values."""
    return len(args) > 1 and all(
        isinstance(value, str) and value in _TYPES and value in argument_kinds(spec, key)
        for key, value in args.items()
    )


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
    label = _LABEL.match(text.lstrip())
    if label and label[1] in spec.properties:  # samples labels-in-text and labels-in-braces
        return read_keywords(text, spec) or None
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
