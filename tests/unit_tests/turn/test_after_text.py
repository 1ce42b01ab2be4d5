"""What follows a reply to a request in text: tables of replies and what becomes of them."""

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.policy import Review
from langchain_toolemu.turn import after_reply
from tests.scripted_turns import Doubts, Said, play, watch_rules
from tests.tables import every_row
from tests.thoroughness import share
from tests.unit_tests.turn import test_after_native
from tests.unit_tests.turn.test_after_native import ANNOUNCED, CUT, QUOTED, REFUSAL, SKY, TAGGED
from tests.weather import CALL, PARIS

SUM = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
MISFIT = '{"name": "sum_up", "arguments": {"b": 2}}'
UNKNOWN = '<tool_call>{"name": "mul", "arguments": {"a": 1}}</tool_call>'
UNREADABLE = '<tool_call>{"name" "sum_up", "arguments"}</tool_call>'
MADE_UP = '<tool_response name="get_weather">\nrain\n</tool_response>'
ASKED = "Is the city right? If you mean this call, write it again."
NAMES = {"title": "Names", "type": "array", "items": {"type": "string"}}


def doubting(**terms):
    """A policy that asks about each call of get_weather."""
    return {"policy": Doubts(Review.ask("it is odd", ASKED, **terms))}


def called(result, **args):
    """A question, a call and its result."""
    call = {"name": "get_weather", "args": args or {"city": "Paris"}, "id": "1"}
    return [HumanMessage("Weather?"), AIMessage("", tool_calls=[call]), ToolMessage(result, tool_call_id="1")]  # fmt: skip


def echo(messages):
    """Our own words back: the last of them in the request."""
    lines = messages[-1].text.splitlines()
    return next(line for line in reversed(lines) if line[:1] not in ("`", "{"))


ANSWER_ONLY = {"messages": called("sunny"), "max_tool_rounds": 1}
REASKED = [
    ("a forced call is missing", SKY, {"choice": "any"}, "contract: missing_call", "one of get_weather, sum_up"),
    ("a named call is missing", SKY, {"choice": "sum_up"}, "contract: missing_call", "Call sum_up now"),
    ("another tool than the one demanded", CALL, {"choice": "sum_up"}, "policy: wrong_tool", "You called get_weather. Call sum_up instead"),
    ("a cut call", Said(CUT, finish="length"), {}, "reader: cut_call", "cut off"),
    ("an unreadable call", UNREADABLE, {}, "reader: unreadable_call", "could not be read"),
    ("a call that may be quoted", QUOTED, {}, "reader: unclear_call", "only spoken of"),
    ("an unknown tool", UNKNOWN, {}, "validation: unknown_tool", "'mul' cannot be called, only these tools can: get_weather, sum_up"),
    ("arguments that do not fit", MISFIT, {}, "validation: bad_arguments", "a: required, but missing"),
    ("the same next to a good call", f"{SUM}\n{MISFIT}", {}, "validation: bad_arguments", "a: required, but missing"),
    ("the same of a forced call", MISFIT, {"choice": "any"}, "validation: bad_arguments", "a: required"),
    ("a refusal", REFUSAL, {}, "contract: refusal", "You do have tools: get_weather, sum_up"),
    ("a call that the policy doubts", CALL, doubting(), "policy: doubted_call", ASKED),
    ("nothing at all", "", {}, "contract: empty_reply", "was empty"),
    ("nothing but a result that it made up", MADE_UP, {}, "contract: empty_reply", "was empty"),
    ("an announcement", ANNOUNCED, {}, "contract: announced_call", "did not do it"),
    ("a call where none was offered", CALL, ANSWER_ONLY, "contract: imitated_call", ""),
    ("a cut call where none was offered", CUT, ANSWER_ONLY, "contract: imitated_call", ""),
    ("an unknown call where none was offered", UNKNOWN, ANSWER_ONLY, "contract: imitated_call", ""),
    ("nothing where an answer was asked for", " ", ANSWER_ONLY, "contract: empty_reply", ""),
]  # fmt: skip


def in_turn(table):
    """The rows, whole and streamed where there is time, else in one of these ways in turn."""
    return [(*row, way) for number, row in enumerate(table) for way in share((False, True), number, 2)]  # fmt: skip


