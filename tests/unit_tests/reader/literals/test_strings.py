import json
import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.reader.literals.strings import RunningDecoder, decode
from tests.tables import every_row


@given(st.text())
def test_a_valid_json_string_decodes_as_json_does(text):
    """What JSON writes between quotes comes back."""
    for ascii_only in (True, False):
        assert decode(json.dumps(text, ensure_ascii=ascii_only)[1:-1]) == text


@given(st.text())
def test_a_python_literal_decodes_as_python_does(text):
    """What `repr` writes between quotes comes back."""
    written = repr(text)
    assert decode(written[1:-1], python=True) == text


@every_row(
    ("body", "python", "expected"),
    [
        (r"\d+\.\w", False, r"\d+\.\w"),
        (r"\bfoo\d", False, r"\bfoo\d"),
        (r"a\nb\_c", False, "a\nb\\_c"),
        (r"C:\Users\name", False, r"C:\Users\name"),
        (r"C:\Users\/name", False, r"C:\Users\/name"),
        (r"it\'s", False, "it's"),
        (r"\x41\u0042", False, r"\x41B"),
        (r"\x41\u0042\U00000043", True, "ABC"),
        (r"\Uffffffff", True, r"\Uffffffff"),
        (r"\ud83d\ude00\ud800", False, "\U0001f600\ud800"),
        ("a\\\nb", True, "ab"),
        ("a\\\nb", False, "a\\\nb"),
    ],
)
def test_what_is_no_escape_stays_as_it_is(body, python, expected):
    """An escape that the grammar does not know was a backslash the writer did not double."""
    assert decode(body, python=python) == expected


@given(st.text(), st.lists(st.integers(0, 80), max_size=6))
def test_a_running_string_decodes_as_json_does(text, cuts):
    """In whatever pieces it comes, what JSON writes comes back; a pair of surrogates is never split."""
    for ascii_only in (True, False):
        body = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        units = re.findall(r"\\.|[^\\]", body, re.DOTALL)  # pieces never end inside these
        edges = sorted({0, len(units), *(min(cut, len(units)) for cut in cuts)})
        decoder = RunningDecoder()
        pieces = [decoder.feed("".join(units[a:b])) for a, b in pairwise(edges)]
        assert "".join([*pieces, decoder.end()]) == text
        if not re.search("[\ud800-\udfff]", text):
            assert not any(re.search("[\ud800-\udfff]", piece) for piece in pieces)


def test_a_running_string_doubts_escapes_behind_one_that_is_none():
    """Beside an undoubled backslash, what looks like a backspace is none either, from there on."""
    decoder = RunningDecoder()
    assert decoder.feed(r"\b \d \b \n") == "\b \\d \\b \n"
