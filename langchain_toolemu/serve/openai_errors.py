"""Errors as OpenAI writes them, in both of its protocols."""

from typing import Any

from langchain_toolemu.serve.faults import Fault


def write_fault(fault: Fault) -> dict[str, Any]:
    """The body of an error response."""
    return {"error": write_error(fault)}


def write_error(fault: Fault) -> dict[str, Any]:
    """The error itself."""
    return {
        "message": fault.message,
        "type": type_of(fault),
        "param": fault.param,
        "code": fault.code,
    }


def type_of(fault: Fault) -> str:
    """The word by which OpenAI sorts its errors: a wrong key and an unknown model are invalid requests, too."""
    if fault.status >= 500:
        return "server_error"
    return "rate_limit_error" if fault.status == 429 else "invalid_request_error"
