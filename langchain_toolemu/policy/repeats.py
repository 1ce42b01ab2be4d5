"""`NotRepeated`: a call that was already answered.

- Any call is asked about that was just answered: at the first repeat, after five identical calls with identical results, and when a
  sequence of calls came twice. In between it is made, because polling is legitimate.
- An act that was answered since the user spoke is asked about, and by a small model not done again. Another act in between may call
  for it again, and so may the user's words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.language.phrases import IN_PROGRESS
from langchain_toolemu.policy.lookups import fruitless, lookups_for, lookups_without_id
from langchain_toolemu.policy.outcomes import CallOutcome, is_about_values
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.policy.times_asked import things_asked, times_asked
from langchain_toolemu.policy.tool_kinds import is_repeated_by_name, kind_of
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec

_MOST_IDENTICAL = 5
"""So many identical calls with identical results are polling, or a loop: the model is asked once more."""

_MOST_ATTEMPTS = 3  # at a call that fails, if nothing can be looked up first
_FEWEST_ROUNDS = 2  # of a cycle

_DIGITS = re.compile(r"\d+")
_ask = partial(Review.ask, code="repeated_call")


@dataclass(frozen=True, slots=True)
class NotRepeated:
    """Asks about a call that was answered, and about a cycle of calls; a small model's act is done once."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts a demanded call; an act only if no other call would do."""
        acts = kind_of(context.tool) == "acts"
        if context.is_wanted or (context.is_demanded and not acts):
            return ACCEPT
        has_called = bool(context.conversation.rounds)
        if has_called and (doubt := _review_fruitless(call, context)):
            return doubt
        failures = _failures_of(call, context)
        if failures and (doubt := _review_failed(call, context, failures)):
            return doubt
        if acts:
            return _review_act(call, context)
        looks_up = context.is_small and kind_of(context.tool) == "tells"
        if not has_called or (context.earlier and not looks_up):
            return ACCEPT
        return _review_other(call, context)


def _review_fruitless(call: Call, context: CallContext) -> Review | None:
    """Doubts a small model's look-up that found nothing for these values: something else is to be looked up."""
    if not context.is_small or kind_of(context.tool) != "tells" or times_asked(call, context) > 1:
        return None
    tried = fruitless(call.name, context)
    if not any(outcome.is_of(call) for outcome in tried):
        return None
    others = lookups_without_id(call, context)
    if not others or len(tried) >= _MOST_ATTEMPTS:
        return None
    return _ask("it found nothing for these values", offers=others, demands=True)


def _review_failed(call: Call, context: CallContext, failures: Sequence[str]) -> Review | None:
    """Doubts a call that failed with these arguments: it may be tried again, unless something can be looked up first."""
    offers = lookups_for(context.tool, context)
    can_know = bool(offers) or context.has_looked_up
    if len(failures) < _MOST_ATTEMPTS and not (can_know and is_about_values(failures[0])):
        return None
    return _ask(
        "it failed with these arguments",
        "" if offers else corrections.failed_call(call.name, failures[0]),
        final=len(failures) > 1,
        offers=offers,
        must_insist=True,
        demands=bool(offers),
    )


def _lookups_after_failure(context: CallContext) -> tuple[str, ...]:
    """The look-ups that could tell what the act needs that just failed for its values, if one did."""
    failures = {
        outcome.call.name
        for outcome in context.conversation.rounds_since_user[-1]
        if is_about_values(outcome.failure)
    }
    failed = [tool for tool in context.tools if tool.name in failures and tool.name in context.acts]
    return lookups_for(failed[0], context) if failed else ()


def _failures_of(call: Call, context: CallContext) -> list[str]:
    """How a small model's call failed since anything else told something, the last failure first; what may be repeated, for its values only."""
    if not context.is_small:
        return []
    failures: list[str] = []
    for outcomes in reversed(context.conversation.rounds_since_user):
        failures += (found.failure for found in outcomes if found.is_of(call) and found.failure)
        if any(found.tells for found in outcomes):
            break
    may_repeat = kind_of(context.tool) == "repeatable"
    return [*filter(is_about_values, failures)] if may_repeat else failures


