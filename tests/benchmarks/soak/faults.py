"""What can go wrong between a client and its server, played by a real server on loopback.

The rule for each: the right message, or the very error that the wrapped model raises by itself. Never half a call, never
a swallowed error, never a hang.
"""

import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from langchain_toolemu import ChatToolEmu
from tests.scripted_server import Reply, ScriptedServer
from tests.ways import ask

Script = Callable[[], Callable[[dict[str, Any]], Reply | str]]
MEGABYTE = 1_000_000


def write_file(path: str, content: str) -> str:
    """Write a file."""
    return path + content


def call(content: str) -> str:
    """A call of the tool, as a model writes it."""
    return json.dumps({"name": "write_file", "arguments": {"path": "a", "content": content}})


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong.

    Attributes:
        name: What it is.
        script: Makes the server's script anew for each way to ask.
        says: What the message must say; `None` where the wrapped model's own error is due.
        calls: The content that the one call must write; `None` for no call.
        settings: Further arguments of the wrapped model.
    """

    name: str
    script: Script
    says: str | None = None
    calls: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)


def _always(reply: Reply | str) -> Script:
    return lambda: lambda _request: reply


def _in_turn(*replies: Reply | str) -> Script:
    def script() -> Callable[[dict[str, Any]], Reply | str]:
        left = iter(replies)
        return lambda _request: next(left)

    return script


def _stalling() -> Iterator[str]:
    yield "Hello"
    time.sleep(1.5)
    yield " there."


def _stalled() -> Callable[[dict[str, Any]], Reply | str]:
    def script(request: dict[str, Any]) -> Reply:
        if not request.get("stream"):
            time.sleep(1.5)
        return Reply(_stalling())

    return script


def _pieces(text: str, size: int = 4096) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


_HUGE = "The quick brown fox. " * (5 * MEGABYTE // 21)
_LINE = "word" * MEGABYTE
_NUL = "a\x00b\x00"
_SURROGATE = "a\ud800b"
_FAILS = Reply(status=500, body={"error": {"message": "internal"}})
_LIMITED = Reply(status=429, body={"error": {"message": "slow down"}}, headers={"Retry-After": "0"})

FAULTS = [
    Fault("connection refused", _always(""), settings={"base_url": "http://127.0.0.1:9/v1"}),
    Fault("reset before the reply", _always(Reply("Hello", breaks_after=0))),
    Fault("reset amid words", _always(Reply(["Hello", " there."], breaks_after=1))),
    Fault("reset amid a call", _always(Reply(_pieces(call("x"), 9), breaks_after=3))),
    Fault("stall, and a timeout", _stalled, settings={"timeout": 0.4}),
    Fault("429", _always(_LIMITED)),
    Fault("429 with Retry-After, then a call", _in_turn(_LIMITED, call("x")), says="", calls="x", settings={"max_retries": 2}),
    Fault("500, then a call", _in_turn(_FAILS, call("x")), says="", calls="x", settings={"max_retries": 2}),
    Fault("a body that is no JSON", _always(Reply(body="{oops"))),
    Fault("an empty body", _always(Reply(body=""))),
    Fault("an empty reply", _always(""), says=""),
    Fault("a reply of 5 MB", _always(Reply(_pieces(_HUGE))), says=_HUGE),
    Fault("a call of 5 MB", _always(Reply(_pieces(call(_HUGE)))), says="", calls=_HUGE),
    Fault("a line of a million words", _always(Reply(_pieces(_LINE))), says=_LINE),
    Fault("NUL bytes in words", _always(Reply(_pieces(_NUL, 1))), says=_NUL),
    Fault("NUL bytes in a call", _always(call(_NUL)), says="", calls=_NUL),
    Fault("a lone surrogate in a call", _always(call(_SURROGATE)), says="", calls=_SURROGATE),
]  # fmt: skip


def outcome(model: Any, way: str) -> Any:
    """The message that a way to ask gives, or the class of the error it raises."""
    try:
        return ask(model, "Write a.", way)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return type(error)


def suffer(fault: Fault, way: str) -> tuple[Any, Any]:
    """What the wrapped model alone makes of a fault, and what we make of it."""
    with ScriptedServer(fault.script()) as server:
        alone = server.chat_model(**fault.settings)
        theirs = outcome(alone, way)
        server.play(fault.script())
        ours = outcome(ChatToolEmu(llm=alone, mode="force").bind_tools([write_file]), way)
        server.errors.clear()
    return theirs, ours


def verdict(fault: Fault, theirs: Any, ours: Any) -> str:
    """In words, what came of a fault; it begins with "wrong" if it is not what must come."""
    if fault.says is None:
        same = isinstance(ours, type) and ours is theirs
        return f"{ours.__name__}, as it is" if same else f"wrong: {ours!r:.200}, alone {theirs!r:.200}"  # fmt: skip
    if isinstance(ours, type):
        return f"wrong: {ours.__name__}"
    written = [call["args"]["content"] for call in ours.tool_calls]
    if ours.content != fault.says or written != ([] if fault.calls is None else [fault.calls]):
        return f"wrong: {ours!r:.200}"
    return "the call, whole" if written else "the words, whole"


def endless() -> Iterator[str]:
    """Words without end."""
    return itertools.repeat("All work and no play. " * 50)
