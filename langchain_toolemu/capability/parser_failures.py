"""Errors by which a server says that it could not parse its own model's output as tool calls.

- The sentence stands at the beginning of what the error says, or after the names of programs that passed it on: an error may
  quote a prompt, and what follows other words is no such sentence.
- The model's words are read out of a known field, or after a known phrase, and nowhere else.
- A new wording goes to `WORDINGS`; what its user can change on the server, to `REMEDIES`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_toolemu.capability.error_text import ECHOES, bodies, body_in, is_among, links
from langchain_toolemu.capability.error_wordings import OTHER_THAN_PARSING
from langchain_toolemu.model_facts import ParserFailure

_MAX_DEPTH = 8
_MAX_PLACES = 64
_MAX_PREFIX = 400

# --- data ---


@dataclass(frozen=True)
class ParserWording:
    """One way to say it: an expression for the beginning of a sentence; its group `words` is the model's."""

    server: str
    text: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The expression, compiled when it is first needed."""
        return re.compile(self.text, re.IGNORECASE | re.DOTALL)


WORDINGS: tuple[ParserWording, ...] = (
    ParserWording("llama.cpp", r"failed to parse input at pos \d+: ?(?P<words>.*)"),
    ParserWording("llama.cpp", r"the model produced output that does not match the expected [\w-]{1,40} format"),
    ParserWording("llama.cpp", r"failed to parse tool call arguments as json"),
    ParserWording("Ollama", r"error parsing tool call: raw='(?P<words>.*)', err="),
    ParserWording("Ollama", r"error parsing tool call\b"),
    ParserWording("Groq", r"failed to call a function\. please adjust your prompt"),
)  # fmt: skip

CODES: Mapping[str, str] = {"tool_use_failed": "Groq"}
"""The codes of such errors, and whose they are."""

FIELDS = ("failed_generation",)
"""Where an error with such a code or sentence keeps the model's words."""

REMEDIES: Mapping[str, str] = {
    "llama.cpp": "update it, start it with --jinja, or give it another template by --chat-template-file",
    "Ollama": "update it, pull the model again, or use one whose template has tools",
    "Groq": "lower the temperature, describe fewer tools, or use another model",
}

_ANY_REMEDY = "update the server, or choose another parser or template for tool calls there"

_NOT_WORDS = re.compile(r"tool use failed: ", re.IGNORECASE)
"""What a server writes into such a field itself."""

# --- reading an error ---


def parser_failure(error: BaseException) -> ParserFailure | None:
    """What an error says of a call that the server could not parse; `None` if it is about anything else."""
    chain = links(error)
    if any(is_among(OTHER_THAN_PARSING, link) for link in chain):
        return None
    found = [one for link in chain for one in _failures(link)]
    return next((one for one in found if one.words), found[0] if found else None)


def _failures(link: BaseException) -> Iterator[ParserFailure]:
    places = [*bodies(link), getattr(link, "message", None), str(link)]
    for value in places:
        yield from _failures_in(value)


def _failures_in(value: Any, depth: int = 0) -> Iterator[ParserFailure]:
    if depth > _MAX_DEPTH:
        return
    match value:
        case str():
            yield from _failures_in_text(value, depth)
        case Mapping():
            yield from _failures_in_body(value, depth)
        case list() | tuple():
            for inner in value[:_MAX_PLACES]:
                yield from _failures_in(inner, depth + 1)


def _failures_in_body(body: Mapping[Any, Any], depth: int) -> Iterator[ParserFailure]:
    inner = {key: value for key, value in body.items() if str(key).lower() not in ECHOES}
    found = [one for value in inner.values() for one in _failures_in(value, depth + 1)]
    server = CODES.get(str(body.get("code")).lower()) or (found[0].server if found else "")
    words = next((body[name] for name in FIELDS if isinstance(body.get(name), str)), "")
    if server and words and not _NOT_WORDS.match(words):
        yield _failure(server, words)
    elif server and not found:
        yield _failure(server)
    yield from found


def _failures_in_text(text: str, depth: int) -> Iterator[ParserFailure]:
    if body := body_in(text):
        yield from _failures_in(body, depth + 1)
    elif found := _failure_at(text):
        yield found
    else:
        for sentence, is_whole in _quoted_sentences(text):
            if found := _failure_at(sentence):
                yield found if is_whole else _failure(found.server)


def _failure_at(text: str) -> ParserFailure | None:
    """What the error's own sentence says, if it is one of ours."""
    for start in _beginnings(text):
        for wording in WORDINGS:
            if found := wording.pattern.match(text, start):
                return _failure(wording.server, found.groupdict().get("words") or "")
    return None


def _failure(server: str, words: str = "") -> ParserFailure:
    remedy = REMEDIES.get(server, _ANY_REMEDY)
    text = (
        f"{server} could not parse what its model wrote as tool calls. A call is read from the error where that holds it; "
        f"else the model is asked again, and after two failures in a row in text. What helps for good: {remedy}."
    )
    return ParserFailure(server, text, words)


# --- where a sentence begins ---

_NAMED = re.compile(r"""(["'`])[^"'`\s]{1,80}\1""")  # a model, a class
_BREAK = re.compile(r"(?:: |[.)\]] | - |\n)\s*")
_QUOTING = re.compile(
    r"""["'`“”«»<{]|\b(?:prompt|inputs?|contents?|messages?|user|query|text|value|said)\b"""
)
_QUOTED = re.compile(r"""\b(?:message|error|detail|msg|err)["']?\s{0,2}[:=]\s{0,2}(?=")""")


def _beginnings(text: str) -> Iterator[int]:
    """Where the error's own sentence may begin: at once, or after those who passed it on have named themselves."""
    yield len(text) - len(text.lstrip())
    for found in _BREAK.finditer(text[:_MAX_PREFIX]):
        if _QUOTING.search(_NAMED.sub("", text[: found.start()].lower())):
            return
        yield found.end()


def _quoted_sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences that a text holds as a JSON or Go string, and whether each is whole."""
    for found in _QUOTED.finditer(text[:_MAX_PREFIX]):
        with suppress(ValueError):
            yield json.JSONDecoder().raw_decode(text, found.end())[0], True
            continue
        yield text[found.end() + 1 :], False