def _review_other(call: Call, context: CallContext) -> Review:
    """Reviews a call that may be repeated: asks if it brings nothing new; a small model's third one is not made."""
    run = _run_of(call, context)
    if len(run) < times_asked(call, context):
        return ACCEPT
    looks_up = kind_of(context.tool) == "tells"
    outcomes = _answers(call, context, stale=False) if context.is_small and looks_up else run
    # The same result before an act and after it shows that the act does not change it.
    answers = _answers(call, context) if looks_up and outcomes else outcomes
    if context.is_small and _leads_nowhere(call, run, answers, context):
        # What may be repeated is made if the model insists, unless the user said how often.
        final = looks_up or times_asked(call, context) > 1
        return _ask("it was just answered", corrections.repeated_call(call.name), final=final)
    is_cycle = bool(call.args) and _is_cycle(call, context)
    if not (is_cycle or _is_first_repeat(call, outcomes, context) or _is_row(run)):
        return ACCEPT
    # Offered all tools, a small model makes a call of another one that nobody asked for.
    left: tuple[str, ...] = ()
    if context.is_small:
        left = _lookups_after_failure(context) or context.unfinished
    others = left or tuple(tool.name for tool in context.tools if tool.name != call.name)
    correction = "" if others else corrections.repeated_call(call.name)
    return _ask("it was just answered", correction, offers=others, demands=bool(left))


def _leads_nowhere(
    call: Call, run: Sequence[CallOutcome], outcomes: Sequence[CallOutcome], context: CallContext
) -> bool:
    """Whether a call was made as often as the user asked for, or gave the same result twice, or five times in a row."""
    if 1 < times_asked(call, context) <= len(run):
        return True
    # What may be repeated may give the same result once more, and is asked about once.
    looks_up = kind_of(context.tool) == "tells"
    most = 2 if looks_up else 3
    last = [outcome.result for outcome in outcomes[:most]]
    same = len(last) == most and len({*last}) == 1 and (looks_up or len(outcomes) == most)
    return (same or _is_row(run)) and not IN_PROGRESS.pattern.search(outcomes[0].result or "")


def _is_first_repeat(call: Call, outcomes: Sequence[CallOutcome], context: CallContext) -> bool:
    """Whether a call of a tool that is not meant for repetition comes a second time; without arguments, only for small models.

    A small model that made several calls at once and begins with the first again makes all of them again.
    """
    starts_over = context.is_small and len(context.conversation.rounds_since_user[-1]) > 1
    if len(outcomes) != 1 or (is_repeated_by_name(context.tool) and not starts_over):
        return False
    return bool(call.args) or (context.is_small and kind_of(context.tool) == "tells")


def _answers(call: Call, context: CallContext, *, stale: bool = True) -> list[CallOutcome]:
    """The outcomes of this very call since the user spoke, the last one first; no `stale` ones, after which something was changed."""
    found: list[CallOutcome] = []
    for outcomes in reversed(context.conversation.rounds_since_user):
        answered = [outcome for outcome in outcomes if outcome.result is not None]
        found += (outcome for outcome in answered if outcome.is_of(call))
        if not stale and any(outcome.call.name not in context.lookups for outcome in answered):
            break
    return found


def _is_wanted_again(call: Call, context: CallContext, done: int) -> bool:
    return done < max(times_asked(call, context), things_asked(call, context))


def is_wanted_repeat(call: Call, context: CallContext) -> bool:
    """Whether a call was answered, and the user asks for it more often."""
    done = len(_answers(call, context))
    return done > 0 and _is_wanted_again(call, context, done)


def _review_act(call: Call, context: CallContext) -> Review:
    done = _times_done(call, context)
    beside = sum(
        isinstance(other, Call) and _is_same_act(other, call, context) for other in context.beside
    )
    if _is_wanted_again(call, context, done + beside) or not (
        done or (beside and context.is_small)
    ):
        return ACCEPT
    if not done:
        return Review.hold_back("the same reply asks for it already", code="repeated_call")
    # Where a call must come, any other: shown its call, a model writes it again.
    others = tuple(tool.name for tool in context.tools if tool.name != call.name)
    offers = others if context.forced else ()
    return _ask(
        "it was done already",
        "" if offers else corrections.repeated_act(call.name),
        final=context.is_small,
        yields=True,
        offers=offers,
        demands=bool(offers) and context.is_small,
    )


