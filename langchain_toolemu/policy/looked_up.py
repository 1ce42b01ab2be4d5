"""`LookedUp`: what nobody gave and a look-up could tell is looked up before an act."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from langchain_toolemu.policy.given import is_identifier
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review, shown_value
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.policy.values import is_id_name, short_values
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems

_COMMON_WORDS = frozenset(
    stems("the and for with from get set all one use has its can you are not new this that into")
)
_MOST_LOOKUPS = 2  # for one value


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Demands a look-up before an act with a required value that stands nowhere.

    It looks at ids, codes, addresses, numbers and short texts, and whether a look-up that was not
    called has a word of the argument in its name or description, and is given what it needs.
    """

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts what nothing is left to tell."""
        if context.is_wanted or kind_of(context.tool) != "acts":
            return ACCEPT
        for name, value in short_values(call.args, context.tool):
            lookups = lookups_telling(name, context)
            if lookups and not context.conversation.given.has(value):
                return Review.ask(
                    f"{shown_value(value)} for {name} was not given",
                    code="value_not_given",
                    yields=True,
                    offers=lookups,
                    demands=True,
                )
        return ACCEPT


def lookups_telling(argument: str, context: CallContext) -> tuple[str, ...]:
    """The look-ups that could tell an argument's value, and were not called since the user spoke."""
    telling = [tool for tool in context.tools if could_tell(tool, argument)]
    called = {outcome.call.name for outcome in context.conversation.outcomes_since_user}
    left = _MOST_LOOKUPS - sum(tool.name in called for tool in telling)
    free = (tool.name for tool in telling if tool.name not in called and _is_given(tool, context))
    return tuple(free)[: max(left, 0)]


def could_tell(tool: ToolSpec, argument: str) -> bool:
    """Whether a tool looks something up, and its name or description has a word of an argument's."""
    is_said = not _stems_of(argument).isdisjoint(_stems_of(f"{tool.name} {tool.description}"))
    return is_said and kind_of(tool) == "tells"


def _is_given(tool: ToolSpec, context: CallContext) -> bool:
    """Whether a look-up's required values may be given: for an id some text must have one."""
    ids = any(map(is_id_name, tool.required))
    return not ids or context.conversation.given.has_identifier


def unknown_values(call: Call, context: CallContext) -> Iterator[str]:
    """The required arguments whose values stand nowhere."""
    given = context.conversation.given
    return (name for name, value in short_values(call.args, context.tool) if not given.has(value))


def unknown_ids(call: Call, context: CallContext) -> Iterator[str]:
    """Those of them whose values are ids, codes or addresses."""
    given = context.conversation.given
    for name, value in short_values(call.args, context.tool):
        is_id = is_identifier(value) or (is_id_name(name) and str(value).isalnum())
        if is_id and not given.has(value):
            yield name


@lru_cache(1024)
def _stems_of(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - _COMMON_WORDS
