"""Which values of a call are looked at, and `NotCopied`: values out of our own examples.

What a model writes itself, knows or takes from a page is not judged, nor is what a schema offers.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from langchain_toolemu.contract.example_values import copied_values
from langchain_toolemu.policy.conversation import keyed_scalars
from langchain_toolemu.policy.review import ACCEPT, LONG_TEXT, CallContext, Review
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems

MOST_VALUES = 100
"""So many values of one call are looked at."""

_NUMBER = re.compile(r"(?<![\w.,])\d{1,15}(?:\.\d{1,9})?(?![\w.,]?\d)")
_OWN_TEXT = re.compile(
    r"[{}()=<>;]|^[^\d@]{0,3}$|^.{61}|^\s*\d{1,4}([-/.])\d{1,2}(\1\d{1,4})?([T ]\d.{0,30})?\s*$",
    re.DOTALL,
)
"""A program or a filter, a symbol, a long text, a date."""
_NEUTRAL = (None, 0, 1)  # nobody says them: who orders a pizza orders one
_ID_NAME = re.compile(
    r"(?:^|_)(?:ids?|uuid|email|address|code|number|phone|iban|sku)$"
    r"|[a-z](?:Ids?|Uuid|Email|Address|Code|Number|Phone)$"
)
_WRITTEN = frozenset(
    stems("""
    query question search text message body content subject title prompt note reason request
    description summary comment expression formula code_block command script pattern thought task
    instruction goal plan answer keyword path file url key unit locale timezone format status
    """)
)
"""What arguments are called whose values a model writes itself, or takes from a page."""


@lru_cache(1024)
def is_written_text(argument: str) -> bool:
    """Whether an argument holds what a model writes itself."""
    return not (is_id_name(argument) or _WRITTEN.isdisjoint(stems(argument)))


def is_id_name(argument: str) -> bool:
    """Whether an argument's values are ids, codes or addresses."""
    return bool(_ID_NAME.search(argument))


def short_values(args: Mapping[str, Any], tool: ToolSpec) -> Iterator[tuple[str, Any]]:
    """The required numbers, ids and short texts of a call that somebody must have given."""
    pairs = (pair for name in tool.required for pair in keyed_scalars(args.get(name), name))
    for name, value in islice(pairs, MOST_VALUES):
        is_text = isinstance(value, str) and not is_id_name(name)
        is_own = is_text and (is_written_text(name) or _OWN_TEXT.search(value))
        if not (value in _NEUTRAL or is_own or is_offered(value, tool)):
            yield name, value


def written_numbers(args: Mapping[str, Any], tool: ToolSpec) -> Iterator[tuple[str, float]]:
    """The numbers in the texts that a model writes itself."""
    for name in tool.required:
        text = args.get(name)
        if isinstance(text, str) and len(text) < LONG_TEXT and is_written_text(name):
            for number in _NUMBER.findall(text)[:MOST_VALUES]:
                yield name, float(number)


def is_offered(value: Any, tool: ToolSpec) -> bool:
    """Whether the tool's schema has a value itself: as a member, a default or an example."""
    written = re.escape(repr(value))
    return bool(re.search(rf"(?<![\w.]){written}(?![\w.])", repr(tool.parameters)))


@dataclass(frozen=True, slots=True)
class NotCopied:
    """Refuses a call with a value or a made-up word of our own examples that nobody mentioned."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Final: such a value is never what the user means."""
        if not context.shows_examples:
            return ACCEPT
        args, talk = call.args.items(), context.conversation
        long = {name for name, value in args if isinstance(value, str) and len(value) >= LONG_TEXT}
        short = {name: value for name, value in args if name not in long}
        found = list(copied_values(short, talk.texts))
        if found:  # a number may have been said as 4,173
            numbers = " ".join(f"{number:.15g}" for number in talk.given.numbers)
            found = list(copied_values(short, (*talk.texts, numbers)))
        if not found:
            return ACCEPT
        argument, value = found[0]
        reason = f"{value} for {argument} is from the examples"
        return Review.ask(reason, final=True, code="copied_value")
