"""A call of a tool that is not bound: the model is told which are, and nobody gets it."""

import json
import random
import warnings

import pytest

from langchain_toolemu import ChatToolEmu, ToolEmuWarning
from langchain_toolemu.capability import forget
from langchain_toolemu.errors import ToolChoiceError
from tests.essence import essence, report
from tests.scripted_turns import QUESTION, TOOLS, Said, ScriptedModel, play
from tests.tables import every_row
from tests.thoroughness import TEST_ALL
from tests.unit_tests.turn.test_after_text import called
from tests.ways import WAYS, ask
from tests.weather import CALL, PARIS

NAME = "write_todos"
ARGS = {"todos": ["look"]}
CALLED = {"name": NAME, "arguments": ARGS}
SKY = "The sky is blue."
NATIVE = Said(calls=[("get_weather", '{"city": "Paris"}')])

TRUSTED = {"mode": "fallback", "earlier": [[NATIVE]]}
VENDOR = {**TRUSTED, "model": {"base_url": "https://api.openai.com/v1"}}
FORCE, SMALL = {"mode": "force"}, {"mode": "force", "model_size": 1}
CLAIMED = {"mode": "fallback", "tool_support": "native"}
NONE = {"mode": "fallback", "tool_support": "none"}
UNKNOWN = {"mode": "fallback"}
MODES = {
    "force": FORCE, "a small model": SMALL, "fallback": UNKNOWN, "trusted": TRUSTED,
    "vendor": VENDOR,
    "claimed": CLAIMED, "none": NONE, "decision": {"mode": "force", "flow": "decision"},
}  # fmt: skip


def natively(number=0):
    """A native call that differs from one request to the next."""
    return Said(calls=[(NAME, json.dumps({**ARGS, "try": number}))])


WRITTEN = {
    "in an envelope": f"<tool_call>{json.dumps(CALLED)}</tool_call>",
    "bare": json.dumps(CALLED),
    "in a fence": f"```json\n{json.dumps(CALLED)}\n```",
    "a function's element": f"<function={NAME}><parameter=todos>look</parameter></function>",
    "after words": f"Let me plan.\n<tool_call>{json.dumps(CALLED)}</tool_call>",
}


def insisted(terms, how):
    """How many wrong names lead to the answer: a small model that says nothing is told once."""
    return 2 if terms is SMALL and how != "after words" else 3


SETTINGS = [
    (mode, how, terms, [text] * insisted(terms, how))
    for mode, terms in MODES.items()
    for how, text in WRITTEN.items()
    # What a vendor's own model writes among words is an example.
    if terms is not VENDOR or how == "in an envelope"
]
SETTINGS += [
    (mode, "natively", terms, [natively(number) for number in range(insisted(terms, "natively"))])
    for mode, terms in MODES.items()
]
SETTINGS += [("trusted", "the same call", TRUSTED, [natively()] * 3)]


def run(terms, replies, way="invoke", **asked):
    """A turn by one of the four ways: its message, what was sent, and the warnings of Python."""
    forget()
    model = ScriptedModel(**terms.get("model", {}))
    options = {key: one for key, one in terms.items() if key not in ("model", "earlier")}
    llm = ChatToolEmu(model, **options)
    for past in terms.get("earlier", ()):
        model.replies = past
        llm.bind_tools(TOOLS).invoke(QUESTION)
    model.replies, model.heard[:] = replies, []
    messages = asked.pop("messages", QUESTION)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        message = ask(llm.bind_tools(asked.pop("tools", TOOLS), **asked), messages, way)
    ours = [str(one.message) for one in told if one.category is ToolEmuWarning]
    return message, list(model.heard), ours


def names(request):
    """The tools that a request names, natively or in its messages."""
    return [name for name in ("get_weather", "sum_up") if name in str(request)]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("history", [False, True])
