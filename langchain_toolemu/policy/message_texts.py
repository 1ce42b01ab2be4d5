"""`TellsFindings`: what a small model writes to somebody after it looked something up; and what nobody looked up yet."""

import json
import re
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import ASK_SOMEBODY, EMBEDDED_QUESTION
from langchain_toolemu.policy.conversation_index import topic_stems
from langchain_toolemu.policy.review import ACCEPT, LONG_TEXT, CallContext, Review, shown_value
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.policy.wishes import MESSAGE
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools.stems import stems

_FACT = re.compile(
    r"[\w.+-]{1,60}@[\w.-]{1,60}|\d+(?:[.,]\d+)?|(?<=[^\s.!?:] )[A-Z\u00c0-\u00de][^\W\d_]{2,40}"
)
"""What a result may tell: addresses, numbers, names."""

_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_ASKS = re.compile(r"[?\uff1f\u061f]")
_SENTENCE_END = re.compile(r"[.!?\n\u3002\uff01\uff1f]")
_MOST_TOLD = 20_000  # characters of the results, and of the arguments
_FEWEST_RETOLD = 3  # a name and what it is about would be two


@dataclass(frozen=True, slots=True)
class TellsFindings:
    """Asks a small model about a message that says nothing of what was looked up for it."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts a call that has any value of a result."""
        if context.is_wanted or not (context.is_small and context.has_looked_up):
            return ACCEPT
        texts = [name for name in call.args if holds_message(name)]
        if kind_of(context.tool) != "acts" or not texts:
            return ACCEPT
        name = texts[-1]
        text = str(call.args[name])
        if len(text) >= LONG_TEXT or _is_quoted(text, context) or _tells_any(call, text, context):
            return ACCEPT
        return Review.ask(
            f"{shown_value(text)} for {name} says nothing of what was looked up",
            corrections.says_no_finding(call.name, name, context.findings[-1]),
            code="value_not_given",
            yields=True,
            must_insist=True,
        )


def _tells_any(call: Call, text: str, context: CallContext) -> bool:
    """Whether a call has anything that the results tell; where a question is to be answered, the message itself a number of them."""
    results = "\n".join(context.findings)[-_MOST_TOLD:]
    facts = {*_FACT.findall(results)} - {*_FACT.findall(context.conversation.users_words)}
    written = json.dumps(call.args, ensure_ascii=False)[:_MOST_TOLD]
    with_points = _DECIMAL_COMMA.sub(".", text)
    if any(fact in text or fact in with_points for fact in facts):
        return True
    given = context.given
    # A number that neither user nor tool wrote, and that can be calculated from theirs.
    if given.accounts_for(text) and not given.mentions_numbers_of(text):
        return True
    unused = [fact for fact in facts if fact not in written]
    if not _answers_question(text, context):
        return len(unused) < len(facts) or not facts
    return not any(fact[0].isdigit() for fact in unused)


def holds_message(argument: str) -> bool:
    """Whether an argument holds what somebody is told."""
    return not MESSAGE.isdisjoint(stems(argument))


def _is_quoted(text: str, context: CallContext) -> bool:
    """Whether a message is the user's own words."""
    return fold_letters(text).strip(" .!") in fold_letters(context.conversation.users_words)


def tells_unknown(argument: str, value: Any, context: CallContext) -> bool:
    """Whether a small model tells somebody what was not looked up, though the user says so: "Tell Bo how long it takes"."""
    if not context.is_small or not holds_message(argument):
        return False
    if context.has_looked_up or _is_quoted(str(value), context):
        return False
    return _answers_question(str(value), context)


def _is_retold(message: str, words: str, besides: str) -> bool:
    """Whether a message has no other words than the user's, and some that are none of the question."""
    topics, known, elsewhere = map(topic_stems, (message, words, besides))
    return topics <= known and len(topics & elsewhere) >= _FEWEST_RETOLD


def _answers_question(text: str, context: CallContext) -> bool:
    """Whether a message is to tell somebody what the user does not know: "Tell Bo how long it takes"."""
    words = fold_letters(context.conversation.recent_words)
    found = EMBEDDED_QUESTION.search(words)
    if found is None or (_ASKS.search(text) and ASK_SOMEBODY.search(words)):
        return False
    end = _SENTENCE_END.search(words, found.end())
    besides = f"{words[: found.end()]} {words[end.start() :] if end else ''}"
    return not _is_retold(text, words, besides)
