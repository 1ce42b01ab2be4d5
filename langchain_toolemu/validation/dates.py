"""A date in the spelling that its schema asks for: `July 10, 2022` as `07-10-2022`.

Small models copy a date as the user wrote it, whatever the description says. A date is written anew only where it can mean
one day: the month is a word, or the year comes first. `07/10/2022` is two dates, and is left alone.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ISO = "YYYY-MM-DD"
# In a description: YYYY-MM-DD, dd/mm/yyyy, MM.DD.YYYY.
_ASKED = re.compile(
    r"(?<![a-z])(?:yyyy([-/.])mm\1dd|(?:mm([-/.])dd|dd([-/.])mm)[-/.]yyyy)(?![a-z])"
)
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_WRITTEN = tuple(
    re.compile(form)
    for form in (
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"{_YEAR}(?P<gap>[-/.])(?P<month>\d{{1,2}})(?P=gap)(?P<day>\d{{1,2}})",
    )
)
_LONGEST = 40  # characters of a date in words


def asked_spelling(schema: Any) -> str | None:
    """How a schema wants a date spelt, `None` if it does not say, or says it in two ways.

    Example:
        ```python
        asked_spelling({"type": "string", "description": "The day, in the format MM-DD-YYYY."})  # "MM-DD-YYYY"
        ```
    """
    if not isinstance(schema, Mapping):
        return None
    described = str(schema.get("description") or "").lower()
    asked = {found[0].upper() for found in _ASKED.finditer(described)}
    if not asked and schema.get("format") == "date":
        return _ISO
    return asked.pop() if len(asked) == 1 else None


def respell_date(value: str, schema: Any) -> str:
    """The same day as its schema asks for it; any other text as it is."""
    if len(value) > _LONGEST:
        return value
    day = _day_of(value.strip())
    spelling = asked_spelling(schema) if day else None
    if day is None or spelling is None:
        return value
    return day.strftime(
        spelling.replace("YYYY", f"{day.year:04}").replace("MM", "%m").replace("DD", "%d")
    )


def _day_of(text: str) -> date | None:
    found = next((match for form in _WRITTEN if (match := form.fullmatch(text))), None)
    if found is None or not (month := _month_of(found["month"])):
        return None
    try:
        return date(int(found["year"]), month, int(found["day"]))
    except ValueError:
        return None


def _month_of(text: str) -> int | None:
    """The number of a month by its name or the beginning of it."""
    if text.isdecimal():
        return int(text)
    named = (n for n, name in enumerate(_MONTHS, 1) if name.startswith(text.lower()))
    return next(named, None)
