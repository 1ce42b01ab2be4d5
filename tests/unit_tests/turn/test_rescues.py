"""Calls that a native reply writes as text, and texts that only look like one: whole and streamed."""

import pytest

from tests.tables import every_row
from tests.unit_tests.turn.playing import Known, Said, order, play

A = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
B = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
OTHER = '{"name": "search_web", "arguments": {"query": "Paris"}}'
FENCED = f"```json\n{A}\n```"
WEATHER = ("get_weather", {"city": "Paris"})
SUM = ("sum_up", {"a": 1, "b": 2})
SIZES = [None, 1, 3, 7]
CLAIMED = {"verdict": "native", "evidence": "claimed"}
OBSERVED = {"verdict": "native", "evidence": "observed"}


def played(text, known, size=None, asked=None, then="Fine.", **settings):
    known = Known(**known)
    return play(text, then, order=asked, known=known, size=size, mode="fallback", **settings)


def calls(one):
    return [(call["name"], call["args"]) for call in one.message.tool_calls]


RESCUED = [
    (A, "", [WEATHER]),
    (FENCED, "", [WEATHER]),
    (f"```\n{A}\n```", "", [WEATHER]),
    (f"Sure.\n{A}", "Sure.", [WEATHER]),
    (f"Let me look that up:\n{FENCED}", "Let me look that up:", [WEATHER]),
    (f"{A}\nI will tell you the result.", "I will tell you the result.", [WEATHER]),
    (f"{A}\n{B}", "", [WEATHER, SUM]),
    (f"[{A}, {B}]", "", [WEATHER, SUM]),
    (f"<tool_call>\n{A}\n</tool_call>", "", [WEATHER]),
    ('get_weather(city="Paris")', "", [WEATHER]),
]


@every_row("size", SIZES)
@pytest.mark.parametrize("evidence", [CLAIMED, OBSERVED], ids=["claimed", "observed"])
@every_row(("text", "words", "made"), RESCUED)
def test_every_call_that_is_made_is_rescued(text, words, made, evidence, size):
    """One request, the calls, and of the text only what is not a call, whether or not native calls were seen."""
    one = played(text, evidence, size)
    assert (one.message.text.strip(), calls(one)) == (words, made)
    assert (one.report["path"], len(one.requests)) == ("rescued", 1)


DOCUMENTATION = [
    f"You can call it like this:\n\n{FENCED}\n\nThe result is a string.",
    f"An example call is {A}",
    f"The model answers with `{A}`.",
    f"Here is the log:\n> {A}\n\nIt was refused.",
    f'The file says: "{A}" and nothing else.',
    f"I will not run this:\n{A}",
    'Use `get_weather("Paris")` for that.',
    '```python\nweather = get_weather("Paris")\nprint(weather)\n```',
    '{"city": "Paris", "degrees": 20}',
    '{"name": "Paris", "country": "France"}',
]


@every_row("size", SIZES)
@pytest.mark.parametrize("evidence", [CLAIMED, OBSERVED], ids=["claimed", "observed"])
@every_row("text", DOCUMENTATION)
def test_what_is_only_quoted_is_never_a_call(text, evidence, size):
    """Documentation and quotations are the reply's text, to the letter."""
    one = played(text, evidence, size)
    assert (one.message.text, calls(one)) == (text, [])


BARE = [
    A,
    FENCED,
    f"```\n{A}\n```",
    f"  {A}\n",
    f"Sure.\n{A}",
    f"{A}\nThis is how it is called.",
    f"{FENCED}\nThis is how it is called.",
    f"{A}\n{B}",
    'get_weather(city="Paris")',
    f"`{A}`",
    f'"{A}"',
]


@every_row("size", SIZES)
@every_row("text", BARE)
def test_on_a_vendors_host_a_bare_call_is_text(text, size):
    """Objects, alone or among words, Python and quotations stay as they were written."""
    one = played(text, OBSERVED, size, on_vendor_host=True)
    assert (one.message.text, calls(one), len(one.requests)) == (text, [], 1)


def test_documentation_from_a_vendors_host_streams_as_it_comes():
    """Nothing of it is held."""
    text = f"First the call:\n{A}\nThen the result.\n" * 3
    one = played(text, OBSERVED, size=4, on_vendor_host=True)
    assert max(len(chunk.text) for chunk in one.chunks) <= 8


