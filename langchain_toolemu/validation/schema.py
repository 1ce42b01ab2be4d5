"""What a schema allows: `$ref`, `allOf`, `anyOf`, type lists, `nullable` and implied types, flattened.

A schema becomes a tuple of `Shape`s; a value fits if it fits one of them. Nothing here raises. Malformed or unknown
keywords (`not`, `if`) are ignored: the tool's own validation follows ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import unquote

from langchain_toolemu.validation.json_values import (
    JSON_TYPES,
    JsonType,
    Members,
    admits,
    date_format,
    is_number,
    json_identity,
    json_type,
)
from langchain_toolemu.validation.limits import Limit, Pattern, read_limits

Parts: TypeAlias = tuple[Mapping[str, Any], ...]
Ids: TypeAlias = tuple[int, ...]
TypeChoice: TypeAlias = tuple[JsonType | None, Members | None]

# Python's own names, in the Berkeley data and in tools written by hand.
_PYTHON_TYPES = {
    "str": "string", "float": "number", "int": "integer", "bool": "boolean", "dict": "object",
    "list": "array", "tuple": "array", "none": "null",
}  # fmt: skip
_TYPES = {**{name: name for name in JSON_TYPES}, **_PYTHON_TYPES}
_NULL = {"type": "null"}
_IMPLIED = {"properties": "object", "items": "array", "prefixItems": "array"}
_POINTERS = {"$ref", "allOf", "anyOf", "oneOf", "nullable", "title", "description", "default"}
_MOST_WAYS = 256  # through one schema: `allOf` over several `anyOf`s multiplies
_MOST_STEPS = 4_000
_DEEPEST = 60  # combinators within combinators, about one value


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One way a value may look."""

    type: JsonType | None  # `None`: any
    members: Members | None  # of `enum` and `const`, by their identity
    properties: Mapping[str, Any] | None  # by name; `None`: the schema names nothing
    patterns: tuple[tuple[Pattern, Any], ...]  # schemas of the names that match
    additional: Any  # the schema of every other name; `None`: nothing is said of them
    required: tuple[str, ...]
    prefix: tuple[Any, ...]  # the schemas of the first items
    items: Any  # the schema of the items after those
    limits: tuple[Limit, ...]
    format: str | None = None  # shown to a model, and not checked

    def takes(self, value: Any, kind: JsonType | None) -> bool:
        """Whether type and enumeration allow the value, whatever it contains."""
        if not admits(self.type, kind):
            return False
        return self.members is None or json_identity(value) in self.members

    def knows(self, name: str) -> bool:
        """Whether the schema mentions this name."""
        matches = any(pattern.matches(str(name)) for pattern, _ in self.patterns)
        return matches or name in (self.properties or ())

    @property
    def is_open(self) -> bool:
        """Whether an object may hold names that the schema does not mention."""
        if self.type not in (None, "object") or self.additional is False:
            return False
        return self.properties is None or self.additional is not None or bool(self.patterns)

    def of_name(self, name: str) -> Any:
        """The schema of the value under this name; `None` if there is none."""
        if self.properties and name in self.properties:
            return self.properties[name]
        found = [schema for pattern, schema in self.patterns if pattern.matches(str(name))]
        return _all_of(found) if found else self.additional

    def of_index(self, index: int) -> Any:
        """The schema of the item at this place."""
        return self.prefix[index] if index < len(self.prefix) else self.items


