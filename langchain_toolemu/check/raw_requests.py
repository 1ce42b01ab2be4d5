"""Sends bodies as they are, by a chat model's own client: what a server refuses is its error, not ours."""

from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import model_name_of
from langchain_toolemu.check.named_model import CheckError, explain_request_error
from langchain_toolemu.model_facts.refused_forms import refusal_of


class RefusedBodyError(Exception):
    """An error that came with a good status."""

    def __init__(self, body: Any) -> None:
        super().__init__(str(body))
        self.body, self.status_code = body, 400


def raw_sender(llm: BaseChatModel, seconds: float) -> Callable[[dict[str, Any]], Exception | None]:
    """What sends a body to a chat model's server in OpenAI's protocol, and returns its refusal, if it refuses."""
    client = getattr(llm, "root_client", None)
    if client is None:
        raise CheckError(
            "A request can be shrunk for servers in OpenAI's protocol: pass --model openai:NAME and --base-url."
        )
    name = model_name_of(llm)

    def send(body: dict[str, Any]) -> Exception | None:
        options = {"timeout": seconds}
        try:
            answer = client.post(
                "/chat/completions", body={**body, "model": name}, cast_to=object, options=options
            )
        except Exception as error:
            if _is_refusal(error):
                return error
            raise CheckError(explain_request_error(error, llm)) from error
        failed = isinstance(answer, dict) and answer.get("error")
        return RefusedBodyError(answer["error"]) if failed else None

    return send


def _is_refusal(error: Exception) -> bool:
    """Whether a server refused the request, and not who sent it; one that fails at it may refuse it in its own way."""
    return refusal_of(error) is not None or getattr(error, "status_code", 0) in (404, 413, 500)
