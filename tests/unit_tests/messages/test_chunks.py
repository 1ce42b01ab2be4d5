"""Parts as chunks, chunks as messages."""

import json
import re
from functools import reduce
from operator import add

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.block_translators import PROVIDER_TRANSLATORS
from langchain_core.outputs import ChatGeneration

from langchain_toolemu.messages.chunks import Chunker, as_chunk, sum_of
from langchain_toolemu.messages.content import ContentBlock, Delta, Words
from langchain_toolemu.messages.tool_calls import new_call_id, with_new_ids
from langchain_toolemu.reader.events import BadCall, Call
from tests.tables import every_row


def call(args, name="f"):
    return Call(name=name, args=args, raw="", envelope="json", explicit=False)


def bad(raw):
    return BadCall(name="f", raw=raw, envelope="json", explicit=True, reason="cut", detail="")


def summed(*parts, **metadata):
    chunker = Chunker()
    chunks = chunker.chunks(parts, None, {})
    return sum_of([*chunks, chunker.closing(metadata, {}, None)]).message


def test_words_and_calls_add_up():
    """Text stays text, calls become calls in order, and the metadata comes at the end."""
    message = summed(
        Words("One. "),
        call({"x": 1}),
        Words("Two."),
        call({"x": "Zürich"}),
        finish_reason="tool_calls",
    )
    assert isinstance(message, AIMessage)
    assert message.content == "One. Two."
    assert [made["args"] for made in message.tool_calls] == [{"x": 1}, {"x": "Zürich"}]
    assert message.response_metadata == {"finish_reason": "tool_calls"}


def test_words_keep_the_block_they_came_in():
    """Text that came in a marked block goes out in one; other blocks pass as they are."""
    marked = {"type": "text", "text": "x", "index": 0, "mark": 1}
    thought = {"type": "thinking", "thinking": "hmm", "index": 1}
    chunker = Chunker()
    chunks = [
        chunk
        for part in (Words("Hi", marked), ContentBlock(thought), Words(" there"))
        for chunk in chunker.chunks([part], None, {})
    ]
    assert sum_of(chunks).message.content == [{**marked, "text": "Hi there"}, thought]


@every_row(
    "raw",
    [
        '{"x": "a',
        "{",
        '{"x": 1}',
        '{"x": 1',
        "<tool_call>",
        "",
        '{"x": "\\',
        '{"a": [1, {"b": "c',
        "x" * 10_000,
    ],
)
def test_a_bad_call_never_adds_up_to_a_good_one(raw):
    """LangChain completes partial JSON when it merges chunks; a call that must not run stays invalid, with an id."""
    message = summed(bad(raw))
    assert message.tool_calls == []
    assert message.invalid_tool_calls[0]["id"]
    assert len(message.invalid_tool_calls[0]["args"]) < 3000


@given(
    st.text(max_size=60).map(lambda text: json.dumps({"x": text, "y": [1, {"z": text}]})), st.data()
)
@settings(deadline=None)
def test_a_call_cut_anywhere_stays_invalid(args, data):
    """Whatever prefix of a call's JSON is left, natively streamed or read, it adds up to no call."""
    prefix = args[: data.draw(st.integers(1, len(args) - 1))]
    assert summed(bad(prefix)).tool_calls == []
    chunker = Chunker()
    native = AIMessageChunk(
        "", tool_call_chunks=[{"name": "f", "args": prefix, "id": "1", "index": 0}]
    )
    chunks = [*chunker.chunks([], native, {}), *chunker.broken_calls()]
    assert sum_of(chunks).message.tool_calls == []


def test_a_whole_native_call_is_left_alone():
    """Complete arguments, and absent ones, get no closing delta."""
    for args in ('{"x": 1}', "", "{}"):
        chunker = Chunker()
        native = AIMessageChunk(
            "", tool_call_chunks=[{"name": "f", "args": args, "id": "1", "index": 0}]
        )
        chunker.chunks([], native, {})
        assert chunker.broken_calls() == []


def test_native_calls_without_a_place_stay_apart():
    """Ollama's client gives its calls no index: each is whole, and they are never taken for pieces of one."""
    chunker = Chunker()
    chunks = []
    for number in ("1", "2"):
        made = [{"name": "f", "args": {"x": number}, "id": number}]
        chunks += chunker.chunks([], AIMessageChunk("", tool_calls=made), {})
    assert chunker.broken_calls() == []
    message = sum_of([*chunks, chunker.closing({}, {}, None)]).message
    assert [made["args"] for made in message.tool_calls] == [{"x": "1"}, {"x": "2"}]
    assert message.invalid_tool_calls == []
    assert len({made["index"] for chunk in chunks for made in chunk.message.tool_call_chunks}) == 2


