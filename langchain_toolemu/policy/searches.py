"""What else a call could be made with that found nothing or failed for its values: the words of the user and of the results."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from langchain_toolemu.language.english import ENGLISH
from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import FOREIGN
from langchain_toolemu.policy.conversation import CODE, Conversation, texts_in
from langchain_toolemu.policy.conversation_index import topic_stems
from langchain_toolemu.policy.entries import LONGEST_LIST, entries_of
from langchain_toolemu.policy.made_up_values import (
    CODE_NAME,
    is_date_or_time,
    is_identifier,
    is_written_text,
)
from langchain_toolemu.policy.outcomes import CallOutcome, is_about_values
from langchain_toolemu.policy.tool_kinds import is_verb, kind_of
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation import read_json

_CLAUSE = re.compile(
    r"[^,.;:!?()\[\]{}\"\n\u201c-\u201f\u00ab\u00bb\u3001-\u303f\uff01-\uff20]{1,400}"
)
_FIRST_WORD = re.compile(r"(?:\A|[.!?\n])\s{0,8}([^\W\d_]+)")  # of a sentence
_NAME_AS_KEY = re.compile(r'"([A-Z][^"\n]{0,39})"\s*:')  # {"FreshCo": 1.79}
_SMALL = frozenset(f"{ENGLISH.small_words} {ENGLISH.common_words}".split()) | FOREIGN
_LETTER = re.compile(r"[\w#]")
_ONE_LETTER = frozenset("aeiouy")  # I, A
_SHORTEST_WORD = 2  # letters of words that say nothing
_LONGEST_PHRASE = 4  # words
_LONGEST_VALUE = 40  # characters
_MOST_PHRASES = 120
_MOST_FRUITLESS = 2  # calls of one tool: of recorded runs, none was done after them
_MOST_CHARS = 1000  # of the user's words, and of the results


def fruitless(tool: str, conversation: Conversation) -> list[CallOutcome]:
    """The calls of a tool since the user spoke that found nothing, or failed for their values."""
    return [
        outcome
        for outcome in conversation.outcomes_since_user
        if outcome.call.name == tool and not outcome.tells and _is_for_values(outcome)
    ]


def is_exhausted(tool: str, conversation: Conversation) -> bool:
    """Whether a look-up had its tries in vain."""
    return len(fruitless(tool, conversation)) >= _MOST_FRUITLESS


def _is_for_values(outcome: CallOutcome) -> bool:
    return outcome.result is not None or is_about_values(outcome.failure)


def other_values(tool: ToolSpec, conversation: Conversation) -> dict[str, tuple[str, ...]]:
    """By the arguments of an act that failed for its values, the codes that results told: of the entries that are most like the request."""
    written = _written(fruitless(tool.name, conversation))
    found = _codes_told(conversation) if written else []
    others: dict[str, tuple[str, ...]] = {}
    for name in filter(written[-1].__contains__, tool.required) if found else ():
        last = str(written[-1][name])
        was_given = is_identifier(last) and last in conversation.users_words
        is_text = is_written_text(name) and not CODE_NAME.search(name)
        if _is_free_text(tool, name) and not (is_text or was_given):
            tried = {str(args.get(name)) for args in written}
            others[name] = tuple(code for code in found if code not in tried)
    return {name: codes for name, codes in others.items() if codes}


def _codes_told(conversation: Conversation) -> list[str]:
    """The codes of the entries that share the most words with the user's, without those that somebody wrote before."""
    outcomes = conversation.telling_outcomes
    if any(len(outcome.result or "") > LONGEST_LIST for outcome in outcomes):
        return []
    written_before = conversation.users_words + "".join(str(found.call.args) for found in outcomes)
    entries = [entry for outcome in outcomes for entry in entries_of(outcome.result or "")]
    shared = [len(topic_stems(entry) & conversation.users_topics) for entry in entries]
    most = max(shared, default=0)
    likest = [entry for entry, words in zip(entries, shared, strict=True) if words == most]
    codes = dict.fromkeys(code for entry in likest for code in CODE.findall(entry))
    return [code for code in codes if code not in written_before]


def _written(outcomes: list[CallOutcome]) -> list[Mapping[str, Any]]:
    return [outcome.call.args for outcome in outcomes if isinstance(outcome.call.args, Mapping)]


