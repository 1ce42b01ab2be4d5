"""Words and numbers outside quotes.

The rule of this module: a token is a literal of JSON, Python or JavaScript, a number in one of their grammars, or a
bare word. A bare word never counts as a string: it may be a variable. A number keeps its spelling, since it may be
meant for a string.
"""

import re
from typing import Any

from langchain_toolemu.validation.json_values import with_spelling

_LITERALS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
    "TRUE": True,
    "FALSE": False,
    "NULL": None,
    "undefined": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
    "+Infinity": float("inf"),
}
_INTEGER = re.compile(r"[+-]?[0-9](?:_?[0-9])*\Z")  # sample leading-zero
_FLOAT = re.compile(r"[+-]?(?:(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_RADIX = re.compile(r"[+-]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)\Z")


class BareWord(str):
    """A token without quotes that is neither a literal nor a number."""

    __slots__ = ()


def read_scalar(token: str) -> Any:
    """The value of a token, or a `BareWord`."""
    if token in _LITERALS:
        return _LITERALS[token]
    try:
        if _INTEGER.match(token):
            return with_spelling(int(token, 10), token)
        if _FLOAT.match(token):
            return with_spelling(float(token), token)
        if _RADIX.match(token):
            return with_spelling(int(token, 0), token)
    except ValueError:  # more digits than Python converts
        pass
    return BareWord(token)


def is_number(value: object) -> bool:
    """Whether a value is one that more text could have prolonged."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
