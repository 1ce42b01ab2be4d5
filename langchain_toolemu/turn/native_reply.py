"""A native reply that has ended, with what its rules go by: which of its calls count, and how the turn can go on."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from langchain_toolemu.messages.content import Part, Words
from langchain_toolemu.model_facts import Knowledge, TokenCount
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn.native_calls import NativeCalls
from langchain_toolemu.turn.reviewed_reply import ReplyCall, ReviewedReply
from langchain_toolemu.turn.stages import NativeReply, Stage, first_in_text
from langchain_toolemu.turn.turn_output import TurnWarning, warning
from langchain_toolemu.validation import fit


@dataclass(frozen=True, kw_only=True)
class NativeReplyResult(ReviewedReply):
    """A native reply that has ended, with what is known of the model, and what the reply's usage says of the tools."""

    knowledge: Knowledge
    native_calls: NativeCalls
    usage_says: TokenCount = "unclear"
    read_from_error: bool = False  # whether the server took it for a call that it could not parse

    @property
    def is_trusted(self) -> bool:
        """Whether the model is known to call natively by more than its server's word."""
        known = self.knowledge
        observed = known.verdict == "native" and known.evidence == "observed"
        return observed and not self.read_from_error

    @cached_property
    def rescuable(self) -> Sequence[Call]:
        """The calls that are written as text and count."""
        return self.counted_calls(*self.reply.calls)

    def counted_calls(self, *calls: Call) -> Sequence[Call]:
        """Those of the calls that count: in the documentation that a capable model writes, a call is an example."""
        if self.is_formed:
            return ()
        # On a vendor's own host, a bare call counts only if it is the whole reply and fits.
        is_whole = len(calls) == 1 and self.reply.only_calls and not calls[0].errors
        is_object = is_whole and calls[0].envelope in ("json", "fence")
        # Where the model calls natively, an object may be the answer that was asked for.
        is_strict = self.settings.on_vendor_host or (self.is_trusted and self.asks_for_object)
        if not is_strict or (is_object and not self.asks_for_object):
            return calls
        return [call for call in calls if call.explicit]

    def counts(self, one: ReplyCall) -> bool:
        """Whether a call counts that the policy does not simply accept."""
        return isinstance(one.call, Call) and bool(self.counted_calls(one.call))

    @property
    def is_formed(self) -> bool:
        """Whether the reply is one object in the form that was demanded: it is the answer, whatever it looks like."""
        form = self.sent_input.form
        if form is None or form.is_open or not (self.reply.calls or self.reply.doubted):
            return False
        try:
            value = json.loads(self.reply.raw)
        except ValueError:
            return False
        return isinstance(value, dict) and not fit(value, form.schema).errors

    @property
    def asks_for_object(self) -> bool:
        """Whether an object may be the answer that was asked for."""
        asked = self.sent_input
        return bool(asked.form or asked.constraint or asked.conversation.asks_for_json)

    def repeats_native_call(self, part: Part) -> bool:
        """Whether a part is a call in text that the provider made, too."""
        return isinstance(part, Call) and self.native_calls.has_made(part, self.pieces)

    def held_with(self, calls: Sequence[Call]) -> Iterator[Part]:
        """What is held, with all but these calls as the text that they are."""
        for part in self.reply.held:
            if not (self.called and self.repeats_native_call(part)):
                yield Words(part.raw) if isinstance(part, Call) and part not in calls else part

    @property
    def invalid_calls(self) -> tuple[BadCall, ...]:
        """The provider's calls that cannot be made, where another one stands."""
        return tuple(one.as_invalid for one in self.native_calls.broken)

    @property
    def broken_call_warnings(self) -> tuple[TurnWarning, ...]:
        """Warnings for those."""
        told = ((one.name or "a tool", one.detail) for one in self.invalid_calls)
        return tuple(warning("call_broken", name=name, why=why) for name, why in told)

    @property
    def can_ask_natively(self) -> bool:
        """Whether a re-ask is left."""
        return len(self.stage.reasks) < self.settings.max_reasks

    @property
    def can_ask(self) -> bool:
        """Whether the model can be asked about its call in text, with the same tools offered."""
        return bool(self.settings.max_reasks) and not self.sent_input.built_in_names

    def as_native_reply(self, show: tuple[Part, ...] = ()) -> NativeReply:
        """The reply as it is kept if no request in text fits the window, but for what is shown of it at once."""
        words = () if show else self.reply.unshown
        return NativeReply(words, self.metadata.response_metadata, self.metadata.generation_info)

    def text_stage(
        self, native: NativeReply | None = None, checks: NativeReply | None = None
    ) -> Stage:
        """How the turn goes on in text."""
        known = self.sent_input, self.settings, self.knowledge
        return first_in_text(*known, checks=checks, native=native)
