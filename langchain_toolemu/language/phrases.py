"""The words of all languages, by what they mean: the patterns that all other layers read."""

import re
from functools import cache

from langchain_toolemu.language import (
    arabic,
    chinese,
    english,
    french,
    german,
    hindi,
    italian,
    japanese,
    korean,
    portuguese,
    russian,
    spanish,
)  # fmt: skip
from langchain_toolemu.language.language import pattern_of, rows_of

LANGUAGES = (
    english.WORDS, chinese.WORDS, german.WORDS, french.WORDS, spanish.WORDS, portuguese.WORDS,
    italian.WORDS, russian.WORDS, japanese.WORDS, korean.WORDS, arabic.WORDS, hindi.WORDS,
)  # fmt: skip

# Quotation marks in prose.
QUOTATION_MARKS: dict[str, tuple[str, ...]] = {
    '"': ('"',), "'": ("'",), "“": ("”", '"'), "„": ("“", "”"), "\u2018": ("\u2019", "'"),
    "«": ("»",), "»": ("«",), "「": ("」",), "『": ("』",), "《": ("》",),
}  # fmt: skip


_INTRODUCTION = 16  # characters at most
_CLAUSE_END = re.compile(r"[,;\uff0c\u060c\u3001\u2014\u2013]|\s-\s")


@cache
def pattern(meaning: str) -> re.Pattern[str]:
    """What matches any phrase of a row, in folded text; compiled when it is needed."""
    return re.compile(pattern_of(*rows_of(LANGUAGES, meaning)))


def says(meaning: str, folded: str) -> bool:
    """Whether a folded text has a phrase of a row."""
    return bool(pattern(meaning).search(folded))


def last_clause(sentence: str) -> str:
    """What comes after the last comma of a sentence that has words after it."""
    return next((part for part in reversed(_CLAUSE_END.split(sentence)) if part.strip(" :.")), "")


def raises_doubt(sentence: str) -> bool:
    """Whether a folded sentence negates, reports, asks, or makes conditions.

    What an earlier clause negates or reports is something else: `I don't know, so I call:`. What
    only introduces a sentence holds for all of it: `For example, I call:`.
    """
    clause, introduction = last_clause(sentence), _CLAUSE_END.split(sentence)[0]
    if says("negation", clause) or says("report", clause):
        return True
    if len(introduction) <= _INTRODUCTION and says("report", introduction):
        return True
    return says("condition", sentence) or says("question", sentence)


def keys(meaning: str) -> list[str]:
    """The words of a row, as they are written."""
    return [word.strip() for row in rows_of(LANGUAGES, meaning) if row for word in row.split("|")]


TOOL = pattern_of(*rows_of(LANGUAGES, "tool"))
AGAIN = re.compile(pattern_of(*rows_of(LANGUAGES, "again")), re.IGNORECASE)
