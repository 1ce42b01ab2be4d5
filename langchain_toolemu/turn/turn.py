"""One turn, without I/O: what to send next, and what the replies amount to.

    turn = Turn(...)
    while request := turn.ask():      # the driver sends it
        turn.feed(generation)         # each piece of the reply; returns chunks to show
        turn.end()                    # the reply has ended; returns chunks to show
    turn.close()                      # the turn is done; returns its last chunks

A driver that gets an error calls `turn.fail(error)`: true means that the turn goes on or is done without that reply,
false that the error is the caller's. Sync, async, whole and streamed are four loops over this one object.

What is decided is decided by the rules in `after_native`, `after_emulated` and `after_error`.
"""

import sys
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu.errors import TurnOrderError
from langchain_toolemu.messages.chunks import as_chunk, sum_of
from langchain_toolemu.messages.metadata import TurnMetadata
from langchain_toolemu.messages.tool_calls import NativeCalls
from langchain_toolemu.model_facts import TokenCount
from langchain_toolemu.turn.after_emulated import after_emulated
from langchain_toolemu.turn.after_error import Failure, after_error
from langchain_toolemu.turn.after_native import NativeEnd, after_native
from langchain_toolemu.turn.doubted_calls import DoubtedCalls
from langchain_toolemu.turn.emulated_end import EmulatedEnd
from langchain_toolemu.turn.holding import open_reply
from langchain_toolemu.turn.judging import Judge
from langchain_toolemu.turn.reading import Reading
from langchain_toolemu.turn.reply import MAX_CHARS, Reply
from langchain_toolemu.turn.requests import write_request
from langchain_toolemu.turn.shown import Shown
from langchain_toolemu.turn.stages import (
    AskedInText,
    Finish,
    GiveUp,
    Move,
    NotOurs,
    Path,
    Send,
    first_in_text,
    first_stage,
    label_of,
)
from langchain_toolemu.turn.thoughts import warnings_of
from langchain_toolemu.turn.turn_input import Knowledge, Request, Settings, TurnInput

if TYPE_CHECKING:
    from langchain_toolemu.messages.content import Part


