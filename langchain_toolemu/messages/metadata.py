"""What a turn's replies say about themselves: metadata, usage, how they ended. Added up over all requests.

A message carries its metadata once. In a stream that is on the last chunk: LangChain concatenates strings
when it merges chunks, and two halves would make a `finish_reason` of "stoptool_calls".
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration
from langchain_core.utils._merge import merge_dicts

from langchain_toolemu.messages.content import block_types, is_standard
from langchain_toolemu.messages.usage import summed, usage_of

# These two merge with themselves without harm, and LangChain needs them on each chunk to know its format.
_FORMAT = ("model_provider", "output_version")

CUT_WORDS = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
DECLINED_WORDS = frozenset({"content_filter", "safety", "refusal"})
_CALL_WORDS = ("tool_calls", "tool_use", "function_call")
FINISH_KEYS = ("finish_reason", "stop_reason", "done_reason")


class TurnMetadata:
    """What one turn's replies say about themselves.

    Attributes:
        requests: How many were sent.
        received: Whether anything of this reply came, were it an empty piece.
        usage: The tokens of all requests.
        last_usage: The tokens of the last request.
        response_metadata: The metadata of the last reply.
        generation_info: The same of the generation around it.
    """

    def __init__(self) -> None:
        self.requests = 0
        self.received = False
        self._refused = False
        self._called_natively = False
        self.usage: UsageMetadata | None = None
        self.last_usage: UsageMetadata | None = None
        self.response_metadata: dict[str, Any] = {}
        self.generation_info: dict[str, Any] = {}

    def open_reply(self) -> None:
        """Start on a new request's reply: its metadata replaces the last one's, its usage is added."""
        self.requests += 1
        self.received = self._refused = self._called_natively = False
        self.response_metadata = {}
        self.generation_info = {}
        self.last_usage = None

    def restore(self, metadata: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        """An earlier reply is the answer after all; the usage stays that of all requests."""
        self.response_metadata, self.generation_info = dict(metadata), dict(info)

    def note(self, generation: ChatGeneration, *, native: bool) -> None:
        """Enter what one piece of a reply says about the reply."""
        message = generation.message
        self.received = True
        self._refused |= _holds_refusal(message)
        self._called_natively |= native and bool(getattr(message, "tool_call_chunks", None))
        if generation.generation_info:
            self.generation_info = merge_dicts(self.generation_info, generation.generation_info)
        if message.response_metadata:
            self.response_metadata = merge_dicts(self.response_metadata, message.response_metadata)
            if not (native or is_standard(message)):
                # The wrapped model's blocks lack the calls: LangChain must make them anew.
                self.response_metadata.pop("output_version", None)
        used = usage_of(message)
        self.usage = summed(self.usage, used)
        self.last_usage = summed(self.last_usage, used)

    @property
    def cut(self) -> bool:
        """Whether the reply ended by the length limit."""
        return self._ended_by(CUT_WORDS)

    @property
    def declined(self) -> bool:
        """Whether the provider says that it or its model declined on principle, which is respected."""
        return self._refused or self._ended_by(DECLINED_WORDS)

    def _ended_by(self, words: frozenset[str]) -> bool:
        said = {**self.generation_info, **self.response_metadata}
        ends = [said.get(key) for key in FINISH_KEYS]
        ends.append((said.get("incomplete_details") or {}).get("reason"))
        return any(isinstance(end, str) and end.lower() in words for end in ends)

    @property
    def claims_call(self) -> bool:
        """Whether the reply ended as replies with calls do."""
        said = {**self.generation_info, **self.response_metadata}
        return any(said.get(key) in _CALL_WORDS for key in FINISH_KEYS)

    def format(self) -> dict[str, Any]:
        """The part of the metadata that goes on each chunk of a stream: how its content is to be read."""
        return {
            key: self.response_metadata[key] for key in _FORMAT if key in self.response_metadata
        }

    def closing_metadata(self, *, called: bool) -> dict[str, Any]:
        """The reply's metadata as the message carries it, ended as a native call ends; one that is native says how."""
        read = called and not self._called_natively
        return _ended(self.with_summed_usage(self.response_metadata), called=read, always=True)

    def closing_info(self, *, called: bool) -> dict[str, Any]:
        """The same for the generation around the message."""
        read = called and not self._called_natively
        return _ended(self.generation_info, called=read, always=False)

    def with_summed_usage(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """What a reply says, with OpenAI's own account of its tokens made that of the whole turn."""
        if self.requests == 1 or self.usage is None or "token_usage" not in said:
            return dict(said)
        tokens = {
            "prompt_tokens": self.usage["input_tokens"],
            "completion_tokens": self.usage["output_tokens"],
            "total_tokens": self.usage["total_tokens"],
        }
        return {**said, "token_usage": tokens}


def _holds_refusal(message: BaseMessage) -> bool:
    """Whether a provider marked words as a refusal: in a field of their own, or as a block of that type."""
    return bool(message.additional_kwargs.get("refusal")) or "refusal" in block_types(
        message.content
    )


def _ended(said: Mapping[str, Any], *, called: bool, always: bool) -> dict[str, Any]:
    if not called:
        return dict(said)
    if "stop_reason" in said:
        return {**said, "stop_reason": "tool_use"}
    if always or "finish_reason" in said:
        return {**said, "finish_reason": "tool_calls"}
    return dict(said)
