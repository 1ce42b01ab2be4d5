"""A turn of the data: the tools, the conversation so far, and the right calls that come next."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

# A word with a digit or an at sign, which is no date and no time.
_ID = re.compile(r"(?=\S*[\d@])(?!\d{4}-\d\d|\d\d:\d\d)\S{4,}")
FOLDER = Path(__file__).parent
_ROLES = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


@dataclass(frozen=True, slots=True)
class Called:
    """A call: the tool's name and the arguments."""

    name: str
    args: Mapping[str, Any]

    @property
    def written(self) -> str:
        """The call as a model writes it in text."""
        return json.dumps({"name": self.name, "arguments": self.args}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class DataTurn:
    """One turn of the data.

    Attributes:
        id: Its name in the data.
        category: What it is about.
        tools: The bound tools, as OpenAI's dicts.
        messages: The conversation so far.
        calls: The right calls of the next reply.
        notes: What the data says besides.
    """

    id: str
    category: str
    tools: Sequence[dict[str, Any]]
    messages: Sequence[BaseMessage]
    calls: tuple[Called, ...]
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def written(self) -> str:
        """The reply of a model that makes the calls, one a line."""
        return "\n".join(call.written for call in self.calls)

    @property
    def skips_lookup(self) -> bool:
        """Whether a call has an id or an address that stands nowhere in the conversation: public data leaves lookups out."""
        said = "\n".join(
            f"{message.text} {getattr(message, 'tool_calls', '')}" for message in self.messages
        )
        ids = (one for call in self.calls for one in _strings(call.args) if _ID.fullmatch(one))
        return any(one.lower() not in said.lower() for one in ids)


def _strings(value: Any) -> Iterator[str]:
    """Every string in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(one)


def load_turns(name: str) -> list[DataTurn]:
    """The turns of one of this folder's files: `everyday`, `loops` or `wrong`."""
    return [_turn(row) for row in _read(name)]


def function_tool(function: Mapping[str, Any]) -> dict[str, Any]:
    """A function's description as OpenAI's tool dict."""
    return {"type": "function", "function": dict(function)}


def called_messages(
    calls: Sequence[tuple[Called, str, str]], number: int = 0
) -> Iterator[BaseMessage]:
    """A reply with calls, and the result and status of each."""
    ids = [f"call_{number}_{index}" for index in range(len(calls))]
    made = [
        {"name": call.name, "args": dict(call.args), "id": one}
        for one, (call, *_) in zip(ids, calls, strict=True)
    ]
    yield AIMessage("", tool_calls=made)
    for one, (call, result, status) in zip(ids, calls, strict=True):
        yield ToolMessage(result, name=call.name, tool_call_id=one, status=status)


@cache
def _read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def _turn(row: Mapping[str, Any]) -> DataTurn:
    known = _read("tools")
    return DataTurn(
        id=row["id"],
        category=row["category"],
        tools=[function_tool(known[name]) for name in row["tools"]],
        messages=[
            message
            for number, said in enumerate(row["messages"])
            for message in _messages(said, number)
        ],
        calls=tuple(Called(call["name"], call["args"]) for call in row["calls"]),
        notes={
            key: row[key]
            for key in ("check", "sizes", "argument", "value", "made", "act")
            if key in row
        },
    )


def _messages(said: Mapping[str, Any], number: int) -> Iterator[BaseMessage]:
    for role, content in said.items():
        if role == "calls":
            calls = [
                (Called(one["name"], one["args"]), one["result"], one.get("status", "success"))
                for one in content
            ]
            yield from called_messages(calls, number)
        else:
            yield _ROLES[role](content)
