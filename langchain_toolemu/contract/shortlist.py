"""Which of many tools are described in full: those whose words the conversation shares, by BM25.

What is shown with a message depends on the messages up to it alone. So the list only grows within a conversation, each
request begins as the one before it ended, and servers' prompt caches work.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage

from langchain_toolemu.messages.past_calls import calls_of, results_of, speaks
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.tools.stems import stems

_SATURATION, _LENGTH_WEIGHT = 1.5, 0.75  # BM25's k1 and b
_MAX_CHARS = 4000  # of a message: what is asked for is mostly at its end
_MAX_RESULT_CHARS = 300
_LEAST_SHARE = 0.25  # of the best tool's score: what has less was found by a common word
_STEP_SHARE = 4  # a result brings a quarter of the tools that a question brings
_RUN = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]+")  # of scripts without spaces
# Stems that say nothing of a tool; of a few tools, their number alone would not tell that.
_COMMON = frozenset({
    "about", "all", "and", "any", "are", "but", "can", "could", "did", "doe", "for", "from", "get", "has", "have", "her",
    "him", "his", "how", "its", "just", "let", "like", "may", "need", "not", "now", "one", "our", "out", "pleas", "she",
    "some", "thank", "that", "the", "them", "then", "there", "they", "thi", "use", "want", "wa", "were", "what", "when",
    "where", "which", "who", "will", "with", "would", "you", "your",
})  # fmt: skip
_IN_NAME = "="  # before a word of a tool's name, which is rare among names if not in descriptions


def terms_of(text: str) -> Iterator[str]:
    """The stems of a text's words; of scripts without spaces, pairs of characters."""
    yield from (stem for stem in stems(_RUN.sub(" ", text)) if stem not in _COMMON)
    for run in _RUN.findall(text):
        yield from (run[place : place + 2] for place in range(len(run) - 1))


class ToolIndex:
    """The words of the tools, for looking up which tools a text may mean."""

    def __init__(self, tools: ToolSet) -> None:
        self._weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        counts = [_term_counts(tool) for tool in tools]
        lengths = [sum(count.values()) for count in counts]
        average = sum(lengths) / max(len(lengths), 1) or 1
        found_in = Counter(term for count in counts for term in count)
        for number, count in enumerate(counts):
            norm = 1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * lengths[number] / average
            for term, times in count.items():
                rarity = math.log(1 + (len(counts) - found_in[term] + 0.5) / (found_in[term] + 0.5))
                weight = times * (_SATURATION + 1) / (times + _SATURATION * norm)
                self._weights[term].append((number, rarity * weight))

    def best(self, texts: Sequence[str], most: int) -> list[int]:
        """The numbers of the tools that the texts may mean, the likeliest first."""
        scores: dict[int, float] = defaultdict(float)
        for text in texts:
            for term in set(terms_of(text)):
                for key in (term, f"{_IN_NAME}{term}"):
                    for number, weight in self._weights.get(key, ()):
                        scores[number] += weight
        ranked = sorted(scores, key=lambda number: (-scores[number], number))[:most]
        return [number for number in ranked if scores[number] >= _LEAST_SHARE * scores[ranked[0]]]


def _term_counts(tool: ToolSpec) -> Counter[str]:
    words = "\n".join([tool.name, tool.description, *_schema_words(tool.parameters)])
    return Counter([*terms_of(words), *(f"{_IN_NAME}{term}" for term in terms_of(tool.name))])


def _schema_words(schema: Any, depth: int = 0) -> Iterator[str]:
    """The names of the arguments, their descriptions, and the values to choose from."""
    if not isinstance(schema, Mapping) or depth > 4:
        return
    if depth:
        yield str(schema.get("description", ""))
    yield from (value for value in schema.get("enum") or () if isinstance(value, str))
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, Mapping) else ():
        yield name
        yield from _schema_words(inner, depth + 1)
    yield from _schema_words(schema.get("items"), depth + 1)


@lru_cache(maxsize=32)
def _index_of(tools: ToolSet) -> ToolIndex:
    """The index of a tool set, once made: an agent binds the same tools at every step."""
    return ToolIndex(tools)


def likeliest_first(tools: ToolSet, text: str) -> tuple[str, ...]:
    """The names of all tools, before the others those that a text may mean."""
    found = _index_of(tools).best([text], len(tools))
    return tuple(dict.fromkeys([*(tools.names[number] for number in found), *tools.names]))


class ToolLimit(NamedTuple):
    """Above how many tools not all are described, and how many are then shown with a message at most.

    `list_chars`: how long the list of names may become by the first words of the descriptions.
    """

    above: int
    most: int
    list_chars: int = 3000


FEW_TOOLS = ToolLimit(above=8, most=5)
SOME_TOOLS = ToolLimit(above=20, most=5)
"""Five hold the right tool of 60 for 96 to 99 of 100 requests of BFCL, and of 200 for 95 to 98; eight one more, for 170 tokens."""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Which tools are described, and where; all others are listed by name."""

    in_list: tuple[str, ...]  # in the list itself, whatever is said
    by_message: tuple[tuple[int, tuple[str, ...]], ...]  # before the message of this number
    at_end: tuple[str, ...] = ()  # what must be called, which differs from turn to turn

    @property
    def names(self) -> tuple[str, ...]:
        """All that are described."""
        added = (name for _, names in self.by_message for name in names)
        return (*self.in_list, *added, *self.at_end)


def choose_tools(
    tools: ToolSet,
    messages: Sequence[BaseMessage],
    limit: ToolLimit | None,
    always: str | None = None,
    demanded: str | None = None,
) -> Shortlist | None:
    """Which tools are described; `None`: all of them, in the list. `always` is part of the list."""
    if limit is None:
        return None
    loaded = tuple(tool.name for tool in tools if not tool.is_deferred)
    if len(loaded) > limit.above:
        loaded = tuple(name for name in loaded if name == always)
    if len(loaded) == len(tools):
        return None
    added = tuple(_additions(tools, messages, limit.most, set(loaded)))
    known = Shortlist(loaded, added).names
    return Shortlist(loaded, added, (demanded,) if demanded and demanded not in known else ())


def _additions(
    tools: ToolSet, messages: Sequence[BaseMessage], most: int, known: set[str]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """For each message of a user's or a tool's, the tools that it may make needed, or that were called before it."""
    index, question, before = _index_of(tools), "", ""
    called: list[str] = []
    for number, message in enumerate(messages):
        called += [call.name for call in calls_of(message) if tools.exact(call.name)]
        results = [str(result.content)[:_MAX_RESULT_CHARS] for result in results_of(message)]
        if speaks(message):
            question, before = message.text[-_MAX_CHARS:], question
            # What is said now counts twice: it may only go on with what was said before.
            texts, count = [question, question, before], most
        elif results:
            texts, count = [question, *called, *results], -(-most // _STEP_SHARE)
        else:
            continue
        found = [tools.names[place] for place in index.best(texts, most)]
        found = [name for name in found if name not in known][:count]
        new = dict.fromkeys([*(name for name in called if name not in known), *found])
        called = []
        if new:
            known.update(new)
            yield number, tuple(new)
