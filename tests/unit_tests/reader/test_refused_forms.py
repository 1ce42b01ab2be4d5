"""Faults in JSON that nobody was ever seen to write are asked again: never text, never a call."""

import pytest

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import BadCall, Call, Text
from tests.unit_tests.samples import TOOLS

REFUSED = {
    "two commas": '{"name": "get_weather",, "arguments": {"city": "Paris"}}',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_form_that_nobody_writes_is_asked_again(text):
    """Its text is that of bad calls, whole and letter by letter."""
    for pieces in ([text], list(text)):
        reader = Reader(TOOLS)
        events = [event for piece in pieces for event in reader.feed(piece)] + reader.close()
        assert any(isinstance(event, BadCall) for event in events)
        assert not any(isinstance(event, Call) for event in events)
        assert not "".join(e.text for e in events if isinstance(e, Text)).strip()
