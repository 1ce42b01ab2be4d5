"""The debug log, the address in the errors of a server that was not found, and the trace.

At DEBUG the log shows requests and replies without keys and headers, and one line for each turn, which quotes nothing.
What a turn did is entered in the tracer's own record of the run, as LangChain does with the usage.
"""

import logging
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from html import escape
from typing import Any, TypeAlias
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration
from langchain_core.tracers.base import AsyncBaseTracer, BaseTracer

from langchain_toolemu.capability import model_name_of
from langchain_toolemu.capability.endpoints import (
    Endpoint,
    address_of,
    client_kind,
    endpoint_of,
    provider_by_class,
)
from langchain_toolemu.chat_models.recording import TurnRecording, current_recording
from langchain_toolemu.options import redact
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Request

RunManager: TypeAlias = CallbackManagerForLLMRun | AsyncCallbackManagerForLLMRun

_log = logging.getLogger("langchain_toolemu")
# Where requests are added when they are sent, if somebody counts them.
sent_requests: ContextVar[list[Request] | None] = ContextVar("toolemu_sent_requests", default=None)

# By name: each client has classes of its own, and none need be installed.
_CONNECTION_ERRORS = frozenset({"APIConnectionError", "ConnectError", "ConnectTimeout", "ConnectionError"})  # fmt: skip
_NOT_FOUND = 404
_LOGGED_FIELDS = (
    "id", "name", "tool_call_id", "status", "invalid_tool_calls", "additional_kwargs",
    "response_metadata", "usage_metadata",
)  # fmt: skip
_TRACED_FIELDS = ("path", "requests", "reasks")


@contextmanager
def observe_request(
    llm: BaseChatModel, request: Request
) -> Iterator[Callable[[ChatGeneration], None]]:
    """Log and record a request and the pieces of its reply; add the address to an error that it may have caused."""
    if (sent := sent_requests.get()) is not None:
        sent.append(request)
    recording: TurnRecording | None = request.recording or current_recording.get()
    logs = is_debugged()
    pieces: deque[ChatGeneration] = deque(maxlen=None if logs else 1)
    # Requests run side by side: by this a reply finds its own.
    mark = uuid4().hex[:8] if logs else ""
    ending = ""
    if logs:
        name = model_name_of(llm) or type(llm).__name__
        _log.debug("request %s to %s: %s", mark, name, _request_text(request))
    try:
        with recording.request(llm, request) if recording else nullcontext() as recorded:

            def take(piece: ChatGeneration) -> None:
                pieces.append(piece)
                if recorded:
                    recorded.add(piece)

            yield take if recorded else pieces.append
    except BaseException as error:
        ending = f", broken off by {type(error).__name__}"
        if not pieces:  # else the server was there
            _add_address(error, llm)
        raise
    finally:
        if logs:
            _log.debug("reply %s%s: %s", mark, ending, _reply_text(pieces))


def is_debugged() -> bool:
    """Whether anybody reads the debug log."""
    return _log.isEnabledFor(logging.DEBUG)


def log_end(turn: Turn, endpoint: Endpoint, error: Exception | None = None) -> None:
    """Log a turn that has ended, if the debug log is read."""
    if is_debugged():
        _log.debug(turn.in_words(endpoint, error))


def _add_address(error: BaseException, llm: BaseChatModel) -> None:
    """Note on an error where its request went, if no server answered or nothing was found; before Python 3.11, log it."""
    if words := _advice(error, llm, address_of(llm)):
        if not hasattr(error, "add_note"):
            _log.warning("%s: %s", type(error).__name__, words)
        elif words not in getattr(error, "__notes__", ()):
            error.add_note(words)


