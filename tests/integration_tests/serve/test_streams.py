"""Every streamed answer is the whole one, in an order that its protocol has, however the reply is cut into pieces."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessageChunk, message_chunk_to_message
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.json import parse_partial_json

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.integration_tests.serve.wires import WIRES, ask, events_of, in_order
from tests.spoken_model import SpokenModel
from tests.thoroughness import examples
from tests.weather import CALL

ROME = CALL.replace("Paris", "Rome")
FILE = '{"name": "write_file", "arguments": {"path": "a.py", "content": "print(\\"hi\\")\\n# \\u00fc 世界 🌍\\n"}}'
NOW = '{"name": "now", "arguments": {}}'
REPLIES = {
    "words": {"pieces": ["The sky is blue. It has been so for a while, and will be."]},
    "a call": {"pieces": [CALL]},
    "words, then a call": {"pieces": [f"Let me see.\n{CALL}"]},
    "two calls": {"pieces": [f"{CALL}\n{ROME}"]},
    "a call without arguments": {"pieces": [NOW]},
    "a long call": {"pieces": [FILE]},
    "unicode and line ends": {"pieces": ["Grüße, 世界 🌍 \u2028 \x85 \r\n done."]},
    "nothing": {"pieces": [""]},
    "thoughts next to the content": {"pieces": ["Blue."], "thoughts": "The sky, in daylight, is blue."},
    "thoughts in the text": {"pieces": ["<think>\nThe sky, in daylight, is blue.\n</think>\n\nBlue."]},
    "thoughts in the text, then a call": {"pieces": [f"<think>Paris, then.</think>{CALL}"]},
    "a native call": {"calls": [("get_weather", '{"city": "Paris"}')], "finish": "tool_calls"},
    "words and two native calls": {
        "pieces": ["Let me see."],
        "calls": [("get_weather", '{"city": "Paris"}'), ("add", '{"a": 1, "b": 2}')],
        "finish": "tool_calls",
    },
    "a native call without arguments": {"calls": [("now", "{}")], "finish": "tool_calls"},
    "cut words": {"pieces": ["The sky is"], "finish": "length"},
}  # fmt: skip


def app_of(reply):
    """A gateway of a model that says this; natively if it calls natively."""
    mode = "fallback" if "calls" in reply else "force"
    return create_app({"m": _model(reply, mode)})


def _model(reply, mode):
    return ChatToolEmu(llm=SpokenModel(**reply), mode=mode, max_reasks=0, reasoning="blocks")


async def both_ways(reply, wire):
    """The whole answer, and the events of the streamed one."""
    whole = (await ask(app_of(reply), wire)).json()
    streamed = await ask(app_of(reply), wire, stream=True)
    return whole, events_of(streamed.text)


@pytest.mark.in_turn
@pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
async def test_the_streamed_answer_is_the_whole_one(reply, wire):
    """What the events add up to is what a whole answer says, and they come in the protocol's order."""
    whole, events = await both_ways(reply, wire)
    assert in_order(wire, events)
    assert wire.add_up(events) == wire.essence(whole)


