"""JSON and events as bytes: written in pieces or at once, they are the same."""

import json

import pytest

from langchain_toolemu.chat_models import sse

VALUES = [
    {"a": 'x"ä\u2028\\' * 9, "b": ["y" * 9, 1, {"c": "z\\\n" * 7}], "d": None},
    {"é" * 9: "ü🔑" * 9},
    {"a": "\ud800" * 9, "b": 2**70},
    [],
]


@pytest.mark.parametrize("step", [1, 2, 3, 8, 1000])
@pytest.mark.parametrize("value", VALUES)
def test_a_long_text_is_written_in_pieces(value, step):
    """Whatever letters it is cut between."""
    assert json.loads(sse.compact_large(value, step)) == value


def test_each_line_is_an_event_in_ollamas_protocol():
    """However the lines are cut, and without empty ones."""
    content = b'{"a": 1}\n\n{"b": 2}\r\n'
    for at in range(len(content)):
        reader = sse.EventReader(is_lines=True)
        assert [*reader.feed(content[:at]), *reader.feed(content[at:])] == [
            b'{"a": 1}',
            b'{"b": 2}',
        ]
