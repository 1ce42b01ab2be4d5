"""A reply that is one call between back-ticks is a call, and one between quotes where calls were asked for in text."""

import pytest

from tests.unit_tests.reader.reading import PARIS, said

OBJECT = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
QUOTED = [
    f'"{OBJECT}"',
    f"'{OBJECT}'",
    f"`{OBJECT}`",
    f"``{OBJECT}``",
    f"\u201c{OBJECT}\u201d",
    "`get_weather(city='Paris')`",
    "'get_weather(city=\"Paris\")'",
    "\"[get_weather(city='Paris')]\"",
]


@pytest.mark.parametrize("text", QUOTED)
def test_quotes_around_all_of_a_reply_mean_nothing(text):
    """The call is made."""
    assert said(text) == [PARIS]


@pytest.mark.parametrize("text", QUOTED)
def test_in_a_native_reply_nothing_in_quotes_is_a_call(text):
    """It is text; back-ticks around all of it mean nothing there, either."""
    expected = PARIS if text.startswith("`") else text
    assert said(text, native=True) == [expected]


@pytest.mark.parametrize("text", QUOTED)
@pytest.mark.parametrize("after", [" is what it says.", ", and so on"])
def test_with_words_after_them_quotes_are_a_quotation(text, after):
    """All of it is text."""
    assert said(text + after) == [text + after]
