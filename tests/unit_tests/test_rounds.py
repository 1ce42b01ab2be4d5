"""A history as rounds, and back."""

import copy
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    ToolMessageChunk,
)
from pydantic import ValidationError

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.rounds import Rounds, to_messages, to_rounds
from tests.tables import every_row
from tests.thoroughness import examples

SEARCH = {"name": "github_search", "args": {"query": "language:swift"}, "id": "c1"}
STAR = {"name": "github_star", "args": {"owner": "apple", "repo": "swift"}, "id": "c2"}
BAD = {"name": "github_star", "args": '{"owner": "app', "id": "c3", "error": "cut off"}
USAGE = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
IMAGE = {"type": "image", "base64": "aGk=", "mime_type": "image/png"}
RAW = [{"id": "c1", "function": {"name": "github_search", "arguments": "{}"}, "type": "function"}]

# The multi-round example of seed 003.
STARRED = [
    HumanMessage("Find the top GitHub repo for Swift and star it"),
    AIMessage("I'll search for the top Swift repository...", tool_calls=[SEARCH]),
    ToolMessage('{"repos": [{"name": "swift"}]}', tool_call_id="c1"),
    AIMessage("Found it! Now let me star it for you...", tool_calls=[STAR]),
    ToolMessage('{"success": true}', tool_call_id="c2"),
    AIMessage("Done! I've starred apple/swift - it has 65,000 stars!"),
]


def through_json(messages):
    return to_messages(Rounds.model_validate_json(to_rounds(messages).model_dump_json()))


def test_an_ordinary_history_is_stored_as_rounds_and_a_final_text():
    """A history whose messages carry nothing unusual is stored as its picture and nothing more."""
    assert json.loads(to_rounds(STARRED).model_dump_json()) == {
        "exchanges": [
            {
                "opening": [
                    {"role": "human", "content": "Find the top GitHub repo for Swift and star it"}
                ],
                "rounds": [
                    {
                        "content": "I'll search for the top Swift repository...",
                        "calls": [SEARCH],
                        "results": [
                            {"content": '{"repos": [{"name": "swift"}]}', "tool_call_id": "c1"}
                        ],
                    },
                    {
                        "content": "Found it! Now let me star it for you...",
                        "calls": [STAR],
                        "results": [{"content": '{"success": true}', "tool_call_id": "c2"}],
                    },
                ],
                "final": {
                    "role": "ai",
                    "content": "Done! I've starred apple/swift - it has 65,000 stars!",
                },
            }
        ]
    }


def test_rounds_and_the_final_text_are_at_hand():
    """All rounds and the last answer can be had without going through the exchanges."""
    history = to_rounds(STARRED)
    assert [call.name for one in history.rounds for call in one.calls] == [
        "github_search",
        "github_star",
    ]
    assert history.rounds[0].text == "I'll search for the top Swift repository..."
    assert history.final == "Done! I've starred apple/swift - it has 65,000 stars!"
    assert to_rounds(STARRED[:-1]).final is None
    assert Rounds().final is None


def test_what_else_a_message_carries_is_kept_beside_what_it_says():
    """Only what the plain fields do not say goes into `more`."""
    history = [
        AIMessage("", tool_calls=[SEARCH], id="m1", usage_metadata=USAGE),
        ToolMessage("1", tool_call_id="c1", name="github_search", id="m2"),
        AIMessage("Done.", response_metadata={"model_name": "m"}),
    ]
    (exchange,) = to_rounds(history).exchanges
    assert exchange.rounds[0].more == {"id": "m1", "usage_metadata": USAGE}
    assert exchange.rounds[0].results[0].more == {"id": "m2"}
    assert exchange.final.more == {"response_metadata": {"model_name": "m"}}


def test_words_are_found_in_blocks():
    """The text of content in blocks is its words alone."""
    blocks = [{"type": "thinking", "thinking": "hmm"}, "Let me ", {"type": "text", "text": "see."}]
    (only,) = to_rounds([AIMessage([*blocks, IMAGE], tool_calls=[SEARCH])]).rounds
    assert only.text == "Let me see."


