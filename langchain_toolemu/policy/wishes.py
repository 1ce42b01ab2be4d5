"""What a user asks for, and what is ruled out, by the words of the tools' names; and the act that a model began with."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from langchain_core.messages import AIMessage

from langchain_toolemu.language.english import ENGLISH
from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import DEPENDS, EMBEDDED_QUESTION, NO_REQUEST, RULED_OUT
from langchain_toolemu.policy.conversation_index import name_stems, topic_stems, verb_stem
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stem_of, stems

MOST_WORDS = 10_000
"""In characters, from the end of a user's words: patterns are looked for in no more."""

MESSAGE = frozenset(stems("message body text comment note content"))
"""What arguments are called that hold what somebody is told."""

_RECIPIENT = frozenset(stems("recipient phone mobile email mail address channel receiver contact"))
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w|(?<!\w)#[a-z][\w-]{2}")
_CAPITALISED = re.compile(r"\s[A-Z\u00c0-\u00de][^\W\d_]")
_TELL_SOMEBODY = re.compile(
    rf"(?i:\b(?:{ENGLISH.tell}))\s(?:[A-Z\u00c0-\u00de][^\W\d_]|(?:her|him|them)\b)"
)


def wanted_topics(spoken: str) -> frozenset[str]:
    """The stems of a user's words without what is ruled out: "no e-mails"."""
    older, last = spoken[:-MOST_WORDS], spoken[-MOST_WORDS:]
    return topic_stems(f"{older}{RULED_OUT.pattern.sub(' ', last)}")


def acts_wanted(spoken: str, tools: Sequence[ToolSpec]) -> dict[str, frozenset[str]]:
    """The acts that a user asks for, by their names or by whom they reach, each with the words that name it, if any do."""
    acts = [tool for tool in tools if kind_of(tool) == "acts"]
    own = own_stems(tuple(tool.name for tool in tools))
    named = _acts_named(spoken, [tool.name for tool in acts], own)
    return named | dict.fromkeys(message_wanted(spoken, acts), frozenset())


def _acts_named(
    spoken: str, acts: Sequence[str], own: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    """The acts that a user names; of those with one verb, the ones of whose names the most words are said."""
    wanted = wanted_topics(spoken)
    ruled_out = topic_stems(spoken) - wanted
    certain = (wanted_topics(_requests_in(spoken)) & wanted) - _PEOPLE
    candidates = (name for name in acts if not certain.isdisjoint(own[name]))
    named = {
        name: certain & name_stems(name) for name in candidates if not verb_stem(name) <= ruled_out
    }
    most: dict[frozenset[str], int] = {}
    for name, words in named.items():
        most[verb_stem(name)] = max(len(words), most.get(verb_stem(name), 0))
    return {name: words for name, words in named.items() if len(words) == most[verb_stem(name)]}


def message_wanted(spoken: str, tools: Sequence[ToolSpec], *, by_address: bool = True) -> set[str]:
    """The one act that sends a message, if the user wants somebody told something, or names an address."""
    senders = [tool for tool in tools if kind_of(tool) == "acts" and sends_message(tool)]
    verb = verb_stem(senders[0].name) if len(senders) == 1 else frozenset()
    if not verb or verb <= topic_stems(spoken) - wanted_topics(spoken):
        return set()
    words = _requests_in(spoken)
    question = EMBEDDED_QUESTION.search(fold_letters(words))
    names_somebody = question and _CAPITALISED.search(words[question.start() : question.end()])
    has_address = by_address and _ADDRESS.search(words)
    is_wanted = names_somebody or has_address or _TELL_SOMEBODY.search(words)
    return {senders[0].name} if is_wanted else set()


def act_begun(reply: AIMessage, tools: Sequence[ToolSpec]) -> set[str]:
    """The act that a reply called in vain, since it lacked a value, if it was one only: then it is what the user wants.

    Of 186 recorded first replies with one such act, 182 needed it; of 8 with two, 5 needed both.
    """
    report = reply.response_metadata.get("toolemu")
    doubted = report.get("doubted") if isinstance(report, Mapping) else ()
    lacking = {
        call.get("name")
        for call in doubted or ()
        if not call.get("made") and str(call.get("reason")).startswith(_LACKS_VALUE)
    }
    begun = {tool.name for tool in tools if tool.name in lacking and kind_of(tool) != "tells"}
    return begun if len(begun) == 1 else set()


_LACKS_VALUE = ("copied_value:", "out_of_order:", "placeholder:", "unknown_id:", "value_not_given:")
"""How the reasons begin for which a call is doubted that lacks a value."""


def sends_message(tool: ToolSpec) -> bool:
    """Whether a tool takes a text that the model writes, and whom it is for."""
    words = frozenset(stems(" ".join(tool.required)))
    return bool(MESSAGE & words and (_RECIPIENT & words or "to" in tool.required))


def _requests_in(spoken: str) -> str:
    """What a user asks for: without questions, and without what depends on a condition."""
    sentences = _SENTENCE.findall(spoken[-MOST_WORDS:])
    certain = (text for text in sentences if not DEPENDS.search(fold_letters(text)))
    return NO_REQUEST.pattern.sub(" ", "".join(certain))


_SENTENCE = re.compile(r"[^.!?\n\u3002\uff01\uff1f]*(?:[.!?\n\u3002\uff01\uff1f]|\Z)")
_PEOPLE = frozenset(map(stem_of, ENGLISH.people.split()))


@lru_cache(64)
def own_stems(tools: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """By the tools' names, the stems of each one's verb, and of the words of its name that no other tool has."""
    shared = Counter(stem for name in {*tools} for stem in name_stems(name))
    own = {
        name: frozenset(stem for stem in name_stems(name) if shared[stem] == 1) for name in tools
    }
    return {
        name: own[name] | (verb_stem(name) & name_stems(name)) or name_stems(name) for name in tools
    }
