"""One turn, without I/O: what to send next, and what the replies amount to.

    turn = Turn(...)
    while request := turn.ask():      # the driver sends it
        turn.feed(generation)         # each piece of the reply; returns chunks to show
        turn.end()                    # the reply has ended; returns the last chunks of the turn, or asks again

A driver that gets an error calls `turn.fail(error)`: true means that the turn goes on, false that the error
is the caller's. Sync, async, whole and streamed are four loops over this one object.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu.contract import write_contract
from langchain_toolemu.errors import ToolChoiceError
from langchain_toolemu.ledger import Ledger
from langchain_toolemu.messages import Chunker, as_chunk, closing_chunk, sum_of
from langchain_toolemu.orders import Knowledge, Order, Request, Settings
from langchain_toolemu.policy import Outcome, Reask, Terms, judge
from langchain_toolemu.projection import corrected, has_tool_history, project
from langchain_toolemu.reader import Reader
from langchain_toolemu.reply import Hold, Part, Reply, Words
from langchain_toolemu.tools import ToolSet, read_tools
from langchain_toolemu.validation import fit
from langchain_toolemu.values import Call

Path: TypeAlias = Literal["native", "emulated", "rescued"]


class Turn:
    """The core: decides what is sent, reads what comes back, and knows when it is done."""

    def __init__(self, order: Order, settings: Settings, knowledge: Knowledge) -> None:
        self._order = order
        self._settings = settings
        self._knowledge = knowledge
        self._ledger = Ledger()
        self._chunker = Chunker()
        self._results: list[ChatResult] = []
        self._chunks: list[ChatGenerationChunk] = []
        self._reasks: list[Reask] = []
        self._warnings: list[str] = []
        self._called = False
        self._spoke = False
        self._spoke_before = False
        self.path: Path = "native"
        self._reply = self._new_reply(None, "nothing")
        self._next: Request | None = self._first_request()

    # --- what the drivers call ---

    def ask(self) -> Request | None:
        """The next request to send, or `None`: the turn is done."""
        request, self._next = self._next, None
        if request is not None:
            self._ledger.open_reply()
            self._spoke_before = self._spoke
            self._reply = self._open_reply()
        return request

    def feed(self, generation: ChatGenerationChunk) -> list[ChatGenerationChunk]:
        """Take a piece of the reply, which may be the whole; returns the chunks to show now."""
        self._ledger.note(generation, native=self.path == "native")
        message = generation.message
        parts = self._reply.feed(message.content)
        if not (isinstance(message, AIMessageChunk) and message.tool_call_chunks):
            return self._show(parts, carrying=message)
        if self.path == "native":
            self._knowledge.learn("native")
        elif self._reply.calls:
            # The server read the text too, and sends as calls what we have as calls already.
            return self._show(parts)
        self._called = True
        return self._show([*parts, *self._reply.as_text()], carrying=message)

    def end(self) -> list[ChatGenerationChunk]:
        """The reply has ended: returns the chunks to show now, the closing one included if the turn is done.

        Raises:
            ToolChoiceError: A demanded call never came and `on_failure` is `"error"`.
        """
        chunks = self._show(self._reply.close(cut=self._ledger.cut))
        ended = self._end_native() if self.path == "native" else self._end_emulated()
        chunks += self._show(ended)
        if self._next:
            return chunks
        return [*chunks, *self._chunker.broken_calls(), self._closing()]

    def fail(self, error: Exception) -> bool:
        """Whether the turn goes on after this error, because it only says that tools are unsupported."""
        sent_tools = self.path == "native" and bool(self._order.tools)
        if not sent_tools or self._settings.mode != "fallback" or self._chunker.started:
            return False
        if not self._knowledge.says_unsupported(error):
            return False
        self._knowledge.learn("none")
        self._warnings.append("the provider says that it does not support tools")
        self._next = self._emulated_request()
        return True

    def take(self, result: ChatResult) -> None:
        """A whole reply: a stream of one piece."""
        self._results.append(result)
        self._chunks += self.feed(as_chunk(result.generations[0]))
        self._chunks += self.end()

    def result(self) -> ChatResult:
        """What the whole replies amount to: the sum of the chunks that a stream would have shown."""
        first, last = self._results[0], self._results[-1]
        llm_output = self._ledger.with_summed_usage(last.llm_output or {})
        if self.path != "native" or first is not last or self._chunker.broken_calls():
            return ChatResult(generations=[sum_of(self._chunks)], llm_output=llm_output)
        kept = [self._as_it_came(first.generations[0]), *first.generations[1:]]
        return ChatResult(generations=kept, llm_output=llm_output)

    def _as_it_came(self, generation: ChatGeneration) -> ChatGeneration:
        """A native reply that nothing was changed in, with the report added to its metadata."""
        metadata = {**generation.message.response_metadata, "toolemu": self._report()}
        message = generation.message.model_copy(update={"response_metadata": metadata})
        return ChatGeneration(message=message, generation_info=generation.generation_info)

    # --- requests ---

    def _first_request(self) -> Request:
        order, settings = self._order, self._settings
        if (
            settings.mode == "fallback"
            and order.native is not None
            and self._knowledge.verdict != "none"
        ):
            return Request(list(order.messages), order.stop, {**order.kwargs, **order.native})
        if order.tools or has_tool_history(order.messages):
            return self._emulated_request()
        return Request(list(order.messages), order.stop, order.kwargs)

    def _emulated_request(self) -> Request:
        self.path = "emulated"
        order = self._order
        return Request(self.emulated_messages(), order.stop, order.kwargs)

    def emulated_messages(self) -> list[BaseMessage]:
        """The conversation as emulation sends it."""
        order, settings = self._order, self._settings
        contract = None
        if self._reads:
            contract = write_contract(
                self._tools,
                order.choice,
                settings.dialect,
                parallel=order.parallel,
                examples=settings.examples,
            )
        return project(order.messages, settings.dialect, contract)

    def _reask(self, reask: Reask) -> Request:
        """The request again, with the failed reply and what is wrong with it."""
        self._reasks.append(reask)
        messages = corrected(self.emulated_messages(), self._reply.raw, reask.correction)
        return Request(messages, self._order.stop, self._order.kwargs)

    @cached_property
    def _tools(self) -> ToolSet:
        return read_tools(self._order.tools)

    @cached_property
    def _functions(self) -> ToolSet:
        """The tools that text can call; a provider's built-ins are beside them in a native turn."""
        return read_tools([tool for tool in self._order.tools if tool.get("type") == "function"])

    @property
    def _reads(self) -> bool:
        """Whether calls are looked for in replies at all."""
        return bool(self._order.tools) and self._order.choice.kind != "none"

    # --- replies ---

    def _open_reply(self) -> Reply:
        if not self._reads:
            return self._new_reply(None, "nothing")
        if self.path == "native":
            return self._open_native_reply()
        choice = self._order.choice
        reader = Reader(self._tools, forced=choice.name)
        return self._new_reply(reader, "prose" if choice.forced else "nothing")

    def _open_native_reply(self) -> Reply:
        reader = Reader(self._functions, explicit_only=self._knowledge.verdict == "native")
        forced = self._order.choice.forced
        return self._new_reply(reader, "everything" if forced else "calls")

    def _new_reply(self, reader: Reader | None, hold: Hold) -> Reply:
        return Reply(reader, self._checked, self._accepts, hold)

    def _checked(self, call: Call) -> Call:
        """A call with its arguments mended where that loses nothing, and with what does not fit noted."""
        tool = self._functions.exact(call.name)
        if tool is None:
            return call
        fitted = fit(call.args, tool.parameters)
        return replace(
            call, args=fitted.args, notes=call.notes + fitted.notes, errors=fitted.errors
        )

    def _accepts(self, call: Call, earlier: int) -> bool:
        choice = self._order.choice
        if choice.kind == "named":
            return call.name == choice.name and not earlier
        return self._order.parallel or not earlier

    def _end_native(self) -> list[Part]:
        """What was held of a native reply: shown as it is, as rescued calls, or dropped for emulation."""
        reply = self._reply
        # A bare call counts only where it is the whole reply of a model not known to call natively:
        # in the documentation a capable model writes, it is an example.
        bare_counts = self._knowledge.verdict != "native" and reply.only_calls
        rescued = [call for call in reply.calls if call.explicit or bare_counts]
        if self._called:
            return reply.as_text()
        if rescued:
            self.path, self._called = "rescued", True
            return [*_with_only(rescued, reply.held), *reply.bad_calls]
        if reply.bad_calls or self._order.choice.forced:
            self._next = self._emulated_request()
            return []
        return reply.as_text()

    def _end_emulated(self) -> list[Part]:
        """What is left to show of an emulated reply, or nothing and a further request."""
        reply = self._reply
        if not self._reads or self._called:
            return []
        self._called = bool(reply.calls)
        terms = Terms(self._tools, self._order.choice, self._settings.dialect)
        reask = judge(Outcome(len(reply.calls), reply.bad_calls), terms)
        self._warnings += [f"left out a further call of {call.name}" for call in reply.left_out]
        if reask is None:
            return list(reply.bad_calls)
        if len(self._reasks) < self._settings.max_reasks:
            self._next = self._reask(reask)
            return []
        return self._give_up(reask)

    def _give_up(self, reask: Reask) -> list[Part]:
        choice = self._order.choice
        if choice.forced and self._settings.on_failure == "error":
            raise ToolChoiceError(
                f"A call of {choice.name or 'some tool'} was demanded, and the model made none in "
                f"{self._ledger.requests} requests (last: {reask.reason}). Ask for less, use a more capable "
                "model, or pass on_failure='continue' to get the reply as it is."
            )
        self._warnings.append(f"gave up: {reask.reason}")
        return [*self._reply.held, *self._reply.bad_calls]

    # --- messages ---

    def _show(
        self, parts: Sequence[Part], carrying: BaseMessage | None = None
    ) -> list[ChatGenerationChunk]:
        """Chunks for these parts. A further request adds calls, not words: what was said first stands."""
        if self._ledger.requests > 1 and self._spoke_before:
            parts = [part for part in parts if not isinstance(part, Words)]
        self._spoke |= any(isinstance(part, Words) and bool(part.text.strip()) for part in parts)
        return self._chunker.chunks(parts, carrying, self._ledger.format())

    def _closing(self) -> ChatGenerationChunk:
        called = self._called
        metadata = {**self._ledger.closing_metadata(called=called), "toolemu": self._report()}
        return closing_chunk(metadata, self._ledger.closing_info(called=called), self._ledger.usage)

    def _report(self) -> dict[str, Any]:
        warnings = list(self._warnings)
        if self._called and self.path != "native":
            warnings.insert(0, "tool calls emulated")
        return {
            "path": self.path,
            "mode": self._settings.mode,
            "requests": self._ledger.requests,
            "reasks": [reask.reason for reask in self._reasks],
            "dialect": self._settings.dialect.name,
            "verdict": self._knowledge.verdict,
            "warnings": warnings,
        }


def _with_only(calls: Sequence[Call], parts: Sequence[Part]) -> list[Part]:
    """The parts, with every other call as the text it was read from."""
    return [
        Words(part.raw) if isinstance(part, Call) and part not in calls else part for part in parts
    ]
