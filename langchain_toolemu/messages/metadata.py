"""The metadata of a turn's replies: tokens, finish reason, summed over all requests.

Only the last chunk of a stream carries it: LangChain concatenates strings when it merges chunks, which would give a
`finish_reason` of "stoptool_calls".
"""

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration
from langchain_core.utils._merge import merge_dicts

from langchain_toolemu.messages.content import is_standard

_COUNTS = ("input_tokens", "output_tokens", "total_tokens")
_COST = "total_cost"


def usage_of(message: BaseMessage) -> UsageMetadata | None:
    """The usage that a message reports; `None` if it is missing or incomplete."""
    usage: UsageMetadata | None = getattr(message, "usage_metadata", None)
    return usage if usage and all(count in usage for count in _COUNTS) else None


def add_usage(first: UsageMetadata | None, second: UsageMetadata | None) -> UsageMetadata | None:
    """The sum of two usages. A cost that only one of them has is dropped."""
    if first is None or second is None:
        return first or second
    known = first.keys() & second.keys()
    both = _sum(first, second)
    return cast("UsageMetadata", {key: both[key] for key in both if key != _COST or key in known})


def _sum(first: Any, second: Any) -> Any:
    """The sum of counts, nested ones too; of what cannot be added, the later."""
    match first, second:
        case Mapping(), Mapping():
            keys = dict.fromkeys((*first, *second))
            return {key: _sum(first.get(key), second.get(key)) for key in keys}
        case None, _:
            return second
        case _, None:
            return first
        case int() | float(), int() | float():
            return first + second
    return second


# These two merge with themselves without harm, and LangChain needs them on each chunk to know its format.
_FORMAT = ("model_provider", "output_version")

CUT_WORDS = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
DECLINED_WORDS = frozenset({"content_filter", "safety", "refusal"})
_CALL_WORDS = ("tool_calls", "tool_use", "function_call")
_MALFORMED_WORDS = ("malformed_function_call", "malformed_tool_call", "unexpected_tool_call")
FINISH_KEYS = ("finish_reason", "stop_reason", "done_reason")


class TurnMetadata:
    """The metadata of one turn's replies."""

    def __init__(self) -> None:
        self.requests = 0
        self.received = False  # whether anything came of this reply, even an empty piece
        self._refused = False
        self._called_natively = False
        self.usage: UsageMetadata | None = None  # of all requests
        self.last_usage: UsageMetadata | None = None
        self.response_metadata: dict[str, Any] = {}
        self.generation_info: dict[str, Any] = {}

    def open_reply(self) -> None:
        """Begin the reply to a new request: its metadata replaces the last one's, its usage is added."""
        self.requests += 1
        self.received = self._refused = self._called_natively = False
        self.response_metadata = {}
        self.generation_info = {}
        self.last_usage = None

    def restore(self, metadata: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        """Use an earlier reply's metadata; the usage stays that of all requests."""
        self.response_metadata, self.generation_info = dict(metadata), dict(info)

    def note(self, generation: ChatGeneration, *, native: bool) -> None:
        """Record the metadata of one piece of a reply."""
        message = generation.message
        self.received = True
        # Words that the provider marks as a refusal: in a field of their own, or as a block of that type.
        self._refused |= bool(message.additional_kwargs.get("refusal"))
        if isinstance(message.content, list):
            blocks = [block for block in message.content if isinstance(block, dict)]
            self._refused |= any(block.get("type") == "refusal" for block in blocks)
        self._called_natively |= native and bool(getattr(message, "tool_call_chunks", None))
        if generation.generation_info:
            self.generation_info = merge_dicts(self.generation_info, generation.generation_info)
        if message.response_metadata:
            self.response_metadata = merge_dicts(self.response_metadata, message.response_metadata)
            if not (native or is_standard(message)):
                # The wrapped model's blocks lack the calls: LangChain must make them anew.
                self.response_metadata.pop("output_version", None)
        used = usage_of(message)
        self.usage = add_usage(self.usage, used)
        self.last_usage = add_usage(self.last_usage, used)

    @property
    def cut(self) -> bool:
        """Whether the reply ended by the length limit."""
        return self._ended_by(CUT_WORDS)

    @property
    def declined(self) -> bool:
        """Whether the provider reports a refusal or a content filter, which is respected."""
        return self._refused or self._ended_by(DECLINED_WORDS)

    def _ended_by(self, words: frozenset[str]) -> bool:
        said = {**self.generation_info, **self.response_metadata}
        reason = (said.get("incomplete_details") or {}).get("reason")
        ends = (*map(said.get, FINISH_KEYS), reason)
        return any(isinstance(end, str) and end.lower() in words for end in ends)

    @property
    def claims_call(self) -> bool:
        """Whether the finish reason claims a call."""
        said = {**self.generation_info, **self.response_metadata}
        return any(said.get(key) in _CALL_WORDS for key in FINISH_KEYS)

    @property
    def malformed_call(self) -> bool:
        """Whether the finish reason says that the model's call could not be read: Gemini's, of which nothing else comes."""
        said = {**self.generation_info, **self.response_metadata}
        ends = (str(said.get(key) or "").lower() for key in FINISH_KEYS)
        return any(word in end for end in ends for word in _MALFORMED_WORDS)

    def format(self) -> dict[str, Any]:
        """The metadata for every chunk of a stream: the format of its content."""
        said = self.response_metadata
        return {key: said[key] for key in _FORMAT if key in said}

    def closing_metadata(self, *, called: bool, left_out: bool = False) -> dict[str, Any]:
        """The metadata of the message, with the finish reason of a call, or of an answer if all calls were `left_out`."""
        metadata = self.with_summed_usage(self.response_metadata)
        if left_out:
            return _ended_as_answer(metadata)
        if not called or self._called_natively:
            return metadata
        return {**metadata, **(_call_ending(metadata) or {"finish_reason": "tool_calls"})}

    def closing_info(self, *, called: bool, left_out: bool = False) -> dict[str, Any]:
        """The same for the generation around the message."""
        info = self.generation_info
        if left_out:
            return _ended_as_answer(info)
        ending = _call_ending(info) if called and not self._called_natively else {}
        return {**info, **ending}

    def with_summed_usage(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """A reply's metadata, with OpenAI's `token_usage` summed over the turn."""
        if self.requests == 1 or self.usage is None or "token_usage" not in said:
            return dict(said)
        tokens = {
            "prompt_tokens": self.usage["input_tokens"],
            "completion_tokens": self.usage["output_tokens"],
            "total_tokens": self.usage["total_tokens"],
        }
        return {**said, "token_usage": tokens}


def _ended_as_answer(said: Mapping[str, Any]) -> dict[str, Any]:
    words = {"tool_use": "end_turn", "tool_calls": "stop", "function_call": "stop"}
    ends = {key: words.get(said[key], said[key]) for key in FINISH_KEYS if key in said}
    return {**said, **ends}


def _call_ending(said: Mapping[str, Any]) -> dict[str, str]:
    """The finish reason of a reply with calls, in the wrapped model's own term."""
    if "stop_reason" in said:
        return {"stop_reason": "tool_use"}
    return {"finish_reason": "tool_calls"} if "finish_reason" in said else {}
