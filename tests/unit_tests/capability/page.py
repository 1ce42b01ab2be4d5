"""docs/generated/provider-errors.md, written from the answers in the tests: `python -m tests.reference`."""

import json
import re
from pathlib import Path

from tests.unit_tests.model_facts.provider_errors import (
    BY_EXPERIMENT,
    LOOK_ALIKES,
    OURS,
    REFUSALS,
    Answer,
)

PAGE = Path(__file__).parents[3] / "docs" / "generated" / "provider-errors.md"
_LONGEST = 110


_HEAD = """\
---
search:
  boost: 0.5
---
# What providers answer

Each answer below is played by a server to a real client, with its status and shape, and must be understood
([What a model can do](../internals/capability.md)). This page is written by `python -m tests.reference`.

## Refusals

A refusal of tools costs one request in the first turn and none after it. So does a refused `tool_choice`, for turns that
demand a call.

"""
_OURS = """

## About one request

These are about one schema, one grammar or one order of messages. Where this package made it, the request is sent again
without it; where you made it, you see the error. Such an answer is not remembered.

"""
_BY_EXPERIMENT = """

## Found out by experiment

These are not recognised by their words: what they speak of is left out, and what then works is remembered for an hour.

"""
_LOOK_ALIKES = """

## No refusals

These look like a refusal and are not. They are raised as they are, and nothing is remembered.

"""


def write_page() -> str:
    """The whole page."""
    names = "; ".join(sorted(answer.name for answer in LOOK_ALIKES))
    tried = "; ".join(f"`{_words(answer)}`" for answer in BY_EXPERIMENT)
    tables = f"{_table(REFUSALS)}{_OURS}{_table(OURS)}{_BY_EXPERIMENT}{tried}."
    return f"{_HEAD}{tables}{_LOOK_ALIKES}{names}.\n"


def _table(answers: list[Answer]) -> str:
    rows = [
        f"| {answer.name} | {answer.status} | {answer.axis} | `{_words(answer)}` |"
        for answer in answers
    ]
    return "\n".join(["| provider | status | refuses | it says |", "|---|---|---|---|", *rows])


def _words(answer: Answer) -> str:
    """The longest string of a body, which is the message, cut to a line."""
    body = json.dumps(answer.body, ensure_ascii=False).replace('"invalid_request_error"', "")
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', body)
    words = " ".join(json.loads(f'"{max(strings, key=len)}"').split()).replace("|", "\\|").replace("`", "'")  # fmt: skip
    return words if len(words) <= _LONGEST else words[:_LONGEST] + "…"
