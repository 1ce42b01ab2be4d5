import pytest

from langchain_toolemu.reader import Reader, vocabulary
from langchain_toolemu.reader.tags import TagSet, parse_tag, word_of
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


def judged(known, text):
    """The tag that a text begins with, or that it is none, or that more of it must be waited for."""
    tag = parse_tag(text)
    return known.known(tag) if tag else "wait" if known.may_become(text) else None


@pytest.mark.parametrize(
    "known", [TagSet(vocabulary.EVERY, {"getweather"}), TagSet(vocabulary.ENVELOPES)]
)
@every_row(
    "text",
    [
        '<invoke name<invoke name=="" note="a > b">',
        '</tool "valion:l<function=_call>',
        '<tool_call a[b="c">',
        '<invoke a{b="c">',
        '<invoke\na="c">',
        '<invoke a="b\nc">',
        '<invoke a=b<c="d">',
        '<invoke name="a<b{c[d>e">',
        "<invoke name=\n'get_weather'>",
        "<function=get_weather\n{}",
        "<function(get_weather)  {}",
        "<function=get\nweather>",
        "&lt;invoke a&lt;b=c&gt;",
        '&lt;invoke name="get_weather"&gt;',
        "[TOOL_CALLS a<b=c]",
        "[P<|sep|>]",
        '<|open|>call tool="get<weather"<|sep|>',
        "<|open|>call tool=get<weather<|sep|>",
        "<|close|>call<|sep|>",
        "<|tool_call<|sep|>",
        "<ar:6124c78e>",
        "<tool_call:6124c78e>",
        "<\uff5cDSML\uff5c  invoke name=a>",
        "<\uff5caDSML\uff5c  invoke name=a>",
        "]<]minimax[>[<invoke a<b=c>",
        "\u25c1invoke a<b=c\u25b7",
        "<<function>>",
        "<<fun<function=a>",
    ],
)
def test_what_was_judged_once_is_not_judged_otherwise_later(known, text):
    """A text is waited for until it is a tag or can be none; more of it changes nothing, so that pieces do not matter."""
    answers = [judged(known, text[:size]) for size in range(1, len(text) + 1)]
    decided = [answer for answer in answers if answer != "wait"]
    assert answers == ["wait"] * (len(answers) - len(decided)) + decided[:1] * len(decided)


def test_labels_and_empty_tags():
    """A tag's label is its word in snake case; it may close itself and carry attributes."""
    tag = parse_tag('<Get-Weather city="Paris"/>')
    assert (tag.label, tag.empty, tag.attributes) == ("get_weather", True, (("city", "Paris"),))
    assert word_of("antml:invoke") == "invoke"
