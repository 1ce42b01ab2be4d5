"""Parts of an answer in the order that protocols with one open call at a time want."""

import json

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.tool import invalid_tool_call, tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration

from langchain_toolemu.messages.chunks import as_chunk
from langchain_toolemu.serve import answer
from langchain_toolemu.serve.answer import AnswerPart, AnswerReader, PartQueue, read_arguments
from tests.tables import every_row


def call(number):
    return AnswerPart("call", name="add", number=number, id=f"call_{number}")


def arguments(number, text):
    return AnswerPart("arguments", text, number=number)


def in_pieces(_call):
    return False


TEXTS = [
    '{"a": "}{\\"", "b": [{}, "\\\\"]} \n',
    '{"a": "tab\t"}',
    '{"a": 1}x',
    '{"a": "cut off}',
    '{"a": {"b": 1}',
    "{bad} ",
    "{}}",
    "]{}",
    "[{}]",
    r"\{}",
    '"{}"',
    "null",
    "",
]


@every_row("text", TEXTS)
def test_a_call_is_held_open_until_its_arguments_are_an_object(text):
    """However the arguments are cut, what follows is held back while they cannot be read."""
    for size in (1, 2, 3, len(text) + 1):
        queue = PartQueue(in_pieces)
        queue.feed(call(0))
        for at in range(0, len(text), size):
            queue.feed(arguments(0, text[at : at + size]))
        is_whole = bool(text) and read_arguments(text) is not None
        assert bool(queue.feed(AnswerPart("text", "after"))) is is_whole


def test_arguments_are_parsed_once_at_most(monkeypatch):
    """Two calls whose pieces alternate take one parse each at most, not one for each piece."""
    parsed = []
    monkeypatch.setattr(
        answer, "read_arguments", lambda text: parsed.append(text) or read_arguments(text)
    )
    text = json.dumps({"code": "}" * 500})
    queue = PartQueue(in_pieces)
    parts = [*queue.feed(call(0)), *queue.feed(call(1))]
    for piece in text:
        parts += [*queue.feed(arguments(0, piece)), *queue.feed(arguments(1, piece))]
        parts += queue.feed(AnswerPart("text", "."))
    parts += queue.end()
    assert len(parsed) <= 2
    assert [part.number for part in parts if part.kind == "call"] == [0, 1]
    for number in (0, 1):
        assert "".join(part.text for part in parts if part.number == number) == text


def test_the_arguments_of_each_call_stay_together():
    """However many calls alternate, each comes with all its arguments before the next begins."""
    queue, text = PartQueue(in_pieces), '{"a": [1]}'
    parts = [part for number in range(3) for part in queue.feed(call(number))]
    for piece in text:
        parts += [part for number in range(3) for part in queue.feed(arguments(number, piece))]
    parts += queue.end()
    assert [part.number for part in parts] == sorted(part.number for part in parts)
    assert "".join(part.text for part in parts) == text * 3


def test_a_call_that_is_sent_whole_comes_when_it_is_complete():
    """With all its arguments, before what follows; one that was cut off is left out."""
    queue = PartQueue(lambda begun: begun.number != 1)
    given = [call(0), arguments(0, '{"a":'), arguments(0, " 1}"), call(1), arguments(1, "{}")]
    shown = [queue.feed(part) for part in given]
    assert shown == [[], [], [], [call(0), arguments(0, '{"a": 1}'), call(1)], [arguments(1, "{}")]]
    cut, after = [call(2), arguments(2, '{"a":')], AnswerPart("text", "after")
    assert [queue.feed(part) for part in (*cut, after)] == [[], [], []]
    assert queue.end() == [after]


def test_calls_of_one_index_are_told_apart_by_their_ids():
    """Some servers number every call 0; a piece without an id goes on with the first."""
    reader = AnswerReader()
    for id_, args in (("a", '{"x":'), ("b", '{"y": 2}'), (None, "1}")):
        piece = tool_call_chunk(name="add" if id_ else None, args=args, id=id_, index=0)
        reader.feed(AIMessageChunk(content="", tool_call_chunks=[piece]))
    assert [one.input() for one in reader.answer.calls] == [{"x": 1}, {"y": 2}]