class CompiledSchema:
    """A schema with its references, flattened on demand. Threads may share it."""

    def __init__(self, root: Any) -> None:
        self.root = root
        # By id, with the schema kept next to it: an id is only good for as long as its object lives.
        self._pieces: dict[int, tuple[Any, tuple[Shape, ...], str | None]] = {}
        self._merged: dict[Ids, tuple[Parts, tuple[Shape, ...]]] = {}

    def shapes(self, schema: Any) -> tuple[Shape, ...]:
        """All shapes that a value may have; empty if nothing can fit."""
        return self.piece(schema)[0]

    def piece(self, schema: Any) -> tuple[tuple[Shape, ...], str | None]:
        """The shapes of a schema, and its date format."""
        if (known := self._pieces.get(id(schema))) is None:
            ways = self._ways(schema, (), iter(range(_MOST_STEPS)))
            if ways is None:
                ways = [()]  # a schema that only leads back to itself says nothing
            shapes = tuple(shape for parts in ways for shape in self._merge(parts))
            known = self._pieces[id(schema)] = (schema, shapes, date_format(schema))
        return known[1:]

    def annotation(self, schema: Any, keyword: str) -> Any:
        """The value of an annotation such as `default`, in a schema or its references."""
        left, seen = [schema], set[int]()
        while left:
            part = left.pop(0)
            # A part may be referred to from many places, and from itself.
            if not isinstance(part, Mapping) or id(part) in seen:
                continue
            if part.get(keyword) is not None:
                return part[keyword]
            seen.add(id(part))
            referred = [resolve(self.root, part["$ref"])] if "$ref" in part else []
            left = [*referred, *_list(part.get("allOf")), *left]
        return None

    def _merge(self, parts: Parts) -> tuple[Shape, ...]:
        # The same parts give the same shapes, or a recursive schema with `allOf` would never close.
        key = _ids(parts)
        if key not in self._merged:
            self._merged[key] = (parts, tuple(_read_shapes(parts)))
        return self._merged[key][1]

    def _ways(self, schema: Any, trail: Ids, steps: Iterator[int]) -> list[Parts] | None:
        """All choices through the `anyOf`s, each as the parts it joins; `None` for a circular reference."""
        if schema is False:
            return []
        exhausted = next(steps, None) is None
        if not isinstance(schema, Mapping) or len(trail) > _DEEPEST or exhausted:
            return [()]
        if id(schema) in trail:
            return None
        # What only points elsewhere is no part: recursion through it would never look the same.
        ways: list[Parts] = [(schema,) if schema.keys() - _POINTERS else ()]
        for group in self._groups(schema):
            further = self._either(group, (*trail, id(schema)), steps)
            if further is None:
                return None
            ways = _cross(ways, further)
        return [*ways, (_NULL,)] if schema.get("nullable") is True else ways

    def _groups(self, schema: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
        if "$ref" in schema:
            yield [resolve(self.root, schema["$ref"])]
        yield from ([part] for part in _list(schema.get("allOf")))
        yield from filter(None, (_list(schema.get(word)) for word in ("anyOf", "oneOf")))

    def _either(self, group: Sequence[Any], trail: Ids, steps: Iterator[int]) -> list[Parts] | None:
        found = [ways for part in group if (ways := self._ways(part, trail, steps)) is not None]
        ways = list({_ids(parts): parts for branch in found for parts in branch}.values())
        if len(ways) > _MOST_WAYS:
            return [()]
        return ways if found else None


def property_names(schema: Any) -> Iterator[str]:
    """The names of all properties in a schema, at any depth."""
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            properties = part.get("properties")
            if isinstance(properties, Mapping):
                yield from (str(name) for name in properties)
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)


def _ids(parts: Parts) -> Ids:
    return tuple(map(id, parts))


def _cross(ways: list[Parts], further: list[Parts]) -> list[Parts]:
    """Each way combined with each further one; common parts only once."""
    if len(ways) * len(further) > _MOST_WAYS:
        return ways
    both = ((*some, *more) for some in ways for more in further)
    return [tuple({id(part): part for part in parts}.values()) for parts in both]


def resolve(root: Any, ref: Any) -> Any:
    """The target of a local reference; `True`, which allows everything, if there is none."""
    if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
        return True
    found = root
    for token in unquote(ref).split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            found = {str(index): item for index, item in enumerate(found)}
        if not isinstance(found, Mapping) or name not in found:
            return True
        found = found[name]
    return found


def _read_shapes(parts: Parts) -> Iterator[Shape]:
    longest = max((len(_tuple_items(part)) for part in parts), default=0)
    required = [name for part in parts for name in _list(part.get("required"))]
    for type_, members in _choices(_types(parts), _members(parts)):
        yield Shape(
            type=type_,
            members=members,
            properties=_properties(parts),
            patterns=tuple(_patterns(parts)),
            additional=_additional(parts),
            required=tuple(dict.fromkeys(name for name in required if isinstance(name, str))),
            prefix=tuple(_items(parts, index) for index in range(longest)),
            items=_items(parts, None),
            limits=tuple(limit for part in parts for limit in read_limits(part)),
            format=next((str(part["format"]) for part in parts if part.get("format")), None),
        )


