"""Turns of the public ChatToolEmu on a scripted chat model: replies in; the message, the requests and the re-asks out.

turn = play("Hello.", CALL, choice="any")
turn.message, turn.requests, turn.reasks

What is known of the model before is what earlier turns taught: `earlier` has their replies. No server, and no internals.
"""

import json
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import forget
from langchain_toolemu.policy import Review
from tests.essence import calls, essence, report
from tests.weather import get_weather


def sum_up(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# Described once: that takes as long as a turn.
TOOLS = [convert_to_openai_tool(function) for function in (get_weather, sum_up)]
QUESTION = "What is the weather in Paris?"
SIZE = 5


@dataclass(frozen=True)
class Said:
    """One reply: its text, its native calls by name and JSON, how it ends; or the error that comes instead, in a stream after the text."""

    text: str = ""
    calls: Sequence[tuple[str, str]] = ()
    finish: str = ""
    tokens: int = 0
    thought: str = ""
    error: Exception | None = None

    def _about(self) -> dict[str, Any]:
        finish = self.finish or ("tool_calls" if self.calls else "stop")
        usage = {"input_tokens": self.tokens, "output_tokens": 5, "total_tokens": self.tokens + 5}
        return {
            "response_metadata": {"finish_reason": finish},
            "additional_kwargs": {"reasoning_content": self.thought} if self.thought else {},
            "usage_metadata": usage if self.tokens else None,
        }

    def whole(self) -> AIMessage:
        """The reply as one message; a call whose JSON is broken is an invalid one."""
        pieces = AIMessageChunk("", tool_call_chunks=self._calls())
        made = {"tool_calls": [], "invalid_tool_calls": pieces.invalid_tool_calls}
        for call in pieces.tool_calls:
            chunk = next(one for one in pieces.tool_call_chunks if one["id"] == call["id"])
            kind = "tool_calls" if _is_json(chunk["args"]) else "invalid_tool_calls"
            made[kind].append(call if kind == "tool_calls" else {**chunk, "error": "broken"})
        return AIMessage(self.text, **made, **self._about())

    def pieces(self) -> Iterator[AIMessageChunk]:
        """The reply as a stream."""
        for start in range(0, len(self.text), SIZE):
            yield AIMessageChunk(self.text[start : start + SIZE])
        if self.error is not None:
            raise self.error
        yield AIMessageChunk("", tool_call_chunks=self._calls(), **self._about())

    def _calls(self) -> list[dict[str, Any]]:
        return [
            {"name": name, "args": args, "id": f"native_{number}", "index": number}
            for number, (name, args) in enumerate(self.calls)
        ]


@dataclass
class Doubts:
    """A policy that says the same of each call of some tools."""

    review_of: Review
    names: tuple[str, ...] = ("get_weather",)

    def review(self, call: Any, context: Any) -> Review:
        return self.review_of if call.name in self.names else Review.accept()


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


class ScriptedModel(BaseChatModel):
    """Says one reply after the other, the last one over and over, and keeps what it was sent.

    A reply is a text, a `Said`, or a function that makes one of the messages.
    """

    replies: Sequence[Any] = ()
    heard: list[tuple[list[BaseMessage], dict[str, Any]]] = Field(default_factory=list)
    model_name: str = "scripted"
    base_url: str | None = None

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _next(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> Said:
        self.heard.append((messages, kwargs))
        reply = self.replies[min(len(self.heard), len(self.replies)) - 1]
        reply = reply(messages) if callable(reply) else reply
        return reply if isinstance(reply, Said) else Said(reply)

    def _generate(self, messages, stop=None, run_manager=None, **kwargs) -> ChatResult:
        reply = self._next(messages, kwargs)
        if reply.error is not None:
            raise reply.error
        return ChatResult(generations=[ChatGeneration(message=reply.whole())])

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        for piece in self._next(messages, kwargs).pieces():
            yield ChatGenerationChunk(message=piece)


@dataclass
class Turn:
    """What came of a turn: its message or its error, and what was sent."""

    requests: list[tuple[list[BaseMessage], dict[str, Any]]]
    message: Any = None
    error: Exception | None = None
    report: dict[str, Any] = field(default_factory=dict)

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        return calls(self.message)

    @property
    def reasks(self) -> list[str]:
        return self.report.get("reasks", [])

    @property
    def warnings(self) -> list[str]:
        return self.report.get("warnings", [])

    @property
    def natively(self) -> list[bool]:
        """Of each request, whether it has native tools."""
        return [bool(kwargs.get("tools")) for _, kwargs in self.requests]

    def told(self, number: int) -> str:
        """The last message of a request."""
        return self.requests[number][0][-1].text

    @property
    def essence(self) -> Any:
        return essence(self.message) if self.message is not None else repr(self.error)


def play(
    *replies: str | Said,
    messages: Any = QUESTION,
    tools: Sequence[Any] = TOOLS,
    choice: Any = None,
    parallel: bool | None = None,
    form: Any = None,
    earlier: Sequence[Sequence[str | Said]] = (),
    earlier_choice: Any = None,
    streamed: bool = False,
    model: dict[str, Any] | None = None,
    **options: Any,
) -> Turn:
    """One turn of a new model, after the earlier ones; the last reply comes over and over."""
    forget()
    inner = ScriptedModel(**(model or {}))
    recipe = {name: options.pop(name) for name in ("constraint", "place") if name in options}
    llm = ChatToolEmu(inner, **{"mode": "force", "contract": recipe, **options})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for past in earlier:
            inner.replies, inner.heard[:] = past, []
            with suppress(Exception):  # that of the script, which a turn may end with
                llm.bind_tools(TOOLS, tool_choice=earlier_choice).invoke(QUESTION)
        inner.replies, inner.heard[:] = replies, []
        terms = {"tool_choice": choice, "parallel_tool_calls": parallel, "response_format": form}
        given = {name: value for name, value in terms.items() if value is not None}
        bound = llm.bind_tools(tools, **given) if tools or given else llm
        asked = [HumanMessage(messages)] if isinstance(messages, str) else messages
        turn = Turn(inner.heard)
        try:
            turn.message = reduce(add, bound.stream(asked)) if streamed else bound.invoke(asked)
            turn.report = report(turn.message)
        except Exception as error:  # noqa: BLE001 - an error is an outcome too
            turn.error = error
    return turn


def watch_rules(module: Any, monkeypatch: Any) -> set[str]:
    """The names of a module's `RULES` that decide from now on, as they do."""
    decided: set[str] = set()

    def watched(rule: Any) -> Any:
        if isinstance(rule, tuple):  # where it applies, and the rule
            return (*rule[:-1], watched(rule[-1]))

        def run(given: Any) -> Any:
            decision = rule(given)
            decided.update([rule.__name__] if decision else [])
            return decision

        return run

    monkeypatch.setattr(module, "RULES", [watched(rule) for rule in module.RULES])
    return decided
