"""`NotCopied` and `NotPlaceholder`: values that nobody gave, and what kind of value each is.

A value of our own examples is not the model's, unless somebody said it. What the schema offers or somebody said is a value. A
placeholder is final (nobody means the order `<order_id>`), save in free text and for words such as `TBD`, which may be meant. A
small model's act is not made even with such a word where a tool could look something up; a text with a gap only if it comes again.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Literal, NamedTuple

from langchain_toolemu.contract import corrections
from langchain_toolemu.contract.example_values import copied_values
from langchain_toolemu.policy.conversation import keyed_scalars
from langchain_toolemu.policy.review import ACCEPT, LONG_TEXT, CallContext, Review, shown_value
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec, fold_name
from langchain_toolemu.tools.stems import stems, words_of

MOST_VALUES = 100
"""So many values of one call are looked at."""

LONGEST_VALUE = 60
"""In characters: longer texts are the model's own writing."""

LONGEST_SYMBOL = 5
"""In characters: a text in capitals that is no longer is a code, such as `EUR`, which nobody says."""

NEUTRAL = (0, 1)
"""Numbers that nobody says: "from rest" is a velocity of 0, and who orders a pizza orders one."""

# One word with a digit or an @ in it: an id, a code, an address. A formula is none.
_IDENTIFIER = re.compile(r"(?=\S*[\d@])[^\s*^()=]{1,80}")
_DATE_OR_TIME = re.compile(
    r"(\d{4}([-/.]\d{1,2}){1,2}|\d{1,2}([-/.])\d{1,2}\3(\d{4}|\d\d)|\d{1,2}[-/]\d{1,2})([T ]\d.{0,30})?|\d{1,2}:\d{2}(:\d{2})?(\s?[ap]m)?|\d{1,2}\s?[ap]m|(?:1[5-9]|2[01])\d\d",
    re.IGNORECASE,
)
_ID_NAME = re.compile(
    r"(?:^|_)(?:id|ids|uuid|email|address|iban)$|[a-z](?:Id|Ids|Uuid|Email|Address)$"
)
_AN_ID = re.compile(r"(?i)(?<![a-z])ids?(?![a-z])")
_NUMBER_NAME = re.compile(r"(?:_(?:no|nr|num|number)|[a-z](?:No|Nr|Num|Number))$")
CODE_NAME = re.compile(r"(?i)(?:code|sku|number|reference)$")
"""What arguments are called whose values are codes."""

# What arguments are called whose values a model writes itself, knows, or takes from a page.
_WRITTEN = frozenset(
    stems("""
    query question search text message body content subject title prompt fact note reason input request description
    summary comment expression formula equation function code command sql script statement pattern regex thought task
    instruction goal plan answer keyword sentence phrase path file url table column selector ref key action status state
    method level unit interval locale timezone branch revision format mode sort latitude longitude lat lon lng coordinate
    """)
)


def is_date_or_time(value: Any) -> bool:
    """Whether a text is a date or a time, which people say in words and models write in figures."""
    return isinstance(value, str) and bool(_DATE_OR_TIME.fullmatch(value.strip()))


def is_identifier(value: Any) -> bool:
    """Whether a text is looked up rather than written: an id, a code, an address."""
    if not isinstance(value, str):
        return False
    return bool(_IDENTIFIER.fullmatch(value.strip())) and not is_date_or_time(value)


@lru_cache(1024)
def is_written_text(argument: str) -> bool:
    """Whether an argument holds what a model writes itself, knows, or takes from a page."""
    # `table_no` is no table that a model writes.
    return not (_NUMBER_NAME.search(argument) or _WRITTEN.isdisjoint(stems(argument)))


def is_id_name(argument: str) -> bool:
    """Whether an argument's values are never ordinary words, nor dates."""
    return bool(_ID_NAME.search(argument))


def is_offered(value: Any, tool: ToolSpec) -> bool:
    """Whether the tool's schema names a value itself: a member, a constant, a default, an example."""
    pending: list[Any] = [tool.parameters]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            for key in ("enum", "const", "default", "examples", "example"):
                named = part.get(key)
                if value == named or (isinstance(named, list) and value in named):
                    return True
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return False


