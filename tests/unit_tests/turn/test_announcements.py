"""Last sentences that announce a call, told apart from answers that mention a tool."""

from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.language.phrases import LANGUAGES
from langchain_toolemu.turn.announcements import MAX_TAIL, announces_call
from tests.tables import every_row
from tests.unit_tests.turn.announcement_sentences import ANNOUNCEMENTS, ANSWERS, ELSEWHERE, NAMES


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
