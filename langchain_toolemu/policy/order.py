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

from langchain_toolemu.policy.grounding import unknown_id
from langchain_toolemu.policy.made_up_values import NEUTRAL, find_placeholder, required_values
from langchain_toolemu.policy.review import ACCEPT, LONG_TEXT, CallContext, Review
from langchain_toolemu.policy.tool_kinds import has_known_kind, kind_of
from langchain_toolemu.reader.events import BadCall, Call

_LONGEST_VALUE = 60  # characters; longer texts are the model's own writing
_REFERENCE = re.compile(r"(?:the|its|his|her|their|this|that|these|those)\s", re.IGNORECASE)
"""How a text begins that only says what should stand there: "the contents of the page"."""

ANSWER_WAITS = Review.hold_back("the answer waits for the results", code="out_of_order")
"""Of an answer in a form that is given beside calls."""


@dataclass(frozen=True, slots=True)
class InOrder:
    """Holds a further call of a reply back that needs the result of an earlier one."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Says nothing of the first call, nor where the caller wants several calls at once."""
        if not context.beside or context.parallel is True:
            return ACCEPT
        awaited = [
            one
            for one in context.beside
            if one.name != call.name and not _is_answered(one, context)
        ]
        if not awaited:
            return ACCEPT
        why = _why_it_waits(call, awaited, context)
        return Review.hold_back(why, code="out_of_order") if why else ACCEPT


def _is_answered(one: Call | BadCall, context: CallContext) -> bool:
    return isinstance(one, Call) and context.conversation.has_answered(one.name, one.args)


def _why_it_waits(call: Call, awaited: Sequence[Call | BadCall], context: CallContext) -> str:
    """What of a call needs the result of another one; empty if nothing does."""
    if context.follows_waiting and kind_of(context.tool) == "acts":
        return "a call before it waits for a result"
    names = {one.name for one in awaited}
    sources = [tool for tool in context.tools if tool.name in names]
    found = find_placeholder(call, context) or unknown_id(call.args, sources, context)
    if (
        found is None
        and _makes_values_up(context)
        and any(kind_of(one) == "tells" for one in sources)
    ):
        argument = next(_unsaid(call, context), None)
    else:
        argument = found.argument if found else None
    return f"{argument} needs the result of an earlier call" if argument else ""


def _makes_values_up(context: CallContext) -> bool:
    """Whether a value that nobody said is rather made up: by small models, and in an answer that is given with a look-up."""
    # A schema is bound as a tool, by the name of its class.
    is_class = context.tool.name[:1].isupper() or not has_known_kind(context.tool)
    is_form = context.is_answer or (context.forced and is_class)
    return context.is_small or is_form


def _unsaid(call: Call, context: CallContext) -> Iterator[str]:
    """The required arguments with a value that nobody gave."""
    index = context.given
    seen: list[Any] = []
    for name, value in required_values(call.args, context.tool):
        seen.append(value)
        if value in NEUTRAL or value == "":
            continue
        if isinstance(value, int | float):
            was_given = index.mentions(value)
        elif len(value) <= _LONGEST_VALUE:
            was_given = index.mentions_word(value) and not _REFERENCE.match(value)
        else:
            was_given = len(value) >= LONG_TEXT or index.mentions_numbers_of(value)
        # What was said once does not stand for two.
        if not was_given or (seen.count(value) > 1 and index.count(value) == 1):
            yield name
