"""Which look-up tools could tell a value that a call lacks, and which of them had their tries in vain."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from langchain_toolemu.policy.made_up_values import is_id_name, is_written_text
from langchain_toolemu.policy.outcomes import CallOutcome
from langchain_toolemu.policy.review import CallContext
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems

_REACHED_AT = re.compile(
    r"(?i)(?:(?:phone|mobile|(?<![a-z])tel|fax)(?:[_-]?number)?|e?mail(?:[_-]?address)?)$"
)
"""What arguments are called by whose values somebody is reached."""

_DESCRIBED_AS_MAIL = re.compile(
    r"(?i)(?:list of |the |a |work |their |\w+'s |contact )*e-?mail(?:s| address(?:es)?)?\b"
)
_ADDRESS = frozenset(stems("email mail contact address"))
_NAME = frozenset(stems("name query search title person customer contact member client user"))
_PERSON = re.compile(r"(?:[^\W\d_][\w'-]{0,40}\.?(?: |\Z)){1,6}")
"""Somebody's name, such as Ruben Castell; no address of a page."""

_DAY = frozenset(stems("date day"))
_ANY_DAY = "2000-01-01"
_NUMBER_OR_ADDRESS = re.compile(r"@|(?<![\d+.,])\d{3,8}(?![\d.,])")  # no phone number, no sum

_COMMON_WORDS = frozenset(
    stems("the and for with from get set all one use has its can you are not new this that into")
)
_MOST_FRUITLESS = 2  # calls of one tool: of recorded runs, none was done after them


def fruitless(tool: str, context: CallContext) -> list[CallOutcome]:
    """The calls of a tool since the user spoke that found nothing, or failed for their values."""
    outcomes = context.conversation.outcomes_since_user
    return [outcome for outcome in outcomes if outcome.call.name == tool and outcome.is_fruitless]


def is_exhausted(tool: str, context: CallContext) -> bool:
    """Whether a look-up had its tries in vain."""
    return len(fruitless(tool, context)) >= _MOST_FRUITLESS


def lookups_telling(argument: str, call: Call, context: CallContext) -> tuple[str, ...]:
    """The look-up tools that could tell an argument's value: by their words, or else because they need what the call has.

    Until they were called, no others; and none that needs the value itself, if there are others.
    """
    value = call.args.get(argument)
    lookups = [tool for tool in context.tools if tool.name in context.lookups]
    others = [
        tool for tool in lookups if tool.name != call.name and not is_exhausted(tool.name, context)
    ]
    free = [tool for tool in others if argument not in tool.required] or others
    if is_address(argument, context.tool) and _PERSON.fullmatch(str(value)):
        free = [tool for tool in free if _takes_name(tool)] or free
    telling = [tool for tool in free if could_tell(tool, argument, value)]
    telling = telling or [tool for tool in free if not call.args.keys().isdisjoint(tool.required)]
    needed = {name for tool in telling for name in tool.required} - {*call.args}
    first = [tool for tool in free if any(_is_named_for(tool, name) for name in needed)]
    if not context.conversation.has_code:
        telling = [tool for tool in telling if not _needs_id_of(tool, first, call, context)]
    named = {tool.name for tool in (*telling, *first)}
    untried = {tool.name for tool in free if tool.name in context.untried}
    uncalled = {tool.name for tool in free if tool.name in context.uncalled}
    # One that found nothing may do so again.
    again = (named & untried) | uncalled if named & untried else named | untried
    named = named & uncalled or again
    return tuple(tool.name for tool in free if not named or tool.name in named)


def lookups_for(failed: ToolSpec, context: CallContext) -> tuple[str, ...]:
    """The look-ups that were not made yet and could tell what a failed call needs; any, if nothing was found so far."""
    others = _uncalled_besides(failed.name, context)
    telling = [tool for tool in others if any(could_tell(tool, name) for name in failed.required)]
    chosen = telling if telling or context.has_looked_up else others
    return tuple(tool.name for tool in chosen)


def lookups_without_id(call: Call, context: CallContext) -> tuple[str, ...]:
    """The other look-ups that were not made yet, without those that need an id while nobody gave any."""
    others = _uncalled_besides(call.name, context)
    return tuple(tool.name for tool in others if not _lacks_code(tool, context))


def fillable(names: tuple[str, ...], context: CallContext) -> tuple[str, ...]:
    """Those of the look-ups that need neither a code nor a day while nobody gave any; all, if there are no others."""
    demanded = [tool for tool in context.tools if tool.name in names]
    lacking = [
        tool.name
        for tool in demanded
        if tool.name in context.lookups
        and (_lacks_code(tool, context) or _lacks_day(tool, context))
    ]
    return tuple(name for name in names if name not in lacking) or names


def _lacks_code(tool: ToolSpec, context: CallContext) -> bool:
    if context.has_looked_up or context.conversation.has_code:
        return False
    was_given = _NUMBER_OR_ADDRESS.search(context.conversation.recent_words)
    return not was_given and any(map(is_id_name, tool.required))


def _lacks_day(tool: ToolSpec, context: CallContext) -> bool:
    needs_day = any(not _DAY.isdisjoint(stems(name)) for name in tool.required)
    return needs_day and not context.given.speaks_of_time(_ANY_DAY)


def _uncalled_besides(name: str, context: CallContext) -> list[ToolSpec]:
    return [tool for tool in context.tools if tool.name in context.uncalled and tool.name != name]


def is_address(argument: str, tool: ToolSpec) -> bool:
    """Whether somebody is reached by an argument's value: by its name, or because it is described as an e-mail address."""
    if _REACHED_AT.search(argument):
        return True
    described = str(tool.schema_of(argument).get("description", ""))
    is_text = is_written_text(argument) or " or " in described
    return not is_text and bool(_DESCRIBED_AS_MAIL.match(described))


def _takes_name(tool: ToolSpec) -> bool:
    """Whether somebody can be looked up by name."""
    return any(not _NAME.isdisjoint(stems(argument)) for argument in tool.required)


def _needs_id_of(
    tool: ToolSpec, first: Sequence[ToolSpec], call: Call, context: CallContext
) -> bool:
    """Whether a tool needs an id that others tell first, none of which was called yet."""
    needed = [name for name in tool.required if is_id_name(name) and name not in call.args]
    tellers = ([other.name for other in first if _is_named_for(other, name)] for name in needed)
    return any(names and {*names} <= {*context.untried} for names in tellers)


def _is_named_for(tool: ToolSpec, argument: str) -> bool:
    """Whether a tool is called after an argument that it does not need: `find_order` tells an `order_id`."""
    return argument not in tool.required and bool(_stems_of(argument) & _stems_of(tool.name))


def could_tell(tool: ToolSpec, argument: str, value: Any = None) -> bool:
    """Whether a tool's name or description mentions an argument's name; `to` says nothing, but an address does."""
    wanted = _stems_of(argument) | (_ADDRESS if "@" in str(value) else frozenset())
    return bool(wanted & _stems_of(f"{tool.name} {tool.description}"))


@lru_cache(1024)
def _stems_of(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - _COMMON_WORDS
