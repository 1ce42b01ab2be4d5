"""What a reply only speaks of, through the whole turn: it is never called at once, and asked about once at most."""

from itertools import product

import pytest

from tests.unit_tests.turn.playing import Known, order, play

CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
FORMS = {
    "bare": CALL,
    "fenced": f"\n```json\n{CALL}\n```\n",
    "tagged": f"<tool_call>\n{CALL}\n</tool_call>",
}
# Asked in text, and in a native reply: of an endpoint that is not known, and of one seen to call natively.
WAYS = {"text": "force", "unknown": "fallback", "native": "fallback"}
SIZES = (None, 1, 7)
ASKED_ORDER = order()
ANSWER = "All right."
KINDS = {
    "asked": [
        "The page says: {call}",
        "Should I run this? {call}",
        "If you agree, I send:\n{call}",
    ],
    "declined": ["I will not do that:\n{call}", "Sure:\n{call}\nI won't run it."],
    "quoted": ["> {call}", "The line '{call}' is in it.", "| call | {call} |"],
}
LEADS = [
    "Let me see:",
    "On my way.",
    "Je regarde :",
    "Einen Moment, ich sehe nach:",
    "我来查一下:",
]


def places(number):
    """Each form in each way, in sizes that take turns."""
    for (nth, form), (other, way) in product(enumerate(FORMS), enumerate(WAYS)):
        yield form, way, SIZES[(nth + other + number) % 3]


def spoken(kind):
    """The replies of a kind: text, form, way, size."""
    for number, words in enumerate(KINDS[kind]):
        for form, way, size in places(number):
            shown = CALL if kind == "quoted" else FORMS[form]
            yield words.replace("{call}", shown).strip(), form, way, size


def say(*replies, way, size, wants_check=False, **settings):
    known = Known("native" if way == "native" else "unknown", wants_check=wants_check)
    given = {"mode": WAYS[way], "order": ASKED_ORDER, **settings}
    return play(*replies, known=known, size=size, **given)


def outcome(played):
    """The text, the number of calls and that of the requests."""
    return played.message.text, len(played.message.tool_calls), len(played.requests)


def doubts(played):
    return [(one["reason"].split(":")[0], one["made"]) for one in played.report["doubted"]]


def test_what_is_declined_is_text_and_never_asked_about():
    """One request, whatever is known of the model, and an entry in the report."""
    for text, _, way, size in spoken("declined"):
        one = say(text, CALL, way=way, size=size, wants_check=True)
        assert outcome(one) == (text, 0, 1), text
        assert doubts(one) == [("declined", False)], text


def test_what_is_quoted_is_text():
    """It is neither asked about nor doubted."""
    for text, _, way, size in spoken("quoted"):
        one = say(text, CALL, way=way, size=size)
        assert (*outcome(one), doubts(one)) == (text, 0, 1, []), text


@pytest.mark.parametrize("way", WAYS)
def test_what_is_unclear_is_asked_about_once_and_stays_as_written(way):
    """If words follow the question they change nothing; an endpoint that calls natively is not asked."""
    for text, size in [(text, size) for text, _, asked, size in spoken("asked") if asked == way]:
        one = say(text, ANSWER, way=way, size=size)
        assert outcome(one) == (text, 0, 1 if way == "native" else 2), text
        assert doubts(one) == [("unclear", False)], text


def test_what_is_unclear_is_made_if_it_comes_without_such_words():
    """The words before it stand."""
    for text, _, way, size in spoken("asked"):
        if way != "native":
            one = say(text, CALL, way=way, size=size)
            assert outcome(one) == (text, 1, 2), text
            assert doubts(one) == [("unclear", True)], text


def test_what_is_spoken_of_again_stays_text():
    """The second reply is not asked about, and says nothing more than the first."""
    for text, _, way, size in spoken("asked"):
        if way != "native":
            one = say(text, text, CALL, way=way, size=size)
            assert (*outcome(one), doubts(one)) == (text, 0, 2, [("unclear", False)]), text


def test_what_is_unclear_stays_text_with_no_re_asks_left():
    """A warning says so, except of an endpoint that is never asked."""
    for text, _, way, size in spoken("asked"):
        one = say(text, CALL, way=way, size=size, max_reasks=0)
        assert outcome(one) == (text, 0, 1), text
        assert any("unclear" in warning for warning in one.report["warnings"]) == (way != "native")


def test_a_call_after_natural_words_is_made_at_once():
    """One request; the words stand."""
    for number, words in enumerate(LEADS):
        for form, way, size in places(number):
            one = say(f"{words}\n{FORMS[form].strip()}", way=way, size=size)
            assert (one.message.text.strip(), *outcome(one)[1:]) == (words, 1, 1), words
            assert doubts(one) == [], words
