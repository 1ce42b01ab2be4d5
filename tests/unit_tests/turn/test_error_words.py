"""The model's words in an error: which of them are read as the reply."""

import pytest

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.model_facts import ParserFailure, Trouble
from langchain_toolemu.turn.error_words import unsent_words, words_to_read
from langchain_toolemu.turn.reply_setup import Judge
from langchain_toolemu.turn.turn_input import Settings
from tests.tables import every_row
from tests.unit_tests.turn.playing import TOOLS, Known, Said, natively, order, play
from tests.weather import get_weather

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
TWICE = "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</parameter>\n</function>\n</tool_call>"
ARGUMENTS = '{"city": "Paris"}]'


def judge(**asked):
    return Judge(order(**asked), Settings("fallback", JSON), natively(), ())


def read(words, *, is_call=False, sent="", **asked):
    failure = ParserFailure("llama.cpp", words=words, is_call=is_call)
    return words_to_read(failure, judge(**asked), sent)


@every_row(("words", "sent", "rest"), [
    (CALL, "", CALL),
    (CALL, "Let me look. ", CALL),  # it goes on after what was sent
    (f"Let me look. {CALL}", "Let me look. ", CALL),
    (f"Let me look.{CALL}", "Let me look.\n\n", CALL),
    (f"<think>\nHm.\n</think>\n\nLet me look. {CALL}", "Let me look. ", CALL),
    (f"<|channel|>analysis<|message|>Let me look. {CALL}", "Let me look. ", CALL),
    ('{"name": "I", "arguments": {}}', "I", '{"name": "I", "arguments": {}}'),  # the same letter elsewhere
    ("Let me look. ", "Let me look. ", ""),
])  # fmt: skip
def test_what_was_sent_is_not_read_again(words, sent, rest):
    """An error may begin with it, or with a thought before it."""
    assert unsent_words(words, sent) == rest


@every_row(("case", "words", "read_as"), [
    ("nothing", "", None),
    ("a call", CALL, CALL),
    ("half a call, which is asked for again", CALL[:50], CALL[:50]),
    ("an answer", "It is sunny.", "It is sunny."),
    ("marks", "</tool_call>", None),
    ("a mark that is cut", "<tool_call>\n<func", None),
    ("a tag that is closed twice", TWICE, None),  # mostlygeek/llama-swap 856
    ("the end of a call", 'is"}}\n</tool_call>', None),
])  # fmt: skip
def test_words_of_a_reply(case, words, read_as):
    """Calls and answers are read, what is left of a call is not."""
    assert read(words) == read_as


def test_marks_after_an_answer_add_nothing():
    """The answer was sent, and stands."""
    assert read("<think>", sent="It is sunny.") == ""


def test_arguments_are_read_where_one_tool_can_be_meant():
    """The only one, or the one that was demanded."""
    assert read(ARGUMENTS, is_call=True) is None  # one of three
    assert ARGUMENTS in read(ARGUMENTS, is_call=True, tools=[get_weather])
    assert ARGUMENTS in read(ARGUMENTS, is_call=True, choice="get_weather")


@pytest.mark.parametrize(
    "words", ['{"city": "Par', '{"city": "Paris"', "ls -R\n", 'We need {"city": "Paris"}']
)
def test_arguments_that_are_not_whole_are_not_read(words):
    """Nor is what is no object: the model is asked again, and nothing of it is shown."""
    assert read(words, is_call=True, tools=[get_weather]) is None


def failed(message):
    return Said(error=ValueError(message))


def test_an_error_is_a_reply_of_the_turn():
    """The call is rescued out of it, and the turn says so; what it learns is that the parser failed."""
    known = Known("native")
    error = failed(f"Failed to parse input at pos 0: {CALL}")
    played = play(error, order=order(tools=TOOLS), known=known, mode="fallback")
    assert [call["name"] for call in played.message.tool_calls] == ["get_weather"]
    assert known.lessons == ["parser_failed"]
    told = played.message.response_metadata["toolemu"]["warnings"]
    assert told[-1].startswith("llama.cpp could not parse")


def test_a_turn_that_begins_in_text_says_so():
    """After failures in a row; a native reply after one is a new start."""
    known = Known("native", learned=["parser_failed", "parser_failed"])
    played = play(CALL, order=order(tools=TOOLS), known=known, mode="fallback")
    assert known.lessons[2:] == ["parser_avoided"]
    assert played.message.response_metadata["toolemu"]["path"] == "emulated"
    known = Known("native", learned=["parser_failed"])
    play(
        Said(calls=[("get_weather", {"city": "Paris"})]),
        order=order(),
        known=known,
        mode="fallback",
    )
    assert known.lessons[1:] == ["native_call", "parser_worked"]


def test_the_words_of_the_model_refuse_nothing():
    """What it writes into a call is no word of its provider's."""
    known = Known()
    raw = failed(
        "error parsing tool call: raw='This model does not support tools.', err=invalid character 'T'"
    )
    play(raw, CALL, order=order(), known=known, mode="fallback")
    assert not [one for one in known.learned if isinstance(one, Trouble)]
