"""Denials of having tools, told apart from answers and from refusals on principle."""

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.language.phrases import LANGUAGES
from langchain_toolemu.turn.suspicion import MAX_OPENING, suspicion
from tests.benchmarks.wordings import measures
from tests.tables import every_row
from tests.unit_tests.turn.refusal_sentences import DENIALS, OTHERS


def table(sentences):
    """Every sentence of every language."""
    return [text for texts in sentences.values() for text in texts]


def test_denials_of_tools_are_found_and_answers_are_not_taken_for_one():
    """In twelve languages, hard and soft; what a model will not do for reasons of safety is never argued with."""
    openings = measures.openings_sampled()
    found = measures.refusals(openings)
    assert found["found"] >= 0.95 * sum(is_refusal for _, is_refusal in openings)
    assert found["false"] == 0


def test_denials_that_strangers_wrote_are_found_as_well():
    """By two authors who saw no words of ours: 240 of each kind."""
    found = measures.refusals(measures.openings_held_out())
    assert found["found"] >= 89
    assert found["false"] <= 3


@every_row("text", [text for text in table(OTHERS) if text.startswith("I can")])
def test_a_refusal_on_principle_is_none(text):
    """What a model will not do is never argued with."""
    assert suspicion(text, ended=True) == "none"


@every_row("text", [texts[0] for name, texts in OTHERS.items() if name != "Chinese"])
def test_an_ordinary_opening_is_released_at_once(text):
    """A reply that begins like no denial is not held back beyond its first letters."""
    assert suspicion(text[:6]) == "none"


def test_every_language_has_a_table_of_both_kinds():
    """No language is known by denials alone, and none is without them."""
    assert list(DENIALS) == list(OTHERS)
    assert len(DENIALS) == len(LANGUAGES)
    assert all(len(texts) >= 5 for texts in [*DENIALS.values(), *OTHERS.values()])


FOUND = [text for text in table(DENIALS) if suspicion(text, ended=True) == "refusal"]


@every_row("text", FOUND)
def test_a_denial_is_held_until_it_is_whole(text):
    """Nothing of it is released in a stream, however short its pieces."""
    assert {suspicion(text[:length]) for length in range(len(text))} == {"possible"}


@given(st.text(max_size=300) | st.sampled_from([*table(DENIALS), *table(OTHERS)]))
def test_a_decision_once_made_is_kept(text):
    """As a reply grows, suspicion only ever goes from possible to one of the other two."""
    course = [suspicion(text[:length]) for length in range(len(text) + 1)]
    decided = next(
        (number for number, state in enumerate(course) if state != "possible"), len(course)
    )
    assert len(set(course[decided:])) <= 1
    assert decided <= MAX_OPENING


def test_arabic_and_hindi_spellings_do_not_matter():
    """Vowel signs, forms of alef and the dot under a letter are written by some and left out by others."""
    assert suspicion("عذرا، ليس لدى ادوات متاحة.", ended=True) == "refusal"
    assert suspicion("माफ कीजिए, मैं फंक्शन कॉल करने में असमर्थ हूँ।", ended=True) == "refusal"
    assert suspicion("मा\u095e कीजिए, मैं \u095eंक्शन कॉल करने में असमर्थ हूँ।", ended=True) == "refusal"


@every_row("words", LANGUAGES)
def test_an_opening_costs_no_more_than_it_is_long(words):
    """The worst opening, its denials begun again and again and never finished, is still read within a moment."""
    denials = re.sub(r"[|*^.]", " ", words.cannot + words.powers)
    worst = (words.openings[0] + " " + denials) * 20
    started = time.perf_counter()
    suspicion(worst * 100, ended=True)
    assert time.perf_counter() - started < 0.5
