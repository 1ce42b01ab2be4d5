"""The model's words in an error of its server's parser: which of them are read as the reply."""

from tests.scripted_turns import TOOLS, Said, play
from tests.tables import every_row
from tests.unit_tests.turn.test_after_native import NATIVE
from tests.weather import PARIS

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
TWICE = "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</parameter>\n</function>\n</tool_call>"
LOOK = "Let me look. "
AGAIN = "Again."


def fail(words, *, shown="", tools=TOOLS, arguments=False, **terms):
    """A turn whose first reply is an error with these words; arguments alone are Ollama's, all else llama.cpp's."""
    said = (
        f"error parsing tool call: raw='{words}', err=invalid character"
        if arguments
        else f"Failed to parse input at pos 0: {words}"
    )
    failed = Said(shown, error=ValueError(said))
    streamed = bool(shown)
    return play(failed, AGAIN, mode="fallback", earlier=[[NATIVE]], streamed=streamed, tools=tools, **terms)  # fmt: skip


def outcome(turn):
    """The words and the calls."""
    return turn.message.content, turn.calls


@every_row(("words", "shown", "content", "calls"), [
    (CALL, LOOK, LOOK, PARIS),  # it goes on after what was sent
    (f"{LOOK}{CALL}", LOOK, LOOK, PARIS),
    (f"Let me look.{CALL}", "Let me look.\n\n", "Let me look.\n\n", PARIS),
    (f"<think>\nHm.\n</think>\n\n{LOOK}{CALL}", LOOK, LOOK, PARIS),
    (f"<|channel|>analysis<|message|>{LOOK}{CALL}", LOOK, LOOK, PARIS),
    ('{"name": "I", "arguments": {}}', "I", 'I{"name": "I", "arguments": {}}', []),  # the same letter elsewhere
    (LOOK, LOOK, LOOK, []),
    ("<think>", "It is sunny.", "It is sunny.", []),  # marks after an answer add nothing
])  # fmt: skip
def test_what_was_sent_is_not_read_again(words, shown, content, calls):
    """An error may begin with it, or with a thought before it."""
    turn = fail(words, shown=shown)
    assert outcome(turn) == (content, calls)
    assert len(turn.requests) == 1


@every_row(("case", "words", "content", "calls", "natively"), [
    ("nothing", "", AGAIN, [], [True, True]),
    ("a call", CALL, "", PARIS, [True]),
    ("half a call, which is asked for again", CALL[:50], AGAIN, [], [True, False]),
    ("an answer", "It is sunny.", "It is sunny.", [], [True]),
    ("marks", "</tool_call>", AGAIN, [], [True, True]),
    ("a mark that is cut", "<tool_call>\n<func", AGAIN, [], [True, True]),
    ("a tag that is closed twice", TWICE, "", PARIS, [True]),  # mostlygeek/llama-swap 856
    ("the end of a call", 'is"}}\n</tool_call>', AGAIN, [], [True, True]),
])  # fmt: skip
def test_words_of_a_reply(case, words, content, calls, natively):
    """Calls and answers are read, what is left of a call is not; a warning names the server."""
    turn = fail(words)
    assert (*outcome(turn), turn.natively) == (content, calls, natively)
    assert any(one.startswith("llama.cpp could not parse") for one in turn.warnings)


ONE_TOOL = {"tools": TOOLS[:1]}
ARGUMENTS = '{"city": "Paris"}]'


@every_row(("words", "terms", "made"), [
    (ARGUMENTS, {}, []),  # of one of two tools
    (ARGUMENTS, ONE_TOOL, PARIS),
    (ARGUMENTS, {"choice": "get_weather"}, PARIS),
    ('{"city": "Par', ONE_TOOL, []),
    ('{"city": "Paris"', ONE_TOOL, []),
    ("ls -R\n", ONE_TOOL, []),
    ('We need {"city": "Paris"}', ONE_TOOL, []),
])  # fmt: skip
def test_arguments_are_read_where_one_tool_can_be_meant(words, terms, made):
    """The only one, or the one that was demanded. What is not whole, or no object, is asked for again, and nothing of it is shown."""
    turn = fail(words, arguments=True, **terms)
    assert outcome(turn) == ("" if made else AGAIN, made)


PARSER = Said(error=ValueError(f"Failed to parse input at pos 0: {CALL}"))


WORDLESS = Said(error=ValueError("Failed to parse input at pos 0"))


@every_row(("earlier", "natively"), [
    ([[NATIVE], [WORDLESS, WORDLESS, CALL]], False),
    ([[NATIVE], [WORDLESS, NATIVE]], True),
    ([[NATIVE], [PARSER], [PARSER]], True),
])  # fmt: skip
def test_after_failures_in_a_row_a_turn_begins_in_text(earlier, natively):
    """If text helped, and neither a second native request nor the error's own words did."""
    turn = play(CALL, mode="fallback", earlier=earlier)
    assert (turn.calls, turn.natively) == (PARIS, [natively])


def test_the_words_of_the_model_refuse_nothing():
    """What it writes into a call is no word of its provider's: it is asked natively again."""
    turn = fail("This model does not support tools.", arguments=True)
    assert turn.natively == [True, True]