PARIS, ROME, CUT = '{"city": "Paris"}', '{"city": "Rome"}', '{"city": "Ro'


def piece(args, id_=None, index=0, name=None):
    return {"name": name, "args": args, "id": id_, "index": index}


@pytest.mark.parametrize("in_blocks", [False, True])
@pytest.mark.parametrize(
    "pieces",
    [
        [[piece(PARIS, "a", name="f")], [piece(ROME, "b", name="g")]],
        [[piece(PARIS, "a", name="f"), piece(ROME, "b", name="g")]],
        [[piece("", "a", name="f")], [piece(PARIS)], [piece(ROME, "b", name="g")]],
        [[piece("", "a", name="f")], [piece(PARIS, "a")], [piece("", "b", name="g")]],
        [[piece("", None, name="f")], [piece(PARIS, "a")], [piece(ROME, "b", name="g")]],
        [[piece("", "", name="f")], [piece(PARIS, "")], [piece(ROME, "", 1, name="g")]],
    ],
)
def test_native_calls_of_one_index_add_up_as_they_do_without_us(pieces, in_blocks):
    """Where a server numbers all calls 0, their ids keep them apart: none is lost, and none is cut."""
    content = [] if in_blocks else ""
    bare = [AIMessageChunk(content), *(AIMessageChunk("", tool_call_chunks=one) for one in pieces)]
    chunker = Chunker()
    shown = [chunk for one in bare for chunk in chunker.chunks([], one, {})]
    shown += [*chunker.broken_calls(), chunker.closing({}, {}, None)]
    message, expected = sum_of(shown).message, reduce(add, bare)
    assert message.tool_calls == expected.tool_calls
    assert message.invalid_tool_calls == []


@pytest.mark.parametrize("in_blocks", [False, True])
@pytest.mark.parametrize(("first", "second"), [(CUT, PARIS), (PARIS, CUT), (CUT, CUT)])
def test_of_two_native_calls_of_one_index_the_cut_one_alone_is_invalid(first, second, in_blocks):
    """What keeps a cut call from running goes to that call, not to the other of its index."""
    chunker = Chunker()
    shown = chunker.chunks([], AIMessageChunk([] if in_blocks else ""), {})
    for id_, args in (("a", first), ("b", second)):
        called = AIMessageChunk("", tool_call_chunks=[piece(args, id_, name="f")])
        shown += chunker.chunks([], called, {})
    message = sum_of([*shown, *chunker.broken_calls(), chunker.closing({}, {}, None)]).message
    texts = {"a": first, "b": second}
    assert {made["id"]: made["args"] for made in message.invalid_tool_calls} == {
        id_: args for id_, args in texts.items() if args == CUT
    }
    assert [made["id"] for made in message.tool_calls] == [
        id_ for id_, args in texts.items() if args != CUT
    ]


def test_a_whole_reply_is_a_stream_of_one_chunk():
    """A message that did not come in chunks keeps all its calls apart when it is made one."""
    calls = [{"name": "f", "args": {"x": number}, "id": str(number)} for number in range(3)]
    chunk = as_chunk(ChatGeneration(message=AIMessage("Hi", tool_calls=calls)))
    assert [made["args"] for made in sum_of([chunk]).message.tool_calls] == [
        {"x": 0},
        {"x": 1},
        {"x": 2},
    ]
    assert as_chunk(chunk) is chunk


