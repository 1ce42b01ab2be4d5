"""A chat model around another: what may be wrapped, how it is called, and all that it answers for itself.

Nothing is forwarded by `__getattr__`: a hook that LangChain found on the wrapped model would bypass the wrapper.
"""

from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import aclosing, closing, nullcontext
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from langchain_core.language_models import BaseChatModel, LangSmithParams, ModelProfile
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult, Generation
from langchain_core.runnables import RunnableSerializable
from langchain_core.runnables.utils import AnyConfigurableField
from langchain_core.tools import BaseTool
from pydantic import ConfigDict, Field, field_serializer, model_validator
from typing_extensions import Self, override

from langchain_toolemu._version import __version__
from langchain_toolemu.capability import model_name_of
from langchain_toolemu.chat_models import constructor
from langchain_toolemu.chat_models.bindings import INTERNAL, MODEL, without
from langchain_toolemu.chat_models.diagnostics import observe_request
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.messages.call_extras import has_extras, with_extras
from langchain_toolemu.messages.chunks import as_chunk
from langchain_toolemu.messages.content import BlockNumbers, in_standard_blocks
from langchain_toolemu.messages.past_reasoning import reasoning_fields
from langchain_toolemu.messages.tool_calls import with_new_ids
from langchain_toolemu.options import redact
from langchain_toolemu.turn.turn_input import Request

Stop: TypeAlias = list[str] | None  # the stop sequences of a call
Kwargs: TypeAlias = Mapping[str, Any]
T = TypeVar("T")
Received = TypeVar("Received", ChatGeneration, ChatGenerationChunk)  # whole, or a piece of one


