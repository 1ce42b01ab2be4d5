"""`KnownIds` and `Grounded`: ids and values that nobody gave.

- An id or an address that is nowhere in the conversation is asked about if another tool could tell it.
- A small model's call is asked about if a value lacks the form that its description asks for, or tells somebody what nobody looked up.
- A call is ungrounded if neither its required values nor any word of the tool was mentioned. One sign alone is not enough.
- Not judged: texts that the model writes itself, dates, codes, truth values, and text in other languages than English.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy import conversation_index
from langchain_toolemu.policy import made_up_values as values
from langchain_toolemu.policy.conversation import keyed_scalars
from langchain_toolemu.policy.lookups import could_tell, is_address, is_exhausted, lookups_telling
from langchain_toolemu.policy.made_up_values import is_offered, is_written_text
from langchain_toolemu.policy.message_texts import tells_unknown
from langchain_toolemu.policy.review import (
    ACCEPT,
    LONG_TEXT,
    CallContext,
    Review,
    shown_value,
)
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec

_IS_CODE = re.compile(r"(?i)(?:code|sku)$")  # a number may be one in words
_SUM_NAME = re.compile(r"(?i)(?:amount|price|cost|fee|total|sum)$")
_TIMES = "calendar event schedule appointment departure timetable"
_NAMES_CODE = re.compile(r"(?i)\b(?:number(?! of\b)|code|id|login)\b")
_OR = re.compile(r"(?i)\bor\b")
_PREFIX = re.compile(
    r"\b(?P<prefix>[A-Z]{1,5}[-_#]|#)(?:\.{3}|\u2026|\d{1,12}(?![-./:]?\d)|(?:n+|x+|X+)\b|#+)"
)
"""How a description shows that codes begin: `C-...`, "such as P-1000", `SEG-nn`."""

_SAMPLE = re.compile(r"(?i:such as|e\.g\.,?|for example,?|like)\s+['\"`]?[\w#.-]*\d")
_LONGEST_ID = 200  # characters
_LONGEST_CODE = 3
_KINDS = frozenset({"type", "object", "kind"})  # inside a value they say what it is


@dataclass(frozen=True, slots=True)
class KnownIds:
    """Asks about an id or an address that nobody gave and that another bound tool could look up."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Looks at the required arguments."""
        if context.is_wanted:
            return ACCEPT
        needed = {name: call.args[name] for name in context.tool.required if name in call.args}
        telling = [tool for tool in context.tools if kind_of(tool) != "acts"]
        found = unknown_id(needed, telling, context)
        if found is None:
            return ACCEPT
        reason = f"{shown_value(found.value)} for {found.argument} was not given"
        is_small_act = context.is_small and kind_of(context.tool) == "acts"
        offers = lookups_telling(found.argument, call, context)
        if not offers and is_small_act and is_exhausted(found.source, context):
            correction = corrections.nothing_found(call.name, found.argument)
            return Review.ask(reason, correction, final=True, code="unknown_id", yields=True)
        return Review.ask(
            reason,
            code="unknown_id",
            yields=True,
            offers=offers or (found.source,),
            must_insist=is_small_act,
            demands=context.is_small,
        )


@dataclass(frozen=True, slots=True)
class GivenValues:
    """Asks about an act on a value that nobody gave, while a look-up tool was not called.

    What may be repeated is asked about for the form of its values alone, and a look-up for a number that another one tells.
    """

    def review(self, call: Call, context: CallContext) -> Review:
        """Looks at the required arguments."""
        if context.is_wanted:
            return ACCEPT
        for name, value in _values_by_kind(call, context):
            if lookups := _lookups_for(name, value, call, context):
                # The look-ups were made, and now the text is due: what it says beyond them, no further one tells.
                is_due = is_written_text(name) and call.name in context.demanded
                return Review.ask(
                    f"{shown_value(value)} for {name} was not given",
                    code="value_not_given",
                    yields=True,
                    offers=lookups,
                    must_insist=context.is_small and kind_of(context.tool) != "tells",
                    demands=context.is_small and not is_due,
                )
        return ACCEPT


