"""Arguments of a long call are shown as they arrive, add up to the call, and never to one that was cut off."""

import json
from functools import reduce
from operator import add

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_tests.utils.stream_lifecycle import assert_valid_event_stream

from langchain_toolemu import ChatToolEmu
from tests.essence import essence, four_ways
from tests.piecewise_model import PiecewiseModel
from tests.scripted_server import Reply, ScriptedServer
from tests.thoroughness import examples, steps

PROSE = 'He said "hello" — C:\\temp, 世界 🌍\n\tand \\n went on. '


def write_file(path: str, content: str) -> str:
    """Write a file."""
    return path


def read_file(path: str) -> str:
    """Read a file."""
    return path


TOOLS = [write_file, read_file]


def call(content, *, name="write_file", ascii_only=False, **args):
    stated = {"name": name, "arguments": {**args, "content": content}}
    return json.dumps(stated, ensure_ascii=ascii_only)


def pieces(text, size):
    return [text[start : start + size] for start in range(0, len(text), size)]


def bound(server, **kwargs):
    return ChatToolEmu(llm=server.chat_model(), mode="force", **kwargs).bind_tools(TOOLS)


def deltas(chunks):
    return [made for chunk in chunks for made in chunk.tool_call_chunks]


ENVELOPES = {
    "bare": "{}",
    "fenced": "```json\n{}\n```",
    "tagged": "<tool_call>\n{}\n</tool_call>",
    "beside prose": "I will write it.\n{}\nDone.",
}


