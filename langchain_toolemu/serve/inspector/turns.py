"""The turns that the inspector shows: the last ones of a gateway, or those of a file; and the runs that they belong to.

A turn belongs to the run of an earlier turn of the same model if its messages begin with all messages of that turn.
"""

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from langchain_toolemu.chat_models.recording import TurnRecording, message_json, shorten
from langchain_toolemu.options import redact
from langchain_toolemu.serve.answer import Answer
from langchain_toolemu.serve.faults import Fault

_MOST_TURNS = 200
_NEEDED = {"id", "at", "model", "run", "calls", "http_path", "body", "sent"}


class Runs:
    """Finds the run of each turn."""

    def __init__(self) -> None:
        self._runs: dict[bytes, str] = {}  # by a digest of all messages of a turn

    def find(self, model: str, messages: Iterable[Mapping[str, Any]], id_: str) -> str:
        """The run of the longest known beginning of the turn's messages, else a new one: asked again, a question begins one."""
        digest, run, before = model.encode(), id_, id_
        for message in messages:
            text = json.dumps(_without_marks(message), sort_keys=True, default=str)
            digest = hashlib.blake2b(digest + text.encode(), digest_size=16).digest()
            run, before = before, self._runs.get(digest, before)
        self._runs.pop(digest, None)
        self._runs[digest] = run
        while len(self._runs) > _MOST_TURNS:
            del self._runs[next(iter(self._runs))]
        return run


class Recordings:
    """The last turns, for pages that watch them."""

    def __init__(self) -> None:
        self._turns: deque[TurnRecording] = deque(maxlen=_MOST_TURNS)
        self._runs = Runs()
        self._change = asyncio.Event()  # the next one
        self._closed = False

    def begin(self, id_: str, wire: str, body: Mapping[str, Any], path: str) -> TurnRecording:
        """Record a new turn, of a request to this path."""
        kept = shorten(redact(body))
        turn = TurnRecording(
            id_,
            wire,
            str(body.get("model")),
            kept,
            bool(body.get("stream", wire == "ollama_chat")),
            http_path=path,
            run=id_,
            redacted=kept != body,
        )
        self._turns.append(turn)
        self.changed()
        return turn

    def find_run(self, turn: TurnRecording, messages: Iterable[BaseMessage]) -> None:
        """Find the run of a turn, once its messages are read, those that it refers to included."""
        turn.run = self._runs.find(turn.model, map(message_json, messages), turn.id)

    def end(self, turn: TurnRecording, answer: Answer | None, fault: Fault | None) -> None:
        """A turn has ended: with an answer, with an error, or because its client disconnected."""
        error = None
        if fault:
            error = {"type": fault.code, "status": fault.status, "message": fault.message}
        turn.end(_parsed_result(answer) if answer else None, answer.report if answer else {}, error)
        self.changed()

    def find(self, id_: str) -> TurnRecording | None:
        """The turn of this id."""
        return next((turn for turn in self._turns if turn.id == id_), None)

    def summaries(self) -> list[dict[str, Any]]:
        """The turns, newest first."""
        return [turn.summary() for turn in reversed(self._turns)]

    def clear(self) -> None:
        """Forget all turns."""
        self._turns.clear()
        self.changed()

    def changed(self) -> None:
        """Notify the watchers."""
        self._change.set()
        self._change = asyncio.Event()

    def close(self) -> None:
        """End all watching, so that the server can stop."""
        self._closed = True
        self.changed()

    async def watch(self, seconds: float) -> AsyncGenerator[list[dict[str, Any]] | None, None]:
        """The summaries whenever a turn changes, and `None` after so many seconds without a change."""
        changed = self._change
        yield self.summaries()
        while not self._closed:
            try:
                await asyncio.wait_for(changed.wait(), seconds)
            except asyncio.TimeoutError:
                yield None
                continue
            changed = self._change
            yield self.summaries()


def read_turns(file: str | Path) -> list[dict[str, Any]]:
    """The turns of a file of the callback or of the page's export, newest first; raises a `ValueError` for another file.

    Incomplete lines are skipped.
    """
    runs, turns = Runs(), []
    for line in Path(file).read_text(encoding="utf-8", errors="replace").split("\n"):
        with suppress(json.JSONDecodeError):
            turns.append(json.loads(line))
    if not turns or not all(isinstance(turn, dict) and turn.keys() >= _NEEDED for turn in turns):
        raise ValueError(f"{file} holds no turns.")
    turns.sort(key=lambda turn: turn["at"])
    for turn in turns:
        if not turn["http_path"]:  # else the gateway has found the run
            turn["run"] = runs.find(turn["model"], turn["body"].get("messages", ()), turn["id"])
    return turns[::-1]


def _without_marks(value: Any) -> Any:
    """A message without Anthropic's cache marks, which move from turn to turn."""
    match value:
        case Mapping():
            kept = {key: inner for key, inner in value.items() if key != "cache_control"}
            return {key: _without_marks(inner) for key, inner in kept.items()}
        case list():
            return [*map(_without_marks, value)]
    return value


def _parsed_result(answer: Answer) -> dict[str, Any]:
    return {
        "text": shorten(answer.words("text")),
        "thoughts": shorten(answer.words("reasoning")),
        "declined": answer.words("refusal"),
        "calls": [
            {"name": name, "arguments": shorten(text), "complete": complete}
            for name, text, complete in [
                *((call.name, call.arguments, call.complete) for call in answer.calls),
                *((name, text, False) for name, text in answer.invalid_calls),
            ]
        ],
        "finish": answer.finish,
        "usage": answer.usage,
    }
