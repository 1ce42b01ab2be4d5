"""One turn, without I/O: what to send next, and what the replies amount to.

    turn = Turn(...)
    while request := turn.ask():      # the driver sends it
        turn.feed(generation)         # each piece of the reply; returns chunks to show
        turn.end()                    # the reply has ended; returns chunks to show
    turn.close()                      # the turn is done; returns its last chunks

A driver that gets an error calls `turn.fail(error)`: true means that the turn goes on or is done without that reply,
false that the error is the caller's. Sync, async, whole and streamed are four loops over this one object.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.errors import ToolCallParseError, ToolChoiceError
from langchain_toolemu.messages.chunks import as_chunk, sum_of
from langchain_toolemu.messages.metadata import Ledger
from langchain_toolemu.messages.parts import Part, Words
from langchain_toolemu.reader.events import Call
from langchain_toolemu.turn.appraisal import Appraisal
from langchain_toolemu.turn.native_policy import NativeOutcome, judge_native
from langchain_toolemu.turn.order import Knowledge, Order, Request, Settings
from langchain_toolemu.turn.outcomes import (
    emulated_outcome,
    native_outcome,
    only_unwanted,
    rescued_calls,
    terms_of,
)
from langchain_toolemu.turn.policy import Accept, GiveUp, Reask, judge
from langchain_toolemu.turn.reply import MAX_CHARS, Reply
from langchain_toolemu.turn.requests import Phase, Prompts, Under, asks_for_json
from langchain_toolemu.turn.setbacks import is_about_constraint, why_not_natively
from langchain_toolemu.turn.shown import Showing
from langchain_toolemu.turn.taking import open_reply

Path: TypeAlias = Literal["native", "emulated", "rescued"]

_UNREAD = ("cut_call", "unreadable_call")
"""The faults of a call that came, though nobody can read it."""


class Turn:
    """The core: decides what is sent, reads what comes back, and knows when it is done."""

    def __init__(self, order: Order, settings: Settings, knowledge: Knowledge) -> None:
        self._order = order
        self._settings = settings
        self._knowledge = knowledge
        takes_system = settings.system_role == "system" or knowledge.takes_system_message
        self._prompts = Prompts(
            order, settings, system_role=takes_system and settings.system_role != "user"
        )
        self._ledger = Ledger()
        self._showing = Showing(self._ledger)
        self._results: list[ChatResult] = []
        self._chunks: list[ChatGenerationChunk] = []
        self._reasks: list[Reask] = []
        self._warnings: list[str] = []
        self._called = False
        self._kept: list[Part] = []
        self._checking = False
        self._native_words: list[Part] = []
        self._last: list[Part] = []
        self.path: Path = "native"
        self._phase: Phase = "answer"
        self._asked: Appraisal
        self._reply: Reply
        self._next: Request | None = self._first_request()

    # --- what the drivers call ---

    def ask(self) -> Request | None:
        """The next request to send, or `None`: the turn is done."""
        request, self._next = self._next, None
        if request is not None:
            self._ledger.open_reply()
            emulated = self.path == "emulated"
            self._showing.open_reply(silent=emulated and self._phase == "decision")
            self._asked = self._appraisal()
            verdict = self._knowledge.verdict
            self._reply = open_reply(self._asked, verdict, checking=self._checking)
        return request

    def _appraisal(self) -> Appraisal:
        return Appraisal(
            self._order,
            self._settings,
            self._prompts,
            native=self.path == "native",
            phase=self._phase,
            reasks=tuple(self._reasks),
            before=self._showing.calls_before,
        )

    def feed(self, generation: ChatGenerationChunk) -> list[ChatGenerationChunk]:
        """Take a piece of the reply, which may be the whole; returns the chunks to show now."""
        self._ledger.note(generation, native=self.path == "native")
        message = generation.message
        parts = self._reply.feed(message.content)
        if not (isinstance(message, AIMessageChunk) and message.tool_call_chunks):
            return self._showing.show(parts, carrying=message)
        if self.path == "native":
            self._knowledge.saw_call(demanded=self._order.choice.forced)
        elif self._reply.shows_call:
            # The server read the text too, and sends as calls what we have as calls already.
            return self._showing.show(parts)
        self._called = True
        return self._showing.show([*parts, *self._reply.as_text()], carrying=message)

    @property
    def overfed(self) -> bool:
        """Whether the reply is to be left here: it may never end."""
        return self._reply.overlong

    def end(self) -> list[ChatGenerationChunk]:
        """The reply has ended: returns the chunks to show now.

        Raises:
            ToolChoiceError: A demanded call never came and `on_failure` is `"error"`.
            ValueError: The stream held nothing at all, not even an empty reply: the words are LangChain's.
        """
        if not self._ledger.heard:
            error = ValueError("No generations found in stream.")
            if not self.fail(error):
                raise error
            return []
        if self._reply.overlong:
            self._warnings.append(f"the reply is longer than {MAX_CHARS:,} characters")
        chunks = self._showing.show(self._reply.close(cut=self._ledger.cut or self._reply.overlong))
        ended = self._end_native() if self.path == "native" else self._end_emulated()
        return [*chunks, *self._showing.show(ended)]

    def close(self) -> list[ChatGenerationChunk]:
        """The turn is done: returns its last chunks."""
        return [*self._showing.show(self._last), *self._showing.broken_calls(), self._closing()]

    def fail(self, error: Exception) -> bool:
        """Whether the turn does without this reply: the error refuses what is not needed, or only spoilt a check."""
        if self._checking and self._native_spoke:
            self._warnings.append(f"the check by emulation failed with {type(error).__name__}")
            self._last = self._settle_natively()
            return True
        if self._showing.started:
            return False
        refused = self._knowledge.refused_by(error)
        if self.path == "native" and (why := why_not_natively(error, refused, self._order)):
            self._take_over(why)
            return True
        if self._loosened(error, refused) or self._moved_contract(refused):
            self._next = self._prompts.emulated(self._phase)
            return True
        return False

    def _loosened(self, error: Exception, refused: str | None) -> bool:
        """Whether an error is about what the server was to decode under, which is then left out."""
        under = self._prompts.under
        if not is_about_constraint(error, refused, under):
            return False
        self._prompts.under = "nothing"
        if under != "form":
            self._warnings.append(f"the server was asked without a {under}")
        return True

    def _moved_contract(self, refused: str | None) -> bool:
        """Whether an error refuses a system message, whose contract then goes to the first user message."""
        learnable = self.path == "emulated" and self._settings.system_role == "auto"
        if refused != "system_role" or not (learnable and self._prompts.system_role):
            return False
        self._prompts.system_role = False
        return True

    def abandon(self) -> list[ChatGenerationChunk]:
        """What is left to show before an error that ends the turn: whatever was begun must not look whole."""
        return self._showing.broken_calls()

    def take(self, result: ChatResult) -> None:
        """A whole reply: a stream of one piece."""
        self._results.append(result)
        self._chunks += self.feed(as_chunk(result.generations[0]))
        self._chunks += self.end()

    def result(self) -> ChatResult:
        """What the whole replies amount to: the sum of the chunks that a stream would have shown."""
        first, last = self._results[0], self._results[-1]
        self._chunks += self.close()
        llm_output = self._ledger.with_summed_usage(last.llm_output or {})
        # Of a message that is a chunk, LangChain has made a whole call out of one that was cut off.
        pieced = isinstance(first.generations[0].message, AIMessageChunk)
        broken = pieced and self._showing.broken_calls()
        if self.path != "native" or first is not last or broken:
            return ChatResult(generations=[sum_of(self._chunks)], llm_output=llm_output)
        kept = [self._as_it_came(first.generations[0]), *first.generations[1:]]
        return ChatResult(generations=kept, llm_output=llm_output)

    def emulated_messages(self) -> list[BaseMessage]:
        """The conversation as emulation sends it."""
        return self._emulate().messages

    # --- requests ---

    def _first_request(self) -> Request:
        order = self._order
        if self._goes_native():
            return self._prompts.native()
        if order.tools or order.constraint or order.form or has_tool_history(order.messages):
            return self._emulate()
        return Request(list(order.messages), order.stop, order.kwargs)

    def _goes_native(self) -> bool:
        order, knowledge = self._order, self._knowledge
        if self._settings.mode != "fallback" or order.native is None:
            return False
        if order.tools and order.choice.forced and not knowledge.takes_tool_choice:
            return False
        if order.constraint and not knowledge.takes_schema:
            return False
        return knowledge.verdict != "none"

    def _take_over(self, why: str) -> None:
        """Go on emulated, and say why."""
        self._warnings.append(why)
        self._knowledge.tell(f"{why}; the turn goes on emulated")
        self._next = self._emulate()

    def _emulate(self, phase: Phase | None = None) -> Request:
        if self.path != "emulated":
            self._turn_to_text()
        self._phase = phase or self._prompts.first_phase
        return self._prompts.emulated(self._phase)

    def _turn_to_text(self) -> None:
        """From here on the model is asked in text: for calls, and for the answer's form as for a call."""
        order = self._order
        self.path = "emulated"
        self._order = order.in_calls(out_of_rounds=self._prompts.out_of_rounds)
        self._showing.answer_name = self._order.form.name if self._order.form else None
        self._prompts = Prompts(
            self._order,
            self._settings,
            system_role=self._prompts.system_role,
            under=self._under(order),
        )

    def _under(self, order: Order) -> Under:
        """What the server is to decode under, as far as it is not known to refuse that."""
        knowledge = self._knowledge
        match self._settings.constrain:
            case "schema" if knowledge.takes_schema:
                return "schema"
            # A schema for the whole reply leaves no room for calls of other tools.
            case "auto" | "quotes" if (
                order.constraint and not order.tools and knowledge.takes_schema
            ):
                return "form"
            case "grammar" | "quotes" if knowledge.takes_grammar:
                return "grammar"
            case "auto" if knowledge.knows_grammar and not asks_for_json(order.messages):
                return "grammar"
        return "nothing"

    def _ask_again(self, reask: Reask) -> Request:
        self._reasks.append(reask)
        self._knowledge.tell(f"re-ask {len(self._reasks)} ({reask.label})")
        forced, prompts = self._order.choice.forced, self._prompts
        if forced and not prompts.led_to and self._is_all_copied(self._reply):
            # Told that it copied an example, a small model copies its own reply: it is asked afresh.
            name = self._order.choice.name
            return self._lead_to([name] if name else prompts.tools.names)
        repeated = reask.reason == "repeated_call" and not forced
        return prompts.again(
            self._phase,
            self._reply.raw,
            reask.correction,
            was_cut=reask.reason in _UNREAD,
            certain=self._means_to_call(reask),
            without=[call.name for call in self._reply.doubtful] if repeated else (),
        )

    def _lead_to(self, names: Sequence[str]) -> Request:
        """Ask a model that copied an example for one call of these tools, in a way that it cannot copy."""
        self._prompts.led_to = names
        return self._prompts.emulated(self._phase)

    def _means_to_call(self, reask: Reask) -> bool:
        """Whether the last re-ask that is left is about a call: what the model wants is then no question any more."""
        last = len(self._reasks) == self._settings.max_reasks
        return last and reask.reason in ("bad_arguments", "unknown_tool", "wrong_tool")

    # --- endings ---

    def _end_native(self) -> list[Part]:
        """What was held of a native reply: shown as it is, as rescued calls, or dropped for emulation."""
        reply = self._reply
        rescued = rescued_calls(reply, self._knowledge)
        if self._called:
            return reply.as_text()
        if self._order.form and not rescued:
            return self._end_formed()
        if not self._offers_tools:
            return reply.as_text()
        outcome = native_outcome(
            reply, self._ledger, self._order, self._knowledge, rescuable=bool(rescued)
        )
        match judge_native(outcome):
            case "keep":
                return reply.as_text()
            case "rescue":
                self.path = "rescued"
                self._knowledge.tell("calls written as text were rescued")
                return [*_with_only(rescued, reply.held), *reply.bad_calls]
            case "emulate":
                return self._emulate_instead(outcome)
        return self._check_by_emulation(outcome) if self._can_emulate else reply.as_text()

    def _end_formed(self) -> list[Part]:
        """A native answer that was to have a form: one that begins in it was shown, any other is asked for in text."""
        if self._showing.spoke or self._ledger.declined:
            return self._reply.as_text()
        self._take_over("the server minds no response format")
        return []

    @property
    def _offers_tools(self) -> bool:
        """Whether a call could be made that we would understand: not one of a provider's own tools."""
        return self._order.choice.kind != "none" and bool(self._prompts.functions)

    @property
    def _can_emulate(self) -> bool:
        """Whether all that is offered could be asked for in text: a provider's own tools cannot."""
        return all(tool.get("type") == "function" for tool in self._order.tools)

    def _emulate_instead(self, outcome: NativeOutcome) -> list[Part]:
        """Emulation takes over; words that were on their way stand, unless they may be what is re-asked."""
        reply = self._reply
        if outcome.bill == "dropped" and not outcome.broken and not outcome.demanded:
            self._take_over(
                "the server dropped the tools without a word: its bill cannot hold them"
            )
            return [] if reply.refused else reply.as_text()
        if outcome.demanded and not (outcome.broken or self._ledger.cut):
            self._knowledge.saw_choice_ignored()
        # An announced call that never came is evidence only if emulation makes it.
        self._checking = self._ledger.claims_call and not outcome.demanded
        self._take_over(
            "the native reply holds a call that cannot be read"
            if reply.bad_calls
            else "the native reply lacks the call that it should have"
        )
        return []

    def _check_by_emulation(self, outcome: NativeOutcome) -> list[Part]:
        """Ask once more, emulated: the native words stand if that makes no call either."""
        self._checking = True
        self._ledger.set_aside()
        self._knowledge.tell("a native reply without a call is checked by emulation")
        self._next = self._emulate()
        words = self._reply.as_text()
        if not outcome.refused:
            return words
        self._knowledge.distrust()
        self._native_words = words
        return []

    def _native_stands(self, reply: Reply) -> bool:
        """Whether a check found no call, so that the native reply is the answer."""
        self._checking = False
        _, meant = self._copied_and_meant(reply)
        found = bool(reply.calls or meant)
        stands = not found and self._native_spoke
        if found or stands:
            self._knowledge.count_check(found_call=found)
        return stands

    @property
    def _native_spoke(self) -> bool:
        """Whether there are native words to stand if a check finds no call."""
        return self._showing.spoke_before or bool(self._native_words)

    def _settle_natively(self) -> list[Part]:
        self._checking = False
        self.path, self._phase = "native", "answer"
        self._showing.silent = False
        self._ledger.take_up()
        return self._native_words

    def _end_emulated(self) -> list[Part]:
        """What is left to show of an emulated reply, or nothing and a further request."""
        if self._called:
            return []
        reply = self._reply
        if reply.broken:
            # Its arguments were shown: it is never asked for again, and must not run.
            self._warnings += [f"a call of {bad.name}: {bad.detail}" for bad in reply.broken]
            return self._leftovers(reply)
        if self._checking and self._native_stands(reply):
            return self._settle_natively()
        if self._ledger.declined and not reply.calls:
            return self._end_declined(reply)
        if self._only_imitated(reply):
            self._next = self._instead_of_a_copy()
            return []
        if self._decided_not_to_call(reply) or self._was_led_in_vain(reply):
            self._next = self._emulate("answer")
            return []
        self._note_left_out(reply)
        outcome = emulated_outcome(reply, self._asked, spoke=self._showing.spoke)
        match judge(outcome, terms_of(self._asked), self._reasks):
            case Reask() as reask:
                self._kept = self._kept or (reply.held if reask.reason == "refusal" else [])
                self._next = self._ask_again(reask)
                return []
            case GiveUp(fault):
                self._give_up(fault)
            case Accept():
                pass
        return self._leftovers(reply)

    def _end_declined(self, reply: Reply) -> list[Part]:
        """A refusal on principle is never argued with: what there is of the reply stands."""
        if self._order.choice.forced:
            self._give_up(Reask("missing_call", ""))
        return self._leftovers(reply)

    def _decided_not_to_call(self, reply: Reply) -> bool:
        said = reply.calls or reply.doubtful or reply.bad_calls or not reply.raw.strip()
        return self._phase == "decision" and not (said or self._order.choice.forced)

    def _only_imitated(self, reply: Reply) -> bool:
        """Whether nothing came but a call with an example's values: the model had nothing to call for."""
        if (
            self._order.choice.forced
            or reply.calls
            or self._showing.spoke
            or self._showing.calls_before
        ):
            return False
        copied, _ = self._copied_and_meant(reply)
        self._warnings += [
            f"left out a call of {call.name}, copied from an example" for call in copied
        ]
        return bool(copied)

    def _instead_of_a_copy(self) -> Request:
        """A call of the tools that the user speaks of, where it can be held to what was said; or else an answer."""
        names = () if self._prompts.led_to else self._prompts.spoken_of()
        if not names:
            return self._emulate("answer")
        self._warnings.append(
            f"asked for a call of {' or '.join(names)}: the question speaks of it"
        )
        return self._lead_to(names)

    def _was_led_in_vain(self, reply: Reply) -> bool:
        """Whether a model that was led to a call, though none was demanded, made none: then it is not pressed."""
        led = self._phase == "call" and bool(self._prompts.led_to)
        return led and not (self._order.choice.forced or reply.calls or self._showing.spoke)

    def _copied_and_meant(self, reply: Reply) -> tuple[list[Call], list[Call]]:
        """The doubtful calls: those with an example's values, which nobody asked for, and the others."""
        copied = [call for call in reply.doubtful if self._asked.copied(call.args)]
        return copied, [call for call in reply.doubtful if call not in copied]

    def _is_all_copied(self, reply: Reply) -> bool:
        copied, meant = self._copied_and_meant(reply)
        return bool(copied) and not meant

    def _give_up(self, fault: Reask) -> None:
        choice = self._order.choice
        _, meant = self._copied_and_meant(self._reply)
        missed = choice.forced and not (self._showing.calls or meant)
        # An answer in the wrong form is its parser's to refuse; nobody would wait for a call.
        strict = self._settings.on_failure == "error" and self._order.form is None
        if missed and strict:
            said = (
                f"A call of {choice.name or 'some tool'} was demanded, and the model made none in "
                f"{self._ledger.requests} requests (last: {fault.label}). {self._way_out()}, use a more capable "
                "model, or pass on_failure='continue' to get the reply as it is."
            )
            if fault.reason in _UNREAD:
                raise ToolCallParseError(said, llm_output=self._reply.raw)
            raise ToolChoiceError(said)
        self._warnings.append(f"gave up: {fault.label}")
        self._knowledge.tell(f"gave up ({fault.label})")

    def _way_out(self) -> str:
        cut = self._ledger.cut
        return "The reply was cut at its token limit: raise max_tokens" if cut else "Ask for less"

    def _leftovers(self, reply: Reply) -> list[Part]:
        """What an accepted reply still has to show: held words, doubtful calls, bad ones as invalid, copied ones as text."""
        if only_unwanted(reply, spoke=self._showing.spoke):
            # The text of such calls is all there is to say.
            return reply.as_text()
        words = self._kept if self._kept and not reply.calls else reply.held
        copied, meant = self._copied_and_meant(reply)
        return [*words, *(Words(call.raw) for call in copied), *meant, *reply.bad_calls]

    def _note_left_out(self, reply: Reply) -> None:
        self._warnings += [f"left out a further call of {call.name}" for call in reply.surplus]
        self._warnings += [
            f"left out a call of {call.name}, which stood in a thought" for call in reply.unmeant
        ]
        self._warnings += [
            f"left out a call of {call.name}, which was not asked for" for call in reply.unwanted
        ]

    # --- messages ---

    def _closing(self) -> ChatGenerationChunk:
        called = self._called or bool(self._showing.calls)
        if self._settings.mode == "fallback" and self.path == "emulated" and self._order.tools:
            self._knowledge.announce()
        metadata = {**self._ledger.closing_metadata(called=called), "toolemu": self._report()}
        info = self._ledger.closing_info(called=called)
        return self._showing.closing(metadata, info, self._ledger.usage)

    def _as_it_came(self, generation: ChatGeneration) -> ChatGeneration:
        """A native reply that nothing was changed in, with the report added to its metadata."""
        metadata = {**generation.message.response_metadata, "toolemu": self._report()}
        message = generation.message.model_copy(update={"response_metadata": metadata})
        return ChatGeneration(message=message, generation_info=generation.generation_info)

    def _report(self) -> dict[str, Any]:
        emulated = ["tool calls emulated"] if self._showing.calls else []
        emulated += ["structured output emulated"] if self._showing.answers else []
        read = [*self._showing.calls, *self._showing.answers]
        misfits = [f"{call.name}: {error}" for call in read for error in call.errors]
        return {
            "path": self.path,
            "mode": self._settings.mode,
            "requests": self._ledger.requests,
            "reasks": [reask.label for reask in self._reasks],
            "dialect": self._settings.dialect.name,
            "verdict": self._knowledge.verdict,
            "repairs": [f"{call.name}: {note}" for call in read for note in call.notes],
            "warnings": [*emulated, *misfits, *self._warnings],
        }


def _with_only(calls: Sequence[Call], parts: Sequence[Part]) -> list[Part]:
    """The parts, with every other call as the text it was read from."""
    return [
        Words(part.raw) if isinstance(part, Call) and part not in calls else part for part in parts
    ]
