"""One turn, without I/O: what to send next, and what the replies amount to.

    while request := turn.ask():      # to be sent
        turn.feed(generation)         # each piece of the reply, or the whole of it: turn.take(result)
        turn.end()                    # it has ended; or turn.goes_on_after(error): it never came
    turn.close()                      # or turn.result(), of whole replies

A call out of order is an error. Inside, each of these is one or several steps: after each, what it teaches about the model is
handed on, and the next step goes by it.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu import model_facts
from langchain_toolemu.contract.corrections import list_names
from langchain_toolemu.contract.size import ContractSize
from langchain_toolemu.errors import TurnOrderError, as_context_overflow
from langchain_toolemu.messages.chunks import Chunks, as_chunk, sum_of
from langchain_toolemu.messages.content import Part
from langchain_toolemu.messages.tool_calls import from_function_call, holds_function_call
from langchain_toolemu.model_facts import InputTokens, Knowledge, Lesson, Notice
from langchain_toolemu.model_facts.error_text import diagnose, is_too_long
from langchain_toolemu.model_facts.parser_failures import parser_failure
from langchain_toolemu.model_facts.refused_forms import refusal_of
from langchain_toolemu.model_facts.token_count import judge_token_count
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.turn import stages, turn_output
from langchain_toolemu.turn.after_error import Failure, after_error
from langchain_toolemu.turn.after_reply import after_reply
from langchain_toolemu.turn.error_words import words_to_read
from langchain_toolemu.turn.forms import has_later_system, with_names
from langchain_toolemu.turn.native_calls import NATIVE, NativeCalls
from langchain_toolemu.turn.reasks import label_of
from langchain_toolemu.turn.reply import MAX_CHARS, Reply
from langchain_toolemu.turn.reply_log import ReplySummary
from langchain_toolemu.turn.reply_setup import Judge, reply_setup
from langchain_toolemu.turn.requests import write_request
from langchain_toolemu.turn.reviewed_reply import ReviewedReply
from langchain_toolemu.turn.turn_input import Request, Settings, TurnInput
from langchain_toolemu.turn.turn_output import TurnWarning, warning

TurnState: TypeAlias = Literal["ask", "reply", "decide", "done"]
"""What comes next: a request, pieces of its reply, a decision on it; or nothing."""


class _Exchange(NamedTuple):
    """A request and its reply, as far as it has come."""

    request: Request
    judge: Judge
    reply: Reply
    native_calls: NativeCalls
    server_called: bool = False  # whether the server made a call of a reply in text
    read_error: bool = False  # whether an error held the reply
    usage_says: model_facts.TokenCount = "unclear"


class _Seen(NamedTuple):
    """What the turn has seen of the provider."""

    called: bool = False  # whether it made a call
    left_out: tuple[str, ...] = ()  # names of native calls that were not asked for
    unknown: tuple[str, ...] = ()  # names that were called, of no tool that is bound
    counted_in: int = 0  # the first request in text whose reply told its input tokens


class LearningModel(Protocol):
    """The wrapped model as far as it is known."""

    @property
    def known(self) -> Knowledge:
        """What is known by now."""

    def learn_from(self, *turn_lessons: Lesson) -> bool:
        """Remember what a turn returned; whether any of it was new."""


class Turn:
    """The core: decides what is sent, reads what comes back, and knows when it is done."""

    def __init__(
        self,
        turn_input: TurnInput,
        settings: Settings,
        model: LearningModel,
        known: Knowledge | None = None,
    ) -> None:
        self._turn_input = turn_input
        self._settings = settings
        self._model = model
        self._knowledge = knowledge = known or model.known
        self._stage = stages.first_stage(turn_input, settings, knowledge)
        self._state: TurnState = "ask"
        self._outcome: Failure | stages.Decision | None = None  # of the last reply
        self._lessons: list[Lesson] = []  # of the step that is being taken
        self._streams = False  # whether replies come in pieces, where the model can
        self._output = turn_output.OutputState(settings.reasoning)
        self._report = turn_output.TurnReport()
        self._seen = _Seen()
        self._exchange: _Exchange
        self._results: list[ChatResult] = []  # whole replies
        self._own_error: Exception | None = None

    # --- what the drivers call ---

    def ask(self) -> Request | None:
        """The next request to send, or `None`: the turn is done."""
        if self._state == "done":
            return None
        self._expect("ask")
        stage = self._stage
        turn_input = self._turn_input if stage.phase == "native" else self._text_input
        request = write_request(turn_input, self._settings, stage)
        if request.contract:
            self._settings.contracts.tokens = request.contract.tokens
            if request.contract.warnings:
                self._warn_of_size(request.contract)
        self._state = "reply"
        form = None if stage.phase == "native" else turn_input.form
        silent, corrects = stage.phase == "decision", bool(stage.reasks)
        self._output.open_reply(silent=silent, form=form, corrects=corrects)
        judge = Judge(turn_input, self._settings, stage, self._output.reply.calls_before)
        known = self._knowledge
        is_trusted = known.verdict == "native" and known.evidence == "observed"
        reply = Reply(reply_setup(judge, is_trusted=is_trusted))
        self._exchange = _Exchange(request, judge, reply, NativeCalls(judge))
        reason = self._outcome.reason if isinstance(self._outcome, stages.AskAgain) else ""
        # The turn keeps the request without its way back here, which would be a reference cycle.
        about: Any = {"report": self._report_dict, "recording": turn_input.recording}
        return replace(request, reason=reason, **about)

    def feed(self, generation: ChatGenerationChunk) -> Chunks:
        """Take a piece of a stream; returns the chunks to show now."""
        self._streams = True
        self._step(self.read, generation)
        return self._output.take_chunks()

    def end(self) -> Chunks:
        """The reply has ended: returns the chunks to show now. A stream without so much as an empty reply is an error."""
        if self._output.metadata.received:  # were it an empty piece
            self._step(self.end_reply)
            self._step(self.decide)
            return self._output.take_chunks()
        error = ValueError("No generations found in stream.")  # LangChain's words
        if not self.goes_on_after(error):
            raise error
        return []

    def goes_on_after(self, error: Exception) -> bool:
        """Whether the turn does without this reply: the error refuses what is not needed, or only spoiled a check."""
        # Raised here while a stream was read, it says nothing of the provider.
        if error is self._own_error:
            return False
        self._step(self.fail, error)
        self._step(self.decide)
        return not isinstance(self._outcome, stages.Reraise)

    def close(self) -> Chunks:
        """The turn is done: returns its last chunks."""
        self._step(self.end_turn)
        return self._output.take_chunks()

    def take(self, result: ChatResult) -> None:
        """A whole reply: a stream of one piece."""
        self._results.append(result)
        self._step(self.read, as_chunk(result.generations[0]))
        self._step(self.end_reply)
        self._step(self.decide)

    def result(self) -> ChatResult:
        """What the whole replies amount to: the sum of the chunks that a stream would have shown."""
        if kept := self._result_as_it_came():
            return kept
        if further := sum(len(result.generations) - 1 for result in self._results):
            self._report.warnings.append(warning("further_choices", count=further))
        whole = ChatResult(generations=[sum_of(self.close())])
        if self._results:  # else errors held all that came
            llm_output = self._output.metadata.with_summed_usage(self._results[-1].llm_output or {})
            whole.llm_output = self._output.chunker.readable_metadata(llm_output)
        return whole

    def abandon(self) -> Chunks:
        """What is left to show before an error that ends the turn: whatever was begun must not look whole."""
        return self._output.chunker.broken_calls()

    def emulated_messages(self) -> list[BaseMessage]:
        """The conversation as emulation sends it."""
        stage = stages.first_in_text(self._turn_input, self._settings, self._knowledge)
        return write_request(self._text_input, self._settings, stage).messages

    def in_words(self, model: object, error: Exception | None = None) -> str:
        """The turn in a line of the log: its round, the path, the requests, and the tools called or the error's class."""
        names = [f"{call.name:.64}" for call in self._output.chunker.calls if call.name]
        ending = f"failed by {type(error).__name__}" if error else f"calls {', '.join(names) or 'nothing'}"  # fmt: skip
        count, number = self._output.metadata.requests, self._turn_input.conversation.rounds + 1
        requests = f"{count} {'request' if count == 1 else 'requests'}"
        return f"round {number} of {model}: {self.path}, {requests}, {ending}"

    # --- the steps ---

    def _step(self, step: Callable[..., None], *taken: Any) -> None:
        try:
            step(*taken)
        except Exception as error:
            self._own_error = error
            raise
        finally:
            if lessons := self._lessons:
                self._lessons = []
                if self._model.learn_from(*lessons):
                    self._knowledge = self._model.known

    def read(self, generation: ChatGenerationChunk) -> None:
        """Take a piece of the reply, which may be the whole."""
        self._expect("reply")
        message, exchange = generation.message, self._exchange
        if isinstance(message, AIMessageChunk) and holds_function_call(message):
            message = from_function_call(message) if self._turn_input.offers_functions else message
        if exchange.request.names:
            message = with_names(message, exchange.request.names)
        natively, output = self._stage.phase == "native", self._output
        output.metadata = output.metadata.note(generation, native=natively)
        items: Sequence[BaseMessage | Call | BadCall] = (message,)
        if isinstance(message, AIMessageChunk):
            items = exchange.native_calls.feed(message)
        for item in items:
            self._read(item)

    def _read(self, item: BaseMessage | Call | BadCall) -> None:
        if not isinstance(item, BaseMessage):
            self._read_call(item)
            return
        parts = self._exchange.reply.feed(item.content) if item.content else []
        if isinstance(item, AIMessageChunk) and item.tool_call_chunks:
            parts += self._note_call()
        self._output.show(parts, item)

    def _read_call(self, call: Call | BadCall) -> None:
        """A native call that is not shown as it came: repaired, or made by a server that was asked in text."""
        reply, has_called = self._exchange.reply, self._exchange.server_called
        if self._stage.phase == "native":
            self._output.show([*self._note_call(), call])
        elif has_called or not reply.shows_call:
            words = [] if has_called else reply.release_words()
            self._exchange = self._exchange._replace(server_called=True)
            self._output.show([*words, *reply.take(call)])
        # Else the server read the text too, and sends as calls what we have as calls already.

    def _note_call(self) -> list[Part]:
        """The provider made a call: returns the words that need not wait any more."""
        if not self._seen.called:
            forced = self._turn_input.choice.forced
            self._lessons += ["native_call", "demanded_call"] if forced else ["native_call"]
            self._seen = self._seen._replace(called=True)
        return self._exchange.reply.release_words()

    @property
    def reply_too_long(self) -> bool:
        """Whether the reply exceeds MAX_CHARS: it may never end."""
        return self._exchange.reply.too_long

    def end_reply(self) -> None:
        """The reply has ended. What follows is decided next."""
        self._expect("reply")
        reply, calls = self._exchange.reply, self._exchange.native_calls
        # What an error holds may end where the model was stopped.
        cut = self._output.metadata.cut or reply.too_long or self._exchange.read_error
        for item in calls.end(cut=cut):
            self._read(item)
        if self._stage.phase == "native":
            self._seen = self._seen._replace(left_out=(*self._seen.left_out, *calls.left_out))
        if reply.too_long:
            self._report.warnings.append(warning("reply_too_long", most=MAX_CHARS))
        self._output.show(reply.close(cut=cut))
        self._learn_from_usage()
        if self._stage.retry:  # it went well, so our additions were to blame
            self._lessons += self._stage.retry.lessons
        self._state = "decide"

    def fail(self, error: Exception) -> None:
        """An error came instead of a reply, or of the rest of it, which it may hold. What follows is decided next."""
        self._expect("reply")
        exchange, called = self._exchange, self._seen.called
        parser = parser_failure(error)
        if called and self._output.chunker.broken_calls():
            parser = None  # half a call was shown, which nothing makes whole
        if parser:
            self._lessons.append(Notice("parser_failed", parser.notice))
            parser = replace(parser, is_call=parser.is_call or exchange.native_calls.is_open)
            words = "" if called else words_to_read(parser, exchange.judge, exchange.reply.raw)
            if words is not None:
                code = "lost_after_call" if called else "read_from_error"
                self._report.warn_once([warning(code, server=parser.server)])
                self._read_words(words, is_call=parser.is_call or called)
                return
        stage, received = self._stage, self._output.metadata.received
        # What a check says is added to what was shown before.
        started = self._output.chunker.started and (received or not stage.checks)
        # An error about what we added to a native request says nothing of the model.
        spoilt = parser or started or (stage.phase == "native" and stage.reasks)
        trouble = None if spoilt else diagnose(error, stage.additions)
        if trouble and trouble.axis == "system_role" and has_later_system(exchange.request):
            trouble = replace(trouble, axis="later_system", lasting=False)
        if trouble:
            self._lessons.append(trouble)
        known = (self._turn_input, self._settings, self._knowledge, stage, exchange.request)
        self._outcome = Failure(
            error,
            *known,
            refused=trouble.axis if trouble and not trouble.demanded else None,
            demanded=trouble.axis if trouble and trouble.demanded else None,
            started=started,
            shows_reply=self._output.shows_reply,
            spoke_before=self._output.reply.spoke_before,
            called_before=bool(self._output.reply.calls_before),
            # What came of a reply shows that its request fitted.
            too_long=not (received or parser) and is_too_long(error),
            parser=parser,
            refusal=None if spoilt else refusal_of(error),
        )
        self._state = "decide"

    def _read_words(self, words: str, *, is_call: bool) -> None:
        """Take the model's words in an error as if they had been sent."""
        exchange, judge = self._exchange, self._exchange.judge
        # The server took it for a call, and so it is read as one.
        if not self._output.metadata.received:
            reply = Reply(reply_setup(judge, is_trusted=False))
            exchange = exchange._replace(reply=reply)
        # What began as a native call is in the words.
        calls = NativeCalls(judge)
        self._exchange = exchange._replace(native_calls=calls, read_error=True)
        ended = {"finish_reason": "tool_calls" if is_call else "stop"}
        piece = ChatGenerationChunk(message=AIMessageChunk(content=words), generation_info=ended)
        self.read(piece)
        self.end_reply()

    def decide(self) -> None:
        """Decide what follows the reply or the error."""
        self._expect("decide")
        failure = self._outcome if isinstance(self._outcome, Failure) else None
        if failure:  # the error itself may have taught something
            failure = replace(failure, knowledge=self._knowledge)
        decision = after_error(failure) if failure else self._after_reply()
        self._apply(decision, failure)
        ends = isinstance(decision, stages.EndTurn) and not decision.resumes
        again = self._stage.phase == "native" and bool(self._stage.again or self._stage.reasks)
        is_last = ends and (again or self.path == "emulated")
        self._output.show(decision.show, is_last=is_last)

    def _after_reply(self) -> stages.Decision:
        output, exchange, seen = self._output, self._exchange, self._seen
        native_calls, natively = exchange.native_calls, self._stage.phase == "native"
        reply = exchange.reply.summary(native_calls.records if natively else tuple)
        metadata = output.metadata
        if not reply.unremarkable:
            self._report.add_doubts(reply.doubts)
            self._warn_of_half_thoughts(reply)
        if natively:
            self._report.add_doubts(native_calls.doubts)
        calls = reply.calls or not reply.unremarkable or metadata.called_natively
        calls = calls or native_calls.has_pieces
        output.reply = output.reply._replace(is_answer=not (calls or metadata.claims_call))
        if seen.counted_in == metadata.requests and metadata.last_usage:
            self._warn_of_truncation(metadata.last_usage["input_tokens"])
        judge = exchange.judge
        end = ReviewedReply(
            turn_input=judge.turn_input,
            settings=self._settings,
            stage=judge.stage,
            judge=judge,
            reply=reply,
            output=output,
            metadata=metadata,
            knowledge=self._knowledge,
            native_calls=native_calls,
            contract=exchange.request.contract,
            made_call=seen.called if natively else bool(judge.before or reply.calls),
            # An error counts no tokens, but the server looked for a call, which it had tools for.
            usage_says="counted" if exchange.read_error else exchange.usage_says,
            read_from_error=exchange.read_error,
            streamed=self._streams and not self._stage.whole,
        )
        self._seen = self._seen._replace(unknown=(*seen.unknown, *end.unknown_names))
        decision = after_reply(end)
        # The server took the text of a native reply for a call: that is not how the model calls.
        is_unheard = natively and exchange.read_error
        return replace(decision, lessons=()) if is_unheard else decision

    def _apply(self, decision: stages.Decision, failure: Failure | None) -> None:
        self._outcome = decision
        self._report.warnings += decision.warnings
        self._report.add_doubts(decision.doubts)
        if decision.log:
            self._lessons.append(Notice("log", decision.log))
        self._lessons += decision.lessons
        match decision:
            case stages.AskAgain(stage=stage):
                retry = stage.retry if failure else None
                in_pieces = stage.in_pieces or self._stage.in_pieces
                self._stage = replace(stage, retry=retry, in_pieces=in_pieces)
                self._state = "ask"
            case stages.EndTurn():
                self._finish(decision)
            case stages.Fail(error=error):
                self._with_report(error)
                raise as_context_overflow(error) if is_too_long(error) else error
            case stages.Reraise(note=note) if failure:
                self._with_report(failure.error)
                if note:
                    self._lessons.append(Notice("warning", note))
                if note and sys.version_info >= (3, 11):
                    failure.error.add_note(note)  # the error stays what it is
                if failure.too_long:
                    raise as_context_overflow(failure.error)

    def _finish(self, decision: stages.EndTurn) -> None:
        self._state = "done"
        returns = self._stage.native if decision.path == "native" else None
        if returns:
            metadata, info = dict(returns.response_metadata), dict(returns.generation_info)
            kept = self._output.metadata._replace(response_metadata=metadata, generation_info=info)
            self._output.metadata = kept
        if returns or decision.resumes:  # the reply before this one is the answer after all
            self._output.reply = self._output.reply._replace(silent=False, spoke_before=False)

    def end_turn(self) -> None:
        """The turn is done: what it reports is shown last."""
        self._expect("done")
        called = self._seen.called or bool(self._output.calls)
        emulated = self._settings.mode == "fallback" and self.path == "emulated"
        if emulated and self._exchange.judge.turn_input.tools:
            self._lessons.append(Notice("emulated"))
        if self._seen.unknown and not (called or self._output.gave_words):
            self._warn_of_unknown()
        report = self._report_dict()
        if "out_of_rounds" in report["warning_codes"]:
            self._lessons.append(Notice("warning", report["warnings"][-1]))
        metadata, chunker = self._output.metadata, self._output.chunker
        left_out = bool(self._seen.left_out) and not chunker.calls
        closing, info = metadata.closing(called=called, left_out=left_out)
        last = chunker.closing({**closing, "toolemu": report}, info, metadata.usage)
        self._output.written += [*chunker.broken_calls(), last]

    def _expect(self, state: TurnState) -> None:
        if self._state != state:
            raise TurnOrderError(
                f"The turn is at {self._state!r}, not at {state!r}. Report this as a bug."
            )

    # --- what the turn is about ---

    @property
    def path(self) -> stages.MessagePath:
        """Who makes the message, as far as is known yet."""
        if isinstance(self._outcome, stages.EndTurn):
            return self._outcome.path
        return "native" if self._stage.phase == "native" else "emulated"

    @cached_property
    def _text_input(self) -> TurnInput:
        return self._turn_input.in_text(self._settings.max_tool_rounds)

    def _result_as_it_came(self) -> ChatResult | None:
        """The only reply, if it is native and nothing in it was changed; its chunks are then not needed."""
        if self.path != "native" or len(self._results) != 1 or self._exchange.request.names:
            return None
        reply, output, exchange = self._results[0], self._output, self._exchange
        original, thoughts = reply.generations[0], output.reasoning
        is_changed = exchange.native_calls.changed or output.text != exchange.reply.raw
        if is_changed or exchange.read_error:
            return None
        if holds_function_call(original.message) and self._turn_input.offers_functions:
            return None
        # Of a message that is a chunk, LangChain has made a whole call out of one that was cut off.
        if isinstance(original.message, AIMessageChunk) and output.chunker.broken_calls():
            return None
        if thoughts and (thoughts.found or output.chunker.has_hidden_thought):
            return None
        metadata = {**original.message.response_metadata, "toolemu": self._report_dict()}
        message = original.message.model_copy(update={"response_metadata": metadata})
        kept = ChatGeneration(message=message, generation_info=original.generation_info)
        return reply.model_copy(update={"generations": [kept, *reply.generations[1:]]})

    # --- what is learned and reported ---

    def _learn_from_usage(self) -> None:
        """Whether the tokens of a native reply can hold the tools, and those of one in text the contract, once a turn."""
        metadata, turn_input = self._output.metadata, self._turn_input
        native = self._stage.phase == "native"
        usage = metadata.usage if native else metadata.last_usage
        if usage is None:
            return
        tokens = usage["input_tokens"]
        cached = usage.get("input_token_details", {}).get("cache_read", 0)
        if native and turn_input.offers_functions and not self._seen.called:
            sent = turn_input.messages, turn_input.tools
            says = judge_token_count(tokens, *sent, cached=cached)
            self._exchange = self._exchange._replace(usage_says=says)
            if says == "dropped":
                self._lessons.append("tools_dropped")
        elif self._exchange.request.contract and not self._seen.counted_in:
            self._seen = self._seen._replace(counted_in=metadata.requests)
            self._lessons.append(InputTokens(tokens, cached, self._exchange.request.messages))

    def _warn_of_truncation(self, tokens: int) -> None:
        """Tell the user if the server is known to cut off what it is sent."""
        size = self._exchange.request.contract
        if size and self._knowledge.prompt_truncated:
            sizes = {"size": size.in_words, "what_helps": size.what_helps}
            notice = warning("prompt_truncated", tokens=tokens, **sizes)
            self._report.warnings.append(notice)
            self._lessons.append(Notice("prompt_truncated", notice.text))

    def _warn_of_size(self, size: ContractSize) -> None:
        """Tell the user what was left out of the contract, and of a window that nobody told."""
        notices = [warning("contract_size", text=text) for text in size.warnings]
        if size.window and size.window == self._knowledge.read_window:
            notices.append(learned := warning("window_learned", tokens=size.window))
            self._lessons.append(Notice("prompt_truncated", f"{learned.text}. {size.what_helps}"))
        self._report.warn_once(notices)

    def _warn_of_unknown(self) -> None:
        """Tell the user which tools that are not bound were called, where nothing else came."""
        names = dict.fromkeys(f"{name:.64}" for name in self._seen.unknown)
        self._report.warn_once(warning("unknown_tool", name=name) for name in names)
        turn_input = self._turn_input
        bound = list_names([*turn_input.functions.names, *turn_input.built_in_names])
        text = (
            f"the model called only {list_names([*names])}, and gave no answer. Bound are: {bound}."
        )
        self._lessons.append(Notice("unknown_tool", text))

    def _warn_of_half_thoughts(self, reply: ReplySummary) -> None:
        """Say it if a thought has one end only, which a call may end as well; a check's words are not shown."""
        lacking = reply.half_thoughts
        if "beginning" in lacking:
            self._lessons.append("thought_begun")
        elif "both" in lacking:
            self._lessons.append("no_thought_begun")
        if self._stage.checks:
            return
        began = [warning("began_in_thought")] if "beginning" in lacking else []
        called = self._seen.called or reply.calls
        ended = [warning("ended_in_thought")] if "end" in lacking and not called else []
        self._report.warn_once(began + ended)

    def _report_dict(self) -> dict[str, Any]:
        output, settings, exchange = self._output, self._settings, self._exchange
        calls, answers = output.calls, output.answers if self._turn_input.form else []
        read, warnings = [*calls, *answers], self._warnings(calls, answers)
        gave_up = self._outcome.gave_up if isinstance(self._outcome, stages.EndTurn) else None
        facts: dict[str, Any] = {"gave_up": label_of(gave_up)} if gave_up else {}
        size = exchange.request.contract
        if size and size.described_tools is not None:
            facts |= {"tools_shown": len(size.described_tools), "tools_offered": size.tools}
        return {
            "path": self.path,
            "mode": settings.mode,
            "requests": self._output.metadata.requests,
            "reasks": [label_of(reask.reason) for reask in exchange.judge.stage.reasks],
            "dialect": settings.dialect.name,
            "recipe": settings.recipe,
            "policy": settings.policy_name,
            "doubted": self._report.doubted_calls([*read, *exchange.native_calls.accepted]),
            "verdict": self._knowledge.verdict,
            "repairs": [f"{call.name}: {note}" for call in read for note in call.notes],
            "warnings": [found.text for found in warnings],
            "warning_codes": [found.code for found in warnings],
            **facts,
        }

    def _with_report(self, error: Exception) -> Exception:
        """The error that ends the turn, with the report: there is no message to carry it."""
        report = {"model": self._settings.model, **self._report_dict()}
        with suppress(AttributeError):  # its class may have no place for it
            error.toolemu_report = report  # type: ignore[attr-defined]
        return error

    def _warnings(self, calls: Sequence[Call], answers: Sequence[Call]) -> list[TurnWarning]:
        """All that the report warns of: what was done, what was found, and what was not done because the caller said so."""
        output, turn_input = self._output, self._turn_input
        in_text = self._stage.phase != "native"
        emulated = [call for call in calls if call.envelope != NATIVE]
        found = [warning("calls_emulated")] if emulated else []
        found += [warning("form_emulated")] if answers else []
        for name in turn_input.built_in_names if in_text else ():
            found.append(warning("built_in_left_out", name=name))
        for call in (*calls, *answers):
            for error in call.errors:
                found.append(warning("misfit", name=call.name, error=error))
        found += self._report.warnings
        if self._stage.whole and self._streams:
            found.append(warning("asked_whole"))
        if output.reasoning and output.reasoning.dropped:
            found.append(warning("thoughts_dropped", count=output.reasoning.dropped))
        if output.reply.left_out:
            found.append(warning("further_words", count=output.reply.left_out))
        for name in self._seen.left_out:
            found.append(warning("native_call_not_asked_for", name=name))
        most, may_end = self._settings.max_tool_rounds, in_text and not turn_input.choice.forced
        if may_end and turn_input.tools and turn_input.conversation.rounds >= most:
            found.append(warning("out_of_rounds", most=most))
        return found