class Wrapper(BaseChatModel):
    """The part of a wrapping chat model that has nothing to do with tools."""

    # Not by name only: to a type checker a subclass takes it in the first place, too.
    llm: BaseChatModel = Field(kw_only=False)
    """The wrapped model, also as the first argument. A binding such as `ChatOpenAI().bind(temperature=0.3)` is unwrapped,
    its settings kept; a name such as `"ollama:gemma2"` is made a model by langchain's `init_chat_model`."""

    cache: Any = Field(default=False, exclude=True)
    """Off, since the wrapped model's own cache is used: a second copy here would repeat tool-call ids."""

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        protected_namespaces=(),
        populate_by_name=True,
        defer_build=True,
    )

    def __init__(self, llm: Any = None, **data: Any) -> None:
        constructor.refuse_unknown(type(self), llm, data)
        constructor.refuse_bad_values(data)
        given, bound = constructor.unwrap_arguments(llm, data)
        super().__init__(**given)
        vars(self)["bound_kwargs"] = bound

    @cached_property
    def bound_kwargs(self) -> dict[str, Any]:
        """Keyword arguments for every request to the wrapped model: those of an unwrapped binding."""
        return {}

    @model_validator(mode="after")
    def _adopt_run_settings(self) -> Self:
        """Take over callbacks, tags and metadata: the wrapped model is called below its own and would lose them."""
        self.callbacks = constructor.merge_handlers(self.llm.callbacks, self.callbacks)
        self.tags = constructor.merge_tags(self.llm.tags, self.tags)
        inner, outer = self.llm.metadata or {}, self.metadata or {}
        self.metadata = {**inner, **outer}
        if versions := {**inner.get("lc_versions", {}), **outer.get("lc_versions", {})}:
            self.metadata["lc_versions"] = versions
        self.output_version = self.output_version or self.llm.output_version
        self._add_version("langchain-toolemu", __version__)
        return self

    @field_serializer("llm", when_used="json")
    def _serialize_name(self, value: Any) -> Any:
        """As in a repr: class and name of the wrapped model."""
        return repr(_NameOnly(value))

    @override
    def configurable_fields(self, **kwargs: AnyConfigurableField) -> RunnableSerializable[Any, Any]:
        """As on every chat model; LangChain makes a copy of the fields, which a binding is none of."""
        if self.bound_kwargs:
            raise ToolSpecError(
                "Fields cannot be configured where a binding was wrapped. "
                "Wrap the model itself, and bind on the wrapper.",
                code="bound_already",
            )
        return super().configurable_fields(**kwargs)

    @cached_property
    @override
    def _serialized(self) -> dict[str, Any]:
        """What traces show of it; a dump that somebody asks for holds the headers, as ChatOpenAI's."""
        shown: dict[str, Any] = redact(super()._serialized)
        return shown

    @cached_property
    def _redacted(self) -> list[dict[str, Any]]:
        """Settings, and what traces show of them: they are asked for at every call."""
        return [{}, {}]

    # --- calling the wrapped model ---
    # Below its callbacks, where its cache, rate limiter and output version still work: a nested `invoke`
    # would fire every callback twice, count usage twice and show the contract in LangGraph's token stream.

    def _request_defaults(self, stop: Stop) -> tuple[Stop, dict[str, Any]]:
        """What every request has: the stop sequences, unless a call brings its own, and all other settings."""
        always = dict(self.bound_kwargs)
        own = always.pop("stop", None)
        return own if stop is None else stop, always

    async def _astep(
        self,
        step: Callable[..., T],
        *given: Any,
        often: bool = False,  # noqa: ARG002 - as for each piece of a reply
    ) -> T:
        """Do what needs no I/O; a server may do it elsewhere than on its event loop."""
        return step(*given)

    def _send(self, request: Request, run_manager: Any = None) -> ChatResult:
        llm, request = self._resolve_model(request)
        with observe_request(llm, request) as observe:
            result = llm._generate_with_cache(
                request.messages, stop=request.stop, run_manager=run_manager, **request.kwargs
            )
            return self._show_whole(request, result, observe)

    async def _asend(self, request: Request, run_manager: Any = None) -> ChatResult:
        llm, request = await self._astep(self._resolve_model, request)
        with observe_request(llm, request) as observe:
            result = await llm._agenerate_with_cache(
                request.messages, stop=request.stop, run_manager=run_manager, **request.kwargs
            )
            return self._show_whole(request, result, observe)

    def _send_streaming(self, request: Request) -> Generator[ChatGenerationChunk, None, None]:
        """The reply in pieces; in one piece where the wrapped model does not stream."""
        llm, request = self._resolve_model(request)
        streams = not request.whole and _can_stream(llm, async_api=False, **request.kwargs)
        if not (request.delegated or streams):
            yield as_chunk(self._send(request).generations[0])
            return
        if llm.rate_limiter:
            llm.rate_limiter.acquire(blocking=True)
        pieces = llm._stream(request.messages, stop=request.stop, **request.kwargs)
        # An iterator that is no generator has nothing to close.
        closer: Any = closing(pieces) if hasattr(pieces, "close") else nullcontext()
        shape = self._output_shape(request)
        with observe_request(llm, request) as observe, closer:
            for piece in pieces:
                observe(piece)
                yield shape(piece) if shape else piece

    async def _asend_streaming(self, request: Request) -> AsyncGenerator[ChatGenerationChunk, None]:
        llm, request = await self._astep(self._resolve_model, request)
        streams = not request.whole and _can_stream(llm, async_api=True, **request.kwargs)
        if not (request.delegated or streams):
            yield as_chunk((await self._asend(request)).generations[0])
            return
        if llm.rate_limiter:
            await llm.rate_limiter.aacquire(blocking=True)
        stream = llm._astream(request.messages, stop=request.stop, **request.kwargs)
        closer: Any = aclosing(stream) if hasattr(stream, "aclose") else nullcontext()
        shape = self._output_shape(request)
        with observe_request(llm, request) as observe:
            async with closer:
                async for piece in stream:
                    observe(piece)
                    yield shape(piece) if shape else piece

    def _show_whole(
        self, request: Request, result: ChatResult, observe: Callable[[ChatGeneration], None]
    ) -> ChatResult:
        for generation in result.generations:
            observe(generation)
        shape = self._output_shape(request)
        if shape is None:
            return result
        return result.model_copy(update={"generations": [*map(shape, result.generations)]})

    def _output_shape(self, request: Request) -> Callable[[Received], Received] | None:
        """What makes standard blocks of a reply, whole or in pieces, where the wrapper is to show those."""
        if self.output_version != "v1" or request.delegated:
            return None
        numbers = BlockNumbers()

        def convert(reply: Received) -> Received:
            message: Any = in_standard_blocks(reply.message, gives_thoughts=self._gives_thoughts)
            if message is not reply.message and isinstance(reply, ChatGenerationChunk):
                numbers.number(message)
            return type(reply)(message=message, generation_info=reply.generation_info)

        return convert

    @property
    def _gives_thoughts(self) -> bool:
        return False

    def _resolve_model(self, request: Request) -> tuple[BaseChatModel, Request]:
        llm = request.kwargs.get(MODEL, self.llm)
        if MODEL in request.kwargs:
            request = replace(request, kwargs=without((MODEL,), request.kwargs))
        if not request.stream_usage and getattr(llm, "stream_usage", None):  # as ChatOpenAI has it
            llm = llm.model_copy(update={"stream_usage": False})
        return llm, _with_fields_in_body(llm, request)

    # --- what the wrapped model answers for itself ---

    @property
    def model_name(self) -> str:
        """The wrapped model's name: agents choose strategies by it, so it must not be ours."""
        return model_name_of(self.llm) or type(self.llm).__name__

    @override
    def _streaming_disabled(self, **kwargs: Any) -> bool:
        return super()._streaming_disabled(**kwargs) or self.llm._streaming_disabled(**kwargs)

    @override
    def _should_stream(self, *, async_api: bool, run_manager: Any = None, **kwargs: Any) -> bool:
        """As the wrapped model would: `ChatOpenAI(streaming=True)` streams on `invoke`, for its callbacks.

        One that cannot stream must not look as if it could: LangChain shows its messages in another way.
        """
        options = {"async_api": async_api, "run_manager": run_manager, **kwargs}
        return self.llm._should_stream(**options) and not super()._streaming_disabled(**kwargs)

    @override
    def _should_use_protocol_streaming(
        self, *, async_api: bool, run_manager: Any = None, **kwargs: Any
    ) -> bool:
        options = {"async_api": async_api, "run_manager": run_manager, **kwargs}
        streams = super()._should_use_protocol_streaming(**options)
        return streams and _can_stream(self.llm, async_api=async_api, **kwargs)

    @override
    def _get_ls_params(self, stop: Stop = None, **kwargs: Any) -> LangSmithParams:
        # The provider stays the wrapped model's: SummarizationMiddleware compares it with the metadata's.
        stop, always = self._request_defaults(stop)
        return self.llm._get_ls_params(stop=stop, **{**always, **kwargs})

    @override
    def _get_invocation_params(self, stop: Stop = None, **kwargs: Any) -> dict[str, Any]:
        # What traces show. LangChain puts the headers of a binding or a call there as they are.
        # The tools are among it already, and of no use in the wrapped model's form.
        own = {**self.asdict(), "stop": stop}
        settings, shown = self._redacted
        if settings != own:
            shown = redact(own)
            self._redacted[:] = own, shown
        return {**shown, **redact(without(INTERNAL, kwargs))}

    @override
    def _get_llm_string(self, stop: Stop = None, **kwargs: Any) -> str:
        # A cache's key: not redacted, or two tenants told apart by a header would share their replies. The wrapped model's
        # own key knows the rest, such as the server.
        ours = str(sorted(super()._get_invocation_params(stop=stop, **kwargs).items()))
        return f"{self.llm._get_llm_string()}---{ours}"

    @override
    def _resolve_model_profile(self) -> ModelProfile | None:
        return self.llm.profile

    @override
    def _combine_llm_outputs(self, llm_outputs: list[dict[str, Any] | None], /) -> dict[str, Any]:
        # Without it, `generate` over several prompts would lose the token usage.
        return self.llm._combine_llm_outputs(llm_outputs)

    @override
    def _convert_cached_generations(self, cache_val: list[Generation]) -> list[ChatGeneration]:
        # A cache that was given to the wrapper itself: the wrapped model's own never sees our ids.
        shown = []
        for cached in super()._convert_cached_generations(cache_val):
            if isinstance(cached.message, AIMessage):
                cached = cached.model_copy(update={"message": with_new_ids(cached.message)})
            shown.append(cached)
        return shown

    @property
    def _counter(self) -> BaseChatModel:
        """What counts tokens: the wrapped model, with a way to count that was given to the wrapper."""
        counting = self.custom_get_token_ids
        if counting is None:
            return self.llm
        return self.llm.model_copy(update={"custom_get_token_ids": counting})

    @override
    def get_token_ids(self, text: str) -> list[int]:
        return self._counter.get_token_ids(text)

    @override
    def get_num_tokens(self, text: str) -> int:
        return self._counter.get_num_tokens(text)

    @override
    def get_num_tokens_from_messages(
        self,
        messages: list[BaseMessage],
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool] | None = None,
        **kwargs: Any,
    ) -> int:
        return self._counter.get_num_tokens_from_messages(messages, tools, **kwargs)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Of the wrapped model only class and name: its headers may hold secrets, as a binding's may."""
        yield None, _NameOnly(self.llm)
        if self.bound_kwargs:
            yield "bound", redact(self.bound_kwargs)


