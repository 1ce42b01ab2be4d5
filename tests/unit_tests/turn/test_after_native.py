"""What follows a native reply: a table of replies, and what holds for every combination."""

from itertools import product

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import Review
from tests.scripted_turns import QUESTION, Doubts, Said, play
from tests.tables import every_row
from tests.thoroughness import share
from tests.weather import CALL, PARIS

TAGGED = f"<tool_call>{CALL}</tool_call>"
CUT = f"<tool_call>{CALL[:30]}"
UNKNOWN = '{"name": "search", "arguments": {"query": "Paris"}}'
MISFIT = '{"name": "get_weather", "arguments": {"town": "Paris"}}'
REFUSAL = "I'm sorry, I don't have access to tools."
ANNOUNCED = "I'll call get_weather for Paris now."
QUOTED = f"Qwen models write their calls like {TAGGED} and others do it differently."
DECLINED = f"I refuse: {TAGGED}"
SKY = "The sky is blue."
FORM = {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}  # fmt: skip
NATIVE = Said(calls=[("get_weather", '{"city": "Paris"}')])

# What earlier turns taught: the model calls natively, its vendor does, or enough checks agreed.
TRUSTED = {"earlier": [[NATIVE]]}
VENDOR = {**TRUSTED, "model": {"base_url": "https://api.openai.com/v1"}}
SETTLED = {"earlier": [[SKY, "none"]] * 3}
FORCED = {"choice": "any"}
SMALL = {"model_size": 1}
COUNTED, DROPPED = 500, 20  # input tokens that hold the tools, and that cannot
AS_JSON = {"messages": "The weather in Paris as JSON?"}


DOUBTED = {"policy": Doubts(Review.ask("it is odd", "Is it right?"))}
HELD_BACK = {"policy": Doubts(Review.hold_back("it is odd"))}


def sequel(turn):
    """In one word, what follows the first reply: after a check it stands if no call comes, after emulation it does not."""
    if len(turn.requests) == 1:
        return {"native": "keep", "rescued": "rescue"}[turn.report["path"]]
    if turn.natively[1]:
        return "again"
    return "check" if turn.report.get("path") == "native" else "emulate"