CALL = AIMessage("", tool_calls=[SEARCH])
RESULT = ToolMessage("1", tool_call_id="c1")
ANSWER = AIMessage("Done.")
ASKED = HumanMessage("?")
# Each exchange as (messages before the model spoke, results of each round, whether there is an answer).
SHAPES = {
    "nothing": ([], []),
    "a question without an answer": ([ASKED], [(1, [], False)]),
    "an answer without a question": ([ANSWER], [(0, [], True)]),
    "system and user open together": ([SystemMessage("s"), ASKED, ANSWER], [(2, [], True)]),
    "each answer ends an exchange": (
        [ASKED, CALL, RESULT, ANSWER, ASKED, ANSWER],
        [(1, [1], True), (1, [], True)],
    ),
    "two answers in a row": ([ASKED, ANSWER, ANSWER], [(1, [], True), (0, [], True)]),
    "the user breaks in": ([ASKED, CALL, RESULT, ASKED], [(1, [1], False), (1, [], False)]),
    "the user breaks in before the result": (
        [CALL, ASKED, RESULT],
        [(0, [0], False), (2, [], False)],
    ),
    "a call never answered": ([CALL, CALL, RESULT], [(0, [0, 1], False)]),
    "an unreadable call is a round": (
        [AIMessage("", invalid_tool_calls=[BAD]), ToolMessage("no", tool_call_id="c3")],
        [(0, [1], False)],
    ),
    "a result of no call here stays with its round": (
        [CALL, ToolMessage("1", tool_call_id="x"), RESULT],
        [(0, [2], False)],
    ),
    "a result before any call opens": ([RESULT, CALL, RESULT], [(1, [1], False)]),
    "a result after the answer opens": ([ANSWER, RESULT], [(0, [], True), (1, [], False)]),
}


@pytest.mark.parametrize("case", SHAPES)
def test_exchanges(case):
    """An exchange is what was asked, the rounds that followed, and the answer."""
    history, expected = SHAPES[case]
    assert [
        (len(one.opening), [len(step.results) for step in one.rounds], one.final is not None)
        for one in to_rounds(history).exchanges
    ] == expected
    assert through_json(history) == history


def emptied(message):
    message.tool_calls = []
    return message


CARRIED = {
    "blocks with calls in them": AIMessage(
        [{"type": "text", "text": "See."}, {"type": "tool_use", "id": "c1", "input": {}}],
        tool_calls=[SEARCH],
    ),
    "calls as the provider sent them": AIMessage("", additional_kwargs={"tool_calls": RAW}),
    "calls taken out by hand": emptied(AIMessage("", additional_kwargs={"tool_calls": RAW})),
    "calls edited by hand": CALL.model_copy(
        update={"tool_calls": [{"name": "f", "args": {}}, {**SEARCH, "extras": {"a": 1}}]}
    ),
    "calls and unreadable calls": AIMessage("x", tool_calls=[STAR], invalid_tool_calls=[BAD]),
    "a chunk": AIMessageChunk(
        "x", tool_call_chunks=[{"name": "f", "args": '{"a": 1}', "id": "c1", "index": 0}]
    ),
    "a chunk with half a call": AIMessageChunk(
        "", tool_call_chunks=[{"name": "f", "args": '{"a', "id": "c1", "index": 0}]
    ),
    "an extra field": AIMessage("x", text="not the text", reasoning=["hmm"]),
    "a failed result": ToolMessage("no", tool_call_id="c1", status="error", artifact={"code": 1}),
    "a chunk of a result": ToolMessageChunk("x", tool_call_id="c1"),
    "an image": HumanMessage(["see", IMAGE], name="ann"),
    "other kinds: chat": ChatMessage(role="developer", content="x"),
    "other kinds: function": FunctionMessage(name="f", content="1"),
    "other kinds: remove": RemoveMessage(id="m1"),
}


@every_row("case", CARRIED)
def test_a_message_comes_back_with_all_it_carries(case):
    """Whatever a message carries comes back after a way through JSON."""
    history = [CALL, CARRIED[case]]
    assert through_json(history) == history


@every_row("number", [1, 1.0, True, -0.0, 1e22, 2**80, -math.inf, math.nan])
def test_a_number_comes_back_as_it_was(number):
    """A number keeps its type and value in every place, also where strict JSON has none."""
    history = [
        AIMessage(
            "", tool_calls=[{**SEARCH, "args": {"n": number}}], additional_kwargs={"n": number}
        ),
        ToolMessage([{"n": number}], tool_call_id="c1", artifact=number),
    ]
    call, result = through_json(history)
    came_back = [
        call.tool_calls[0]["args"]["n"],
        call.additional_kwargs["n"],
        result.content[0]["n"],
        result.artifact,
    ]
    assert [repr(one) for one in came_back] == [repr(number)] * 4


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def test_deep_values_come_back():
    """Values nested as deep as allowed come back wherever they stand."""
    history = [
        AIMessage("", tool_calls=[{**SEARCH, "args": {"x": deep(140)}}]),
        ToolMessage("1", tool_call_id="c1", artifact=deep(150)),
    ]
    assert through_json(history) == history


class OwnMessage(HumanMessage):
    pass


