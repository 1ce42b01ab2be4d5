"""Finds the calls that a parsed value states: the bound tool's name, and the arguments next to it.

An unknown name is reported; the caller decides whether a call was meant. If a call is forced, an
object without a name may be the arguments of the forced tool: the tool's schema decides.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from langchain_toolemu.reader import call_arguments
from langchain_toolemu.reader import vocabulary as words
from langchain_toolemu.reader.call_arguments import FoundCall, fits, found_call, is_schema
from langchain_toolemu.reader.literals.texts import read_whole
from langchain_toolemu.reader.vocabulary import ARGUMENT_KEYS, NAME_KEYS, UNKNOWN_KEYS, fold
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation import fit

Resolve: TypeAlias = Callable[[str], ToolSpec | None]
Object: TypeAlias = Mapping[str, Any]

_EMPTY: tuple[Any, ...] = (None, "", {}, [])
_TITLE = re.compile(r"[^\W_][^\n{}]{0,79}\Z")
_TOOL_NAME = re.compile(r"[A-Za-z_][\w.:/-]{0,63}\Z")


class ForcedTools:
    """The tools of which one must be called; empty if no call is forced."""

    def __init__(self, specs: Sequence[ToolSpec] = ()) -> None:
        self.specs = specs
        self.only = specs[0] if len(specs) == 1 else None

    @cached_property
    def _tools(self) -> Sequence["_ForcedTool"]:
        return [_ForcedTool(spec) for spec in self.specs]

    def find_declaring(self, args: Object) -> ToolSpec | None:
        """The only tool that declares all these names; of several, if the values fit, too."""
        declaring = (tool for tool in self._tools if tool.declares(args))
        found = [tool for tool in declaring if self.only or (args and tool.fits(args))]
        return found[0].spec if len(found) == 1 else None

    def find_taking(self, args: Object) -> ToolSpec | None:
        """The only tool that accepts these arguments; of several, the one that declares most."""
        if self.only:
            return self.only if self._tools[0].takes(args) else None
        most = max((tool.count(args) for tool in self._tools), default=0)
        most_declaring = (tool for tool in self._tools if most and tool.count(args) == most)
        best = [tool for tool in most_declaring if tool.fits(args)]
        return best[0].spec if len(best) == 1 else None

    def fits(self, args: Object, spec: ToolSpec) -> bool:
        """Whether these arguments fit one of the forced tools."""
        return any(tool.spec is spec and tool.fits(args) for tool in self._tools)

    def may_hold(self, names: Iterable[str]) -> bool:
        """Whether an incomplete object with these names can only be the one tool's arguments."""
        return self.only is not None and self._tools[0].may_hold(set(names))


NONE_FORCED = ForcedTools()


class _ForcedTool:
    """A forced tool, and all names that its schema mentions."""

    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec
        shapes = spec.schema.shapes(spec.parameters)
        self._names = {name for shape in shapes for name in shape.properties or ()}
        self._is_open = any(shape.is_open for shape in shapes)  # any name may be an argument's

    def declares(self, args: Object) -> bool:
        declares_all = self._names.issuperset(args) and not is_schema(args, self.spec)
        return declares_all if args else self.fits(args)

    def count(self, args: Object) -> int:
        return len(self._names.intersection(args))

    def fits(self, args: Object) -> bool:
        return not (is_schema(args, self.spec) or fit(args, self.spec.schema).errors)

    def takes(self, args: Object) -> bool:
        if self._is_open:
            return not is_schema(args, self.spec)
        return bool(self.count(args)) and self.fits(args)

    def may_hold(self, names: set[str]) -> bool:
        return bool(names) and (self._is_open or names <= self._names)


