"""What follows a reply to a request in text: the rules as tables."""

from dataclasses import replace

import pytest

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.messages.content import Words
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.policy import Review
from langchain_toolemu.reader.events import BadCall, Call, PossibleCall
from langchain_toolemu.turn.after_reply import RULES, after_reply, decide
from langchain_toolemu.turn.native_calls import NativeCalls
from langchain_toolemu.turn.reply_log import ReplySummary
from langchain_toolemu.turn.reply_setup import Judge, ReplyCall
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.stages import (
    AskAgain,
    EndTurn,
    Fail,
    NativeReply,
    Reask,
    Stage,
)
from langchain_toolemu.turn.turn_input import Settings
from tests.unit_tests.turn.playing import Known, called, order, sum_up
from tests.unit_tests.turn.test_after_native import deciding_rules
from tests.weather import get_weather


def texts(decision):
    return tuple(one.text for one in decision.warnings)


def bad(reason):
    return BadCall("mul", "{", "json", True, reason, "no colon after the key")


def call(name="sum_up", errors=(), **args):
    return Call(name, args or {"a": 1, "b": 2}, "{call}", "json", False, errors=tuple(errors))


def doubted(found, *, code="", final=False):
    review = Review.ask("it is odd", "Is it right?", final=final, code=code)
    return ReplyCall(found, "doubted", review)


COPIED = doubted(call("get_weather", city="Zorbel"), code="copied_value", final=True)
DOUBTED = doubted(call("get_weather", city="Rome"))
MISFIT = call(errors=["a: required, but missing"])
POSSIBLE = PossibleCall("sum_up", {}, "{call}", "json", "words go on after it")


def ended(
    *,
    choice=None,
    stage=None,
    before=(),
    finish="stop",
    settings=None,
    spoke=False,
    spoke_before=False,
    calls=(),
    text="What is the weather in Paris?",
    form=None,
    **read,
):
    asked = order(text, tools=[get_weather, sum_up], choice=choice, form=form)
    stage = stage or Stage("call")
    options = {"is_small": True, **(settings or {})}
    judge = Judge(asked, Settings("force", JSON, **options), stage, tuple(before))
    metadata = TurnMetadata(response_metadata={"finish_reason": finish})
    facts = {"spoke": spoke, "spoke_before": spoke_before, "calls": tuple(calls)}
    facts |= {"knowledge": Known(), "native_calls": NativeCalls(judge)}
    reply = ReplySummary(**{"raw": "something", **read})
    return ReviewedReply(judge=judge, reply=reply, metadata=metadata, **facts)


NAMES = {"title": "Names", "type": "array", "items": {"type": "string"}}
DECISION, ANSWER = Stage("decision"), Stage("answer")
LED = Stage("call", "grammar")
CHECK = Stage("call", checks=NativeReply((Words("The sky."),)))
REASKED = [
    ("a forced call is missing", {"choice": "any"}, "missing_call", "one of get_weather, sum_up"),
    ("a named call is missing", {"choice": "sum_up"}, "missing_call", "Call sum_up now"),
    (
        "another tool than the one demanded",
        {"choice": "sum_up", "unwanted": (call("get_weather"),)},
        "wrong_tool",
        "You called get_weather. Call sum_up instead",
    ),
    ("a cut call", {"bad_calls": (bad("cut"),)}, "cut_call", "cut off"),
    ("an unreadable call", {"bad_calls": (bad("unreadable"),)}, "unreadable_call", "no colon"),
    ("a call that may be quoted", {"remarks": (POSSIBLE,)}, "unclear_call", "only spoken of"),
    (
        "an unknown tool",
        {"bad_calls": (bad("unknown_tool"),)},
        "unknown_tool",
        "'mul' cannot be called, only these tools can: get_weather, sum_up",
    ),
    ("arguments that do not fit", {"misfits": (MISFIT,)}, "bad_arguments", "required, but"),
    (
        "arguments that do not fit next to a good call",
        {"calls_": (call(),), "misfits": (MISFIT,)},
        "bad_arguments",
        "a: required, but missing",
    ),
    (
        "arguments of a forced call that do not fit",
        {"choice": "any", "misfits": (MISFIT,)},
        "bad_arguments",
        "a: required",
    ),
    ("a refusal", {"suspicion": "refusal"}, "refusal", "You do have tools: get_weather, sum_up"),
    ("a call that the policy doubts", {"doubted": (DOUBTED,)}, "doubted_call", "Is it right?"),
    ("a call that is only copied", {"doubted": (COPIED,)}, "doubted_call", "Is it right?"),
    ("our own question back", {"suspicion": "echo"}, "empty_reply", "was empty"),
    ("nothing at all", {"raw": ""}, "empty_reply", "was empty"),
    ("an announcement", {"raw": "I'll call get_weather now."}, "announced_call", "did not do it"),
    ("a call where none was offered", {"stage": ANSWER, "unwanted": (call(),)}, "imitated_call", ""),
    ("a cut call where none was offered", {"stage": ANSWER, "bad_calls": (bad("cut"),)}, "imitated_call", ""),
    ("an unknown call where none was offered", {"stage": ANSWER, "bad_calls": (bad("unknown_tool"),)}, "imitated_call", ""),
    ("nothing where an answer was asked for", {"stage": ANSWER, "raw": " "}, "empty_reply", ""),
]  # fmt: skip


