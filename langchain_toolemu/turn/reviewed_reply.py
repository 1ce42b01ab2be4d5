"""A reply that has ended: what was read of it, as plain data, and what its calls are worth."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from langchain_core.messages import AIMessageChunk

from langchain_toolemu.messages.content import Part, Words
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.policy.review import ACCEPT, Review
from langchain_toolemu.reader import Reader, events
from langchain_toolemu.reader.events import BadCall, Call, DeclinedCall, PossibleCall
from langchain_toolemu.turn.announcements import announces_call
from langchain_toolemu.turn.reasoning_text import is_only_reasoning, thought_of, without_reasoning
from langchain_toolemu.turn.refusals.suspicion import Suspicion
from langchain_toolemu.turn.reply_setup import Judge
from langchain_toolemu.turn.stages import Reask, Stage
from langchain_toolemu.turn.turn_input import Settings, TurnInput
from langchain_toolemu.turn.turn_output import Doubt, ReaskReason, TurnWarning, warning

Remark: TypeAlias = PossibleCall | DeclinedCall | events.MadeUpTurn | events.HalfThought

CallStatus: TypeAlias = Literal[
    "shown", "held", "waiting", "repeat", "queued", "doubted", "held_back",
    "misfit", "unwanted", "surplus", "bad", "broken", "endless", "text",
]  # fmt: skip
"""What became of a call so far. Accepted, and shown; held to the end with all that follows; or waiting for the end, after
words. Third and later identical calls, resolved at the end of the reply. Accepted after a doubted one, with which it waits.
Then what the judge rejects, what the reader could not read, a shown call that never ended, a repeat that is not made, and
what is text after all."""

ACCEPTED: tuple[CallStatus, ...] = ("shown", "held", "waiting")
HIDDEN = ("waiting", "repeat", "held_back", "misfit", "unwanted", "surplus", "bad")
SUMMARY_FIELDS: Mapping[CallStatus, str] = {
    **dict.fromkeys(ACCEPTED, "calls"), "doubted": "doubted", "held_back": "held_back", "misfit": "misfits",
    "unwanted": "unwanted", "surplus": "surplus", "bad": "bad_calls", "broken": "broken", "endless": "repeats",
}  # fmt: skip
"""Where the summary has the calls of a status."""


@dataclass(slots=True)
class ReplyCall:
    """A call of the reply, what became of it so far, and what the policy says of it."""

    call: Call | BadCall
    status: CallStatus
    review: Review = ACCEPT

    @property
    def as_invalid(self) -> BadCall:
        """The call as one that cannot be run."""
        one = self.call
        if isinstance(one, BadCall):
            return one
        why = "; ".join(one.errors) if self.status == "misfit" else str(self.review)
        return BadCall(one.name, one.raw, one.envelope, one.explicit, "rejected", why, one.id)

    @property
    def warning(self) -> TurnWarning:
        """What the user is told where the policy leaves the call out."""
        return warning("call_rejected", name=self.call.name, why=self.review)

    @property
    def as_it_came(self) -> Call | BadCall:
        """The call as if nobody had looked at it, but for what the policy does not let through."""
        one = self.call
        if isinstance(one, Call):
            return self.as_invalid if self.status == "held_back" or self.review.final else one
        try:
            args = json.loads(one.raw or "{}") if one.reason == "unknown_tool" else None
        except ValueError:
            args = None
        if not isinstance(args, dict):
            return one
        return Call(one.name or "", args, one.raw, one.envelope, one.explicit, id=one.id)


@dataclass(frozen=True, slots=True)
class ReplySummary:
    """What was read of a reply that has ended. Plain data, no logic."""

    raw: str = ""
    calls: tuple[Call, ...] = ()  # accepted
    misfits: tuple[Call, ...] = ()  # whose arguments do not fit
    doubted: tuple[ReplyCall, ...] = ()  # by the policy, and not decided on
    held_back: tuple[ReplyCall, ...] = ()  # by the policy, without a question
    reviewed: tuple[ReplyCall, ...] = ()  # all that the policy did not simply accept
    unwanted: tuple[Call, ...] = ()  # of another tool than the demanded, or where none is offered
    surplus: tuple[Call, ...] = ()  # after the one that was wanted
    bad_calls: tuple[BadCall, ...] = ()  # cannot be run
    broken: tuple[BadCall, ...] = ()  # whose arguments were shown and never ended
    disowned: tuple[Call, ...] = ()  # shown, and stood in a thought
    repeats: tuple[Call, ...] = ()  # not made: the reply did not stop repeating them
    remarks: tuple[Remark, ...] = ()
    held: tuple[Part, ...] = ()  # what was not shown and is not text only
    unshown: tuple[Part, ...] = ()  # what was not shown, to the letter
    suspicion: Suspicion = "none"  # what its opening is, if not the model's answer
    only_calls: bool = False
    unremarkable: bool = False  # whether its calls were all accepted, and nothing else was found

    @property
    def possible_call(self) -> PossibleCall | None:
        """The first call of which the words around it leave open whether it is meant."""
        return next((one for one in self.remarks if isinstance(one, PossibleCall)), None)

    @property
    def declines_call(self) -> bool:
        """Whether it declines a call, or holds one that stands in a tool result."""
        return any(isinstance(one, DeclinedCall) for one in self.remarks)

    @property
    def thoughts(self) -> tuple[Part, ...]:
        """What was not shown of thoughts, where they are told from the answer."""
        words = (part for part in self.unshown if isinstance(part, Words))
        return tuple(part for part in words if part.kind != "answer")

    @property
    def doubts(self) -> Iterator[Doubt]:
        """What the policy, or the words around a call, says against its calls."""
        for one in self.reviewed:
            args = {} if isinstance(one.call, BadCall) else one.call.args
            yield Doubt(one.call.name, args, str(one.review))
        for kind, label in ((PossibleCall, "unclear"), (DeclinedCall, "declined")):
            for remark in self.remarks:
                if isinstance(remark, kind):
                    yield Doubt(remark.name, remark.args, f"{label}: {remark.detail}")

    @property
    def dropped_call_warnings(self) -> tuple[TurnWarning, ...]:
        """Warnings for dropped made-up turns and for calls that are not made."""
        made_up = any(isinstance(one, events.MadeUpTurn) for one in self.remarks)
        dropped = {
            "call_surplus": self.surplus, "call_in_thought": self.disowned,
            "call_not_asked_for": self.unwanted, "call_repeated": self.repeats,
        }  # fmt: skip
        return (
            *((warning("made_up_turn"),) if made_up else ()),
            *(one.warning for one in self.held_back),
            *(warning(code, name=one.name) for code, calls in dropped.items() for one in calls),
        )


@dataclass(frozen=True, kw_only=True)
class ReviewedReply:
    """A reply that has ended, with what its calls are worth: what the rules for both kinds of replies share."""

    judge: Judge  # what its calls are worth
    reply: ReplySummary  # what was read of it
    metadata: TurnMetadata  # what it says about itself
    called: bool = False  # whether the provider made a call
    spoke: bool = False  # whether the turn has shown words
    shown_text: str = ""  # those words
    spoke_before: bool = False  # whether it had shown words before this reply
    pieces: Sequence[AIMessageChunk] = ()  # as it came

    @property
    def sent_input(self) -> TurnInput:
        """The caller's input in the form in which it was sent."""
        return self.judge.turn_input

    @property
    def settings(self) -> Settings:
        """How the wrapper was set up."""
        return self.judge.settings

    @property
    def stage(self) -> Stage:
        """What was asked."""
        return self.judge.stage

    @property
    def forced(self) -> bool:
        """Whether a call was demanded."""
        return self.sent_input.choice.forced

    @cached_property
    def says_nothing(self) -> bool:
        """Whether it has no words, or none but thoughts."""
        raw = self.reply.raw.strip()
        # Thoughts alone begin or end with a mark.
        return not raw or ((raw[0] in "<[\u25c1" or raw[-1] == ">") and is_only_reasoning(raw))

    @cached_property
    def announces_call(self) -> bool:
        """Whether its last words say that a call will be made now; what was only thought says nothing."""
        names = self.sent_input.toolset.names
        return announces_call(without_reasoning(self.reply.raw), names)

    @cached_property
    def call_ending_thought(self) -> Call | None:
        """An explicit call of a bound tool that fits and ends a thought, if the reply says nothing else."""
        if not self.says_nothing or self.metadata.cut or self.reply.calls or self.called:
            return None
        thought = thought_of(self.pieces, self.reply.raw).strip()
        if not thought:
            return None
        reader = Reader(self.sent_input.functions, native=True, explicit_only=True)
        last = reader.read(thought)[-1:]
        call = self.judge.repair(last[0]) if last and isinstance(last[0], Call) else None
        accepted = call and self.judge.classify(call, ()).kind == "accepted"
        return call if call and accepted and call.explicit and not call.errors else None

    @property
    def rejected_calls(self) -> tuple[ReplyCall, ...]:
        """The doubted calls that are not made even if the model insists."""
        return tuple(one for one in self.reply.doubted if one.review.final)

    @property
    def doubted_calls(self) -> tuple[Call, ...]:
        """The doubted calls that may be made."""
        open_ = (one.call for one in self.reply.doubted if not one.review.final)
        return tuple(call for call in open_ if isinstance(call, Call))

    @property
    def has_only_copies(self) -> bool:
        """Whether all its calls have a value of an example: the model did not know what to call."""
        reply = self.reply
        copies = all(one.review.code == "copied_value" for one in reply.doubted)
        return bool(reply.doubted) and copies and not (reply.calls or reply.misfits)

    @property
    def failed_call_warnings(self) -> tuple[TurnWarning, ...]:
        """Warnings for rejected calls and for those that cannot be run, where the turn goes on without them."""
        rejected, bad = self.rejected_calls, self.reply.bad_calls
        told = (warning("call_rejected", name=one.name, why=one.detail) for one in bad)
        return (*(one.warning for one in rejected), *told)

    def question(self, reason: ReaskReason, correction: str) -> Reask:
        """A re-ask that asks about a call: the words before it stand, and the call is kept in case nothing else comes."""
        # Of a further reply no words are shown.
        words = self.reply.unshown if self.spoke and not self.spoke_before else ()
        return Reask(reason, self.reply.raw, correction, words, self.spoke, self.doubted_calls)

    def without_rejected(self) -> tuple[Part, ...]:
        """What is held of the reply, with the calls that are never made as invalid ones."""
        invalid = {id(one.call): one.as_invalid for one in self.rejected_calls}
        return tuple(invalid.get(id(part), part) for part in self.reply.held)
