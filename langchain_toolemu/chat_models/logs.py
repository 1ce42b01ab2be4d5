"""The exact requests and the raw replies, as DEBUG shows them: no trace does, since a chat model's run has no children.

The rules here:

- Above DEBUG no line holds a word of a prompt or of a reply; nothing here is done, then.
- Keys and headers are redacted even here. Of an error only the class is said: its words may be anybody's.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration

from langchain_toolemu.tools.redaction import redacted
from langchain_toolemu.turn.turn_input import Request

_log = logging.getLogger("langchain_toolemu")

_FIELDS = (
    "id",
    "name",
    "tool_call_id",
    "status",
    "invalid_tool_calls",
    "additional_kwargs",
    "response_metadata",
    "usage_metadata",
)


@contextmanager
def logged(request: Request, model: str) -> Iterator[Callable[[ChatGeneration], None]]:
    """Log a request, then the pieces of its reply that are handed in, once it has ended or broken off."""
    if not _log.isEnabledFor(logging.DEBUG):
        yield _unheard
        return
    # Requests run side by side: by this a reply finds its own.
    mark = uuid4().hex[:8]
    _log.debug("request %s to %s: %s", mark, model, _request(request))
    pieces: list[ChatGeneration] = []
    ending = ""
    try:
        yield pieces.append
    except BaseException as error:
        ending = f", broken off by {type(error).__name__}"
        raise
    finally:
        _log.debug("reply %s%s: %s", mark, ending, _reply(pieces))


def _unheard(_piece: ChatGeneration) -> None:
    pass


def _request(request: Request) -> str:
    settings = {"stop": request.stop, **redacted(request.kwargs)}
    return "\n".join([repr(settings), *map(_message, request.messages)])


def _message(message: BaseMessage) -> str:
    return f"[{message.type}] {_fields(message) or ''}\n{message.content}"


def _reply(pieces: Sequence[ChatGeneration]) -> str:
    """The text as it came, under all else that its pieces carry; what repeats from piece to piece comes once."""
    carried: list[dict[str, Any]] = []
    for fields in map(_fields, (piece.message for piece in pieces)):
        if fields not in carried[-1:]:
            carried.append(fields)
    return f"{carried}\n{_text([piece.message.content for piece in pieces])}"


def _text(contents: Sequence[str | list[Any]]) -> str:
    words = [content for content in contents if isinstance(content, str)]
    return "".join(words) if len(words) == len(contents) else str(contents)


def _fields(message: BaseMessage) -> dict[str, Any]:
    """What a message carries besides its content. A chunk's calls are shown as they came, not as LangChain reads them."""
    calls = "tool_call_chunks" if isinstance(message, AIMessageChunk) else "tool_calls"
    held = {name: getattr(message, name, None) for name in (calls, *_FIELDS)}
    return {name: redacted(value) for name, value in held.items() if value}
