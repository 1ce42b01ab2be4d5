"""Counts what the wrapped model was asked and answered, and keeps its replies.

A reply that is kept is not asked for again: a run that was broken off goes on where it stopped. The time that a kept
reply took is kept with it, so that the figures stay the same.
"""

import json
import re
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.caches import RETURN_VAL_TYPE, BaseCache
from langchain_core.messages import AIMessage, message_to_dict, messages_from_dict
from langchain_core.outputs import ChatGeneration

_OWN_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
"""The embedded server's, which has another port each time."""


@dataclass
class Cost:
    """Requests and what they took."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class Meter(BaseCache):
    """A cache of the wrapped model's replies that counts them."""

    def __init__(self, path: Path | None = None) -> None:
        self._kept = sqlite3.connect(
            path or ":memory:", check_same_thread=False, isolation_level=None
        )
        self._kept.execute("create table if not exists replies (asked primary key, reply, seconds)")
        self._asked_at = 0.0
        self.log: list[dict[str, str]] = []
        self.cost = Cost()

    def reset(self) -> None:
        """Count from nothing."""
        self.cost, self.log = Cost(), []

    def lookup(self, prompt: str, llm_string: str) -> RETURN_VAL_TYPE | None:
        """A kept reply to this very request."""
        self._asked_at = time.perf_counter()
        row = self._kept.execute(
            "select reply, seconds from replies where asked = ?", (_key(prompt, llm_string),)
        ).fetchone()
        if row is None:
            return None
        reply = [_read(row[0])]
        self._count(prompt, reply, row[1])
        return reply

    def update(self, prompt: str, llm_string: str, return_val: RETURN_VAL_TYPE) -> None:
        """Keep a reply."""
        seconds = time.perf_counter() - self._asked_at
        self._kept.execute(
            "insert or replace into replies values (?, ?, ?)",
            (_key(prompt, llm_string), _written(return_val[0]), seconds),
        )
        self._count(prompt, return_val, seconds)

    def clear(self, **_: Any) -> None:
        """Forget everything."""
        self._kept.execute("delete from replies")

    def _count(self, prompt: str, reply: Sequence[Any], seconds: float) -> None:
        message = reply[0].message
        usage = (message.usage_metadata if isinstance(message, AIMessage) else None) or {}
        self.cost.requests += 1
        self.cost.prompt_tokens += usage.get("input_tokens", 0)
        self.cost.completion_tokens += usage.get("output_tokens", 0)
        self.cost.seconds += seconds
        self.log.append({"prompt": prompt, "reply": message.text})


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
