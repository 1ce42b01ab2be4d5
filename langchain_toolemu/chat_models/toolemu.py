"""`ChatToolEmu`, the chat model that users see: binds tools, and drives turns.

The four drivers are loops of a few lines over one `Turn`. Whatever is decided is decided there.
"""

import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, closing
from typing import Any, Literal, get_args

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LangSmithParams, LanguageModelInput, ModelProfile
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field
from typing_extensions import override

from langchain_toolemu.capability import Axis, Capability, Support
from langchain_toolemu.capability.endpoints import speaks_ollama
from langchain_toolemu.chat_models.bindings import (
    as_bound_natively,
    beside_tools,
    bound_by,
    constraint_in,
    demanding_call,
    demanding_text,
    form_in,
    given,
    keeping,
    native_in,
    without_idle_terms,
    without_kept,
)
from langchain_toolemu.chat_models.structured import own_way, parsed, parser_of, traced
from langchain_toolemu.chat_models.traces import note
from langchain_toolemu.chat_models.wrapper import Wrapper, rebased
from langchain_toolemu.contract import CONTRACT_VERSION, STANDARD, Example, Recipe
from langchain_toolemu.contract.dialects import Dialect, find_dialect
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.tools import (
    ToolLike,
    bindable_choice,
    choice_among,
    offered_by,
    read_tools,
    to_openai_tools,
)
from langchain_toolemu.turn.order import (
    Constrain,
    Flow,
    Mode,
    OnFailure,
    Order,
    Request,
    Settings,
    SystemRole,
)
from langchain_toolemu.turn.passthrough import Delegation
from langchain_toolemu.turn.refusals import Detector
from langchain_toolemu.turn.turn import Turn


