"""What follows a native reply: a table of the rules, and what holds for every combination."""

from dataclasses import replace
from itertools import product

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.messages.content import Words
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.policy import Review
from langchain_toolemu.reader.events import BadCall, Call, DeclinedCall, PossibleCall
from langchain_toolemu.turn.after_reply import after_reply, decide
from langchain_toolemu.turn.native_calls import NativeCalls
from langchain_toolemu.turn.reply_log import ReplySummary
from langchain_toolemu.turn.reply_setup import Judge, ReplyCall
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.stages import AskAgain, EndTurn, NativeReply
from langchain_toolemu.turn.turn_input import Settings
from tests.unit_tests.turn.playing import Known, natively, order

CALL = Call("get_weather", {"city": "Paris"}, raw="<call>", envelope="tool_call", explicit=True)
BARE = Call("get_weather", {"city": "Paris"}, raw="{call}", envelope="json", explicit=False)
BAD = BadCall("get_weather", "{", "json", explicit=True, reason="cut", detail="it ends")
OTHER = BadCall("search", "{s}", "json", explicit=False, reason="unknown_tool", detail="unknown")
FORM = {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}}


def ended(
    *,
    raw="The sky is blue.",
    calls=(),
    doubted=(),
    held_back=(),
    possible=(),
    declined=(),
    bad=(),
    refused=False,
    finish="stop",
    only_calls=True,
    known=None,
    asked=None,
    vendor=False,
    made=(),
    thought=None,
    unremarkable=False,
    **facts,
):
    thought = {"reasoning_content": thought} if thought else {}
    metadata = TurnMetadata(response_metadata={"finish_reason": finish})
    reply = ReplySummary(
        raw=raw,
        calls=tuple(calls),
        doubted=tuple(doubted),
        held_back=tuple(held_back),
        remarks=(*possible, *declined),
        bad_calls=tuple(bad),
        held=tuple(calls),
        unshown=(Words(raw),) if raw else (),
        suspicion="refusal" if refused else "none",
        only_calls=bool(calls) and only_calls,
        unremarkable=unremarkable,
    )
    settings = Settings("fallback", JSON, is_small=True, on_vendor_host=vendor)
    judge = Judge(asked or order(), settings, natively(), ())
    known = known or Known()
    native = NativeCalls(judge)
    pieces = [AIMessageChunk("", tool_call_chunks=[one], additional_kwargs=thought) for one in made]
    for piece in pieces:
        native.feed(piece)
    native.end(cut=False)
    facts = {
        "native_calls": native,
        "pieces": pieces or [AIMessageChunk(raw, additional_kwargs=thought)],
        **facts,
    }
    return ReviewedReply(judge=judge, reply=reply, knowledge=known, metadata=metadata, **facts)


def sequel(end):
    """In one word, what follows."""
    move = after_reply(end)
    if isinstance(move, EndTurn):
        return {"native": "keep", "rescued": "rescue"}[move.path]
    assert isinstance(move, AskAgain)
    if move.stage.phase == "native":
        return "again"
    return "check" if move.stage.checks else "emulate"


def piece(name, args):
    return {"name": name, "args": args, "id": "1", "index": 0}


