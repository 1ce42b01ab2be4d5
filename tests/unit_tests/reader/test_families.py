"""Every family's calls: of other tools, nested, several, between marks, and with any family's marks in their strings."""

from itertools import product

import pytest

from langchain_toolemu.reader.events import BadCall, Call, Text
from tests.tables import every_row
from tests.thoroughness import FULL_PRODUCTS, share
from tests.unit_tests.reader.families import ELEMENTS, FAMILIES, QUOTED
from tests.unit_tests.reader.reading import outline, read
from tests.unit_tests.samples import formats_page as matrix

CALLS = [
    ("now", {}),
    ("get_weather", {"city": "S\u00e3o Paulo \U0001f327"}),
    ("search", {"query": 'a, "b" \\ {c}: d', "limit": 3, "tags": ["x", "y z"]}),
    ("write_file", {"path": "a<b>.py", "content": 'if a < b:\n    print("x=\\"1\\"")\n\nend'}),
]
OWN_QUOTES = {"Gemma 4": "Gemma 4", "FunctionGemma": "FunctionGemma"}
"""No string of theirs can hold their own quote, a token."""
OWN_ENDS = {"GLM 4.5", "GLM 4.7", "Hy 4"}
"""A text of theirs that holds a whole call of the same form and goes on has two ends: it is refused, and asked for again."""
SIZES = (None, 1, 7)


def calls_of(text, **options):
    return [(one.name, one.args) for one in read(text, **options) if isinstance(one, Call)]


@every_row(("family", "call"), product(FAMILIES, CALLS))
def test_a_call_is_read_in_every_family(family, call):
    """Whole and in pieces, alone, after words and twice in a row."""
    text = FAMILIES[family](*call)
    for size in SIZES:
        assert calls_of(text, size=size) == [call]
        assert calls_of(f"Let me look.\n\n{text}", size=size) == [call]


def held(form, inner):
    return {"path": "a", "content": form.format(FAMILIES[inner]("run", {"command": "rm"}))}


FORMS = ("{}", "Wrap {} and go on.", "{} end")
PAIRS = [pair for pair in product(FAMILIES, FAMILIES) if OWN_QUOTES.get(pair[0]) != pair[1]]
WAYS = list(product(FORMS, SIZES))


def in_turn(pairs):
    """Each pair with all ways, or a quarter of the pairs with one of them in turn."""
    for number, pair in enumerate(share(pairs, 0, 4)):
        yield *pair, WAYS if FULL_PRODUCTS else [WAYS[number % len(WAYS)]]


@every_row(("family", "inner", "ways"), in_turn(PAIRS))
def test_a_string_may_hold_any_call(family, inner, ways):
    """Marks between a string's own quotes are text, and so are those in an element's text: nothing of it is called or lost."""
    for form, size in ways:
        args = held(form, inner)
        events = read(FAMILIES[family]("write_file", args), size=size)
        if {family, inner} <= OWN_ENDS and form != "{}":
            assert not any(isinstance(one, Call) for one in events)
            assert any(isinstance(one, BadCall) for one in events)
        else:
            assert [(one.name, one.args) for one in events if isinstance(one, Call)] == [
                ("write_file", args)
            ]


def test_the_table_names_the_families():
    """Each is in one of the two, and there are enough of them to tell."""
    assert not QUOTED.keys() & ELEMENTS.keys()
    assert len(FAMILIES) > 35


def shown(text, **options):
    """The words that a reader shows: without thoughts and marks."""
    events = read(text, tells_thoughts=True, **options)
    return "".join(one.text for one in events if isinstance(one, Text) and one.kind == "answer")