def other_searches(tool: ToolSpec, conversation: Conversation) -> dict[str, tuple[str, ...]]:
    """By the arguments of a look-up that found nothing, the texts that it was not asked for; empty if there are none, or it had its tries."""
    tried = fruitless(tool.name, conversation) if kind_of(tool) == "tells" else []
    if not 0 < len(tried) < _MOST_FRUITLESS:
        return {}
    written = _written(tried)
    names = [name for name in tool.properties if _is_free_text(tool, name)]
    used = [name for name in names if any(name in args for args in written)]
    if not used:
        return {}
    phrases = _phrases(conversation)
    if len(used) == 1:
        failed = [text for args in written if (text := str(args.get(used[0])).lower())]
        phrases = list(_without(failed, phrases, conversation.users_words))
    if not phrases:
        return {}
    # Of several arguments one may be right, above all a date, which the user writes otherwise.
    dates = {name: [args[name] for args in written if _is_date(args.get(name))] for name in used}
    return {name: (*phrases, *dates[name]) for name in used}


def _without(failed: list[str], phrases: list[str], words: str) -> Iterator[str]:
    """The phrases that may be found: fewer words than those that were not, and without the verb that a sentence began with."""
    first_words = {word.lower() for word in _FIRST_WORD.findall(words)}
    verbs = first_words.intersection(text.split()[0] for text in failed if " " in text.strip())
    for text in phrases:
        if not any(map(text.lower().__contains__, failed)) and text.split()[0].lower() not in verbs:
            yield text


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and is_date_or_time(value)


def _is_free_text(tool: ToolSpec, argument: str) -> bool:
    schema = tool.properties.get(argument)
    return isinstance(schema, Mapping) and schema.get("type") == "string" and "enum" not in schema


def _phrases(conversation: Conversation) -> list[str]:
    """What the user's words and the results speak of: names, quotations, codes, up to four words that follow each other."""
    words = conversation.users_words[-_MOST_CHARS:]
    results = [outcome.result or "" for outcome in conversation.telling_outcomes]
    found = "\n".join(results)[-_MOST_CHARS:]
    texts = (*conversation.quotations, *_spans(words), *CODE.findall(found), *_values_in(results))
    return [*islice(filter(None, dict.fromkeys(text.strip() for text in texts)), _MOST_PHRASES)]


def _spans(text: str) -> Iterator[str]:
    """The names in each clause, and its other words, up to four in a row; the verb that it begins with is none."""
    for clause in _CLAUSE.findall(text):
        words = clause.split()
        for start, first in enumerate(words):
            is_verb_or_small = _is_small(first if start else first.lower()) or (
                not start and is_verb(first.lower())
            )
            for end in range(start + 1, min(start + _LONGEST_PHRASE, len(words)) + 1):
                if not is_verb_or_small and _belongs_together(words[start:end], begins=not start):
                    yield " ".join(words[start:end])


def _belongs_together(span: list[str], *, begins: bool) -> bool:
    """Whether words are a name from its beginning to its end, or no part of one: not `Middlemarch for card`, nor `fee and`.

    What begins a clause is written large anyway. What is found by more words is found by fewer.
    """
    large = [word[:1].isupper() for word in span]
    if not any(large[begins:]):
        return not any(map(_is_small, span[1:]))
    is_number = span[-1][:1].isdigit() and large[-2]
    return (large[0] or begins) and (large[-1] or is_number)


def _is_small(word: str) -> bool:
    """Whether a word says nothing by itself: `a`, `the`, `she'll`; `-` is none."""
    plain = fold_letters(word).partition("'")[0]
    if not _LETTER.match(word) or plain in _ONE_LETTER:
        return True
    is_short = plain.isascii() and len(plain) <= _SHORTEST_WORD
    return word.islower() and (is_short or plain in _SMALL)


def _values_in(results: list[str]) -> Iterator[str]:
    """The short texts of results in JSON, and the names among their keys."""
    for result in results:
        value = read_json(result[:_MOST_CHARS])
        yield from (text for text in texts_in(value) if 1 < len(text) <= _LONGEST_VALUE)
        yield from _NAME_AS_KEY.findall(result[:_MOST_CHARS])
