"""Counts what the wrapped model was asked and answered, and keeps its replies.

A reply that is kept is not asked for again: a run that was broken off goes on where it stopped. The time that a kept
reply took is kept with it, so that the figures stay the same. Cases that run at once are counted apart.
"""

import json
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from langchain_core.caches import RETURN_VAL_TYPE, BaseCache
from langchain_core.messages import AIMessage, message_to_dict, messages_from_dict
from langchain_core.outputs import ChatGeneration

_OWN_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
"""The embedded server's, which has another port each time."""


@dataclass
class Cost:
    """Requests and what they took; `cached_tokens` are those of the prompt that the server still had."""

    requests: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    def add(self, other: "Cost") -> None:
        """Add what something else took."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Tally:
    """What one case took, and its requests with their replies, prompt tokens and cached ones."""

    cost: Cost = field(default_factory=Cost)
    log: list[dict[str, Any]] = field(default_factory=list)
    asked_at: float = 0.0


_TALLY: ContextVar[Tally | None] = ContextVar("_TALLY", default=None)


class Meter(BaseCache):
    """A cache of the wrapped model's replies that counts them."""

    def __init__(self, path: Path | None = None) -> None:
        self._kept = sqlite3.connect(
            path or ":memory:", check_same_thread=False, isolation_level=None, timeout=60
        )
        self._kept.execute("create table if not exists replies (asked primary key, reply, seconds)")
        self._lock = Lock()

    @contextmanager
    def counting(self) -> Iterator[Tally]:
        """Count what is asked within, in this thread and those that inherit its context."""
        tally = Tally()
        token = _TALLY.set(tally)
        try:
            yield tally
        finally:
            _TALLY.reset(token)

    def lookup(self, prompt: str, llm_string: str) -> RETURN_VAL_TYPE | None:
        """A kept reply to this very request."""
        _tally().asked_at = time.perf_counter()
        rows = self._execute(
            "select reply, seconds from replies where asked = ?", _key(prompt, llm_string)
        )
        if not rows:
            return None
        reply = [_read(rows[0][0])]
        _count(prompt, reply, rows[0][1])
        return reply

    def update(self, prompt: str, llm_string: str, return_val: RETURN_VAL_TYPE) -> None:
        """Keep a reply."""
        seconds = time.perf_counter() - _tally().asked_at
        self._execute(
            "insert or replace into replies values (?, ?, ?)",
            *(_key(prompt, llm_string), _written(return_val[0]), seconds),
        )
        _count(prompt, return_val, seconds)

    def clear(self, **_: Any) -> None:
        """Forget everything."""
        self._execute("delete from replies")

    def _execute(self, statement: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._kept.execute(statement, values).fetchall()


def _tally() -> Tally:
    """The case's own; outside of a case nothing is counted."""
    return _TALLY.get() or Tally()


def _count(prompt: str, reply: Sequence[Any], seconds: float) -> None:
    message, tally = reply[0].message, _tally()
    usage = (message.usage_metadata if isinstance(message, AIMessage) else None) or {}
    details = usage.get("input_token_details") or {}
    cached = details.get("cache_read") or 0
    sent = usage.get("input_tokens", 0)
    tally.cost.add(Cost(1, sent, cached, usage.get("output_tokens", 0), seconds))
    tally.log.append({"prompt": prompt, "reply": message.text, "tokens": [sent, cached]})


def _written(generation: Any) -> str:
    return json.dumps([message_to_dict(generation.message), generation.generation_info])


def _read(text: str) -> ChatGeneration:
    message, info = json.loads(text)
    return ChatGeneration(message=messages_from_dict([message])[0], generation_info=info)


def _key(prompt: str, llm_string: str) -> str:
    return json.dumps([_without_ids(prompt), _OWN_ADDRESS.sub("", llm_string)])


def _without_ids(prompt: str) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in one["kwargs"].items() if key != "id"}
        for one in json.loads(prompt)
    ]
