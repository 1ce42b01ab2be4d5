"""Errors that say "no tools here", told apart from every other error.

What an error says is taken from its body and its response, not from `str(error)` alone: several providers'
bodies leave only "Error code: 400" there. No HTTP client's classes are named, since openai speaks httpx or
httpx2 by version; and a timeout, a rate limit or a refused key is never evidence.
"""

import json
import re
from contextlib import suppress
from typing import Any

# Each wording with the server it was seen from.
_WORDINGS = re.compile(
    r"does not support tools"  # Ollama
    r"|requires --enable-auto-tool-choice"  # vLLM
    r"|tools? param requires --jinja"  # llama-server
    r"|unsupported param: tools",  # llama-server, older
    re.IGNORECASE,
)

_NEVER_EVIDENCE = frozenset({401, 403, 407, 408, 409, 425, 429, 502, 503, 504})


def says_unsupported(error: BaseException) -> bool:
    """Whether an error says that the model or its server takes no tools."""
    if isinstance(error, NotImplementedError):
        return True
    if _status(error) in _NEVER_EVIDENCE:
        return False
    return any(_WORDINGS.search(text) for text in _texts(error))


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _texts(error: BaseException) -> list[str]:
    said: list[Any] = [str(error), getattr(error, "body", None), getattr(error, "error", None)]
    # The text of a streamed response that was never read raises its HTTP client's own error.
    with suppress(Exception):
        said.append(getattr(getattr(error, "response", None), "text", None))
    return [
        text if isinstance(text, str) else json.dumps(text, default=str) for text in said if text
    ]
