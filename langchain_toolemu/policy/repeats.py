"""`NotRepeated` and `InTime`: a call that was answered already, and one that comes too late."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from langchain_toolemu.contract import corrections
from langchain_toolemu.policy.outcomes import CallOutcome
from langchain_toolemu.policy.review import ACCEPT, CallContext, Review
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.reader.events import Call

TOO_LATE = "too_late"
_MOST_IDENTICAL = 5  # calls with identical results: polling, or a loop

_doubt = partial(Review.ask, code="repeated_call")


@dataclass(frozen=True, slots=True)
class NotRepeated:
    """Asks about the same call that was answered without failing.

    It looks at how often the call stands in the rounds since the user spoke, what came between, and
    whether the user's words have a count.

    Attributes:
        careful: Whether every repeat of a look-up is asked about, and no act is done again.
    """

    careful: bool = False

    def review(self, call: Call, context: CallContext) -> Review:
        """Accepts a demanded call; an act only if no other call would do."""
        kind = kind_of(context.tool)
        if context.is_wanted or (context.is_demanded and kind != "acts"):
            return ACCEPT
        run = _run_of(call, context)
        last = run[:_MOST_IDENTICAL]
        is_row = len(last) == _MOST_IDENTICAL and len({*last}) == 1
        done = self._times_done(call, context, run) if kind != "repeatable" else 0
        times = max(done, len(run) if is_row else 0)
        if not times or times < context.conversation.times_wanted(call.args):
            return ACCEPT
        if is_row:
            is_loop = self.careful and kind != "repeatable" and not context.conversation.wants_more
            return self._question(call, context, final=is_loop)
        if self.careful and kind == "acts":
            return _act_again(call, context)
        return self._question(call, context)

    def _question(self, call: Call, context: CallContext, *, final: bool = False) -> Review:
        # A small model that is shown its call only writes it again.
        others = _other_tools(call, context) if self.careful else ()
        correction = "" if others else corrections.repeated_call(call.name)
        return _doubt("it was just answered", correction, final=final, offers=others)

    def _times_done(self, call: Call, context: CallContext, run: Sequence[str]) -> int:
        """How often the call was made and brings nothing new: what changes may be asked again."""
        if not self.careful:
            return int(len(run) == 1 and bool(call.args))
        is_act = kind_of(context.tool) == "acts"
        is_changing = not is_act and len({*run[:2]}) > 1
        return 0 if is_changing else _done_before(call, context, is_act=is_act)


def _act_again(call: Call, context: CallContext) -> Review:
    # Where a call must come, any other: shown its call, a model writes it again.
    offers = _other_tools(call, context) if context.forced else ()
    return _doubt(
        "it was done already",
        "" if offers else corrections.repeated_act(call.name),
        final=not context.conversation.wants_more,
        yields=True,
        offers=offers,
        demands=bool(offers),
    )


def _other_tools(call: Call, context: CallContext) -> tuple[str, ...]:
    return tuple(tool.name for tool in context.tools if tool.name != call.name)


def _run_of(call: Call, context: CallContext) -> list[str]:
    """The results of this very call in the last rounds, in each of which it stands."""
    rounds = reversed(context.conversation.rounds_since_user)
    same = ([outcome for outcome in outcomes if outcome.is_of(call)] for outcomes in rounds)
    run = [outcomes[0].result for outcomes in takewhile(bool, same)]
    return [result for result in run if result is not None]


def _done_before(call: Call, context: CallContext, *, is_act: bool) -> int:
    """How often the same was answered since the user spoke, with nothing in between that undoes it.

    That is, for an act, one of the same tool with other arguments; for a look-up, any act.
    """
    done = 0
    outcomes = reversed(context.conversation.outcomes_since_user)
    for outcome in (outcome for outcome in outcomes if outcome.result is not None):
        is_same_tool = outcome.call.name == call.name
        if is_same_tool and outcome.call.args == call.args:
            done += 1
        elif is_same_tool if is_act else _is_act(outcome, context):
            break
    return done


def _is_act(outcome: CallOutcome, context: CallContext) -> bool:
    tools = (tool for tool in context.tools if tool.name == outcome.call.name)
    return any(kind_of(tool) == "acts" for tool in tools)


@dataclass(frozen=True, slots=True)
class InTime:
    """Does not make a look-up in an agent's last step, whose result nobody would read.

    It looks at the steps that LangGraph has left, and at what the tool does.
    """

    def review(self, call: Call, context: CallContext) -> Review:  # noqa: ARG002 - any look-up
        """Accepts a demanded call, and an agent's first."""
        is_lookup = kind_of(context.tool) == "tells" and bool(context.conversation.rounds)
        if context.is_demanded or not (context.is_last_step and is_lookup):
            return ACCEPT
        return Review.ask("no step is left to read its result", final=True, code=TOO_LATE)
