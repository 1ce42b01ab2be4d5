"""Sets up a turn: the model's settings, the caller's input, and what is known of the wrapped model."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.language_models import LangSmithParams, ModelProfile
from langchain_core.runnables.config import var_child_runnable_config
from pydantic import Field, PrivateAttr, SkipValidation, field_serializer
from typing_extensions import Self, override

from langchain_toolemu import options
from langchain_toolemu.capability import Capability, Snapshot, Support, store
from langchain_toolemu.capability.endpoints import address_of, client_kind, provider_by_class
from langchain_toolemu.chat_models import bindings, diagnostics
from langchain_toolemu.chat_models.constructor import default_mode, refuse_bad_values
from langchain_toolemu.chat_models.live_profile import RESULT_PICTURES, WINDOW, LiveProfile
from langchain_toolemu.chat_models.recording import current_recording
from langchain_toolemu.chat_models.wrapper import Kwargs, Stop, Wrapper
from langchain_toolemu.contract.history import Messages
from langchain_toolemu.contract.recipe import Recipe
from langchain_toolemu.contract.rules import (
    CONTRACT_VERSION,
    ContractCache,
    Template,
    template_for,
)
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.messages.past_reasoning import has_lost_reasoning
from langchain_toolemu.policy import CallPolicy, resolve_policy
from langchain_toolemu.tools import ToolSetCache, choice_among, forbids_parallel, tools_on_offer
from langchain_toolemu.tools.specs import RecentlyUsed
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Request, Settings, TurnInput

# What a recipe's constraint may be so that nothing is added to the body of a request.
_BODILESS = ("schema", "never")


class TurnSetup(Wrapper):
    """The settings of a `ChatToolEmu`, whose docstring says what each is for, and the turns that are made of them."""

    mode: options.Mode = "fallback"
    flow: options.Flow = "auto"
    max_reasks: int = 2
    on_failure: options.OnFailure = "error"
    max_tool_rounds: int = 50
    max_tool_result_chars: int | None = None
    native_tools: options.ToolSupport | None = Field(default=None, alias="tool_support")
    model_size: float | None = None
    contract: Literal["auto"] | Recipe = "auto"
    policy: options.PolicyName | SkipValidation[CallPolicy] = "auto"
    thoughts: options.Reasoning = Field(default="keep", alias="reasoning")

    # No private attributes: pydantic takes long to look one up.
    @cached_property
    def _contracts(self) -> ContractCache:
        return ContractCache()

    @cached_property
    def _toolsets(self) -> ToolSetCache:
        return ToolSetCache()

    @cached_property
    def _kept_settings(self) -> RecentlyUsed[Settings]:
        """What was made of the options as they are, by all else that counts."""
        return RecentlyUsed()

    _told_bare: set[str] = PrivateAttr(default_factory=set)  # the tools that a warning has named

    def __init__(self, llm: Any = None, *more: Any, **data: Any) -> None:
        if more:
            raise ToolSpecError(
                f"{type(self).__name__} takes only the chat model by position. Pass the rest by name: mode='force'.",
                code="unknown_parameter",
            )
        given = data if "mode" in data else {"mode": default_mode(), **data}
        if isinstance(given.get("contract"), Mapping):  # out of a file
            given = {**given, "contract": Recipe.from_table(given["contract"])}
        super().__init__(llm, **given)

    if not TYPE_CHECKING:  # to a type checker it would allow any attribute

        def __setattr__(self, name: str, value: Any) -> None:
            """Set an attribute; an option only to what the constructor takes."""
            if name in options.FIELDS:
                refuse_bad_values({name: value})
                value = Recipe.from_table(value) if isinstance(value, Mapping) else value
            super().__setattr__(name, value)
            vars(self).pop("_kept_settings", None)

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy; what is changed of the options is checked as in the constructor."""
        refuse_bad_values(update or {})
        copied = super().model_copy(update=update, deep=deep)
        vars(copied).pop("_kept_settings", None)
        return copied

    @field_serializer("contract", when_used="json")
    def _serialize_contract(self, value: str | Recipe) -> str:
        """JSON cannot hold the functions of a dialect."""
        return str(value)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield from super().__repr_args__()
        yield "mode", self.mode
        if self.thoughts != "keep":
            yield "reasoning", self.thoughts

    # --- what it says of itself ---

    @property
    @override
    def _llm_type(self) -> str:
        return "toolemu-chat"

    @property
    @override
    def _identifying_params(self) -> dict[str, Any]:
        """The cache key: what the wrapped model is, and every option."""
        ours = {**options.option_identities(self), "contract_version": CONTRACT_VERSION}
        ours |= {"llm": type(self.llm).__name__, "bound": self.bound_kwargs}
        return {**ours, **dict(self.llm._identifying_params)}

    def _repr_html_(self) -> str:
        """How a notebook shows it: what is wrapped, how it is asked, and what is known of it."""
        support = self.tool_support
        rows = {
            "model": self.model_name,
            "wrapped": type(self.llm).__name__,
            "address": address_of(self.llm),
            "mode": self.mode,
            "tool calling": f"{support.verdict}: {support.reason}",
            "contract": support.recipe if self.mode != "off" else "",
        }
        return diagnostics.html_table(type(self).__name__, rows)

    @override
    def _get_ls_params_with_defaults(self, stop: Stop = None, **kwargs: Any) -> LangSmithParams:
        """What every handler is told when a run starts; `_get_ls_params` stays the wrapped model's."""
        params = super()._get_ls_params_with_defaults(stop=stop, **kwargs)
        return {**params, "toolemu_mode": self.mode}  # type: ignore[typeddict-unknown-key]

    @property
    def _default_config(self) -> dict[str, str] | None:
        """What LangChain's `ProviderToolSearchMiddleware` goes by; without a search of its own, tools are offered at once."""
        if self.mode == "off" or bindings.can_search_tools(self.llm):
            return None
        is_anthropic = provider_by_class(self.llm) == "anthropic"
        return {"model_provider": "anthropic" if is_anthropic else "openai"}

    @override
    def _resolve_model_profile(self) -> ModelProfile | None:
        profile = super()._resolve_model_profile()
        if self.mode == "off":
            return profile
        able = ModelProfile(tool_calling=True, tool_choice=True, tool_call_streaming=True)
        find = {
            WINDOW: self._find_input_window,
            **dict.fromkeys(RESULT_PICTURES, self._find_pictures),
        }
        return LiveProfile({**(profile or {}), **able}, find)  # type: ignore[return-value]

    def _find_pictures(self) -> bool | None:
        """Whether a tool's result may hold a picture: no, once the server has refused one."""
        return None if self._capability({}).known.may_send("result_pictures") else False

    def _find_input_window(self) -> int | None:
        """The window in use, less the contract: summarization counts only the messages."""
        capability = Capability(self.llm, self.bound_kwargs.get("model"))
        capability.consult()
        known = capability.known
        if known.window is None:
            return None
        in_text = self.mode == "force" or self._capability({}).known.verdict == "none"
        return max(1, known.window - (self._contracts.tokens if in_text else 0))

    # --- what is known of the wrapped model ---

    @property
    def tool_support(self) -> Support:
        """What is known of the wrapped model's own tool calling, and how.

        Example:
            ```python
            llm.tool_support  # Support(verdict='none', reason='the provider said: gemma2 does not support tools')
            ```
        """
        known = self._capability({}).known
        return replace(known.support, recipe=self._template(known)[1])

    @property
    def reasoning(self) -> options.Reasoning:
        """What becomes of thoughts in the text, as it was passed.

        Example:
            ```python
            ChatToolEmu(llm, reasoning="blocks").reasoning  # 'blocks'
            ```
        """
        return self.thoughts

    @property
    @override
    def _gives_thoughts(self) -> bool:
        return self.thoughts == "blocks"

    def _capability(self, kwargs: Kwargs) -> Capability:
        model = {**self.bound_kwargs, **kwargs}.get("model")
        return Capability(self.llm, model, explicit=self.native_tools, model_size=self.model_size)

    # --- turns ---

    @contextmanager
    def _open_turn(self, messages: Messages, stop: Stop, kwargs: Kwargs) -> Iterator[Turn]:
        """A turn; what is known of the wrapped model is read before it and kept after it, even if the turn fails."""
        capability = self._capability(kwargs)
        store.recall(capability.endpoint)
        if kwargs.get("tools") or kwargs.get("response_format"):
            capability.consult()  # only then anything of its answer matters
        turn = self._turn(messages, stop, kwargs, capability)
        try:
            yield turn
        except Exception as error:
            diagnostics.log_end(turn, capability.endpoint, error)
            store.keep(capability.endpoint)
            raise
        diagnostics.log_end(turn, capability.endpoint)
        store.keep(capability.endpoint)

    @asynccontextmanager
    async def _aopen_turn(
        self, messages: Messages, stop: Stop, kwargs: Kwargs
    ) -> AsyncIterator[Turn]:
        """The same without blocking; a turn that is cancelled does not wait for the store."""
        capability = self._capability(kwargs)
        await store.off_loop(store.recall, capability.endpoint)
        if kwargs.get("tools") or kwargs.get("response_format"):
            await capability.aconsult()
        turn = await self._astep(self._turn, messages, stop, kwargs, capability)
        try:
            yield turn
        except Exception as error:
            diagnostics.log_end(turn, capability.endpoint, error)
            await store.off_loop(store.keep, capability.endpoint)
            raise
        diagnostics.log_end(turn, capability.endpoint)
        await store.off_loop(store.keep, capability.endpoint)

    def _turn(self, messages: Messages, stop: Stop, kwargs: Kwargs, capability: Capability) -> Turn:
        """The core of one call, set up with what the caller asks and what is known of the wrapped model."""
        kwargs = bindings.describe_tools(kwargs)
        has_no_functions = client_kind(self.llm) in ("anthropic", "ollama")
        if kwargs.get("functions") and (self.mode == "force" or has_no_functions):
            raise ToolSpecError(
                "`functions` is the API that `tools` replaced, and is not emulated. Use llm.bind_tools([...]), "
                "or mode='fallback' with a provider that has it.",
                code="functions_api",
            )
        stop, always = self._request_defaults(stop)
        if not (kwargs.get("tools") or always.get("tools")):
            always = bindings.without(bindings.CALL_OPTIONS, always)
        known = capability.known
        if has_lost_reasoning(messages):
            capability.warn_of_lost_reasoning(known)
        turn_input = self._turn_input(messages, stop, {**always, **kwargs}, known)
        return Turn(turn_input, self._settings(kwargs, known), capability, known)

    def _delegated_request(self, messages: Messages, stop: Stop, kwargs: Kwargs) -> Request:
        stop, always = self._request_defaults(stop)
        sent = {**always, **bindings.delegated_kwargs(self.llm, kwargs)}
        return Request(list(messages), stop, sent, delegated=True)

    def _turn_input(
        self, messages: Messages, stop: Stop, kwargs: Kwargs, known: Snapshot
    ) -> TurnInput:
        form, constraint, choice = None, {}, kwargs.get("tool_choice")
        if "response_format" in kwargs:
            form = bindings.requested_form(kwargs)
            constraint = bindings.form_kwargs(kwargs, form)
        tools = self._sent(tools_on_offer(kwargs.get("tools") or [], choice))
        native = None
        if self.mode != "force":
            with suppress(NotImplementedError):  # it takes no tools
                native = bindings.native_terms(self.llm, kwargs)
                if not known.may_send("parallel_tool_calls"):
                    native.pop("parallel_tool_calls", None)
        sent = bindings.without(bindings.OURS, kwargs)
        adds_to_body = self._recipe.constraint not in _BODILESS
        if adds_to_body and (body := getattr(self.llm, "extra_body", None)):
            # An argument of the same name would replace what the wrapped model adds to each request.
            sent = {"extra_body": body, **sent}
        return TurnInput(
            messages=messages,
            stop=stop,
            tools=tools,
            choice=choice_among(tools, choice),
            parallel=kwargs.get("parallel_tool_calls", False if forbids_parallel(choice) else None),
            native=native,
            kwargs=sent,
            form=form,
            constraint=constraint,
            toolsets=self._toolsets,
            recording=current_recording.get(),
            steps=_langgraph_steps(),
        )

    def _sent(self, tools: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """The tools without a search that is not sent: what it would find is offered at once."""
        found = bindings.without_search(tools)
        is_sent = found is tools or (self.mode != "force" and bindings.can_search_tools(self.llm))
        return tools if is_sent else found

    @property
    def _recipe(self) -> Recipe:
        return Recipe() if self.contract == "auto" else self.contract

    def _template(self, known: Snapshot) -> tuple[Template, str]:
        """How the contract is written, and in words which template that is and why."""
        template = template_for(known.size.billions)
        changed = ", ".join(self._recipe.changed)
        changes = f"; contract= sets {changed}" if changed else ""
        return self._recipe.applied_to(template), f"{template.name}: {known.size.in_words}{changes}"

    def _settings(self, kwargs: Mapping[str, Any], known: Snapshot) -> Settings:
        on_failure = kwargs.get(bindings.ON_FAILURE, self.on_failure)
        retries = getattr(self.llm, "max_retries", 0)
        retries = 2 if retries is None else retries  # OpenAI's client, unless it is told
        retries = retries if isinstance(retries, int) else 0
        key = (
            type(self.llm), retries, on_failure, known.endpoint.model, known.size, known.window, known.on_vendor_host,
            known.keeps_forms, known.may_begin_thoughts,
        )  # fmt: skip
        return self._kept_settings.find_or_make(
            key, lambda: self._make_settings(known, on_failure, retries)
        )

    def _make_settings(
        self, known: Snapshot, on_failure: options.OnFailure, retries: int
    ) -> Settings:
        """The settings of a turn, by the options, and nothing else than `_settings` goes by."""
        billions = known.size.billions
        recipe, (template, in_words) = self._recipe, self._template(known)
        policy_name, policy = resolve_policy(self.policy, billions)
        vendor = known.on_vendor_host
        return Settings(
            mode=self.mode,
            model=known.endpoint.model,
            dialect=template.dialect,
            flow=self.flow,
            examples=recipe.own_examples or template.shows_examples,
            is_small=billions is not None and billions < options.CAREFUL_BELOW,
            may_stop_short=billions is not None and billions < options.STOPS_SHORT_BELOW,
            policy=policy,
            policy_name=policy_name,
            client_retries=retries,
            reviews_native=self.policy not in ("auto", "default", "trust"),
            keeps_forms=known.keeps_forms,
            on_vendor_host=vendor,
            is_chat_ollama=client_kind(self.llm) == "ollama",
            max_reasks=self.max_reasks,
            on_failure=on_failure,
            max_tool_rounds=self.max_tool_rounds,
            max_tool_result_chars=self.max_tool_result_chars,
            place=recipe.place,
            contract=template,
            contracts=self._contracts,
            recipe=in_words,
            window=known.window,
            tools_shown=template.tools_shown,
            constraint=recipe.constraint,
            reasoning=self.thoughts,
            starts_in_thought=recipe.starts_in_thought,
            may_start_in_thought=self.thoughts != "keep" and known.may_begin_thoughts,
        )


for _name, _option in options.FIELDS.items():
    TurnSetup.model_fields[_name].description = _option.sentence


def _langgraph_steps() -> tuple[int, int] | None:
    """The number of LangGraph's step, and how many a run may take; `None` outside of a graph."""
    config = var_child_runnable_config.get() or {}
    step = (config.get("metadata") or {}).get("langgraph_step")
    limit = config.get("recursion_limit")
    return (step, limit) if isinstance(step, int) and isinstance(limit, int) else None
