"""A reply to a request in text that has ended, and what a rule can decide on: accept it, ask again, or give up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from langchain_toolemu.contract import corrections
from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.messages.content import Part, Words
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn.reading import ReviewedCall
from langchain_toolemu.turn.requests import UNREAD
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.stages import (
    QUESTIONS,
    AskedInText,
    Finish,
    GiveUp,
    Move,
    Reask,
    Reason,
    Send,
    label_of,
    steered_stage,
)

# Worth one question and no more: a refusal that is repeated is an answer, and a call that comes again is meant.
_ONCE: frozenset[Reason] = frozenset({"refusal", "doubted_call", "imitated_call", "unclear_call"})


@dataclass(frozen=True)
class EmulatedEnd(ReviewedReply):
    """A reply to a request in text that has ended, and all that its rules go by.

    Attributes:
        stage: What was asked.
        metadata: What it says about itself.
        called: Whether the server itself made a call of it.
        calls: The calls that the turn has shown.
    """

    stage: AskedInText
    metadata: TurnMetadata
    called: bool = False
    calls: tuple[Call, ...] = ()

    @property
    def has_calls(self) -> bool:
        """Whether this reply or one before it made a call."""
        return bool(self.judge.before or self.reply.calls)

    def as_invalid(self, held_back: Sequence[ReviewedCall]) -> tuple[BadCall, ...]:
        """The calls that the policy holds back; next to one that stands they are only told of."""
        return () if self.has_calls else tuple(one.as_invalid for one in held_back)

    @property
    def has_any_call(self) -> bool:
        """Whether this reply holds a call that is, or may be, meant, good or bad."""
        reply = self.reply
        doubted = reply.doubted or reply.held_back
        return bool(reply.calls or reply.misfits or doubted or reply.bad_calls)

    @property
    def can_ask_again(self) -> bool:
        """Whether there is a re-ask left."""
        return len(self.stage.reasks) < self.settings.max_reasks

    def asked_about(self, reason: Reason) -> bool:
        """Whether the model was told so before in this turn."""
        return any(reask.reason == reason for reask in self.stage.reasks)

    @property
    def only_unwanted(self) -> bool:
        """Whether the reply is nothing but calls that were not asked for, so that it says nothing."""
        words = any(isinstance(part, Words) for part in self.reply.held)
        return self.has_unwanted and not (self.spoke or words or self.has_calls)

    @property
    def has_unwanted(self) -> bool:
        """Whether it holds calls that were not asked for; where an answer was asked for, those that cannot be run are, too."""
        bad = self.reply.bad_calls if self.stage.phase == "answer" else ()
        return bool(self.reply.unwanted or bad)

    @property
    def is_empty(self) -> bool:
        """Whether the reply says nothing of its own."""
        echo = self.reply.suspicion == "echo"
        return not self.reply.raw.strip() or echo or self.only_unwanted


def accepted(end: EmulatedEnd, *warnings: str) -> Finish:
    """The reply is as good as it gets, or good enough."""
    rejected = (f"left out a call of {one.call.name}: {one.review}" for one in end.rejected)
    echo = ("left out our own words, which the model repeated",) * (end.reply.suspicion == "echo")
    return Finish(path="emulated", show=_leftovers(end), warnings=(*warnings, *rejected, *echo))


def _leftovers(end: EmulatedEnd) -> tuple[Part, ...]:
    """What is still to be shown: held words, calls that do not fit or were asked about, bad ones as invalid."""
    reply = end.reply
    if unanswered := _unanswered_calls(end):
        return unanswered
    if end.only_unwanted:
        # The text of such calls is all there is to say; as an answer it is none.
        return reply.bad_calls if end.stage.phase == "answer" else reply.unshown
    refused = next((past.words for past in end.stage.reasks if past.reason == "refusal"), ())
    may_stand = end.stage.phase != "answer" and not reply.calls
    own = () if reply.suspicion == "echo" else end.without_rejected()
    words = refused if refused and may_stand else own
    return (*words, *reply.misfits, *end.as_invalid(reply.held_back), *reply.bad_calls)


def _unanswered_calls(end: EmulatedEnd) -> tuple[Call, ...]:
    """The doubted calls of an earlier reply, if the model said nothing to the question."""
    if not end.is_empty or end.has_calls:
        return ()
    return next((past.calls for past in end.stage.reasks if past.calls), ())


def corrected(end: EmulatedEnd, reason: Reason, correction: str) -> Move:
    """Ask again, unless that was done often enough. Each correction is stricter than the one before it."""
    past = end.stage.reasks
    if reason in _ONCE and end.asked_about(reason) and not (end.forced and end.rejected):
        return accepted(end)
    if not end.can_ask_again:
        return gave_up(end, reason)
    stricter = past and reason not in QUESTIONS
    text = f"{correction}{corrections.STRICTER}" if stricter else correction
    return Send(
        stage=_asked_again(end, reason, text),
        log=(f"re-ask {len(past) + 1} ({label_of(reason)})",),
    )


def _asked_again(end: EmulatedEnd, reason: Reason, correction: str) -> AskedInText:
    stage, reply = end.stage, end.reply
    if end.forced and not stage.steered_to and end.has_only_copies:
        # Told that it copied an example, a small model copies its own reply: it is asked afresh.
        names = (end.order.choice.name,) if end.order.choice.name else end.order.toolset.names
        again = replace(stage, reasks=(*stage.reasks, Reask(reason, reply.raw, "")), checks=None)
        return steered_stage(again, names)
    if reason in QUESTIONS:
        reask = end.question(reason, correction)
    else:
        words = reply.held if reason == "refusal" else ()
        reask = Reask(reason, reply.raw, correction, words=words)
    return replace(stage, reasks=(*stage.reasks, reask), checks=None)


def gave_up(end: EmulatedEnd, reason: Reason) -> Move:
    """No re-ask is left: an error if a demanded call is missing, else the reply as it is, with a warning."""
    label = label_of(reason)
    missed = end.forced and not (end.calls or end.reply.misfits or end.doubted_calls)
    # An answer in the wrong form is its parser's to refuse; no caller waits for a call.
    strict = end.settings.on_failure == "error" and (end.order.form is None or end.rejected)
    if missed and strict:
        return GiveUp(error=_error(end, reason))
    return replace(accepted(end, f"gave up: {label}"), log=(f"gave up ({label})",))


def _error(end: EmulatedEnd, reason: Reason) -> ToolChoiceError:
    cut = end.metadata.cut
    way_out = "The reply was cut at its token limit: raise max_tokens" if cut else "Ask for less"
    refused = next(iter((*end.rejected, *end.reply.held_back)), None)
    failed = f"the policy let none through ({refused.review})" if refused else "the model made none"
    said = (
        f"A call of {end.order.choice.name or 'some tool'} was demanded, and {failed} in "
        f"{end.metadata.requests} requests (last: {label_of(reason)}). {way_out}, use a more capable "
        "model, or pass on_failure='continue' to get the reply as it is."
    )
    if reason in UNREAD:
        return ToolCallParseError(said, llm_output=end.reply.raw)
    return ToolChoiceError(said)