def required_values(args: Mapping[str, Any], tool: ToolSpec) -> Iterator[tuple[str, Any]]:
    """Every single required value of a call that is no date and that the schema does not offer, with its argument."""
    pairs = (
        (name, value)
        for name in tool.required
        if name in args
        for _, value in keyed_scalars(args[name], name)
    )
    for name, value in islice(pairs, MOST_VALUES):
        if not (
            value is None
            or isinstance(value, bool)
            or (is_date_or_time(value) and not is_id_name(name))
            or is_offered(value, tool)
        ):
            yield name, value


@dataclass(frozen=True, slots=True)
class NotCopied:
    """Refuses a call with a value or a made-up word of our own examples that nobody mentioned."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Final: such a value is never what the user means."""
        if not context.shows_examples:
            return ACCEPT
        talk = context.conversation
        args = call.args.items()
        long = {name for name, value in args if isinstance(value, str) and len(value) >= LONG_TEXT}
        short = {name: value for name, value in args if name not in long}
        found = list(copied_values(short, talk.texts))
        if found:
            # A number may have been said as 4,173 or in words.
            numbers = " ".join(f"{number:.15g}" for number in talk.given().numbers)
            found = list(copied_values(short, (*talk.texts, numbers)))
        if not found:
            return ACCEPT
        argument, value = found[0]
        reason = f"{value} for {argument} is from the examples"
        return Review.ask(reason, final=True, code="copied_value")


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
_WORDS = re.compile(
    r"\s*(?:\.{3}|\u2026|tbd|n/a|todo|placeholder|(?:the\s)?result)\s*", re.IGNORECASE
)
"""What may be a value, too."""

_CALCULATION = re.compile(r"\s*\d[\d.,:]*(?:\s*[+*]\s*\d[\d.,:]*){1,8}\s*")
"""A calculation in the place of its result: `13:25+40`."""

_GAP = re.compile(
    r"[\[<](?:insert|enter|add|your|recipient(?:'s)?)\s[^\[\]<>\n]{1,60}[\]>]", re.IGNORECASE
)
"""A gap that a text leaves for somebody else to fill: `Your code is [insert code here]`."""

_SIGNATURE = re.compile(
    r"[\[<](?:insert |enter |add )?your (?:\w+ )?(?:name|title|position|signature|company|contact\w*|phone|number|e-?mail|address)\b",
    re.IGNORECASE,
)
"""One for whoever writes the text, which no tool tells."""

_SOURCES = frozenset({
    "result", "results", "output", "value", "returned", "previous", "earlier", "above",
    "placeholder", "insert", "actual",
})  # fmt: skip
"""Words by which a placeholder says where its value comes from."""

_SAYS_NO_MORE = _SOURCES | {"id", "name", "number", "code", "here", "my", "the", "your", "some", "from", "of", "example"}  # fmt: skip
"""What a name in capitals may have beside the argument's."""

_BRACKETED = re.compile(r"\s*[<{\[]")
_CAPITALS = re.compile(r"[A-Z]{2,}(?:_[A-Z0-9]+){0,8}")
_LONGEST = 200  # characters


class SuspectValue(NamedTuple):
    """A placeholder, or an id that nobody gave: its argument or key, whether it may be meant, and the tool that could look it up."""

    argument: str
    value: str
    may_be_meant: bool = True
    source: str = ""


