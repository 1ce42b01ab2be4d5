"""What an error says of the request that it came for: which part of it is refused, and could be left out."""

from pydantic import ValidationError

from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.turn.order import Order
from langchain_toolemu.turn.requests import Under

_GRAMMAR_FIELDS = ("grammar", "structured_outputs", "extra_body")
"""What a grammar is handed over in: a server's fields, or a client's argument that takes them."""


def why_not_natively(error: Exception, refused: str | None, order: Order) -> str | None:
    """Why a native request is to be made in text, if an error says so.

    Args:
        error: What was raised.
        refused: What the provider refuses by it.
        order: What the request was made for.
    """
    concerned = order.tools or has_tool_history(order.messages)
    if concerned and refused in ("tools", "tool_choice"):
        return f"the provider refuses {refused.replace('_', ' ')}"
    if order.constraint and refused == "response_format":
        return "the provider refuses a response format"
    # OpenAI's client checks a native answer itself, and raises where the server minds no schema.
    misfit = order.form is not None and isinstance(error, ValidationError)
    return "the native answer does not have its form" if misfit else None


def is_about_constraint(error: Exception, refused: str | None, under: Under) -> bool:
    """Whether an error is about what the server was to decode under."""
    match under:
        case "nothing":
            return False
        case "grammar":
            return any(field in str(error).lower() for field in _GRAMMAR_FIELDS)
    return refused == "response_format" or _is_about_reply(error)


def _is_about_reply(error: Exception) -> bool:
    """Whether the request went well, and a client only judges the reply: OpenAI's does where a schema was sent."""
    return isinstance(error, ValidationError) or type(error).__name__ == "LengthFinishReasonError"