def find_calls(value: Any, resolve: Resolve, forced: ForcedTools = NONE_FORCED) -> list[FoundCall]:
    """All calls in a value, in order, and the members of a list of calls that are not calls."""
    found: list[FoundCall] = []
    pending = [(value, False)]
    while pending:
        part, listed = pending.pop()
        inner: list[Any] = []
        calls: list[FoundCall] = []
        if isinstance(part, dict):
            inner, calls = _look_into(part, resolve, forced)
        elif isinstance(part, list):
            inner, listed = part, True
        if inner:
            pending.extend([(member, listed) for member in reversed(inner)])
        if listed and not (inner or calls or part in _EMPTY):
            calls = [FoundCall("", None, {}, (), "it names no tool")]
        found.extend(calls)
    if forced.specs and isinstance(value, dict) and not any(c.meant or c.stated for c in found):
        found = _forced_calls(value, resolve, forced) or found
    return found if any(call.written for call in found) else []


def _forced_calls(value: dict[str, Any], resolve: Resolve, forced: ForcedTools) -> list[FoundCall]:
    """The forced call, if an object without a call is its arguments."""
    only = forced.only
    value = _unwrap_arguments(value, forced, only) if only else value
    if only and len(value) == 1:
        [(key, inner)] = value.items()
        if resolve(key) is only and isinstance(inner, dict) and forced.fits(inner, only):
            return [found_call(only.name, only, inner)]
    spec = forced.find_taking(value)
    keys = {fold(key): key for key in value}
    is_call = spec is not None and not _is_made_up_message(value, keys, spec)
    return [found_call(spec.name, spec, value)] if spec and is_call else []


def find_plain_calls(value: Any, resolve: Resolve) -> list[FoundCall]:
    """The calls of a value that holds nothing but `name` and `arguments`."""
    found = []
    for part in value if isinstance(value, list) else [value]:
        match part:
            case {"name": str(name), "arguments": dict(args)} if len(part) == 2:
                unknown = FoundCall(name, None, {}, stated=True)
                found.append(found_call(name, spec, args) if (spec := resolve(name)) else unknown)
            case _:
                return []
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """A name that comes before its arguments."""

    written: str
    certain: bool  # whether what follows is its arguments whatever it looks like
    before: str = ""  # the text of the name, where it may as well be a word of its own
    among: Sequence[ToolSpec] = ()  # where it is only a number, and the arguments tell the tool

    def found(self, args: Any, resolve: Resolve) -> list[FoundCall]:
        """The call with this name and these arguments, unless the arguments are a complete call."""
        fitting = [spec for spec in self.among if isinstance(args, dict) and fits(args, spec)]
        if len(fitting) == 1:  # sample kimi-index
            return [found_call(fitting[0].name, fitting[0], args)]
        spec, inner = resolve(self.written), find_calls(args, resolve)
        stated = any(call.meant for call in inner)
        if spec is None:
            return inner if stated else [FoundCall(self.written, None, {}, stated=self.certain)]
        takes = self.certain or call_arguments.resembles(args, spec)
        if not stated or call_arguments.are_known(args, spec):  # sample argument-names-a-tool
            return [found_call(self.written, spec, args)] if takes else []
        if (takes or not self.before) and any(call.spec is not spec for call in inner):
            return [FoundCall(self.written, spec, {}, (), "it names two tools")]
        return inner


def may_be_listing(root: Any, found: list[FoundCall]) -> bool:
    """Whether a list only names tools, each once. Sample names-alone."""
    if len(found) < 2 or any(call.args for call in found):
        return False
    [members] = root.values() if isinstance(root, dict) and len(root) == 1 else [root]
    if len({call.written for call in found}) < len(found) or not isinstance(members, list):
        return False
    return all(isinstance(m, dict) and [str] == [type(v) for v in m.values()] for m in members)