def _values_by_kind(call: Call, context: CallContext) -> Iterator[tuple[str, Any]]:
    """The values that are looked at, by what the tool does."""
    kind = kind_of(context.tool)
    if kind == "acts":
        yield from _missing_values(call, context)
        return
    is_wrong = _is_made_up if kind == "tells" else has_wrong_form
    for name, value in values.required_values(call.args, context.tool) if context.is_small else ():
        if is_wrong(name, value, context):
            yield name, value


def _is_made_up(argument: str, value: Any, context: CallContext) -> bool:
    """Whether nobody gave a look-up's number, or its text, if the model was made to look something up."""
    if isinstance(value, int | float):
        return value not in values.NEUTRAL and not context.given.mentions(value)
    is_free = is_written_text(argument) or len(value) > values.LONGEST_VALUE
    is_judged = context.demanded and not (is_free or context.given.is_foreign)
    return bool(is_judged) and not context.given.mentions(value)


def _missing_values(call: Call, context: CallContext) -> Iterator[tuple[str, Any]]:
    """The required ids, numbers and short texts that nobody gave and that a model neither writes nor knows by itself."""
    given = context.given
    yield from _doubled_ids(call, context)
    for name, value in values.required_values(call.args, context.tool):
        if isinstance(value, str) and (
            _is_unknown(name, value, context)
            or _has_unsaid(name, value, given)
            or has_wrong_form(name, value, context)
            or tells_unknown(name, value, context)
        ):
            yield name, value
    for name in context.tool.required:
        when = call.args.get(name)
        if (
            isinstance(when, str)
            and values.is_date_or_time(when)
            and (not given.speaks_of_time(when) or _is_guessed_hour(name, when, context))
        ):
            yield name, when
    for name, value in islice(_judgeable_values(call.args, context.tool), values.MOST_VALUES):
        is_id = isinstance(value, str) and values.is_identifier(value)
        is_sum = isinstance(value, int | float) and bool(_SUM_NAME.search(name))
        is_neutral = value in values.NEUTRAL and not (value == 0 and is_sum)
        # "Venticinque euro e cinquanta": in other languages, what sums are called is not known.
        is_foreign_sum = given.is_foreign and isinstance(value, float) and value % 1 != 0
        as_sum = (is_sum or is_foreign_sum) and given.mentions_sum(value)
        was_given = as_sum or (not is_sum and given.mentions(value))
        is_result = isinstance(value, int | float) and given.can_calculate(value)
        if not (is_neutral or is_id or was_given or is_result):
            yield name, value


def _doubled_ids(call: Call, context: CallContext) -> Iterator[tuple[str, Any]]:
    """The ids that were given once and that a small model fills two arguments with."""
    ids = [name for name in context.tool.required if values.is_identifier(call.args.get(name))]
    counts = Counter(call.args[name] for name in ids) if context.is_small else Counter()
    for name in ids:
        value = call.args[name]
        if counts[value] > 1 and context.given.count(value) == 1:
            yield name, value


def _is_guessed_hour(argument: str, when: str, context: CallContext) -> bool:
    """Whether a small model writes an hour that nobody named, while a tool that could tell it was not called: "late on Tuesday"."""
    if not context.is_small or ":" not in when or context.given.names_hour(when):
        return False
    untried = (tool for tool in context.tools if tool.name in context.untried)
    return any(could_tell(tool, f"{argument} {_TIMES}") for tool in untried)