ANSWERS = [
    ("a form", order(form={"title": "Person", "type": "object", "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}}})),
    ("JSON mode", order(form={"type": "json_object"})),
    ("JSON is asked for", order("Give me the call as JSON.")),
    ("no call is wanted", order(choice="none")),
]  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("why", "asked"), ANSWERS, ids=[why for why, _ in ANSWERS])
def test_an_object_that_may_be_the_answer_is_never_a_call(why, asked, size):
    """Structured answers that look like calls are answers."""
    one = played(A, OBSERVED, size, asked)
    assert (one.message.text, calls(one)) == (A, [])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("evidence", [CLAIMED, OBSERVED], ids=["claimed", "observed"])
def test_a_reply_that_only_calls_a_tool_that_is_not_bound_is_asked_again(evidence, size):
    """A greeting answered by an invented call is not an answer: the turn goes on in text."""
    one = played(OTHER, evidence, size, order("Hello!"), then="Hello, how can I help?")
    assert (one.message.text, calls(one)) == ("Hello, how can I help?", [])
    assert one.report["reasks"] == ["validation: unknown_tool"]
    assert "get_weather" in one.requests[1].messages[-1].text


OPENINGS = ["I cannot.", "I am", "Sorry, I", "I do not", "As an AI"]
KNOWN = {
    "a check follows": {},
    "no check follows": {"wants_check": False},
}


@every_row("size", [None, 1, 100])
@pytest.mark.parametrize("known", KNOWN)
@every_row("text", OPENINGS)
def test_a_native_reply_that_ends_like_the_opening_of_a_refusal_is_said_once(text, known, size):
    """Its words are held to the end, and what is shown then is not shown again with the rest."""
    one = played(text, KNOWN[known], size, then=A)
    assert one.message.content == text


@pytest.mark.parametrize("size", SIZES)
def test_next_to_a_known_tool_an_unknown_one_is_an_invalid_call(size):
    """The known one is made, the other has an id and a reason, and a warning tells."""
    one = play(f"{A}\n{OTHER}", size=size)
    (invalid,) = one.message.invalid_tool_calls
    assert calls(one) == [WEATHER]
    assert (invalid["name"], bool(invalid["id"])) == ("search_web", True)
    assert "search_web" in str(one.report["warnings"])


@pytest.mark.parametrize("size", SIZES)
def test_a_result_that_the_model_makes_up_is_neither_content_nor_history(size):
    """What follows the call in another's name is dropped, and a warning tells."""
    one = play(f"{A}\n<tool_response>\nsunny\n</tool_response>\nIt is sunny.", size=size)
    assert (one.message.text.strip(), calls(one)) == ("", [WEATHER])
    assert "dropped text that the model wrote as a tool or user" in one.report["warnings"]


ROWS = [(2, "stop", 2), (3, "stop", 3), (5, "stop", 5), (6, "stop", 5), (9, "stop", 5), (9, "length", 5)]  # fmt: skip


@every_row("size", SIZES)
@pytest.mark.parametrize(("written", "finish", "made"), ROWS)
def test_identical_calls_in_a_row_are_made_unless_there_is_no_end_of_them(
    written, finish, made, size
):
    """Three dice are three rolls; a reply that repeats a call more than five times is stuck."""
    one = play(Said("\n".join([B] * written), finish=finish), size=size)
    assert calls(one) == [SUM] * made
    assert (
        len([said for said in one.report["warnings"] if "an extra call" in said]) == written - made
    )


FORM = {
    "title": "Weather",
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["city", "degrees"],
}
ANSWER = '{"city": "Paris", "degrees": 20}'


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"```json\n{ANSWER}\n```",
        f'{{"name": "Weather", "arguments": {ANSWER}}}',
        f"Here is the answer:\n{ANSWER}",
    ],
)
def test_with_tools_and_a_form_an_object_in_the_form_is_the_answer(text, size):
    """One request in text, whatever else could have been called."""
    one = play(text, order=order(form=FORM), size=size)
    assert (one.message.text, calls(one)) == (ANSWER, [])
    assert (one.report["reasks"], len(one.requests)) == ([], 1)


def test_with_tools_and_a_form_the_contract_asks_for_one_thing():
    """Nothing asks for plain words where the answer must be a call."""
    one = play(ANSWER, order=order(form=FORM))
    said = "\n".join(message.text for message in one.requests[0].messages)
    assert "give your answer by calling Weather" in said
    assert "plain words" not in said
