"""`NotPlaceholder`: a value that only says what should stand there, such as `<order_id>`."""

import re
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.conversation import keyed_scalars
from langchain_toolemu.policy.looked_up import lookups_telling
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.policy.values import MOST_VALUES, is_offered, is_written_text
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import fold_name

_FORM = re.compile(
    r"\s*(?:<(?!/)[^<>\n]{1,60}>|\{\{?\s?[a-z_][\w\s.\[\]-]{0,60}\}\}?"
    r"|\$\{?[a-z_][\w.\[\]]{0,60}\}?|\[[a-z][\w .-]{0,60}\]|your[_-][\w-]{1,40})\s*",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,8}")
_LONGEST = 200  # characters


class Placeholder(NamedTuple):
    """A placeholder, its argument or key, and whether it stands in a text that the model writes."""

    argument: str
    value: str
    in_text: bool


@dataclass(frozen=True, slots=True)
class NotPlaceholder:
    """Refuses a placeholder by its form, which nobody wrote and no schema offers.

    Attributes:
        careful: Whether a look-up that could tell the value is demanded first.
    """

    careful: bool = False

    def review(self, call: Call, context: CallContext) -> Review:
        """Final, but for a text of the model's own."""
        found = find_placeholder(call, context)
        if found is None:
            return ACCEPT
        offers = lookups_telling(found.argument, context) if self.careful else ()
        correction = corrections.placeholder(call.name, found.argument, found.value)
        return Review.ask(
            f"{found.value!r:.80} for {found.argument} is a placeholder",
            "" if offers else correction,
            final=not found.in_text,
            code="placeholder",
            yields=True,
            offers=offers,
            demands=bool(offers),
        )


def find_placeholder(call: Call, context: CallContext) -> Placeholder | None:
    """The first placeholder among a call's values; one that cannot be meant before one that may."""
    found = [
        Placeholder(key, value, is_written_text(key))
        for key, value in islice(keyed_scalars(call.args, ""), MOST_VALUES)
        if _is_placeholder(key, value, context)
        and not is_offered(value, context.tool)
        and not any(value in text for text in context.conversation.texts)
    ]
    found.sort(key=lambda placeholder: placeholder.in_text)
    return found[0] if found and not (found[0].in_text and context.is_answer) else None


def _is_placeholder(argument: str, value: Any, context: CallContext) -> bool:
    if not isinstance(value, str) or len(value) > _LONGEST:
        return False
    if _FORM.fullmatch(value):
        return True
    if is_written_text(argument):
        return False
    if any("_" in tool.name and tool.name in value for tool in context.tools):
        return True  # `result of find_order`
    # ORDER_ID for order_id; ROLE_EDITOR for role is a value.
    return bool(_CAPITALS.fullmatch(value)) and fold_name(argument) == fold_name(value)
