"""ChatOpenAI as a gateway needs it: nothing that a client or a server says is lost on the way.

- Reasoning that a client's history holds is sent on, unless the turn has taken it out.
- The limit of a reply keeps the name under which it was asked for: many servers know only `max_tokens`.
- The body is sent as it is. OpenAI's client would walk through every message of it, which takes longer than all the rest of
  a turn; and check a reply by the form that it was to have, and raise for one that was cut off.
"""

from typing import Any

from langchain_core.language_models import LanguageModelInput
from typing_extensions import override

from langchain_toolemu.chat_models.reasoning_chat_openai import ReasoningChatOpenAI
from langchain_toolemu.messages.past_reasoning import reasoning_fields


class ForwardingChatOpenAI(ReasoningChatOpenAI):
    """ChatOpenAI that forwards what it does not know."""

    @override
    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        if "messages" not in payload:  # the Responses API
            return payload
        if "max_tokens" in kwargs:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        messages = self._convert_input(input_).to_messages()
        for message, written in zip(messages, payload["messages"], strict=False):
            written.update(reasoning_fields(message))
        return _raw_payload(payload)


# What OpenAI's client must see itself; all else is the body of the request.
_ARGUMENTS = frozenset({"model", "stream", "extra_headers", "extra_query", "extra_body", "timeout"})


def _raw_payload(payload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of OpenAI's client for a body that it does not look into."""
    seen = {name: payload[name] for name in _ARGUMENTS if name in payload}
    body = {name: payload[name] for name in payload if name not in _ARGUMENTS}
    return {**seen, "messages": [], "extra_body": {**body, **(payload.get("extra_body") or {})}}