START = "<|start|>assistant"
K3_TOOLS = FAMILIES["Kimi K3"]("now", {})
MARKED = [
    ("Hello!<|close|>response<|sep|>", "Hello!"),
    ("<|open|>response<|sep|>Hello!<|close|>response<|sep|><|close|>message<|sep|>", "Hello!"),
    (f"<|open|>response<|sep|><|close|>response<|sep|>{K3_TOOLS}<|close|>message<|sep|>", ""),
    (f"<|open|>response<|sep|>One moment.<|close|>response<|sep|>{K3_TOOLS}", "One moment."),
    ("<|channel|>commentary<|message|>One moment.<|end|>", "One moment."),
    (f"<|channel|>analysis<|message|>Hm.<|end|>{START}<|channel|>final<|message|>Hello!<|return|>", "Hello!"),
    (f"<|channel|>commentary<|message|>Step 1.<|end|>{START} to=functions.now<|channel|>commentary<|message|>{{}}<|call|>", "Step 1."),
    ("<|channel|>analysis<|message|>Never write <|call|> or <|channel|>final here.<|end|>", ""),
    ("Well. <|tool_calls_section_begin|><|tool_calls_section_end|>", "Well. "),
    ("Well.\n<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>", "Well.\n"),
]  # fmt: skip


@every_row(("text", "words"), MARKED)
def test_marks_of_sections_are_never_shown(text, words):
    """Whether they hold calls, noise or nothing, and whatever the pieces; all of the text is accounted for."""
    for size in SIZES:
        assert shown(text, size=size) == words
        events = read(text, size=size)
        kept = "".join(one.text if isinstance(one, Text) else one.raw for one in events)
        assert "".join(kept.split()) == "".join(text.split())


@pytest.mark.parametrize("size", SIZES)
def test_noise_before_a_call_in_its_section_is_not_shown(size):
    """It belongs to the call that follows it."""
    noise = FAMILIES["Kimi K2"]("now", {}).replace(
        "<|tool_call_begin|>", " some noise <|tool_call_begin|>", 1
    )
    assert outline(read(f"Well. {noise}", size=size)) == ["Well. ", ("now", {})]


@every_row("native", [False, True])
def test_an_answer_on_its_channel_is_none(native):
    """JSON that looks like a call is what the user asked to see; a demanded call may be written there."""
    lookalike = '<|channel|>final<|message|>{"name": "now", "arguments": {}}'
    for size in SIZES:
        assert calls_of(lookalike, size=size, native=native) == []
        assert (
            calls_of(f"<|channel|>final<|message|>{FAMILIES['a fence']('now', {})}", native=True)
            == []
        )
    assert calls_of(lookalike, forced="now") == [("now", {})]


@every_row("size", SIZES)
def test_a_recipient_that_is_no_tool_is_an_unknown_tool(size):
    """A message to `python` is neither an answer nor a call that can be run."""
    text = "<|channel|>commentary to=python <|constrain|>code<|message|>print('hi')<|call|>"
    assert outline(read(text, size=size)) == [("python", "unknown_tool")]
    assert outline(read(f"The page says:\n\n{text}", size=size))[-1] != ("python", "unknown_tool")


@every_row("size", SIZES)
def test_a_thought_ends_where_the_answer_is_opened(size):
    """A prompt may have begun a thought that the model leaves out."""
    text = "<|open|>response<|sep|>Hello!<|close|>response<|sep|>"
    assert shown(text, size=size, starts_in_thought=True) == "Hello!"


@every_row("size", SIZES)
def test_a_list_that_the_limit_cuts_is_cut_as_a_whole(size):
    """Of one value a part is no value."""
    text = '[get_weather(city="Oslo"), get_weather(city="Par'
    assert outline(read(text, size=size, cut=True)) == [(None, "cut")]


@every_row("family", matrix.FAMILIES)
def test_a_family_of_the_page_has_samples_with_sources(family):
    """Documented or observed ones, and its thoughts are told from the answer."""
    origins = [one["origin"].partition(":")[0] for one in matrix.samples_of(family)]
    assert {"documented", "observed"}.intersection(origins)
    assert not family.thoughts or matrix.tells_thoughts(family)


def test_every_parser_of_the_engines_has_samples():
    """Each names families of the page, whose samples have sources, or a sentence says why not."""
    known = {family.samples for family in matrix.FAMILIES}
    rows = [read_ for table in matrix.PARSERS.values() for read_ in table.values()]
    assert {one for read_ in rows if isinstance(read_, list) for one in read_} <= known
    assert all(read_ if isinstance(read_, list) else read_.endswith(".") for read_ in rows)
    assert len(matrix.PARSERS["xgrammar 0.2.8"]) == 18