TAGGED = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
DOUBTED = ReplyCall(BARE, "doubted", Review.ask("it is odd", "Is it right?"))
POSSIBLE = PossibleCall("get_weather", {}, "{call}", "json", "it may be quoted")
DECLINED = DeclinedCall("get_weather", {"city": "Paris"}, "{}", "json", "declined")
TRUSTED = {"known": Known("native")}
VENDOR = {"vendor": True, **TRUSTED}
CLAIMED = {"known": Known("native", "claimed")}
MISFIT = replace(BARE, errors=("city: required, but missing",))
PYTHON = replace(BARE, envelope="python")
SETTLED = {"known": Known(wants_check=False)}
FORCED = {"asked": order(choice="any")}
TABLE = [
    ("an answer of an unknown model", {}, "check"),
    ("an answer, enough checks agreed", SETTLED, "keep"),
    ("an answer, the tools were counted", {"usage_says": "counted"}, "keep"),
    ("an answer, the tools were dropped", {"usage_says": "dropped"}, "emulate"),
    (
        "a call that the server could not read",
        {"raw": "", "finish": "MALFORMED_FUNCTION_CALL"},
        "again",
    ),
    ("a call that a stream lost", {"raw": "", "finish": "tool_calls", "streamed": True}, "again"),
    (
        "a call that a stream cut",
        {"raw": "", "made": [piece("get_weather", '{"city": "Par')], "streamed": True},
        "again",
    ),
    ("dropped, enough checks agreed", {"usage_says": "dropped", **SETTLED}, "emulate"),
    ("an answer of a trusted model", TRUSTED, "keep"),
    ("dropped, a trusted model", {"usage_says": "dropped", **TRUSTED}, "keep"),
    ("nothing, from a trusted model", {"raw": "", **TRUSTED}, "again"),
    ("nothing, from a trusted model, cut", {"raw": "", "finish": "length", **TRUSTED}, "keep"),
    ("a call in a thought", {"raw": "", "thought": f"So: {TAGGED}", **TRUSTED}, "rescue"),
    ("a call amid a thought", {"raw": "", "thought": f"{TAGGED} or not?", **TRUSTED}, "again"),
    ("a bare call in a thought", {"raw": "", "thought": TAGGED[11:-12], **TRUSTED}, "again"),
    ("an announcement", {"raw": "I'll call get_weather for Paris now.", **TRUSTED}, "again"),
    (
        "an announcement of an unknown model",
        {"raw": "I'll call get_weather for Paris now."},
        "emulate",
    ),
    (
        "a call in text that nobody spoke of",
        {"calls": [CALL], "raw": "<call>", "unremarkable": True, "asked": order("Good morning!")},
        "emulate",
    ),
    ("a broken native call", {"made": [piece("get_wether", "{}")], "raw": ""}, "again"),
    (
        "a native call that was not asked for",
        {"made": [piece("get_weather", "{}")], "raw": "", "asked": order(choice="none")},
        "emulate",
    ),
    (
        "the same with words",
        {"made": [piece("get_weather", "{}")], "asked": order(choice="none")},
        "keep",
    ),
    ("a demanded call is missing, a trusted model", {**TRUSTED, **FORCED}, "emulate"),
    ("a demanded call is missing, counted", {"usage_says": "counted", **FORCED}, "emulate"),
    ("an unreadable call, a trusted model", {"bad": [BAD], **TRUSTED}, "emulate"),
    ("an unreadable call, counted", {"bad": [BAD], "usage_says": "counted"}, "emulate"),
    (
        "nothing but a call of another tool",
        {"raw": OTHER.raw, "bad": [OTHER], **TRUSTED},
        "emulate",
    ),
    ("a call of another tool among words", {"bad": [OTHER], **TRUSTED}, "keep"),
    (
        "a call of another tool where JSON is asked for",
        {"raw": OTHER.raw, "bad": [OTHER], "asked": order("As JSON?"), **TRUSTED},
        "keep",
    ),
    ("a call is announced", {"finish": "tool_calls"}, "check"),
    ("a demanded call is announced", {"finish": "tool_calls", **FORCED}, "emulate"),
    ("declined, empty", {"raw": "", "finish": "content_filter"}, "keep"),
    ("declined, demanded", {"finish": "content_filter", **FORCED}, "keep"),
    ("a call in an envelope", {"calls": [CALL]}, "rescue"),
    ("a call in an envelope, declined", {"calls": [CALL], "finish": "refusal"}, "rescue"),
    ("a call in an envelope, demanded", {"calls": [CALL], **FORCED}, "rescue"),
    ("a call in an envelope next to a cut one", {"calls": [CALL], "bad": [BAD]}, "rescue"),
    ("a call in an envelope, a trusted model", {"calls": [CALL], **TRUSTED}, "rescue"),
    ("a bare call", {"calls": [BARE]}, "rescue"),
    ("a bare call with words", {"calls": [BARE], "only_calls": False}, "rescue"),
    ("a bare call where tools are claimed", {"calls": [BARE], **CLAIMED}, "rescue"),
    ("the same with words", {"calls": [BARE], "only_calls": False, **CLAIMED}, "rescue"),
    ("nothing but a bare call of a trusted model", {"calls": [BARE], **TRUSTED}, "rescue"),
    ("a trusted model's documentation", {"calls": [BARE], "only_calls": False, **VENDOR}, "keep"),
    ("two bare calls of a trusted model", {"calls": [BARE, BARE], **VENDOR}, "keep"),
    ("a bare call that does not fit", {"calls": [MISFIT], **VENDOR}, "keep"),
    ("a call in Python of a trusted model", {"calls": [PYTHON], **VENDOR}, "keep"),
    (
        "an object where JSON is asked for",
        {"calls": [BARE], **TRUSTED, "asked": order("As JSON?")},
        "keep",
    ),
    ("an answer where tools are claimed", CLAIMED, "check"),
    ("an answer where they are claimed and counted", {"usage_says": "counted", **CLAIMED}, "keep"),
    (
        "an answer where they are claimed and dropped",
        {"usage_says": "dropped", **CLAIMED},
        "emulate",
    ),
    ("a call that the policy doubts", {"doubted": [DOUBTED]}, "emulate"),
    ("a call that the policy holds back", {"held_back": [DOUBTED]}, "rescue"),
    ("a doubted call in a vendor's words", {"doubted": [DOUBTED], **VENDOR}, "keep"),
    ("a call that may be quoted", {"possible": [POSSIBLE], **CLAIMED}, "emulate"),
    ("the same of a trusted model", {"possible": [POSSIBLE], **TRUSTED}, "keep"),
    ("a call that the reply declines", {"declined": [DECLINED]}, "keep"),
    ("the same, the tools were dropped", {"declined": [DECLINED], "usage_says": "dropped"}, "keep"),
    ("the same where a call is demanded", {"declined": [DECLINED], **FORCED}, "emulate"),
    ("a refusal, counted", {"refused": True, "usage_says": "counted"}, "check"),
    ("a refusal, dropped", {"refused": True, "usage_says": "dropped"}, "emulate"),
    ("a refusal, enough checks agreed", {"refused": True, **SETTLED}, "check"),
    ("nothing, counted, checked enough", {"raw": "", "usage_says": "counted", **SETTLED}, "check"),
    ("a native call", {"provider_called": True}, "keep"),
    ("no tools", {"asked": order(tools=())}, "keep"),
    ("no call wanted", {"asked": order(choice="none")}, "keep"),
    ("an answer without its form", {"asked": order(form=FORM)}, "emulate"),
    ("an answer in its form", {"asked": order(form=FORM), "spoke": True}, "keep"),
]


