"""A turn driven by hand: an order and scripted replies in; requests, shown chunks and the message out. No I/O.

played = play("Hello.", CALL, order=order(choice="any"))
played.requests, played.message, played.reasks
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from langchain_toolemu.contract.dialects import JSON
from langchain_toolemu.contract.response_format import read_form
from langchain_toolemu.contract.rules import ContractCache
from langchain_toolemu.model_facts import InputTokens, Notice, OtherForm
from langchain_toolemu.tools import choice_among, to_openai_tools
from langchain_toolemu.turn.stages import Stage
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Request, Settings, TurnInput
from tests.essence import essence
from tests.weather import get_weather


def sum_up(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def write_file(path: str, content: str) -> str:
    """Write a file."""
    return path


TOOLS = [get_weather, sum_up, write_file]
# Described and written once: that takes ten times as long as a turn.
DESCRIBED = to_openai_tools(TOOLS)
CONTRACTS = ContractCache()


@dataclass
class Known:
    """What a test says is known of the model; keeps what the turn finds out."""

    verdict: str = "unknown"
    evidence: str = "observed"
    refused: tuple[str, ...] = ()
    knows_grammar: bool = False
    past_reasoning: str = "as_is"
    wants_check: bool = True
    cuts: bool = False
    read_window: int | None = None
    learned: list[Any] = field(default_factory=list)

    @property
    def prompt_truncated(self):
        return self.cuts

    @property
    def lessons(self):
        return [one for one in self.learned if isinstance(one, str | OtherForm)]

    @property
    def told(self):
        return self._notices("log")

    @property
    def warned(self):
        return self._notices("warning", "prompt_truncated")

    @property
    def announced(self):
        return len(self._notices("emulated"))

    @property
    def counted(self):
        return [(one.tokens, one.cached) for one in self.learned if isinstance(one, InputTokens)]

    def _notices(self, *kinds):
        notices = [one for one in self.learned if isinstance(one, Notice)]
        return [one.text for one in notices if one.kind in kinds]

    at_vendor = False

    @property
    def refused_tools(self):
        return {}

    @property
    def lacks(self):
        return self.refused

    def may_send(self, axis):
        return axis not in self.refused

    def learn_from(self, *turn_lessons):
        self.learned += turn_lessons
        return True

    @property
    def known(self):
        return self


@dataclass(frozen=True)
class Said:
    """One reply: its text, its native calls, how it ends; or the error that came instead."""

    text: str = ""
    calls: Sequence[tuple[str, dict[str, Any]]] = ()
    finish: str | None = None
    usage: int | None = None
    refusal: str | None = None
    error: Exception | None = None

    def _kwargs(self) -> dict[str, Any]:
        finish = self.finish or ("tool_calls" if self.calls else "stop")
        usage = self.usage and {
            "input_tokens": self.usage,
            "output_tokens": 5,
            "total_tokens": self.usage + 5,
        }
        kwargs: dict[str, Any] = {"response_metadata": {"finish_reason": finish}}
        kwargs |= {"usage_metadata": usage} if usage else {}
        return kwargs | ({"additional_kwargs": {"refusal": self.refusal}} if self.refusal else {})

    def whole(self) -> ChatResult:
        calls = [
            {"name": name, "args": args, "id": f"native_{number}"}
            for number, (name, args) in enumerate(self.calls)
        ]
        message = AIMessage(self.text, tool_calls=calls, **self._kwargs())
        return ChatResult(generations=[ChatGeneration(message=message)])

    def pieces(self, size: int) -> list[ChatGenerationChunk]:
        texts = [self.text[start : start + size] for start in range(0, len(self.text), size)]
        chunks = [AIMessageChunk(text) for text in texts]
        calls = [
            {"name": name, "args": json.dumps(args), "id": f"native_{number}", "index": number}
            for number, (name, args) in enumerate(self.calls)
        ]
        chunks.append(AIMessageChunk("", tool_call_chunks=calls, **self._kwargs()))
        return [ChatGenerationChunk(message=chunk) for chunk in chunks]


@dataclass
class Played:
    """What came of a turn.

    Attributes:
        requests: What was sent.
        stages: The stage of each.
        message: The message, or `None` if an error ended the turn.
        chunks: The chunks, if the replies came in pieces.
        error: The error that ended the turn.
        known: What is known of the model since.
    """

    known: Known
    requests: list[Request] = field(default_factory=list)
    stages: list[Any] = field(default_factory=list)
    chunks: list[ChatGenerationChunk] = field(default_factory=list)
    message: BaseMessage | None = None
    error: Exception | None = None

    @property
    def report(self) -> dict[str, Any]:
        return self.message.response_metadata["toolemu"]

    @property
    def essence(self) -> Any:
        return essence(self.message) if self.message else repr(self.error)


def order(
    text: str | Sequence[BaseMessage] = "What is the weather in Paris?",
    *,
    tools: Sequence[Any] | None = None,
    choice: Any = None,
    parallel: bool | None = None,
    native: bool = True,
    form: Any = None,
    kwargs: dict[str, Any] | None = None,
) -> TurnInput:
    """An order as `ChatToolEmu` makes it of a binding."""
    described = DESCRIBED if tools is None else to_openai_tools(tools)
    read = read_form(form, described)
    json_mode = {"response_format": form} if form else {}
    constraint = {"response_format": read.response_format()} if read else json_mode
    return TurnInput(
        messages=[HumanMessage(text)] if isinstance(text, str) else text,
        stop=None,
        tools=described,
        choice=choice_among(described, choice),
        parallel=parallel,
        native={"tools": described} if native else None,
        kwargs=kwargs or {},
        form=read,
        constraint=constraint,
    )


def play(
    *replies: str | Said,
    order: TurnInput | None = None,
    known: Known | None = None,
    size: int | None = None,
    **settings: Any,
) -> Played:
    """Drive a turn: each reply in turn, the last one over and over; in pieces of a size, or whole."""
    said = [reply if isinstance(reply, Said) else Said(reply) for reply in replies]
    played = Played(known or Known())
    options = {"mode": "force", "dialect": JSON, "contracts": CONTRACTS, **settings}
    try:
        turn = Turn(order or globals()["order"](), Settings(**options), played.known)
        while request := turn.ask():
            played.requests.append(request)
            played.stages.append(turn._stage)
            _answer(turn, said[min(len(played.requests), len(said)) - 1], size, played)
        if size is None:
            played.message = turn.result().generations[0].message
        else:
            played.chunks += turn.close()
            played.message = reduce(add, [chunk.message for chunk in played.chunks])
    except Exception as error:  # noqa: BLE001 - an error is an outcome too
        played.error = error
    return played


def _answer(turn: Turn, reply: Said, size: int | None, played: Played) -> None:
    if reply.error is not None:
        for piece in reply.pieces(size)[:-1] if size and reply.text else ():
            played.chunks += _feed(turn, piece)
        if not turn.goes_on_after(reply.error):
            raise reply.error
    elif size is None:
        turn.take(reply.whole())
    else:
        for piece in reply.pieces(size):
            played.chunks += _feed(turn, piece)
        played.chunks += turn.end()


def _feed(turn: Turn, piece: ChatGenerationChunk) -> list[ChatGenerationChunk]:
    """Show a piece of a reply that the model need not have streamed."""
    turn._step(turn.read, piece)
    return turn._output.take_chunks()


def natively(**facts: Any) -> Stage:
    """A native stage."""
    return Stage("native", **{"reasoning": "as_is", **facts})


def called(question: str, *steps: tuple[str, dict[str, Any], str]) -> list[BaseMessage]:
    """A question and calls, each with its result."""
    history: list[BaseMessage] = [HumanMessage(question)]
    for number, (name, args, result) in enumerate(steps):
        call = {"name": name, "args": args, "id": f"{name}{number}"}
        history.append(AIMessage("", tool_calls=[call]))
        history.append(ToolMessage(result, tool_call_id=call["id"]))
    return history
