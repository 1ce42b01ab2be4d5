"""A large text is parsed as any other, piece by piece, unless it has too many values."""

import json
import random

import orjson
import pytest

from langchain_toolemu.serve.large_json import TooManyValuesError, load_large
from tests.thoroughness import examples

# What a cut may fall into: escapes, characters of several bytes, pairs, and what looks like either.
PIECES = (
    "\\",
    '"',
    "\n",
    "u",
    "d83d",
    "é",
    "😀",
    "x",
    ",",
    "[",
    "{",
    "}",
    "\\u",
    "\x00",
    "\u2028",
    " ",
    "\\\\",
    "漢",
)


def text_of(dice, most):
    return "".join(dice.choice(PIECES) for _ in range(dice.randrange(most)))


def test_a_text_in_pieces_is_the_same_value():
    """Wherever the pieces end, be characters written as they are or as escapes."""
    for seed in range(examples(1_200)):
        dice = random.Random(seed)
        keys = {text_of(dice, 5) + str(at): text_of(dice, 90) for at in range(3)}
        value = {text_of(dice, 120): text_of(dice, 300), "a": [text_of(dice, 200), 1, 1.5, None, keys]}  # fmt: skip
        written = json.dumps(value, ensure_ascii=dice.random() < 0.5).encode()
        for step in (16, 23, 64):
            assert load_large(written, 1_000, step) == value, (seed, step)


LONG = "ab\\u00e9\\n" * 400


@pytest.mark.parametrize("wrong", ["\\ud83d", "\\udc00x", "\\x", "\n", "\\u12zz", b"\xed\xa0\x80", b"\x80" * 99, b"\xc3", '"'])  # fmt: skip
@pytest.mark.parametrize("before", [0, 7, 1_000])
def test_what_is_no_json_is_none_in_pieces(wrong, before):
    """Half characters, unknown escapes and control characters in a long string are refused, wherever they stand."""
    bad = wrong if isinstance(wrong, bytes) else wrong.encode()
    written = b'{"a": "' + b"x" * before + bad + LONG.encode() + b'"}'
    with pytest.raises(ValueError):
        orjson.loads(written)
    for step in (16, 64):
        with pytest.raises(ValueError):
            load_large(written, 10_000, step)


MANY = {
    "objects": b'{"m": [%b{}]}' % (b'{"role": "user"},' * 2_000),
    "arrays": b"[%b[]]" % (b"[]," * 2_000),
    "numbers": b"[%b1]" % (b"1," * 2_000),
    "fields": b'{%b"x": 1}' % b"".join(b'"k%d": 1,' % at for at in range(2_000)),
    "after a string": b'{"a": "%b", "b": [%b1]}' % (LONG.encode(), b"1," * 2_000),
}


@pytest.mark.parametrize("written", MANY.values(), ids=MANY)
def test_too_many_values_are_refused_before_they_are_parsed(written):
    """Whatever they are; as many as are allowed are read."""
    for step in (16, 1_000):
        with pytest.raises(TooManyValuesError):
            load_large(written, 1_500, step)
        assert load_large(written, 4_100, step) == orjson.loads(written)


def test_what_stands_in_a_text_is_no_value():
    """A table or code in a string may have any number of commas and brackets."""
    value = {"a": 'x,[{"' * 5_000, "b": ["\\,[", 1]}
    for step in (16, 1_000):
        assert load_large(json.dumps(value).encode(), 10, step) == value