class Turn:
    """The core: decides what is sent, reads what comes back, and knows when it is done."""

    def __init__(self, order: TurnInput, settings: Settings, knowledge: Knowledge) -> None:
        self._order = order
        self._settings = settings
        self._knowledge = knowledge
        self._stage = first_stage(order, settings, knowledge)
        self._step: Literal["ask", "reply", "done"] = "ask"
        self._path: Path | None = None  # of a turn that is done
        self._metadata = TurnMetadata()
        self._shown = Shown(self._metadata, settings.reasoning)
        self._warnings: list[str] = []
        self._last: tuple[Part, ...] = ()
        self._results: list[ChatResult] = []
        self._chunks: list[ChatGenerationChunk] = []
        self._called = False
        self._doubted = DoubtedCalls()
        self._native_calls = NativeCalls(order.demanded, only_one=order.parallel is False)
        self._billed = False  # whether a reply in text has told what it cost
        self._judge: Judge
        self._reply: Reply
        self._request: Request

    # --- what the drivers call ---

    def ask(self) -> Request | None:
        """The next request to send, or `None`: the turn is done."""
        if self._step == "done":
            return None
        self._expect("ask")
        stage, order = self._stage, self._order_as_sent()
        request = self._request = write_request(order, self._settings, stage)
        self._tell_of_size(request)
        self._step = "reply"
        self._metadata.open_reply()
        in_text = isinstance(stage, AskedInText)
        self._shown.open_reply(
            silent=isinstance(stage, AskedInText) and stage.phase == "decision",
            form=order.form if in_text else None,
        )
        self._judge = Judge(order, self._settings, stage, tuple(self._shown.calls_before))
        known = self._knowledge
        shown = known.verdict == "native" and known.evidence == "observed"
        self._reply = open_reply(self._judge, shown=shown)
        return request

    def feed(self, generation: ChatGenerationChunk) -> list[ChatGenerationChunk]:
        """Take a piece of the reply, which may be the whole; returns the chunks to show now."""
        self._expect("reply")
        self._metadata.note(generation, native=not self._is_in_text)
        message = generation.message
        if isinstance(message, AIMessageChunk) and not self._is_in_text:
            message = self._native_calls.filter(message)
        return self._take_in(message)

    def _take_in(self, message: BaseMessage) -> list[ChatGenerationChunk]:
        parts = self._reply.feed(message.content)
        if not (isinstance(message, AIMessageChunk) and message.tool_call_chunks):
            return self._shown.show(parts, carrying=message)
        if not self._is_in_text:
            self._learn_from_call()
        elif self._reply.shows_call:
            # The server read the text too, and sends as calls what we have as calls already.
            return self._shown.show(parts)
        self._called = True
        return self._shown.show([*parts, *self._reply.as_text()], carrying=message)

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
        self._expect("reply")
        if not self._metadata.received:
            error = ValueError("No generations found in stream.")
            if not self.fail(error):
                raise error
            return []
        if self._reply.overlong:
            self._warnings.append(f"the reply is longer than {MAX_CHARS:,} characters")
        cut = self._metadata.cut or self._reply.overlong
        rest = None if self._is_in_text else self._native_calls.flush()
        chunks = self._take_in(rest) if rest else []
        chunks += self._shown.show(self._reply.close(cut=cut))
        self._warn_of_half_thoughts()
        self._judge_bill()
        self._learn_from_plain_retry()
        reading = self._reply.reading()
        self._doubted.note(reading)
        move = self._after_emulated(reading) if self._is_in_text else self._after_native(reading)
        self._make(move)
        chunks += self._shown.show(move.show)
        is_last = isinstance(move, Finish) and not move.resumes
        answered = is_last and self._path == "emulated"
        return [*chunks, *(self._shown.answer_after_all() if answered else [])]

    def fail(self, error: Exception) -> bool:
        """Whether the turn does without this reply: the error refuses what is not needed, or only spoiled a check."""
        self._expect("reply")
        shown = self._shown
        move = after_error(
            Failure(
                error,
                self._order,
                self._settings,
                self._knowledge,
                self._stage,
                refused=None if shown.started else self._refused_by(error),
                started=shown.started,
                spoke_before=shown.spoke_before,
                contract=self._request.contract,
                # What came of a reply shows that its request fitted.
                too_long=not self._metadata.received and self._knowledge.is_too_long(error),
            )
        )
        self._make(move)
        if isinstance(move, NotOurs) and move.note:
            self._explain(error, move.note)
        self._last = move.show
        return isinstance(move, Send | Finish)

    def _explain(self, error: Exception, note: str) -> None:
        """Tell the user more than the provider's words do; the error stays what it is."""
        self._knowledge.warn(note)
        if sys.version_info >= (3, 11):
            error.add_note(note)

    def _refused_by(self, error: Exception) -> str | None:
        added = self._stage.added if isinstance(self._stage, AskedInText) else ()
        return self._knowledge.refused_by(error, added)

    def close(self) -> list[ChatGenerationChunk]:
        """The turn is done: returns its last chunks."""
        self._expect("done")
        last = self._shown.show(self._last)
        return [*last, *self._shown.broken_calls(), self._closing()]

    def abandon(self) -> list[ChatGenerationChunk]:
        """What is left to show before an error that ends the turn: whatever was begun must not look whole."""
        return self._shown.broken_calls()

    # --- whole replies ---

    def take(self, result: ChatResult) -> None:
        """A whole reply: a stream of one piece."""
        self._results.append(result)
        self._chunks += self.feed(as_chunk(result.generations[0]))
        self._chunks += self.end()

    def result(self) -> ChatResult:
        """What the whole replies amount to: the sum of the chunks that a stream would have shown."""
        self._chunks += self.close()
        first, last = self._results[0], self._results[-1]
        llm_output = self._metadata.with_summed_usage(last.llm_output or {})
        # Of a message that is a chunk, LangChain has made a whole call out of one that was cut off.
        pieced = isinstance(first.generations[0].message, AIMessageChunk)
        broken = pieced and self._shown.broken_calls()
        changed = broken or self._native_calls.left_out or self._shown.thoughts.taken
        llm_output = self._shown.said_of(llm_output)
        if self.path != "native" or first is not last or changed:
            return ChatResult(generations=[sum_of(self._chunks)], llm_output=llm_output)
        kept = [self._as_it_came(first.generations[0]), *first.generations[1:]]
        return ChatResult(generations=kept, llm_output=llm_output)

    def _as_it_came(self, generation: ChatGeneration) -> ChatGeneration:
        """A native reply in which nothing was changed, with the report added to its metadata."""
        metadata = {**generation.message.response_metadata, "toolemu": self._report()}
        message = generation.message.model_copy(update={"response_metadata": metadata})
        return ChatGeneration(message=message, generation_info=generation.generation_info)

    # --- for previews and token counts ---

    @property
    def path(self) -> Path:
        """Who makes the message, as far as is known yet."""
        return self._path or ("emulated" if self._is_in_text else "native")

    def emulated_messages(self) -> list[BaseMessage]:
        """The conversation as emulation sends it."""
        stage = first_in_text(self._order, self._settings, self._knowledge)
        return write_request(self._text_order, self._settings, stage).messages

    # --- stages ---

    def _expect(self, step: Literal["ask", "reply", "done"]) -> None:
        if self._step != step:
            raise TurnOrderError(f"The turn is {_STEPS[self._step]}, not {_STEPS[step]}.")

    @property
    def _is_in_text(self) -> bool:
        return isinstance(self._stage, AskedInText)

    @cached_property
    def _text_order(self) -> TurnInput:
        return self._order.in_text(self._settings.max_tool_rounds)

    def _order_as_sent(self) -> TurnInput:
        return self._text_order if self._is_in_text else self._order

    def _after_native(self, reading: Reading) -> Move:
        return after_native(
            NativeEnd(
                self._judge,
                reading,
                self._knowledge,
                self._metadata,
                usage_says=self._usage_says(),
                called=self._called,
                spoke=self._shown.spoke,
                said=self._shown.said,
            )
        )

    def _usage_says(self) -> TokenCount:
        order, usage = self._order, self._metadata.usage
        if usage is None or self._called or not order.offers_functions:
            return "unclear"
        cached = usage.get("input_token_details", {}).get("cache_read", 0)
        return self._knowledge.judge_token_count(
            usage["input_tokens"], order.messages, order.tools, cached=cached
        )

    def _tell_of_size(self, request: Request) -> None:
        told = request.contract.warnings if request.contract else ()
        self._warnings += [one for one in told if one not in self._warnings]

    def _warn_of_half_thoughts(self) -> None:
        """Say it if a thought has one end only; a check's words are not shown, and a call may end a thought."""
        if isinstance(self._stage, AskedInText) and self._stage.checks:
            return
        called = self._called or self._reply.shows_call
        told = warnings_of(self._reply.halves, called=called)
        self._warnings += [one for one in told if one not in self._warnings]

    def _judge_bill(self) -> None:
        """Tell the user if the server is known to cut off what it is sent, judged once a turn."""
        size, usage = self._request.contract, self._metadata.last_usage
        if size is None or usage is None or self._billed:
            return
        self._billed = True
        cached = usage.get("input_token_details", {}).get("cache_read", 0)
        tokens, messages = usage["input_tokens"], self._request.messages
        if self._knowledge.detect_prompt_truncation(tokens, messages, cached=cached):
            trouble = (
                f"the server cut off the beginning of what was sent: its {tokens:,} input tokens cannot hold it, "
                f"and {size.in_words}. {size.what_helps}"
            )
            self._warnings.append(trouble)
            self._knowledge.warn_of_cut(trouble)

    def _after_emulated(self, reading: Reading) -> Move:
        shown, stage = self._shown, self._stage
        assert isinstance(stage, AskedInText)  # noqa: S101 - the driver's order was checked
        return after_emulated(
            EmulatedEnd(
                self._judge,
                reading,
                stage,
                self._metadata,
                called=self._called,
                spoke=shown.spoke,
                said=shown.said,
                spoke_before=shown.spoke_before,
                calls=tuple(shown.calls),
            )
        )

    def _make(self, move: Move) -> None:
        """Go on as a rule decided."""
        self._warnings += move.warnings
        for decision in move.log:
            self._knowledge.tell(decision)
        for lesson in move.lessons:
            self._knowledge.learn_from(lesson)
        match move:
            case Send(stage=stage):
                self._stage, self._step = stage, "ask"
            case Finish(path=path, resumes=resumes):
                self._finish(path, resumes=resumes)
            case GiveUp(error=error):
                raise error

    def _finish(self, path: Path, *, resumes: bool) -> None:
        self._path, self._step = path, "done"
        native = self._stage.native if isinstance(self._stage, AskedInText) else None
        returns = native if path == "native" else None
        if returns or resumes:
            self._shown.return_to_first()
        if returns:
            self._metadata.restore(returns.metadata, returns.info)

    def _learn_from_plain_retry(self) -> None:
        """It went well: our additions were to blame, which the rest of the turn does without."""
        if isinstance(self._stage, AskedInText) and self._stage.plainly:
            for lesson in self._stage.plainly.lessons:
                self._knowledge.learn_from(lesson)
            self._stage = replace(self._stage, plainly=None)

    def _learn_from_call(self) -> None:
        self._knowledge.learn_from("native_call")
        if self._order.choice.forced:
            self._knowledge.learn_from("demanded_call")

    # --- the closing chunk ---

    def _closing(self) -> ChatGenerationChunk:
        called = self._called or bool(self._shown.calls)
        emulated = self._settings.mode == "fallback" and self.path == "emulated"
        if emulated and self._order_as_sent().tools:
            self._knowledge.announce()
        said = self._metadata
        metadata = {**said.closing_metadata(called=called), "toolemu": self._report()}
        return self._shown.closing(metadata, said.closing_info(called=called), said.usage)

    def _report(self) -> dict[str, Any]:
        shown, stage = self._shown, self._stage
        emulated = ["tool calls emulated"] if shown.calls else []
        emulated += ["structured output emulated"] if shown.answers else []
        left_out = self._order.left_out if self._is_in_text else []
        emulated += [f"left out {name}, which is built into its provider" for name in left_out]
        read = [*shown.calls, *shown.answers]
        misfits = [f"{call.name}: {error}" for call in read for error in call.errors]
        reasks = stage.reasks if isinstance(stage, AskedInText) else ()
        return {
            "path": self.path,
            "mode": self._settings.mode,
            "requests": self._metadata.requests,
            "reasks": [label_of(reask.reason) for reask in reasks],
            "dialect": self._settings.dialect.name,
            "recipe": self._settings.recipe,
            "policy": self._settings.policy_name,
            "doubted": self._doubted.entries(read),
            "verdict": self._knowledge.verdict,
            "repairs": [f"{call.name}: {note}" for call in read for note in call.notes],
            "warnings": [
                *emulated,
                *misfits,
                *self._warnings,
                *shown.thoughts.warnings(),
                *self._limits(),
            ],
        }

    def _limits(self) -> list[str]:
        """What was not done because the caller said so."""
        left_out = [
            f"left out a native call of {name}, which was not asked for"
            for name in self._native_calls.left_out
        ]
        most, order = self._settings.max_tool_rounds, self._order
        closed = self._is_in_text and order.tools and order.is_out_of_rounds(most)
        if closed and not order.choice.forced:
            left_out.append(f"max_tool_rounds={most} is reached: no tools were offered any more")
        return left_out


_STEPS = {
    "ask": "waiting to be asked for its next request",
    "reply": "waiting for the pieces of a reply",
    "done": "done",
}
