"""Values in a complete text: of an element, a YAML document or a string.

The tool's schema decides on the type: where it wants a string, the text stays as it is, and `no` in
YAML is not false. Other text is read as the value it spells, or stays text for validation.
"""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from langchain_toolemu.reader.literals.frames import GIVEN_TWICE, BareWord, Frame, read_scalar
from langchain_toolemu.reader.literals.parser import MAX_DEPTH, Parser
from langchain_toolemu.reader.window import Window, finish
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation.schema import property_names


class Unread:
    """Marks a text that is no value; `None` is a value."""


UNREAD = Unread()


def read_whole(text: str, keys: frozenset[str] = frozenset()) -> Any:
    """The value of a whole text, or `UNREAD`."""
    window = Window(text, ended=True)
    parser = Parser(window, keys)
    finish(parser.read())
    sure = parser.closed and not (parser.failed or parser.bare_words or parser.doubtful)
    return parser.root if sure and not text[window.pos :].strip() else UNREAD


def read_typed(text: str, spec: ToolSpec, name: str) -> Any:
    """The value of an argument that was written as bare text."""
    kinds = spec.kinds_of(name)
    spelled = text.strip()
    if "string" in kinds:
        return None if "null" in kinds and spelled in ("null", "None") else text
    value = read_whole(spelled, frozenset(property_names(spec.parameters)))
    is_text = isinstance(value, Unread) or (None in kinds and isinstance(value, str))
    return text if is_text else value


def read_keywords(text: str, spec: ToolSpec) -> dict[str, Any]:
    """The arguments of a text such as `a=1, b=x` or `a: 1`, or none. Sample keywords-in-text."""
    names = "|".join(map(re.escape, sorted(spec.properties, key=len, reverse=True)))
    pattern = rf"(?:\A\s*|[,;]\s*|\n\s*)({names})\s*[=:]\s*(?!=)"
    marks = list(re.finditer(pattern, text)) if names else []
    if not marks or marks[0].start() > 0:
        return {}
    found: dict[str, Any] = {}
    for mark, end in zip(marks, [*(mark.start() for mark in marks[1:]), len(text)], strict=True):
        spelled = text[mark.end() : end].strip()
        value = read_whole(spelled) if spelled[:1] in ("'", '"') else UNREAD
        found[mark[1]] = value if isinstance(value, str) else read_typed(spelled, spec, mark[1])
    return found if len(found) == len(marks) else {}


class _Plain(str):
    """A scalar without quotes, whose type is still open."""

    __slots__ = ()


def read_yaml(text: str) -> tuple[list[Any], str]:
    """The values of a YAML document as far as it can be read, and what is wrong with it."""
    frames = [Frame("array")]
    root = frames[0].items
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, if it is there
        for event in yaml.parse(text, Loader=loader):
            match event:
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    is_mapping = isinstance(event, yaml.MappingStartEvent)
                    frame = Frame("object" if is_mapping else "array")
                    _place(frames[-1], frame.items)
                    frames.append(frame)
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    if repeated := frames.pop().repeated:
                        raise yaml.YAMLError(GIVEN_TWICE.format(repeated))
                case yaml.ScalarEvent():
                    _place(frames[-1], event.value if event.style else _Plain(event.value))
                case yaml.AliasEvent():
                    raise yaml.YAMLError("aliases are not read")  # a short text, a huge value
            if len(frames) > MAX_DEPTH:
                raise yaml.YAMLError("nested too deeply")
    except (yaml.YAMLError, UnicodeEncodeError) as error:  # libyaml takes no lone surrogate
        return root, f"its YAML cannot be read: {getattr(error, 'problem', None) or error}"
    return root, ""


def typed_yaml(args: Mapping[str, Any], spec: ToolSpec) -> dict[str, Any]:
    """Arguments with their scalars typed by the schema; in containers by their spelling."""
    return {
        key: read_typed(str(value), spec, key) if isinstance(value, _Plain) else _settled(value)
        for key, value in args.items()
    }


def _place(frame: Frame, value: Any) -> None:
    if frame.keyed and frame.key is None:
        if not isinstance(value, str):
            raise yaml.YAMLError("a key is not a text")
        frame.key = str(value)
    else:
        frame.add(value)
        frame.key = None


def _settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _settled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_settled(item) for item in value]
    read = read_scalar(value) if isinstance(value, _Plain) else value
    return str(value) if isinstance(read, BareWord) else read
