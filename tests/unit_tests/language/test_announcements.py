"""Last sentences that announce a call, told apart from answers that mention a tool."""

from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.language.announcements import MAX_TAIL, announces_call
from tests.benchmarks.wordings import measures
from tests.tables import every_row
from tests.unit_tests.turn.announcement_sentences import ANNOUNCEMENTS, NAMES
from tests.unit_tests.turn.stopped_short import STOPPED


def table(sentences):
    """Every sentence of every language."""
    return [text for texts in sentences.values() for text in texts]


def test_announcements_are_found_and_answers_seldom_taken_for_one():
    """Of tables in twelve languages; one that is missed is an answer, and one too many is asked about once."""
    found = measures.announcements()
    assert found["found"] >= 0.88 * found["found of"]
    assert found["false"] <= 0.15 * found["false of"]
    assert found["unnamed found"] >= 0.65 * found["unnamed found of"]
    assert found["unnamed false"] <= 0.17 * found["unnamed false of"]


@every_row("text", table(ANNOUNCEMENTS))
def test_only_the_last_sentence_counts(text):
    """Whatever is said after an announcement, the reply did not stop there."""
    assert not announces_call(f"{text}\n\nIt is sunny in Paris.", NAMES)


@every_row("text", table(ANNOUNCEMENTS))
def test_an_announcement_in_code_or_quoted_is_none(text):
    """A fence, a quoted line and a quotation show words, and do not speak them."""
    plain = text.strip('"')
    assert not announces_call(f"```\n{text}\n```", NAMES)
    assert not announces_call(f"```text\n{text}", NAMES)
    assert not announces_call(f"> {text}", NAMES)
    assert not announces_call(f"The log shows \u201c{plain}\u201d", NAMES)


def test_a_sentence_that_begins_before_the_tail_is_none():
    """What cannot be seen may hold a condition."""
    lead = "the city that was named, " * (MAX_TAIL // 20)
    assert not announces_call(f"Of {lead} I'll call get_weather now.", NAMES)
    assert announces_call(f"Of {lead} there is one. I'll call get_weather now.", NAMES)


@settings(max_examples=40)
@given(st.text(max_size=60), st.sampled_from(table(ANNOUNCEMENTS)))
def test_a_text_without_a_bound_name_never_counts(noise, text):
    """However much it sounds like one."""
    assert not announces_call(noise + text, {"another_tool"})
    assert not announces_call(text + noise, set())
    assert not announces_call(noise + text, {""})


# --- next steps that name no tool ---


def stops_short(text, results=""):
    return announces_call(text, NAMES, unnamed=True, results=results)


@every_row("text", table(STOPPED))
def test_a_next_step_must_be_the_end(text):
    """Words or code after it, a question before or after it, and quotations of it."""
    assert not stops_short(f"{text}\n\nIt is sunny in Paris.")
    assert not stops_short(f"{text}\n```sh\nls\n```")
    assert not stops_short(f"Which of them do you mean? {text}")
    assert not stops_short(f"The log shows \u201c{text.strip('*')}\u201d")
    assert not stops_short(text.rstrip(".:\u2026\u3002\uff1a\u0964* ") + "?")


def test_a_result_that_was_told_is_an_answer():
    """What follows it with a full stop is a remark; after a colon something is missing."""
    told = "It is 22 degrees in Paris. "
    assert not stops_short(f"{told}I'll check the forecast.", results="22 degrees")
    assert stops_short(f"{told}Now let me check Rome:", results="22 degrees")
    assert stops_short("That is one. I'll check the forecast.", results="22 degrees")


def test_a_long_text_is_an_answer():
    """However it ends."""
    assert not stops_short("Rome was not built in a day. " * 40 + "Let me check the dates:")
