"""A doubted call is asked about once, and made if the model insists: whole and in pieces, asked in text and natively."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.errors import PolicyError
from langchain_toolemu.policy import CAREFUL, DEFAULT, TRUST, Checks, Review
from tests.tables import every_row
from tests.unit_tests.turn.playing import Known, Said, called, order, play
from tests.weather import get_weather

SIZES = (None, 1, 3, 7)
MODES = ("force", "fallback")
GUESS = '{"name": "get_weather", "arguments": {"city": "New York"}}'
COPY = '{"name": "get_weather", "arguments": {"city": "Zorbel"}}'
SUM = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
QUESTION = "(An automatic check, not the user's words; it confirms nothing.) Is it right?"


class Doubtful:
    """Asks about every weather call, in words or afresh."""

    def __init__(self, question=""):
        self.question = question

    def review(self, call, context):
        asks = call.name == "get_weather"
        return Review.ask("it is odd", self.question) if asks else Review.accept()


IN_WORDS, AFRESH = Checks(Doubtful(QUESTION)), Checks(Doubtful())


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


@pytest.fixture(params=SIZES, ids=lambda size: f"pieces of {size}" if size else "whole")
def size(request):
    return request.param


def greet(*replies, **settings):
    """A greeting, to which no call belongs."""
    return play(*replies, order=order("Good evening!"), **{"policy": AFRESH, **settings})


def names(played):
    return [call["name"] for call in played.message.tool_calls]


def doubts(played):
    return [(one["reason"].split(":")[0], one["made"]) for one in played.report["doubted"]]


def test_a_call_that_comes_again_is_made(mode, size):
    """One question, with the tools still offered, and the report tells of it."""
    one = greet(GUESS, GUESS, mode=mode, size=size, policy=IN_WORDS)
    assert (names(one), len(one.requests)) == (["get_weather"], 2)
    sent = str(one.requests[1].messages)
    assert QUESTION.split()[2] in sent
    assert "New York" in sent
    assert "sum_up" in sent
    assert doubts(one) == [("it is odd", True)]


def test_without_a_question_in_words_a_call_is_asked_about_afresh(mode, size):
    """The model sees neither its call nor an example of one, but all tools, and no words of ours."""
    one = greet(GUESS, GUESS, mode=mode, size=size)
    assert (names(one), doubts(one)) == (["get_weather"], [("it is odd", True)])
    sent = str(one.requests[1].messages)
    assert "sum_up" in sent
    assert not any(word in sent for word in ("New York", "Zorbel", "automatic check"))


def test_plain_words_after_the_question_are_the_answer(mode, size):
    """The call is not made, and nothing else is asked."""
    one = greet(GUESS, "Good evening to you!", mode=mode, size=size)
    assert (one.message.text, names(one)) == ("Good evening to you!", [])
    assert len(one.requests) == 2
    assert doubts(one) == [("it is odd", False)]


def test_another_call_after_the_question_is_made(mode, size):
    """Whatever is doubted of it: the model is asked once in a turn."""
    one = greet(GUESS, GUESS.replace("New York", "London"), mode=mode, size=size)
    assert one.message.tool_calls[0]["args"] == {"city": "London"}
    assert doubts(one) == [("it is odd", False), ("it is odd", True)]


def test_words_before_a_doubted_call_stand(mode, size):
    """Only a call is added to them; without one the first reply is the answer as written."""
    first = f"Let me look that up for you:\n<tool_call>{GUESS}</tool_call>"
    made = greet(first, GUESS, mode=mode, size=size)
    assert (made.message.text.strip(), names(made)) == (
        "Let me look that up for you:",
        ["get_weather"],
    )
    not_made = greet(first, "Never mind.", mode=mode, size=size)
    assert (not_made.message.text, names(not_made)) == (first, [])


@pytest.mark.parametrize("echo", [QUESTION, f"{QUESTION} Who knows."])
def test_our_own_words_are_never_the_answer(echo, mode, size):
    """A model that repeats the question has said nothing: it is asked once more, and then the call is made."""
    settings = {"mode": mode, "size": size, "policy": IN_WORDS}
    answered = greet(GUESS, echo, "Good evening!", **settings)
    assert (answered.message.text, names(answered)) == ("Good evening!", [])
    silent = greet(GUESS, echo, echo, **settings)
    assert (silent.message.text, names(silent)) == ("", ["get_weather"])


def test_no_correction_comes_back_as_the_answer(size):
    """Whatever the model was told: what is left is said to be left out."""
    echo = "Your call was cut off before its end. Write it again, with shorter values."
    one = greet(Said(GUESS[:40], finish="length"), echo, echo, mode="force", size=size)
    assert "cut off before its end" not in one.message.text
    assert "dropped our own correction, which the model repeated" in one.report["warnings"]


def test_our_own_words_before_the_call_are_left_out(mode, size):
    """The call was insisted on, and the words are not the model's."""
    one = greet(GUESS, f"{QUESTION} {GUESS}", mode=mode, size=size, policy=IN_WORDS)
    assert (one.message.text.strip(), names(one)) == ("", ["get_weather"])


