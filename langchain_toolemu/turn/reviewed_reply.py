"""A reply that has ended: what was read of it, as plain data, and what its calls are worth.

Of calls, the rules ask five questions, each in one place: whether one was made (`made_call`); whether the reply holds anything that
may be meant as one (`holds_call`), or nothing but what nobody asked for (`only_unwanted`); which of a native reply's text count
(`rescuable`); and whether a check found one that may be made (`finds_call`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from langchain_toolemu.contract import corrections
from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.contract.rules import NO_TOOL
from langchain_toolemu.contract.size import ContractSize
from langchain_toolemu.language.announcements import announces_call
from langchain_toolemu.messages.content import Part, Words
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.messages.past_reasoning import without_thoughts
from langchain_toolemu.model_facts import Knowledge, TokenCount
from langchain_toolemu.policy.review import ACCEPT, Review
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import BadCall, Call, MadeUpTurn, PossibleCall, Text
from langchain_toolemu.reader.search import calls_in
from langchain_toolemu.turn.native_calls import NativeCalls
from langchain_toolemu.turn.reasoning_text import is_only_reasoning, thought_of
from langchain_toolemu.turn.reply_log import ReplySummary
from langchain_toolemu.turn.reply_setup import EarlierCalls, Judge
from langchain_toolemu.turn.stages import NativeReply, Stage, first_in_text
from langchain_toolemu.turn.suspicion import repeats_words
from langchain_toolemu.turn.turn_input import Settings, TurnInput
from langchain_toolemu.turn.turn_output import OutputState, TurnWarning, bad_call_warning
from langchain_toolemu.validation import fit, read_json

_LONGEST_LEAD_IN = 100  # characters
_PUNCTUATION = " \t\r\n."
_ENDS = (":", ".", "!", "\u2026", "\uff1a", "\u3002", "\uff01", "\u061f", "\u0964")
"""How a line ends in any script."""

_MAX_COMPARED = 4_000  # characters of a reply that are compared with what we said


class QuotedQuestion(NamedTuple):
    """The tool whose call the model was asked about, and why."""

    name: str
    review: Review


@dataclass(frozen=True, kw_only=True)
class ReviewedReply:
    """A reply that has ended, with all that its rules go by."""

    turn_input: TurnInput  # the caller's, in the form in which it was sent
    settings: Settings  # how the wrapper was set up
    stage: Stage  # what was asked
    judge: Judge  # what its calls are worth
    reply: ReplySummary  # what was read of it
    output: OutputState  # what the turn has shown
    metadata: TurnMetadata  # what it says about itself
    knowledge: Knowledge  # of the model
    native_calls: NativeCalls  # the provider's own
    contract: ContractSize | None  # of the request
    made_call: (
        bool  # whether a call stands, of the provider's or, in text, of this reply or one before it
    )
    usage_says: TokenCount  # of the tools
    streamed: bool  # whether it came in pieces, where the model can send them
    read_from_error: bool  # whether the server took it for a call that it could not parse

    @property
    def spoke_before(self) -> bool:
        """Whether the turn had shown words before this reply."""
        return self.output.reply.spoke_before

    @property
    def natively(self) -> bool:
        """Whether it is the reply to a native request."""
        return self.stage.phase == "native"

    @property
    def forced(self) -> bool:
        """Whether a call was demanded."""
        return self.turn_input.choice.forced

    @cached_property
    def says_nothing(self) -> bool:
        """Whether it has no words, or none but thoughts."""
        raw = self.reply.raw.strip()
        # Thoughts alone begin or end with a mark.
        return not raw or ((raw[0] in "<[\u25c1" or raw[-1] == ">") and is_only_reasoning(raw))

    @cached_property
    def announces_call(self) -> bool:
        """Whether its last words say that a call will be made now; what was only thought says nothing."""
        talk, names = self.turn_input.conversation, self.turn_input.toolset.names
        # Of a model that was never seen to call, and is large, words alone are taken for an answer.
        unnamed = (
            self.settings.may_stop_short
            or self.is_trusted
            or has_tool_history(self.turn_input.messages)
        )
        results = [outcome.result or "" for outcome in talk.outcomes_since_user]
        text = without_thoughts(self.reply.raw, halves=True)
        return announces_call(text, names, unnamed=unnamed, results="\n".join(results))

    @cached_property
    def call_ending_thought(self) -> Call | None:
        """An explicit call of a bound tool that fits and ends a thought, if the reply says nothing else."""
        if not self.says_nothing or self.metadata.cut or self.reply.calls:
            return None
        thought = thought_of(self.native_calls.chunks, self.reply.raw).strip()
        if not thought:
            return None
        reader = Reader(self.turn_input.functions, native=True, explicit_only=True)
        last = reader.read(thought)[-1:]
        call = self.judge.repair(last[0]) if last and isinstance(last[0], Call) else None
        accepted = call and self.judge.classify(call, EarlierCalls()).verdict == "accepted"
        return call if call and accepted and call.explicit and not call.errors else None

    @property
    def has_only_copies(self) -> bool:
        """Whether all its calls have a value of an example: the model did not know what to call."""
        reply = self.reply
        copies = all(record.review.code == "copied_value" for record in reply.doubted)
        return bool(reply.doubted) and copies and not (reply.calls or reply.misfits)

    @property
    def failed_call_warnings(self) -> tuple[TurnWarning, ...]:
        """Warnings for rejected calls and for those that cannot be run, where the turn goes on without them."""
        warnings = (bad_call_warning(call, "call_rejected") for call in self.bad_calls)
        return (*(record.warning for record in self.reply.rejected), *warnings)

    @property
    def bad_calls(self) -> Sequence[BadCall]:
        """The calls that cannot be run, the provider's own among them."""
        native = (record.call for record in self.native_calls.broken if self.natively)
        return [*self.reply.bad_calls, *(call for call in native if isinstance(call, BadCall))]

    @property
    def unknown_names(self) -> Iterator[str]:
        """The names of its calls that are no tool's, but for the one that says "no call"."""
        for call in self.bad_calls:
            if call.reason == "unknown_tool" and (call.name or "").lower() != NO_TOOL:
                yield call.name or "a tool without a name"

    @property
    def quoted_question(self) -> QuotedQuestion | None:
        """What the model was asked about, if it was asked whether it means a call."""
        if not self.stage.asked_if_quoted:
            return None
        last = self.stage.reasks[-1]
        if last.review.is_text:
            return QuotedQuestion(last.about, last.review)
        found = (record for record in self.reply.reviewed if record.review.is_text)
        return next((QuotedQuestion(it.call.name or "", it.review) for it in found), None)

    @cached_property
    def unclear_call(self) -> PossibleCall | None:
        """The first call that the words leave open; none if it is never made."""
        never = self.review_of_unclear.is_text and self.review_of_unclear.outcome == "hold_back"
        return None if never else self.reply.possible_call

    @cached_property
    def review_of_unclear(self) -> Review:
        """What the policy would say of it."""
        found = self.reply.possible_call
        if found is None or found.name is None:
            return ACCEPT
        call = Call(found.name, found.args, found.raw, found.envelope, explicit=False)
        return self.judge.classify(call, EarlierCalls()).review

    @cached_property
    def declines_call(self) -> bool:
        """Whether it declines a call, or speaks of one that is never made."""
        is_text = self.reply.possible_call is not None and self.unclear_call is None
        return is_text or self.reply.declines_call or self._quotes_result

    @property
    def _quotes_result(self) -> bool:
        """Whether its words hold a call out of a tool's result."""
        talk, text = self.turn_input.conversation, self.reply.raw
        if not talk.has_result:
            return False
        named = [
            (tool, args) for tool in self.turn_input.functions for args in calls_in(text, tool)
        ]
        return any(
            talk.quotations.is_copy(Call(tool.name, args or {}, text, "", explicit=False))
            or any(it.in_result and it.args == args for it in talk.quotations.of(tool, args))
            for tool, args in named
        )

    @property
    def quotes_call(self) -> bool:
        """Whether it holds a call that may be only quoted, about which the model can be asked."""
        return any(record.review.is_text for record in self.reply.doubted)

    @cached_property
    def confirmed_calls(self) -> tuple[Call, ...]:
        """The calls that the reply is, but for a lead-in: one, or several that it quoted."""
        calls, reply = self.reply.calls, self.reply
        if not calls or reply.misfits or reply.bad_calls or reply.doubted or reply.held_back:
            return ()
        quoted = [record.call for record in reply.reviewed if record.review.is_text]
        if len(calls) > len(quoted) > 0 or reply.possible_call or reply.declines_call:
            return ()
        before, *others = _words_around(without_thoughts(reply.raw, halves=True), calls)
        made_up = "".join(it.text for it in reply.remarks if isinstance(it, MadeUpTurn))
        after = "".join(others).strip(_PUNCTUATION).removesuffix(made_up.strip(_PUNCTUATION))
        if not self._is_lead_in(before.strip()) or after.strip(_PUNCTUATION):
            return ()
        # One that is written twice is one.
        equal = [[it.args == call.args and it.name == call.name for it in calls] for call in calls]
        return tuple(call for n, call in enumerate(calls) if not any(equal[n][:n]))

    def _is_lead_in(self, words: str) -> bool:
        """Whether words only lead to a call: one short line with an end, where the reply before had no words."""
        is_short = len(words) <= _LONGEST_LEAD_IN and "\n" not in words
        if not words or not (is_short and words.endswith(_ENDS)) or corrections.TEXT in words:
            return not words
        # With other words around it, it would be a part of the text again.
        before = without_thoughts(self.stage.reasks[-1].failed, halves=True)
        reader = Reader(self.turn_input.toolset, reads_all=True)
        parts = [*reader.feed(before), *reader.close()]
        return not any(isinstance(it, Text) and it.text.strip(_PUNCTUATION) for it in parts)

    @property
    def asks_anew(self) -> bool:
        """Whether the model was asked about another tool's call, and a look-up can be demanded once more."""
        first = next(iter(self.reply.doubted), None)
        call = first.call if first else None
        if first is None or not (isinstance(call, Call) and first.review.demands):
            return False
        return self.can_ask_natively and not self.stage.has_asked_about(call, first.review)

    # --- of a reply to a request in text ---

    @property
    def holds_call(self) -> bool:
        """Whether this reply holds a call that is, or may be, meant, good or bad."""
        good = self.reply.calls or self.reply.misfits
        return bool(good or self.reply.doubted or self.reply.held_back or self.reply.bad_calls)

    @property
    def finds_call(self) -> bool:
        """Whether a check found a call that may be made."""
        return bool(self.reply.calls or self.reply.misfits or self.reply.askable)

    @property
    def has_native_words(self) -> bool:
        """Whether the native reply that is checked said anything."""
        checked = self.stage.checks
        return checked is not None and (self.spoke_before or bool(checked.words))

    @property
    def only_unwanted(self) -> bool:
        """Whether the reply is nothing but calls that were not asked for; where an answer was, those that cannot be run are, too."""
        bad = self.reply.bad_calls if self.stage.phase == "answer" else ()
        if not (self.reply.unwanted or bad) or self.made_call or self.output.spoke:
            return False
        return not any(isinstance(part, Words) for part in self.reply.held)

    @property
    def is_empty(self) -> bool:
        """Whether the reply says nothing of its own."""
        return self.reply.is_blank or self.is_echo or self.only_unwanted

    @cached_property
    def is_echo(self) -> bool:
        """Whether nothing was shown of the reply, and it repeats what we told the model: that is no answer of the model's."""
        if self.reply.suspicion == "echo":
            return True
        reasks = self.stage.reasks
        if not reasks or not self.reply.held or self.reply.calls:
            return False
        corrections = " ".join(reask.correction for reask in reasks)
        return repeats_words(self.reply.raw[:_MAX_COMPARED], corrections)

    # --- of a native reply ---

    @property
    def is_trusted(self) -> bool:
        """Whether the model is known to call natively by more than its server's word."""
        known = self.knowledge
        observed = known.verdict == "native" and known.evidence == "observed"
        return observed and not self.read_from_error

    @cached_property
    def rescuable(self) -> Sequence[Call]:
        """The calls that are written as text and count."""
        return [*filter(self.counts, self.reply.calls)]

    def counts(self, call: Call | BadCall) -> bool:
        """Whether a call counts: in the documentation that a capable model writes, a call is an example."""
        if not isinstance(call, Call) or self.is_formed:
            return False
        # Where the model calls natively, an object may be the answer that was asked for.
        return call.explicit or not (self.is_trusted and self.asks_for_object)

    @cached_property
    def is_formed(self) -> bool:
        """Whether the reply is one object in the form that was demanded: it is the answer, whatever it looks like."""
        form = self.turn_input.form
        reply = self.reply
        if form is None or form.is_open or not (reply.calls or reply.doubted or reply.held_back):
            return False
        value = read_json(self.reply.raw)
        return isinstance(value, dict) and not fit(value, form.schema).errors

    @property
    def asks_for_object(self) -> bool:
        """Whether an object may be the answer that was asked for."""
        demanded = self.turn_input.form or self.turn_input.constraint
        return bool(demanded or self.turn_input.conversation.asks_for_json)

    def repeats_native_call(self, part: Part) -> bool:
        """Whether a part is a call in text that the provider made, too."""
        return isinstance(part, Call) and self.native_calls.has_made(part)

    def held_with(self, calls: Sequence[Call]) -> Iterator[Part]:
        """What is held, with all but these calls as the text that they are."""
        for part in self.reply.held:
            if not (self.made_call and self.repeats_native_call(part)):
                yield Words(part.raw) if isinstance(part, Call) and part not in calls else part

    @property
    def native_words(self) -> tuple[Part, ...]:
        """What a native reply comes to as it is: its words, and its calls as they came."""
        return (*self.reply.unshown, *(record.as_it_came for record in self.native_calls.broken))

    @property
    def unknown_call_is_example(self) -> bool:
        """Whether a call of a tool that is not bound is an example among the words of a model that calls natively, or an object."""
        words = self.reply.raw
        held_back = (record.call for record in self.reply.held_back)
        for call in (*self.reply.calls, *self.reply.bad_calls, *held_back):
            words = words.replace(call.raw, "", 1)
        # What has the marks of a call is one, but on the hosts of those whose models never write them.
        is_marked = any(call.explicit for call in self.reply.bad_calls)
        calls_natively = self.settings.on_vendor_host or (self.is_trusted and not is_marked)
        explains = words.strip() and calls_natively
        return not self.forced and bool(explains or self.asks_for_object)

    @property
    def may_nudge(self) -> bool:
        """Whether a model that stopped short may be asked natively to go on: once a turn."""
        has_nudged = any(reask.kind.nudges for reask in self.stage.reasks)
        cut = self.metadata.cut or self.settings.on_vendor_host
        return self.can_ask_natively and not (has_nudged or cut)

    @property
    def can_ask_natively(self) -> bool:
        """Whether a re-ask is left, in text as well."""
        return len(self.stage.reasks) < self.settings.max_reasks

    @property
    def can_ask(self) -> bool:
        """Whether the model can be asked about its call in text, with the same tools offered."""
        return bool(self.settings.max_reasks) and not self.turn_input.built_in_names

    def as_native_reply(self, show: tuple[Part, ...] = ()) -> NativeReply:
        """The reply as it is kept if no request in text fits the window, but for what is shown of it at once."""
        words = () if show else self.reply.unshown
        return NativeReply(words, self.metadata.response_metadata, self.metadata.generation_info)

    def text_stage(
        self, native: NativeReply | None = None, checks: NativeReply | None = None
    ) -> Stage:
        """How the turn goes on in text."""
        stage = first_in_text(self.turn_input, self.settings, self.knowledge)
        native, checks = native or checks, None if stage.phase == "answer" else checks
        return replace(stage, native=native, checks=checks)


def _words_around(text: str, calls: Sequence[Call]) -> list[str]:
    """What stands before, between and after calls in a text; all of it, if a server read them."""
    words: list[str] = []
    for call in calls:
        if not call.raw or call.raw not in text:
            return ["", text]
        before, _, text = text.partition(call.raw)
        words.append(before)
    return [*words, text]
