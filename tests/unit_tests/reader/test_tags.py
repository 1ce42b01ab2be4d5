import pytest

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.tags import parse_tag, word_of
from tests.tables import every_row
from tests.unit_tests.reader.reading import outline
from tests.unit_tests.samples import TOOLS


@every_row(
    ("text", "word", "closing", "value"),
    [
        ("<tool_call>", "toolcall", False, None),
        ("</ tool-call >x", "toolcall", True, None),
        ("<|tool_call|>", "toolcall", False, None),
        ("<\uff5ctool\u2581sep\uff5c>", "toolsep", False, None),
        ("[TOOL_CALLS]", "toolcalls", False, None),
        ("&lt;/tool_call&gt;", "toolcall", True, None),
        ("<function=get_weather>", "function", False, "get_weather"),
        ('<function = "get_weather">', "function", False, "get_weather"),
        ('<invoke name="get_weather">', "invoke", False, "get_weather"),
        ('<minimax:tool_call id="1">', "toolcall", False, None),
        ("<\uff5cDSML\uff5cinvoke name='f'>", "invoke", False, "f"),
        ("<replace_ in_file>", "replaceinfile", False, None),
        ("\u25c1/think\u25b7", "think", True, None),
    ],
)
def test_a_tag_is_known_by_its_word(text, word, closing, value):
    """Case, separators, decoration and namespace do not matter."""
    tag = parse_tag(text)
    assert (tag.word, tag.closing, tag.value) == (word, closing, value)


@every_row("text", ["x", "<tool", "<a\nb>", "< x>", "<a{b}>", "", "<a<b>"])
def test_what_is_no_tag(text):
    """A tag is whole, on one line, and begins with a word."""
    assert parse_tag(text) is None


@pytest.mark.parametrize("options", [{}, {"explicit_only": True}, {"native": True}])
def test_an_opening_that_ends_in_two_signs_may_come_in_pieces(options):
    """Gorilla's, cut anywhere: the first of its two closing signs is not its end."""
    text = "<<function>>"
    whole = Reader(TOOLS, **options)
    expected = [*whole.feed(text), *whole.close(cut=True)]
    for cut in range(1, len(text)):
        reader = Reader(TOOLS, **options)
        events = [*reader.feed(text[:cut]), *reader.feed(text[cut:]), *reader.close(cut=True)]
        assert events == expected


@pytest.mark.parametrize("tag", ["val ue:6124c78e", "value:6124c78e", "tool _call:6124c78e"])
def test_a_tag_with_a_suffix_may_come_in_pieces(tag):
    """With a blank in its word as well."""
    text = f"<tool_call:6124c78e><{tag}>"
    whole, pieces = Reader(TOOLS), Reader(TOOLS)
    letters = [event for letter in text for event in pieces.feed(letter)] + pieces.close()
    assert outline(letters) == outline(whole.read(text))


def test_labels_and_empty_tags():
    """A tag's label is its word in snake case; it may close itself and carry attributes."""
    tag = parse_tag('<Get-Weather city="Paris"/>')
    assert (tag.label, tag.empty, tag.attributes) == ("get_weather", True, (("city", "Paris"),))
    assert word_of("antml:invoke") == "invoke"
