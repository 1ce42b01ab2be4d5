"""What the caller limits: one tool, one call, so many rounds; and what a model does all the same."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import forget
from langchain_toolemu.contract import SMALLEST
from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.contract.example_values import NUMBERS
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Settings
from langchain_toolemu.turn.turn_output import WARNINGS
from tests.scripted_turns import TOOLS as SCRIPTED_TOOLS
from tests.scripted_turns import ScriptedModel
from tests.tables import every_row
from tests.unit_tests.turn.playing import Known, Said, order, play

WEATHER = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
SUM = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
PARIS = ("get_weather", {"city": "Paris"})
HISTORY = [
    HumanMessage("Weather?"),
    AIMessage("", tool_calls=[{"name": "get_weather", "args": {"city": "Paris"}, "id": "1"}]),
    ToolMessage("sunny", tool_call_id="1"),
]
SIZES = [None, 3]


class _Given(ScriptedModel):
    """A model that streams one chunk as it is."""

    chunk: Any = None

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        yield ChatGenerationChunk(message=self.chunk)


def sift(chunk, **terms):
    """What is left of a chunk of a vendor's, of which only the choice of tools is enforced."""
    forget()
    llm = ChatToolEmu(_Given(chunk=chunk), tool_support="native", on_failure="continue")
    return next(llm.bind_tools(SCRIPTED_TOOLS, **terms).stream("Hi"))


def calls(one):
    return [(call["name"], call["args"]) for call in one.message.tool_calls]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", [f"{SUM}\n{WEATHER}", f"{WEATHER}\n{SUM}"])
def test_next_to_the_demanded_call_another_one_is_left_out(text, size):
    """Neither call is left as text, and a warning names the other one."""
    one = play(text, order=order(choice="get_weather"), size=size)
    assert (one.message.content, calls(one)) == ("", [PARIS])
    assert "dropped a call of sum_up, which was not requested" in one.report["warnings"]


@pytest.mark.parametrize("size", SIZES)
def test_one_native_call_at_a_time_keeps_the_first(size):
    """Under `parallel_tool_calls=False` further native calls are left out, and a warning tells."""
    said = Said(calls=[PARIS, ("get_weather", {"city": "Rome"})])
    one = play(said, order=order(parallel=False), mode="fallback", size=size)
    assert calls(one) == [PARIS]
    assert one.report["warnings"] == [
        "dropped a native call of get_weather, which was not requested"
    ]


@pytest.mark.parametrize("size", SIZES)
def test_a_native_call_of_another_tool_than_the_demanded_one_is_a_missing_call(size):
    """It is never shown, and the turn goes on in text."""
    said = Said(calls=[("sum_up", {"a": 1, "b": 2})])
    one = play(said, WEATHER, order=order(choice="get_weather"), mode="fallback", size=size)
    assert (calls(one), one.report["path"], len(one.requests)) == ([PARIS], "emulated", 2)


@dataclass(frozen=True)
class InPieces(Said):
    """A streamed reply of which each piece is given: words, or `(name, args, id, index)` of a native call."""

    given: Sequence[Any] = ()

    def pieces(self, size: int) -> list[ChatGenerationChunk]:
        return [ChatGenerationChunk(message=_as_message(one)) for one in self.given]


def _as_message(piece):
    if isinstance(piece, str):
        return AIMessageChunk(piece)
    calls = [dict(zip(("name", "args", "id", "index"), piece, strict=True))]
    return AIMessageChunk("", tool_call_chunks=calls)


ARGS = '{"city": "Paris"}'
LATE_NAMES = [
    [(None, "", "a", 0), ("get_weather", "", None, 0), (None, ARGS, None, 0)],
    [("", "", "a", 0), ("get_weather", ARGS, None, 0)],
    [("get_", "", "a", 0), ("weather", "", None, 0), (None, ARGS, None, 0)],
    [("get_", None, "a", 0), ("wea", None, None, 0), ("ther", ARGS, None, 0)],
    [(None, '{"city": ', "a", 0), ("get_weather", '"Paris"}', None, 0)],
    [(None, "", "a", 0), ("sum_up", "{}", "b", 1), ("get_weather", ARGS, "a", 0)],
    [("sum_up", "{}", "a", 0), ("get_weather", ARGS, "b", 0)],
]


