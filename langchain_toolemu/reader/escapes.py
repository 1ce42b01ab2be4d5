"""What stands between two quotes, decoded.

The rule of this room: a valid JSON string decodes exactly as `json.loads` decodes it. An escape that
JSON does not know was no escape but a character the writer forgot to double, and stays as it is.
"""

import re

_JSON = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PYTHON = {**_JSON, "'": "'", "a": "\a", "v": "\v", "0": "\0", "\n": ""}
del _PYTHON["/"]

_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)",
    re.DOTALL,
)
_DRIVE_PATH = re.compile(r"[A-Za-z]:\\(?!\\)")


def decode(body: str, *, python: bool = False) -> str:
    """Undo the escapes of a string body, as JSON or as Python writes them."""
    if "\\" not in body:
        return body
    table = _PYTHON if python else _JSON
    escapes = [found.group(1) for found in _ESCAPE.finditer(body)]
    broken = any(_is_broken(escape, table, python) for escape in escapes)
    if broken:
        table = _without_accidents(table, literal=bool(_DRIVE_PATH.search(body)))

    def replace(found: re.Match[str]) -> str:
        decoded = _decoded(found.group(1), table, python)
        return found.group() if decoded is None else decoded

    return _ESCAPE.sub(replace, body)


def _is_broken(escape: str, table: dict[str, str], python: bool) -> bool:
    return escape not in table and escape != "'" and _code_point(escape, python) is None


def _without_accidents(table: dict[str, str], *, literal: bool) -> dict[str, str]:
    r"""The escapes still believed in a string that plainly holds undoubled backslashes.

    Sample regex-backslash: beside `\d` a `\b` is a word boundary, not a backspace.
    Sample windows-path: in `C:\Users\name` the `\n` is no line break.
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