@dataclass(frozen=True, slots=True)
class NotPlaceholder:
    """Refuses a placeholder, and asks about one that may be meant.

    Attributes:
        among: `"texts"`: only what a model writes itself, which may be insisted on, so that this check comes last; `"values"`: the rest.
    """

    among: Literal["all", "values", "texts"] = "all"

    def review(self, call: Call, context: CallContext) -> Review:
        """Final, unless the placeholder may be meant; a small model is to look up what it lacks, if that can be, and an act waits for it."""
        found = find_placeholder(call, context)
        if found is None:
            return ACCEPT
        is_text = is_written_text(found.argument)
        if self.among not in ("all", "texts" if is_text else "values"):
            return ACCEPT
        is_calculation = bool(_CALCULATION.fullmatch(found.value))
        offers = () if is_calculation else _telling_tools(found, context)
        acts = kind_of(context.tool) == "acts"
        final = not found.may_be_meant or bool(offers and acts and not is_text)
        write = corrections.calculation if is_calculation else corrections.placeholder
        correction = write(call.name, found.argument, found.value)
        return Review.ask(
            f"{shown_value(found.value)} for {found.argument} is a placeholder",
            "" if offers else correction,
            final=final,
            code="placeholder",
            yields=True,
            offers=offers,
            must_insist=bool(offers) and not final,
            demands=bool(offers),
        )


def _telling_tools(found: SuspectValue, context: CallContext) -> tuple[str, ...]:
    """The tools that could tell what a small model's call lacks."""
    if not context.is_small:
        return ()
    if kind_of(context.tool) != "acts":
        return tuple(name for name in context.uncalled if name != context.tool.name)
    if not is_written_text(found.argument):
        return context.lookups
    return () if _SIGNATURE.search(found.value) else context.untried


@dataclass(frozen=True, slots=True)
class Complete:
    """Does not make a small model's act that lacks a value which it needs, and for which the model was asked in vain."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts a demanded call, whose caller waits for it."""
        if context.is_demanded or not (context.is_small and context.is_last):
            return ACCEPT
        missing = [name for name in context.tool.required if name not in call.args]
        if not missing or kind_of(context.tool) != "acts":
            return ACCEPT
        why = f"{missing[0]} is missing"
        return Review.ask(why, final=True, code="incomplete", must_insist=True)


def find_placeholder(call: Call, context: CallContext) -> SuspectValue | None:
    """The first placeholder among a call's values; one that cannot be meant before one that may be."""
    doubtful: SuspectValue | None = None
    talk = context.conversation
    for key, value in islice(keyed_scalars(call.args, ""), MOST_VALUES):
        if not looks_like_placeholder(key, value) or is_offered(value, context.tool):
            continue
        if talk.given(talk.called_names).mentions_word(value):
            continue
        found = SuspectValue(key, value, _may_be_meant(key, value, context))
        if not found.may_be_meant:
            return found
        doubtful = doubtful or found
    return None if context.is_answer else doubtful


def looks_like_placeholder(argument: str, value: Any) -> bool:
    """Whether a value only says where it should come from: `<order_id>`."""
    if not isinstance(value, str) or len(value) > _LONGEST:
        return False
    if _FORM.fullmatch(value) or _WORDS.fullmatch(value):
        return True
    if is_written_text(argument):
        return bool(_GAP.search(value))
    if _CALCULATION.fullmatch(value):
        return True
    # ORDER_ID for order_id; ROLE_EDITOR for role is a value.
    named, folded = fold_name(argument), fold_name(value)
    if not _CAPITALS.fullmatch(value) or named not in folded:
        return False
    return named == folded or {*value.lower().split("_")} - {*words_of(argument)} <= _SAYS_NO_MORE


def _may_be_meant(argument: str, value: str, context: CallContext) -> bool:
    """Whether a placeholder's form may be a value: in a text, and if it names neither an argument nor where it comes from."""
    if is_written_text(argument) or _WORDS.fullmatch(value) or _CALCULATION.fullmatch(value):
        return True
    named = [argument, *(key for tool in context.tools for key in (tool.name, *tool.properties))]
    words = frozenset(words_of(value))
    # What stands in brackets in another script cannot be held against the names.
    names_argument = fold_name(argument) in fold_name(value) or not value.isascii()
    # Nobody means an id in brackets.
    names_argument |= is_id_name(argument) and bool(_AN_ID.search(value) or _BRACKETED.match(value))
    return not names_argument and words.isdisjoint(_SOURCES.union(words_of(" ".join(named))))
