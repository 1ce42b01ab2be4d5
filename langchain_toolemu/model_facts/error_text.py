"""What a provider's error says: its sentences, wherever its client keeps them, and what they mean for us.

Body, response and cause come before `str(error)`, often only "Error code: 400"; no client's classes are named. Echoed
input and long quotations are left out, and work is bounded, whatever an error holds.
"""

import ast
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, get_args

from langchain_toolemu.model_facts import Axis, Trouble
from langchain_toolemu.model_facts import error_wordings as wordings

_MAX_LINKS = 8
_MAX_STATEMENTS = 32
_MAX_CHARS = 1_500
_MAX_JSON = 100_000
_MAX_LITERAL = 20_000
_MAX_DEPTH = 12
_MAX_WORDS = 300
_MAX_MESSAGE = 1_000
_MESSAGE_STATEMENTS = 3
_CODE_PREFIX = re.compile(r"^Error code: \d{3}\s*-?\s*")
# What looks like a key: after `Bearer`, with a vendor's prefix, or with its middle left out.
_KEY = re.compile(
    r"(?<=bearer )[^\s'\"`,;]{4,}|\b(?:sk|pk|gsk|xai|hf|nvapi|pplx)[-_](?=[\w*-]*[\d*])[\w*-]{6,}|\bAIza[\w-]{8,}"
    r"|[\w-]*\*{3,}[\w*-]*",
    re.IGNORECASE,
)


def diagnose(error: BaseException, added: Collection[str] = ()) -> Trouble | None:
    """What an error says is unsupported or missing, if anything; one about a schema or the order only if we `added` that."""
    if isinstance(error, NotImplementedError):
        # A chat model class without tools; one that lacks something else mostly says what.
        words = str(error)
        is_ours = not words or any(word in words.lower() for word in ("tool", "function"))
        return Trouble("tools", words or "NotImplementedError") if is_ours else None
    chain = links(error)
    if any(is_among(wordings.NO_REFUSAL, link) for link in chain):
        return None
    texts = [text for link in chain for text in statements(link)]
    found = list(_troubles(texts, added))
    # Strongest first, in this order: a text that refuses tools often names tool_choice, too. What was
    # added comes before that: a server without guided decoding refuses schemas and grammars in one sentence.
    axes = sorted(get_args(Axis), key=lambda axis: axis not in added)
    return next((trouble for axis in axes for trouble in found if trouble.axis == axis), None)


def is_too_long(error: BaseException) -> bool:
    """Whether an error says that a request does not fit the model's window."""
    chain = links(error)
    if any(is_among(wordings.NOT_TOO_LONG, link) for link in chain):
        return False
    if any(is_among(wordings.LENGTH, link) for link in chain):
        return True
    texts = [wordings.fold_sentence(text) for link in chain for text in statements(link)]
    texts = [text for text in texts if not re.search(wordings.NOT_TOO_LONG_WORDS, text)]
    return any(re.search(pattern, text) for pattern in wordings.TOO_LONG for text in texts)


def is_among(matter: wordings.Matter, link: BaseException) -> bool:
    """Whether one link is about a matter, by its class or one that it derives from, its status or its codes."""
    names = [kind.__name__.lower() for kind in type(link).__mro__]
    if any(word in name for name in names for word in matter.classes):
        return True
    by_status = not matter.statuses.isdisjoint(statuses(link))
    return by_status or not matter.codes.isdisjoint(codes(link))


def _troubles(texts: list[str], added: Collection[str]) -> Iterator[Trouble]:
    for words in texts:
        text = wordings.fold_sentence(words)
        other = any(matter in text for matter in wordings.NO_REFUSAL_WORDS)
        for wording in wordings.WORDINGS:
            # That an error is about reasoning is why it is not about tools.
            reads = not other or wording.axis == "reasoning"
            counts = wording.axis in added if wording.only_ours else reads
            if counts and (found := _trouble(wording, text, words)):
                yield found


def _trouble(wording: wordings.Wording, text: str, words: str) -> Trouble | None:
    found = re.search(wording.text, text)
    if found is None:
        return None
    before = text[: found.start() + len(found.groupdict().get("opening") or "")]
    after = re.match(wordings.NARROWED_AFTER, text[found.end() :])
    narrowed = after or re.search(wordings.NARROWED_BEFORE, before[-60:])
    lasting = wording.lasting and not narrowed
    return Trouble(wording.axis, words[:_MAX_WORDS], lasting, demanded=wording.demands)


