"""The form that an argument's description asks for, as a made-up value: "in the format 'City, State'", "YYYY-MM-DD".

The value stands in an example's call, and next to it what a user says who does not know the form.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

YEAR = 2613
"""Of all made-up dates: nobody means it."""

_REGION, _COUNTRY = "QZ", "Hargland"
MADE_UP_NAMES = (_REGION, _COUNTRY)
"""What follows a made-up name in an address."""

_DATE = re.compile(r"\b[YMDHS]{1,4}(?:(?:[-/.:]|, ?| |T)[YMDHS]{1,4}){1,5}\b", re.IGNORECASE)
_DAY_PARTS = {"yyyy": str(YEAR), "yy": str(YEAR)[-2:], "mmmm": "April", "mmm": "Apr", "mm": "04", "m": "4", "dd": "17", "d": "17"}  # fmt: skip
_TIME_PARTS = {"mm": "30", "m": "30", "ss": "00", "s": "00"}
_SPOKEN_DAY = f"17 April {YEAR}"

_SAMPLE = re.compile(
    r"(?i:such as|e\.g\.,?|for example,?|for instance,?|like|example:|format(?:ted)?(?: of| as)?:?)\s*"
    r"(?:['\"`](?P<quoted>[^'\"`\n]{2,40})['\"`]|(?P<plain>(?:[A-Z][a-z]+ ?){1,4}, [A-Z]{2,3}\b))"
)
_NAME = re.compile(r"[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*")
_MOST = 2_000  # characters of a description


class DescribedForm(NamedTuple):
    """A value as a call has it, and as a user says it."""

    written: str
    spoken: str


def described_form(description: str, word: str) -> DescribedForm | None:
    """A value around a made-up word, or a date; none if a description asks for no form, or for one that is not known."""
    description = description[:_MOST]
    date = _DATE.search(description)
    if date and re.search("yy|hh", date[0], re.IGNORECASE):
        return _date(date[0])
    # A sample comes after the words for it: "in the format 'City, State', such as 'Paris, TX'".
    samples = [found["quoted"] or found["plain"] for found in _SAMPLE.finditer(description)]
    return _address(samples[-1].strip(), word) if samples else None


def _date(form: str) -> DescribedForm | None:
    day, hour, time = re.match(r"(?i)([^h]*)(h*)(.*)", form).groups()  # type: ignore[union-attr]
    parts = [*_parts(day, _DAY_PARTS), *(["14"] if hour else []), *_parts(time, _TIME_PARTS)]
    if None in parts or parts.count(str(YEAR)) > 1:
        return None
    written = "".join(filter(None, parts))
    is_day = str(YEAR) in written and not hour
    return DescribedForm(written, _SPOKEN_DAY if is_day else written)


def _parts(form: str, known: Mapping[str, str]) -> Iterator[str | None]:
    """The parts of a form, with numbers for its letters; `None` for letters that are not known."""
    for part in re.findall(r"(?i)y+|m+|d+|s+|[^ymds]+", form):
        yield known.get(part.lower()) if part[0] in "YMDSymds" else part


def _address(sample: str, word: str) -> DescribedForm | None:
    """A sample with made-up names: `Zorbel, QZ` for `Boston, MA`; none if it is a mere name."""
    first, *others = re.sub(r"\s*\(.*", "", sample).split(", ")
    if not others or not _NAME.fullmatch(first):
        return None
    if others == ["State"]:
        return DescribedForm(f"{word}, {_REGION}", word)
    made_up = [_REGION if part.isupper() else _NAME.sub(_COUNTRY, part) for part in others]
    return DescribedForm(", ".join([word, *made_up]), word)
