"""The metadata of a turn's replies: tokens, finish reason, summed over all requests.

Only the last chunk of a stream carries it: LangChain concatenates strings when it merges chunks, which would give a
`finish_reason` of "stoptool_calls".
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration

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


def _merge(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of two pieces, merged as LangChain merges chunks."""
    new = {key: value for key, value in second.items() if key not in _FORMAT or key not in first}
    if first.keys().isdisjoint(new):
        return {**first, **new}
    merged = AIMessageChunk(content="", response_metadata=dict(first)) + AIMessageChunk(
        content="", response_metadata=new
    )
    return merged.response_metadata


# These two merge with themselves without harm, and LangChain needs them on each chunk to know its format.
_FORMAT = ("model_provider", "output_version")

CUT_WORDS = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
DECLINED_WORDS = frozenset({"content_filter", "safety", "refusal"})
_CALL_WORDS = ("tool_calls", "tool_use", "function_call")
_MALFORMED_WORDS = ("malformed_function_call", "malformed_tool_call", "unexpected_tool_call")
FINISH_KEYS = ("finish_reason", "stop_reason", "done_reason")

_NOTHING: dict[str, Any] = {}  # never changed


class TurnMetadata(NamedTuple):
    """The metadata of one turn's replies: a value that each piece replaces."""

    requests: int = 0
    usage: UsageMetadata | None = None  # of all requests
    # Of this reply.
    received: bool = False  # whether anything came, even an empty piece
    refused: bool = False
    called_natively: bool = False
    last_usage: UsageMetadata | None = None
    response_metadata: dict[str, Any] = _NOTHING
    generation_info: dict[str, Any] = _NOTHING

    def open_reply(self) -> "TurnMetadata":
        """The reply to a new request begins: its metadata replaces the last one's, its usage is added."""
        return TurnMetadata(self.requests + 1, self.usage)

    def note(self, generation: ChatGeneration, *, native: bool) -> "TurnMetadata":
        """With the metadata of one piece of a reply."""
        message, used = generation.message, usage_of(generation.message)
        new, info = message.response_metadata, generation.generation_info
        calls = self.called_natively or (
            native and bool(getattr(message, "tool_call_chunks", None))
        )
        refused = self.refused or _is_refusal(message)
        changes = (calls, refused) != (self.called_natively, self.refused)
        if self.received and not (new or info or used or changes):
            return self
        metadata = _merge(self.response_metadata, new)
        if new and not (native or is_standard(message)):
            # The wrapped model's blocks lack the calls: LangChain must make them anew.
            metadata.pop("output_version", None)
        return TurnMetadata(
            self.requests,
            add_usage(self.usage, used),
            received=True,
            refused=refused,
            called_natively=calls,
            last_usage=add_usage(self.last_usage, used),
            response_metadata=metadata,
            generation_info=_merge(self.generation_info, info or {}),
        )

    @property
    def ends(self) -> set[str]:
        """Why the reply ended, in the provider's words; some clients give them as members of an enum."""
        metadata = {**self.generation_info, **self.response_metadata}
        reason = (metadata.get("incomplete_details") or {}).get("reason")
        ends = (*map(metadata.get, FINISH_KEYS), reason)
        return {end if isinstance(end, str) else str(end) for end in ends if end}

    @property
    def cut(self) -> bool:
        """Whether the reply ended by the length limit."""
        return not CUT_WORDS.isdisjoint(map(str.lower, self.ends))

    @property
    def declined(self) -> bool:
        """Whether the provider reports a refusal or a content filter, which is respected."""
        return self.refused or not DECLINED_WORDS.isdisjoint(map(str.lower, self.ends))

    @property
    def claims_call(self) -> bool:
        """Whether the finish reason claims a call."""
        return not self.ends.isdisjoint(_CALL_WORDS)

    @property
    def malformed_call(self) -> bool:
        """Whether the finish reason says that the model's call could not be read: Gemini's, of which nothing else comes."""
        return any(word in end.lower() for end in self.ends for word in _MALFORMED_WORDS)

    def closing(
        self, *, called: bool, left_out: bool = False
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The metadata of the message and of the generation around it: those of a call, or of an answer if all calls were `left_out`."""
        metadata, info = self.with_summed_usage(self.response_metadata), dict(self.generation_info)
        if left_out:
            return _ended_as_answer(metadata), _ended_as_answer(info)
        if called and not self.called_natively:
            metadata |= _call_ending(metadata) or {"finish_reason": "tool_calls"}
            info |= _call_ending(info)
        return metadata, info

    def with_summed_usage(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """A reply's metadata, with OpenAI's `token_usage` summed over the turn."""
        if self.requests == 1 or self.usage is None or "token_usage" not in metadata:
            return dict(metadata)
        tokens = {
            "prompt_tokens": self.usage["input_tokens"],
            "completion_tokens": self.usage["output_tokens"],
            "total_tokens": self.usage["total_tokens"],
        }
        return {**metadata, "token_usage": tokens}


def format_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata for every chunk of a stream: the format of its content."""
    return {key: metadata[key] for key in _FORMAT if key in metadata}


def _is_refusal(message: BaseMessage) -> bool:
    """Whether the provider marks words as a refusal: in a field of their own, or as a block of that type."""
    if message.additional_kwargs.get("refusal"):
        return True
    if isinstance(message.content, str):
        return False
    blocks = (block for block in message.content if isinstance(block, dict))
    return any(block.get("type") == "refusal" for block in blocks)


def _ended_as_answer(metadata: Mapping[str, Any]) -> dict[str, Any]:
    words = {"tool_use": "end_turn", "tool_calls": "stop", "function_call": "stop"}
    ends = {key: words.get(metadata[key], metadata[key]) for key in FINISH_KEYS if key in metadata}
    return {**metadata, **ends}


def _call_ending(metadata: Mapping[str, Any]) -> dict[str, str]:
    """The finish reason of a reply with calls, in the wrapped model's own term."""
    if "stop_reason" in metadata:
        return {"stop_reason": "tool_use"}
    return {"finish_reason": "tool_calls"} if "finish_reason" in metadata else {}
