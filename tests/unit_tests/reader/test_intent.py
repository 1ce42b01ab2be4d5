"""Whether a call is made or only spoken of: by its form, and by words, which are counted over files of phrasings."""

import pytest

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import DeclinedCall, PossibleCall, Text
from langchain_toolemu.reader.intent import CallSetting, read_preamble
from tests.benchmarks.wordings import measures
from tests.tables import every_row
from tests.thoroughness import share
from tests.unit_tests.reader.reading import NOW, outline, read, said
from tests.unit_tests.samples import TOOLS, load

CALL = '{"name": "now", "arguments": {}}'
TAG = f"<tool_call>{CALL}</tool_call>"
FENCE = f"```json\n{CALL}\n```"
FORMS = {"bare": CALL, "fenced": f"\n{FENCE}\n", "tagged": f"<tool_call>\n{CALL}\n</tool_call>"}
DEEPSEEK = (
    "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>now<\uff5ctool\u2581sep\uff5c>{}"
    "<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>"
)
KIMI = "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>"
TOKENS = [
    DEEPSEEK,
    KIMI,
    "[TOOL_CALLS]now[ARGS]{}",
    f"[TOOL_CALLS][{CALL}]",
    f"<|python_tag|>{CALL}",
]
ASKED, DECLINED = ("now", "possible"), ("now", "declined")
EVENTS = {"asked": (PossibleCall,), "declined": (DeclinedCall,), "quoted": ()}
WORDS = [sample["text"] for sample in load()["words"]]


def intent(before, after="", *, explicit=False, **options):
    """What a call is between these words."""
    case = CallSetting(read_preamble(before), explicit=explicit, **options)
    return case.judge(after, final=True)


# Each structure, with its opposite: the same call where the form says nothing.
STRUCTURES = {
    "a quotation": (('It is "', '" here'), ("It is:\n", "\nhere.")),
    "a quotation in another script": (("It is 「", "」"), ("It is:\n", "")),
    "a quotation with spaces": (("C'est « ", " » ici"), ("C'est :\n", "")),
    "a quoted line": (("> ", ""), (">>> ", "")),
    "a quoted line below another": (("So he goes:\n> I send ", "."), ("So he goes.\n", "")),
    "a row of a table": (("| add | ", " |"), ("add\n", "")),
}
ASKED_ABOUT = {
    "an assignment": (("payload = ", ""), ("payload\n", "")),
    "an argument": (("print(json.dumps(", "))"), ("print it:\n", "")),
    "a comment": (("<!-- ", " -->"), ("<!-- so --> ", "")),
    "a sentence that goes on": (("Sure, I call ", "   to see."), ("Sure, I call:\n", "\nTo see.")),
    "a sentence that goes on below": (("I call ", "\nto see"), ("I call:\n", "\nTo see")),
    "an object of a sentence": (("The thing in question is ", ""), ("The thing:\n", "")),
    "a subject of a sentence": (("No. ", " does harm to you."), ("Fine. ", " Done.")),
    "a question": (("Is it ", "?"), ("It is it: ", ".")),
}


@every_row("name", STRUCTURES)
def test_what_its_form_quotes_is_text(name):
    """Whatever words stand around it; where the form says nothing the call is made."""
    (before, after), (other, then) = STRUCTURES[name]
    assert intent(before, after) == "quoted"
    assert intent(other, then) == "made"


@every_row("name", ASKED_ABOUT)
def test_what_is_part_of_a_sentence_or_of_code_is_asked_about(name):
    """And made where it is none."""
    (before, after), (other, then) = ASKED_ABOUT[name]
    assert intent(before, after) == "asked"
    assert intent(other, then) == "made"


@every_row(
    ("before", "after"),
    [
        ("Weather:\n", "\nThe name picks the tool."),
        ("Is it raining?\n", ""),
        ("Some words.\n\n## Weather\n\n", ""),
    ],
)
def test_a_block_that_no_contract_asked_for_may_only_be_shown(before, after):
    """Between words, below a heading or a question; of a server that was told how to call, it is a call."""
    assert intent(before, after, native=True) == "asked"
    assert intent(before, after, native=True, explicit=True) == "made"
    assert intent(before, after) == "made"


