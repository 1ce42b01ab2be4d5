"""Checks whether a call's arguments fit the tool's schema, and repairs what can be repaired without loss.

A value that fits stays as it is, except a date that the schema wants in another format. One that does not fit is
converted if nothing is lost, with a note; else it stays, with an error for the model. No default is added. Each value
meets each schema once, so the work is linear.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import Any, NamedTuple, TypeAlias

from langchain_toolemu.validation import json_values
from langchain_toolemu.validation.schema import CompiledSchema, Shape

_Remark: TypeAlias = tuple[tuple[Any, ...], str]  # where in the value, and what is to be said of it

_SEVERAL = re.compile(r"[,;\n]")
_SEPARATORS = re.compile(r"[\s\\_.\-]+")

_DEEPEST = 100
_MOST_REMARKS = 20
_MOST_NAMES = 20
_LONGEST_PATH = 120


@dataclass(frozen=True, slots=True)
class FitResult:
    """The result of fitting arguments to a schema."""

    args: dict[str, Any]
    notes: tuple[str, ...]  # such as `days: "5" -> 5`
    errors: tuple[str, ...]  # such as `days: expected integer, got "soon"`


def fit(
    args: Mapping[str, Any],
    parameters: Mapping[str, Any] | CompiledSchema,
    *,
    respells_dates: bool = True,
) -> FitResult:
    """Fit a call's arguments to the tool's schema without losing anything: the very same where nothing is to be changed."""
    schema = parameters if isinstance(parameters, CompiledSchema) else CompiledSchema(parameters)
    outcome = _Fitting(schema, respells_dates).outcome(args, schema.root, 0)
    value = outcome.value if type(outcome.value) is dict else dict(outcome.value)
    value = json_values.without_spellings(value)
    return FitResult(value, _in_words(outcome.notes), _in_words(outcome.errors))


def fold_name(name: str) -> str:
    """A name without case and separators, which models spell differently."""
    return _SEPARATORS.sub("", name).casefold()


class _Outcome(NamedTuple):
    """The result of fitting one value; paths start at the value."""

    value: Any
    notes: Sequence[_Remark] = ()
    errors: Sequence[_Remark] = ()
    changed: bool = False
    foreign: bool = False  # it is not even of the kind


@dataclass(slots=True, eq=False)
class _Contents:
    notes: list[_Remark] = field(default_factory=list)
    errors: list[_Remark] = field(default_factory=list)
    changed: bool = False

    def add(self, step: Any, outcome: _Outcome) -> Any:
        if outcome.notes:
            _extend(self.notes, step, outcome.notes)
        if outcome.errors:
            _extend(self.errors, step, outcome.errors)
        self.changed |= outcome.changed
        return outcome.value

    def outcome(self, original: Any, rebuilt: Any) -> _Outcome:
        value = rebuilt if self.changed else original
        return _Outcome(value, self.notes, self.errors, self.changed)


def _extend(remarks: list[_Remark], step: Any, further: Sequence[_Remark]) -> None:
    # One more than is reported, to know that there are more.
    room = _MOST_REMARKS + 1 - len(remarks)
    remarks += [((step, *path), text) for path, text in further[:room]]


@dataclass(slots=True, eq=False)
class _Fitting:
    """Fits one value to one schema. It recurses into the value, never into the schema."""

    _schema: CompiledSchema
    _respells_dates: bool
    # The value is kept with its outcome: an id is only good while its object lives.
    _known: dict[tuple[int, int, int], tuple[Any, _Outcome]] = field(default_factory=dict)
    _texts: dict[tuple[str, str], Any] = field(default_factory=dict)

    def outcome(self, value: Any, schema: Any, depth: int) -> _Outcome:
        if schema is None or schema is True:
            return _Outcome(value)
        if depth > _DEEPEST:
            return _wrong(value, f"nested deeper than {_DEEPEST} levels")
        shapes, spelling = self._schema.piece(schema)
        if spelling and self._respells_dates and isinstance(value, str):
            day = json_values.respell_date(value, spelling)
            respelt = self.outcome(day, schema, depth) if day != value else None
            # An enumeration or a pattern may want the date as it was written, whatever the description says.
            if respelt and not respelt.errors:
                return _with_respelling(value, day, respelt)
        if len(shapes) == 1:
            return self._as_shape(value, shapes[0], depth)
        # Without a memory, unions within unions would try everything below them again and again.
        key = (id(value), id(schema), depth)
        if key not in self._known:
            # `map`, not a comprehension: it takes no frame.
            outcomes = list(map(self._as_shape, repeat(value), shapes, repeat(depth)))
            self._known[key] = (value, self._choose(value, shapes, outcomes))
        return self._known[key][1]

    def _as_shape(self, value: Any, shape: Shape, depth: int) -> _Outcome:
        given, type_ = value, json_values.json_type(value)
        if not shape.takes(value, type_):
            given = json_values.respell(self._convert(value, shape.type), shape.members)
            type_ = json_values.json_type(given)
        if given is json_values.NOTHING:
            return self._wrap_item(value, shape, depth)
        if type_ == "object":
            inner = self._object(given, shape, depth)
        elif type_ == "array":
            inner = self._array(given, shape, depth)
        else:
            inner = _Outcome(given)
        if shape.limits and (misses := _misses(inner.value, shape)):
            inner = inner._replace(errors=[*misses, *inner.errors])
        return inner if given is value else _with_respelling(value, inner.value, inner)

    def _convert(self, value: Any, type_: str | None) -> Any:
        if type_ not in ("object", "array") or not isinstance(value, str):
            return json_values.convert(value, type_)
        if (type_, value) not in self._texts:
            self._texts[type_, value] = json_values.convert(value, type_)
        return self._texts[type_, value]

    def _wrap_item(self, value: Any, shape: Shape, depth: int) -> _Outcome:
        """A scalar or an object as the only item of an array of such."""
        items = shape.of_index(0)
        shapes = self._schema.shapes(items) if shape.type == "array" else ()
        is_object = isinstance(value, Mapping)
        may_be = _is_object_item(value, shapes) if is_object else _is_item(value)
        if shapes and may_be and all(item_shape.type is not None for item_shape in shapes):
            inner = self.outcome(value, items, depth + 1)
            wrapped = [inner.value]
            same = isinstance(inner.value, Mapping) if is_object else _is_item(inner.value)
            clean = not inner.errors and same and shape.takes(wrapped, "array")
            if clean and not _misses(wrapped, shape):
                notes = [((0, *path), text) for path, text in inner.notes if path]
                return _with_respelling(value, wrapped, _Outcome(wrapped, notes))
        return _foreign(value, [shape])

    def _array(self, value: Sequence[Any], shape: Shape, depth: int) -> _Outcome:
        if shape.items is None and not shape.prefix:
            return _Outcome(value)
        contents, rebuilt = _Contents(), []
        for index, item in enumerate(value):
            outcome = self.outcome(item, shape.of_index(index), depth + 1)
            rebuilt.append(contents.add(index, outcome))
        return contents.outcome(value, rebuilt)

    def _object(self, value: Mapping[str, Any], shape: Shape, depth: int) -> _Outcome:
        contents, rebuilt, renamed = _Contents(), {}, _find_renames(value, shape)
        for name, item in value.items():
            meant = renamed.get(name, name)
            if meant is not name:
                contents.add(name, _Outcome(item, [((), f"renamed to {meant}")], changed=True))
            schema = shape.of_name(meant)
            if item is None and meant not in shape.required and not self._takes_null(schema):
                contents.add(meant, _Outcome(None, [((), "null left out")], changed=True))
                continue
            undeclared = _check_declared(meant, item, schema, shape)
            outcome = undeclared or self.outcome(item, schema, depth + 1)
            rebuilt[meant] = contents.add(meant, outcome)
        for name in shape.required:
            if name not in rebuilt:
                contents.add(name, _wrong(None, "required, but missing"))
        return contents.outcome(value, rebuilt)

    def _takes_null(self, schema: Any) -> bool:
        """Whether null is a value here. If not, an optional argument that is null is left out."""
        if not isinstance(schema, Mapping):
            return True
        return any(shape.takes(None, "null") for shape in self._schema.shapes(schema))

    def _choose(self, value: Any, shapes: Sequence[Shape], found: Sequence[_Outcome]) -> _Outcome:
        clean = [outcome for outcome in found if not outcome.errors]
        if as_it_is := [outcome for outcome in clean if not outcome.changed]:
            return min(as_it_is, key=lambda outcome: len(outcome.notes))
        if not clean:
            return self._closest(value, shapes, found)
        if other := next((outcome for outcome in clean if outcome.value != clean[0].value), None):
            meanings = f"{json_values.show(clean[0].value)} or {json_values.show(other.value)}"
            return _wrong(value, f"{json_values.show(value)} could be read as {meanings}")
        return clean[0]

    def _closest(self, value: Any, shapes: Sequence[Shape], found: Sequence[_Outcome]) -> _Outcome:
        """The errors of the shape that was probably meant, if none fits."""
        near = [pair for pair in zip(shapes, found, strict=True) if not pair[1].foreign]
        if not near:
            return _foreign(value, shapes)
        if len(near) == 1:
            return near[0][1]
        strays = [self._strays(*pair) for pair in near]
        if common := set.intersection(*strays):
            return self._wrong_tag(value, min(common, key=str), near)
        true_tagged = [pair for pair, names in zip(near, strays, strict=True) if not names]
        closest = min(true_tagged or near, key=lambda pair: len(pair[1].errors))
        return _Outcome(value, errors=closest[1].errors)

    def _strays(self, shape: Shape, outcome: _Outcome) -> set[str]:
        """The names whose value is none of their constants, which tell a union's members apart."""
        value = outcome.value if isinstance(outcome.value, Mapping) else {}
        strays = set()
        for name, schema in (shape.properties or {}).items():
            first = self._schema.shapes(schema)[:1] if name in value else ()
            constants = any(shape.members is not None for shape in first)
            kind = json_values.json_type(value.get(name))
            if constants and not any(shape.takes(value[name], kind) for shape in first):
                strays.add(name)
        return strays

    def _wrong_tag(self, value: Any, tag: str, near: Sequence[tuple[Shape, _Outcome]]) -> _Outcome:
        shapes = [tagged for shape, _ in near for tagged in self._schema.shapes(shape.of_name(tag))]
        wrong = _foreign(near[0][1].value[tag], shapes)
        return _Outcome(value, errors=[((tag,), text) for _, text in wrong.errors])


