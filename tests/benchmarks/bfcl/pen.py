"""The pen that dialects write with: JSON and Python text, laid out at random, marred by a fault.

A dialect never sees the fault. It hands the pen whole call bodies and single values; the pen writes
them without a mistake, takes the text apart into tokens, and lets the fault at those.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, TypeAlias

from tests.benchmarks.bfcl.cases import Called

Kind: TypeAlias = Literal["json", "python", "value"]
Tokens: TypeAlias = list[str]

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*")|(?P<space>\s+)|(?P<word>-?\w[\w.+\-]*)|(?P<mark>.)""",
    re.DOTALL,
)
_LAYOUTS: tuple[Mapping[str, Any], ...] = (
    {},
    {},
    {"indent": 2},
    {"indent": 4},
    {"separators": (",", ":")},
)


@dataclass(frozen=True)
class Body:
    """One body to mar: its tokens, and what it is.

    Attributes:
        tokens: The text in tokens; strings are whole, and in double quotes.
        kind: A call as JSON, a call as Python, or a single argument's value inside markup.
        last: Whether the reply holds no body behind it.
    """

    tokens: Tokens
    kind: Kind
    last: bool


Mar: TypeAlias = Callable[[Body, Random], "Tokens | None"]


class Pen:
    """Writes bodies, and mars those it is told to.

    Args:
        seed: What layout and faults are drawn from.
        mar: The fault, if any; gives `None` where a body offers it no place.
        targets: The numbers of the bodies to mar; all of them if `None`.
        bodies: How many bodies the reply holds, known from writing it once before.
    """

    def __init__(
        self,
        seed: str,
        mar: Mar | None = None,
        targets: frozenset[int] | None = None,
        bodies: int = 0,
    ) -> None:
        self.rng = Random(seed)
        self._faults = Random(seed + " faults")
        self._layout = self.rng.choice(_LAYOUTS)
        self._mar = mar
        self._targets = targets
        self._bodies = bodies
        self.written = 0
        self.marred = 0

    def json(self, value: Any) -> str:
        """A call, or several, as JSON."""
        return self._put(json.dumps(value, ensure_ascii=False, **self._layout), "json")

    def line(self, value: Any) -> str:
        """A call as JSON on one line."""
        return self._put(json.dumps(value, ensure_ascii=False), "json")

    def value(self, value: Any) -> str:
        """An argument that is no string, as JSON inside markup."""
        return self._put(json.dumps(value, ensure_ascii=False), "value")

    def python(self, text: str) -> str:
        """Calls as Python, already in text."""
        return self._put(text, "python")

    def text(self, value: Any) -> str:
        """An argument inside markup: a string as it is, everything else as JSON."""
        return value if isinstance(value, str) else self.value(value)

    def _put(self, text: str, kind: Kind) -> str:
        number, self.written = self.written, self.written + 1
        if self._mar is None or (self._targets is not None and number not in self._targets):
            return text
        body = Body(tokens_of(text), kind, number == self._bodies - 1)
        tokens = self._mar(body, self._faults)
        if tokens is None:
            return text
        self.marred += 1
        return "".join(tokens)


def tokens_of(text: str) -> Tokens:
    """Text of JSON or Python, as strings, words, spaces and single marks."""
    return [found.group() for found in _TOKEN.finditer(text)]


def python_value(value: Any) -> str:
    """A value as Python writes it, in double quotes."""
    if isinstance(value, Mapping):
        pairs = (f"{python_value(key)}: {python_value(one)}" for key, one in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(python_value, value))}]"
    if value is None or isinstance(value, bool):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def python_call(call: Called, positional: int = 0) -> str:
    """A call as Python writes it, the first arguments without their names."""
    given = list(call.args.items())
    plain = [python_value(value) for _, value in given[:positional]]
    named = [f"{name}={python_value(value)}" for name, value in given[positional:]]
    return f"{call.name}({', '.join([*plain, *named])})"
