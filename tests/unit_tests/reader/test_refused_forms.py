"""What nobody was ever seen to write is asked again: never text, never a call."""

import pytest

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import BadCall, Call, Text
from tests.unit_tests.samples import TOOLS

REFUSED = {
    "a name and an object in a list": '["get_weather", {"city": "Paris"}]',
    "a name and an object in a tuple": '("get_weather", {"city": "Paris"})',
    "such pairs in a list": '[["get_weather", {"city": "Paris"}], ["now", {}]]',
    "a pair in a tag": '<tool_call>("get_weather", {"city": "Paris"})</tool_call>',
    "a pair in a fence": '```\n("get_weather", {"city": "Paris"})\n```',
    "a keyword in quotes": 'get_weather("city": "Paris")',
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
