"""Errors as Anthropic writes them."""

from collections.abc import Mapping
from typing import Any

from langchain_toolemu.serve.faults import Fault

_TYPES: Mapping[int, str] = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def write_fault(fault: Fault) -> dict[str, Any]:
    """The body of an error response, and of the event that ends a stream."""
    return {"type": "error", "error": {"type": type_of(fault), "message": fault.message}}


def type_of(fault: Fault) -> str:
    """The word by which Anthropic sorts its errors."""
    other = "api_error" if fault.status >= 500 else "invalid_request_error"
    return _TYPES.get(fault.status, other)