def _times_done(call: Call, context: CallContext) -> int:
    """How often the same was done since the user spoke, as far back as no other act came in between, nor a step to another place; or in a cycle."""
    talk, done = context.conversation, 0
    if _is_cycle(call, context):
        return sum(outcome.is_of(call) for outcome in talk.outcomes_since_user)
    for outcomes in reversed(talk.rounds_since_user):
        answered = [outcome for outcome in outcomes if outcome.result is not None]
        same = sum(_is_same_act(outcome.call, call, context) for outcome in answered)
        if not same and any(_may_call_for_it(outcome, context) for outcome in answered):
            break
        done += same
    return done


def _may_call_for_it(outcome: CallOutcome, context: CallContext) -> bool:
    """Whether an act may be due again after another one, or after a step, such as to another line or page."""
    if outcome.call.name in context.acts:
        return True
    tool = next((tool for tool in context.tools if tool.name == outcome.call.name), None)
    if tool is None or not outcome.call.args or kind_of(tool) != "repeatable":
        return False
    steps = context.conversation.outcomes_since_user
    is_new = sum(step.is_of(outcome.call) for step in steps) == 1
    return is_new and is_repeated_by_name(tool)


def _is_same_act(done: Any, call: Any, context: CallContext) -> bool:
    """Whether two calls do the same, though one is written with a blank, a capital letter, a default or an empty value more."""
    tool = context.tool
    return bool(done.name == call.name and _plain(done.args, tool) == _plain(call.args, tool))


def _plain(args: Mapping[str, Any], tool: ToolSpec) -> dict[str, Any]:
    return {
        name: " ".join(value.casefold().split()).rstrip(".") if isinstance(value, str) else value
        for name, value in args.items()
        if not _is_default(name, value, tool)
    }


def _is_default(name: str, value: Any, tool: ToolSpec) -> bool:
    """Whether a value says no more than if it were left out."""
    given = tool.schema_of(name).get("default")
    return value in ("", None, [], {}) or (value == given and type(value) is type(given))


def _run_of(call: Call, context: CallContext) -> list[CallOutcome]:
    """The outcomes of this very call in the last rounds, the last one first; none if that failed.

    Others may stand beside it: a model that goes round makes all of them again.
    """
    rounds = reversed(context.conversation.rounds_since_user)
    same = ([outcome for outcome in outcomes if outcome.is_of(call)] for outcomes in rounds)
    run = [same_calls[0] for same_calls in takewhile(bool, same)]
    return run if run and run[0].result is not None else []


def _is_row(run: Sequence[CallOutcome]) -> bool:
    results = {outcome.result for outcome in run[:_MOST_IDENTICAL]}
    return bool(run) and len(run) % _MOST_IDENTICAL == 0 and len(results) == 1


def _is_cycle(call: Call, context: CallContext) -> bool:
    """Whether a call was made twice, and all that came since had come before, with the same results: the model goes round."""
    rounds = context.conversation.rounds_since_user
    made = [
        n
        for n, calls in enumerate(rounds)
        if any(found.is_of(call) and found.result is not None for found in calls)
    ]
    if len(made) < _FEWEST_ROUNDS or made[-1] == len(rounds) - 1:
        return False
    known = {_written(found, context) for calls in rounds[: made[-1]] for found in calls}
    return all(_written(found, context) in known for calls in rounds[made[-1] :] for found in calls)


def _written(outcome: CallOutcome, context: CallContext) -> str:
    """A call and its result, of an act without the digits: each payment has a receipt of its own."""
    result = outcome.failure if outcome.result is None else outcome.result
    stable = _DIGITS.sub("", result) if outcome.call.name in context.acts else result
    return f"{outcome.call.name} {outcome.call.args} {stable}"
