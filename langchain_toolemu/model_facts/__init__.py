"""Facts about a wrapped model: what a turn reads of them, and the lessons that it returns.

`turn` and `capability` share these values, and neither imports the other. What an error or a count of
tokens says of them, the modules here read: pure functions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_core.messages import BaseMessage

Axis: TypeAlias = Literal[
    "tools", "tool_choice", "response_format", "system_role", "later_system", "grammar",
    "parallel_tool_calls",
    "reasoning", "begun_thought", "call_ids", "paired_results", "result_pictures", "tool_names", "schema_keywords",
    "schema_unions", "streamed_calls", "call_extras", "call_signatures", "message_text", "message_order", "speaker_names", "strict",
    "stream_options", "text_blocks", "tool_descriptions", "followed_schema", "followed_json_mode",
]  # fmt: skip
"""What a provider can have or lack, each on its own: a model with tools may refuse a forced choice of one.

`"reasoning"` is that of past assistant messages: a provider may want it back, or refuse it. `"begun_thought"` is one that the
model's template begins in the prompt, so that a reply only ends it. Those after it are parts of a request's form: ids and names of
any kind, calls without their results, pictures in results, keywords and unions of schemas; calls that arrive whole in a stream; what a
provider sent next to past calls, and calls without a signature; messages without text, their order, the names of those who speak; and
schemas that must be followed to the letter; the count of a stream's tokens; texts in blocks; long descriptions of tools.

`"followed_schema"` and `"followed_json_mode"`: whether an answer has the form that it was asked for,
by a schema or in JSON mode, or the server took that and ignored it.

`"later_system"` is any system message but a first message; without `"system_role"` a server takes
none at all.

The weightiest first: an error that refuses several is taken to refuse that.
"""

Verdict: TypeAlias = Literal["native", "none", "unknown"]
Evidence: TypeAlias = Literal["observed", "claimed", "text"]
TokenCount: TypeAlias = Literal["dropped", "counted", "unclear"]

PastReasoning: TypeAlias = Literal["as_is", "leave_out", "send", "fill"]
"""How the reasoning of past assistant messages is sent: as the client does by itself; not at all; where there is any; in every
message, were it empty, because the server insists."""

# --- lessons ---

LessonCode: TypeAlias = Literal[
    "native_call", "demanded_call", "call_in_text", "choice_ignored", "check_found_call", "check_agreed", "denied_tools",
    "tools_dropped", "thought_begun", "no_thought_begun", "schema_ignored", "json_mode_ignored",
]  # fmt: skip
"""What a turn can find out about a model: it made a native call, or one that was demanded; it wrote a call as text; it
ignored a demand; emulation found a call that its reply lacks, or found none either; it denied having tools; its reply counts too few tokens to hold them; a reply ended a
thought that it did not begin, or should have ended one and did not; its answer lacks the form that the request demanded."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What a provider refuses or demands, by its own words, such as "gemma2 does not support tools"."""

    axis: Axis
    words: str
    lasting: bool = True  # else only in a request of this kind, such as a streamed one
    demanded: bool = False  # it is missing in the request, and not refused


@dataclass(frozen=True, slots=True)
class ParserFailure:
    """A server says that it could not parse its own model's output as tool calls, or its client could not read its calls."""

    server: str  # as its users call it
    notice: str = ""  # what its user is told, with what to change
    words: str = ""  # the model's own, if the error holds them
    is_call: bool = False  # whether it says that there was a call: then the words are no answer, and may be its arguments
    repeats: bool = False  # whether it would fail in the same way again
    is_no_answer: bool = False  # whether the words are no answer, even if they hold no call


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request was refused for its form, before anything came."""

    named: tuple[Axis, ...] = ()  # what the error may speak of
    names_tools: bool = False  # whether it speaks of tools, in any language
    too_many: bool = False  # whether it says that there are too many tools
    names_format: bool = False  # whether it speaks of the response format
    is_callers: bool = False  # whether it names what no form touches
    is_retried: bool = False  # whether clients repeat such a request by themselves


@dataclass(frozen=True, slots=True)
class OtherForm:
    """A request was refused as it was, and went well without these."""

    axes: tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class ToolsRefused:
    """Requests with these tools failed in every native form: they went well in text, or not at all."""

    tools: str  # what they are known by
    outcome: Literal["text", "nothing"]


@dataclass(frozen=True, slots=True)
class InputTokens:
    """How many input tokens a reply counted, and how many of them came from a cache, for these messages."""

    tokens: int
    cached: int
    messages: Sequence[BaseMessage]


@dataclass(frozen=True, slots=True)
class Notice:
    """What the user is told: a log line, a warning, or a warning that comes once for each model."""

    kind: Literal[
        "log", "warning", "prompt_truncated", "emulated", "parser_failed", "unknown_tool", "reask_failed",
    ]  # fmt: skip
    text: str = ""


Lesson: TypeAlias = LessonCode | Trouble | OtherForm | ToolsRefused | InputTokens | Notice
"""What a turn returns besides its chunks. Whoever runs it hands the lessons on, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What a turn reads about the wrapped model. It never changes: whoever learns something makes another."""

    verdict: Verdict  # on its native tools
    evidence: Evidence  # what that verdict rests on
    lacks: frozenset[Axis]  # what the model or its server has refused, or ignored a demand for
    refused_tools: Mapping[str, str]  # in every native form within the hour, and what came of it
    at_vendor: bool  # whether requests go to a vendor's own host
    past_reasoning: PastReasoning  # how it is to be sent
    knows_grammar: bool  # whether the server decodes under a grammar, and can be handed one
    wants_check: bool  # whether a native reply without a call is to be checked by emulation
    prompt_truncated: bool  # whether the server cuts off the beginning of long prompts
    read_window: int | None  # how many tokens it read of a request whose beginning it cut off

    def may_send(self, axis: Axis) -> bool:
        """False once the model or its server has refused it, or ignored a demand for a call."""
        return axis not in self.lacks
