"""What a message amounts to: its calls, the report of its turn, and all that makes two messages the same."""

from typing import Any

from langchain_toolemu.capability import forget
from tests.ways import WAYS, ask


def calls(message: Any) -> list[tuple[str, dict[str, Any]]]:
    """The calls without their ids, which are unique."""
    return [(call["name"], call["args"]) for call in message.tool_calls]


def report(message: Any) -> dict[str, Any]:
    """What was done to get the message."""
    return message.response_metadata["toolemu"]


def essence(message: Any) -> dict[str, Any]:
    """What a message says, without ids and without what only one of a provider's two APIs reports."""
    return {
        "content": message.content,
        "calls": calls(message),
        "invalid": [
            (call["name"], call["args"], call["error"]) for call in message.invalid_tool_calls
        ],
        "usage": message.usage_metadata,
        "finish": message.response_metadata.get("finish_reason"),
        "toolemu": message.response_metadata.get("toolemu"),
        "additional": {key: value for key, value in message.additional_kwargs.items() if value},
    }


def four_ways(model: Any, messages: Any) -> dict[str, Any]:
    """What invoke, ainvoke, stream and astream give, each as a message or as the error it raised.

    What one of them learns of the model is forgotten before the next: each is the first turn.
    """
    return {way: _outcome(model, messages, way) for way in WAYS}


def _outcome(model: Any, messages: Any, way: str) -> Any:
    forget()
    try:
        return essence(ask(model, messages, way))
    except Exception as error:  # noqa: BLE001 - an error is an outcome too, and must be the same four times
        return f"{type(error).__name__}: {error}"