@pytest.mark.parametrize("given", LATE_NAMES)
@pytest.mark.parametrize("parallel", [None, False])
def test_a_native_call_is_held_until_its_name_is_known(given, parallel):
    """A demanded call whose name comes late or in halves is passed on, and nothing is asked again."""
    said = InPieces(given=["Let me look.", *given])
    asked = order(choice="get_weather", parallel=parallel)
    one = play(said, WEATHER, order=asked, mode="fallback", size=1)
    assert (calls(one), one.message.invalid_tool_calls) == ([PARIS], [])
    assert (one.report["path"], len(one.requests)) == ("native", 1)


@pytest.mark.parametrize(
    "given",
    [
        [(None, "", "a", 0), ("sum_up", "", None, 0), (None, "{}", None, 0)],
        [("get_", "", "a", 0), ("time", "{}", None, 0)],
        [("get", "{}", "a", 0)],
        [(None, ARGS, "a", 0)],
        [("get_", "", "a", 0)],
        [(None, ARGS, None, None)],
    ],
)
def test_a_native_call_whose_name_turns_out_another_is_a_missing_call(given):
    """So is one whose name never came: it is never shown, and is asked for again."""
    said = InPieces(given=given)
    one = play(said, WEATHER, order=order(choice="get_weather"), mode="fallback", size=1)
    assert (calls(one), len(one.requests)) == ([PARIS], 2)
    told = [*one.report["warnings"], *one.report["reasks"]]
    assert any("dropped a native call of" in text or "unknown_tool" in text for text in told)


@pytest.mark.parametrize(
    ("first", "second"), [((None, None), (None, None)), (("a", 0), ("b", 0)), (("a", 0), ("b", 1))]
)
def test_one_native_call_at_a_time_is_one_however_they_are_numbered(first, second):
    """The first is kept where both have one index, or neither index nor id."""
    given = [("get_weather", ARGS, *first), ("get_weather", ARGS.replace("Paris", "Rome"), *second)]
    asked = order(parallel=False)
    one = play(InPieces(given=given), order=asked, mode="fallback", size=1)
    assert (calls(one), one.message.invalid_tool_calls) == ([PARIS], [])


def test_an_error_after_a_held_call_leaves_nothing_of_it():
    """What was held of a native reply that failed is no part of the emulated one."""
    native = Turn(order(choice="get_weather"), Settings(mode="fallback", dialect=JSON), Known())
    native.ask()
    native.feed(ChatGenerationChunk(message=_as_message((None, "", "a", 0))))
    assert native.goes_on_after(ValueError("this model does not support tools"))
    native.ask()
    native.take(Said(WEATHER).whole())
    assert [call["args"] for call in native.result().generations[0].message.tool_calls] == [
        {"city": "Paris"}
    ]


def test_raw_calls_of_one_index_are_told_apart_by_their_ids():
    """Of two calls numbered 0 the raw form of the one that is kept stays."""
    pieces = [("get_weather", ARGS, "a", 0), ("get_weather", ARGS, "b", 0)]
    parts = [_as_message(piece).tool_call_chunks[0] for piece in pieces]
    raw = [{"id": "a", "index": 0}, {"id": "b", "index": 0}]
    chunk = AIMessageChunk("", tool_call_chunks=parts, additional_kwargs={"tool_calls": raw})
    sifted = sift(chunk, parallel_tool_calls=False)
    assert sifted.additional_kwargs == {"tool_calls": raw[:1]}


def test_a_call_that_is_left_out_leaves_no_content_block():
    """Blocks and raw calls of other clients go with it."""
    chunk = AIMessageChunk(
        [{"type": "text", "text": "Hm."}, {"type": "tool_use", "id": "a", "name": "sum_up"}],
        tool_call_chunks=[{"name": "sum_up", "args": "{}", "id": "a", "index": None}],
        additional_kwargs={"tool_calls": [{"id": "a"}], "other": 1},
    )
    sifted = sift(chunk, tool_choice="none")
    assert sifted.text == "Hm."
    assert "tool_use" not in str(sifted.content)
    assert sifted.additional_kwargs == {"other": 1}
    assert sifted.tool_call_chunks == []


