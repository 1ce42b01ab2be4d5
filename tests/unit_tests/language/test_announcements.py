"""Last sentences that announce a call, told apart from answers that mention a tool."""

from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.language.announcements import MAX_TAIL, announces_call
from langchain_toolemu.language.phrases import LANGUAGES
from tests.tables import every_row
from tests.unit_tests.turn.announcement_sentences import ANNOUNCEMENTS, ANSWERS, ELSEWHERE, NAMES
from tests.unit_tests.turn.stopped_short import ANSWERED, STOPPED


def table(sentences):
    """Every sentence of every language."""
    return [text for texts in sentences.values() for text in texts]


@every_row("text", table(ANNOUNCEMENTS))
def test_an_announcement_counts(text):
    """In every language, with markdown, marks and emoji around it, alone and after other sentences."""
    assert announces_call(text, NAMES)
    assert announces_call(f"It is not in the index. \n\n{text}\n\n", NAMES)


@every_row("text", table(ANSWERS) + table(ELSEWHERE))
def test_an_answer_that_mentions_a_tool_is_none(text):
    """Questions, offers, conditions, negations, the past, descriptions and quotations are answers."""
    assert not announces_call(text, NAMES)


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


def test_every_language_has_announcements_and_answers():
    """No language is known by one of the two alone."""
    names = {language.name for language in LANGUAGES}
    assert names <= ANNOUNCEMENTS.keys()
    assert names - {"English"} <= ANSWERS.keys()
    assert all(language.announcements and language.conditions for language in LANGUAGES)


# --- next steps that name no tool ---


def stops_short(text, results=""):
    return announces_call(text, NAMES, unnamed=True, results=results)


@every_row("text", table(STOPPED))
def test_a_next_step_counts_without_a_name(text):
    """Alone, after a sentence and after a result; not where it may not, nor without tools."""
    assert stops_short(text)
    assert stops_short(f"It is not in the index.\n\n{text}\n", "no such entry: 404")
    assert not announces_call(text, NAMES)
    assert not announces_call(text, set(), unnamed=True)


@every_row("text", table(ANSWERED))
def test_an_answer_is_no_next_step(text):
    """Offers, questions, closings, explanations, answers, quotations and plans."""
    assert not stops_short(text)


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


def test_every_language_has_next_steps():
    """And answers beside them."""
    names = {language.name for language in LANGUAGES}
    assert names <= STOPPED.keys()
    assert names - {"English"} <= ANSWERED.keys()
