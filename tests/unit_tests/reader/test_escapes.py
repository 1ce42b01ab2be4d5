import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langchain_toolemu.reader.escapes import decode


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


@pytest.mark.parametrize(
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
