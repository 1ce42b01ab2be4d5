"""A reply to a request in text that has ended, and what a rule can decide on: accept it, ask again, or give up."""

from dataclasses import dataclass, replace
from functools import cached_property

from langchain_toolemu.contract import corrections
from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.messages.parts import Part, Words
from langchain_toolemu.reader.events import Call
from langchain_toolemu.turn.judged_reply import JudgedReply
from langchain_toolemu.turn.requests import UNREAD
from langchain_toolemu.turn.stages import (
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

# Worth one correction and no more: a refusal that is repeated is an answer, and polling is legitimate.
_ONCE: frozenset[Reason] = frozenset({"refusal", "repeated_call", "imitated_call", "unclear_call"})


@dataclass(frozen=True)
class EmulatedEnd(JudgedReply):
    """A reply to a request in text that has ended, and all that its rules go by.

    Attributes:
        stage: What was asked.
        metadata: What it says about itself.
        called: Whether the server itself made a call of it.
        spoke_before: Whether it had shown words before this reply.
        calls: The calls that the turn has shown.
    """

    stage: AskedInText
    metadata: TurnMetadata
    called: bool = False
    spoke_before: bool = False
    calls: tuple[Call, ...] = ()

    @property
    def forced(self) -> bool:
        """Whether a call was demanded."""
        return self.order.choice.forced

    @property
    def has_calls(self) -> bool:
        """Whether this reply or one before it made a call."""
        return bool(self.judge.before or self.reply.calls)

    @cached_property
    def meant(self) -> list[Call]:
        """The doubtful calls of the model's own, without those that have a made-up value or a known result."""
        others = [*(call for call, _ in self.invented), *self.repeated]
        return [call for call in self.own if self._is_demanded or call not in others]

    @property
    def left_out(self) -> tuple[str, ...]:
        """What is said of those where the reply is taken as it is."""
        return () if self._is_demanded else self.not_meant

    @property
    def _is_demanded(self) -> bool:
        """Whether a call was demanded and nothing came but doubtful ones: then a repeated call is better than none."""
        return self.forced and not self.has_calls

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
        """Whether the reply says nothing."""
        return not self.reply.raw.strip() or self.only_unwanted


def accepted(end: EmulatedEnd, *warnings: str) -> Finish:
    """The reply is as good as it gets, or good enough."""
    return Finish(path="emulated", show=_leftovers(end), warnings=(*warnings, *end.left_out))


def _leftovers(end: EmulatedEnd) -> tuple[Part, ...]:
    """What is still to be shown: held words, doubtful calls, bad ones as invalid, copied ones as text."""
    reply = end.reply
    if end.only_unwanted:
        # The text of such calls is all there is to say; as an answer it is none.
        return reply.bad_calls if end.stage.phase == "answer" else reply.unshown
    refused = next((past.words for past in end.stage.reasks if past.words), ())
    may_stand = end.stage.phase != "answer" and not reply.calls
    words = refused if refused and may_stand else reply.held
    return (*words, *(Words(call.raw) for call in end.copied), *end.meant, *reply.bad_calls)


def corrected(end: EmulatedEnd, reason: Reason, correction: str) -> Move:
    """Ask again, unless that was done often enough. Each correction is stricter than the one before it."""
    past = end.stage.reasks
    if reason in _ONCE and end.asked_about(reason):
        return accepted(end)
    if not end.can_ask_again:
        return gave_up(end, reason)
    text = f"{correction}{corrections.STRICTER}" if past else correction
    return Send(
        stage=_asked_again(end, reason, text),
        log=(f"re-ask {len(past) + 1} ({label_of(reason)})",),
    )


def _asked_again(end: EmulatedEnd, reason: Reason, correction: str) -> AskedInText:
    stage, reply = end.stage, end.reply
    if end.forced and not stage.steered_to and end.copied and not end.meant:
        # Told that it copied an example, a small model copies its own reply: it is asked afresh.
        names = (end.order.choice.name,) if end.order.choice.name else end.order.toolset.names
        again = replace(stage, reasks=(*stage.reasks, Reask(reason, reply.raw, "")), checks=None)
        return steered_stage(again, names)
    repeats = reason == "repeated_call" and not end.forced
    reask = Reask(
        reason,
        reply.raw,
        correction,
        without=tuple(call.name for call in reply.doubtful) if repeats else (),
        words=reply.held if reason == "refusal" else (),
    )
    return replace(stage, reasks=(*stage.reasks, reask), checks=None)


def gave_up(end: EmulatedEnd, reason: Reason) -> Move:
    """No re-ask is left: an error if a demanded call is missing, else the reply as it is, with a warning."""
    label = label_of(reason)
    missed = end.forced and not (end.calls or end.meant)
    # An answer in the wrong form is its parser's to refuse; no caller waits for a call.
    strict = end.settings.on_failure == "error" and end.order.form is None
    if missed and strict:
        return GiveUp(error=_error(end, reason))
    return replace(accepted(end, f"gave up: {label}"), log=(f"gave up ({label})",))


def _error(end: EmulatedEnd, reason: Reason) -> ToolChoiceError:
    cut = end.metadata.cut
    way_out = "The reply was cut at its token limit: raise max_tokens" if cut else "Ask for less"
    said = (
        f"A call of {end.order.choice.name or 'some tool'} was demanded, and the model made none in "
        f"{end.metadata.requests} requests (last: {label_of(reason)}). {way_out}, use a more capable "
        "model, or pass on_failure='continue' to get the reply as it is."
    )
    if reason in UNREAD:
        return ToolCallParseError(said, llm_output=end.reply.raw)
    return ToolChoiceError(said)