ORDERS = {
    ("chat", "words, then a call"): ["role", "content", "call", "arguments", "finish", "usage", "done"],
    ("chat", "two calls"): ["role", "call", "arguments", "call", "arguments", "finish", "usage", "done"],
    ("chat", "thoughts next to the content"): ["role", "reasoning_content", "content", "finish", "usage", "done"],
    ("chat", "thoughts in the text"): ["role", "reasoning_content", "content", "finish", "usage", "done"],
    ("messages", "words, then a call"): [
        "message_start",
        "content_block_start:text", "ping", "content_block_delta:text_delta", "content_block_stop",
        "content_block_start:tool_use", "content_block_delta:input_json_delta", "content_block_stop",
        "message_delta", "message_stop",
    ],
    ("messages", "thoughts next to the content"): [
        "message_start",
        "content_block_start:thinking", "ping", "content_block_delta:thinking_delta", "content_block_stop",
        "content_block_start:text", "content_block_delta:text_delta", "content_block_stop",
        "message_delta", "message_stop",
    ],
    ("responses", "words, then a call"): [
        "created", "in_progress",
        "output_item.added", "content_part.added", "output_text.delta", "output_text.done", "content_part.done", "output_item.done",
        "output_item.added", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done",
        "completed",
    ],
    ("ollama", "words, then a call"): ["content", "tool_calls", "done"],
    ("ollama", "thoughts next to the content"): ["thinking", "content", "done"],
    ("responses", "cut words"): [
        "created", "in_progress",
        "output_item.added", "content_part.added", "output_text.delta", "output_text.done", "content_part.done", "output_item.done",
        "incomplete",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("wire", "reply"), ORDERS, ids=str)
async def test_events_come_in_this_order(wire, reply):
    """The order of events, with neighbours of one kind told once."""
    response = await ask(app_of(REPLIES[reply]), WIRES[wire], stream=True)
    kinds = WIRES[wire].kinds(events_of(response.text))
    runs = [kind for at, kind in enumerate(kinds) if at == 0 or kinds[at - 1] != kind]
    assert runs == ORDERS[wire, reply]


class TakingTurns(SpokenModel):
    """Says something before each of its native calls, in Anthropic's blocks."""

    def _generate(self, *_, **__):
        first, *rest = self._chunks()
        whole = message_chunk_to_message(sum(rest, first))
        return ChatResult(generations=[ChatGeneration(message=whole)])

    def _chunks(self):
        for at, (text, city) in enumerate([("First. ", "Paris"), ("Second. ", "Rome")]):
            place, id_, args = 2 * at + 1, f"call_{at}", f'{{"city": "{city}"}}'
            yield AIMessageChunk([{"type": "text", "text": text, "index": place - 1}])
            use = {
                "type": "tool_use",
                "id": id_,
                "name": "get_weather",
                "input": {},
                "index": place,
            }
            piece = tool_call_chunk(name="get_weather", args=args, id=id_, index=place)
            yield AIMessageChunk([use], tool_call_chunks=[piece])
        yield AIMessageChunk([], response_metadata={"stop_reason": "tool_use"})


@pytest.mark.parametrize("stream", [False, True])
async def test_words_and_calls_stay_in_turn(stream):
    """Messages and Responses: text, call, text, call is that, and not two texts before two calls."""
    app = create_app({"m": TakingTurns(calls=[("get_weather", "{}")])})
    orders = []
    for wire in (WIRES["messages"], WIRES["responses"]):
        response = await ask(app, wire, stream=stream)
        said = wire.add_up(events_of(response.text)) if stream else wire.essence(response.json())
        orders.append([one["type"] for one in said.get("content") or said["output"]])
    assert orders == [["text", "tool_use"] * 2, ["message", "function_call"] * 2]


ENDS = {
    "words": ("stop", "end_turn", "completed", "stop"),
    "a call": ("tool_calls", "tool_use", "completed", "stop"),
    "a native call": ("tool_calls", "tool_use", "completed", "stop"),
    "cut words": ("length", "max_tokens", "incomplete", "length"),
}


@pytest.mark.parametrize("reply", ENDS)
async def test_an_answer_says_how_it_ended(reply):
    """Each protocol has its own word for the end."""
    app = app_of(REPLIES[reply])
    chat, messages, responses, ollama = [(await ask(app, one)).json() for one in WIRES.values()]
    vendors = (chat["choices"][0]["finish_reason"], messages["stop_reason"], responses["status"])
    assert (*vendors, ollama["done_reason"]) == ENDS[reply]


TEXTS = [
    f"Let me see.\n{CALL}\n{ROME}",
    FILE,
    f"<think>Paris, then.</think>Well: {CALL}",
    "```json\n" + CALL + "\n```",
    "Grüße, 世界 🌍: " + CALL.replace("Paris", "Zürich 🏔"),
]


@given(st.data())
@settings(max_examples=examples(300), deadline=None)
def test_any_chunking_gives_the_same_answer(data):
    """However the upstream cuts its reply, the stream adds up to the whole, in order."""
    text = data.draw(st.sampled_from(TEXTS))
    wire = data.draw(st.sampled_from(list(WIRES.values())))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=12)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole, events = asyncio.run(both_ways({"pieces": pieces}, wire))
    assert in_order(wire, events)
    assert wire.add_up(events) == wire.essence(whole)