class ChatToolEmu(Wrapper):
    """Gives tool calling to any chat model.

    Wraps a chat model and calls tools for it: natively where the provider can, by a contract in the prompt
    and a reader of the reply where it cannot. It emulates tool *calling*; it never runs a tool.

    Example:
        ```python
        from langchain_toolemu import ChatToolEmu

        llm = ChatToolEmu(llm=ChatOllama(model="gemma2"))
        llm.bind_tools([get_weather]).invoke("What is the weather in Paris?").tool_calls
        ```
    """

    mode: Mode = "fallback"
    """`"fallback"`: native tools, emulated where the provider has none. `"force"`: always emulated, one request a
    turn and one for each re-ask. `"off"`: plain delegation. The environment variable `TOOLEMU_MODE` sets the default."""

    dialect: str | Dialect = "json"
    """How the contract asks for calls: `"json"`, `"fenced"`, `"tagged"`, or a `Dialect` of your own."""

    flow: Flow = "inline"
    """`"inline"`: one request, whose text is the answer or holds calls. `"decision"`: a request that only decides on a
    call, then one for the answer; a call then costs one request and comes without prose, an answer costs two."""

    examples: bool | tuple[Example, ...] = True
    """Whether the contract shows example turns made from the bound tools' schemas; or pairs of your own, what a user
    says and what the assistant answers."""

    max_reasks: int = Field(default=2, ge=0)
    """How many corrections a turn may send before it gives up."""

    on_failure: OnFailure = "error"
    """What follows when a forced call never came: `"error"`, a `ToolChoiceError`; `"continue"`, the reply as it is with a
    warning."""

    max_tool_rounds: int = Field(default=50, ge=1)
    """In an emulated turn, after so many rounds of calls since the user last spoke, the answer is asked for without
    tools."""

    max_tool_result_chars: int | None = Field(default=None, ge=1)
    """Longer tool results are cut in what an emulated model is sent, and the text says by how much."""

    system_role: SystemRole = "auto"
    """Where the contract goes: `"system"`, in a system message; `"user"`, in the first user message; `"auto"`, in the
    first, or the second for a model that is known to have no such role."""

    native_tools: Literal["native", "none"] | None = Field(default=None, alias="tool_support")
    """What you know of the wrapped model, passed as `tool_support`: `"native"` if it calls tools by itself, `"none"` if
    it cannot. Left out, it is found out; the attribute `tool_support` shows the verdict and its reason."""

    refusal_detector: Detector | None = None
    """Says of a reply's opening whether it denies having tools; by default, English and Chinese wordings are known."""

    contract: Recipe = STANDARD
    """How the contract is written: its wording, its tool list, its examples, and where they stand."""

    constrain: Constrain = "auto"
    """What the server is to decode emulated replies under; one that refuses is remembered and asked without.

    `"auto"`: the schema of an answer, where one is demanded; and on a llama.cpp server, which says of itself what it is,
    a grammar that leaves the model free to answer, but not to invent a tool or an argument. `"grammar"`: that grammar,
    whatever the server says. `"quotes"`: that grammar for the smallest models: texts and numbers can only be quoted from
    the conversation, one call a reply, no tool twice in a row with the same arguments. `"schema"`: the schema of a call
    where one is certain to be wanted (a forced choice, the decision of that flow), for other servers. `"never"`:
    nothing."""

    def __init__(self, **data: Any) -> None:
        find_dialect(data.get("dialect", "json"))
        super().__init__(**{"mode": _default_mode(), **data})

    # --- binding ---

    @override
    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: dict[str, Any] | str | bool | None = None,
        strict: bool | None = None,
        parallel_tool_calls: bool | None = None,
        response_format: Any = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools of any kind LangChain knows.

        Args:
            tools: Functions, `BaseTool`s, pydantic classes, TypedDicts, or tool dicts.
            tool_choice: `None`, `"auto"`, `"none"`, `"any"`, `"required"`, `True`, a tool's name, or a
                provider's dict.
            strict: Handed to the provider; its meaning is the provider's.
            parallel_tool_calls: `False` for at most one call a reply.
            response_format: The form of an answer that is no call: a schema, or OpenAI's dict.
            **kwargs: Further keyword arguments for the wrapped model.

        Raises:
            ToolSpecError: A tool that cannot be described, or a choice that names no bound tool.

        Example:
            ```python
            llm.bind_tools([get_weather], tool_choice="get_weather")
            ```
        """
        options = given(
            strict=strict, parallel_tool_calls=parallel_tool_calls, response_format=response_format
        )
        if self.mode == "off":
            return self.bind(**bound_by(self.llm, tools, tool_choice, {**options, **kwargs}))
        described = to_openai_tools(tools, strict=strict)
        choice = bindable_choice(described, tool_choice)
        native = (
            self._bound_natively(tools, tool_choice, options)
            if self.mode == "fallback" and described
            else None
        )
        if native is None:
            read_tools(described)
            choice_among(described, tool_choice).check_emulable()
        terms = {"tools": described, **options, **given(tool_choice=choice)}
        return self.bind(**kwargs, **keeping(terms, native))

    def _bound_natively(
        self, tools: Sequence[Any], tool_choice: Any, options: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """The tools as the wrapped model binds them itself; `None` if it has no `bind_tools`."""
        try:
            return bound_by(self.llm, tools, tool_choice, options)
        except NotImplementedError:
            return None

    @override
    def with_structured_output(
        self, schema: Any = None, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, dict[str, Any] | BaseModel]:
        """Answers in the form of a schema: the wrapped model's own way, emulated where it has none or it fails.

        Args:
            schema: A pydantic class, a TypedDict, a JSON schema, or a tool dict.
            include_raw: Whether to return the message, the parsed answer and the parser's error.
            **kwargs: As the wrapped model takes them: `method` (`"function_calling"`, `"json_schema"`,
                `"json_mode"`), `strict`, `tools`.

        Example:
            ```python
            llm.with_structured_output(Person).invoke("Ann is 42.")
            ```
        """
        if self.mode == "off":
            chain = self.llm.with_structured_output(schema, include_raw=include_raw, **kwargs)
            return rebased(chain, self.llm, self)  # type: ignore[no-any-return]
        own, method = own_way(self.llm, schema, **kwargs), kwargs.get("method")
        by_call = own.by_call if own else method in (None, "function_calling")
        terms = (demanding_call if by_call else demanding_text)(schema, kwargs)
        bound = self.bind(
            **traced(schema, own, method), **keeping(terms, own.kwargs if own else None)
        )
        return parsed(bound, parser_of(schema, own, by_call=by_call), include_raw=include_raw)

    def preview(
        self,
        messages: LanguageModelInput,
        *,
        tools: Sequence[ToolLike] = (),
        tool_choice: Any = None,
        parallel_tool_calls: bool | None = None,
    ) -> list[BaseMessage]:
        """The messages that emulation would send: traces show what you sent, not what we made of it.

        In mode `"off"` nothing is ever changed, and the messages come back as they are.

        Example:
            ```python
            for message in llm.preview("What is the weather in Paris?", tools=[get_weather]):
                message.pretty_print()
            ```
        """
        conversation = self._convert_input(messages).to_messages()
        asked = given(
            tools=to_openai_tools(tools),
            tool_choice=tool_choice,
            parallel_tool_calls=parallel_tool_calls,
        )
        return self._turn(conversation, None, asked, self._capability({})).emulated_messages()

    @property
    def tool_support(self) -> Support:
        """What is known of the wrapped model's own tool calling, and how.

        Example:
            ```python
            llm.tool_support  # Support(verdict='none', reason='the provider said: gemma2 does not support tools')
            ```
        """
        return self._capability({}).support

    @override
    def get_num_tokens_from_messages(
        self,
        messages: list[BaseMessage],
        tools: Sequence[ToolLike] | None = None,
        **kwargs: Any,
    ) -> int:
        """The tokens of what would be sent: where calls are emulated, the contract is in the messages.

        Args:
            messages: The conversation.
            tools: The tools that would be bound.
            **kwargs: As the wrapped model takes them, such as ChatOpenAI's `allow_fetching_images`.
        """
        asked = {"tools": to_openai_tools(tools or ())}
        turn = self._turn(messages, None, asked, self._capability({}))
        if isinstance(turn, Turn) and turn.path == "emulated":
            return super().get_num_tokens_from_messages(turn.emulated_messages(), **kwargs)
        return super().get_num_tokens_from_messages(messages, tools, **kwargs)  # type: ignore[arg-type]

    # --- the four drivers ---

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        turn = self._turn(messages, stop, kwargs, self._consulted(kwargs))
        while request := turn.ask():
            try:
                result = self._send(request)
            except Exception as error:
                if not turn.fail(error):
                    raise
            else:
                turn.take(result)
        return turn.result()

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        turn = self._turn(messages, stop, kwargs, await self._aconsulted(kwargs))
        while request := turn.ask():
            try:
                result = await self._asend(request)
            except Exception as error:
                if not turn.fail(error):
                    raise
            else:
                turn.take(result)
        return turn.result()

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        turn = self._turn(messages, stop, kwargs, self._consulted(kwargs))
        while request := turn.ask():
            try:
                yield from self._fed(turn, request)
            except Exception as error:
                if not turn.fail(error):
                    yield from turn.abandon()
                    raise
            else:
                yield from turn.end()
        yield from turn.close()

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        turn = self._turn(messages, stop, kwargs, await self._aconsulted(kwargs))
        while request := turn.ask():
            try:
                async with aclosing(self._afed(turn, request)) as chunks:
                    async for chunk in chunks:
                        yield chunk
            except Exception as error:
                if not turn.fail(error):
                    for chunk in turn.abandon():
                        yield chunk
                    raise
            else:
                for chunk in turn.end():
                    yield chunk
        for chunk in turn.close():
            yield chunk

    def _fed(self, turn: Turn | Delegation, request: Request) -> Iterator[ChatGenerationChunk]:
        """What a turn shows of a streamed reply, which is left if it does not end."""
        with closing(self._send_streaming(request)) as pieces:
            for piece in pieces:
                yield from turn.feed(piece)
                if turn.overfed:
                    return

    async def _afed(
        self, turn: Turn | Delegation, request: Request
    ) -> AsyncGenerator[ChatGenerationChunk, None]:
        async with aclosing(self._asend_streaming(request)) as pieces:
            async for piece in pieces:
                for chunk in turn.feed(piece):
                    yield chunk
                if turn.overfed:
                    return

    def _capability(self, kwargs: Mapping[str, Any]) -> Capability:
        model = {**self.llm_kwargs, **kwargs}.get("model")
        return Capability(self.llm, model, explicit=self.native_tools)

    def _consulted(self, kwargs: Mapping[str, Any]) -> Capability:
        """What is known of the wrapped model, its server's own word included where that matters."""
        capability = self._capability(kwargs)
        capability.consult(self._open_questions(kwargs, capability))
        return capability

    async def _aconsulted(self, kwargs: Mapping[str, Any]) -> Capability:
        capability = self._capability(kwargs)
        await capability.aconsult(self._open_questions(kwargs, capability))
        return capability

    def _open_questions(self, kwargs: Mapping[str, Any], capability: Capability) -> list[Axis]:
        """What a server could tell of itself that would change a turn: nothing where it calls tools natively."""
        native = self.mode == "fallback" and capability.verdict == "native"
        if self.mode == "off" or native or not kwargs.get("tools"):
            return []
        asked: list[Axis] = ["tools"] if self.mode == "fallback" else []
        return [*asked, "grammar"] if self.constrain == "auto" else asked

    def _turn(
        self,
        messages: Sequence[BaseMessage],
        stop: list[str] | None,
        kwargs: Mapping[str, Any],
        capability: Capability,
    ) -> Turn | Delegation:
        """The core of one call, set up with what the caller asks and what is known of the wrapped model."""
        stop, always = self._always(stop)
        if self.mode == "off":
            sent = {**always, **as_bound_natively(self.llm, kwargs)}
            return Delegation(Request(list(messages), stop, sent))
        if not (kwargs.get("tools") or always.get("tools")):
            always = without_idle_terms(always)
        return Turn(self._order(messages, stop, {**always, **kwargs}), self._settings(), capability)

    def _order(
        self, messages: Sequence[BaseMessage], stop: list[str] | None, kwargs: Mapping[str, Any]
    ) -> Order:
        form, choice = form_in(kwargs), kwargs.get("tool_choice")
        tools = offered_by(kwargs.get("tools") or [], choice)
        return Order(
            messages=messages,
            stop=stop,
            tools=tools,
            choice=choice_among(tools, choice),
            parallel=kwargs.get("parallel_tool_calls") is not False,
            native=self._native_kwargs(kwargs),
            kwargs={**self._own_body(), **beside_tools(kwargs)},
            form=form,
            constraint=constraint_in(kwargs, form),
        )

    def _settings(self) -> Settings:
        return Settings(
            mode=self.mode,
            dialect=find_dialect(self.dialect),
            flow=self.flow,
            examples=self.examples,
            max_reasks=self.max_reasks,
            on_failure=self.on_failure,
            max_tool_rounds=self.max_tool_rounds,
            max_tool_result_chars=self.max_tool_result_chars,
            system_role=self.system_role,
            refusal_detector=self.refusal_detector,
            contract=self.contract,
            constrain=self.constrain,
            schema_argument="format" if speaks_ollama(self.llm) else "response_format",
        )

    def _own_body(self) -> dict[str, Any]:
        """What the wrapped model adds to each request: an argument of the same name would replace it."""
        body = getattr(self.llm, "extra_body", None)
        return {"extra_body": body} if body and self.constrain not in ("schema", "never") else {}

    def _native_kwargs(self, kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        """The tools as the wrapped model takes them; `None` if it takes none, or is to be sent none."""
        if self.mode == "force":
            return None
        try:
            return native_in(self.llm, kwargs)
        except NotImplementedError:
            return None

    # --- what we say of ourselves ---

    @property
    @override
    def _llm_type(self) -> str:
        return "toolemu-chat"

    @property
    @override
    def _identifying_params(self) -> dict[str, Any]:
        """The cache key: what the wrapped model is, and everything that changes what it is sent."""
        return {
            "mode": self.mode,
            "dialect": find_dialect(self.dialect),
            "flow": self.flow,
            "examples": self.examples,
            "max_tool_result_chars": self.max_tool_result_chars,
            "system_role": self.system_role,
            "constrain": self.constrain,
            "contract": self.contract.identity,
            "contract_version": CONTRACT_VERSION,
            "llm": type(self.llm).__name__,
            "llm_kwargs": self.llm_kwargs,
            **dict(self.llm._identifying_params),
        }

    @override
    def _generate_with_cache(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        # The one place that knows both the run and what came of it: streams are not told their run.
        result = super()._generate_with_cache(messages, stop, run_manager, **kwargs)
        note(run_manager, result)
        return result

    @override
    async def _agenerate_with_cache(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        result = await super()._agenerate_with_cache(messages, stop, run_manager, **kwargs)
        note(run_manager, result)
        return result

    @override
    def _get_invocation_params(
        self, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        # A trace shows the tools already, and has no use for them in the wrapped model's form.
        return super()._get_invocation_params(stop=stop, **without_kept(kwargs))

    @override
    def _get_ls_params_with_defaults(
        self, stop: list[str] | None = None, **kwargs: Any
    ) -> LangSmithParams:
        """What every handler is told when a run starts; `_get_ls_params` stays the wrapped model's."""
        told = super()._get_ls_params_with_defaults(stop=stop, **kwargs)
        return {**told, "toolemu_mode": self.mode}  # type: ignore[typeddict-unknown-key]

    @override
    def _resolve_model_profile(self) -> ModelProfile | None:
        profile = super()._resolve_model_profile()
        if self.mode == "off":
            return profile
        able: ModelProfile = {
            "tool_calling": True,
            "tool_choice": True,
            "tool_call_streaming": True,
        }
        return {**(profile or {}), **able}


def _default_mode() -> Mode:
    """The mode where none is given: the environment's, else fallback."""
    word = os.environ.get("TOOLEMU_MODE", "fallback")
    for mode in get_args(Mode):
        if word == mode:
            return mode  # type: ignore[no-any-return]
    raise ToolSpecError(
        f"TOOLEMU_MODE={word!r} is not a mode. Set it to 'off', 'fallback' or 'force'."
    )