@every_row(("mode", "how", "terms", "wrong"), SETTINGS)
def test_who_insists_is_asked_for_the_answer_once(mode, how, terms, wrong, way, history):
    """Told which tools there are, the model is asked without them at last; no call is made."""
    asked = {"messages": called("sunny")} if history else {}
    message, requests, _ = run(terms, [*wrong, SKY], way, **asked)
    assert message.tool_calls == []
    is_shown = how == "after words" and (history or mode != "decision")
    words = "Let me plan.\n\n\n" if is_shown else ""
    assert message.text == f"{words}{SKY}"
    told = [request for request in requests if "cannot be called" in str(request[0])]
    assert told
    assert all(names(request) == ["get_weather", "sum_up"] for request in told)
    assert [bool(kwargs.get("tools")) for _, kwargs in requests][-1] is False
    assert ["sum_up" in str(request) for request in requests] == [True] * len(wrong) + [False]
    assert "unknown_tool" in report(message)["warning_codes"]


@every_row(("mode", "how", "terms", "wrong"), SETTINGS)
def test_a_turn_without_an_answer_warns(mode, how, terms, wrong):
    """By all four ways alike: the call is an invalid one, and Python's warning names the tool."""
    empty = [reply for reply in wrong if not isinstance(reply, str) or "plan" not in reply]
    if not empty:
        return
    seen = []
    for way in WAYS:
        # What it says last, it says over and over, in text as well.
        message, requests, told = run(terms, [*wrong, WRITTEN["in an envelope"]], way)
        assert (message.text, message.tool_calls) == ("", [])
        assert {call["name"] for call in message.invalid_tool_calls} <= {NAME}
        assert [one for one in told if NAME in one]
        assert f"dropped a call of {NAME}, which is not bound" in report(message)["warnings"]
        assert len(requests) <= 5
        seen.append(essence(message))
    assert all(one == seen[0] for one in seen)


RIGHT = [
    ("natively", UNKNOWN, [natively(), NATIVE], PARIS, 2),
    ("natively on a vendor's host", VENDOR, [natively(), NATIVE], PARIS, 2),
    ("in text", FORCE, [WRITTEN["bare"], CALL], PARIS, 2),
    ("rescued", CLAIMED, [WRITTEN["in an envelope"], CALL], PARIS, 2),
    ("in words", FORCE, [WRITTEN["bare"], SKY], [], 2),
    ("natively, in words", TRUSTED, [natively(), SKY], [], 2),
]


@pytest.mark.parametrize("way", WAYS)
@every_row(("how", "terms", "replies", "made", "count"), RIGHT)
def test_who_takes_the_correction_is_not_warned_of(how, terms, replies, made, count, way):
    """One further request, and nothing to tell the user."""
    message, requests, told = run(terms, replies, way)
    assert [(call["name"], call["args"]) for call in message.tool_calls] == made
    assert len(requests) == count
    assert not [one for one in told if "unknown_tool" in one]
    assert "unknown_tool" not in report(message)["warning_codes"]


@pytest.mark.parametrize("way", WAYS)
@every_row("terms", [UNKNOWN, TRUSTED, VENDOR])
def test_next_to_a_call_that_stands_it_is_an_invalid_one(terms, way):
    """In whatever order they come; the warning has a code of its own."""
    wrong, right = natively().calls[0], NATIVE.calls[0]
    for made in ([wrong, right], [right, wrong]):
        message, requests, _ = run(terms, [Said("Hm.", calls=made)], way)
        assert [(call["name"], call["args"]) for call in message.tool_calls] == PARIS
        assert [call["name"] for call in message.invalid_tool_calls] == [NAME]
        assert (message.text, len(requests)) == ("Hm.", 1)
        assert "unknown_tool" in report(message)["warning_codes"]


@pytest.mark.parametrize("way", WAYS)
@every_row("terms", [FORCE, NONE, UNKNOWN, TRUSTED, VENDOR])
def test_a_demanded_call_that_never_came_is_an_error(terms, way):
    """No answer stands for it."""
    replies = [WRITTEN["bare"]] if terms in (FORCE, NONE) else map(natively, range(3))
    with pytest.raises(ToolChoiceError, match="unknown_tool"):
        run(terms, [*replies, WRITTEN["bare"]], way, tool_choice="any")