def end_of(facts):
    facts = dict(facts)
    read = {"calls": facts.pop("calls_")} if "calls_" in facts else {}
    end = ended(**facts)
    if read:
        reply = ReplySummary(raw="something", misfits=end.reply.misfits, **read)
        end = replace(end, reply=reply, spoke=False, spoke_before=False, calls=())
    return end


@pytest.mark.parametrize(
    ("case", "facts", "reason", "said"), REASKED, ids=[case for case, *_ in REASKED]
)
def test_what_is_current_reask(case, facts, reason, said):
    """Each fault is asked again for its reason, in words that say what to fix."""
    move = after_reply(end_of(facts))
    assert isinstance(move, AskAgain)
    (reask,) = move.stage.reasks
    assert reask.reason == reason
    assert said in reask.correction


THOUGHT = (
    '<think>So.<tool_call>{"name": "sum_up", "arguments": {"a": 1, "b": 2}}</tool_call></think>'
)
ACCEPTED = [
    ("an answer", {}, "emulated"),
    ("a call", {"calls_": (call(),)}, "emulated"),
    ("a forced call", {"choice": "any", "calls_": (call(),)}, "emulated"),
    ("an answer where one was asked for", {"stage": ANSWER}, "emulated"),
    ("a call that ends a thought", {"raw": THOUGHT}, "emulated"),
    ("a call that broke off after it was shown", {"broken": (bad("cut"),)}, "emulated"),
    ("a refusal on principle", {"finish": "content_filter"}, "emulated"),
    ("a check that finds no call", {"stage": CHECK}, "native"),
    ("a list that is the answer", {"choice": "any", "form": NAMES, "raw": '["a"]'}, "emulated"),
]


@pytest.mark.parametrize(("case", "facts", "path"), ACCEPTED, ids=[case for case, *_ in ACCEPTED])
def test_what_is_accepted(case, facts, path):
    """These end the turn."""
    move = after_reply(end_of(facts))
    assert isinstance(move, EndTurn)
    assert move.path == path


ANSWERED = [
    ("a decision against a call", {"stage": DECISION}),
    ("an answer that is only copied", {"suspicion": "copied"}),
]


@pytest.mark.parametrize(("case", "facts"), ANSWERED, ids=[case for case, _ in ANSWERED])
def test_where_the_answer_is_asked_for(case, facts):
    """Where there is nothing to call, the next request asks for the answer only."""
    move = after_reply(ended(**facts))
    assert isinstance(move, AskAgain)
    assert move.stage.phase == "answer"


STANDS = Reask("doubted_call", "Well. {call}", "Is it?", words=(Words(" {call}"),), stands=True)
ASKED = Reask("doubted_call", "{call}", "Is it?", calls=(DOUBTED.call,))
RESUMED = {"stage": Stage("call", reasks=(STANDS,))}
STEERED = {
    "text": "Use get_weather, please.",
    "stage": LED,
    "settings": {"constrain": "quotes"},
    "doubted": (COPIED,),
}


LOOKED_UP = Reask(
    "doubted_call", "{call}", "", calls=(DOUBTED.call,), offers=("sum_up",), must_insist=True
)
RAN_ON = {
    "stage": Stage("call", reasks=(ASKED,)),
    "text": called("Weather?", ("get_weather", {"city": "Rome"}, "sunny")),
    "doubted": (doubted(call("get_weather", city="Rome"), code="repeated_call", final=True),),
}  # fmt: skip
CLOSING = Stage("answer", closes=True, reasks=(replace(ASKED, correction=""),))
CLOSED = {"stage": CLOSING, "text": RAN_ON["text"], "raw": ""}
NO_LOOKUP = {"stage": Stage("call", reasks=(LOOKED_UP,)), "held": (Words("I do not know."),)}


def test_a_small_model_that_only_repeats_itself_is_asked_for_the_answer():
    """Once it was asked about the call: without tools, and without a word of the question."""
    move = after_reply(ended(**RAN_ON))
    assert isinstance(move, AskAgain)
    assert (move.stage.phase, move.stage.closes, move.stage.offers) == ("answer", True, ())
    assert [reask.correction for reask in move.stage.reasks] == [""]
    assert texts(move) == ("dropped a call of get_weather: repeated_call: it is odd",)


