"""The turns that the inspector shows: the last ones, to each client those of its key."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from langchain_core.messages import BaseMessage

from langchain_toolemu.chat_models.recorded_runs import MOST_TURNS, Runs
from langchain_toolemu.chat_models.recording import (
    TurnRecording,
    message_json,
    parsed_result,
    shorten,
)
from langchain_toolemu.options import redact
from langchain_toolemu.serve.answer import Answer
from langchain_toolemu.serve.faults import Fault


class Recordings:
    """The last turns."""

    def __init__(self) -> None:
        self._turns: deque[tuple[str, TurnRecording]] = deque(maxlen=MOST_TURNS)  # by owner
        self._runs = Runs()

    def begin(
        self, id_: str, wire: str, body: Mapping[str, Any], path: str, owner: str = ""
    ) -> TurnRecording:
        """Record a new turn, of a request to this path."""
        model, streams = str(body.get("model")), bool(body.get("stream", wire == "ollama_chat"))
        kept = shorten(redact(body))
        shown = {"http_path": path, "run": id_, "redacted": kept != body}
        turn = TurnRecording(id_, wire, model, kept, streams, **shown)
        self._turns.append((owner, turn))
        return turn

    def find_run(
        self, turn: TurnRecording, messages: Iterable[BaseMessage], owner: str = ""
    ) -> None:
        """Find the run of a turn, once its messages are read, those that it refers to included."""
        whose = f"{owner} {turn.model}"
        turn.run = self._runs.find(whose, map(message_json, messages), turn.id)

    def end(self, turn: TurnRecording, answer: Answer | None, fault: Fault | None) -> None:
        """A turn has ended: with an answer, with an error, or because its client disconnected."""
        error = None
        if fault:
            error = {"type": fault.code, "status": fault.status, "message": fault.message}
        turn.end(_parsed_result(answer) if answer else None, answer.report if answer else {}, error)

    def find(self, id_: str, owner: str = "") -> TurnRecording | None:
        """The owner's turn of this id."""
        return next((turn for turn in self._of(owner) if turn.id == id_), None)

    def summaries(self, owner: str = "") -> list[dict[str, Any]]:
        """The owner's turns, newest first."""
        return [turn.summary() for turn in reversed([*self._of(owner)])]

    def clear(self, owner: str = "") -> None:
        """Forget the owner's turns."""
        kept = [pair for pair in self._turns if pair[0] != owner]
        self._turns.clear()
        self._turns.extend(kept)

    def _of(self, owner: str) -> Iterator[TurnRecording]:
        return (turn for whose, turn in self._turns if whose == owner)


def _parsed_result(answer: Answer) -> dict[str, Any]:
    calls = [(call.name, call.arguments, call.complete) for call in answer.calls]
    calls += [(name, text, False) for name, text in answer.invalid_calls]
    shown = parsed_result(answer.words("text"), calls, answer.finish, answer.usage)
    thoughts, declined = answer.words("reasoning"), answer.words("refusal")
    return {**shown, "thoughts": shorten(thoughts), "declined": declined}