def test_without_re_asks_a_doubted_call_is_made(mode, size):
    """It is told of in the report."""
    one = greet(GUESS, mode=mode, size=size, max_reasks=0)
    assert (names(one), len(one.requests)) == (["get_weather"], 1)
    assert doubts(one) == [("it is odd", True)]


FINAL = [(AFRESH.final(), GUESS, "it is odd"), (DEFAULT, COPY, "Zorbel")]


@pytest.mark.parametrize(("policy", "call", "reason"), FINAL)
def test_what_is_final_is_an_invalid_call_where_nothing_is_asked(policy, call, reason, size):
    """It is never made, and comes with the reason and a warning."""
    one = greet(call, size=size, max_reasks=0, policy=policy)
    assert names(one) == []
    [invalid] = one.message.invalid_tool_calls
    assert (invalid["name"], bool(invalid["id"])) == ("get_weather", True)
    assert reason in invalid["error"]
    assert "dropped a call of get_weather" in str(one.report["warnings"])
    assert [made for _, made in doubts(one)] == [False]


@every_row("reasks", [1, 2])
@pytest.mark.parametrize(("policy", "call", "reason"), FINAL)
def test_after_what_is_final_the_answer_is_asked_for(policy, call, reason, reasks, size):
    """The call is never made: words are the answer, and another call is none."""
    settings = {"size": size, "max_reasks": reasks, "policy": policy}
    answered = greet(call, call, "Good evening!", **settings)
    silent = greet(call, call, call, **settings)
    assert [one.message.text for one in (answered, silent)] == ["Good evening!", ""]
    for one in (answered, silent):
        assert (names(one), one.message.invalid_tool_calls) == ([], [])
        assert (len(one.requests), [made for _, made in doubts(one)]) == (3, [False])
        assert reason in one.report["doubted"][0]["reason"]
    codes = [one.report["warning_codes"] for one in (answered, silent)]
    assert ["closed_without_answer" in one for one in codes] == [False, True]


@pytest.mark.parametrize("first", [True, False])
def test_next_to_a_call_that_stands_nothing_is_asked(first, mode, size):
    """A doubted call is made with it, in the order of the reply; a final one is left out. Both are told of."""
    pair = [GUESS, SUM] if first else [SUM, GUESS]
    asked = order("Sum up 1 and 2.")
    one = play("\n".join(pair), order=asked, policy=AFRESH, mode=mode, size=size)
    expected = ["get_weather", "sum_up"] if first else ["sum_up", "get_weather"]
    assert (names(one), len(one.requests)) == (expected, 1)
    assert doubts(one) == [("it is odd", True)]
    strict = play("\n".join(pair), order=asked, policy=AFRESH.final(), mode=mode, size=size)
    assert (names(strict), len(strict.requests)) == (["sum_up"], 1)
    assert doubts(strict) == [("it is odd", False)]


