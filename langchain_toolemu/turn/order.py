"""What a turn is given, and what it sends: the caller's order, the wrapper's settings, a request."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias

from langchain_core.messages import BaseMessage
from typing_extensions import Self

from langchain_toolemu.contract import STANDARD, Example, Recipe
from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.tools import ANY, ToolChoice
from langchain_toolemu.tools.response_format import Form
from langchain_toolemu.turn.refusals import Detector

Mode: TypeAlias = Literal["off", "fallback", "force"]
Verdict: TypeAlias = Literal["native", "none", "unknown"]
Bill: TypeAlias = Literal["dropped", "counted", "unclear"]
OnFailure: TypeAlias = Literal["error", "continue"]
Flow: TypeAlias = Literal["inline", "decision"]
SystemRole: TypeAlias = Literal["auto", "system", "user"]
Constrain: TypeAlias = Literal["auto", "schema", "grammar", "quotes", "never"]
SchemaArgument: TypeAlias = Literal["response_format", "format"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the wrapper was set up; each is explained where `ChatToolEmu` declares it."""

    mode: Mode
    dialect: Dialect
    flow: Flow = "inline"
    examples: bool | tuple[Example, ...] = True
    max_reasks: int = 2
    on_failure: OnFailure = "error"
    max_tool_rounds: int = 50
    max_tool_result_chars: int | None = None
    system_role: SystemRole = "auto"
    refusal_detector: Detector | None = None
    contract: Recipe = STANDARD
    constrain: Constrain = "auto"
    schema_argument: SchemaArgument = "response_format"


@dataclass(frozen=True, slots=True)
class Order:
    """What the caller asks for this time.

    Attributes:
        messages: The conversation.
        stop: The caller's stop sequences.
        tools: The bound tools as OpenAI dicts.
        choice: The tool choice.
        parallel: Whether one reply may make several calls.
        native: The keyword arguments that the wrapped model's own `bind_tools` makes of the tools;
            `None` if it has no such method.
        kwargs: All other keyword arguments for the wrapped model.
        form: The form that the answer must have.
        constraint: The keyword arguments by which the wrapped model hands the form to its server.
    """

    messages: Sequence[BaseMessage]
    stop: list[str] | None
    tools: Sequence[dict[str, Any]]
    choice: ToolChoice
    parallel: bool
    native: dict[str, Any] | None
    kwargs: dict[str, Any]
    form: Form | None = None
    constraint: dict[str, Any] = field(default_factory=dict)

    def in_calls(self, *, out_of_rounds: bool) -> Self:
        """The order with its form as one more tool: what a model is asked that only knows the contract.

        Raises:
            ToolSpecError: The choice demands what no text can do.
        """
        self.choice.check_emulable()
        if self.form is None or self.choice.forced:
            return replace(self, form=None)
        tools = () if out_of_rounds or self.choice.kind == "none" else self.tools
        choice = ANY if tools else ToolChoice("named", self.form.name)
        return replace(self, tools=[*tools, self.form.tool()], choice=choice)


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the wrapped model."""

    messages: list[BaseMessage]
    stop: list[str] | None
    kwargs: dict[str, Any]


class Knowledge(Protocol):
    """What is known of the wrapped model's native tools, and where a turn enters what it found out."""

    @property
    def verdict(self) -> Verdict:
        """What is known so far."""

    @property
    def takes_system_message(self) -> bool:
        """Whether the model is not known to refuse a system message."""

    @property
    def takes_tool_choice(self) -> bool:
        """Whether the model is not known to refuse or ignore a demand for a call."""

    @property
    def takes_schema(self) -> bool:
        """Whether the server is not known to refuse a schema for its answer."""

    @property
    def takes_grammar(self) -> bool:
        """Whether the server is not known to refuse a grammar to decode under."""

    @property
    def knows_grammar(self) -> bool:
        """Whether the server is known to decode under a grammar."""

    def refused_by(self, error: BaseException) -> str | None:
        """What an error refuses, such as `"tools"` or `"grammar"`; `None` if it speaks of anything else."""

    def judge_bill(
        self,
        input_tokens: int | None,
        messages: Sequence[BaseMessage],
        tools: Sequence[dict[str, Any]],
        *,
        cached: int = 0,
    ) -> Bill:
        """Whether a native reply's bill can hold the tools, or the server dropped them without a word."""

    @property
    def wants_check(self) -> bool:
        """Whether a native reply without a call is to be checked by emulation."""

    def count_check(self, *, found_call: bool) -> None:
        """Count a check: whether emulation found a call that the native reply lacks."""

    def distrust(self) -> None:
        """Check again: the model denied that it has tools."""

    def saw_call(self, *, demanded: bool) -> None:
        """A native call came, demanded or not."""

    def saw_choice_ignored(self) -> None:
        """A demanded call did not come, though nothing cut the reply."""

    def tell(self, decision: str) -> None:
        """Log a decision."""

    def announce(self) -> None:
        """Tell the user, once a model, if emulation has taken over."""