@every_row(("case", "reply", "terms", "label", "words", "streamed"), in_turn(REASKED))
def test_what_is_asked_again(case, reply, terms, label, words, streamed):
    """Each fault is asked about for its reason, in words that say what to fix."""
    turn = play(reply, SKY if terms is ANSWER_ONLY else SUM, streamed=streamed, **terms)
    assert turn.reasks == [label]
    assert words in turn.told(1)


THOUGHT = f"<think>So.<tool_call>{SUM}</tool_call></think>"
ACCEPTED = [
    ("an answer", SKY, {}, (SKY, 0)),
    ("a call", SUM, {}, ("", 1)),
    ("a forced call", SUM, {"choice": "any"}, ("", 1)),
    ("an answer where one was asked for", SKY, ANSWER_ONLY, (SKY, 0)),
    ("a refusal on principle", Said(SKY, finish="content_filter"), {}, (SKY, 0)),
    ("a call that ends a thought", THOUGHT, {}, (THOUGHT, 1)),
    ("a list that is the answer", '["a"]', {"form": NAMES}, ('["a"]', 0)),
]  # fmt: skip


@every_row(("case", "reply", "terms", "outcome", "streamed"), in_turn(ACCEPTED))
def test_what_is_accepted(case, reply, terms, outcome, streamed):
    """These end the turn."""
    turn = play(reply, SUM, streamed=streamed, **terms)
    assert (turn.message.content, len(turn.message.tool_calls)) == outcome
    assert (len(turn.requests), turn.report["path"]) == (1, "emulated")


ANSWERED = [
    ("a decision against a call", '{"name": "none", "arguments": {}}', {"flow": "decision"}),
    ("an answer that is only copied", "Here is the result: example result.", {}),
]


@every_row(("case", "reply", "terms"), ANSWERED)
def test_where_the_answer_is_asked_for(case, reply, terms):
    """Where there is nothing to call, the next request asks for the answer only."""
    turn = play(reply, SKY, **terms)
    assert (turn.message.content, len(turn.requests)) == (SKY, 2)
    assert "get_weather" not in str(turn.requests[1])


def test_a_call_that_broke_off_after_it_was_shown_is_not_asked_for_again():
    """It is an invalid one, and must not run."""
    long = CALL.replace("Paris", "Paris " * 200)[:-8]
    turn = play(Said(long, finish="length"), SKY, streamed=True)
    assert (turn.calls, len(turn.message.invalid_tool_calls), len(turn.requests)) == ([], 1, 1)


# --- runs that are closed ---

REPEATS = {"messages": called("sunny"), **doubting(code="repeated_call", final=True), "model_size": 1}  # fmt: skip


def closes(turn):
    """Whether the last request asks for the answer, without tools and without a word of the question."""
    last = str(turn.requests[-1])
    asks = ("No more calls are needed", "Nothing can be called with what is known so far")
    return any(words in last for words in asks) and ASKED not in last


@every_row("terms", [{}, {"model_size": 7}, {"messages": "Weather?"}])
def test_a_model_whose_calls_are_all_refused_is_asked_for_the_answer(terms):
    """Once it was asked about the call, whatever its size, and whether or not there are results."""
    turn = play(CALL, CALL, SKY, **{**REPEATS, **terms})
    assert (closes(turn), turn.message.content, len(turn.requests)) == (True, SKY, 3)
    assert "dropped a call of get_weather: repeated_call: it is odd" in turn.warnings


NOT_CLOSED = [
    ("a demanded call", [CALL], {"choice": "any", "on_failure": "continue"}),
    ("a model that was not asked yet", [CALL], {"max_reasks": 0}),
    ("a call that may be made", [CALL], doubting()),
    ("a call that does not fit beside it", [CALL, f"{CALL}\n{MISFIT}", SKY], {}),
]


@every_row(("case", "replies", "terms"), NOT_CLOSED)
def test_what_does_not_close_a_run(case, replies, terms):
    """Only a reply that is nothing but refused calls."""
    assert not closes(play(*replies, **{**REPEATS, **terms}))


ENDS = [
    ("words", SKY, {}, SKY, []),
    ("nothing", "", {}, "", ["closed_without_answer"]),
    ("another call", SUM, {}, "", ["closed_without_answer"]),
    ("our own words", echo, {}, "", ["closed_without_answer"]),
    ("a result that it made up", MADE_UP, {}, "", ["closed_without_answer"]),
    ("the same of a larger model", SUM, {"model_size": 7}, "", ["closed_without_answer"]),
]  # fmt: skip


