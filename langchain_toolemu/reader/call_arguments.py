"""The arguments of one call: which value belongs to which name.

The tool's schema decides; nothing is guessed. A description of a tool is not a call. If a bracket
is missing and an argument may belong to two containers, the call is refused. Types are left to
validation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.reader.literals import texts
from langchain_toolemu.reader.vocabulary import ARGUMENT_KEYS, fold
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation.schema import property_names

SCHEMA = "it repeats the tool's schema"

_LABEL = re.compile(r"(?:\{\s*)?[\"'`*]*([\w.-]+)[\"'`*]*\s*:(?!//)")
_OBJECT = re.compile(r"[\s:]*\{{1,2}[\"']")
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object"})


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A call found in a value: its name as written, its tool, and its arguments."""

    written: str  # empty for a member of a list of calls that is not a call
    spec: ToolSpec | None
    args: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    fault: str = ""  # why it cannot be a call although it names one
    echo: bool = False  # whether it only describes the tool
    bare: bool = False  # whether it only names the tool, which needs arguments
    stated: bool = False  # whether it states a call that cannot be run

    @property
    def meant(self) -> bool:
        """Whether a bound tool was meant to be called."""
        return self.spec is not None and not (self.echo or self.bare)

    @property
    def lacks(self) -> bool:
        """Whether a required argument is missing."""
        return self.spec is not None and not set(self.spec.required) <= set(self.args)


def found_call(
    written: str,
    spec: ToolSpec,
    given: Any,
    *,
    others: Mapping[str, Any] | None = None,
    bare_name: bool = False,
    described: bool = False,
) -> FoundCall:
    """A bound tool's call with its arguments as they were given: an object, a string, nothing.

    `others`: arguments next to these. `bare_name`: only the name was given. `described`: a
    description was given, too.
    """
    args = _unwrapped(as_object(given, spec), spec)
    if args is None:
        return FoundCall(written, spec, {}, fault="its arguments are not an object")
    if bare_name and (spec.required or described):
        return FoundCall(written, spec, {}, fault="it has no arguments", echo=described, bare=True)
    if is_schema(args, spec):
        return FoundCall(written, spec, {}, fault=SCHEMA, echo=True)
    # Every value is but the name of its own type; a single one may be meant. Sample
    # types-as-values.
    if len(args) > 1 and all(_is_type(args[key], spec, key) for key in args):
        return FoundCall(written, spec, {}, fault="types are in the place of values", echo=True)
    notes = [] if written == spec.name else [f"name {written!r} read as {spec.name!r}"]
    if others and not others.keys() <= args.keys():
        args = {**args, **{key: value for key, value in others.items() if key not in args}}
        notes.append("arguments next to the others were taken in")
    if "\\_" in " ".join((written, *args)):
        args = _without_markdown(args)
        notes.append("markdown escapes were taken out")
    return FoundCall(written, spec, args, tuple(notes))


def _unwrapped(args: dict[str, Any] | None, spec: ToolSpec) -> dict[str, Any] | None:
    """Arguments that are once more inside `arguments`, `input` or a schema.

    Samples arguments-in-arguments, values-in-a-schema.
    """
    around = {"type", "required"} if args and "properties" in args else set()
    if args is None or len(args.keys() - around) != 1:
        return args
    [key] = args.keys() - around
    if key in spec.properties or fold(key) not in {**ARGUMENT_KEYS, "properties": None}:
        return args
    inner = as_object(args[key], spec) if isinstance(args[key], (dict, str)) else None
    described = {"type", "description"}
    types = [
        bool(described & value.keys()) if isinstance(value, dict) else _is_type(value, spec, name)
        for name, value in (inner or {}).items()
    ]
    is_echo = not inner or is_schema(inner, spec) or (key == "properties" and all(types))
    return inner if inner and resembles(inner, spec) and not is_echo else args