@pytest.mark.parametrize(("case", "facts", "word"), TABLE, ids=[case for case, *_ in TABLE])
def test_the_table(case, facts, word):
    """Each kind of reply and what follows it."""
    assert sequel(ended(**facts)) == word


EVERY = [
    dict(zip(("calls", "bad", "refused", "finish", "usage_says", "known", "asked"), facts, strict=True))
    for facts in product(
        [(), (CALL,), (BARE,)],
        [(), (BAD,)],
        [False, True],
        ["stop", "length", "tool_calls", "content_filter"],
        ["dropped", "counted", "unclear"],
        [Known(), Known("native"), Known(wants_check=False)],
        [order(), order(choice="any")],
    )
]  # fmt: skip


def test_what_holds_for_every_reply():
    """A call in an envelope is rescued; a trusted answer is kept, and so is a refusal on principle; an unmet demand never is."""
    for facts in EVERY:
        word, demanded = sequel(ended(**facts)), facts["asked"].choice.forced
        if CALL in facts["calls"]:
            assert word == "rescue"
        elif facts["finish"] == "content_filter":
            assert word in ("keep", "rescue")
        elif demanded:
            assert word in ("rescue", "emulate")
        elif facts["known"].verdict == "native" and not facts["bad"]:
            assert word in ("keep", "rescue") or facts["finish"] == "tool_calls"


def deciding_rules():
    """The rules that decide the cases of the table."""
    ends = [ended(**facts) for _, facts, _ in TABLE]
    return {decide(end)[0] for end in ends}


def test_a_check_keeps_the_native_reply():
    """What is shown is not kept; what a refusal said is, and both with what they say about themselves."""
    move = after_reply(ended())
    assert (move.show, move.stage.checks) == (
        (Words("The sky is blue."),),
        NativeReply((), {"finish_reason": "stop"}, {}),
    )
    move = after_reply(ended(raw="I have no tools.", refused=True))
    assert (move.show, move.stage.checks.words) == ((), (Words("I have no tools."),))
    assert move.lessons == ("denied_tools",)


def test_a_demand_that_was_ignored_is_learned():
    """Unless the reply was cut, or its call could not be read."""
    assert after_reply(ended(**FORCED)).lessons == ("choice_ignored",)
    assert after_reply(ended(finish="length", **FORCED)).lessons == ()
    assert after_reply(ended(bad=[BAD], **FORCED)).lessons == ()


def test_a_check_is_not_sent_where_it_could_not_ask_for_a_call():
    """Out of rounds, an emulated request would only ask for an answer, which is there already."""
    called = AIMessage("", tool_calls=[{"name": "get_weather", "args": {}, "id": "1"}])
    history = [HumanMessage("Hi"), called, ToolMessage("22", tool_call_id="1")]
    end = ended(asked=order(history))
    assert sequel(end) == "check"
    judge = replace(end.judge, settings=Settings("fallback", JSON, max_tool_rounds=1))
    closing = replace(end, judge=judge)
    assert sequel(closing) == "keep"
