"""Recorded turns as runs, and the turns of a file.

A turn belongs to the run of an earlier turn of the same model if its messages begin with all messages of that turn.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_TURNS = 200
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
        while len(self._runs) > MOST_TURNS:
            del self._runs[next(iter(self._runs))]
        return run


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