def _look_into(
    part: dict[str, Any], resolve: Resolve, forced: ForcedTools
) -> tuple[list[Any], list[FoundCall]]:
    """The values inside an object that hold its calls, or the calls it states itself."""
    part = _unwrap_arguments(part, forced, forced.only) if forced.only else part
    keys = {fold(key): key for key in part}
    named = _named(part, keys, resolve)
    if forced.specs and (spec := forced.find_declaring(part)):
        # It may name its tool, rather than give all arguments of the one that was demanded.
        own = named.spec if named else None
        itself = own is spec and named is not None and forced.fits(named.args, spec)
        if own is None or (forced.fits(part, spec) and not itself):
            return [], [found_call(spec.name, spec, part)]
    if _is_made_up_message(part, keys, named.spec if named else None):
        return [], []
    if named and named.spec:
        return [], [named]
    if named and named.written in words.PARALLEL:
        return [value for value in part.values() if isinstance(value, dict)], []
    if inner := [value for key, value in part.items() if _may_hold_calls(key, value)]:
        return [_with_arguments_beside(value, part) for value in inner], []
    return [], [named] if named else _keyed_by_tool(part, resolve)


def _with_arguments_beside(value: Any, part: Object) -> Any:
    """A function whose arguments stand beside it. Sample arguments-beside-function."""
    beside = {key: part[key] for key in part if fold(key) in ARGUMENT_KEYS}
    inside = isinstance(value, dict) and not any(fold(key) in ARGUMENT_KEYS for key in value)
    return {**value, **beside} if inside and "name" in value and len(beside) == 1 else value


def _may_hold_calls(key: str, value: Any) -> bool:
    word = fold(key)
    inner = isinstance(value, dict) and word in words.INNER_KEYS
    return inner or (isinstance(value, dict | list) and word in words.LIST_KEYS)


def _is_made_up_message(part: Object, keys: Mapping[str, str], spec: ToolSpec | None) -> bool:
    """Whether this is a made-up message of a tool or a user. Sample made-up-result."""
    declared = spec.properties if spec else ()  # arguments say nothing about the author
    entries = {word: part[key] for word, key in keys.items() if key not in declared}
    role, kind = entries.get("role"), entries.get("type")
    is_others = isinstance(role, str) and fold(role) not in words.OWN_ROLES
    is_result = isinstance(kind, str) and fold(kind).endswith(words.KINDS_OF_RESULT)
    answers = "content" in keys and not words.RESULT_KEYS.isdisjoint(entries)
    return is_others or is_result or answers


def _unwrap_arguments(part: dict[str, Any], forced: ForcedTools, only: ToolSpec) -> dict[str, Any]:
    """The arguments of the one demanded tool, if they are all that an object holds.

    Sample forced-arguments.
    """
    if len(part) != 1:
        return part
    [(key, value)] = part.items()
    if fold(key) not in ARGUMENT_KEYS or not isinstance(value, dict):
        return part
    if key in only.properties and not call_arguments.hold_arguments(value, only, key):
        return part
    return part if forced.fits(part, only) and not forced.fits(value, only) else value


def _keyed_by_tool(part: Object, resolve: Resolve) -> list[FoundCall]:
    """The calls of `{"tool_name": {...arguments}}`, where every key is a bound tool."""
    calls = []
    for key, value in part.items():
        spec = resolve(key)
        if spec is None and _is_companion(key):
            continue
        if spec is None:
            return []
        takes = isinstance(value, dict) and call_arguments.resembles(value, spec)
        if not value and (value is None or isinstance(value, dict | str)):
            takes = not spec.required
        if not takes:
            return []
        calls.append(found_call(key, spec, value))
    return calls


def _named(part: dict[str, Any], keys: Mapping[str, str], resolve: Resolve) -> FoundCall | None:
    first, bound = None, []
    for word in NAME_KEYS:
        name = part[keys[word]] if word in keys else None
        if isinstance(name, str):
            first = name if first is None else first
            if spec := resolve(name):
                bound.append((keys[word], spec))
    if len(bound) > 1:
        bound = [(k, s) for k, s in bound if all(o in s.properties for o, _ in bound if o != k)]
    elif not bound and first is not None:
        return FoundCall(first, None, {}, stated=_states_call(part, first))
    return _call_of(part, keys, *bound[0]) if len(bound) == 1 else None


