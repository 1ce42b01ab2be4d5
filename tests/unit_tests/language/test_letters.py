"""Without what needs other letters, a row finds the same."""

import itertools
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from langchain_toolemu.language import phrases
from langchain_toolemu.language.language import Language, compiled, fold_letters
from langchain_toolemu.language.letters import letters_of, trimmed
from langchain_toolemu.language.phrases import LANGUAGES, Phrases
from tests.tables import every_row

RECORDED = Path(__file__).parents[1] / "samples" / "recorded.json"
TRIMMED = {
    "a word": ("über", "ascii", "(?!)"),
    "a word of two": ("über|over", "ascii", "over"),
    "a letter that may lack": ("colou?r é?x ñ*y ü{0,2}z ö{,3}", "ascii", "colou?r x y z "),
    "a letter that may not": ("é+x|ü{1,2}|y", "ascii", "y"),
    "a group": ("(?:el|él) (?:día|dia)", "ascii", "(?:el) (?:dia)"),
    "a group of nothing else": ("(?:día)|x(?:á|é)?", "ascii", "x"),
    "groups in groups": ("a(?:b(?:ç|c)|(?:ß))", "ascii", "a(?:b(?:c))"),
    "what is looked for around it": ("(?<!é)a(?!é)(?=é|b)", "ascii", "(?<!é)a(?!é)(?=é|b)"),
    "a group with a name": ("(?P<a>é|b)", "ascii", "(?P<a>é|b)"),
    "a set": ("[éü]x|[éa]|[^é]|[д-я]", "ascii", "[éa]|[^é]"),
    "a set with marks": (r"[]é]|[\]é]|[é-]", "ascii", r"[]é]|[\]é]|[é-]"),
    "an escape": (r"\|é|\(é|\wé|\b", "ascii", r"\b"),
    "nothing": ("", "ascii", ""),
    "nothing left but nothing": ("é?", "ascii", ""),
    "Latin letters": ("über|они|[д-я]x|天|y", "latin", "über|y"),
    "any letters": ("über|они", "any", "über|они"),
}


@pytest.mark.parametrize(("pattern", "letters", "left"), TRIMMED.values(), ids=TRIMMED)
def test_what_is_left(pattern, letters, left):
    """Only what cannot match is left out."""
    assert trimmed(pattern, letters) == left


def test_the_letters_of_a_text():
    """Marks and accents are no other script."""
    texts = [
        "I'll call it.",
        "Déjà vu \u2014 \u201cok\u201d \u2026 \U0001f600",
        "Погода",
        "天気",
        "مرحبا",
    ]
    assert [letters_of(text) for text in texts] == ["ascii", "latin", "any", "any", "any"]


def _texts():
    said = [fold_letters(one["text"][:300]) for one in json.loads(RECORDED.read_text("utf-8"))]
    words = [
        fold_letters(re.sub(r"\W+", " ", getattr(language, field.name)))[:1500]
        for language in LANGUAGES
        for field in fields(Language)
        if isinstance(getattr(language, field.name), str)
    ]
    # The words of all rows as a text in their letters, and without the letters that are not ASCII.
    bare = [text.encode("ascii", "ignore").decode() for text in words]
    return list(dict.fromkeys([*said, *words, *bare]))


TABLES = {name: table._row for name, table in vars(phrases).items() if isinstance(table, Phrases)}


@every_row("name", TABLES)
def test_every_table_finds_the_same(name):
    """Whatever letters a text has."""
    row, texts = TABLES[name], _texts()
    for text in itertools.islice(texts, 0, None, 5):
        found = [
            [match.span() for match in compiled(row, letters).finditer(text)]
            for letters in ("any", letters_of(text))
        ]
        assert found[0] == found[1], text