def _advice(error: BaseException, llm: BaseChatModel, address: str) -> str:
    """What to change, if the error is about the request's address or one of its arguments."""
    where = f"The request went to {address} ({endpoint_of(llm).class_name})."
    if hasattr(llm, "extra_body") and "create() got an unexpected keyword" in str(error):
        return "Pass a field of the server's own in extra_body={...}."
    if address and getattr(error, "status_code", None) == _NOT_FOUND:
        return f"{where} {advice_on_404(llm)}"
    if address and any(kind.__name__ in _CONNECTION_ERRORS for kind in type(error).__mro__):
        is_url = address.startswith(("http://", "https://"))
        fix = "Is its server running?" if is_url else "Begin it with http:// or https://."
        return f"{where} {fix}"
    return ""


def advice_on_404(llm: BaseChatModel) -> str:
    """What to change where a server knows no such address, or no such model."""
    address = address_of(llm)
    if "/openai/deployments/" in address:  # Azure: an old api_version knows no such path either
        return f"Check the deployment's name, {address.rpartition('/')[2]!r}, and api_version."
    listed = " (`ollama list`)" if client_kind(llm) == "ollama" else ""
    name = f"Check the model's name, {model_name_of(llm)!r}{listed}"
    no_version = client_kind(llm) == "ollama" or provider_by_class(llm) == "anthropic"
    surplus = "/v1" if no_version else "/(?:chat/completions|responses|completions)"
    if found := re.search(rf"{surplus}\Z", address):
        return f"{name}, and leave out {found[0]} at the end of the address."
    if no_version or re.search(r"/v\d\w*(?:/|\Z)", address):
        return f"{name}."
    return f"{name}, and end the address in /v1, as most servers have it: {address}/v1."


def _request_text(request: Request) -> str:
    settings = {"stop": request.stop, **redact(request.kwargs)}
    messages = (f"[{sent.type}] {_fields(sent) or ''}\n{sent.content}" for sent in request.messages)
    return "\n".join([repr(settings), *messages])


def _reply_text(pieces: Sequence[ChatGeneration]) -> str:
    """The text, below all else that its pieces carry; what repeats from piece to piece is shown once."""
    carried: list[dict[str, Any]] = []
    for fields in (_fields(piece.message) for piece in pieces):
        if fields not in carried[-1:]:
            carried.append(fields)
    contents = [piece.message.content for piece in pieces]
    words = [content for content in contents if isinstance(content, str)]
    return f"{carried}\n{''.join(words) if len(words) == len(contents) else contents}"


def _fields(message: BaseMessage) -> dict[str, Any]:
    """What a message carries besides its content. A chunk's calls are shown as they came, not as LangChain reads them."""
    calls = "tool_call_chunks" if isinstance(message, AIMessageChunk) else "tool_calls"
    held = {name: getattr(message, name, None) for name in (calls, *_LOGGED_FIELDS)}
    return {name: redact(value) for name, value in held.items() if value}


@contextmanager
def traced_failure(run_manager: RunManager | None) -> Iterator[None]:
    """If an error ends the turn, enter what it reports in every trace of the run."""
    try:
        yield
    except Exception as error:
        trace_report(run_manager, getattr(error, "toolemu_report", None))
        raise


def trace_report(run_manager: RunManager | None, report: Mapping[str, Any] | None) -> None:
    """Enter what a turn reports in every trace of the run; in mode off there is no report."""
    if not report or not run_manager:
        return
    for handler in run_manager.handlers:
        if isinstance(handler, BaseTracer | AsyncBaseTracer):
            run = handler.run_map.get(str(run_manager.run_id))
            if run is not None:
                traced = {f"toolemu_{name}": report[name] for name in _TRACED_FIELDS}
                # A new dict: tracers share the one that the run started with.
                run.extra["metadata"] = {**run.metadata, **traced}


def html_table(title: str, rows: Mapping[str, str]) -> str:
    """How a notebook shows a model: a heading, and a row for each value that is not empty."""
    lines = (
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in rows.items()
        if value
    )
    return f"<table><caption><b>{escape(title)}</b></caption>{''.join(lines)}</table>"