def _states_call(part: Object, name: str) -> bool:
    """Whether an object can only be a call, although the tool is unknown."""
    entries = {fold(key): value for key, value in part.items()}
    given = [value for word, value in entries.items() if word in ARGUMENT_KEYS]
    may_be = may_be_unknown(name) and all(may_follow(name, word) for word in entries)
    return may_be and len(given) == 1 and may_be_given(given[0])


def may_be_given(value: Any) -> bool:
    """Whether a value can be an unknown tool's arguments: an object, or one's text."""
    if isinstance(value, str):
        return value.lstrip().startswith("{") and isinstance(read_whole(value), dict)
    return isinstance(value, dict) and not isinstance(value.get("properties"), dict)


def may_be_unknown(name: str) -> bool:
    """Whether a model may have made up a tool with this name; small models use several words."""
    return may_be_tool(name) or bool(_TITLE.match(name))


def may_follow(name: str, word: str) -> bool:
    """Whether a key can be next to the name of an unknown tool."""
    sure = word == "arguments" or word not in ARGUMENT_KEYS
    return word in UNKNOWN_KEYS and (sure or may_be_tool(name))


def may_be_tool(name: str) -> bool:
    """Whether a tool could have this name."""
    return bool(_TOOL_NAME.match(name))


def _call_of(part: Object, keys: Mapping[str, str], name_key: str, spec: ToolSpec) -> FoundCall:
    rest = dict(part)
    written = rest.pop(name_key)
    arguments_key = _argument_key(rest, keys, spec)
    described = "description" in keys
    if arguments_key is None:
        args = {k: v for k, v in rest.items() if k in spec.properties or not _is_companion(k, v)}
        call = found_call(written, spec, args, bare_name=not args, described=described)
        return _with_all(rest, call)
    given = rest.pop(arguments_key)
    is_schema_key = fold(arguments_key) == "parameters"
    if not given and is_schema_key and described:
        return FoundCall(written, spec, {}, (), call_arguments.SCHEMA, echo=True)
    known = [key for key in rest if key.replace("\\_", "_") in spec.properties]
    others = {key: rest[key] for key in known if not _is_companion(key, rest[key])}
    call = found_call(written, spec, given, others=others)  # sample schema-as-arguments
    stated = call.fault == call_arguments.SCHEMA and not is_schema_key
    return _with_all(rest, replace(call, stated=stated))


def _with_all(rest: Object, call: FoundCall) -> FoundCall:
    """The call, refused if the object holds more than was read from it. Sample arguments-twice."""
    for key, value in rest.items():
        if not call.fault and _says_more(key, value, call):
            return replace(call, fault=f"{key!r} would be left out")
    return call


def _says_more(key: str, value: Any, call: FoundCall) -> bool:
    if call.spec is None or key in call.spec.properties or value in _EMPTY:
        return False
    if fold(key) not in ARGUMENT_KEYS:
        return _may_hold_calls(key, value)
    args = call_arguments.as_object(value, call.spec)
    return args is None or not (is_schema(args, call.spec) or args.items() <= call.args.items())


def _is_companion(key: str, value: Any = None) -> bool:
    word = fold(key)
    if word == "type" and isinstance(value, str):
        return fold(value) in words.KINDS_OF_CALL
    return word in words.COMPANION_KEYS or word in NAME_KEYS


def _argument_key(rest: Object, keys: Mapping[str, str], spec: ToolSpec) -> str | None:
    for word in ARGUMENT_KEYS:
        key = keys.get(word)
        if key is None or key not in rest:
            continue
        if key not in spec.properties:
            return key
        flat = {name: value for name, value in rest.items() if name in spec.properties}
        is_flat = len(flat) > 1 and fits(flat, spec)
        if not is_flat and call_arguments.hold_arguments(rest[key], spec, key):
            return key
    return None
