"""One file holds what is language, and every language has all of it."""

import re
from dataclasses import fields

from langchain_toolemu.language import phrases
from langchain_toolemu.language.language import Language, any_of, compiled, fold_letters
from langchain_toolemu.language.phrases import LANGUAGES, Phrases
from tests.tables import every_row

ENGLISH_ONLY = {
    "common_words",
    "numbers",
    "hours",
    "parts_of_day",
    "days",
    "money",
    "no_request",
    "people",
}
"""What is looked up in English only: in other languages it counts as said."""

NEEDED_IN_ENGLISH = {"whether", "examples", "past", "tell"}
"""No recorded sentence of another language needs them."""

WITHIN = {"Chinese", "Japanese", "Korean", "Arabic", "Hindi"}
"""They write a negation and a count in one with other words: their rows of whole phrases hold them."""

BY_SCRIPT = {"Chinese", "Russian", "Japanese", "Korean", "Arabic"}
"""Languages that are told from English by their letters."""

VERBS_OF_TOOLS = {"acts", "tells"}
"""English ones have a table of their own; tools are not named in other scripts, and of those only Russian describes them by the verb first."""

INFLECTED = {"negation", "without", "stop", "still_wanted"}

REPEATS = {
    "times",
    "twice",
    "thrice",
    "then",
    "again",
    "counts",
    "several",
    "often",
    "past_times",
}
"""How something is asked for more than once: some write number and word in one, and not all of them say twice in one word."""


def may_lack(language):
    """The rows that a language may be without, each for a reason."""
    # Phrases besides those of other rows, and ways to count.
    lacking = {"decline", "going_without", "not_without"} | REPEATS
    lacking |= {"particle"} if language.name not in {"Chinese", "Japanese", "Korean"} else set()
    lacking |= NEEDED_IN_ENGLISH if language.name != "English" else set()
    lacking |= ENGLISH_ONLY if language.name != "English" else {"name_keys", "argument_keys"}
    lacking |= INFLECTED if language.name in WITHIN else set()
    lacking |= VERBS_OF_TOOLS if language.name in {"English", *WITHIN} else set()
    return lacking | ({"small_words"} if language.name in BY_SCRIPT else set())


@every_row("language", LANGUAGES)
def test_every_language_has_every_row(language):
    """Or is among those that need none."""
    empty = {field.name for field in fields(Language) if not getattr(language, field.name)}
    assert empty <= may_lack(language)
    needed = {"often"} if language.name in WITHIN else {"times", "then", "again"}
    assert needed & empty == set()


@every_row("language", LANGUAGES)
def test_every_row_is_a_pattern_in_small_letters(language):
    """A row with a capital would never match, and one that does not compile would fail at its first use."""
    for field in fields(Language):
        row = getattr(language, field.name)
        if isinstance(row, str) and field.name != "name":
            re.compile(row)
            plain = re.sub(r"\\.|\(\?P<\w+>", "", row)
            assert plain == plain.lower()


ENDS_IN_BLANK = re.compile(r" (?:\(\?![^()]*\))?(?:\)*\||\Z)")


@every_row("language", [language for language in LANGUAGES if language.name not in WITHIN])
def test_no_form_ends_in_a_blank(language):
    """No letter may follow a form, so one that ends in a blank would never match the words after it."""
    rows = {field.name: getattr(language, field.name) for field in fields(Language)}
    del rows["next_step"]  # not searched for as a form
    texts = [row for row in rows.values() if isinstance(row, str)]
    assert not [row for row in texts if ENDS_IN_BLANK.search(row.replace(" |", ""))]


def test_a_list_of_words_is_a_pattern():
    """Commas are between the words, over several lines; an escaped one is the word's own."""
    pattern = re.compile(
        any_of(r"""
            read, look
            up, (?:\w+ ){0\,2}check,
        """)
    )
    assert pattern.pattern == r"(?:read|look up|(?:\w+ ){0,2}check)"
    assert pattern.fullmatch("just now check")


TABLES = {name: table for name, table in vars(phrases).items() if isinstance(table, Phrases)}
WORDS = [
    fold_letters(re.sub(r"\W+", " ", getattr(language, field.name)))[:1500]
    for language in LANGUAGES
    for field in fields(Language)
    if isinstance(getattr(language, field.name), str)
]
"""The words of all rows, as texts in their letters."""


@every_row("name", TABLES)
def test_every_table_finds_the_same_in_any_letters(name):
    """What is left out for a text without a row's letters would find nothing in it."""
    table = TABLES[name]
    for text in WORDS[::5]:
        for written in (text, text.encode("ascii", "ignore").decode()):
            whole = compiled(table._row).finditer(written)
            found = table._pattern(written).finditer(written)
            assert [match.span() for match in found] == [match.span() for match in whole]
