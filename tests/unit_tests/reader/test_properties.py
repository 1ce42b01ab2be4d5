"""What holds of the reader for any text at all."""

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from langchain_toolemu.contract.dialects import DIALECTS
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Call, MadeUpTurn, Text
from tests.thoroughness import examples
from tests.unit_tests.samples import TOOLS, load

MARKS = sorted(
    {mark for samples in load().values() for sample in samples for mark in sample["text"].split()}
)
SCRAPS = st.lists(
    st.sampled_from(
        [
            *MARKS,
            *"{}[]()\"'`<>:,=\\\n ",
            "```",
            "<tool_call>",
            "</tool_call>",
            '{"name": "',
            "get_weather",
            "</think>",
            "<think>",
        ]
    )
    | st.text(max_size=5),
    max_size=20,
).map("".join)


def read(text, size=None, **kwargs):
    reader = Reader(TOOLS, **kwargs)
    pieces = (
        [text]
        if size is None
        else [text[start : start + size] for start in range(0, len(text), size)]
    )
    return [event for piece in pieces for event in reader.feed(piece)] + reader.close()


def merged(events):
    """Events with neighbouring text as one."""
    kept = []
    for event in events:
        if kept and isinstance(event, Text | MadeUpTurn) and type(event) is type(kept[-1]):
            kept[-1] = type(event)(kept[-1].text + event.text)
        else:
            kept.append(event)
    return kept


@given(SCRAPS, st.integers(1, 5), st.booleans(), st.sampled_from([None, "get_weather"]))
@settings(max_examples=examples(400), deadline=None)
def test_any_text_is_read_without_an_error_and_alike_in_pieces(text, size, explicit_only, forced):
    """Arbitrary text raises nothing, in pieces or whole, and gives the same events."""
    kwargs = {"explicit_only": explicit_only, "forced": forced}
    assert merged(read(text, size, **kwargs)) == merged(read(text, **kwargs))


@given(SCRAPS)
@settings(max_examples=examples(300), deadline=None)
@example('"""<get_weather><city>Paris</city></get_weather>""" and {}<|call|>')
def test_text_without_a_call_comes_out_to_the_letter(text):
    """What holds no call is shown as it is."""
    events = read(text)
    if all(isinstance(event, Text) for event in events):
        assert "".join(event.text for event in events) == text


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80),
    st.sampled_from(sorted(DIALECTS)),
    st.sampled_from([None, 1, 3]),
)
@settings(max_examples=examples(300), deadline=None)
def test_any_string_survives_as_an_argument(content, dialect, size):
    """Code, markup, quotes, control characters: a string argument arrives byte for byte, in every dialect."""
    written = DIALECTS[dialect].write("write_file", {"path": "a", "content": content})
    calls = [event for event in read(written, size) if isinstance(event, Call)]
    assert [call.args for call in calls] == [{"path": "a", "content": content}]


@given(
    st.text(max_size=12) | st.text(alphabet='\\"{}n ', max_size=12), st.sampled_from([None, 1, 2])
)
@example("C:\\dir\\", 1)
@example('say "hi"\\', 2)
@settings(max_examples=examples(200), deadline=None)
def test_a_call_that_was_escaped_once_more_is_the_call(content, size):
    """Backslashes and quotes in its strings are told from those of the second escaping."""
    call = {"name": "run", "arguments": {"command": content}}
    escaped = json.dumps(json.dumps(call))[1:-1]
    assert [event.args for event in read(escaped, size) if isinstance(event, Call)] == [
        {"command": content}
    ]


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=10,
    ),
    st.booleans(),
    st.sampled_from([None, 2]),
)
@settings(max_examples=examples(300), deadline=None)
def test_valid_json_is_read_as_json(value, ascii_only, indent):
    """On valid JSON the reader agrees with `json.loads`, escapes and indentation included."""
    text = json.dumps(
        {"name": "run", "arguments": {"command": value}}, ensure_ascii=ascii_only, indent=indent
    )
    (call,) = [event for event in read(text) if isinstance(event, Call)]
    assert call.args == json.loads(text)["arguments"]
