"""What is between two quotes, decoded.

The rule of this module: a valid JSON string decodes exactly as `json.loads` decodes it. An escape that JSON does not
know was not meant as one: the writer forgot to double the backslash, and it stays as it is.
"""

import re

LONGEST_ESCAPE = 12
"""A surrogate pair, each half of six characters."""

_JSON = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PYTHON = {**_JSON, "'": "'", "a": "\a", "v": "\v", "0": "\0", "\n": ""}
del _PYTHON["/"]

_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)",
    re.DOTALL,
)
_DRIVE_PATH = re.compile(r"[A-Za-z]:\\(?!\\)")
# An escape that more text may still complete: digits are missing, or the second half of a pair.
_UNFINISHED = re.compile(
    r"\\(?:u(?:[0-9a-fA-F]{0,3}"
    r"|[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?)"
    r"|x[0-9a-fA-F]?|U[0-9a-fA-F]{0,7})\Z"
)


def decode(body: str, *, python: bool = False) -> str:
    """Undo the escapes of a string body, as JSON or as Python writes them."""
    if "\\" not in body:
        return body
    table = _PYTHON if python else _JSON
    escapes = [found.group(1) for found in _ESCAPE.finditer(body)]
    if any(_is_broken(escape, table, python) for escape in escapes):
        table = _without_accidents(table, literal=bool(_DRIVE_PATH.search(body)))

    def replace(found: re.Match[str]) -> str:
        decoded = _decoded(found.group(1), table, python)
        return found.group() if decoded is None else decoded

    return _ESCAPE.sub(replace, body)


class RunningDecoder:
    """Undoes the escapes of a string whose end is not known yet: each by what comes before it alone."""

    def __init__(self, *, python: bool = False) -> None:
        self._rest = ""
        self._python = python
        self._table = _PYTHON if python else _JSON

    def knows(self, body: str, size: int) -> bool:
        """Whether every escape that begins within so many characters is a known one."""
        begun = (found for found in _ESCAPE.finditer(body) if found.start() < size)
        return not any(_is_broken(found.group(1), self._table, self._python) for found in begun)

    def feed(self, raw: str) -> str:
        """The text of a further piece, up to an escape that is not whole yet."""
        raw, self._rest = self._rest + raw, ""
        if "\\" not in raw[-LONGEST_ESCAPE:]:
            return self._decoded(raw)
        # A pair is not whole while its second half is not, so the last two count.
        for start in [found.start() for found in _ESCAPE.finditer(raw)][-2:]:
            if _UNFINISHED.match(raw, start):
                self._rest = raw[start:]
                return self._decoded(raw[:start])
        return self._decoded(raw)

    def end(self) -> str:
        """The text of what was kept back."""
        rest, self._rest = self._rest, ""
        return self._decoded(rest)

    def _decoded(self, raw: str) -> str:
        return _ESCAPE.sub(self._replace, raw) if "\\" in raw else raw

    def _replace(self, found: re.Match[str]) -> str:
        escape = found.group(1)
        table = _PYTHON if self._python else _JSON
        if _is_broken(escape, table, self._python):
            self._table = _without_accidents(table, literal=False)
        decoded = _decoded(escape, self._table, self._python)
        return found.group() if decoded is None else decoded


def _is_broken(escape: str, table: dict[str, str], python: bool) -> bool:
    return escape not in table and escape != "'" and _code_point(escape, python) is None


def _without_accidents(table: dict[str, str], *, literal: bool) -> dict[str, str]:
    r"""The escapes still believed in a string that plainly holds undoubled backslashes.

    Sample regex-backslash: next to `\d` a `\b` is a word boundary, not a backspace.
    Sample windows-path: in `C:\Users\name` the `\n` is not a line break.
    """
    doubted = "bfnrtav0/" if literal else "bfav0"
    return {escape: value for escape, value in table.items() if escape not in doubted}


def _decoded(escape: str, table: dict[str, str], python: bool) -> str | None:
    if escape in table:
        return table[escape]
    if escape == "'":  # sample escaped-apostrophe
        return "'"
    return _code_point(escape, python)


def _code_point(escape: str, python: bool) -> str | None:
    """The character of a numeric escape, two of them for a surrogate pair."""
    if len(escape) == 1:
        return None
    if len(escape) > 9:
        high, low = int(escape[1:5], 16), int(escape[7:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    number = int(escape[1:], 16)
    if escape[0] == "u":
        return chr(number)
    return chr(number) if python and number < 0x110000 else None
