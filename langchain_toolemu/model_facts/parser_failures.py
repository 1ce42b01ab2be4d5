"""Errors by which a server says that it could not parse its own model's output as tool calls.

The sentence must begin what the error says, or follow the names of programs that passed it on: an error may quote a prompt. The
model's words are read out of a known field, or after a known phrase. A new wording goes to `WORDINGS`, advice to `REMEDIES`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from traceback import walk_tb
from typing import Any, NamedTuple

from pydantic import ValidationError

from langchain_toolemu.model_facts import ParserFailure
from langchain_toolemu.model_facts.error_text import bodies, body_parts, is_among, links
from langchain_toolemu.model_facts.error_wordings import OTHER_THAN_PARSING

_MAX_PARTS = 200
_MAX_PREFIX = 400


class ParserWording(NamedTuple):
    """One way to say it: an expression for the beginning of a sentence; its group `words` is the model's."""

    server: str
    text: str
    is_call: bool = True  # else the model may have written no call at all
    is_quoted: bool = False  # whether the words are written as a string with escapes


_ANY = "The server"

WORDINGS: tuple[ParserWording, ...] = (
    # llama.cpp: the text from the place on that its parser did not get past. The next was in its place later.
    ParserWording("llama.cpp", r"failed to parse input at pos \d+(?:: ?(?P<words>.*))?", is_call=False),
    ParserWording("llama.cpp", r"the model produced output that does not match the expected [\w-]{1,40} format", is_call=False),
    # Also of a past call in the history, which a request in text does without.
    ParserWording("llama.cpp", r"failed to parse tool call arguments as json"),
    ParserWording("llama.cpp", r"invalid diff: (?:now finding less tool calls|')"),
    # Ollama, of gpt-oss: the arguments alone. Then of Qwen and GLM, by Go's decoder of XML.
    ParserWording("Ollama", r"error parsing tool call: raw='(?P<words>.*)', err="),
    ParserWording("Ollama", r"error parsing tool call\b"),
    ParserWording("Ollama", r"(?:failed to parse xml: )?xml syntax error on line \d+: "),
    ParserWording("Ollama", r"expected element type <\w{1,40}> but have <\w{1,40}>"),
    # Groq and Cerebras; the model's words are in a field.
    ParserWording("Groq", r"failed to call a function\. please adjust your prompt", is_call=False),
    ParserWording("Groq", r"tool call validation failed: "),
    ParserWording("Groq", r"tool choice is none, but model called a tool"),
    ParserWording("Cerebras", r"failed to generate tool_calls?\b", is_call=False),
    # vLLM, SGLang and lmdeploy, with OpenAI's parser of Harmony; vLLM of a demanded call
    ParserWording("vLLM", r"unexpected tokens remaining in message header"),
    ParserWording("vLLM", r"unexpected token \d+ while expecting start token \d+", is_call=False),
    ParserWording("vLLM", r"\d+ validation errors? for list\[functiondefinition\]"),
    ParserWording("SGLang", r"failed to parse fc related info to json format"),
    # Text Generation Inference: the text as Rust writes a string for debugging
    ParserWording(
        "Text Generation Inference",
        r"failed to parse generated text: .{0,200}? at line \d+ column \d+(?: (?P<words>\".*))?",
        is_call=False,
        is_quoted=True,
    ),
    ParserWording("Text Generation Inference", r"tool error: (?:no function found in generated text|[^:]{1,80} at line \d+ column \d+)"),
    ParserWording("Amazon Bedrock", r"model produced invalid sequence as part of tooluse"),
    # A log's words in other servers' errors, and how Google and others put it
    ParserWording(_ANY, r"(?:[\w.-]{1,40} ){0,2}(?:tool|function)[ _-]?calls? (?:parsing|extraction|decoding) (?:has )?(?:failed|error)"),
    ParserWording(
        _ANY,
        r"(?:the )?model (?:has )?(?:generated|produced|returned|emitted|wrote)(?: an?| some)? "
        r"(?:invalid|malformed|unparse?able|incomplete|broken) (?:tool|function)[ _-]?calls?\b",
    ),
    ParserWording(_ANY, r"(?:malformed[ _]function[ _]call\Z|(?:invalid|malformed) (?:tool|function)[ _-]?calls? (?:was |were )?(?:generated|produced|returned|emitted) by (?:the )?model)"),
    # LM Studio, mlx-lm and others
    ParserWording("LM Studio", r"failed to (?:parse|generate) a? ?tool call\b.{0,400}?\nmodel output:\s*(?P<words>.*)"),
    ParserWording(
        _ANY,
        r"(?:error|failed|failure|unable|could not|can not|cannot)(?: in| while| when| to)? "
        r"(?:pars(?:e|ing)|extract(?:ing)?|decod(?:e|ing))(?: the| a| any| generated| model| model's){0,2} "
        r"(?:tool|function)[ _-]?calls?\b(?! ids?\b)(?!.{0,80}\b(?:in|of|from|at) (?:the |your )?(?:messages?|request|history|conversation)\b)",
    ),
)  # fmt: skip