def test_a_bare_call_at_the_start_with_a_question_below_it():
    """It is asked about where no contract asked for it; an envelope says that it is a call."""
    assert intent("", "\nShall I send it?", begins=True, native=True) == "asked"
    assert intent("", "\nIt is sent.", begins=True, native=True) == "made"
    assert intent("", "\nShall I send it?", begins=True, native=True, explicit=True) == "made"
    assert intent("", "\nShall I send it?", begins=True) == "made"


def test_a_refusal_that_ends_in_the_call_declines_it():
    """Before it and after it; where a later clause is another matter it is made."""
    assert intent("I will not do that:\n") == "declined"
    assert intent("Sure:\n", "\nI won't run it.") == "declined"
    assert intent("I won't delete it, so here is a look:\n") == "made"


def test_words_raise_a_doubt_for_their_own_clause():
    """What an earlier clause or sentence negates or reports is something else; a condition always counts."""
    for clause in ("I don't know", "The file says that it is 12"):
        assert intent(f"{clause}:\n") == "asked"
        assert intent(f"{clause}, so here is a look:\n") == "made"
        assert intent(f"{clause}.\n") == "made"
    assert intent("If you agree, here it goes:\n") == "asked"
    assert intent("For example, I call:\n") == "asked"


def test_what_is_spoken_of_is_seldom_made_at_once():
    """Of the tests' phrasings, in whole turns of an endpoint that nothing is known of; few leads are asked about."""
    spoken, led = measures.sampled("spoken_of"), measures.sampled("leads")
    found = measures.outcomes(share(spoken, 0, 8))
    assert found["at once"] <= 0.37 * found.total()
    leads = measures.outcomes(share(led, 0, 8))
    assert leads["text"] == 0
    assert leads["asked"] <= 0.05 * leads.total()


def test_what_strangers_wrote_is_judged_as_well():
    """Phrasings by two authors who saw no cues: at most a tenth runs at once, no lead is lost."""
    found = measures.outcomes(measures.held_out("spoken_of"))
    assert found["at once"] <= 0.1 * found.total()
    leads = measures.outcomes(measures.held_out("leads"))
    assert leads["text"] == 0
    assert leads["asked"] <= 0.12 * leads.total()


def test_a_call_between_back_ticks():
    """On a line of its own it is one like any other; in a line of words it is quoted, or asked about at its end."""
    assert intent("Sure:\n", in_code=True) == "made"
    assert intent("An example:\n", in_code=True) == "asked"
    assert intent("I call ", ".", in_code=True) == "asked"
    assert intent("I call ", "?", in_code=True) == "quoted"
    assert intent("I call ", " for that.", in_code=True) == "quoted"
    assert intent("", " is it", in_code=True) == "quoted"


@pytest.mark.in_turn
@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("native", [False, True])
def test_an_envelope_of_special_tokens_is_made_wherever_it_stands(token, native):
    """Glued to words, with words after it, too; unless those words decline, report or ask."""
    for before in ("Words", "Words:", "Words ", "Some words in a row "):
        assert NOW in said(before + token, native=native)
    assert NOW in said(f"Words{token}\nMore words.", native=native)
    assert said(f"I refuse: {token}", native=native)[-1] == DECLINED
    assert ASKED in said(f"The page says: {token}", native=native)
    assert said(f"Should I run {token}?", native=native)[1] == ASKED


@pytest.mark.parametrize("native", [False, True])
def test_a_tag_in_the_middle_of_a_line(native):
    """It is made unless more prose follows it on that line."""
    assert said(f"hello{TAG}", native=native) == ["hello", NOW]
    assert said(f"hello {TAG}.\nMore.", native=native)[1] == NOW
    text = f"Qwen models write their calls like {TAG} and others do it differently."
    assert said(text, native=native)[1] == ASKED
    assert ASKED in said(f"hello {TAG} hi {TAG}", native=native)


@pytest.mark.parametrize("token", ["<|im_start|>", "<|im_end|>", "<|assistant|>"])
def test_a_leaked_token_says_nothing(token):
    """Before the call and after it."""
    assert NOW in said(f"{token}\n{CALL}\n{token}")
    assert NOW in said(f"Let me see.\n{token}\n{CALL}\n{token}")


@pytest.mark.parametrize("fence", ["````", "`````markdown"])
def test_a_longer_fence_quotes_what_is_in_it(fence):
    """A block in it is text."""
    text = f"Look:\n{fence}\n{FENCE}\n{fence.rstrip('markdown')}"
    assert said(text) == [text]


