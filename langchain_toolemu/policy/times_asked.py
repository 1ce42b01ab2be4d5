"""How often the user's words ask for a call: "twice", "again", "three timers", "one for each", "until it is done"."""

import re
from typing import Any

from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import COUNTS, EACH, MORE, NOT_MORE, SEVERAL, UNTIL
from langchain_toolemu.policy.conversation import CODE
from langchain_toolemu.policy.conversation_index import (
    name_stems,
    numbers_said,
    topic_stems,
    verb_stem,
)
from langchain_toolemu.policy.made_up_values import LONGEST_VALUE, is_identifier, is_written_text
from langchain_toolemu.policy.review import CallContext
from langchain_toolemu.policy.tool_kinds import has_known_kind, kind_of
from langchain_toolemu.policy.wishes import own_stems
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools.stems import stem_of

_COUNT = re.compile(
    r"(?<![\w.-])(?:\d{1,2}|[a-z]{3,6})(?![\w-]|\.\d)", re.IGNORECASE
)  # a word by itself, no part of an id or of a decimal
_COUNTED_THING = re.compile(
    r"(?<![\w.-])(?=(\d{1,2}|[^\W\d_]{3,8})\s(?:[^\W\d_]{1,20}\s)?([^\W\d_]{3,30}s)\b)"
)  # three timers, 4 kitchen timers
_MOST_COUNTED = 20  # a larger number is rather an amount
_ID = re.compile(rf"{CODE.pattern}|[\w.+-]{{1,60}}@[\w-]{{1,60}}(?:\.[\w-]{{1,60}})*")


def times_asked(call: Call, context: CallContext) -> float:
    """How often the user asks for the same thing; 0 if the user does not say."""
    words = _words_besides(call, context)
    found = [
        match
        for match in MORE.pattern.finditer(words)
        if _means_more(match, words) and not _is_of_another(match, context)
    ]
    words_before = [(match["count"] or "").lower() for match in found]
    counted = [n for word in words_before for n in (*numbers_said(word), COUNTS.get(word, 0))]
    counted += [3 for match in found if match["thrice"]]
    kind = kind_of(context.tool)
    counted += [_MOST_COUNTED] if kind != "acts" and UNTIL.pattern.search(words) else []
    if kind == "repeatable":
        # Three labels are three calls.
        counts = _COUNT.findall(words) if has_known_kind(context.tool) else ()
        counted += (n for count in counts for n in numbers_said(count))
    return max((n for n in [2 if found else 0, *counted] if n <= _MOST_COUNTED), default=0)


def things_asked(call: Call, context: CallContext) -> float:
    """How many of what an act makes the user asks for: "three timers", "one for each"; a number that the call has is none of these.

    Of things that the call tells apart, such as "two bills, 7 and 8", each is wanted once.
    """
    words = _words_besides(call, context)
    if EACH.pattern.search(words):
        return _MOST_COUNTED
    things = name_stems(call.name) - verb_stem(call.name)
    if any(_tells_apart(name, value, things, words) for name, value in call.args.items()):
        return 0
    things |= _stems_of_short_values(call)
    pairs = _COUNTED_THING.findall(fold_letters(words))
    counted = [
        number
        for count, thing in pairs
        if stem_of(thing) in things
        for number in (*numbers_said(count), COUNTS.get(count, 0))
    ]
    had = [value for value in call.args.values() if isinstance(value, int | float)]
    return max((n for n in counted if n <= _MOST_COUNTED and n not in had), default=0)


def _stems_of_short_values(call: Call) -> frozenset[str]:
    """What a call is for, by its short values: two margheritas are two of `pizza="margherita"`."""
    short = (
        value
        for name, value in call.args.items()
        if isinstance(value, str) and not is_written_text(name)
    )
    return topic_stems(" ".join(value for value in short if len(value) <= LONGEST_VALUE))


def _words_besides(call: Call, context: CallContext) -> str:
    """What the user says besides what the call itself quotes: "Write: I called you twice."."""
    words = context.conversation.recent_words
    for text in call.args.values():
        if isinstance(text, str) and " " in text.strip():
            words = words.replace(text, " ")
    return words


def _tells_apart(argument: str, value: Any, things: frozenset[str], words: str) -> bool:
    """Whether an argument says which thing is meant: `bill` of `pay_bill`, one of several ids or addresses."""
    if not things.isdisjoint(name_stems(argument)):
        return True
    if not isinstance(value, str) or not ("@" in value or is_identifier(value)):
        return False
    return value not in words or any(other != value for other in _ID.findall(words))


def _means_more(found: re.Match[str], words: str) -> bool:
    """Whether words for more than once mean that: not "une seule fois", nor "do not pay her again"."""
    count = (found["count"] or "").lower()
    counts = not count or count in COUNTS or count in SEVERAL or bool(numbers_said(count))
    return counts and not NOT_MORE.pattern.search(words[: found.end()])


def _is_of_another(found: re.Match[str], context: CallContext) -> bool:
    """Whether "and run the tests again" speaks of another tool."""
    spoken = topic_stems(found[0])
    own = own_stems(tuple(tool.name for tool in context.tools))
    if not spoken.isdisjoint(name_stems(context.tool.name)):
        return False
    return any(not spoken.isdisjoint(words) for words in own.values())