REPEATED = [
    HumanMessage("What is the weather in Paris?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "1"}]),
    ToolMessage("rain", tool_call_id="1"),
]
AGAIN = '{"name": "get_weather", "arguments": {"city": "Paris"}}'


def test_a_repeated_call_may_be_insisted_on(mode, size):
    """Polling is legitimate, and costs one question."""
    one = play(AGAIN, AGAIN, order=order(REPEATED), mode=mode, size=size)
    assert (names(one), doubts(one)) == (["get_weather"], [("repeated_call", True)])


def test_two_forms_at_once_then_one_of_them_again_does_not_loop():
    """Each turn of an agent that corrects itself ends with the call."""
    both = AIMessage(
        "",
        tool_calls=[
            {"name": "get_weather", "args": {"city": city}, "id": city}
            for city in ("Paris", "Rome")
        ],
    )
    errors = [ToolMessage("one only", tool_call_id=city) for city in ("Paris", "Rome")]
    history = [REPEATED[0], both, *errors]
    assert names(play(AGAIN, order=order(history), policy=CAREFUL)) == ["get_weather"]


def test_a_demanded_call_is_asked_for_until_it_is_right(size):
    """A copied value does not meet the demand."""
    asked = order("The weather in Paris?", choice="get_weather")
    one = play(COPY, COPY, AGAIN, order=asked, size=size, policy=DEFAULT)
    assert one.message.tool_calls[0]["args"] == {"city": "Paris"}


def test_a_check_whose_call_is_doubted_asks_before_the_native_words_are_replaced(size):
    """The native reply stands if the model does not insist."""
    native = "Good evening to you!"
    one = greet(native, GUESS, "Hello.", mode="fallback", size=size)
    assert (one.message.text, one.report["path"]) == (native, "native")
    insisted = greet(native, GUESS, GUESS, mode="fallback", size=size)
    assert (insisted.message.text, names(insisted)) == (native, ["get_weather"])


def test_trust_doubts_nothing(mode, size):
    """A copied, an invented and a repeated call are all made at once."""
    for call, asked in ((COPY, "Hi!"), (GUESS, "Hi!"), (AGAIN, REPEATED)):
        one = play(call, order=order(asked), policy=TRUST, mode=mode, size=size)
        assert (names(one), len(one.requests), doubts(one)) == (["get_weather"], 1, [])


class NoWeather:
    """A policy of one's own."""

    def review(self, call, context):
        held = call.name == "get_weather"
        return Review.hold_back("ask a person") if held else Review.accept()


def test_a_policy_of_one_s_own_holds_a_call_back(mode, size):
    """Without a question: the call is an invalid one, with the reason, or left out next to one that stands."""
    policy = DEFAULT + Checks(NoWeather())
    one = play(AGAIN, order=order(), policy=policy, mode=mode, size=size)
    assert (names(one), len(one.requests)) == ([], 1)
    assert one.message.invalid_tool_calls[0]["error"] == "ask a person"
    beside = play(f"{AGAIN}\n{SUM}", order=order(), policy=policy, mode=mode, size=size)
    assert names(beside) == ["sum_up"]
    assert beside.report["doubted"][0]["reason"] == "ask a person"


def test_the_report_hides_secrets_and_cuts_long_values():
    """What is doubted is shown, and nothing more than is needed."""

    def log_in(user: str, password: str, note: str) -> str:
        """Log in."""

    args = '"user": "<user>", "password": "hunter2", "note": "' + "x" * 200 + '"'
    asked = order("Hi", tools=[log_in, get_weather])
    one = play(f'{{"name": "log_in", "arguments": {{{args}}}}}', "Who?", order=asked)
    [entry] = one.report["doubted"]
    assert entry["args"]["password"] == "***"
    assert len(entry["args"]["note"]) < 100


@pytest.mark.parametrize("size", [None, 3])
def test_a_call_in_a_thought_is_not_asked_about(size):
    """All of it is text."""
    text = f"{GUESS} so.</think>Good evening to you!"
    one = greet(text, size=size, mode="fallback", known=Known(wants_check=False))
    assert (one.message.text, names(one)) == (text, [])


def test_a_call_that_was_spoken_of_counts_as_made_if_it_comes_repaired(size):
    """The report compares the arguments as they are made."""
    call = '{"name": "sum_up", "arguments": {"a": "1", "b": "2"}}'
    played = play(f"The call I would make is: {call}", call, size=size)
    assert [one["made"] for one in played.report["doubted"]] == [True]


def test_a_long_call_that_is_made_although_it_is_doubted_is_reported(size):
    """It does not stream before all of it is there."""
    args = {"path": "<path>", "content": "Once upon a time. " * 100}
    call = json.dumps({"name": "write_file", "arguments": args})
    played = play(call, size=size, max_reasks=0)
    assert [one["made"] for one in played.report["doubted"]] == [True]


def test_an_answer_may_be_what_a_tool_told(size):
    """It stands in a result letter for letter, and is no injection."""
    history = called("Weather?", ("get_weather", {"city": "Rome"}, '{"degrees": "20"}'))
    schema = {"type": "object", "properties": {"degrees": {"type": "string"}}}
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    played = play('{"degrees": "20"}', order=order(history, form=form), size=size)
    assert (played.report["requests"], played.report["doubted"]) == (1, [])


class Broken:
    """A policy with a fault, whose error reads like one of a server."""

    def __init__(self, fails):
        self.fails = fails

    def review(self, call, context):
        if self.fails:
            raise RuntimeError("tools are not supported")


@pytest.mark.parametrize("policy", [Broken(True), Broken(False), Checks(Broken(False))])
def test_a_policy_that_fails_is_told_of(policy, size):
    """It is neither an error of the server nor of a check, streamed or whole."""
    first = "<tool_call>{}</tool_call>\n\n".format(
        '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
    )
    played = play("It is three.", first * 2, mode="fallback", policy=policy, size=size)
    assert isinstance(played.error, PolicyError)
    assert "sum_up by the policy Broken" in str(played.error)


def test_no_question_takes_a_provider_s_own_tool_away(size):
    """It cannot be offered in text, so the doubted call is made and told of."""
    tools = [get_weather, {"type": "web_search"}]
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    played = play(call, mode="fallback", order=order(tools=tools), size=size, policy=AFRESH)
    assert (names(played), len(played.requests)) == (["get_weather"], 1)
    assert [one["made"] for one in played.report["doubted"]] == [True]


@pytest.mark.parametrize("said", [Review.hold_back("never"), Review.ask("never", final=True)])
def test_the_error_says_that_the_policy_let_no_demanded_call_through(said, size):
    """The model did call, so it is not to blame."""
    policy = Checks(type("Own", (), {"review": lambda *_: said})())
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    played = play(call, order=order(choice="get_weather"), policy=policy, size=size)
    assert "the policy accepted no call (never)" in str(played.error)


def test_no_check_follows_a_native_reply_that_declines_a_call(size):
    """A second request is how a refused call gets run."""
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    played = play(f"I refuse to run this: {call}", call, mode="fallback", size=size)
    assert (names(played), len(played.requests)) == ([], 1)


def test_without_re_asks_a_call_that_is_spoken_of_natively_stays_text(size):
    """A check would be a question, too."""
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    lead = "Once you confirm, I will send:"
    played = play(f"{lead}\n{call}", call, mode="fallback", max_reasks=0, size=size)
    assert (names(played), len(played.requests)) == ([], 1)
    assert played.report["warnings"] == ["gave up: reader: unclear_call"]
