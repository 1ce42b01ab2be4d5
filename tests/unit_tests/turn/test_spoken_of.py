"""What a reply only speaks of, through the whole turn: it is never called at once, and asked about once at most."""

from itertools import product

import pytest

from tests.tables import every_row
from tests.thoroughness import FULL_PRODUCTS
from tests.unit_tests.samples import load_phrasings
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
SPOKEN_OF, LEADS = load_phrasings("spoken_of"), load_phrasings("leads")
ANSWER = "All right."


def places(number, *, once):
    """Where a row stands: each form in each way, in sizes that take turns; or each form, way and size once."""
    for (nth, form), (other, way) in product(enumerate(FORMS), enumerate(WAYS)):
        if not once or (other - nth - number // 3) % 3 == 0:
            yield form, way, SIZES[(nth + other + number) % 3]


def some(rows, *, once=False):
    """Each row in its places where there is time, else some of them in one each: the reader's tests read all in all."""
    step = 15 if once else 5
    for number, row in enumerate(rows if FULL_PRODUCTS or len(rows) < 99 else rows[::step]):
        in_turn = list(product(FORMS, WAYS, SIZES))[number % 27]
        for form, way, size in places(number, once=once) if FULL_PRODUCTS else [in_turn]:
            # What its own form quotes is not put into a block of code.
            if (row.get("kind"), form) != ("quoted", "fenced"):
                yield row, form, way, size


def spoken(kind, *, once=False):
    """The replies of a kind: text, form, way, size."""
    for row, form, way, size in some([row for row in SPOKEN_OF if row["kind"] == kind], once=once):
        yield row["words"].replace("{call}", FORMS[form]).strip(), form, way, size


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


@every_row(
    ("words", "city", "asked"),
    [
        ("I can't run it for P-1, so here is P-2:", "P-2", True),
        ("I will not call it for P-1, only P-2.", "P-2", True),
        ("I don't want to run it for P-1, only for P-2.", "P-2", True),
        ("I will not run it for P-2:", "P-2", False),
        ("I will not run it for P-2, nor for P-1:", "P-2", False),
    ],
)
@pytest.mark.parametrize("size", [None, 3])
def test_where_another_object_is_declined_the_call_is_asked_about(words, city, asked, size):
    """What is named last before the call is what it is for; the very call that is declined stays text."""
    call = CALL.replace("Paris", city)
    one = say(f"{words}\n{call}", call, way="text", size=size)
    assert (len(one.requests) > 1, len(one.message.tool_calls)) == (asked, int(asked))


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
    for text, _, way, size in spoken("asked", once=True):
        if way != "native":
            one = say(text, CALL, way=way, size=size)
            assert outcome(one) == (text, 1, 2), text
            assert doubts(one) == [("unclear", True)], text


def test_what_is_spoken_of_again_stays_text():
    """The second reply is not asked about, and says nothing more than the first."""
    for text, _, way, size in spoken("asked", once=True):
        if way != "native":
            one = say(text, text, CALL, way=way, size=size)
            assert (*outcome(one), doubts(one)) == (text, 0, 2, [("unclear", False)]), text


def test_what_is_unclear_stays_text_with_no_re_asks_left():
    """A warning says so, except of an endpoint that is never asked."""
    for text, _, way, size in spoken("asked", once=True):
        one = say(text, CALL, way=way, size=size, max_reasks=0)
        assert outcome(one) == (text, 0, 1), text
        assert any("unclear" in warning for warning in one.report["warnings"]) == (way != "native")


@pytest.mark.parametrize("way", WAYS)
def test_a_call_after_natural_words_is_made_at_once(way):
    """One request; the words stand."""
    for row, form, size in [
        (row, form, size) for row, form, led, size in some(LEADS) if led == way
    ]:
        one = say(f"{row['words']}\n{FORMS[form].strip()}", way=way, size=size)
        # The tool's own name before its arguments is part of the call.
        words = "" if row["words"] == "get_weather:" else row["words"]
        assert one.message.text.strip() in (words, row["words"]), row
        assert outcome(one)[1:] == (1, 1), row
        assert doubts(one) == [], row
