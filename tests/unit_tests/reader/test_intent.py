"""Whether a call is made or only spoken of. The tables, in twelve languages, are words.json, spoken_of.json and leads.json."""

from collections import Counter
from itertools import product

import pytest

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Call, DeclinedCall, PossibleCall, Text
from langchain_toolemu.reader.intent import CallSetting, read_preamble
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.tables import every_row
from tests.thoroughness import share
from tests.unit_tests.reader.reading import NOW, PARIS, outline, read, said
from tests.unit_tests.samples import TOOLS, load, load_phrasings

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
SPOKEN_OF, LEADS = load_phrasings("spoken_of"), load_phrasings("leads")


def intent(before, after="", *, explicit=False, **options):
    """What a call is between these words."""
    case = CallSetting(read_preamble(before), explicit=explicit, **options)
    return case.judge(after, final=True)


def forms_of(row):
    """The texts of a phrasing: what its own form quotes is not put into a block of code."""
    forms = [form for name, form in FORMS.items() if (row["kind"], name) != ("quoted", "fenced")]
    return [row["words"].replace("{call}", form).strip() for form in forms]


def kinds(events):
    return tuple(type(event) for event in events if not isinstance(event, Text))


def readings(rows, forms):
    """Each row in each of its forms, in pieces of all sizes, asked in text and natively; or in one form and one way, in turn."""
    ways = list(product((None, 1, 7), (False, True)))
    for number, row in enumerate(rows):
        texts = [*forms(row)]
        # Each form meets each way: the ways turn once more whenever all have had their turn.
        chosen = share(ways, number + number // len(ways), len(ways))
        for text, (size, native) in product(share(texts, number, len(texts)), chosen):
            yield row, text, size, native


@every_row(("row", "text", "size", "native"), readings(SPOKEN_OF, forms_of))
def test_a_call_that_is_only_spoken_of_is_text(row, text, size, native):
    """Bare, fenced and tagged, whole and in pieces, it is asked about, declined or quoted, and nothing of it is lost."""
    events = read(text, size=size, native=native)
    assert kinds(events) == EVENTS[row["kind"]]
    assert "".join(event.text for event in events if isinstance(event, Text)) == text


def below(row):
    """The texts of a lead: each form of the call on the next line, and below an empty one."""
    for form, between in product(FORMS.values(), ("\n", "\n\n")):
        yield row["words"] + between + form.strip()


@every_row(("row", "text", "size", "native"), readings(LEADS, below))
def test_a_call_after_natural_words_is_made(row, text, size, native):
    """Bare, fenced and tagged, on the next line and below an empty one, whole and in pieces."""
    assert kinds(read(text, size=size, native=native)) == (Call,)


@pytest.mark.parametrize(
    ("above", "label"),
    [
        ("To get the weather in Paris, the get_weather tool is needed.", "Output:"),
        ("The best tool for this is get_weather with city Paris.", "As JSON:"),
        ("F\u00fcr das Wetter in Paris wird das Werkzeug get_weather gebraucht.", "Als JSON:"),
        ("Il faut l'outil m\u00e9t\u00e9o pour Paris.", "En JSON :"),
        ("Para Paris hace falta la herramienta.", "Salida:"),
        (
            "\u7528\u6237\u60f3\u77e5\u9053 Paris \u7684\u5929\u6c14,\u9700\u8981\u8c03\u7528\u5de5\u5177\u3002",
            "\u8f93\u51fa:",
        ),
    ],
)
def test_words_that_name_what_a_call_is_about_lead_to_it(above, label):
    """Below a label that leaves it open; of a tool in general, such words only describe it."""
    call = '{"name": "get_weather", "arguments": {"city": "CITY"}}'
    for text in (f"{above}\n\n{label}\n{call}", f"{above} {label} {call}"):
        assert PARIS in said(text.replace("CITY", "Paris"))
        assert said(text.replace("CITY", "Lima"))[-1] == ("get_weather", "possible")
        assert PARIS in said(text.removeprefix(above).strip().replace("CITY", "Paris"))


def test_the_tables_cover_twelve_languages():
    """At least five phrasings of each kind that is not quoted, and four leads, in each."""
    counted = Counter((row["language"], row["kind"]) for row in SPOKEN_OF)
    leads = Counter(row["language"] for row in LEADS)
    assert len(leads) == 12
    assert all(leads[language] >= 4 for language in leads)
    assert all(counted[language, kind] >= 5 for language in leads for kind in ("asked", "declined"))


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


@every_row(
    ("before", "after"),
    [
        ("Sure, ", ""),
        ("Sure! ", " Hope that helps."),
        ("I call: ", " and wait."),
        ("I call ", "."),
        ("I call ", "\nto see"),
        ("<!-- so --> ", ""),
        (">>> ", ""),
        ("- ", ""),
        ("The weather in Paris (France):\n", ""),
        ("Paris it is.\n", "\nIt is a nice town."),
        ("Here is the call:\n", "\nThis will return the weather."),
    ],
)
def test_a_call_that_no_words_speak_of_is_made(before, after):
    """Nothing says otherwise."""
    assert intent(before, after) == "made"


@every_row(
    ("before", "after", "expected"),
    [
        ("Earlier I called ", " and the result was 3.", "asked"),
        ("Sure, I call ", "   to see.", "asked"),
        ("payload = ", "", "asked"),
        ("print(json.dumps(", "))", "asked"),
        ("<!-- ", " -->", "asked"),
        ("Numbers:\n", "\nThat was it.", "asked"),
        ("The thing in question is ", "", "asked"),
        ("> ", "", "quoted"),
        ("So he wrote:\n> I send ", ".", "quoted"),
        ("| add | ", " |", "quoted"),
        ("It is '", "' here", "quoted"),
        ("It is 「", "」", "quoted"),
        ("C'est « ", " » ici", "quoted"),
        ('I call "', '"', "quoted"),
        ("Some examples:\n", "", "quoted"),
    ],
)
def test_structure_counts_before_words(before, after, expected):
    """A sentence that goes on, code, a quotation and a table make a call one that is only spoken of."""
    assert intent(before, after) == expected


@every_row(
    ("before", "expected"),
    [
        ("You asked for the sum, so I'll call:", "made"),
        ("The file says it is 12, so let me check:", "made"),
        ("I won't delete it, but I'll look at it:", "made"),
        ("The file says: I will call", "asked"),
        ("Let me show you what the file says:", "asked"),
        ("For example, I will call", "asked"),
        ("Once you confirm, I will send:", "asked"),
        ("I will send it once you confirm:", "asked"),
        ("Thanks for confirming, I'll send it:", "made"),
        ("I can add them like this:", "made"),
        ("It is called like this:", "asked"),
    ],
)
def test_a_commitment_overrules_what_was_said_before_it(before, expected):
    """In a later clause of the sentence; never a condition, nor what is said after it."""
    assert intent(before) == expected


@every_row(
    ("before", "after", "expected"),
    [
        ("I will not run it before you agree:\n", "", "asked"),
        ("I will not run this before noon:\n", "", "asked"),
        ("This is not safe:\n", "", "declined"),
        ("I will not call it.\n", "", "declined"),
        ("I won't run that. The call:\n", "", "declined"),
        ("That call did not go through.\n", "", "made"),
        ("I did not use the right city.\n", "", "made"),
        ("I cannot see the sky before noon.\n", "", "made"),
        ("I don't know the weather in Paris:\n", "", "made"),
        ("I can't tell without running it:\n", "", "made"),
        ("I will tell you without running it:\n", "", "declined"),
        ("Sure:\n", "\nI won't do it until you agree.", "asked"),
        ("Sure:\n", "\nI won't call it again until I have the result.", "made"),
        ("Sure:\n", "\nOn second thought, never mind.", "declined"),
        ("Sure:\n", "\nI will tell you. I won't run anything.", "made"),
        ("Sure:\n", "\nThis looks dangerous.", "declined"),
        ("I'll do that:\n", "\nNote: this cannot be undone.", "made"),
        ("I'll do that:\n", "\nWarning: this action is irreversible.", "made"),
        ("Ich mache das:\n", "\nDas kann nicht rückgängig gemacht werden.", "made"),
        ("Сейчас сделаю:\n", " Это действие нельзя отменить.", "made"),
        ("Let me see:\n", "\nThis tells whether it is dangerous.", "made"),
        ("The page says hello.\n", "", "made"),
        ("The page contained a malicious call.\n", "", "declined"),
        ("A suspicious thing:\n", "", "declined"),
    ],
)
def test_a_refusal_counts_for_what_it_denies(before, after, expected):
    """In the sentence before the call, the rest of its own and the next one; how another call went says nothing."""
    assert intent(before, after) == expected


@pytest.mark.parametrize(
    ("tool", "words", "made"),
    [
        ("reject_invoice", "I'm rejecting the invoice now:", True),
        ("decline_meeting", "Declining the invitation:", True),
        ("withdrawMoney", "I'll withdraw 50 euros:", True),
        ("skip_song", "Skipping this song:", True),
        ("cancel_request", "I'm going to cancel the request:", True),
        ("delete_file", "The file is not there anymore, so I'm deleting the entry:", True),
        ("check_weather", "I can't check the weather without the tool:", True),
        ("reject_invoice", "I won't reject the invoice:", False),
        ("reject_invoice", "I refuse to reject the invoice:", False),
        ("skip_song", "I am not going to skip the song:", False),
        ("delete_file", "I won't delete it:", False),
        ("publishPage", "I'm not publishing this:", False),
        ("transfer_money", "I must not simply transfer anything:", False),
        ("book_hotel", "I will never book it:", False),
    ],
)
def test_a_tools_own_verb_is_an_act_and_no_refusal(tool, words, made):
    """Before a call of that tool, and after it."""
    tools = ToolSet([ToolSpec(tool, "", {"type": "object", "properties": {}}), *TOOLS])
    call = f'<tool_call>{{"name": "{tool}", "arguments": {{}}}}</tool_call>'
    said_before = outline(read(f"{words}\n{call}", tools=tools))
    assert said_before[-1] == ((tool, {}) if made else (tool, "declined"))
    after = outline(read(f"So:\n{call}\nThe bill will be rejected.", tools=tools))
    assert (tool, {} if tool == "reject_invoice" else "declined") in after


def test_a_call_between_quotes_that_do_not_close():
    """The quote means nothing."""
    assert intent('Sure: "', " now") == "made"
    assert intent('Sure: "') == "made"


def test_a_call_between_back_ticks():
    """On a line of its own it is one like any other; in a line the sentence must commit to it and end there."""
    assert intent("Sure:\n", in_code=True) == "made"
    assert intent("An example:\n", in_code=True) == "asked"
    assert intent("I call ", ".", in_code=True) == "made"
    assert intent("I call ", "?", in_code=True) == "quoted"
    assert intent("I call ", " for that.", in_code=True) == "quoted"
    assert intent("It is ", in_code=True) == "quoted"
    assert intent("", " is it", in_code=True) == "quoted"


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
    assert said(listed) == [listed]
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
