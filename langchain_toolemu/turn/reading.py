"""How a reply is taken, and what was read of it once it has ended: values, which decide nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from langchain_toolemu.messages.content import Part, Words
from langchain_toolemu.policy.review import ACCEPT, Review
from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    CallStarted,
    DeclinedCall,
    HalfThought,
    MadeUpTurn,
    PossibleCall,
)
from langchain_toolemu.turn.refusals import Suspicion

Hold: TypeAlias = Literal["nothing", "prose", "calls", "everything"]
RulingKind: TypeAlias = Literal["accepted", "misfit", "doubted", "held_back", "unwanted", "surplus"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of a call.

    Attributes:
        kind: What it is worth.
        review: What the policy says of it.
    """

    kind: RulingKind
    review: Review = ACCEPT


@dataclass(frozen=True, slots=True)
class ReviewedCall:
    """A call that the policy did not simply accept.

    Attributes:
        call: The call.
        review: What the policy says of it.
    """

    call: Call
    review: Review

    @property
    def as_invalid(self) -> BadCall:
        """The call as one that cannot be run."""
        call = self.call
        return BadCall(
            call.name, call.raw, call.envelope, call.explicit, "rejected", str(self.review)
        )


@dataclass(frozen=True, slots=True)
class Rules:
    """How a reply is taken.

    Attributes:
        hold: `"nothing"`: show all as it comes. `"prose"`: hold words until a call is accepted. `"calls"`: hold all
            from the first call on. `"everything"`: hold all until the end.
        check: Validates a call's arguments.
        classify: What a call is worth, given those that were accepted before it.
        suspect: Whether words so far are, or may become, words that are not the model's answer; `None` where that does
            not matter.
        early: The arguments, repaired, that a call has so far which can no longer be rejected, given those that
            were accepted before it; `None` if it still can, or if nothing is shown early.
        documents: Whether a call that no envelope marks as one is documentation as soon as words follow it.
        tells_thoughts: Whether thoughts are told from the answer.
    """

    hold: Hold
    check: Callable[[Call], Call]
    classify: Callable[[Call, Sequence[Call]], Ruling]
    suspect: Callable[[str, bool], Suspicion] | None = None
    early: Callable[[CallStarted, Sequence[Call]], Mapping[str, Any] | None] | None = None
    documents: bool = False
    tells_thoughts: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a reply that has ended.

    Attributes:
        raw: Its whole text.
        calls: Those that were accepted.
        misfits: Those whose arguments do not fit.
        doubted: Those that the policy doubts, and that are not decided on.
        held_back: Those that the policy does not let through, without a question.
        reviewed: All that the policy did not simply accept, whatever became of them.
        unwanted: Those that were not asked for: of another tool than the one demanded, or where no tool is offered.
        surplus: Those after the one that was wanted.
        bad_calls: Those that cannot be run.
        possible: Those of which the words around them leave open whether they are meant.
        declined: Those that the reply declines, or that stand in a tool result.
        broken: Those whose arguments were shown and never ended.
        disowned: Those that were shown and stood in a thought.
        repeats: Identical calls in a row that are not made: the reply did not stop repeating them.
        made_up: What the model wrote in another's name: a result, or another speaker's turn.
        held: What was not shown and is not text only.
        unshown: What was not shown, to the letter.
        suspicion: What its opening turned out to be, if not the model's answer.
        only_calls: Whether it holds nothing but calls.
        halves: The thoughts that have one end only, where thoughts are told from the answer.
    """

    raw: str = ""
    calls: tuple[Call, ...] = ()
    misfits: tuple[Call, ...] = ()
    doubted: tuple[ReviewedCall, ...] = ()
    held_back: tuple[ReviewedCall, ...] = ()
    reviewed: tuple[ReviewedCall, ...] = ()
    unwanted: tuple[Call, ...] = ()
    surplus: tuple[Call, ...] = ()
    bad_calls: tuple[BadCall, ...] = ()
    possible: tuple[PossibleCall, ...] = ()
    declined: tuple[DeclinedCall, ...] = ()
    broken: tuple[BadCall, ...] = ()
    disowned: tuple[Call, ...] = ()
    repeats: tuple[Call, ...] = ()
    made_up: tuple[MadeUpTurn, ...] = ()
    held: tuple[Part, ...] = ()
    unshown: tuple[Part, ...] = ()
    suspicion: Suspicion = "none"
    only_calls: bool = False
    halves: tuple[HalfThought, ...] = ()

    @property
    def thoughts(self) -> tuple[Part, ...]:
        """What was not shown of thoughts, where they are told from the answer."""
        words = (part for part in self.unshown if isinstance(part, Words))
        return tuple(part for part in words if part.kind != "answer")

    @property
    def says_words(self) -> bool:
        """Whether it holds words besides its calls."""
        rest = self.raw
        calls: tuple[Call | BadCall, ...] = (*self.calls, *self.bad_calls)
        for call in calls:
            rest = rest.replace(call.raw, "", 1)
        return bool(rest.strip())

    @property
    def left_out(self) -> tuple[str, ...]:
        """What is said of the calls that are not made."""
        made_up = ("left out what the model wrote in another's name",) if self.made_up else ()
        return (
            *made_up,
            *(f"left out a call of {one.call.name}: {one.review}" for one in self.held_back),
            *(
                f"left out {words.format(call.name)}"
                for words, calls in (
                    ("a further call of {}", self.surplus),
                    ("a call of {}, which stood in a thought", self.disowned),
                    ("a call of {}, which was not asked for", self.unwanted),
                    ("a call of {}, which repeats the one before it without end", self.repeats),
                )
                for call in calls
            ),
        )