TEXT = FILE.replace("# ", "# " + "a line of many words, " * 100)
LONG = [TEXT[at : at + 7] for at in range(0, len(TEXT), 7)]

# --- what was cut off ---

CUT = {"pieces": ["Sure.\n", CALL[:-8]], "finish": "length"}


def completed(arguments):
    """What LangChain's clients make of arguments that were cut off."""
    try:
        return parse_partial_json(arguments)
    except ValueError:
        return None


@pytest.mark.parametrize("stream", [False, True])
async def test_a_call_that_was_cut_off_is_no_call(stream):
    """Chat Completions: the finish reason says what happened, and there is nothing to run."""
    wire = WIRES["chat"]
    response = await ask(app_of(CUT), wire, stream=stream)
    said = wire.add_up(events_of(response.text)) if stream else wire.essence(response.json())
    assert (said["finish_reason"], said["message"]["tool_calls"]) == ("length", [])


@pytest.mark.parametrize("end", [700, 1200])
async def test_a_call_that_was_cut_off_while_it_was_sent_cannot_be_run(end):
    """Chat Completions: its arguments are no JSON, not even for a client that completes it."""
    wire = WIRES["chat"]
    cut = {"pieces": [TEXT[at : at + 7] for at in range(0, end, 7)], "finish": "length"}
    said = wire.add_up(events_of((await ask(app_of(cut), wire, stream=True)).text))
    assert said["finish_reason"] == "length"
    (call,) = said["message"]["tool_calls"]
    assert completed(call["arguments"]) is None


@pytest.mark.parametrize("stream", [False, True])
async def test_a_cut_call_is_no_block_of_a_message(stream):
    """Messages: the stop reason says what happened, and there is nothing to run."""
    wire = WIRES["messages"]
    response = await ask(app_of(CUT), wire, stream=stream)
    said = wire.add_up(events_of(response.text)) if stream else wire.essence(response.json())
    assert said["stop_reason"] == "max_tokens"
    assert [block["type"] for block in said["content"]] == ["text"]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_cut_call_is_none_of_ollamas(stream):
    """Ollama: the reason says what happened, and there is nothing to run."""
    wire = WIRES["ollama"]
    response = await ask(app_of(CUT), wire, stream=stream)
    said = wire.add_up(events_of(response.text)) if stream else wire.essence(response.json())
    assert (said["done_reason"], said["calls"]) == ("length", [])
    assert said["message"]["content"].strip() == "Sure."


async def test_a_fine_grained_stream_shows_a_call_while_it_is_written():
    """Messages: a client that asks for it gets the input in the pieces in which it was written."""
    app, wire = app_of({"pieces": LONG}), WIRES["messages"]
    tools = [{**tool, "eager_input_streaming": True} for tool in wire.ask["tools"]]
    eager = events_of((await ask(app, wire, stream=True, tools=tools)).text)
    buffered = events_of((await ask(app, wire, stream=True)).text)
    assert in_order(wire, eager)
    assert len(eager) > 2 * len(buffered)
    assert wire.add_up(eager) == wire.add_up(buffered)


# What stands around a long call, and whether it is shown before its end.
AROUND = {
    "nothing": ("", "", True),
    "words on a line before it": ("Let me see.\n", "", True),
    "a thought": ("<think>A file, then.</think>", "", True),
    "tags, after words": ("Let me see.\n<tool_call>\n", "\n</tool_call>", True),
    "a code block": ("```json\n", "\n```", True),
    "a code block, after words: an example?": ("Like this:\n```json\n", "\n```", False),
    "words on its own line: a quotation?": ("You would write ", " for that.", False),
}


@pytest.mark.in_turn
@pytest.mark.parametrize(("before", "after", "early"), AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("wire", [WIRES["chat"], WIRES["responses"]], ids=["chat", "responses"])
async def test_arguments_are_streamed_while_they_are_written(wire, before, after, early):
    """A long call comes in many pieces, not in one at its end, unless it may still be no call."""
    app = app_of({"pieces": [before, *LONG, after]})
    kinds = wire.kinds(events_of((await ask(app, wire, stream=True)).text))
    assert (sum("arguments" in kind for kind in kinds) > 20) is early