MUST_INSIST = ReplyCall(call(), "doubted", Review.ask("it is odd", code="not_asked_for", must_insist=True))  # fmt: skip
NOT_CLOSED = [
    ("a larger model", {"settings": {"is_small": False}}),
    ("a demanded call", {"choice": "any"}),
    ("a model that was not asked yet", {"stage": Stage("call")}),
    ("no result that could be the answer", {"text": "Weather?"}),
    ("a call that may be made", {"doubted": (DOUBTED,)}),
    ("a call that does not fit beside it", {"misfits": (MISFIT,)}),
]


@pytest.mark.parametrize(("case", "facts"), NOT_CLOSED, ids=[case for case, _ in NOT_CLOSED])
def test_what_does_not_close_a_run(case, facts):
    """Only a small model's reply that is nothing but calls that are not made."""
    move = after_reply(ended(**{**RAN_ON, **facts}))
    assert not (isinstance(move, AskAgain) and move.stage.closes)


def test_another_doubted_call_closes_a_run_before_any_result():
    """Where the model did not insist on the call that it was asked about, but wrote another one."""
    move = after_reply(ended(**{**RAN_ON, "text": "Weather?", "doubted": (MUST_INSIST,)}))
    assert move.stage.closes


ENDS = [
    ("words", {"raw": "It is sunny.", "held": (Words("It is sunny."),)}, ("It is sunny.",), None),
    ("nothing", {}, ("sunny",), "closed_by_result"),
    ("another call", {"raw": "{call}", "unwanted": (call(),)}, ("sunny",), "closed_by_result"),
    ("our own words", {"suspicion": "echo"}, ("sunny",), "closed_by_result"),
    ("nothing, and no result", {"text": "Weather?"}, (), "closed_without_answer"),
    ("nothing, and the result failed", {"text": called("W?", ("get_weather", {}, "Error: no"))}, (), "closed_without_answer"),
    ("nothing, and a long result", {"text": called("W?", ("get_weather", {}, "x" * 2001))}, (), "closed_without_answer"),
    ("nothing, and a form is demanded", {"form": NAMES}, (), "closed_without_answer"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "facts", "shown", "code"), ENDS, ids=[case for case, *_ in ENDS])
def test_how_a_run_is_closed(case, facts, shown, code):
    """By the model's words; else by the last result if that is a short text and no error; else by nothing."""
    move = after_reply(ended(**{**CLOSED, **facts}))
    assert isinstance(move, EndTurn)
    assert tuple(part.text for part in move.show) == shown
    codes = [one.code for one in move.warnings if one.code.startswith("closed")]
    assert codes == ([code] if code else [])


def test_a_call_that_must_be_insisted_on_is_not_made_for_want_of_an_answer():
    """Words are the answer, and so is nothing; another doubted call is made if the model says nothing to the question."""
    assert after_reply(ended(**NO_LOOKUP)).show == NO_LOOKUP["held"]
    silence = {**NO_LOOKUP, "raw": "", "held": (), "settings": {"max_reasks": 1}}
    assert after_reply(ended(**silence)).show == ()
    open_ = Stage("call", reasks=(replace(LOOKED_UP, must_insist=False),))
    assert after_reply(ended(**{**silence, "stage": open_})).show == (DOUBTED.call,)


def test_the_smallest_models_are_led_to_the_tool_that_is_spoken_of():
    """A call with an example's values is followed by a request for one that can only quote what was said."""
    move = after_reply(ended(**STEERED))
    assert move.stage.steered_to == ("get_weather",)
    assert move.warnings[0].text == "dropped a call of get_weather: copied_value: it is odd"


def test_a_reply_with_words_is_the_answer_as_written_if_no_call_follows_the_question():
    """Its call is text then, and what the model says to the question is not shown."""
    move = after_reply(ended(held=(Words("Never mind."),), **RESUMED))
    assert (move.path, move.show, move.resumes) == ("emulated", STANDS.words, True)


def test_a_call_is_made_if_the_model_says_nothing_to_the_question():
    """Neither an empty reply nor our own words back take a call back; the model is asked once more before that."""
    stage = Stage("call", reasks=(ASKED,))
    again = after_reply(ended(stage=stage, suspicion="echo"))
    assert again.stage.reasks[-1].reason == "empty_reply"
    last = after_reply(ended(stage=again.stage, raw=""))
    assert last.show == (DOUBTED.call,)


def test_a_final_doubt_ends_in_an_invalid_call():
    """It is asked about once, and the words beside it stay."""
    stage = Stage("call", reasks=(ASKED,))
    held = (Words("Well."), COPIED.call)
    move = after_reply(ended(stage=stage, doubted=(COPIED,), held=held))
    assert isinstance(move, EndTurn)
    assert move.show == (Words("Well."), COPIED.as_invalid)
    assert texts(move) == ("dropped a call of get_weather: copied_value: it is odd",)


