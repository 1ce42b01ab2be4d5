"""`KnownIds` and `InOrder`: an id that nobody gave and that another tool could tell.

A model that writes several calls in one reply does not have their results yet. A further call waits if one of its values
is a placeholder for a result, or an id or an address that is nowhere in the conversation and that an earlier call could
yield. The same id in a first call is asked about: the tool that tells it is to be called first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.placeholders import placeholders
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review, shown_value
from langchain_toolemu.policy.values import MOST_VALUES, is_identifier, is_offered, scalars
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems

# Arguments whose values are never ordinary words.
_KEY = re.compile(r"(?:^|_)(?:id|ids|uuid|email|address)$|[a-z](?:Id|Ids|Uuid|Email|Address)$")
# What the names of tools begin with that do something, rather than tell something.
_CHANGES = re.compile(
    r"(?i:set|create|add|delete|remove|send|post|turn|update|write|cancel|make|book|start|stop|play|modify|edit|move|upload|pay"
    r"|order|insert|put|switch|control|call)(?![a-z])"
)
_COMMON = frozenset(
    stems("the and for with from get set all one use has its can you are not new this that into")
)


@dataclass(frozen=True, slots=True)
class UnknownId:
    """An id that nobody gave.

    Attributes:
        argument: The argument it is in.
        value: The id.
        source: The tool that could tell it.
    """

    argument: str
    value: str
    source: ToolSpec


@dataclass(frozen=True, slots=True)
class KnownIds:
    """Asks about an id or an address that nobody gave and that another bound tool could tell."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Looks at the required arguments."""
        if context.is_demanded:
            return ACCEPT
        needed = {name: call.args[name] for name in context.tool.required if name in call.args}
        telling = [one for one in context.tools if not _CHANGES.match(one.name)]
        found = _unknown_id(needed, telling, context)
        if found is None:
            return ACCEPT
        return Review.ask(
            f"{shown_value(found.value)} for {found.argument} was not given",
            corrections.unknown_id(call.name, found.argument, found.value, found.source.name),
            code="unknown_id",
        )


@dataclass(frozen=True, slots=True)
class InOrder:
    """Holds a further call of a reply back that needs the result of an earlier one."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Says nothing of the first call, nor where the caller wants several calls at once."""
        if not context.earlier or context.parallel is True:
            return ACCEPT
        argument = _pending_argument(call, context)
        if argument is None:
            return ACCEPT
        reason = f"{argument} needs the result of an earlier call"
        return Review.hold_back(reason, code="out_of_order")


def _pending_argument(call: Call, context: CallContext) -> str | None:
    """The argument whose value is not known before an earlier call has its result."""
    if found := next(placeholders(call, context), None):
        return found.argument
    names = {past.name for past in context.earlier}
    unknown = _unknown_id(call.args, [one for one in context.tools if one.name in names], context)
    return unknown.argument if unknown else None


def _unknown_id(
    args: Mapping[str, Any], sources: Sequence[ToolSpec], context: CallContext
) -> UnknownId | None:
    """The first id that nobody gave and that one of these tools could tell."""
    for name, value in islice(scalars(args), MOST_VALUES):
        if isinstance(value, str) and _is_unknown(name, value, context):
            # By the argument's name, for a description speaks of the whole subject. `to` says nothing, an address does.
            wanted = _telling_stems(name) | (_ADDRESS if "@" in value else frozenset())
            others = (one for one in sources if one.name != context.tool.name)
            source = next((one for one in others if not wanted.isdisjoint(_told_by(one))), None)
            if source:
                return UnknownId(name, value, source)
    return None


def _is_unknown(name: str, value: str, context: CallContext) -> bool:
    """Whether a text is an id or an address that was neither said nor offered."""
    is_word = not re.search(r"[\d@]", value[:_LONGEST]) and not value.isupper()
    if not (is_identifier(value) or (is_word and _KEY.search(name))):
        return False
    index = context.conversation.index
    said = index.mentions_word(value) or index.mentions_digits(value)
    return not (said or is_offered(value, context.tool))


_LONGEST = 200  # characters of a value
_ADDRESS = frozenset(stems("email mail contact address"))


def _told_by(tool: ToolSpec) -> frozenset[str]:
    """The stems of what a tool is for."""
    return _telling_stems(f"{tool.name} {tool.description}")


@lru_cache(1024)
def _telling_stems(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - _COMMON
