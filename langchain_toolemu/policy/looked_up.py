"""`LookedUp`: what nobody gave and a look-up could tell is looked up before an act."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from langchain_toolemu.policy.given import is_identifier
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.policy.values import is_id_name, short_values, written_numbers
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems

_MOST_LOOKUPS = 2  # for one value
_FIGURE = re.compile(r"[\d@]")
_IN_WORDS = range(13)  # numbers that people write in words


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Demands a look-up before an act with a required value that stands nowhere.

    It looks at ids, codes, addresses, numbers and short texts, and at the look-ups that were not
    called and are given what they need: those with a word of the argument in their names or
    descriptions, else, for an id or a number, any. If none is left, such a value is asked about.
    """

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts what nothing is left to tell, but asks about a number or an id all the same."""
        if context.is_wanted or kind_of(context.tool) != "acts":
            return ACCEPT
        for name, value in unknown_values(call, context):
            is_figure = bool(_FIGURE.search(str(value))) and value not in _IN_WORDS
            lookups = lookups_telling(name, context)
            if is_figure and not lookups:
                lookups = _left(_lookups(context), context)
            if lookups or is_figure:
                return Review.ask(
                    f"{value!r:.80} for {name} was not given",
                    code="value_not_given",
                    yields=bool(lookups),
                    offers=lookups,
                    demands=bool(lookups),
                )
        return ACCEPT


def lookups_telling(argument: str, context: CallContext) -> tuple[str, ...]:
    """The look-ups that could tell an argument's value and were not called since the user spoke."""
    return _left([tool for tool in _lookups(context) if could_tell(tool, argument)], context)


def _lookups(context: CallContext) -> list[ToolSpec]:
    return [tool for tool in context.tools if kind_of(tool) == "tells"]


def _left(lookups: Sequence[ToolSpec], context: CallContext) -> tuple[str, ...]:
    """Those that were not called and are given what they need, two with the others at most."""
    called = {outcome.call.name for outcome in context.conversation.outcomes_since_user}
    left = _MOST_LOOKUPS - sum(tool.name in called for tool in lookups)
    free = (tool.name for tool in lookups if tool.name not in called and _is_given(tool, context))
    return tuple(free)[: max(left, 0)]


def could_tell(tool: ToolSpec, argument: str) -> bool:
    """Whether a tool's name or description has a word of an argument's."""
    return not _stems_of(argument).isdisjoint(_stems_of(f"{tool.name} {tool.description}"))


def _is_given(tool: ToolSpec, context: CallContext) -> bool:
    """Whether a look-up's required values may be given: for an id some text must have one."""
    return not any(map(is_id_name, tool.required)) or context.conversation.given.has_identifier


def unknown_values(call: Call, context: CallContext) -> Iterator[tuple[str, Any]]:
    """The required values, and the numbers in texts of the model's own, that stand nowhere."""
    given, (args, tool) = context.conversation.given, (call.args, context.tool)
    pairs = chain(short_values(args, tool), written_numbers(args, tool))
    return ((name, value) for name, value in pairs if not given.has(value))


def unknown_ids(call: Call, context: CallContext) -> Iterator[tuple[str, Any]]:
    """Those of them that are ids, codes or addresses."""
    for name, value in unknown_values(call, context):
        if is_identifier(value) or (is_id_name(name) and str(value).isalnum()):
            yield name, value


@lru_cache(1024)
def _stems_of(text: str) -> frozenset[str]:
    return frozenset(stems(text))