def _with_respelling(value: Any, new: Any, inner: _Outcome) -> _Outcome:
    note = ((), f"{json_values.show(value)} -> {json_values.show(new)}")
    return inner._replace(value=new, notes=[note, *inner.notes], changed=True)


def _wrong(value: Any, words: str) -> _Outcome:
    return _Outcome(value, errors=[((), words)])


def _foreign(value: Any, shapes: Sequence[Shape]) -> _Outcome:
    expected = f"expected {_expectation(shapes)}, got {json_values.show(value)}"
    return _wrong(value, expected if shapes else "no value is allowed")._replace(foreign=True)


def _expectation(shapes: Sequence[Shape]) -> str:
    members = {key: member for shape in shapes for key, member in (shape.members or {}).items()}
    shown = _some(json_values.show(member) for member in members.values())
    types = dict.fromkeys(str(shape.type) for shape in shapes if shape.members is None)
    listed = [f"one of {shown}" if len(members) > 1 else shown] if members else []
    return " or ".join([*listed, *types])


def _unknown(shape: Shape) -> str:
    names = _some(str(name) for name in shape.properties or ())
    return f"no such argument; expected {f'one of {names}' if names else 'none'}"


def _some(words: Iterable[str]) -> str:
    first = list(islice(words, _MOST_NAMES + 1))
    return ", ".join([*first[:_MOST_NAMES], *["..." for _ in first[_MOST_NAMES:]]])


