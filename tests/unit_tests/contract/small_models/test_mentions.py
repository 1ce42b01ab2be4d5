"""Which tools a text speaks of."""

import pytest

from langchain_toolemu.contract.small_models.mentions import tools_spoken_of
from langchain_toolemu.tools import ToolSet, ToolSpec

NAMES = ("get_weather", "sendMessage", "files.read-notes", "add", "ask2")
TOOLS = ToolSet([ToolSpec(name, "What is the price of it?", {}) for name in NAMES])

TEXTS = [
    ("How is the WEATHER in Oslo?", ["get_weather"]),
    ("Any messages?", ["sendMessage"]),
    ("Send it to Ann.", ["sendMessage"]),
    ("Note it, and read me the weather.", ["get_weather", "files.read-notes"]),
    ("Which file is it?", ["files.read-notes"]),
    ("Please add 1 and 2.", []),  # short words are everybody's
    ("I get it.", []),
    ("What is the price?", []),  # that is said in the description only
    ("Wie ist das Wetter?", []),
    ("天气怎么样", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "names"), TEXTS)
def test_a_word_of_its_name_speaks_of_a_tool(text: str, names: list[str]):
    """Whatever the name's spelling and the word's case, and in the plural, too."""
    assert list(tools_spoken_of(text, TOOLS)) == names


def test_of_a_book_the_end_is_looked_at():
    """What is asked for mostly stands at the end, and a long text costs no more than a short one."""
    book = "weather " * 200_000 + "and so on, " * 2_000
    assert tools_spoken_of(book, TOOLS) == ()
    assert tools_spoken_of(f"{book} messages", TOOLS) == ("sendMessage",)