TABLE = [
    ("an answer of an unknown model", SKY, {}, "check"),
    ("an answer, enough checks agreed", SKY, SETTLED, "keep"),
    ("an answer, the tools were counted", Said(SKY, tokens=COUNTED), {}, "keep"),
    ("an answer, the tools were dropped", Said(SKY, tokens=DROPPED), {}, "emulate"),
    ("a call that the server could not read", Said(finish="MALFORMED_FUNCTION_CALL"), {}, "again"),
    ("dropped, enough checks agreed", Said(SKY, tokens=DROPPED), SETTLED, "emulate"),
    ("an answer of a trusted model", SKY, TRUSTED, "keep"),
    ("dropped, a trusted model", Said(SKY, tokens=DROPPED), TRUSTED, "keep"),
    ("nothing, from a trusted model", "", TRUSTED, "again"),
    ("nothing, from a trusted model, cut", Said(finish="length"), TRUSTED, "keep"),
    ("a call in a thought", Said(thought=f"So: {TAGGED}"), TRUSTED, "rescue"),
    ("a call amid a thought", Said(thought=f"{TAGGED} or not?"), TRUSTED, "again"),
    ("a bare call in a thought", Said(thought=CALL), TRUSTED, "again"),
    ("an announcement", ANNOUNCED, TRUSTED, "again"),
    ("an announcement of an unknown model", ANNOUNCED, {}, "emulate"),
    ("a small model's call that nobody spoke of", TAGGED, {"messages": "Good morning!", **SMALL}, "emulate"),
    ("a broken native call", Said(calls=[("get_wether", "{}")]), {}, "again"),
    ("a native call that was not asked for", NATIVE, {"choice": "none"}, "emulate"),
    ("the same with words", Said(SKY, NATIVE.calls), {"choice": "none"}, "keep"),
    ("a demanded call is missing, a trusted model", SKY, {**TRUSTED, **FORCED}, "emulate"),
    ("a demanded call is missing, counted", Said(SKY, tokens=COUNTED), FORCED, "emulate"),
    ("an unreadable call, a trusted model", CUT, TRUSTED, "emulate"),
    ("an unreadable call, counted", Said(CUT, tokens=COUNTED), {}, "emulate"),
    ("nothing but a call of another tool", UNKNOWN, TRUSTED, "emulate"),
    ("a call of another tool among words", f"See {UNKNOWN} there.", TRUSTED, "keep"),
    ("a call of another tool where JSON is asked for", UNKNOWN, {**AS_JSON, **TRUSTED}, "keep"),
    ("declined, empty", Said(finish="content_filter"), {}, "keep"),
    ("declined, demanded", Said(SKY, finish="content_filter"), {**FORCED, "on_failure": "continue"}, "keep"),
    ("a call in an envelope", TAGGED, {}, "rescue"),
    ("a call in an envelope, declined", Said(TAGGED, finish="refusal"), {}, "rescue"),
    ("a call in an envelope, demanded", TAGGED, FORCED, "rescue"),
    ("a call in an envelope next to a cut one", f"{TAGGED}\n{CUT}", {}, "rescue"),
    ("a call in an envelope, a trusted model", TAGGED, TRUSTED, "rescue"),
    ("a bare call", CALL, {}, "rescue"),
    ("a bare call with words", f"Let me look.\n{CALL}", {}, "rescue"),
    ("nothing but a bare call of a trusted model", CALL, TRUSTED, "rescue"),
    ("a trusted model's documentation", f"A call is written so:\n{CALL}", VENDOR, "keep"),
    ("two bare calls of a trusted model", f"{CALL}\n{CALL.replace('Paris', 'Rome')}", VENDOR, "keep"),
    ("a bare call that does not fit", MISFIT, VENDOR, "keep"),
    ("a call in Python of a trusted model", 'get_weather(city="Paris")', VENDOR, "keep"),
    ("an object where JSON is asked for", CALL, {**AS_JSON, **TRUSTED}, "keep"),
    ("a call that the policy doubts", TAGGED, DOUBTED, "emulate"),
    ("a call that the policy holds back", TAGGED, HELD_BACK, "rescue"),
    ("a doubted call in a vendor's words", f"A call is written so:\n{CALL}", {**VENDOR, **DOUBTED}, "keep"),
    ("a call that may be quoted", QUOTED, {}, "check"),
    ("the same of a trusted model", QUOTED, TRUSTED, "keep"),
    ("a call that the reply declines", DECLINED, {}, "keep"),
    ("the same, the tools were dropped", Said(DECLINED, tokens=DROPPED), {}, "keep"),
    ("the same where a call is demanded", DECLINED, FORCED, "emulate"),
    ("a refusal, counted", Said(REFUSAL, tokens=COUNTED), {}, "check"),
    ("a refusal, dropped", Said(REFUSAL, tokens=DROPPED), {}, "emulate"),
    ("a refusal, enough checks agreed", REFUSAL, SETTLED, "check"),
    ("nothing, counted, checked enough", Said(tokens=COUNTED), SETTLED, "emulate"),
    ("a native call", NATIVE, {}, "keep"),
    ("no tools", SKY, {"tools": ()}, "keep"),
    ("no call wanted", SKY, {"choice": "none"}, "keep"),
    ("an answer without its form", SKY, {"form": FORM}, "emulate"),
    ("an answer in its form", '{"name": "Ann"}', {"form": FORM}, "keep"),
]  # fmt: skip
WHOLE = [
    ("a call is claimed that did not come", Said(SKY, finish="tool_calls"), {}, "check"),
    ("the same, and it is demanded", Said(SKY, finish="tool_calls"), FORCED, "emulate"),
]
STREAMED = [
    ("a call that a stream lost", Said(finish="tool_calls"), {}, "again"),
    ("a call that a stream cut", Said(calls=[("get_weather", '{"city": "Par')]), {}, "again"),
]


