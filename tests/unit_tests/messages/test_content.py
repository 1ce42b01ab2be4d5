"""What a message says: its words, its blocks, and the simplest form of both."""

import pytest

from langchain_toolemu.messages.content import block_types, blocks_of, simplest, words_of

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


def test_only_blocks_have_types():
    """Plain words, alone or in a list, have none."""
    assert block_types("hello") == []
    assert block_types(["hello", TEXT, IMAGE]) == ["text", "image_url"]


def test_plain_text_needs_no_list():
    """Blocks of nothing but text become a string; one that says more keeps them all."""
    marked = {**TEXT, "cache_control": {"type": "ephemeral"}}
    assert simplest(["hello", TEXT]) == "hello\n\nthere"
    assert simplest([TEXT, IMAGE]) == [TEXT, IMAGE]
    assert simplest([marked]) == [marked]
