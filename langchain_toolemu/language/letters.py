"""A pattern without what needs letters that a text does not have: most texts are searched in half the time.

It finds the same in such a text, since only alternatives are left out that match nothing in it. What is in doubt stays.
"""

import re
from typing import Literal, TypeAlias

Letters: TypeAlias = Literal["ascii", "latin", "any"]
"""Which letters a text has: "latin" has accents and marks, but no other script."""

_MISSING: dict[Letters, str] = {"ascii": r"[^\x00-\x7f]", "latin": r"[\u0370-\u1fff\u3000-\ud7ff]"}
_OTHER_SCRIPT = re.compile(_MISSING["latin"])
_NEVER = r"(?!)"
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_OPENING = re.compile(r"\((?:\?(?:P<\w+>|<?[=!]|:))?")
_REPEAT = re.compile(r"(?:(?:[?*+]|\{\d*,?\d*\})[?+]?)?")
_MAY_BE_NONE = ("?", "*", "{0", "{,")


def letters_of(text: str) -> Letters:
    """Which letters a text has."""
    if text.isascii():
        return "ascii"
    return "any" if _OTHER_SCRIPT.search(text) else "latin"


def trimmed(pattern: str, letters: Letters) -> str:
    """What finds the same as a pattern in texts with these letters."""
    return pattern if letters == "any" else _Trimmer(pattern, _MISSING[letters]).trim()


class _Trimmer:
    def __init__(self, pattern: str, missing: str) -> None:
        self._pattern = pattern
        self._at = 0
        # One letter, or a set of letters and ranges.
        self._missing = re.compile(rf"{missing}|\[(?:{missing}(?:-{missing})?)+\]")

    def trim(self) -> str:
        kept = self._alternatives()
        return "|".join(kept) if kept else _NEVER

    def _alternatives(self) -> list[str]:
        """Those that may match, up to the end of their group."""
        kept: list[str] = []
        parts: list[str] | None = []
        while self._pattern[self._at : self._at + 1] not in ("", ")"):
            unit = self._unit()
            if unit == "|":
                kept += ["".join(parts)] if parts is not None else []
                parts = []
                continue
            found = _REPEAT.match(self._pattern, self._at)
            repeat = found[0] if found else ""
            self._at += len(repeat)
            if unit is None and not repeat.startswith(_MAY_BE_NONE):
                parts = None
            elif unit is not None and parts is not None:
                parts.append(unit + repeat)
        return [*kept, "".join(parts)] if parts is not None else kept

    def _unit(self) -> str | None:
        """The next letter, set, escape or group; `None` if it matches nothing."""
        start = self._at
        if opening := _OPENING.match(self._pattern, start):
            self._at = opening.end()
            inner = self._alternatives()
            self._at += 1
            if opening[0] != "(?:":  # what is not there is looked for as well
                return self._pattern[start : self._at]
            return f"(?:{'|'.join(inner)})" if inner else None
        token = _TOKEN.match(self._pattern, start)
        self._at = token.end() if token else len(self._pattern)
        unit = self._pattern[start : self._at]
        return None if self._missing.fullmatch(unit) else unit