def status_of(error: BaseException) -> int | None:
    """The HTTP status of an error; its own comes before those in its body."""
    named = [getattr(link, "status_code", None) for link in links(error)]
    named += [status for link in links(error) for status in sorted(statuses(link))]
    numbers = (status for status in named if isinstance(status, int))
    return next((status for status in numbers if 400 <= status < 600), None)


def message_of(error: BaseException, secrets: Iterable[str] = ()) -> str:
    """What was said, without codes and labels, without what repeats, and without keys."""
    for link in links(error):
        known = codes(link) | _values_of(link, _LABELS)
        texts = [statement for statement in statements(link) if statement.lower() not in known]
        plain = [text for statement in texts if (text := _CODE_PREFIX.sub("", statement).strip())]
        if plain := plain[:_MESSAGE_STATEMENTS]:
            # Clients repeat the server's words with more behind them.
            new = [text for n, text in enumerate(plain) if not text.startswith((*plain[:n],))]
            text = "; ".join(new)[:_MAX_MESSAGE]
            for secret in secrets:
                text = text.replace(secret, "…")
            return _KEY.sub("…", text)
    return ""


# What a body repeats of the request or of the model's own words.
ECHOES = frozenset({
    "input", "inputs", "messages", "prompt", "content", "contents", "failed_generation",
    "request", "ctx", "url", "tools", "headers",
})  # fmt: skip
# A mapping with one of these is an error; any other is a value that a sentence mentions.
_SAYING = frozenset(
    {"error", "errors", "message", "detail", "details", "msg", "description", "reason"}
)
_CODES = frozenset(
    {"code", "type", "status", "status_code", "statuscode", "httpstatuscode", "error_code"}
)
_LABELS = frozenset({"param", "object", "request_id"})  # which say nothing by themselves


def links(error: BaseException) -> list[BaseException]:
    """The error and its causes, outermost first. What it was raised amid (`__context__`) is another matter."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and len(chain) < _MAX_LINKS:
        chain.append(link)
        link = link.__cause__
    return chain


def statuses(error: BaseException) -> set[int]:
    """The HTTP statuses that one link names: its own, its response's, and those in its body."""
    keys = ("status_code", "status", "http_status", "code")
    named = [_get(holder, key) for holder in (error, _get(error, "response")) for key in keys]
    named += codes(error)
    # An `HTTPStatus` is a number, whose text was not one before Python 3.11.
    texts = (str(int(status)) if isinstance(status, int) else status for status in named)
    found = (text for text in texts if isinstance(text, str) and text.isdecimal())
    return {int(text) for text in found if len(text) < 6}


def codes(error: BaseException) -> set[str]:
    """The codes and types that one link's body names, in lower case."""
    return _values_of(error, _CODES)


def _values_of(error: BaseException, keys: Collection[str]) -> set[str]:
    parts = (part for body in bodies(error) for part in body_parts(body))
    named = (pair for part in parts if isinstance(part, Mapping) for pair in part.items())
    found = (value for key, value in named if str(key).lower() in keys)
    return {str(value).lower() for value in found if isinstance(value, str | int)}


def statements(error: BaseException) -> list[str]:
    """The sentences that one link says, each cut to a length that is quick to search."""
    sentences = dict.fromkeys(islice(_sentences(error), _MAX_STATEMENTS))
    return [text for text in (_own_words(sentence[:_MAX_CHARS]) for sentence in sentences) if text]


def _sentences(error: BaseException) -> Iterator[str]:
    # What is not a body repeats one that was read already, or is all there is.
    for value in (*bodies(error), _get(error, "message"), str(error)):
        for part in body_parts(value):
            if isinstance(part, str):
                yield part
                continue
            param, code = part.get("param"), str(part.get("code")).lower()
            if isinstance(param, str) and re.search(wordings.REFUSAL_CODE, code):
                yield f"unsupported parameter: {param}"


def bodies(error: BaseException) -> list[Any]:
    """Whatever may hold a parsed or unparsed body, as mappings and lists where it can be parsed."""
    response = _get(error, "response")
    held = [_get(error, "body"), _get(error, "error"), _get(error, "details"), *error.args]
    held.append(response if isinstance(response, Mapping) else _get(response, "text"))
    return [_parse(value) for value in held if value]