def has_wrong_form(argument: str, value: Any, context: CallContext) -> bool:
    """Whether a small model wrote a name where a number, a code or an address belongs: `phone="Ruben Castell"`."""
    if not (context.is_small and isinstance(value, str)) or "@" in value:
        return False
    if value in context.conversation.quotations:
        return False
    if is_address(argument, context.tool):
        return not re.search(r"\d", value)
    described = str(context.tool.schema_of(argument).get("description", ""))[:LONG_TEXT]
    if _OR.search(described):  # "the name or the number"
        described = ""
    if prefix := _PREFIX.search(described):
        starts = value.upper().startswith(prefix["prefix"])
        return not (starts or (re.search(r"\d", value) and context.given.mentions_word(value)))
    if re.search(r"\d", value):
        return False
    is_code = values.is_id_name(argument) or values.CODE_NAME.search(argument)
    has_blank = " " in value.strip()
    asks_for_code = is_code or _NAMES_CODE.search(described) or _SAMPLE.search(described)
    is_word = not value.isascii() or (len(value) > values.LONGEST_SYMBOL and not value.isupper())
    has_form = not has_blank and not (is_word and _IS_CODE.search(argument))
    return bool(asks_for_code and not has_form) or _is_respelled(argument, value, context)


def _is_respelled(argument: str, value: str, context: CallContext) -> bool:
    """Whether a model made an id of words that were written otherwise: `NINA_FALK` of Nina Falk."""
    has_id_form = values.is_id_name(argument) and ("_" in value or value.isupper())
    return has_id_form and not any(value in text for text in context.conversation.texts)


def _has_unsaid(name: str, text: str, given: conversation_index.ConversationIndex) -> bool:
    """Whether a free text has a number that nobody mentioned, or a code differs from the one that was mentioned."""
    if values.CODE_NAME.search(name) and values.LONGEST_SYMBOL < len(text) <= values.LONGEST_VALUE:
        return not given.mentions_word(text)
    return is_written_text(name) and len(text) < LONG_TEXT and not given.accounts_for(text)


def _lookups_for(argument: str, value: Any, call: Call, context: CallContext) -> tuple[str, ...]:
    """The tools that could look up a value, if one of them was not called since the user spoke; for a text, those mentioned."""
    untried = context.untried
    if kind_of(context.tool) == "tells":
        others = [tool for tool in context.tools if tool.name in untried and tool.name != call.name]
        if context.demanded:
            return tuple(tool.name for tool in others if tool.name in context.demanded)
        return tuple(tool.name for tool in others if could_tell(tool, argument))
    if not untried:
        return ()
    if tells_unknown(argument, value, context):
        return context.uncalled or context.lookups
    is_code = re.search(r"[\d@]", str(value)) or has_wrong_form(argument, value, context)
    if is_code or context.given.is_foreign:
        return lookups_telling(argument, call, context)
    speaks_of = context.conversation.speaks_of
    return tuple(
        tool.name
        for tool in context.tools
        if tool.name in untried and (could_tell(tool, argument) or speaks_of(tool.name))
    )


def unknown_id(
    args: Mapping[str, Any], sources: Sequence[ToolSpec], context: CallContext
) -> values.SuspectValue | None:
    """The first id that nobody gave and that one of these tools could look up."""
    pairs = ((name, value) for name in args for _, value in keyed_scalars(args[name], name))
    for name, value in islice(pairs, values.MOST_VALUES):
        is_number = (
            isinstance(value, int) and not isinstance(value, bool) and values.is_id_name(name)
        )
        if (isinstance(value, str) or is_number) and _is_unknown(name, str(value), context):
            for tool in sources:
                if could_tell(tool, name, value) and tool.name != context.tool.name:
                    return values.SuspectValue(name, value, source=tool.name)
    return None


def _is_unknown(name: str, value: str, context: CallContext) -> bool:
    """Whether a text is an id or an address that was neither mentioned nor offered by the schema."""
    is_word = not re.search(r"[\d@]", value[:_LONGEST_ID]) and not value.isupper()
    is_key = values.is_id_name(name)
    is_number = value.isdigit() and bool(is_key or values.CODE_NAME.search(name))
    if not (values.is_identifier(value) or is_number or (is_key and is_word)):
        return False
    # Of an address no part will do.
    was_given = context.given.mentions_word(value) or (
        "@" not in value and context.given.mentions_digits(value)
    )
    return not (was_given or is_offered(value, context.tool))