@pytest.mark.parametrize("args", ['{"x": 1}', '{"city": "Par', "Paris", "[1]"])
@pytest.mark.parametrize("id_", ["call_0", None])
def test_a_call_that_is_not_to_be_run_is_the_models_text(args, id_):
    """Whatever its arguments are, no client could run a call, and the answer has ended."""
    unread = invalid_tool_call(name="rocket", args=args, id=id_, error="no such tool")
    answer = read(AIMessage("Look.", invalid_tool_calls=[unread]))
    assert (answer.calls, answer.finish) == ([], "stop")
    assert answer.words("text") == f"Look.\n{args}"
    assert answer.invalid_calls == [("rocket", args)]


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e400"])
@pytest.mark.parametrize("is_whole", [True, False])
def test_a_call_with_a_number_that_json_does_not_have_cannot_be_run(number, is_whole):
    """Clients cannot read such arguments, and `null` in their place would be another call."""
    args = f'{{"x": {number}}}'
    reader = AnswerReader(is_whole=is_whole)
    piece = tool_call_chunk(name="add", args=args, id="c", index=0)
    reader.feed(AIMessageChunk(content="", tool_call_chunks=[piece]))
    reader.end()
    assert (reader.answer.complete_calls, reader.answer.finish) == ([], "length")


@pytest.mark.parametrize(
    ("said", "runs"),
    [
        (["I look", " it up.", None], [("reasoning", "I look it up."), ("call", "")]),
        ([None, "Done."], [("call", ""), ("reasoning", "Done.")]),
        (
            ["Hm. ", None, "And ", None],
            [("reasoning", "Hm. "), ("call", ""), ("reasoning", "And "), ("call", "")],
        ),
        (["No {form}", " at all."], [("text", "No {form} at all.")]),
        ([" \n", '{"a"', ": 1}"], [("text", ' \n{"a": 1}')]),
        (['{"a": 1}', None], [("text", '{"a": 1}'), ("call", "")]),
        (["4", "2"], [("text", "42")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_whole", [True, False])
def test_where_the_answer_has_a_form_words_beside_a_call_are_reasoning(said, runs, is_whole):
    """Clients read any text as JSON then; words without a call are the model's answer."""
    reader, shown = AnswerReader(is_whole=is_whole, in_form=True), []
    for number, text in enumerate(said):
        use = {"type": "tool_use", "id": f"c{number}", "name": "add", "input": {}}
        piece = tool_call_chunk(name="add", args="{}", id=f"c{number}", index=number)
        content, pieces = ([use], [piece]) if text is None else (text, [])
        shown += reader.feed(AIMessageChunk(content=content, tool_call_chunks=pieces))
    shown += reader.end()
    assert [(run.kind, run.text) for run in reader.answer.runs] == runs
    assert "".join(part.text for part in shown if part.kind in ("text", "reasoning")) == "".join(
        text for _, text in runs
    )


def test_json_of_a_form_streams_as_it_comes():
    """It is not held, and neither is what follows."""
    reader = AnswerReader(in_form=True)
    for text in ('{"a":', " 1,", ' "b": 2}'):
        (part,) = reader.feed(AIMessageChunk(content=text))
        assert part.text == text


def test_a_call_that_is_not_to_be_run_is_left_out_next_to_one_that_is():
    """The model's text would tell the same call twice; the report names it."""
    unread = invalid_tool_call(name="rocket", args="{", id="call_0", error="no such tool")
    made = tool_call(name="add", args={"a": 1}, id="call_1")
    answer = read(AIMessage("", tool_calls=[made], invalid_tool_calls=[unread]))
    assert [call.name for call in answer.calls] == ["add"]
    assert (answer.words("text"), answer.invalid_calls) == ("", [("rocket", "{")])


def test_blocks_tell_where_a_call_stands():
    """A whole reply with text, call, text, call is read in that order."""
    calls = [tool_call(name=name, args={}, id=name) for name in "ba"]
    texts = [{"type": "text", "text": one} for one in ("first", "second")]
    uses = [{"type": "tool_use", "id": name, "name": name, "input": {}} for name in "ab"]
    content = [texts[0], uses[0], texts[1], uses[1]]
    runs = read(AIMessage(content, tool_calls=calls)).runs
    assert [run.call.name if run.call else run.text for run in runs] == [
        "first",
        "a",
        "second",
        "b",
    ]


@pytest.mark.parametrize(
    ("texts", "runs"),
    [
        (["One.", None, "\n", "Two.", None, "\n"], ["One.", None, "\nTwo.", None]),
        ([None, "\n\n", None], [None, None]),
        (["\n", None], ["\n", None]),
    ],
)
def test_space_after_a_call_is_no_text_of_its_own(texts, runs):
    """Anthropic's servers refuse a block of nothing but space; before words it stays."""
    reader = AnswerReader()
    for number, text in enumerate(texts):
        piece = tool_call_chunk(name="add", args="{}", id=f"c{number}", index=number)
        pieces = [piece] if text is None else []
        reader.feed(AIMessageChunk(content=text or "", tool_call_chunks=pieces))
    assert [None if run.call else run.text for run in reader.answer.runs] == runs


def read(message):
    reader = AnswerReader(is_whole=True)
    reader.feed(as_chunk(ChatGeneration(message=message)).message)
    reader.end()
    return reader.answer