def test_ids_say_who_made_the_call():
    """Ids are unique, marked, and within OpenAI's 40 characters."""
    ids = {new_call_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(re.fullmatch("te[a-zA-Z0-9]{7}", id_) for id_ in ids)


def test_blocks_that_come_at_once_are_merged_as_if_they_came_one_by_one():
    """LangChain merges blocks of two messages by their index, never those of one."""
    pieces = [ContentBlock({"type": "thinking", "thinking": piece, "index": 0}) for piece in "hm"]
    said = [Words(piece, {"type": "text", "text": piece, "index": 1}) for piece in ("Hi ", "there")]
    assert summed(*pieces, *said).content == [
        {"type": "thinking", "thinking": "hm", "index": 0},
        {"type": "text", "text": "Hi there", "index": 1},
    ]


def test_no_content_is_an_empty_list_where_a_model_speaks_in_blocks():
    """An empty string would stay at the head of the list."""
    thought = {"type": "thinking", "thinking": "hm", "index": 0}
    chunker = Chunker()
    chunks = chunker.chunks([], AIMessageChunk([], id="1"), {})
    chunks += chunker.chunks([ContentBlock(thought)], None, {})
    assert sum_of(chunks).message.content == [thought]


def test_replies_of_a_turn_are_kept_apart():
    """One id, the first reply's extras, and blocks of two replies under different indices."""
    chunker = Chunker()
    chunks = []
    for number in (1, 2, 3):
        thought = ContentBlock({"type": "thinking", "thinking": str(number), "index": 0})
        text = ContentBlock({"type": "non_standard", "value": {}, "index": "lc_ns_0"})
        extras = {"refusal": "No.", f"only {number}": "x"}
        carrying = AIMessageChunk([], id=f"msg_{number}", additional_kwargs=extras)
        chunker.open_reply()
        chunks += chunker.chunks([thought, text], carrying, {})
    message = sum_of(chunks).message
    assert message.id == "msg_1"
    assert message.additional_kwargs == {
        "refusal": "No.",
        **{f"only {number}": "x" for number in (1, 2, 3)},
    }
    thoughts = [block for block in message.content if block["type"] == "thinking"]
    assert [block["thinking"] for block in thoughts] == ["1", "2", "3"]
    assert len(message.content) == 6


@pytest.mark.parametrize("version", [None, "v1"])
@pytest.mark.parametrize("provider", [None, "unheard-of", *sorted(PROVIDER_TRANSLATORS)])
def test_langchain_sees_a_call_in_the_blocks_of_every_provider(provider, version):
    """Whole or shown while it is written, beside a text or alone, a call stands in `content_blocks` once."""
    told = {"model_provider": provider, "output_version": version}
    metadata = {key: value for key, value in told.items() if value}
    text = Words("Hi", {"type": "text", "text": "Hi", "index": 0})
    whole = call({"x": 1})
    for parts in (
        [text, whole],
        [whole, call({"x": 2})],
        [Delta("f", '{"x": "a', opens=True), Delta("f", 'b"}', ends=whole)],
    ):
        chunker = Chunker()
        chunks = chunker.chunks(parts, AIMessageChunk([]), metadata)
        message = sum_of([*chunks, chunker.closing(metadata, {}, None)]).message
        seen = [block for block in message.content_blocks if block["type"] == "tool_call"]
        assert [block["id"] for block in seen] == [made["id"] for made in message.tool_calls]
        assert [block["args"] for block in seen] == [made["args"] for made in message.tool_calls]


@every_row("provider", [None, *sorted(PROVIDER_TRANSLATORS)])
def test_langchain_sees_no_call_that_cannot_run(provider):
    """Unreadable, or cut off while it was shown, it is no call in `content_blocks` either."""
    metadata = {"model_provider": provider} if provider else {}
    for parts in (
        [bad('{"x": ')],
        [Delta("f", '{"x": "a', opens=True), Delta("f", "", ends=bad('{"x": "a'))],
    ):
        chunker = Chunker()
        chunks = [*chunker.chunks(parts, AIMessageChunk([]), metadata), *chunker.broken_calls()]
        message = sum_of([*chunks, chunker.closing(metadata, {}, None)]).message
        assert message.tool_calls == []
        assert "tool_call" not in [block["type"] for block in message.content_blocks]


def test_texts_of_a_whole_reply_that_is_shown_in_pieces_are_one_block_each():
    """They are numbered for the merging, and the message does not show it."""
    blocks = [{"type": "text", "text": text, "id": text} for text in ("One", "Two")]
    chunk = as_chunk(ChatGeneration(message=AIMessage(blocks)))
    chunker = Chunker()
    chunks = [
        made
        for block in chunk.message.content
        for part in (Words(block["text"][:1], block), Words(block["text"][1:], block))
        for made in chunker.chunks([part], None, {})
    ]
    assert sum_of(chunks).message.content == blocks


def test_a_cached_call_has_its_new_id_in_its_block_too():
    """However the provider names it there."""
    chunks = Chunker().chunks([call({"x": 1})], AIMessageChunk([]), {"model_provider": "openai"})
    message = sum_of(chunks).message
    renamed = with_new_ids(message)
    assert renamed.tool_calls[0]["id"] != message.tool_calls[0]["id"]
    assert renamed.content[0]["call_id"] == renamed.tool_calls[0]["id"]