def _can_stream(llm: BaseChatModel, *, async_api: bool, **kwargs: Any) -> bool:
    return llm._should_stream(async_api=async_api, **{**kwargs, "stream": True})


def _with_fields_in_body(llm: BaseChatModel, request: Request) -> Request:
    """A request whose past messages keep their signatures on the way, and their reasoning where it must reach the server.

    ChatOllama sends what a message holds. Clients in OpenAI's protocol, such as ChatOpenAI and ChatDeepSeek, write only the
    fields that OpenAI knows: the messages are handed to them in `extra_body` too, which they add to the request as it is.
    """
    write = getattr(llm, "_get_request_payload", None)
    if request.delegated or not (write and hasattr(llm, "extra_body")):
        return request
    sends, messages = request.sends_reasoning, request.messages
    held = [reasoning_fields(message) for message in messages] if sends else [{}] * len(messages)
    if not (any(held) or any(has_extras(sent) for sent in messages if sent.additional_kwargs)):
        return request
    written = write(messages, stop=request.stop, **request.kwargs).get("messages")
    if not isinstance(written, list) or len(written) != len(held):  # the Responses API
        return request
    body = request.kwargs.get("extra_body") or getattr(llm, "extra_body", None) or {}
    sent = [
        with_extras(message, {**payload, **fields})
        for message, payload, fields in zip(messages, written, held, strict=True)
    ]
    kwargs = {**request.kwargs, "extra_body": {**body, "messages": sent}}
    return replace(request, kwargs=kwargs)


class _NameOnly:
    def __init__(self, llm: BaseChatModel) -> None:
        self._llm = llm

    def __repr__(self) -> str:
        return f"{type(self._llm).__name__}({model_name_of(self._llm)!r})"