@pytest.mark.in_turn
@pytest.mark.parametrize("envelope", ENVELOPES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_long_file_is_shown_while_it_is_written(envelope, ascii_only):
    """The first piece of a 20 KB file comes within 5 % of the call's text, and all pieces add up to its arguments."""
    content = (PROSE * 1000)[:20_000]
    text = ENVELOPES[envelope].format(call(content, path="notes.txt", ascii_only=ascii_only))
    said = pieces(text, 50)
    with ScriptedServer(lambda request: Reply(text=said)) as server:
        chunks = list(bound(server).stream("Write."))
        whole = bound(server).invoke("Write.")
    sizes = [len(made["args"]) for made in deltas(chunks)]
    assert sizes[0] <= 0.05 * len(text)  # it holds everything so far
    assert max(sizes) <= 0.05 * len(text)
    shown = "".join(made["args"] for made in deltas(chunks))
    assert json.loads(shown) == {"path": "notes.txt", "content": content}
    assert whole.tool_calls[0]["args"] == json.loads(shown)
    assert [made["name"] for made in deltas(chunks) if made["name"]] == ["write_file"]
    assert len({made["id"] for made in deltas(chunks) if made["id"]}) == 1


def piecewise(*replies, size=20):
    return PiecewiseModel(replies=[*replies], size=size)


def over(model, **kwargs):
    return ChatToolEmu(llm=model, mode="force", **kwargs).bind_tools(TOOLS)


def test_the_first_piece_comes_within_a_twentieth():
    """Of a 20 KB call, at most a twentieth is read before the first piece of its arguments is shown."""
    text = call((PROSE * 1000)[:20_000], path="notes.txt")
    model = piecewise((text, "stop"))
    stream = over(model).stream("Write.")
    first = next(chunk for chunk in stream if chunk.tool_call_chunks)
    assert first.tool_call_chunks[0]["name"] == "write_file"
    assert first.tool_call_chunks[0]["args"].startswith('{"path": "notes.txt", "content": "')
    assert model.read < len(text) / 20


LONG_CALL = call(PROSE * 16, path="notes.txt")
BEGINS = LONG_CALL.index("He said") + 512
"""Where in it the call is long enough to be shown."""


@pytest.mark.parametrize("size", [30, 5000])
def test_a_stream_that_ends_by_length_never_adds_up_to_a_call(size):
    """Cut at any position, the sum of the stream holds no call, and a call once shown is not asked for again."""
    model = piecewise(size=size)
    llm = over(model, max_reasks=1)
    for end in steps(len(LONG_CALL) - 2):
        model.replies = [(LONG_CALL[:end], "length"), ("Sorry.", "stop")] * 2
        model.asked = 0
        summed = reduce(add, llm.stream("Write."))
        asked = model.asked
        model.asked = 0
        assert essence(summed) == essence(llm.invoke("Write."))
        assert summed.tool_calls == []
        assert asked == model.asked
        if end >= BEGINS:
            assert asked == 1
            assert [bad["name"] for bad in summed.invalid_tool_calls] == ["write_file"]
            assert summed.response_metadata["finish_reason"] == "length"
        elif end > 40:
            assert asked == 2
            assert summed.content == "Sorry."


def test_a_connection_that_breaks_leaves_no_call_behind():
    """Whoever adds up what came before the error gets no call, were its JSON easy to complete."""
    said = Reply(text=pieces(LONG_CALL, 20), breaks_after=40)
    shown = []
    with (
        ScriptedServer([said]) as server,
        pytest.raises(Exception, match="(?i)peer|incomplete|connection|closed"),
    ):
        shown.extend(bound(server).stream("Write."))
    summed = reduce(add, shown)
    assert summed.tool_calls == []
    assert summed.invalid_tool_calls[0]["name"] == "write_file"


# Calls that could still be rejected when their long argument begins: they come whole, at their end.
WHOLE = {
    "a required argument is still missing": json.dumps(
        {"name": "write_file", "arguments": {"content": PROSE * 16, "path": "x"}}
    ),
    "an argument needs mending": call(PROSE * 16, path="x").replace('"path"', "path"),
    "its quotes need mending": call("x " * 400, path="x").replace("x x x", 'x "x" x', 1),
    "a list of calls": f"[{LONG_CALL}]",
    "an unknown tool": call(PROSE * 16, path="x", name="write_files"),
}


@pytest.mark.parametrize("case", WHOLE)
def test_what_may_still_be_rejected_comes_whole(case):
    """Nothing is shown early that a rule could still refuse or that needs mending."""
    said = Reply(text=pieces(WHOLE[case], 20))
    with ScriptedServer(lambda request: said) as server:
        chunks = list(bound(server, max_reasks=0).stream("Write."))
    assert len(deltas(chunks)) <= 1


def test_a_repeated_call_is_not_shown_before_it_is_known_to_be_none():
    """A call that may turn out to be the one just answered is held, and then re-asked as ever."""
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    args = {"path": "notes.txt", "content": PROSE * 16}
    history = [
        HumanMessage("Write."),
        AIMessage("", tool_calls=[{"name": "write_file", "args": args, "id": "1"}]),
        ToolMessage("done", tool_call_id="1"),
    ]
    other = call(PROSE * 16, path="other.txt")
    with ScriptedServer() as server:
        server.play([Reply(text=pieces(LONG_CALL, 20)), "It is written."])
        repeated = list(bound(server).stream(history))
        server.play([Reply(text=pieces(other, 20))])
        another = list(bound(server).stream(history))
    assert deltas(repeated) == []
    assert len(deltas(another)) > 10


def test_text_and_calls_keep_their_order():
    """Text, a long call, text, a short call: content blocks come in the order in which they were written."""
    short = json.dumps({"name": "read_file", "arguments": {"path": "y"}})
    text = f"I will write it.\n{LONG_CALL}\nThen I read it.\n{short}"
    for version in ("v0", "v1"):
        with ScriptedServer(lambda request: Reply(text=pieces(text, 20))) as server:
            llm = ChatToolEmu(llm=server.chat_model(output_version=version), mode="force")
            chunks = list(llm.bind_tools(TOOLS).stream("Write."))
        order = []
        for chunk in chunks:
            kind = "call" if chunk.tool_call_chunks else "text" if chunk.text.strip() else None
            if kind and order[-1:] != [kind]:
                order.append(kind)
        assert order == ["text", "call", "text", "call"]
        summed = reduce(add, chunks)
        assert [made["name"] for made in summed.tool_calls] == ["write_file", "read_file"]
        assert summed.tool_calls[0]["args"]["content"] == PROSE * 16


@pytest.mark.filterwarnings("ignore:.*beta")
def test_the_v3_protocol_holds_text_and_calls_in_order():
    """Its events are valid, its blocks come in order, and its calls are those of the message."""
    short = json.dumps({"name": "read_file", "arguments": {"path": "y"}})
    text = f"I will write it.\n{LONG_CALL}\nThen I read it.\n{short}"
    with ScriptedServer(lambda request: Reply(text=pieces(text, 20))) as server:
        stream = bound(server).stream_events("Write.", version="v3")
        events = list(stream)
    assert_valid_event_stream(events)
    started = [e["content"]["type"] for e in events if e["event"] == "content-block-start"]
    assert started[:2] == ["text", "tool_call_chunk"]
    assert [made["name"] for made in stream.output.tool_calls] == ["write_file", "read_file"]
    assert stream.output.tool_calls[0]["args"]["content"] == PROSE * 16
    kinds = [block["type"] for block in stream.output.content_blocks]
    assert kinds.count("tool_call") == 2


@given(
    content=st.lists(
        st.sampled_from([PROSE, "x" * 40, '"', "\\", "\n", "🌍", "{}", "'"]), max_size=60
    ),
    ascii_only=st.booleans(),
    size=st.integers(1, 200),
    end=st.integers(0, 3000),
)
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_four_ways_agree_on_long_calls(content, ascii_only, size, end):
    """Whatever the file holds, however it is cut into pieces and wherever it ends, four ways give one message."""
    text = call("".join(content), path="x", ascii_only=ascii_only)
    finish = "length" if end < len(text) else None
    said = Reply(text=pieces(text[:end] if finish else text, size), finish_reason=finish)
    with ScriptedServer(lambda request: said) as server:
        ways = four_ways(bound(server, max_reasks=1), "Write.")
    assert ways["invoke"] == ways["ainvoke"] == ways["stream"] == ways["astream"]
    if not finish:
        assert ways["invoke"]["calls"] == [
            ("write_file", {"path": "x", "content": "".join(content)})
        ]


def test_a_long_answer_in_a_form_streams_as_text():
    """The long text of an answer that must have a form is shown as it comes, as JSON that adds up."""
    schema = {
        "title": "Essay",
        "type": "object",
        "properties": {"title": {"type": "string"}, "body": {"type": "string"}},
        "required": ["title", "body"],
    }
    answer = {"title": "On tools", "body": PROSE * 30}
    with ScriptedServer(lambda request: Reply(text=pieces(json.dumps(answer), 20))) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        partial = list(llm.with_structured_output(schema, method="json_schema").stream("Write."))
    assert len(partial) > 20
    assert partial[-1] == answer
