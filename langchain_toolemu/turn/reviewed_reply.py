"""A reply that has ended, with what its calls are worth: what the rules for native replies and for those in text share."""

from dataclasses import dataclass, field

from langchain_toolemu.messages.content import Part
from langchain_toolemu.reader.events import Call
from langchain_toolemu.turn.judging import Judge
from langchain_toolemu.turn.kinds import is_thought
from langchain_toolemu.turn.reading import Reading, ReviewedCall
from langchain_toolemu.turn.stages import Reask, Reason
from langchain_toolemu.turn.turn_input import Settings, TurnInput


@dataclass(frozen=True)
class ReviewedReply:
    """A reply that has ended, with what its calls are worth.

    Attributes:
        judge: What its calls are worth.
        reply: What was read of it.
        spoke: Whether the turn has shown words.
        said: Those words.
        spoke_before: Whether it had shown words before this reply.
    """

    judge: Judge
    reply: Reading
    spoke: bool = field(default=False, kw_only=True)
    said: str = field(default="", kw_only=True)
    spoke_before: bool = field(default=False, kw_only=True)

    @property
    def order(self) -> TurnInput:
        """What was asked, as it was sent."""
        return self.judge.order

    @property
    def settings(self) -> Settings:
        """How the wrapper was set up."""
        return self.judge.settings

    @property
    def forced(self) -> bool:
        """Whether a call was demanded."""
        return self.order.choice.forced

    @property
    def answered(self) -> bool:
        """Whether the words may be an answer: a thought that is shown as it came is none."""
        return self.spoke and not is_thought(self.said)

    @property
    def rejected(self) -> tuple[ReviewedCall, ...]:
        """The doubted calls that are not made even if the model insists."""
        return tuple(one for one in self.reply.doubted if one.review.final)

    @property
    def has_only_copies(self) -> bool:
        """Whether all its calls have a value of an example: the model did not know what to call."""
        reply = self.reply
        copies = all(one.review.code == "copied_value" for one in reply.doubted)
        return bool(reply.doubted) and copies and not (reply.calls or reply.misfits)

    @property
    def not_made(self) -> tuple[str, ...]:
        """What is said of them, and of the calls that cannot be run, where the turn goes on without them."""
        return (
            *(f"left out a call of {one.call.name}: {one.review}" for one in self.rejected),
            *(f"left out a call of {bad.name}: {bad.detail}" for bad in self.reply.bad_calls),
        )

    def question(self, reason: Reason, correction: str) -> Reask:
        """A re-ask that asks about a call: the words before it stand, and the call is kept in case nothing else comes."""
        return Reask(
            reason,
            self.reply.raw,
            correction,
            # Of a further reply no words are shown.
            words=self.reply.unshown if self.spoke and not self.spoke_before else (),
            stands=self.spoke,
            calls=self.doubted_calls,
        )

    def without_rejected(self) -> tuple[Part, ...]:
        """What is held of the reply, with the calls that are never made as invalid ones."""
        invalid = {id(one.call): one.as_invalid for one in self.rejected}
        return tuple(invalid.get(id(part), part) for part in self.reply.held)

    @property
    def doubted_calls(self) -> tuple[Call, ...]:
        """The doubted calls that may be made."""
        return tuple(one.call for one in self.reply.doubted if not one.review.final)
