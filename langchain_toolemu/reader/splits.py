"""Where a closing bracket is missing: does it matter which one?

The rule of this room: with a bracket gone, a value may have slid from one container into its
neighbour. The tool's schema tells; where it does not, the call is refused rather than guessed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_toolemu.reader.literals.texts import property_names
from langchain_toolemu.reader.shapes import Found


def may_be_misplaced(found: Sequence[Found], root: Any) -> bool:
    """Whether some argument may belong elsewhere."""
    if isinstance(root, list) and len(root) != len([call for call in found if not call.stray]):
        return True
    return any(_slid_inwards(call) or _is_uneven(list(call.args.values())) for call in found)


def _slid_inwards(call: Found) -> bool:
    """Whether an object inside an argument holds a key that is an argument itself.

    Sample missing-inner-brace: `{"a": {"x": 1, "b": 2}` may mean `{"a": {"x": 1}, "b": 2}`.
    """
    if call.spec is None:
        return False
    for name, value in call.args.items():
        declared = set(property_names(call.spec.properties.get(name)))
        inside = set(_keys(value))
        if inside & (set(call.spec.properties) - declared):
            return True
    return not set(call.args) <= set(call.spec.properties)


def _is_uneven(values: list[Any]) -> bool:
    """Whether some list holds items of different depth or kind, as `[[1, 2, [3, 4]]]` does."""
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            if len({(isinstance(item, dict), _depth(item)) for item in value}) > 1:
                return True
            pending.extend(value)
    return False


def _depth(value: Any) -> int:
    depth = 0
    level = [value]
    while level := [item for one in level if isinstance(one, list) for item in (*one, None)]:
        depth += 1
    return depth


def _keys(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            yield from part
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)