def _parse(value: Any) -> Any:
    if isinstance(value, bytes):
        value = value[:_MAX_JSON].decode(errors="replace")
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return json.loads(value[:_MAX_JSON])
    return value


def body_parts(value: Any, depth: int = 0) -> Iterator[str | Mapping[Any, Any]]:
    """Every mapping and text of a body, the outer before the inner, without what repeats the request."""
    value = _parse(value)
    if depth > _MAX_DEPTH:
        return
    inner: Iterable[Any] = ()
    match value:
        case str() if body := body_in(value):
            yield value[: value.find("{")]
            inner = [body]
        case str():
            yield value
        case Mapping():
            yield value
            place = _place(value)
            kept = (part for key, part in value.items() if str(key).lower() not in ECHOES)
            inner = kept if place is None else [place]
        case list() | tuple():
            inner = value
    for part in inner:
        yield from body_parts(part, depth + 1)


def _place(entry: Mapping[Any, Any]) -> str | None:
    """An entry of a schema's validation error as one sentence: `body.tools: Extra inputs are not permitted`."""
    loc, message = entry.get("loc"), entry.get("msg")
    if not isinstance(loc, list | tuple) or not isinstance(message, str):
        return None
    got = entry.get("input")
    word = f", got {got}" if isinstance(got, str) and got.isalpha() and len(got) < 16 else ""
    return f"{'.'.join(map(str, loc))}: {message}{word}"


def body_in(text: str) -> Mapping[Any, Any] | None:
    """The body that a text holds, as in `Error code: 400 - {'error': ...}`."""
    start = text.find("{")
    inner = _literal(text[start : text.rfind("}") + 1]) if start >= 0 else None
    if isinstance(inner, Mapping) and not _SAYING.isdisjoint(map(str, inner)):
        return inner
    return None


def _literal(text: str) -> Any:
    """A JSON or Python value: a client that puts its body into a message mostly puts its `repr` there."""
    if len(text) > _MAX_LITERAL:
        return None
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        # Python warns the user of a backslash that escapes nothing: it is doubled.
        return ast.literal_eval(re.sub(r"\\(.)", _doubled_backslash, text, flags=re.DOTALL))
    return None


def _doubled_backslash(found: re.Match[str]) -> str:
    return found[0] if found[1] in "\\'\"\nabfnrtvxuUN01234567" else f"\\{found[0]}"


def _get(holder: Any, name: str) -> Any:
    """An attribute, or `None`: the text of a streamed response that was never read raises an error of its own."""
    with suppress(Exception):
        return getattr(holder, name, None)
    return None


# A passage in quotation marks, with the word that introduces it. An apostrophe is inside a word.
_QUOTATION = re.compile(
    r"""(?:\b(\w{1,20})[\s:=(,"'`-]{0,4})?"""
    r"""(?<!\w)(?:"(?!\s)[^"{}\[\]]{25,}"|“[^”]{25,}”|`(?!\s)[^`]{25,}`"""
    r"""|'(?!\s)(?:[^"'{}\[\]]|(?<=\w)'(?=\w)){25,}'(?!\w))"""
)
_QUOTES_ITSELF = frozenset({
    "error", "message", "msg", "detail", "details", "template", "exception", "reason", "raw",
    "response", "cause", "said",
})  # fmt: skip
_ECHOED_VALUE = re.compile(r"input_value=.*?(?:, input_type=|$)", re.DOTALL)
# llama.cpp shows the template around the line that raised; its other lines raised nothing.
_TEMPLATE_SOURCE = re.compile(r" in source:.*?(?=\nError: |$)", re.DOTALL)


def _own_words(sentence: str) -> str:
    """A sentence without what it repeats of the request or of a template's source."""
    sentence = _ECHOED_VALUE.sub("", _TEMPLATE_SOURCE.sub("", sentence))
    return _QUOTATION.sub(_kept_quotation, sentence).strip()


def _kept_quotation(found: re.Match[str]) -> str:
    whole, introduction = found[0], (found[1] or "").lower()
    long = whole.count(" ") > 4
    return introduction if long and introduction not in _QUOTES_ITSELF else whole
