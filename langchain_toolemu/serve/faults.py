"""What a client is told when its request fails: one value, which each protocol writes.

- Status and message are the upstream's, if it gave any, without keys and quotations of the prompt.
- Of an unforeseen error a client is told only that there was one: its text may quote anybody.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import address_of, secrets_of
from langchain_toolemu.errors import ToolChoiceError, ToolSpecError
from langchain_toolemu.model_facts.error_text import is_too_long, links, message_of, status_of
from langchain_toolemu.model_facts.overflow import overflow_in
from langchain_toolemu.options import in_own_options

MOST_NAME = 256  # characters of a model's or a tool's name, which are repeated
CONTEXT_OVERFLOW = "context_length_exceeded"
# A line of a prompt with at least this length is removed from error messages.
_QUOTED_LINE = 24
_MOST_KIND = 60
# What client libraries raise when a connection ends too early.
_BROKEN = frozenset({
    "remoteprotocolerror", "readerror", "writeerror", "incompleteread", "connectionreseterror",
    "brokenpipeerror",
})  # fmt: skip
# Raised by a client library for a reply of an unknown form; their messages help nobody.
_UNREADABLE = (LookupError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Fault:
    """A request that failed: what went wrong, and what helps."""

    status: int
    message: str
    code: str | None = None  # for programs
    param: str | None = None  # the field of the request that is wrong
    retry_after: str | None = None  # in seconds
    worth_retrying: bool | None = None  # `None`: the client decides
    request_id: str | None = None  # for protocols whose error body names it
    excess: tuple[int, int] | None = None  # tokens of the request, and of the window it exceeds

    @property
    def is_overflow(self) -> bool:
        """Whether the request does not fit the model's window."""
        return self.code == CONTEXT_OVERFLOW

    def headers(self) -> dict[str, str]:
        """The headers that OpenAI's and Anthropic's clients read besides the body."""
        headers = {"retry-after": self.retry_after} if self.retry_after else {}
        if self.worth_retrying is not None:
            headers["x-should-retry"] = str(self.worth_retrying).lower()
        return headers


class RequestError(Exception):
    """Ends a request with a fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class UpstreamError(Exception):
    """The upstream answered with an error: its body, as JSON if it is that."""

    def __init__(self, body: Any, response: Any) -> None:
        super().__init__()
        self.body, self.response = body, response
        if isinstance(body, bytes):
            with suppress(ValueError, RecursionError):
                self.body = json.loads(body)


def unreadable(response: Any) -> RequestError:
    """The error of a reply that is not what the protocol says, such as a page for people."""
    kind = response.headers.get("content-type", "").partition(";")[0][:_MOST_KIND] or "of no type"
    problem = f"The upstream's reply cannot be read: {kind}, status {response.status_code}."
    advice = "Check the address of the model's server."
    return RequestError(Fault(502, f"{problem} {advice}", "upstream_error"))


def invalid(message: str, param: str | None = None, code: str = "invalid_value") -> RequestError:
    """The error of an invalid request; `param` is the field that is wrong."""
    return RequestError(Fault(400, message, code, param))


def too_many(what: str, most: int, flags: str, param: str | None = None) -> RequestError:
    """The error of a request with more messages or tools than the server takes."""
    problem = f"The request has more than {most:,} {what}, the most that this server takes"
    return invalid(f"{problem} ({flags}). Send fewer.", param, "too_many_items")


TOO_SLOW = Fault(
    504, "The turn took longer than --timeout. Shorten the task.", "timeout", worth_retrying=False
)
BROKEN_OFF = Fault(
    502, "The upstream's stream broke off without a finish reason. Try again.", "upstream_error"
)
INTERNAL = Fault(500, "The gateway failed. Its log names the error.", "internal_error")


def fault_of(
    error: BaseException, prompt: Iterable[str] = (), secrets: Iterable[str] = ()
) -> Fault:
    """What a client is told of an error that ended its turn: no key, and nothing of the prompt."""
    match error:
        case RequestError():
            return error.fault
        case ToolSpecError():
            message = in_own_options(str(error))
            param = "tool_choice" if message.startswith("tool_choice") else "tools"
            return Fault(400, message, "invalid_tools", param)
        case ToolChoiceError():
            message = in_own_options(_redact_prompt(str(error), prompt))
            return Fault(502, message, "tool_call_missing", worth_retrying=False)
    return _of_upstream(error, prompt, secrets)


def upstream_fault(error: Exception, prompt: Iterable[str], llm: BaseChatModel) -> Fault:
    """What a client is told of an upstream's error; one that is silent is named by its address."""
    fault, where = fault_of(error, prompt, secrets_of(llm)), address_of(llm)
    if fault.code not in ("upstream_timeout", "upstream_unreachable"):
        return fault
    moved = _moved_to(error, where)
    name = (
        f"server at {moved}, to which the upstream redirects," if moved else f"upstream at {where}"
    )
    return (
        replace(fault, message=fault.message.replace("upstream", name)) if moved or where else fault
    )


def _moved_to(error: BaseException, where: str) -> str | None:
    """Where a redirect led to, if that is another server than the one at this address."""
    for link in links(error):
        with suppress(AttributeError, RuntimeError):  # of httpx's errors, some have no request
            url = link.request.url  # type: ignore[attr-defined]
            moved = f"{url.scheme}://{url.netloc.decode()}"
            if not where.startswith(moved):
                return moved
    return None


def _of_upstream(error: BaseException, prompt: Iterable[str], secrets: Iterable[str]) -> Fault:
    status = status_of(error)
    kinds = [kind.__name__.lower() for link in links(error) for kind in type(link).__mro__]
    if status is None and any("timeout" in kind for kind in kinds):
        return Fault(504, "The upstream did not answer in time.", "upstream_timeout")
    if status is None and not _BROKEN.isdisjoint(kinds):
        return Fault(502, "The upstream broke off before its answer ended.", "upstream_error")
    if status is None and any("connect" in kind for kind in kinds):
        return Fault(502, "The upstream cannot be reached.", "upstream_unreachable")
    if status is None and isinstance(error, _UNREADABLE):
        return Fault(502, "The upstream's reply cannot be read.", "upstream_error")
    message = _redact_prompt(message_of(error, secrets), prompt)
    message = message or f"The upstream failed: {type(error).__name__}."
    body = _body(error)
    code, param = body.get("code"), body.get("param")
    if is_too_long(error):
        found = overflow_in(error)
        return Fault(400, message, CONTEXT_OVERFLOW, excess=found.excess if found else None)
    return Fault(
        status or 502,
        message,
        code if isinstance(code, str) and code else "upstream_error",
        param if isinstance(param, str) and param else None,
        _retry_after(error),
    )


def _body(error: BaseException) -> Mapping[str, Any]:
    bodies = (getattr(link, "body", None) for link in links(error))
    body = next((body for body in bodies if isinstance(body, Mapping)), {})
    inner = body.get("error")
    return inner if isinstance(inner, Mapping) else body


def _retry_after(error: BaseException) -> str | None:
    for link in links(error):
        with suppress(Exception):  # whatever a client keeps as its response
            if seconds := link.response.headers.get("retry-after"):  # type: ignore[attr-defined]
                return str(seconds)
    return None


def _redact_prompt(message: str, prompt: Iterable[str]) -> str:
    lines = (line.strip() for text in prompt for line in text.splitlines())
    for line in lines:
        if len(line) >= _QUOTED_LINE:
            message = message.replace(line, "…")
    return message