@pytest.mark.parametrize("form", [None, NAMES])
def test_a_demanded_call_that_is_never_made_fails_as_the_caller_wants(form):
    """An error, or with on_failure="continue" the call as an invalid one."""
    facts = {"choice": "any", "doubted": (COPIED,), "held": (COPIED.call,), "form": form}
    none_left = {"max_reasks": 0}
    assert isinstance(after_reply(ended(settings=none_left, **facts)), Fail)
    settings = {**none_left, "on_failure": "continue"}
    assert after_reply(ended(settings=settings, **facts)).show == (COPIED.as_invalid,)


def test_each_reask_is_stricter_and_the_budget_ends():
    """The second correction asks for the call and nothing else; after the budget, the fault is named."""
    first = after_reply(ended(choice="any")).stage
    second = after_reply(ended(choice="any", stage=first)).stage
    third = after_reply(ended(choice="any", stage=second))
    one, two = second.reasks
    assert two.correction == f"{one.correction} Write nothing else: no explanation, no other words."
    assert isinstance(third, Fail)
    assert "last: contract: missing_call" in str(third.error)


@pytest.mark.parametrize(
    ("reason", "facts"),
    [
        ("refusal", {"suspicion": "refusal"}),
        ("imitated_call", {"stage": ANSWER, "unwanted": (call(),)}),
    ],
)
def test_some_faults_are_pointed_out_once(reason, facts):
    """A refusal that is repeated is an answer."""
    past = Stage(facts.pop("stage", Stage("call")).phase, reasks=(Reask(reason, "", ""),))
    assert isinstance(after_reply(ended(stage=past, settings={"max_reasks": 5}, **facts)), EndTurn)


def test_giving_up_on_a_demanded_call():
    """An error by default, of the kind that says whether a call came that could not be read; else a warning."""
    none_left = {"max_reasks": 0}
    move = after_reply(ended(choice="any", settings=none_left))
    assert type(move.error) is ToolChoiceError
    move = after_reply(ended(choice="any", bad_calls=(bad("cut"),), settings=none_left))
    assert type(move.error) is ToolCallParseError
    move = after_reply(ended(choice="any", settings={**none_left, "on_failure": "continue"}))
    assert isinstance(move, EndTurn)
    assert texts(move) == ("gave up: contract: missing_call",)
    move = after_reply(ended(bad_calls=(bad("cut"),), settings=none_left))
    assert move.show == (bad("cut"),)


def test_a_forced_copy_is_asked_for_afresh():
    """Told that it copied, a small model copies its own reply: the request is a new one, without examples."""
    stage = after_reply(ended(choice="any", doubted=(COPIED,))).stage
    assert stage.steered_to == ("get_weather", "sum_up")
    assert stage.current_reask is None
    assert [reask.reason for reask in stage.reasks] == ["doubted_call"]


def test_the_words_of_a_refusal_stand_if_no_call_follows():
    """The first refusal is what the user reads, where the second reply brings no call either."""
    refused = after_reply(ended(suspicion="refusal", held=(Words("I have no tools."),))).stage
    move = after_reply(ended(stage=refused, held=(Words("Still none."),)))
    assert move.show == (Words("I have no tools."),)


def test_a_check_teaches():
    """A check that finds a call and one that does not are both learned from."""
    assert after_reply(ended(stage=CHECK)).lessons == ("check_agreed",)
    found = replace(ended(stage=CHECK), reply=ReplySummary(raw="x", calls=(call(),)))
    assert after_reply(found).lessons == ("check_found_call",)


def test_nothing_is_left_out_in_silence():
    """Every call that is not made is named in a warning."""
    move = after_reply(
        ended(surplus=(call(),), disowned=(call(),), unwanted=(call("get_weather"),), spoke=True)
    )
    assert texts(move) == (
        "dropped an extra call of sum_up",
        "dropped a call of sum_up that was part of the model's reasoning",
        "dropped a call of get_weather, which was not requested",
    )


def test_every_rule_decides_something():
    """No rule is there for nothing: each decides at least one case of these tables."""
    ends = {"ran on": RAN_ON, "closed": CLOSED, "no look-up": NO_LOOKUP}
    tables = (REASKED, ACCEPTED, ANSWERED, [("steered", STEERED), ("resumed", RESUMED)], [*ends.items()])  # fmt: skip
    ends = [end_of(facts) for table in tables for _, facts, *_ in table]
    decided = {decide(end)[0] for end in ends}
    assert decided | deciding_rules() == {rule for _, rule in RULES}