def _choices(types: Sequence[JsonType] | None, members: Members | None) -> list[TypeChoice]:
    if members is None:
        return [(type_, None) for type_ in ((None,) if types is None else types)]
    found = (json_type(member) for member in members.values())
    own = dict.fromkeys("number" if is_number(type_) else type_ for type_ in found if type_)
    # An enumeration that its type contradicts (`integer`, ["1", "2"]) is believed over the type.
    return (types and _typed(types, members)) or _typed(list(own), members)


def _typed(types: Sequence[JsonType], members: Members) -> list[TypeChoice]:
    types_of = {key: json_type(member) for key, member in members.items()}
    kept = ((type_, [key for key in members if admits(type_, types_of[key])]) for type_ in types)
    return [(type_, {key: members[key] for key in keys}) for type_, keys in kept if keys]


def _types(parts: Parts) -> Sequence[JsonType] | None:
    left: Sequence[JsonType] | None = None
    for part in parts:
        if (stated := _stated_types(part)) is not None:
            left = stated if left is None else _common(left, stated)
    if left is not None:
        return left
    implied = {type_ for word, type_ in _IMPLIED.items() if any(word in part for part in parts)}
    return tuple(implied) if len(implied) == 1 else None


def _common(some: Sequence[JsonType], more: Sequence[JsonType]) -> Sequence[JsonType]:
    narrow = [b if admits(a, b) else a for a in some for b in more if admits(a, b) or admits(b, a)]
    return tuple(dict.fromkeys(narrow))


def _stated_types(part: Mapping[str, Any]) -> Sequence[JsonType] | None:
    stated = part.get("type")
    words = stated if isinstance(stated, list | tuple) else [stated]
    # Google's schemas write types in capitals.
    types = [_TYPES.get(word.lower()) if isinstance(word, str) else None for word in words]
    # An unknown type may be anything.
    return tuple(filter(None, types)) if types and None not in types else None


def _members(parts: Parts) -> Members | None:
    left: Members | None = None
    for part in parts:
        for listed in (_list(part.get("enum")), [part["const"]] if "const" in part else ()):
            if listed:
                here = {json_identity(value): value for value in listed}
                left = here if left is None else {key: left[key] for key in left if key in here}
    return left


def _properties(parts: Parts) -> Mapping[str, Any] | None:
    stated = [part["properties"] for part in parts if isinstance(part.get("properties"), Mapping)]
    names = dict.fromkeys(name for properties in stated for name in properties)
    found = {name: [own[name] for own in stated if name in own] for name in names}
    return {name: _all_of(found[name]) for name in names} if stated else None


def _patterns(parts: Parts) -> Iterator[tuple[Pattern, Any]]:
    for part in parts:
        stated = part.get("patternProperties")
        for source, schema in stated.items() if isinstance(stated, Mapping) else ():
            if pattern := Pattern.read(source):
                yield pattern, schema


def _additional(parts: Parts) -> Any:
    """The schema of undeclared names, after merging all parts."""
    words = ("additionalProperties", "unevaluatedProperties")
    stated = [part[word] for part in parts for word in words if word in part]
    if any(schema is False for schema in stated):
        return False
    if schemas := [schema for schema in stated if isinstance(schema, Mapping) and schema]:
        return _all_of(schemas)
    return True if any(schema is True or schema == {} for schema in stated) else None


def _items(parts: Parts, index: int | None) -> Any:
    """The schema of one item, or, without an index, of those after the prefix."""
    schemas = [schema for part in parts if (schema := _item(part, index)) is not None]
    return _all_of(schemas) if schemas else None


def _item(part: Mapping[str, Any], index: int | None) -> Any:
    first = _tuple_items(part)
    if index is not None and index < len(first):
        return first[index]
    # Up to draft 7 a list of `items` was what `prefixItems` is now.
    return part.get("additionalItems" if isinstance(part.get("items"), list) else "items")


def _tuple_items(part: Mapping[str, Any]) -> Sequence[Any]:
    return _list(part.get("prefixItems")) or _list(part.get("items"))


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _all_of(schemas: Sequence[Any]) -> Any:
    return schemas[0] if len(schemas) == 1 else {"allOf": schemas}
