"""What a message says, and the parts of a reply that are shown as it comes."""

import json

import pytest

from langchain_toolemu.messages.content import (
    Delta,
    PartialCall,
    blocks_of,
    join_parts,
    simplest,
    words_of,
    write_json,
)
from langchain_toolemu.reader.events import BadCall, Call, CallStarted

IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
THOUGHT = {"type": "thinking", "thinking": "hm"}
TEXT = {"type": "text", "text": "there"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("hello", "hello"),
        ([], ""),
        (["hello ", TEXT, IMAGE, THOUGHT], "hello there"),
        ([{"type": "text", "text": None}], ""),
    ],
)
def test_words_are_what_is_written(content, words):
    """Images and thoughts are no words."""
    assert words_of(content) == words


@pytest.mark.parametrize(
    ("content", "blocks"),
    [("there", [TEXT]), ("", []), ([TEXT, IMAGE], [TEXT, IMAGE])],
)
def test_blocks_are_a_list_of_their_own(content, blocks):
    """A string is one block, an empty one is none, and a list that was given is not shared."""
    assert blocks_of(content) == blocks
    assert blocks_of(content) is not content


def test_plain_text_needs_no_list():
    """Blocks of nothing but text become a string; one that says more keeps them all."""
    marked = {**TEXT, "cache_control": {"type": "ephemeral"}}
    assert simplest(["hello", TEXT]) == "hello\n\nthere"
    assert simplest([TEXT, IMAGE]) == [TEXT, IMAGE]
    assert simplest([marked]) == [marked]


BEGUN = CallStarted("write", {"path": "x"}, "text")


def call(**args):
    return Call("write", args, raw="raw", envelope="json", explicit=False)


def test_the_pieces_add_up():
    """The opening, what follows and the rest are the call's arguments as JSON."""
    progress = PartialCall(BEGUN, {"path": "x"})
    shown = [progress.opening(), progress.more('a "b"\n'), progress.more("c")]
    last = progress.end(call(path="x", text='a "b"\ncd', more=1))
    text = "".join(delta.args for delta in [*shown, last])
    assert json.loads(text) == {"path": "x", "text": 'a "b"\ncd', "more": 1}
    assert [delta.opens for delta in shown] == [True, False, False]
    assert last.ends == call(path="x", text='a "b"\ncd', more=1)


ENDS = {
    "it went on otherwise": call(path="x", text="other"),
    "another argument changed": call(path="y", text="abc"),
    "it was cut": BadCall("write", "raw", "json", False, "cut", "the reply ends inside it"),
}


@pytest.mark.parametrize("case", ENDS)
def test_what_cannot_be_ended_is_left_open(case):
    """A call that cannot be run, or is not what was shown, gets no end."""
    progress = PartialCall(BEGUN, {"path": "x"})
    progress.more("abc")
    last = progress.end(ENDS[case])
    assert last.args == ""
    assert isinstance(last.ends, BadCall)


def test_neighbours_are_put_together():
    """Pieces that come at once are one, with the first one's beginning and the last one's end."""
    ended = call(path="x", text="")
    opening = [Delta("write", "{", opens=True), Delta("write", "a" * 500)]
    later = [Delta("write", "a" * 500), Delta("write", "}", ends=ended)]
    assert join_parts([]) == []
    assert join_parts(opening) == [Delta("write", "{" + "a" * 500, opens=True)]
    assert join_parts([Delta("write", "", ends=ended)]) == [Delta("write", "", ends=ended)]
    assert join_parts(later) == [Delta("write", "a" * 500 + "}", ends=ended)]


def test_arguments_are_written_as_json():
    """Letters stay as they are, in a call and in an answer that was read as one."""
    assert write_json({"name": "Zürich"}) == '{"name": "Zürich"}'
