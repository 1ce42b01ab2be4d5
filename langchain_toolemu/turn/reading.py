"""How a reply is taken, and what was read of it once it has ended: values, which decide nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from langchain_toolemu.messages.parts import Part, Words
from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    CallStarted,
    HalfThought,
    MadeUpTurn,
    PossibleCall,
)
from langchain_toolemu.turn.refusals import Suspicion

Hold: TypeAlias = Literal["nothing", "prose", "calls", "everything"]
Sorting: TypeAlias = Literal["accepted", "doubtful", "unwanted", "surplus", "postponed"]


@dataclass(frozen=True, slots=True)
class Rules:
    """How a reply is taken.

    Attributes:
        hold: `"nothing"`: show all as it comes. `"prose"`: hold words until a call is accepted. `"calls"`: hold all
            from the first call on. `"everything"`: hold all until the end.
        check: Validates a call's arguments.
        sort: What a call is worth, given those that were accepted before it.
        suspect: Whether words so far are, or may become, a refusal or the answer of an example; `None` where neither
            matters.
        early: The arguments, repaired, that a call has so far which can no longer be rejected, given those that
            were accepted before it; `None` if it still can, or if nothing is shown early.
        documents: Whether a call that no envelope marks as one is documentation as soon as words follow it.
        tells_thoughts: Whether thoughts are told from the answer.
    """

    hold: Hold
    check: Callable[[Call], Call]
    sort: Callable[[Call, Sequence[Call]], Sorting]
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
        doubtful: Those held back: their arguments do not fit, or they repeat what was just answered.
        unwanted: Those that were not asked for: of another tool than the one demanded, or where no tool is offered.
        surplus: Those after the one that was wanted.
        postponed: Those that must wait for the result of another one.
        bad_calls: Those that cannot be run.
        possible: Those of which the words around them leave open whether they are meant.
        broken: Those whose arguments were shown and never ended.
        disowned: Those that were shown and stood in a thought.
        repeats: Identical calls in a row that are not made: the reply did not stop repeating them.
        made_up: What the model wrote in another's name: a result, or another speaker's turn.
        held: What was not shown and is not text only.
        unshown: What was not shown, to the letter.
        refused: Whether it denies that there are tools.
        copied: Whether it is the answer of an example.
        only_calls: Whether it holds nothing but calls.
        halves: The thoughts that have one end only, where thoughts are told from the answer.
    """

    raw: str = ""
    calls: tuple[Call, ...] = ()
    doubtful: tuple[Call, ...] = ()
    unwanted: tuple[Call, ...] = ()
    surplus: tuple[Call, ...] = ()
    postponed: tuple[Call, ...] = ()
    bad_calls: tuple[BadCall, ...] = ()
    possible: tuple[PossibleCall, ...] = ()
    broken: tuple[BadCall, ...] = ()
    disowned: tuple[Call, ...] = ()
    repeats: tuple[Call, ...] = ()
    made_up: tuple[MadeUpTurn, ...] = ()
    held: tuple[Part, ...] = ()
    unshown: tuple[Part, ...] = ()
    refused: bool = False
    copied: bool = False
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
        return made_up + tuple(
            f"left out {words.format(call.name)}"
            for words, calls in (
                ("a further call of {}", self.surplus),
                ("a call of {}, which needs the result of an earlier one", self.postponed),
                ("a call of {}, which stood in a thought", self.disowned),
                ("a call of {}, which was not asked for", self.unwanted),
                ("a call of {}, which repeats the one before it without end", self.repeats),
            )
            for call in calls
        )