REFUSED = {
    "an object": (ToolMessage("1", tool_call_id="c", artifact=[Document("x")]), "`artifact`.*Docu"),
    "a tuple": (ToolMessage("1", tool_call_id="c", artifact=(1, 2)), "`artifact` holds a tuple"),
    "bytes": (AIMessage("", tool_calls=[{**SEARCH, "args": {"x": b"1"}}]), "`tool_calls`.*bytes"),
    "a key": (AIMessage("", additional_kwargs={1: 2}), "`additional_kwargs` holds the key 1"),
    "half a character": (HumanMessage("\ud83d"), r"`content` holds half.*\\ud83d"),
    "half a key": (AIMessage("", response_metadata={"\ud83d": 1}), "`response_metadata`.*half"),
    "too deep": (ToolMessage("1", tool_call_id="c", artifact=deep(151)), "nested deeper"),
    "a class of one's own": (OwnMessage("x"), "OwnMessage"),
}


@every_row("case", REFUSED)
def test_what_json_cannot_give_back_is_refused(case):
    """A message that would not come back as it was is an error that names it, never a silent loss."""
    message, expected = REFUSED[case]
    with pytest.raises(ToolSpecError, match=f"Message 1 .*{expected}"):
        to_rounds([HumanMessage("?"), message])


def test_a_store_that_was_tampered_with_is_refused():
    """Fields and kinds of message that nobody knows are errors, not left out."""
    with pytest.raises(ValidationError):
        Rounds.model_validate_json('{"exchanges": [{"opened": []}]}')
    final = {"role": "king", "content": "What people said."}
    strange = Rounds.model_validate({"exchanges": [{"final": final}]})
    with pytest.raises(ToolSpecError, match="king") as raised:
        to_messages(strange)
    assert "What people said." not in str(raised.value)


def test_nothing_is_shared():
    """Changing messages changes no rounds, and changing what came back neither."""
    history = [AIMessage(["x"], tool_calls=[copy.deepcopy(SEARCH)], additional_kwargs={"a": [1]})]
    rounds = to_rounds(history)
    before = rounds.model_dump_json()
    for message in (*history, *to_messages(rounds)):
        message.content.append("y")
        message.tool_calls[0]["args"]["query"] = "z"
        message.additional_kwargs["a"].append(2)
    assert rounds.model_dump_json() == before


LIKE = {
    "dicts": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "Done."}],
    "pairs": [("user", "?"), ("ai", "Done.")],
    "a text": ["?", ANSWER],
}


@pytest.mark.parametrize("kind", LIKE)
def test_whatever_langchain_takes_for_messages_is_read(kind):
    """Dicts and pairs are messages, too."""
    assert through_json(LIKE[kind]) == [ASKED, ANSWER]


texts = st.text(max_size=10)
names = st.sampled_from(["get_weather", "add", ""]) | texts
ids = st.sampled_from(["c1", "c2", "c3"]) | texts
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(
    texts | st.sampled_from(["tool_calls", "function_call", "type"]), values, max_size=2
)
contents = texts | st.lists(
    texts
    | objects
    | st.builds(lambda text: {"type": "text", "text": text}, texts)
    | st.just(IMAGE),
    max_size=3,
)
calls = st.fixed_dictionaries({"name": names, "args": objects, "id": st.none() | ids})
invalid_calls = st.fixed_dictionaries(
    {key: st.none() | texts for key in ("name", "args", "id", "error")}
)
usages = st.fixed_dictionaries(
    {key: st.integers(0, 99) for key in USAGE},
    optional={"input_token_details": st.just({"cache_read": 1})},
)
common = {
    "content": contents,
    "id": st.none() | texts,
    "name": st.none() | texts,
    "additional_kwargs": st.just({}) | st.just({"tool_calls": RAW}) | objects,
    "response_metadata": st.just({}) | objects,
}
histories = st.lists(
    st.builds(SystemMessage, **common)
    | st.builds(HumanMessage, **common)
    | st.builds(
        AIMessage,
        **common,
        tool_calls=st.lists(calls, max_size=2),
        invalid_tool_calls=st.just([]) | st.lists(invalid_calls, max_size=2),
        usage_metadata=st.none() | usages,
    )
    | st.builds(
        ToolMessage,
        **common,
        tool_call_id=ids,
        status=st.sampled_from(["success", "error"]),
        artifact=values,
    )
    | st.builds(AIMessageChunk, content=texts)
    | st.builds(ChatMessage, role=texts, content=texts),
    max_size=8,
)


@given(histories)
@settings(max_examples=examples(150), deadline=None)
def test_any_history_comes_back_equal(history):
    """A history and the same after a way through JSON are equal, and no message was changed."""
    before = copy.deepcopy(history)
    rounds = to_rounds(history)
    stored = rounds.model_dump_json()
    assert through_json(history) == history == before
    assert to_messages(rounds) == history
    assert Rounds.model_validate_json(stored) == rounds == Rounds.model_validate(json.loads(stored))