CODES: Mapping[str, str] = {"tool_use_failed": "Groq", "output_parse_failed": "Groq"}
"""The codes of such errors, and whose they are."""

FIELDS = ("failed_generation",)
"""Where an error with such a code or sentence keeps the model's words."""

REMEDIES: Mapping[str, str] = {
    "llama.cpp": "update it, start it with --jinja, or give it another template by --chat-template-file",
    "Ollama": "update it, and pull the model again, or use one whose template has tools",
    "Groq": "lower the temperature, bind fewer tools, or use another model",
    "Cerebras": "lower the temperature, bind fewer tools, or use another model",
    "vLLM": "update it, or start it with another --tool-call-parser",
    "SGLang": "update it, or start it with another --tool-call-parser",
    "Amazon Bedrock": "name the tools without hyphens, lower the temperature, or use another model",
    "LM Studio": "update it and its runtimes, or load the model with another prompt template",
}
_ANY_REMEDY = "update the server, or choose another parser or template for tool calls there"

_NOT_WORDS = re.compile(r"tool use failed: ", re.IGNORECASE)
"""What a server writes into such a field itself."""

_TAIL = re.compile(
    r"\.? ?Received Model Group=[^\n]*(?:\nAvailable Model Group Fallbacks=[^\n]*)?\Z"
)
"""What LiteLLM's proxy adds to a sentence."""

_CLIENT = "The server's client"
_CLIENT_NOTICE = (
    "The server sends tool calls that its client cannot read, so they are emulated instead. To fix it for good: use "
    "ToolEmuChatOpenAI in place of ChatOpenAI, which reads them."
)
_CALL_FIELDS = (("invalid_tool_calls",), ("tool_call_chunks",))
_CLIENT_FUNCTIONS = frozenset({
    "_convert_dict_to_message", "_convert_delta_to_message_chunk", "_convert_chunk_to_message_chunk",
})  # fmt: skip
"""Where LangChain's clients make a message of a reply."""


def parser_failure(error: BaseException) -> ParserFailure | None:
    """What an error says of a call that the server could not parse; `None` if it is about anything else."""
    if _is_clients(error):
        return ParserFailure(_CLIENT, _CLIENT_NOTICE, is_call=True, repeats=True)
    errors = links(error)
    if any(is_among(OTHER_THAN_PARSING, link) for link in errors):
        return None
    found = [failure for link in errors for failure in _failures(link)]
    return next((failure for failure in found if failure.words), found[0] if found else None)


def _is_clients(error: BaseException) -> bool:
    """Whether a client of LangChain's fails at the calls of a reply that came."""
    if isinstance(error, ValidationError):
        return any(fault["loc"][:1] in _CALL_FIELDS for fault in error.errors(include_input=False))
    if not isinstance(error, AttributeError | TypeError):
        return False
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    calls = (frame.f_locals for frame in frames if frame.f_code.co_name in _CLIENT_FUNCTIONS)
    values = (value for variables in calls for value in variables.values())
    return any(isinstance(value, Mapping) and value.get("tool_calls") for value in values)


