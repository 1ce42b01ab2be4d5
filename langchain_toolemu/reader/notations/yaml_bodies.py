"""A call as YAML inside an envelope: `name: f`, `arguments:`, and its arguments indented.

The rule of this module: PyYAML finds the structure, the tool's schema the types. A plain scalar for a string argument
stays the text it is: there, `no` is not false, and `1.10` is not a number.
"""

from dataclasses import replace
from typing import Any

import yaml

from langchain_toolemu.reader.call_arguments import FoundCall, are_known
from langchain_toolemu.reader.call_shapes import Resolve, find_calls
from langchain_toolemu.reader.literals.frames import BareWord, Frame, read_scalar
from langchain_toolemu.reader.literals.parser import MAX_DEPTH
from langchain_toolemu.reader.literals.texts import read_typed
from langchain_toolemu.reader.notations.outcome import given_twice
from langchain_toolemu.tools import ToolSpec

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where it was built


class _Plain(str):
    """A scalar without quotes, whose type is still open."""

    __slots__ = ()


def find_yaml_calls(text: str, resolve: Resolve) -> tuple[list[FoundCall], str]:
    """The calls a YAML document states, and what is wrong with it: then those it has begun to state."""
    root = Frame("array")
    fault = ""
    try:
        _fill(root, text)
    except (yaml.YAMLError, UnicodeEncodeError) as error:  # libyaml takes no lone surrogate
        fault = f"its YAML cannot be read: {getattr(error, 'problem', None) or error}"
    return [_typed(call) for call in find_calls(root.items, resolve)], fault


def read_yaml_arguments(text: str, spec: ToolSpec) -> dict[str, Any] | None:
    """The arguments that a YAML document spells, if it is an object of nothing but a tool's arguments."""
    root = Frame("array")
    try:
        _fill(root, text)
    except (yaml.YAMLError, UnicodeEncodeError):
        return None
    [args] = root.items or [None]
    if not isinstance(args, dict) or not are_known(args, spec):
        return None
    return {key: _argument(value, spec, key) for key, value in args.items()}


def _fill(root: Frame, text: str) -> None:
    """Put a document's value in, with aliases refused: with them a short text becomes a huge value."""
    frames = [root]
    for event in yaml.parse(text, Loader=_LOADER):
        match event:
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                mapping = isinstance(event, yaml.MappingStartEvent)
                frame = Frame("object" if mapping else "array")
                _place(frames[-1], frame.items)
                frames.append(frame)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                if repeated := frames.pop().repeated:
                    raise yaml.YAMLError(given_twice(repeated))
            case yaml.ScalarEvent():
                _place(frames[-1], event.value if event.style else _Plain(event.value))
            case yaml.AliasEvent():
                raise yaml.YAMLError("aliases are not read")
        if len(frames) > MAX_DEPTH:
            raise yaml.YAMLError("nested too deeply")


def _place(frame: Frame, value: Any) -> None:
    if frame.keyed and frame.key is None:
        if not isinstance(value, str):
            raise yaml.YAMLError("a key is not a text")
        frame.key = str(value)
    else:
        frame.add(value)
        frame.key = None


def _typed(call: FoundCall) -> FoundCall:
    if call.spec is None:
        return call
    return replace(call, args={key: _argument(v, call.spec, key) for key, v in call.args.items()})


def _argument(value: Any, spec: ToolSpec, key: str) -> Any:
    return read_typed(str(value), spec, key) if isinstance(value, _Plain) else _settled(value)


def _settled(value: Any) -> Any:
    """A value whose plain scalars have the types that they spell."""
    if isinstance(value, dict):
        return {key: _settled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_settled(item) for item in value]
    read = read_scalar(value) if isinstance(value, _Plain) else value
    return str(value) if isinstance(read, BareWord) else read
