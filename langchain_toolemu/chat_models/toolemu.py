"""`ChatToolEmu`, the chat model that users see: binds tools, and drives turns.

The four drivers are loops of a few lines over one `Turn`. Whatever is decided is decided there.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LangSmithParams, LanguageModelInput, ModelProfile
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool
from pydantic import BaseModel
from typing_extensions import Unpack, override

from langchain_toolemu.capability import Support
from langchain_toolemu.capability.endpoints import address_of
from langchain_toolemu.chat_models.bindings import (
    JSON_MODE,
    ON_FAILURE,
    OwnBinding,
    bound_by,
    demanding_call,
    demanding_text,
    drop_none,
    keeping,
    native_kwargs,
    without_kept,
)
from langchain_toolemu.chat_models.bound import ToolEmuBinding, previewable
from langchain_toolemu.chat_models.notebook import as_table
from langchain_toolemu.chat_models.setup import TurnSetup
from langchain_toolemu.chat_models.structured import (
    missing_call_raised,
    own_way,
    parsed,
    parser_of,
    traced,
)
from langchain_toolemu.chat_models.traces import RunManager, note
from langchain_toolemu.chat_models.wrapper import rebased
from langchain_toolemu.contract import CONTRACT_VERSION
from langchain_toolemu.messages.invalid_calls import with_reasons
from langchain_toolemu.options import FIELDS, Reasoning, identity_of
from langchain_toolemu.tools import (
    ToolLike,
    bindable_choice,
    choice_among,
    read_functions,
    to_openai_tools,
)
from langchain_toolemu.tools.response_format import demands_object
from langchain_toolemu.turn.runner import Passthrough, TurnRunner
from langchain_toolemu.turn.turn_input import Request

if TYPE_CHECKING:
    from langchain_toolemu.chat_models.signatures import ToolEmuOptions, Wrappable


class ChatToolEmu(TurnSetup):
    """Gives tool calling to any chat model.

    Wraps a chat model and calls tools for it: natively where the provider can, by a contract in the prompt
    and a reader of the reply where it cannot. It emulates tool *calling*; it never runs a tool.

    Example:
        ```python
        from langchain_toolemu import ChatToolEmu

        llm = ChatToolEmu(ChatOllama(model="gemma2"))  # or ChatToolEmu("ollama:gemma2")
        llm.bind_tools([get_weather]).invoke("What is the weather in Paris?").tool_calls
        ```
    """

    if TYPE_CHECKING:
        # What is left out and what a subclass declares is known only at run time, where `Wrapper` looks.
        def __init__(self, llm: Wrappable, **options: Unpack[ToolEmuOptions]) -> None: ...

    # --- binding ---

    @override
    def bind(self, **kwargs: Any) -> ToolEmuBinding:
        """Bind keyword arguments, as on every chat model; the binding can be previewed."""
        return ToolEmuBinding(bound=self, kwargs=kwargs, config={})

    @override
    def with_config(self, config: RunnableConfig | None = None, **kwargs: Any) -> ToolEmuBinding:
        """Bind a config, as on every chat model; what is bound after it can be previewed, too."""
        return previewable(super().with_config(config, **kwargs), self)  # type: ignore[no-any-return]

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
    ) -> ToolEmuBinding:
        """Bind tools of any kind LangChain knows.

        Args:
            tools: Functions, `BaseTool`s, pydantic classes, TypedDicts, or tool dicts.
            tool_choice: `None`, `"auto"`, `"none"`, `"any"`, `"required"`, `True`, a tool's name, or a
                provider's dict.
            strict: Handed to the provider; its meaning is the provider's.
            parallel_tool_calls: `False` for at most one call a reply.
            response_format: The form of an answer that is no call: a schema, or OpenAI's dict.
            **kwargs: Further keyword arguments for the wrapped model.

        Returns:
            A binding, which has `preview`, too; in mode `"off"` what the wrapped model's own method makes of it.

        Raises:
            ToolSpecError: A tool that cannot be described, or a choice that names no bound tool.

        Example:
            ```python
            llm.bind_tools([get_weather], tool_choice="get_weather")
            ```
        """
        options = drop_none(
            strict=strict, parallel_tool_calls=parallel_tool_calls, response_format=response_format
        )
        if self.mode == "off":
            given = {**drop_none(tool_choice=tool_choice), **options, **kwargs}
            bound = rebased(self.llm.bind_tools(tools, **given), self.llm, self)
            return previewable(bound, self)  # type: ignore[no-any-return]
        described = to_openai_tools(tools, strict=strict)
        choice = bindable_choice(described, tool_choice)
        own = (
            self._bound_natively(tools, tool_choice, options)
            if self.mode == "fallback" and described
            else None
        )
        terms = {"tools": described, **options, **drop_none(tool_choice=choice)}
        if own is None:
            read_functions(described)
            choice_among(described, tool_choice).check_emulable()
            return self.bind(**kwargs, **terms)
        bound = self.bind(**kwargs, **keeping(terms, native_kwargs(self.llm, own)))
        return bound.with_config(own.config) if own.config else bound  # type: ignore[return-value]

    def _bound_natively(
        self, tools: Sequence[Any], tool_choice: Any, options: Mapping[str, Any]
    ) -> OwnBinding | None:
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
            # A model's own method need not have the parameter.
            given = {**kwargs, **({"include_raw": True} if include_raw else {})}
            chain = self.llm.with_structured_output(schema, **given)
            return rebased(chain, self.llm, self)  # type: ignore[no-any-return]
        own, method = own_way(self.llm, schema, **kwargs), kwargs.get("method")
        by_call = own.by_call if own else _is_called_for(schema, method)
        parser = parser_of(schema, own, by_call=by_call)
        terms = demanding_call(schema, kwargs) if by_call else demanding_text(schema, kwargs)
        if by_call and include_raw:
            terms[ON_FAILURE] = "continue"
            parser = missing_call_raised(parser, terms["tool_choice"]["function"]["name"])
        native = own.kwargs if own else JSON_MODE if method == "json_mode" else None
        bound = self.bind(**traced(schema, own, method), **keeping(terms, native))
        return parsed(bound, parser, include_raw=include_raw)

    def preview(
        self,
        messages: LanguageModelInput,
        *,
        tools: Sequence[ToolLike] = (),
        tool_choice: Any = None,
        parallel_tool_calls: bool | None = None,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> list[BaseMessage]:
        """The messages that emulation would send: traces show what you sent, not what we made of it.

        In mode `"off"` nothing is ever changed, and the messages come back as they are. The first message names the recipe
        in `additional_kwargs["toolemu_recipe"]`; in mode `"fallback"`, where the model would be asked natively first,
        `additional_kwargs["toolemu_note"]` says so. What `bind_tools` returns has this method, too.

        Args:
            messages: What would be asked.
            tools: The tools that would be bound.
            tool_choice: As `bind_tools` takes it.
            parallel_tool_calls: As `bind_tools` takes it.
            stop: As a call takes it.
            **kwargs: Further keyword arguments of a call, such as `response_format`.

        Example:
            ```python
            for message in llm.preview("What is the weather in Paris?", tools=[get_weather]):
                message.pretty_print()
            ```
        """
        conversation = self._convert_input(messages).to_messages()
        if self.mode == "off":
            return conversation
        described = to_openai_tools(tools)
        terms = drop_none(tool_choice=tool_choice, parallel_tool_calls=parallel_tool_calls)
        capability = self._capability(kwargs)
        turn = self._turn(conversation, stop, {**kwargs, **terms, "tools": described}, capability)
        first, *rest = turn.emulated_messages()
        said = {"toolemu_recipe": self._recipe_in_words(capability)}
        asks = bool(described or kwargs.get("response_format"))
        if asks and turn.path == "native":
            said["toolemu_note"] = _natively_first(capability.support)
        named = {**first.additional_kwargs, **said}
        return [first.model_copy(update={"additional_kwargs": named}), *rest]

    @property
    def tool_support(self) -> Support:
        """What is known of the wrapped model's own tool calling, and how.

        Example:
            ```python
            llm.tool_support  # Support(verdict='none', reason='the provider said: gemma2 does not support tools')
            ```
        """
        capability = self._capability({})
        return replace(capability.support, recipe=self._recipe_in_words(capability))

    @property
    def reasoning(self) -> Reasoning:
        """What becomes of thoughts in the text, as it was passed.

        Example:
            ```python
            ChatToolEmu(llm, reasoning="blocks").reasoning  # 'blocks'
            ```
        """
        return self.thoughts

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
        if turn.path == "emulated":
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
        with self._knowing(kwargs) as known:
            turn = self._turn(messages, stop, kwargs, known)
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
        async with self._aknowing(kwargs) as known:
            turn = self._turn(messages, stop, kwargs, known)
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
        with self._knowing(kwargs) as known:
            turn = self._turn(messages, stop, kwargs, known)
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
        async with self._aknowing(kwargs) as known:
            turn = self._turn(messages, stop, kwargs, known)
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

    def _fed(
        self, turn: TurnRunner | Passthrough, request: Request
    ) -> Iterator[ChatGenerationChunk]:
        """What a turn shows of a streamed reply, which is left if it does not end."""
        with closing(self._send_streaming(request)) as pieces:
            for piece in pieces:
                yield from turn.feed(piece)
                if turn.reply_too_long:
                    return

    async def _afed(
        self, turn: TurnRunner | Passthrough, request: Request
    ) -> AsyncGenerator[ChatGenerationChunk, None]:
        async with aclosing(self._asend_streaming(request)) as pieces:
            async for piece in pieces:
                for chunk in turn.feed(piece):
                    yield chunk
                if turn.reply_too_long:
                    return

    # --- what we say of ourselves ---

    @property
    @override
    def _llm_type(self) -> str:
        return "toolemu-chat"

    @property
    @override
    def _identifying_params(self) -> dict[str, Any]:
        """The cache key: what the wrapped model is, and every option."""
        ours = {name: identity_of(getattr(self, name)) for name in FIELDS}
        return {
            **ours,
            "contract_version": CONTRACT_VERSION,
            "llm": type(self.llm).__name__,
            **dict(self.llm._identifying_params),
        }

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
        return as_table(type(self).__name__, rows)

    @property
    def _delegates(self) -> bool:
        """Whether a call is the wrapped model's from the start, with its cache, its limits and its way to stream."""
        own = self.cache or self.rate_limiter or self.output_version != self.llm.output_version
        return self.mode == "off" and not own

    @override
    def _generate_with_cache(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self._delegates:
            return self._send(self._delegated(messages, stop, kwargs), run_manager)
        # The one place that knows both the run and what came of it: streams are not told their run.
        return _told(
            run_manager, super()._generate_with_cache(messages, stop, run_manager, **kwargs)
        )

    @override
    async def _agenerate_with_cache(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self._delegates:
            return await self._asend(self._delegated(messages, stop, kwargs), run_manager)
        result = await super()._agenerate_with_cache(messages, stop, run_manager, **kwargs)
        return _told(run_manager, result)

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


def _told(run_manager: RunManager | None, result: ChatResult) -> ChatResult:
    """A result of which its run is told; LangChain may have added it up of chunks, and lost why calls cannot run."""
    for generation in result.generations:
        generation.message = with_reasons(generation.message)
    note(run_manager, result)
    return result


def _natively_first(support: Support) -> str:
    """What a preview says of messages that may never be sent."""
    if support.verdict == "unknown":
        return (
            "nothing is known of this model yet: it is asked natively first, unless its server says that it calls no tools, "
            "and this is sent only if that fails"
        )
    return f"this model is asked natively ({support.reason}), and this is sent only if that fails"


def _is_called_for(schema: Any, method: str | None) -> bool:
    """Whether an answer is asked for as a call: one that is no object cannot be the arguments of one."""
    return method in (None, "function_calling") and demands_object(schema)