def resembles(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether an object looks like a tool's arguments: all known, or none missing."""
    known, given = set(map(fold, spec.properties)), set(map(fold, args))
    return given <= known or (bool(known & given) and set(map(fold, spec.required)) <= given)


def hold_arguments(value: Any, spec: ToolSpec, key: str) -> bool:
    """Whether a value holds all arguments, although its key, `arguments`, is a parameter, too."""
    text = isinstance(value, str) and value.lstrip().startswith("{")
    args = as_object(value, spec) if text or isinstance(value, dict) else None
    if not args:
        return args is not None and key not in spec.required
    return resembles(args, spec)


def are_known(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether a tool declares all these arguments."""
    return set(map(fold, args)) <= set(map(fold, spec.properties))


def fits(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether an object can be a tool's arguments: all that are required, none unknown."""
    known = set(spec.properties)
    return known.issuperset(args) and set(spec.required) <= set(args) and not is_schema(args, spec)


def as_object(given: Any, spec: ToolSpec) -> dict[str, Any] | None:
    """Arguments as an object, however they were given; `None` if they cannot be one."""
    if isinstance(given, str) and given.strip():
        return _from_text(given, spec)
    if given is None or given == "" or (given == [] and not spec.properties):  # sample empty-list
        return {}
    if isinstance(given, list) and len(given) == 1 and isinstance(given[0], dict):
        given = given[0]
    if isinstance(given, dict):
        return given
    return _as_only_argument(given, spec)


def _from_text(text: str, spec: ToolSpec) -> dict[str, Any] | None:
    """Arguments that were written as a string of JSON, or as the text of the only one."""
    value = texts.read_whole(text, frozenset(spec.properties))
    if isinstance(value, str) and value.lstrip().startswith("{"):  # sample json-in-json
        return _from_text(value, spec)
    alone = _as_only_argument(text, spec)
    if isinstance(value, dict) and (alone is None or resembles(value, spec)):
        return value
    if isinstance(value, texts.Unread) and _OBJECT.match(text):
        return None  # a broken one
    label = _LABEL.match(text.lstrip())
    if label and label[1] in spec.properties:  # samples labels-in-text and labels-in-braces
        return texts.read_keywords(text, spec) or None
    return texts.read_keywords(text, spec) or alone


def _as_only_argument(given: Any, spec: ToolSpec) -> dict[str, Any] | None:
    """A bare value, where the tool takes a single argument or needs a single one."""
    names = list(spec.properties)
    if len(names) != 1:
        names = [name for name in spec.required if name in spec.properties]
    if len(names) != 1:
        return None
    [name] = names
    listed = isinstance(given, list) and len(given) == 1
    if listed and spec.kinds_of(name) == {"string"}:
        given = given[0]  # sample react-list-of-one
    return {name: texts.read_typed(given, spec, name) if isinstance(given, str) else given}


def _is_type(value: Any, spec: ToolSpec, key: str) -> bool:
    return isinstance(value, str) and value in _TYPES and value in spec.kinds_of(key)


def is_schema(args: Mapping[str, Any], spec: ToolSpec) -> bool:
    """Whether the model echoed the schema in place of arguments. Sample schema-echo."""
    for word in ("properties", "parameters"):
        if isinstance(args.get(word), dict) and word not in spec.properties:
            return True
    for key, value in args.items():
        described = isinstance(value, dict) and ("type" in value or "anyOf" in value)
        if not described or spec.kinds_of(key) & {None, "object"}:
            return False
    return bool(args)


def may_be_misplaced(found: Sequence[FoundCall], root: Any) -> bool:
    """Whether an argument may belong elsewhere, since a bracket is missing."""
    if isinstance(root, list) and len(root) != len([call for call in found if call.written]):
        return True
    lists = [part for call in found for part in _containers(call.args) if isinstance(part, list)]
    # Items of different depth or kind, as in `[[1, 2, [3, 4]]]`.
    uneven = [1 for part in lists if len({(isinstance(i, dict), _depth(i)) for i in part}) > 1]
    return bool(uneven) or any(map(_slid_inwards, found))


def _slid_inwards(call: FoundCall) -> bool:
    """Whether an object inside an argument holds a key that is an argument itself.

    Sample missing-inner-brace.
    """
    if call.spec is None:
        return False
    for name, value in call.args.items():
        declared = set(property_names(call.spec.properties.get(name)))
        inside = {key for part in _containers(value) if isinstance(part, Mapping) for key in part}
        if inside & (set(call.spec.properties) - declared):
            return True
    return not set(call.args) <= set(call.spec.properties)


def _depth(value: Any) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _containers(value: Any) -> Iterator[Any]:
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, (Mapping, list)):
            yield part
            pending.extend(part.values() if isinstance(part, Mapping) else part)


def _without_markdown(value: Any) -> Any:
    r"""A value without the escapes in its names and strings, where a name has `\_`.

    Sample markdown-escapes.
    """
    if isinstance(value, dict):
        return {_without_markdown(key): _without_markdown(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_markdown(item) for item in value]
    return value.replace("\\_", "_") if isinstance(value, str) and "\\_" in value else value