@every_row(("case", "reply", "terms", "content", "codes"), ENDS)
def test_how_a_run_is_closed(case, reply, terms, content, codes):
    """By the model's words, else by nothing and a warning: a tool's result is never the answer."""
    turn = play(CALL, CALL, reply, **{**REPEATS, **terms})
    assert turn.message.content == content
    assert [code for code in turn.report["warning_codes"] if code.startswith("closed")] == codes


def test_our_own_words_are_no_answer_where_the_rounds_are_over():
    """A small model that repeats them has said nothing, and a tool's result is never the answer."""
    for streamed in (False, True):
        turn = play(echo, **ANSWER_ONLY, model_size=1, streamed=streamed)
        assert turn.message.content == ""
        assert {"gave_up", "echo"} <= {*turn.report["warning_codes"]}
        assert "no more calls can be made" in turn.told(0)


# --- calls that are doubted ---

LOOK_UP = {"policy": Doubts(Review.ask("it is odd", offers=("sum_up",), demands=True))}
OPEN = {"policy": Doubts(Review.ask("it is odd", offers=("sum_up",)))}
FINAL = doubting(final=True, code="copied_value")
ALL = {"max_reasks": 1}
DOUBTED = [
    ("words are the answer where a look-up was demanded", [CALL, SKY], LOOK_UP, (SKY, [], [])),
    ("nothing is the answer, too", [CALL, ""], {**LOOK_UP, **ALL}, ("", [], [])),
    ("any other call is made if nothing is said", [CALL, ""], {**OPEN, **ALL}, ("", PARIS, [])),
    ("nothing does not take a call back", [CALL, ""], doubting(), ("", PARIS, [])),
    ("nor do our own words", [CALL, echo], doubting(), ("", PARIS, [])),
    ("words before it stand as written", [f"Well.\n{CALL}", "Never mind."], doubting(), (f"Well.\n{CALL}", [], [])),
    ("what is only quoted stands, whatever comes next", [f"Well.\n{CALL}", SKY], doubting(is_text=True), (f"Well.\n{CALL}", [], [])),
    ("unless it is repeated alone", [f"Well.\n{CALL}", CALL], doubting(is_text=True), ("Well.\n", PARIS, [])),
    ("a final doubt that nothing is asked about ends in an invalid call", [f"Well.\n{CALL}"], {**FINAL, "max_reasks": 0}, ("Well.\n", [], ["get_weather"])),
    ("so does a demand that may fail", [CALL], {**FINAL, "choice": "any", "max_reasks": 0, "on_failure": "continue"}, ("", [], ["get_weather"])),
    ("with a form, too", [CALL], {**FINAL, "choice": "any", "form": NAMES, "max_reasks": 0, "on_failure": "continue"}, ("", [], ["get_weather"])),
]  # fmt: skip


@every_row(("case", "replies", "terms", "outcome", "streamed"), in_turn(DOUBTED))
def test_what_becomes_of_a_doubted_call(case, replies, terms, outcome, streamed):
    """It is made, text, or an invalid call with its reason."""
    turn = play(*replies, streamed=streamed, **terms)
    invalid = [call["name"] for call in turn.message.invalid_tool_calls]
    assert (turn.message.content, turn.calls, invalid) == outcome
    dropped = "dropped a call of get_weather: copied_value: it is odd" in turn.warnings
    assert dropped is bool(invalid)


COPIED = CALL.replace("Paris", "Zorbel")


def test_a_forced_copy_is_asked_for_afresh():
    """Told that it copied, a small model copies its own reply: the request is a new one, without examples."""
    turn = play(COPIED, CALL, choice="any", model_size=0.1)
    assert (turn.calls, turn.reasks) == (PARIS, ["policy: doubted_call"])
    assert "Zorbel" not in str(turn.requests[1])


# --- what is given up ---

GIVEN_UP = [
    ("no call came", SKY, {"choice": "any"}, ToolChoiceError),
    ("a call came that could not be read", CUT, {"choice": "any"}, ToolCallParseError),
    ("a call that is never made", CALL, {"choice": "any", **FINAL}, ToolChoiceError),
]


