"""`NotPlaceholder`: a value that only says where a value should come from.

The rules here:

- What the schema offers (an enum, a constant, a default, an example) or what was said is a value, whatever it looks like.
- In a text that the model writes itself, and for words such as `TBD`, the model is only asked: they may be meant. So is
  what names neither an argument nor a source: `$TSLA` is a symbol.
- Anywhere else a placeholder is final: nobody means the order `<order_id>`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review, shown_value
from langchain_toolemu.policy.values import MOST_VALUES, is_offered, is_written_text, keyed_scalars
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import fold_name
from langchain_toolemu.tools.stems import words_of

# `<order_id>`, `{{result}}`, `[result of find_order]`, `$order_id`, `result of find_order`, `your_api_key`
_FORM = re.compile(
    r"""\s*(?:
        <(?!/)[^<>\n]{1,60}> | \{\{?\s?[a-z_][\w\s.\[\]-]{0,60}\}\}? | \[[a-z_][\w\s.-]{0,60}\] | \$\{?[a-z_][\w.\[\]]{0,60}\}?
        | (?!.*(?:\b(?:is|was|are|were)\b|[.!?]\s*\Z))(?:  # a sentence says something
            (?:the\s)?(?:result|output|response|value|answer|return\svalue)s?\s(?:of|from|returned\sby)\s.{1,80}
            | (?:the\s)?(?:previous|above|earlier|first|last|example)\s(?:result|output|response|value|answer|step|call).{0,40}
            | .{0,40}(?:from|of)\s(?:the\s)?(?:previous|above|earlier|first|last)\s(?:result|output|response|step|call).{0,20}
        )
        | your[_-][\w-]{1,40} | (?:insert|enter)[_-][\w-]{1,40}[_-]here | actual[_-](?:value|result|output|id)
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_WORDS = re.compile(r"\s*(?:\.{3}|\u2026|tbd|n/a|todo|(?:the\s)?result)\s*", re.IGNORECASE)
"""What may be a value, too."""

_SOURCES = frozenset(
    (
        "result",
        "results",
        "output",
        "value",
        "returned",
        "previous",
        "earlier",
        "above",
        "placeholder",
        "insert",
        "actual",
    )
)
"""Words by which a placeholder says where its value comes from."""

_CAPITALS = re.compile(r"[A-Z]{2,}(?:_[A-Z0-9]+){0,8}")
_LONGEST = 200  # characters


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder among a call's values.

    Attributes:
        argument: The argument it is in; of an object in one, the key.
        value: The value.
        may_be_meant: Whether it may be a value all the same.
    """

    argument: str
    value: str
    may_be_meant: bool


@dataclass(frozen=True, slots=True)
class NotPlaceholder:
    """Refuses a placeholder, and asks about one that may be meant."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Final, unless the placeholder may be meant."""
        found = next(placeholders(call, context), None)
        if found is None:
            return ACCEPT
        return Review.ask(
            f"{shown_value(found.value)} for {found.argument} is no value",
            corrections.placeholder(call.name, found.argument, found.value),
            final=not found.may_be_meant,
            code="placeholder",
        )


def placeholders(call: Call, context: CallContext) -> Iterator[Placeholder]:
    """The placeholders among a call's values, those first that cannot be meant."""
    found = [
        Placeholder(key, value, _may_be_meant(key, value, context))
        for key, value in islice(keyed_scalars(call.args, ""), MOST_VALUES)
        if looks_like_placeholder(key, value)
        and not is_offered(value, context.tool)
        and not context.conversation.index.mentions_word(value)
    ]
    in_form = context.is_answer
    yield from sorted(
        (one for one in found if not (in_form and one.may_be_meant)),
        key=lambda one: one.may_be_meant,
    )


def looks_like_placeholder(argument: str, value: Any) -> bool:
    """Whether a value only says where it should come from.

    Example:
        ```python
        looks_like_placeholder("id", "<order_id>")  # True
        ```
    """
    if not isinstance(value, str) or len(value) > _LONGEST:
        return False
    if _FORM.fullmatch(value) or _WORDS.fullmatch(value):
        return True
    # ORDER_ID for order_id; WRONG_SIZE is a value.
    return bool(_CAPITALS.fullmatch(value)) and fold_name(argument) in fold_name(value)


def _may_be_meant(argument: str, value: str, context: CallContext) -> bool:
    """Whether a placeholder's form may be a value: in a text, and if it names neither an argument nor where it comes from."""
    if is_written_text(argument) or _WORDS.fullmatch(value):
        return True
    named = [argument, *(key for tool in context.tools for key in (tool.name, *tool.properties))]
    words = frozenset(words_of(value))
    # What stands in brackets in another script cannot be held against the names.
    names_argument = fold_name(argument) in fold_name(value) or not value.isascii()
    return not names_argument and words.isdisjoint(_SOURCES.union(words_of(" ".join(named))))
