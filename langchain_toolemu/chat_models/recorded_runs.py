"""Recorded turns as runs.

A turn belongs to the run of an earlier turn of the same model if its messages begin with all messages of that turn.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

MOST_TURNS = 200


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


def _without_marks(value: Any) -> Any:
    """A message without Anthropic's cache marks, which move from turn to turn."""
    match value:
        case Mapping():
            kept = {key: inner for key, inner in value.items() if key != "cache_control"}
            return {key: _without_marks(inner) for key, inner in kept.items()}
        case list():
            return [*map(_without_marks, value)]
    return value