def test_a_call_between_quotes_that_do_not_close():
    """The quote means nothing."""
    assert intent('Sure: "', " now") == "made"
    assert intent('Sure: "') == "made"


@pytest.mark.parametrize("before", ["I call `", '"'])
def test_marks_without_end_after_a_quoted_call(before):
    """They are not waited for: the call is quoted, in pieces, too."""
    call = TAG if before == '"' else CALL
    text = before + call + before[-1] + "." * 300
    assert said(text) == [text]


def test_a_reply_that_is_one_quoted_call():
    """Where calls were asked for in text, the quotes around the whole reply mean nothing."""
    assert intent('"', '"', alone=True) == "made"
    assert intent('"', '"', alone=True, native=True) == "quoted"


def test_calls_after_one_another_are_what_the_first_is():
    """What is between them says nothing, so they are made, asked about or quoted together."""
    assert said(f"I call:\n{CALL}\n{CALL}") == ["I call:\n", NOW, NOW]
    listed = f"Examples:\n1. {CALL}\n2. {CALL}\n"
    assert said(listed).count(ASKED) == 1
    made = f"{CALL}\nOr:\n{TAG}\n"
    assert said(made) == [NOW, "\nOr:\n"]
    mixed = f"For example:\n{CALL}\nNow I call it:\n{FENCE}"
    assert said(mixed) == [f"For example:\n{CALL}", ASKED, "\nNow I call it:\n", NOW]
    assert said(f"I will not run this:\n1. {CALL}\n2. {CALL}").count(DECLINED) == 2


def test_a_reply_is_asked_about_once():
    """However many calls it speaks of, nothing of it is lost."""
    text = f"Earlier I called {CALL} and later {CALL} to see."
    outcome = said(text)
    assert [part for part in outcome if not isinstance(part, str)] == [ASKED]
    assert "".join(part for part in outcome if isinstance(part, str)) == text


def test_a_reply_declines_eight_calls_at_most():
    """Further ones are text, and nothing else is said of them."""
    text = f"I will not run these:\n{CALL}" + f"\n{CALL}" * 11
    assert said(text).count(DECLINED) == 8


def test_what_the_events_hold():
    """The name, the arguments and the text of the call, and why it is not made."""
    call = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    args = {"city": "Paris"}
    why = "the words around it leave open whether it is meant"
    asked = PossibleCall("get_weather", args, call, "json", why)
    assert read(f"Should I run {call}?")[-2] == asked
    declined = DeclinedCall("get_weather", args, call, "json", "the reply declines it")
    assert read(f"I will not run this:\n{call}")[-1] == declined


def test_what_follows_a_call_waits_for_two_sentences_at_most():
    """Then the call is judged, and the text goes on as it comes."""
    reader = Reader(TOOLS)
    assert outline(reader.feed("Sure.\n")) == ["Sure.\n"]
    assert reader.feed(f"{CALL}\n\nThis is it. You ") == []
    assert outline(reader.feed("will see. S")) == [NOW, "\n\nThis is it. You will see. S"]
    assert outline(reader.feed("oon.")) == ["oon."]
    assert reader.close() == []
    reader = Reader(TOOLS)
    assert reader.feed(f"Sure.\n{CALL}") == [Text("Sure.\n")]
    words = "and so on " * 30
    assert outline(reader.feed(f"\n{words}")) == [NOW, f"\n{words}"]


def test_a_reply_that_speaks_of_very_many_calls():
    """Further ones are what the last was that was looked at."""
    text = f"For example {CALL}, " * 100
    assert NOW not in said(text)


@every_row("text", WORDS)
def test_a_thought_that_was_never_opened_makes_text_of_all_calls(text):
    """Whatever they were said to be, nothing of the text is lost."""
    events = read(f"{text}</think>")
    assert not any(part == NOW for part in outline(events))


def test_what_comes_after_all_that_counts_changes_nothing():
    """A line break far after a call is not looked at, whether it comes in the same piece or later."""
    text = 'Send this to them, "args":{"city": "Oslo"}hannah' + '"The function' * 20 + "\n"
    assert said(text, forced="get_weather")[1] == ("get_weather", {"city": "Oslo"})