def _check_declared(name: str, value: Any, schema: Any, shape: Shape) -> _Outcome | None:
    """The outcome for an undeclared name; `None` if it is declared."""
    if schema is False and not shape.knows(name):
        return _wrong(value, _unknown(shape))
    if schema is None and shape.properties is not None:
        return _Outcome(value, [((), _unknown(shape))])
    return None


def _misses(value: Any, shape: Shape) -> Sequence[_Remark]:
    type_ = json_values.json_type(value)
    return [((), words) for limit in shape.limits if (words := limit.miss(value, type_))]


def _is_item(value: Any) -> bool:
    """Whether a scalar may stand for an array of one: not a broken array, nor a text of several items."""
    if isinstance(value, str):
        text = value.strip()
        return bool(text) and not text.startswith("[") and not _SEVERAL.search(text)
    return json_values.json_type(value) in ("integer", "number", "boolean")


def _is_object_item(value: Mapping[str, Any], shapes: Sequence[Shape]) -> bool:
    """Whether an object may stand for an array of one: it has a name of the items, or they have none and it holds no array."""
    if any(shape.knows(name) for shape in shapes for name in value):
        return True
    is_open = all(shape.type == "object" and shape.properties is None for shape in shapes)
    return is_open and bool(value) and not any(isinstance(item, list) for item in value.values())


def _find_renames(value: Mapping[str, Any], shape: Shape) -> Mapping[str, str]:
    """Undeclared names that can only mean one missing declared name, mapped to that name."""
    if not shape.properties or isinstance(shape.additional, Mapping):
        return {}
    if value.keys() <= shape.properties.keys():
        return {}
    strange = _by_fold(name for name in value if not shape.knows(name))
    if not strange:
        return {}
    # Where any name is welcome, one is another's misspelling only if that is missing.
    meant = shape.required if shape.additional is True else shape.properties
    absent = _by_fold(name for name in meant if name not in value)
    return {strange[fold]: absent[fold] for fold in strange if fold in absent}


def _by_fold(names: Iterable[str]) -> dict[str, str]:
    """Names by their folded form, if that is unique."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(fold_name(str(name)), []).append(name)
    return {fold: names[0] for fold, names in found.items() if fold and len(names) == 1}


def _in_words(remarks: Sequence[_Remark]) -> tuple[str, ...]:
    if not remarks:
        return ()
    lines = [f"{_where(path)}: {text}" if path else text for path, text in remarks]
    more = len(lines) > _MOST_REMARKS
    return (*lines[:_MOST_REMARKS], "... and more") if more else tuple(lines)


def _where(path: tuple[Any, ...]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    whole = "".join(steps).removeprefix(".")
    return whole if len(whole) <= _LONGEST_PATH else f"{whole[:_LONGEST_PATH]}..."
