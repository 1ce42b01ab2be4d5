"""`NotRepeated`: a call whose answer is there.

- Any call is asked about that was just answered: at the first repeat, after five identical calls with identical results, and when a
  sequence of calls came twice. In between it is made, because polling is legitimate.
- An act that was answered since the user spoke is asked about, and by a small model not done again. Another act in between may call
  for it again, and so may the user's words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from langchain_toolemu.contract import corrections
from langchain_toolemu.language.english import ENGLISH
from langchain_toolemu.language.phrases import COUNTS, FIRST, MORE, NOT_MORE
from langchain_toolemu.policy.conversation import CallOutcome
from langchain_toolemu.policy.conversation_index import numbers_said
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.policy.tool_kinds import has_known_kind, is_repeated_by_name, kind_of
from langchain_toolemu.reader.events import Call

_MOST_IDENTICAL = 5
"""So many identical calls with identical results are polling, or a loop: the model is asked once more."""

_LONGEST_CYCLE = 4  # so many calls at most make a cycle

_MOST_WORDS = 10_000  # characters of the user's words, from their end
_COUNT = re.compile(
    r"(?<![\w-])(?:\d{1,2}|[a-z]{3,6})(?![\w-])", re.IGNORECASE
)  # a word by itself, no part of an id
_MOST_COUNTED = 20  # a larger number is rather an amount


_IN_PROGRESS = re.compile(rf"\b(?:{ENGLISH.in_progress})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NotRepeated:
    """Asks about a call that was answered, and about a cycle of calls; a small model's act is done once."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Says nothing of a call that was demanded."""
        if context.is_demanded:
            return ACCEPT
        rounds = context.conversation.rounds_since_user
        if kind_of(context.tool) == "acts":
            return _review_act(call, context, rounds)
        looks_up = context.is_small and kind_of(context.tool) == "tells"
        if not rounds or (context.earlier and not looks_up):
            return ACCEPT
        return _review_other(call, context, rounds)


def _review_other(
    call: Call, context: CallContext, rounds: Sequence[Sequence[CallOutcome]]
) -> Review:
    """Of a call that may be repeated: asked about where it tells nothing new; a small model's third one is not made."""
    run = _run_of(call, rounds)
    if _wants_more(context, len(run)):
        return ACCEPT
    looks_up = kind_of(context.tool) == "tells"
    told = _told_since_act(call, context, rounds) if context.is_small and looks_up else run
    if context.is_small and _leads_nowhere(run, told, context):
        correction = corrections.repeated_call(call.name)
        return Review.ask("it was just answered", correction, final=True, code="repeated_call")
    is_cycle = bool(call.args) and _is_cycle(call, rounds)
    if not (is_cycle or _is_first_repeat(call, told, context) or _is_row(run)):
        return ACCEPT
    others = tuple(one.name for one in context.tools if one.name != call.name)
    correction = "" if others else corrections.repeated_call(call.name)
    return Review.ask("it was just answered", correction, code="repeated_call", offers=others)


def _leads_nowhere(
    run: Sequence[CallOutcome], told: Sequence[CallOutcome], context: CallContext
) -> bool:
    """Whether a call was made as often as the user asked for, or told the same twice, or five times in a row."""
    if 1 < _times_asked(context) <= len(run):
        return True
    same = kind_of(context.tool) == "tells" and len(told) > 1 and told[0].result == told[1].result
    return (same or _is_row(run)) and not _is_in_progress(told)


def _is_first_repeat(call: Call, told: Sequence[CallOutcome], context: CallContext) -> bool:
    """Whether a call comes for the second time that is not made to be repeated; without arguments, only small models are asked."""
    if len(told) != 1 or is_repeated_by_name(context.tool):
        return False
    return bool(call.args) or (context.is_small and kind_of(context.tool) == "tells")


def _is_in_progress(told: Sequence[CallOutcome]) -> bool:
    return bool(_IN_PROGRESS.search(told[0].result or ""))


def _told_since_act(
    call: Call, context: CallContext, rounds: Sequence[Sequence[CallOutcome]]
) -> list[CallOutcome]:
    """The outcomes of this very call since something was last changed, the last one first."""
    told: list[CallOutcome] = []
    for outcomes in reversed(rounds):
        told += (
            one for one in outcomes if one.is_of(call.name, call.args) and one.result is not None
        )
        if any(one.call.name not in context.lookups and one.result is not None for one in outcomes):
            break
    return told


