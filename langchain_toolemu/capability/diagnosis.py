"""Errors that say "not supported here", told apart from every other error.

A timeout, a rate limit or a refused key is never evidence, whatever words come with it. Status 500 and 501 are
evidence only by their words: llama-server refuses tools with 500.
"""

import re
from collections.abc import Collection, Iterator
from typing import get_args

from langchain_toolemu.capability.refusal_patterns import (
    NARROWED_AFTER,
    NARROWED_BEFORE,
    WORDINGS,
    Wording,
    folded,
)
from langchain_toolemu.capability.statements import codes, links, statements, statuses
from langchain_toolemu.model_facts import Axis, Trouble

_NEVER_EVIDENCE = frozenset({401, 402, 403, 407, 408, 409, 425, 429, *range(502, 600)})
_NEVER_KINDS = (
    "timeout",
    "connect",
    "ratelimit",
    "authentication",
    "permission",
    "contextoverflow",
    "contextwindow",
    "contentpolicy",
    "cancel",
)
_OTHER_CODES = frozenset(
    {
        "tool_use_failed",
        "context_length_exceeded",
        "rate_limit_exceeded",
        "insufficient_quota",
        "invalid_api_key",
        "content_filter",
        "content_policy_violation",
        "invalid_prompt",
        "string_above_max_length",
        "array_above_max_length",
        "invalid_function_parameters",
        "rate_limit_error",
        "authentication_error",
        "permission_error",
        "overloaded_error",
    }
)
_OTHER_MATTERS = (
    "invalid schema",
    "schema contains features",
    "reasoning_content",
    "context length",
    "content filter",
)
_MAX_WORDS = 300
# What our additions have nothing to do with.
_CALLERS_MATTER = re.compile(
    r"context (?:length|size|window)|too (?:long|large|many tokens)|maximum (?:context|length|number)|max_tokens|token limit"
    r"|api key|credential|unauthori[sz]ed|permission|quota|billing|credit|rate limit"
    r"|content (?:policy|filter|management)|safety|moderation|flagged"
    r"|model\b.{0,60}(?:not found|not exist|unknown|invalid|no longer|deprecated|not available)|(?:unknown|invalid|no such) model"
)


def diagnose(error: BaseException, *, added: Collection[str] = ()) -> Trouble | None:
    """What an error says is unsupported; `None` if it speaks of anything else.

    Args:
        error: What was raised.
        added: What the request holds that the caller did not ask for. An error about one schema or about the order of
            messages is the caller's, unless that was added.

    Example:
        ```python
        trouble = diagnose(error)
        if trouble and trouble.axis == "tools":
            ...
        ```
    """
    if isinstance(error, NotImplementedError):
        return _not_implemented(error)
    chain = links(error)
    if any(_is_another_matter(link) for link in chain):
        return None
    said = [text for link in chain for text in statements(link)]
    found = list(_troubles(said, added))
    # Strongest first, in this order: a text that refuses tools often names tool_choice, too. What was
    # added comes before that: a server without guided decoding refuses schemas and grammars in one sentence.
    axes = sorted(get_args(Axis), key=lambda axis: axis not in added)
    return next((one for axis in axes for one in found if one.axis == axis), None)


def is_bad_request(error: BaseException) -> bool:
    """Whether an error is a 400 or 422 that is not about the key, the rate, the length, the content or the model.

    Example:
        ```python
        is_bad_request(error)  # True for "Error code: 400 - {'error': {'message': 'Bad Request'}}"
        ```
    """
    chain = links(error)
    if not any(statuses(link) & {400, 422} for link in chain):
        return False
    if any(_is_another_matter(link) for link in chain):
        return False
    said = " ".join(folded(text) for link in chain for text in statements(link))
    return not _CALLERS_MATTER.search(said)


def _not_implemented(error: NotImplementedError) -> Trouble | None:
    """A chat model class without tools; one that lacks something else mostly says what."""
    words = str(error)
    if words and not any(word in words.lower() for word in ("tool", "function")):
        return None
    return Trouble("tools", words or "NotImplementedError")


def _is_another_matter(link: BaseException) -> bool:
    kinds = [kind.__name__.lower() for kind in type(link).__mro__]
    if any(word in kind for kind in kinds for word in _NEVER_KINDS):
        return True
    return not (_NEVER_EVIDENCE.isdisjoint(statuses(link)) and _OTHER_CODES.isdisjoint(codes(link)))


def _troubles(said: list[str], added: Collection[str]) -> Iterator[Trouble]:
    for words in said:
        text = folded(words)
        other = any(matter in text for matter in _OTHER_MATTERS)
        for wording in WORDINGS:
            counts = wording.axis in added if wording.only_ours else not other
            if counts and (found := _trouble(wording, text, words)):
                yield found


def _trouble(wording: Wording, text: str, words: str) -> Trouble | None:
    found = wording.pattern.search(text)
    if found is None:
        return None
    before = text[: found.start() + len(found.groupdict().get("opening") or "")]
    narrowed = NARROWED_BEFORE.search(before[-60:]) or NARROWED_AFTER.match(text[found.end() :])
    return Trouble(wording.axis, words[:_MAX_WORDS], lasting=wording.lasting and not narrowed)
