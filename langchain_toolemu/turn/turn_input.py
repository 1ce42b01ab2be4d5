"""What a turn is given, and what it sends: the caller's input, the wrapper's settings, a request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from typing_extensions import Self

from langchain_toolemu import options
from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.examples import Example
from langchain_toolemu.contract.history import has_tool_history
from langchain_toolemu.contract.recipe import Constraint, Place
from langchain_toolemu.contract.response_format import ResponseForm
from langchain_toolemu.contract.rules import STANDARD, ContractCache, Template
from langchain_toolemu.contract.shortlist import ToolLimit
from langchain_toolemu.contract.size import ContractSize
from langchain_toolemu.model_facts import Axis
from langchain_toolemu.policy import DEFAULT, CallPolicy, Conversation
from langchain_toolemu.tools import (
    ANY,
    ToolChoice,
    ToolSet,
    ToolSetCache,
    built_ins,
    label_of,
    may_call,
)

_STEPS_OF_A_ROUND = 2  # the tools take one, and the model the next


@dataclass(frozen=True, slots=True)
class Settings:
    """How the wrapper was set up; options are explained where `ChatToolEmu` declares them."""

    mode: options.Mode
    dialect: Dialect
    model: str = ""  # its name, for the report of a turn that fails
    flow: options.Flow = "auto"
    examples: bool | tuple[Example, ...] = True
    max_reasks: int = 2
    on_failure: options.OnFailure = "error"
    max_tool_rounds: int = 50
    max_tool_result_chars: int | None = None
    place: Place | None = None  # of the contract
    contract: Template = STANDARD
    constraint: Constraint | None = None  # what the server decodes under; `None`: what helps
    is_small: bool = False  # takes the words of our examples for what was said
    may_stop_short: bool = False  # says what it does next, and does not do it
    policy: CallPolicy = DEFAULT
    policy_name: str = "default"
    client_retries: int = 0  # of a request that the server failed at
    reviews_native: bool = False  # whether the policy sees them: only one that the caller set
    # Takes a schema as `format`, and makes objects of texts that are JSON.
    is_chat_ollama: bool = False
    # Whether the server decodes under a schema: no answer misses its form.
    keeps_forms: bool = False
    # A vendor whose replies are read strictly: a call in their text is an example, and its own
    # calls are neither fitted nor asked for again.
    on_vendor_host: bool = False
    recipe: str = ""  # which one the contract is written by, and why
    tools_shown: ToolLimit | None = None  # how many tools the contract describes; `None`: all
    window: int | None = None  # how many tokens fit into a request and its reply, if that is known
    reasoning: options.Reasoning = "keep"
    starts_in_thought: bool = False
    may_start_in_thought: bool = False
    contracts: ContractCache = field(default_factory=ContractCache, compare=False, repr=False)


@dataclass(frozen=True)
class TurnInput:
    """What the caller asks for this time."""

    messages: Sequence[BaseMessage]
    stop: list[str] | None
    tools: Sequence[dict[str, Any]]  # in OpenAI's form
    choice: ToolChoice
    parallel: bool | None  # whether one reply may make several calls, if the caller said that
    native: dict[str, Any] | None  # made of the tools by the wrapped model's `bind_tools`, if any
    kwargs: dict[str, Any]  # all others for the wrapped model
    form: ResponseForm | None = None  # which the answer must have
    constraint: dict[str, Any] = field(default_factory=dict)  # hands the form to the server
    toolsets: ToolSetCache = field(default_factory=ToolSetCache, compare=False, repr=False)
    recording: Any = field(default=None, compare=False, repr=False)  # handed on to each request
    steps: tuple[int, int] | None = None  # LangGraph's number of this one, and the most of a run

    @cached_property
    def conversation(self) -> Conversation:
        """What the messages tell."""
        return Conversation(self.messages)

    @property
    def is_last_step(self) -> bool:
        """Whether LangGraph's limit ends the run before a result of this turn could be read."""
        if self.steps is None:
            return False
        step, limit = self.steps
        # A thread's steps are counted on from run to run, so that the rounds must say so, too.
        in_rounds = _STEPS_OF_A_ROUND * self.conversation.rounds + 1
        return limit - min(step, in_rounds) < _STEPS_OF_A_ROUND

    @cached_property
    def toolset(self) -> ToolSet:
        """The tools that can be offered in text: without a provider's built-ins; an error if there is nothing else."""
        return self.toolsets.read_functions(self.tools)

    @cached_property
    def built_in_names(self) -> list[str]:
        """The tools that only a native request can offer."""
        return [*map(label_of, built_ins(self.tools))]

    def is_providers(self, name: str) -> bool:
        """Whether a call may be one of a provider's own tools, which nobody described."""
        return any(may_call(tool, name) for tool in built_ins(self.tools))

    @cached_property
    def functions(self) -> ToolSet:
        """The tools that text can call, if any; in a native turn a provider's built-ins may be offered with them."""
        return self.toolset if len(self.built_in_names) < len(self.tools) else ToolSet()

    @property
    def is_providers_alone(self) -> bool:
        """Whether only the provider can do what is bound: text could ask for nothing."""
        return bool(self.tools) and not (self.functions or self.form)

    @property
    def offers_functions(self) -> bool:
        """Whether a call could be made that we would understand: not one of a provider's own tools."""
        return self.choice.kind != "none" and bool(self.functions)

    @property
    def is_about_tools(self) -> bool:
        """Whether tools are bound, or were called before."""
        return bool(self.tools) or has_tool_history(self.messages)

    @property
    def goes_on_in_text(self) -> bool:
        """Whether the last message is the result of a call that fallback asked for in text, as the report on it says."""
        if not (self.messages and isinstance(self.messages[-1], ToolMessage)):
            return False
        made = next((past for past in reversed(self.messages) if isinstance(past, AIMessage)), None)
        report = (made.response_metadata.get("toolemu") if made else None) or {}
        return (report.get("mode"), report.get("path")) == ("fallback", "emulated")

    @property
    def demanded_tool(self) -> str | None:
        """The one tool that must be called, if one is named."""
        return self.choice.name if self.choice.kind == "named" else None

    @property
    def hands_over_form(self) -> bool:
        """Whether a native request hands the form's schema to the server; in JSON mode it does not."""
        native = self.native or {}
        form = native.get("response_format")
        free = isinstance(form, dict) and form.get("type") in ("json_object", "text")
        return not free and native.get("format") != "json"

    @property
    def form_axis(self) -> Axis:
        """What a server lacks that takes the form of a native request and ignores it."""
        return "followed_schema" if self.hands_over_form else "followed_json_mode"

    @property
    def client_checks_form(self) -> bool:
        """Whether the wrapped model's client checks a native answer at its end: OpenAI's does, by a class it was given."""
        return isinstance((self.native or {}).get("response_format"), type)

    def in_text(self, max_rounds: int) -> Self:
        """The input with its form as one more tool: what a model is asked that only knows the contract."""
        self.choice.check_emulable()
        if self.form is None:
            return self
        if self.choice.forced:
            return replace(self, form=None)
        none = self.conversation.rounds >= max_rounds or self.choice.kind == "none"
        tools = () if none else self.tools
        choice = ANY if tools else ToolChoice("named", self.form.name)
        return replace(self, tools=[*tools, self.form.tool()], choice=choice)


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the wrapped model."""

    messages: list[BaseMessage]
    stop: list[str] | None
    kwargs: dict[str, Any]
    delegated: bool = False  # whether it is the caller's own, sent exactly as LangChain would
    contract: ContractSize | None = None  # how large the contract in it is, if there is one
    names: Mapping[str, str] = field(default_factory=dict)  # tools' own, by those that are sent
    whole: bool = False  # whether its reply is not to be streamed
    stream_usage: bool = True  # whether a stream may be asked to count tokens
    sends_reasoning: bool = False  # whether its messages' reasoning must reach the server
    reason: str = field(default="", compare=False)  # why it follows another one
    recording: Any = field(default=None, compare=False, repr=False)  # of its turn
    # What the turn reports so far: one that fails has no message to report it in.
    report: Callable[[], dict[str, Any]] = field(default=dict, compare=False, repr=False)