@dataclass(frozen=True, slots=True)
class Grounded:
    """Asks about a value that was not mentioned, if the tool was not mentioned either."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts a demanded call."""
        if context.is_demanded:
            return ACCEPT
        found = ungrounded_value(call.args, context.tool, context.conversation.given())
        if found is None:
            return ACCEPT
        argument, value = found
        reason = f"{shown_value(value)} for {argument} was not said"
        return Review.ask(reason, code="ungrounded_value")


def ungrounded_value(
    args: Mapping[str, Any], tool: ToolSpec, index: conversation_index.ConversationIndex
) -> tuple[str, Any] | None:
    """The first argument and value that nobody gave, if the tool's name was not mentioned; none if its description and another value were."""
    if index.is_foreign or not index.topics.isdisjoint(conversation_index.name_stems(tool.name)):
        return None
    given: list[tuple[str, Any]] = []
    unsaid: list[tuple[str, Any]] = []
    for name, value in islice(_judgeable_values(args, tool), values.MOST_VALUES):
        (given if index.mentions(value) else unsaid).append((name, value))
    if not given:
        return next(iter(unsaid), None)
    if not index.topics.isdisjoint(_description_stems(tool)):
        return None
    counted = any(isinstance(value, int | float) for _, value in given)
    return next((pair for pair in unsaid if _is_telling(*pair, tool, counted=counted)), None)


def _is_telling(name: str, value: Any, tool: ToolSpec, *, counted: bool) -> bool:
    """Whether a value that was not mentioned is suspicious beside those that were: a further number may be a factor or a count."""
    if isinstance(value, str):
        return True
    counts = value in values.NEUTRAL and _takes_counts(tool.schema_of(name))
    return not (counts or counted)


def _takes_counts(schema: Any) -> bool:
    if not isinstance(schema, Mapping):
        return False
    return schema.get("type") == "integer" or _takes_counts(schema.get("items"))


def _judgeable_values(args: Mapping[str, Any], tool: ToolSpec) -> Iterator[tuple[str, Any]]:
    """The required values that can be looked up in the conversation."""
    for name in tool.required:
        if name not in args or is_written_text(name):
            continue
        for key, value in keyed_scalars(args[name], name):
            known = is_written_text(key) or (key in _KINDS and key != name)
            if not (known or _is_plain(name, value, tool) or _is_schemas_own(value, tool)):
                yield name, value


def _is_schemas_own(value: Any, tool: ToolSpec) -> bool:
    """Whether the tool's schema offers a value, or its descriptions contain the value's words."""
    if is_offered(value, tool):
        return True
    words = conversation_index.topic_stems(value) if isinstance(value, str) else frozenset()
    return bool(words) and words <= _description_stems(tool)


def _is_plain(name: str, value: Any, tool: ToolSpec) -> bool:
    """Whether people do not write a value as a call does."""
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        # A description says what it stands for: `1 for Bangkok, 2 for Phuket`.
        description = str(tool.schema_of(name).get("description", ""))
        return value in conversation_index.numbers_in(description)
    return (
        _is_code(value) or values.is_date_or_time(value) or len(str(value)) > values.LONGEST_VALUE
    )


def _is_code(value: Any) -> bool:
    """Whether a text is a code that nobody says: `it` for Italian, `EUR`, `MSFT`."""
    if not isinstance(value, str) or value.strip().lower() in conversation_index.PRONOUNS:
        return False
    length = len(value.strip())
    return length <= _LONGEST_CODE or (value.isupper() and length <= values.LONGEST_SYMBOL)


def _description_stems(tool: ToolSpec) -> frozenset[str]:
    names = tool.properties
    described = [f"{name} {tool.schema_of(name).get('description', '')}" for name in names]
    return conversation_index.cached_topic_stems(" ".join([tool.description, *described]))