def _failures(link: BaseException) -> list[ParserFailure]:
    found = [failure for body in bodies(link) for failure in _failures_in(body)]
    # The rest repeats a body that was read already, or is all there is.
    return found or [*_failures_in(getattr(link, "message", None)), *_failures_in(str(link))]


def _failures_in(value: Any) -> list[ParserFailure]:
    parts = [*islice(body_parts(value), _MAX_PARTS)]
    texts = (part for part in parts if isinstance(part, str))
    found = [failure for text in texts for failure in _failures_in_text(text)]
    fields = [part for part in parts if isinstance(part, Mapping)]
    codes = (str(mapping.get(key)).lower() for mapping in fields for key in ("code", "type"))
    if code := next((code for code in codes if code in CODES), None):
        failure = _failure(CODES[code], is_call=bool(found) and found[0].is_call)
        found = [replace(failure, is_no_answer=code == "output_parse_failed")]
    values = (mapping.get(name) for mapping in fields for name in FIELDS)
    words = next((value for value in values if isinstance(value, str)), "")
    has_words = found and words and not _NOT_WORDS.match(words)
    return [replace(found[0], words=words), *found] if has_words else found


def _failures_in_text(text: str) -> Iterator[ParserFailure]:
    if found := _failure_at(text):
        yield found
        return
    for sentence, is_whole in _quoted_sentences(text):
        if found := _failure_at(sentence):
            yield found if is_whole else replace(found, words="")


def _failure_at(text: str) -> ParserFailure | None:
    """What the error's own sentence says, if it is one of ours."""
    for sentence in (text[start:] for start in _beginnings(text)):
        for wording in WORDINGS:
            if found := re.match(wording.text, sentence, re.IGNORECASE | re.DOTALL):
                words = found.groupdict().get("words") or ""
                words = _unquoted(words) if wording.is_quoted else words
                return _failure(wording.server, _TAIL.sub("", words), is_call=wording.is_call)
    return None


def _unquoted(words: str) -> str:
    """The text of a string with escapes; nothing if it is cut off or escaped in another way."""
    with suppress(ValueError):
        return str(json.JSONDecoder().raw_decode(words)[0])
    return ""


def _failure(server: str, words: str = "", *, is_call: bool = False) -> ParserFailure:
    notice = (
        f"{server} could not parse its model's output as tool calls. If the error contains the call, it is read from there; "
        "if not, the model is asked again. After two failures in a row, calls are emulated for an hour. To fix it for good: "
        f"{REMEDIES.get(server, _ANY_REMEDY)}."
    )
    return ParserFailure(server, notice, words, is_call=is_call)


_STATUS = re.compile(r"\s*(?:\d{3}[ :]{1,2})?")
_BREAK = re.compile(r"(?:: |[.)\]] | - |\n)\s*")
_QUOTING = re.compile(
    r"""["'`“”«»<{]|\b(?:prompt|inputs?|contents?|messages?|user|query|text|value|said)\b"""
)
_QUOTED = re.compile(r"""\b(?:message|error|detail|msg|err)["']?\s{0,2}[:=]\s{0,2}(?=")""")


def _beginnings(text: str) -> Iterator[int]:
    """Where the error's own sentence may begin: at once, or after those who passed it on have named themselves."""
    yield _STATUS.match(text).end()  # type: ignore[union-attr]  # it may match nothing
    for found in _BREAK.finditer(text[:_MAX_PREFIX]):
        if _QUOTING.search(text[: found.start()].lower()):
            return
        yield found.end()


def _quoted_sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences that a text holds as a JSON or Go string, and whether each is whole."""
    for found in _QUOTED.finditer(text[:_MAX_PREFIX]):
        with suppress(ValueError):
            yield json.JSONDecoder().raw_decode(text, found.end())[0], True
            continue
        yield text[found.end() + 1 :], False