@every_row("terms", [FORCE, UNKNOWN, TRUSTED, VENDOR])
def test_without_corrections_there_is_no_further_request(terms):
    """`max_reasks=0` means it; the warning comes all the same."""
    wrong = WRITTEN["bare"] if terms is FORCE else natively()
    message, requests, told = run({**terms, "max_reasks": 0}, [wrong, SKY])
    assert (message.text, message.tool_calls, len(requests)) == ("", [], 1)
    assert [one for one in told if NAME in one]


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_in_a_form_is_asked_for_in_its_form(way):
    """Words alone would not do where an answer has to have one."""
    form = {"title": "Sky", "type": "object", "properties": {"colour": {"type": "string"}}}
    answer = '{"name": "Sky", "arguments": {"colour": "blue"}}'
    replies = [*map(natively, range(3)), answer]
    message, _, _ = run(TRUSTED, replies, way, response_format=form)
    assert json.loads(message.text) == {"colour": "blue"}


def test_a_small_model_is_told_once():
    """Then it is asked for the answer, as it always was."""
    _, requests, _ = run(SMALL, [WRITTEN["bare"]] * 2 + [SKY])
    assert [("cannot be called" in str(request)) for request in requests] == [False, True, False]


def test_json_that_was_asked_for_is_no_call():
    """A model that insists on it gave the answer."""
    asked = {"messages": "The todos as JSON, please."}
    message, _, told = run(FORCE, [WRITTEN["bare"]] * 3, **asked)
    assert (message.text, told) == (WRITTEN["bare"], [])


@pytest.mark.parametrize("streamed", [False, True])
def test_an_answer_request_that_fails_leaves_the_words_that_came(streamed):
    """Nothing is handed on then, either."""
    wrong = (Said("Hm.", calls=one.calls) for one in map(natively, range(3)))
    turn = play(*wrong, Said(error=ValueError("no")), streamed=streamed, **TRUSTED)
    assert (turn.message.content, turn.calls) == ("Hm.", [])
    assert [call["name"] for call in turn.message.invalid_tool_calls] == [NAME]


# --- nothing is handed on, whatever comes ---

PIECES = [
    natively(),
    natively(1),
    natively(2),
    Said("Let me plan.", calls=natively().calls),
    Said(calls=[*natively().calls, ("delete_all", "{}")]),
    Said(calls=[(NAME, "{}")], finish="length"),
    Said(calls=[("", "{}")]),
    Said(calls=[("get_weather", '{"town": 1}')]),
    NATIVE,
    *WRITTEN.values(),
    WRITTEN["in an envelope"][:40],
    "",
    "<think>I plan.</think>",
    f"<think>{WRITTEN['in an envelope']}</think>",
    SKY,
    CALL,
]
NUMBER = 2_000 if TEST_ALL else 150


def is_wrong(reply):
    """Whether a reply is nothing but a whole call of a tool that is not bound."""
    if isinstance(reply, Said):
        return bool({name for name, _ in reply.calls} - {"get_weather"})
    return reply in WRITTEN.values()


def faults(terms, replies, way):
    """What is wrong with the end of a turn, and what two ways have in common."""
    message, requests, told = run(terms, replies, way)
    made = {call["name"] for call in message.tool_calls}
    if made - {"get_weather"}:
        yield "handed on"
    is_empty = not (message.text.replace("<think>I plan.</think>", "").strip() or made)
    called = [reply for reply in replies[: len(requests)] if is_wrong(reply)]
    if is_empty and called and not any(NAME in one for one in told):
        yield "silent"
    yield essence(message)["calls"], message.text, len(requests)


def test_no_sequence_of_replies_hands_on_a_name_that_is_not_bound():
    """Streamed as whole; and where nothing came of one, Python's warning names it."""
    chance, wrong = random.Random(58), []
    for _ in range(NUMBER):
        terms = chance.choice([*MODES.values()])
        replies = chance.choices(PIECES, k=5)
        (whole, *more), (streamed, *others) = (
            reversed([*faults(terms, replies, way)]) for way in ("invoke", "stream")
        )
        if more or others or whole != streamed:
            wrong.append((terms, replies, more, others, whole, streamed))
    assert not wrong