def _wants_more(context: CallContext, done: int) -> bool:
    """Whether the user's words ask for a call more often than it was made."""
    return done < _times_asked(context)


def _times_asked(context: CallContext) -> float:
    """How often the user's words ask for the same thing; 0 if they do not speak of that."""
    words = context.conversation.users_words[-_MOST_WORDS:]
    found = [one for one in MORE.finditer(words) if _means_more(one, words)]
    words_before = [(one["count"] or "").lower() for one in found]
    counted = [n for one in words_before for n in (*numbers_said(one), COUNTS.get(one, 0))]
    counted += [3 for one in found if one["thrice"]]
    if kind_of(context.tool) == "repeatable" and has_known_kind(context.tool):
        # Three labels are three calls.
        counted += (n for one in _COUNT.findall(words) for n in numbers_said(one))
    return max((n for n in [2 if found else 0, *counted] if n <= _MOST_COUNTED), default=0)


def _means_more(found: re.Match[str], words: str) -> bool:
    """Whether words for more than once mean that: not "the first time", nor "do not pay her again"."""
    return (found["count"] or "").lower() not in FIRST and not NOT_MORE.search(
        words[: found.start()]
    )


def _review_act(
    call: Call, context: CallContext, rounds: Sequence[Sequence[CallOutcome]]
) -> Review:
    done = sum(1 for _ in _answered(call, context, rounds))
    beside = sum(
        (one.name, getattr(one, "args", None)) == (call.name, call.args) for one in context.beside
    )
    if _wants_more(context, done + beside) or not (done or (beside and context.is_small)):
        return ACCEPT
    if not done:
        return Review.hold_back("the same reply asks for it already", code="repeated_call")
    correction = corrections.repeated_act(call.name)
    return Review.ask(
        "it was done already", correction, final=context.is_small, code="repeated_call", yields=True
    )


def _answered(
    call: Call, context: CallContext, rounds: Sequence[Sequence[CallOutcome]]
) -> Iterator[CallOutcome]:
    """The same act since the user spoke, as far back as no other act came in between, or in a cycle."""
    if _is_cycle(call, rounds):
        yield from (one for calls in rounds for one in calls if one.is_of(call.name, call.args))
        return
    acts = {tool.name for tool in context.tools if kind_of(tool) == "acts"}
    for outcomes in reversed(rounds):
        same = [
            one for one in outcomes if one.is_of(call.name, call.args) and one.result is not None
        ]
        yield from same
        others = [
            one
            for one in outcomes
            if one.call.name in acts and one.result is not None and one not in same
        ]
        if others and not same:
            return


def _run_of(call: Call, rounds: Sequence[Sequence[CallOutcome]]) -> list[CallOutcome]:
    """The outcomes of this very call in the last rounds, the last one first; none if that failed.

    Others may stand beside it: a model that goes round makes all of them again.
    """
    same = (
        [one for one in outcomes if one.is_of(call.name, call.args)]
        for outcomes in reversed(rounds)
    )
    run = [one[0] for one in takewhile(bool, same)]
    return run if run and run[0].result is not None else []


def _is_row(run: Sequence[CallOutcome]) -> bool:
    results = {one.result for one in run[:_MOST_IDENTICAL]}
    return bool(run) and len(run) % _MOST_IDENTICAL == 0 and len(results) == 1


def _is_cycle(call: Call, rounds: Sequence[Sequence[CallOutcome]]) -> bool:
    """Whether a call begins a sequence of calls that came twice before, with the same results."""
    if not rounds or rounds[-1][0].is_of(call.name, call.args):
        return False
    for size in range(2, _LONGEST_CYCLE + 1):
        last, before = rounds[-size:], rounds[-2 * size : -size]
        if len(before) == size and _agree(last, before) and last[0][0].is_of(call.name, call.args):
            return True
    return False


def _agree(last: Sequence[Sequence[CallOutcome]], before: Sequence[Sequence[CallOutcome]]) -> bool:
    """Whether two rows are the same single calls with the same results, none of which failed."""
    return all(
        len(one) == len(other) == 1
        and one[0].result == other[0].result is not None
        and one[0].is_of(other[0].call.name, other[0].call.args)
        for one, other in zip(last, before, strict=True)
    )
