"""Rows of plain phrases: every language has all of them, and who speaks it can read them."""

import re
from dataclasses import fields
from pathlib import Path

from langchain_toolemu import language
from langchain_toolemu.language.language import Phrases, fold_letters, pattern_of, phrases_of
from langchain_toolemu.language.phrases import AGAIN, LANGUAGES, pattern, raises_doubt, says
from tests.tables import every_row

FOLDER = Path(language.__file__).parent
MEANINGS = [field.name for field in fields(Phrases) if field.type in ("str", str)]
KEYS = {"name_keys", "argument_keys"}
"""English ones are the reader's own."""


@every_row("words", LANGUAGES)
def test_every_language_has_every_row(words):
    """Without one, a meaning would be unknown in it."""
    assert {meaning for meaning in MEANINGS if not getattr(words, meaning)} <= KEYS


@every_row("words", LANGUAGES)
def test_a_row_is_plain(words):
    """Letters, apostrophes and a few marks: nobody needs to know patterns to read it."""
    for meaning in MEANINGS:
        for phrase in phrases_of(getattr(words, meaning)):
            plain = phrase.removeprefix("^").replace(" ... ", " ").replace("*", "")
            assert not re.search(r"[][()\\{}+$|^]", plain), phrase


@every_row("meaning", ["negation", "condition", "report", "question"])
def test_a_meaning_has_one_line_in_each_language(meaning):
    """What raises a doubt is read at a glance."""
    rows = [getattr(words, meaning) for words in LANGUAGES]
    assert not any("\n" in row for row in rows)


def test_the_words_stay_few():
    """All files together, and each of their lines."""
    sources = [path.read_text() for path in FOLDER.glob("*.py")]
    assert sum(len(source.encode()) for source in sources) <= 45_000
    assert max(len(line) for source in sources for line in source.splitlines()) <= 100


@every_row(
    ("row", "text", "found"),
    [
        ("read | look up", "now look up", True),
        ("read", "already", False),
        ("read*", "reading", True),
        ("help ... with", "help you a little with", True),
        ("help ... with", "help. I agree with", False),
        ("^if", "if so", True),
        ("^if", "see if so", False),
        ("查", "请查一下", True),
        ("\u0623\u0631\u0641\u0636", "\u0627\u0631\u0641\u0636", True),
    ],
)
def test_how_a_phrase_is_searched_for(row, text, found):
    """Whole words, any ending, a gap within the sentence, its beginning; and anywhere in scripts without blanks."""
    assert bool(re.search(pattern_of(row), fold_letters(text))) == found


def test_every_row_compiles():
    """For all languages together."""
    for meaning in MEANINGS:
        assert pattern(meaning).search("") is None


def test_a_doubt_is_of_its_clause():
    """But a condition, a question, and what introduces the sentence are of all of it."""
    assert raises_doubt("i don't know")
    assert not raises_doubt("i don't know, so i call")
    assert raises_doubt("if you agree, i call")
    assert raises_doubt("for example, i call")
    assert says("question", "should i call it")


def test_what_asks_for_more_than_once():
    """In twelve languages, in one list of at most 1.5 KB."""
    for text in (
        "ring them twice",
        "noch einmal, je zwei",
        "encore un",
        "otra vez",
        "\u518d\u4e00\u6b21",
    ):
        assert AGAIN.search(fold_letters(text)), text
    assert not AGAIN.search("ring them")
    assert sum(len(words.again.encode()) for words in LANGUAGES) <= 1500
