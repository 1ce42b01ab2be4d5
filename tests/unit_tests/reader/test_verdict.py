"""What the words around a call make of it. The table of both sides, in ten languages, is samples/words.json."""

import pytest

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Text
from langchain_toolemu.reader.verdict import Case, lead_to
from tests.unit_tests.reader.reading import NOW, outline, read, said
from tests.unit_tests.samples import TOOLS, load

CALL = '{"name": "now", "arguments": {}}'
TAG = f"<tool_call>{CALL}</tool_call>"
FENCE = f"```json\n{CALL}\n```"
ASKED = ("now", "possible")
WORDS = [sample["text"] for sample in load()["words"]]


def is_tool(name):
    return TOOLS.exact(name) is not None


def verdict(before, after="", *, explicit=False, **options):
    """What a call is between these words."""
    case = Case(lead_to(before, is_tool), explicit=explicit, **options)
    return case.judge(after, final=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Sure, ", ""),
        ("Sure! ", " Hope that helps."),
        ("Sure, ", " Hope that helps."),
        ("I call: ", " and wait."),
        ("I call ", "."),
        ("I call ", "\nto see"),
        ("<!-- so --> ", ""),
        (">>> ", ""),
        ("- ", ""),
        ("The weather in Paris (France):\n", ""),
    ],
)
def test_a_call_that_ends_its_line_or_follows_a_sentence_is_made(before, after):
    """Nothing says otherwise, and the line ends with the call, or the words announce it."""
    assert verdict(before, after) == "made"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Earlier I called ", " and the result was 3.", "doubtful"),
        ("Sure, I call ", "   to see.", "doubtful"),
        ("payload = ", "", "doubtful"),
        ("print(json.dumps(", "))", "doubtful"),
        ("<!-- ", " -->", "doubtful"),
        ("> ", "", "mentioned"),
        ("So he wrote:\n> I send ", ".", "mentioned"),
        ("| add | ", " |", "mentioned"),
        ("It is '", "' here", "mentioned"),
        ("It is 「", "」", "mentioned"),
    ],
)
def test_structure_counts_before_words(before, after, expected):
    """A sentence that goes on, code, a quotation and a table make a call doubtful or a mention."""
    assert verdict(before, after) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("I could say it like this:", "made"),
        ("You need the sum.", "made"),
        ("You could say", "doubtful"),
        ("The page says", "doubtful"),
        ("For example:", "doubtful"),
        ("I will not call", "mentioned"),
        ("I will not call it.\n", "doubtful"),
    ],
)
def test_an_envelope_that_can_only_mean_a_call_is_strong_evidence(before, expected):
    """Words alone do not make a mention of it, unless they decline it."""
    assert verdict(before, explicit=True) == expected


@pytest.mark.parametrize(
    ("before", "made"),
    [("Paris it is.\n", False), ("Sure.\n", True), ("`now`:\n", True), ("", True)],
)
def test_in_a_native_reply_a_call_must_be_announced(before, made):
    """A reply that was not asked for calls in text makes one only if its words say so."""
    assert (NOW in outline(read(before + CALL, native=True))) is made


def test_a_call_between_quotes():
    """Announced it is asked about, otherwise it is text; a quote that does not close means nothing."""
    assert verdict('I call "', '"') == "doubtful"
    assert verdict('It is "', '"') == "mentioned"
    assert verdict('Sure: "', " now") == "made"
    assert verdict('Sure: "') == "made"


def test_a_call_between_back_ticks():
    """On a line of its own it is one like any other; in a line it must be announced and end it."""
    assert verdict("Sure:\n", in_code=True) == "made"
    assert verdict("An example:\n", in_code=True) == "mentioned"
    assert verdict("I call ", ".", in_code=True) == "made"
    assert verdict("I call ", "?", in_code=True) == "doubtful"
    assert verdict("I call ", " for that.", in_code=True) == "mentioned"
    assert verdict("It is ", in_code=True) == "mentioned"
    assert verdict("", " is it", in_code=True) == "mentioned"


def test_a_reply_that_is_one_quoted_call():
    """Where calls were asked for in text, the quotes around the whole reply mean nothing."""
    assert verdict('"', '"', alone=True) == "made"
    assert verdict('"', '"', alone=True, native=True) == "mentioned"


def test_a_negation_counts_for_what_it_denies():
    """What limits it makes it a doubt; in a sentence of its own it must deny the call."""
    assert verdict("I will not run it before you agree:\n") == "doubtful"
    assert verdict("This is not safe:\n") == "doubtful"
    assert verdict("I cannot see the sky before noon.\n") == "made"
    assert verdict("I cannot run programs.\n") == "doubtful"
    assert verdict("Sure:\n", "\nI won't do it until you agree.") == "made"


def test_what_is_reported_in_a_sentence_of_its_own_is_not_the_call():
    """Unless the sentence calls it suspicious."""
    assert verdict("The page says hello.\n") == "made"
    assert verdict("The page contained a malicious call.\n") == "mentioned"
    assert verdict("This is a malicious call.\n") == "mentioned"
    assert verdict("A suspicious thing:\n") == "mentioned"
    assert verdict("Sure:\n", "\nThis looks dangerous.") == "doubtful"


def test_calls_after_one_another_are_what_the_first_is():
    """What is between them says nothing, so they are made, asked about or mentioned together."""
    assert said(f"I call:\n{CALL}\n{CALL}") == ["I call:\n", NOW, NOW]
    listed = f"Examples:\n1. {CALL}\n2. {CALL}\n"
    assert said(listed) == [listed]
    again = f"For example:\n{CALL}\n\nOr:\n{FENCE}"
    assert said(again) == [again]
    made = f"{CALL}\nOr:\n{TAG}\n"
    assert said(made) == [NOW, "\nOr:\n"]
    mixed = f"For example:\n{CALL}\nNow I call it:\n{FENCE}"
    assert said(mixed) == [f"For example:\n{CALL}\nNow I call it:\n", NOW]


def test_a_reply_is_asked_about_once():
    """However many calls it speaks of, nothing of it is lost."""
    text = f"Earlier I called {CALL} and later {CALL} to see."
    outcome = said(text)
    assert [part for part in outcome if not isinstance(part, str)] == [ASKED]
    assert "".join(part for part in outcome if isinstance(part, str)) == text


def test_what_follows_a_call_waits_for_two_sentences_at_most():
    """Then the call is judged, and the text goes on as it comes."""
    reader = Reader(TOOLS)
    assert outline(reader.feed("Sure.\n")) == ["Sure.\n"]
    assert reader.feed(f"{CALL}\n\nThis is it. You ") == []
    assert outline(reader.feed("will see. S")) == [NOW, "\n\nThis is it. You will see. S"]
    assert outline(reader.feed("oon.")) == ["oon."]
    assert reader.close() == []
    reader = Reader(TOOLS)
    assert reader.feed(f"Sure.\n{CALL}") == [Text("Sure.\n")]
    words = "and so on " * 30
    assert outline(reader.feed(f"\n{words}")) == [NOW, f"\n{words}"]


def test_a_reply_that_speaks_of_very_many_calls():
    """Further ones are what the last was that was looked at."""
    text = f"For example {CALL}, " * 100
    assert said(text) == [text]


@pytest.mark.parametrize("text", WORDS)
def test_a_thought_that_was_never_opened_makes_text_of_all_calls(text):
    """Whatever they were said to be, nothing of the text is lost."""
    events = read(f"{text}</think>")
    assert not any(part == NOW for part in outline(events))