@every_row(("case", "reply", "terms", "error"), GIVEN_UP)
def test_giving_up_on_a_demanded_call(case, reply, terms, error):
    """An error by default, of the kind that says whether a call came that could not be read; else a warning."""
    assert type(play(reply, max_reasks=0, **terms).error) is error
    turn = play(reply, max_reasks=0, on_failure="continue", **terms)
    assert turn.message.tool_calls == []
    assert turn.warnings


@every_row("reply", [f"Would you like me to call this?\n{CALL}", f"I will not call.\n{UNREADABLE}"])
def test_a_demanded_call_that_stays_unclear_is_missing(reply):
    """It is asked about once, then demanded, and an error at last: no caller gets nothing in silence."""
    turn = play(reply, choice="any")
    assert (type(turn.error), "last: contract: missing_call" in str(turn.error)) == (ToolChoiceError, True)  # fmt: skip
    sent = [request for request in map(str, turn.requests) if "call of None" in request]
    assert (len(turn.requests), sent) == (3, [])


def test_giving_up_is_told():
    """In the metadata; a call that could not be read is an invalid one."""
    turn = play(SKY, choice="any", max_reasks=0, on_failure="continue")
    assert turn.warnings == ["gave up: contract: missing_call"]
    assert len(play(CUT, max_reasks=0).message.invalid_tool_calls) == 1


def test_each_reask_is_stricter_and_the_budget_ends():
    """The second correction asks for the call and nothing else; after the budget, the fault is named."""
    turn = play(SKY, choice="any")
    assert turn.told(2) == f"{turn.told(1)} Write nothing else: no explanation, no other words."
    assert (len(turn.requests), type(turn.error)) == (3, ToolChoiceError)
    assert "last: contract: missing_call" in str(turn.error)


@every_row(("reply", "terms", "label"), [(REFUSAL, {}, "contract: refusal"), (CALL, ANSWER_ONLY, "contract: imitated_call")])  # fmt: skip
def test_some_faults_are_pointed_out_once(reply, terms, label):
    """A refusal that is repeated is an answer."""
    assert play(reply, max_reasks=5, **terms).reasks == [label]


def test_the_words_of_a_refusal_stand_if_no_call_follows():
    """The first refusal is what the user reads, where the second reply brings no call either."""
    assert play(REFUSAL, "Still none.").message.content == REFUSAL


@every_row(("reply", "natively"), [(CALL, False), ("none", True)])
def test_a_check_teaches(reply, natively):
    """Where checks find calls, the model is asked in text from then on; where they agree, it is not checked any more."""
    turn = play(SKY, mode="fallback", earlier=[[SKY, reply]] * 3)
    assert turn.natively == [natively]


LEFT_OUT = [
    (f"{SUM}\n{SUM.replace('1', '7')}", {"parallel": False}, "dropped an extra call of sum_up"),
    (f"<think>{TAGGED} No.</think>Sunny.", {}, None),
    (f"{SUM}\n{CALL}", {"choice": "sum_up"}, "dropped a call of get_weather, which was not requested"),
]  # fmt: skip


@every_row(("reply", "terms", "warning"), LEFT_OUT)
def test_nothing_is_left_out_in_silence(reply, terms, warning):
    """Every call that is not made is named in a warning; one that was only thought of is no call."""
    told = [one for one in play(reply, **terms).warnings if one.startswith("dropped")]
    assert told == ([warning] if warning else [])


STEERED = ([COPIED, CALL], {"messages": "Use get_weather, please.", "model_size": 0.1, "constraint": "quotes"})  # fmt: skip


def test_every_rule_decides_something(monkeypatch):
    """No rule is there for nothing: each decides at least one case of the tables, native or in text."""
    names = {rule.__name__ for _, rule in after_reply.RULES}
    decided = watch_rules(after_reply, monkeypatch)
    for _, reply, terms, *_ in (*REASKED, *ACCEPTED, *ANSWERED):
        play(reply, SUM, **terms)
    for _, reply, terms, _ in (*test_after_native.TABLE, *test_after_native.STREAMED):
        test_after_native.follow(reply, terms, streamed=True)
    for _, replies, terms, _ in DOUBTED:
        play(*replies, **terms)
    play(CALL, CALL, "", **REPEATS)
    play(*STEERED[0], **STEERED[1])
    test_a_call_that_broke_off_after_it_was_shown_is_not_asked_for_again()
    assert decided == names