@pytest.mark.parametrize("size", SIZES)
def test_the_last_round_is_told(size):
    """Where no tools are offered any more, a warning says why."""
    one = play("It is sunny.", order=order(HISTORY), max_tool_rounds=1, size=size)
    assert one.message.content == "It is sunny."
    assert one.report["warnings"] == [WARNINGS["out_of_rounds"].format(most=1)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tools", [None, ()], ids=["no round is left", "no tools are bound"])
def test_a_call_where_none_can_be_made_is_never_the_answer(tools, size):
    """A model that calls on is corrected once; its JSON is not handed out as an answer."""
    asked = order(HISTORY) if tools is None else order(HISTORY, tools=())
    one = play(WEATHER, order=asked, max_tool_rounds=1, size=size)
    assert (one.message.content, one.message.tool_calls) == ("", [])
    assert one.report["reasks"] == ["contract: imitated_call"]


@every_row("number", [f"{NUMBERS[0]}", *(f"{NUMBERS[0]:,}".replace(",", mark) for mark in ",._' \u202f")])  # fmt: skip
def test_a_number_that_the_user_said_is_not_copied_from_an_example(number):
    """In digits, with any language's separators."""
    called = f'{{"name": "sum_up", "arguments": {{"a": {NUMBERS[0]}, "b": 5}}}}'
    one = play(called, order=order(f"Add {number} and 5."), contract=SMALLEST)
    assert calls(one) == [("sum_up", {"a": NUMBERS[0], "b": 5})]


def test_a_call_that_never_ran_goes_back_to_a_server_as_text():
    """As a call it would be refused: its arguments are not JSON, and no result follows it."""
    cut = {"name": "get_weather", "args": '{"city": "Pa', "id": "1", "error": "it was cut"}
    history = [
        HumanMessage("Weather?"),
        AIMessage("Let me look.", invalid_tool_calls=[cut]),
        HumanMessage("Go on."),
    ]
    one = play("Sun.", order=order(history), mode="fallback")
    sent = one.requests[0].messages[1]
    assert sent.invalid_tool_calls == []
    assert sent.content == 'Let me look.\n{"city": "Pa'
    assert history[1].invalid_tool_calls == [{**cut, "type": "invalid_tool_call"}]


def test_a_model_that_writes_its_calls_as_text_is_asked_in_text():
    """Whatever its server claims, so that its rounds count and long results are cut."""
    settings = {"max_tool_rounds": 1, "max_tool_result_chars": 3, "mode": "fallback"}
    one = play("It is sunny.", order=order(HISTORY), known=Known("none", "text"), **settings)
    assert one.report["path"] == "emulated"
    assert any("max_tool_rounds" in warning for warning in one.report["warnings"])
    assert "[cut: 3 of 5 characters are shown]" in str(one.requests[0].messages)


def test_a_call_without_a_name_that_an_agent_answered_goes_back_with_one():
    """A server fails at every further turn of a history whose call has no name."""
    cut = {"name": None, "args": '{"name": "get_w', "id": "1", "error": "it was cut"}
    history = [
        HumanMessage("Weather?"),
        AIMessage("", invalid_tool_calls=[cut]),
        ToolMessage("It was cut.", tool_call_id="1"),
    ]
    one = play("Sun.", order=order(history), mode="fallback")
    (sent,) = one.requests[0].messages[1].invalid_tool_calls
    assert (sent["name"], json.loads(sent["args"])) == (
        "unknown_tool",
        {"unreadable": '{"name": "get_w'},
    )


NESTED = "[" * 3000 + "]" * 3000
LISTS = {"title": "Lists", "type": "object", "properties": {"lists": {"type": "array"}}}


@pytest.mark.parametrize("size", [None, 500])
@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (f'{{"name": "get_weather", "arguments": {{"city": {NESTED}}}}}', {}),
        (f'{{"lists": {NESTED}}}', {"tools": (), "form": LISTS}),
        (NESTED, {"tools": (), "form": {"title": "List", "type": "array", "items": {}}}),
    ],
    ids=["a call", "an object", "a list"],
)
def test_what_is_nested_too_deeply_is_no_call(text, asked, size):
    """Python reads JSON only so deep: what goes deeper is asked for again, and never an error of ours."""
    played = play(*[text] * 3, order=order(**asked), size=size)
    assert played.error is None
    assert played.message.tool_calls == []
    assert len(played.report["reasks"]) == 2