def follow(reply, terms, **more):
    """A turn in which every further reply says that there is nothing to call."""
    return play(reply, "none", **{"mode": "fallback", **terms, **more})


# Whole and streamed where there is time, else one of them, in turn.
ROWS = [(*row, way) for number, row in enumerate(TABLE) for way in share((False, True), number, 2)]


@every_row(("case", "reply", "terms", "word", "streamed"), ROWS)
def test_the_table(case, reply, terms, word, streamed):
    """Each kind of reply and what follows it."""
    assert sequel(follow(reply, terms, streamed=streamed)) == word


@every_row(("case", "reply", "terms", "word"), WHOLE)
def test_where_the_server_claims_a_call(case, reply, terms, word):
    """A whole reply is what it is; a stream may have lost the call."""
    assert sequel(follow(reply, terms)) == word
    assert sequel(follow(reply, terms, streamed=True)) == "again"


@every_row(("case", "reply", "terms", "word"), STREAMED)
def test_what_a_stream_broke_is_asked_for_whole(case, reply, terms, word):
    """Natively, once more."""
    assert sequel(follow(reply, terms, streamed=True)) == word


EVERY = list(
    product(
        (SKY, TAGGED, CALL, CUT, f"{TAGGED}\n{CUT}", REFUSAL),
        ("stop", "length", "tool_calls", "content_filter"),
        (DROPPED, COUNTED, 0),
        ({}, TRUSTED, SETTLED),
        ({}, {**FORCED, "on_failure": "continue"}),
    )
)


@every_row(("text", "finish", "tokens", "known", "demand"), share(EVERY, 0, 7))
def test_what_holds_for_every_reply(text, finish, tokens, known, demand):
    """A call in an envelope is rescued; a trusted answer is kept, and so is a refusal on principle; an unmet demand never is."""
    word = sequel(follow(Said(text, finish=finish, tokens=tokens), {**known, **demand}))
    if TAGGED in text:
        assert word == "rescue"
    elif finish == "content_filter":
        assert word in ("keep", "rescue")
    elif demand:
        assert word in ("rescue", "emulate")
    elif known is TRUSTED and text is not CUT:
        assert word in ("keep", "rescue") or finish == "tool_calls"


def test_a_check_keeps_the_native_reply():
    """The words that were shown are the message, with what the reply says about itself; a refusal stands if no call follows."""
    for reply in (SKY, REFUSAL):
        turn = follow(reply, {})
        assert (turn.message.content, turn.report["path"]) == (reply, "native")
        assert turn.message.response_metadata["finish_reason"] == "stop"
        found = play(reply, CALL, mode="fallback")
        assert (found.calls, found.report["path"]) == (PARIS, "emulated")


@every_row(
    ("reply", "verdict"),
    [(SKY, "none"), (Said(SKY, finish="length"), "unknown"), (CUT, "unknown")],
)
def test_a_demand_that_was_ignored_is_learned(reply, verdict):
    """Unless the reply was cut, or its call could not be read: the next demand is emulated at once."""
    terms = {"mode": "fallback", "choice": "any", "earlier_choice": "any"}
    turn = play(CALL, earlier=[[reply, CALL]], **terms)
    assert turn.natively == [verdict != "none"]


def test_a_check_is_not_sent_where_it_could_not_ask_for_a_call():
    """Out of rounds, an emulated request would only ask for an answer, which is there already."""
    called = AIMessage(
        "", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "1"}]
    )
    history = {"messages": [HumanMessage(QUESTION), called, ToolMessage("22", tool_call_id="1")]}
    assert sequel(follow(SKY, history)) == "check"
    assert sequel(follow(SKY, {**history, "max_tool_rounds": 1})) == "keep"
