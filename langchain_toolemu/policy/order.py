"""`InOrder`: a further call of a reply that needs the result of another one waits for it.

- It is neither made nor asked about: the model writes it again after the result. What waits is not in the history.
- It waits for a call of another tool, whatever became of that one, but not for one that was answered with these arguments since
  the user spoke: a model that writes look-up and act each time would wait for ever.
- Small models also make up what a look-up beside the call would tell: a number, a short text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.policy.grounding import has_wrong_form, unknown_id
from langchain_toolemu.policy.lookups import could_tell
from langchain_toolemu.policy.made_up_values import (
    LONGEST_SYMBOL,
    LONGEST_VALUE,
    NEUTRAL,
    find_placeholder,
    required_values,
)
from langchain_toolemu.policy.review import ACCEPT, LONG_TEXT, CallContext, Review
from langchain_toolemu.policy.tool_kinds import has_known_kind, kind_of
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ToolSpec

_REFERENCE = re.compile(r"(?i:the|its|his|her|their|this|that|these|those)\s(?=[a-z])")
"""How a text begins that only says what should stand there: "the contents of the page"; "The Thinker" is a title."""

OUT_OF_ORDER = "out_of_order"
ANSWER_WAITS = Review.hold_back("the answer waits for the results", code=OUT_OF_ORDER)
"""Of an answer in a form that is given beside calls."""


@dataclass(frozen=True, slots=True)
class InOrder:
    """Holds back a further call of a reply that needs the result of an earlier one."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts the first call, and all if the caller wants several at once."""
        if not context.beside or context.parallel is True:
            return ACCEPT
        awaited = [
            earlier
            for earlier in context.beside
            if earlier.name != call.name
            and not (isinstance(earlier, Call) and context.conversation.has_answered(earlier))
        ]
        if not awaited:
            return ACCEPT
        why = _why_it_waits(call, awaited, context)
        return Review.hold_back(why, code=OUT_OF_ORDER) if why else ACCEPT


def _why_it_waits(call: Call, awaited: Sequence[Call | BadCall], context: CallContext) -> str:
    """Why a call needs the result of another one; empty if it does not."""
    if context.follows_waiting and kind_of(context.tool) == "acts":
        return "a call before it waits for a result"
    sources = _sources(call, awaited, context)
    found = find_placeholder(call, context) or unknown_id(call.args, sources, context)
    argument = found.argument if found else _made_up_argument(call, sources, context)
    return f"{argument} needs the result of an earlier call" if argument else ""


def _sources(call: Call, awaited: Sequence[Call | BadCall], context: CallContext) -> list[ToolSpec]:
    """The tools whose results are waited for; a name that is not bound may stand for any look-up."""
    names = {earlier.name for earlier in awaited if earlier.name}
    if not names <= {tool.name for tool in context.tools}:
        names |= {*context.lookups} - {call.name}
    return [tool for tool in context.tools if tool.name in names]


def _made_up_argument(call: Call, sources: Sequence[ToolSpec], context: CallContext) -> str | None:
    """The first argument with a value that nobody gave, if one of these tools looks something up."""
    telling, is_form = [tool for tool in sources if kind_of(tool) == "tells"], _is_form(context)
    # Larger models make values up where an answer is given along with a look-up.
    if not telling or not (context.is_small or is_form):
        return None
    if kind_of(context.tool) != "tells" or is_form:
        return next(_unsaid(call, telling, context), None)
    # A look-up in other words than the user's does no harm, so only what another one tells is waited for.
    for name, value in required_values(call.args, context.tool):
        was_said = value in NEUTRAL or context.given.mentions(value)
        if not was_said and any(could_tell(tool, name) for tool in telling):
            return name
    return None


def _is_form(context: CallContext) -> bool:
    """Whether the call is an answer in a form: a schema may be bound as a tool, by the name of its class or by a noun."""
    is_form = is_answer_form(context.tool, is_answer=context.is_answer, forced=context.forced)
    return is_form or (context.forced and not has_known_kind(context.tool))


def is_answer_form(tool: ToolSpec, *, is_answer: bool, forced: bool) -> bool:
    """Whether a tool is surely the form of an answer, and no function: the one that was demanded, or a class."""
    return is_answer or (forced and tool.name[:1].isupper())


def could_be_awaited(tool: ToolSpec) -> bool:
    """Whether the answer waits for a tool's result, wherever in the reply its call stands."""
    return kind_of(tool) == "tells" and not tool.name[:1].isupper()


def _unsaid(call: Call, telling: Sequence[ToolSpec], context: CallContext) -> Iterator[str]:
    """The required arguments with a value that nobody gave; a code that nobody says may be told by one of these tools."""
    index = context.given
    seen: list[Any] = []
    for name, value in required_values(call.args, context.tool):
        seen.append(value)
        is_told = any(could_tell(tool, name) for tool in telling)
        if value in NEUTRAL or value == "" or (_is_symbol(value) and not is_told):
            continue
        if isinstance(value, int | float):
            was_given = index.mentions(value)
        elif len(value) <= LONGEST_VALUE:
            was_given = index.mentions_word(value) and not _REFERENCE.match(value)
        else:
            was_given = len(value) >= LONG_TEXT or index.mentions_numbers_of(value)
        # What was said once does not stand for two.
        if (
            not was_given
            or has_wrong_form(name, value, context)
            or (seen.count(value) > 1 and index.count(value) == 1)
        ):
            yield name


def _is_symbol(value: Any) -> bool:
    """Whether a text is a code that nobody says: `EUR`, `km`."""
    return isinstance(value, str) and (
        len(value) < 3 or (value.isupper() and len(value) <= LONGEST_SYMBOL)
    )
