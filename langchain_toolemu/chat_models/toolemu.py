"""`ChatToolEmu`, the chat model that users see: binds tools, and drives turns, by four short loops over one `Turn`."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, closing, suppress
from inspect import signature
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import BaseModel
from typing_extensions import Unpack, override

from langchain_toolemu.capability import Support
from langchain_toolemu.chat_models import bindings, diagnostics
from langchain_toolemu.chat_models.constructor import refuse_near, show_options
from langchain_toolemu.chat_models.setup import TurnSetup
from langchain_toolemu.chat_models.structured_output import structured_output
from langchain_toolemu.chat_models.wrapper import Stop
from langchain_toolemu.messages.chunks import with_reasons
from langchain_toolemu.tools import (
    ToolLike,
    bindable_choice,
    choice_among,
    forbids_parallel,
    list_tools,
    read_functions,
    to_openai_tools,
    warn_of_bare,
)
from langchain_toolemu.turn.turn import Turn
from langchain_toolemu.turn.turn_input import Request

if TYPE_CHECKING:
    from langchain_toolemu.chat_models.constructor_types import ToolEmuOptions, Wrappable

_BINDING_OPTIONS = ("tool_choice", "strict", "parallel_tool_calls", "response_format")


class ChatToolEmu(TurnSetup):
    """Gives tool calling to any chat model.

    If the provider supports tools, requests pass through. If not, the tools go into the prompt and the reply is
    parsed. It emulates tool *calling*; it never runs a tool.

    Setup:
        Install the package, and that of the model you wrap.

        ```bash
        pip install langchain-toolemu langchain-ollama
        ```

    Instantiate:
        ```python
        from langchain_ollama import ChatOllama

        from langchain_toolemu import ChatToolEmu

        llm = ChatToolEmu(ChatOllama(model="gemma2"))  # or ChatToolEmu("ollama:gemma2")
        ```

    Invoke:
        ```python
        llm.invoke("Say hello.").text
        ```

    Stream:
        ```python
        for chunk in llm.stream("Say hello."):
            print(chunk.text, end="")
        ```

    Async:
        ```python
        async def say_hello() -> str:
            return (await llm.ainvoke("Say hello.")).text
        ```

    Tool calling:
        ```python
        def get_weather(city: str) -> str:
            '''Get the weather of a city.'''
            return f"22 degrees in {city}"


        message = llm.bind_tools([get_weather]).invoke("What is the weather in Paris?")
        message.tool_calls  # [{'name': 'get_weather', 'args': {'city': 'Paris'}, 'id': ...}]
        ```

    Structured output:
        ```python
        from pydantic import BaseModel


        class Person(BaseModel):
            '''A person.'''

            name: str
            age: int


        llm.with_structured_output(Person).invoke("Ann is 42.")  # Person(name='Ann', age=42)
        ```

    Response metadata:
        ```python
        message.response_metadata["toolemu"]["path"]  # 'native', 'emulated' or 'rescued'
        ```

    Args:
        llm: The chat model to wrap, a binding of one, or a name such as `"ollama:gemma2"`.
        mode (str): Who calls tools. `"fallback"`, the default: the provider if it can, otherwise
            this package. `"force"`: always this package. `"off"`: always the provider, unchanged.
            The environment variable `TOOLEMU_MODE` sets the default.
        flow (str): `"inline"`, the default: one request brings calls or the answer. `"decision"`:
            one request decides on a call, a second one answers.
        tool_support (str or None): What you know about the model's own tool calling: `"native"` or
            `"none"`. By default it is detected.
        model_size (float or None): The model's size in billions of parameters, such as 0.5 or 7. By
            default it is taken from the server or the model's name.
        contract (Recipe, dict or str): How the model is asked for calls: a `Recipe`, or its fields
            in a dict. By default it depends on the model's size.
        policy (str or CallPolicy): Which calls are questioned: `"trust"`, `"default"`, `"careful"`,
            `"strict"` or a policy of your own. By default `"careful"` below 2 billion parameters,
            else `"default"`.
        max_reasks (int): How many corrections a turn may send to the model; 2 by default.
        on_failure (str): If a demanded call never comes: `"error"`, the default, raises a
            `ToolChoiceError`, `"continue"` returns the reply with a warning.
        max_tool_rounds (int): After so many rounds of calls since the last user message, an
            emulated turn asks for the answer without tools; 50 by default.
        max_tool_result_chars (int or None): Longer tool results are cut in emulated requests, and
            the text says by how much. By default none is.
        reasoning (str): What happens to reasoning in the text, such as `<think>...</think>`.
            `"keep"`, the default: it stays. `"blocks"`: it becomes reasoning blocks in
            `content_blocks`. `"drop"`: it is left out, and a warning says so.
    """

    if TYPE_CHECKING:
        # What is left out and what a subclass declares is known only at run time, where `Wrapper` looks.
        def __init__(self, llm: Wrappable, **options: Unpack[ToolEmuOptions]) -> None: ...

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

        Returns:
            A binding; in mode `"off"` what the wrapped model's own method makes of it.

        Raises:
            ToolSpecError: A tool that cannot be described, or a choice that names no bound tool.

        Example:
            ```python
            llm.bind_tools([get_weather], tool_choice="get_weather")
            ```
        """
        options = bindings.drop_none(
            strict=strict, parallel_tool_calls=parallel_tool_calls, response_format=response_format
        )
        if self.mode == "off":
            given = {**bindings.drop_none(tool_choice=tool_choice), **options, **kwargs}
            own = self.llm.bind_tools(bindings.unmarked(tools), **given)
            return bindings.rebase(own, self.llm, self)  # type: ignore[no-any-return]
        refuse_near("bind_tools", kwargs, _BINDING_OPTIONS)
        tools = list_tools(tools)
        if forbids_parallel(tool_choice):
            options = {"parallel_tool_calls": False, **options}
        described = to_openai_tools(tools, strict=strict)
        warn_of_bare(described, self._told_bare)
        choice = bindable_choice(described, tool_choice)
        if not described:
            choice_among(described, tool_choice).check_tools_bound()
        terms = {"tools": described, **options, **bindings.drop_none(tool_choice=choice)}
        native = None
        if self.mode == "fallback" and described:
            with suppress(NotImplementedError):  # it has no `bind_tools`
                native = bindings.bind_natively(self.llm, tools, tool_choice, options)
        if native is None:
            read_functions(described)
            choice_among(described, tool_choice).check_emulable()
            return self.bind(**kwargs, **terms)
        kept = bindings.binding_kwargs(terms, native.request_kwargs(self.llm))
        bound = self.bind(**kwargs, **kept)
        return bound.with_config(native.config) if native.config else bound

    @override
    def with_structured_output(
        self, schema: Any = None, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, dict[str, Any] | BaseModel]:
        """Answers in the form of a schema: by the wrapped model's own method, emulated if it has none or it fails.

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
            return bindings.rebase(chain, self.llm, self)  # type: ignore[no-any-return]
        return structured_output(self, schema, include_raw=include_raw, **kwargs)

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
        """The messages that emulation would send. Traces show only what you sent.

        In mode `"off"` nothing is ever changed, and the messages come back as they are. The first message names the recipe
        in `additional_kwargs["toolemu_recipe"]`; in mode `"fallback"`, where the model would be asked natively first,
        `additional_kwargs["toolemu_note"]` says so.

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
        terms = bindings.drop_none(tool_choice=tool_choice, parallel_tool_calls=parallel_tool_calls)
        capability = self._capability(kwargs)
        turn = self._turn(conversation, stop, {**kwargs, **terms, "tools": described}, capability)
        first, *rest = turn.emulated_messages()
        known = capability.known
        notes = {"toolemu_recipe": self._template(known)[1]}
        asks = bool(described or kwargs.get("response_format"))
        if asks and turn.path == "native":
            notes["toolemu_note"] = _natively_first(known.support)
        named = {**first.additional_kwargs, **notes}
        return [first.model_copy(update={"additional_kwargs": named}), *rest]

    @override
    def get_num_tokens_from_messages(
        self, messages: list[BaseMessage], tools: Sequence[ToolLike] | None = None, **kwargs: Any
    ) -> int:
        """The tokens of what would be sent: where calls are emulated, the contract is in the messages.

        Args:
            messages: The conversation.
            tools: The tools that would be bound.
            **kwargs: As the wrapped model takes them, such as ChatOpenAI's `allow_fetching_images`.
        """
        if self.mode != "off":
            bound = {"tools": to_openai_tools(tools or ())}
            turn = self._turn(messages, None, bound, self._capability({}))
            if turn.path == "emulated":
                return super().get_num_tokens_from_messages(turn.emulated_messages(), **kwargs)
        return super().get_num_tokens_from_messages(messages, tools, **kwargs)  # type: ignore[arg-type]

    # --- the four drivers ---

    @override
    def _generate(
        self, messages: list[BaseMessage], stop: Stop = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        if self.mode == "off":
            return self._send(self._delegated_request(messages, stop, kwargs))
        with self._open_turn(messages, stop, kwargs) as turn:
            while request := turn.ask():
                try:
                    result = self._send(request)
                except Exception as error:
                    if not turn.goes_on_after(error):
                        raise
                else:
                    turn.take(result)
            return turn.result()

    @override
    async def _agenerate(
        self, messages: list[BaseMessage], stop: Stop = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        if self.mode == "off":
            return await self._asend(self._delegated_request(messages, stop, kwargs))
        async with self._aopen_turn(messages, stop, kwargs) as turn:
            while request := await self._astep(turn.ask):
                try:
                    result = await self._asend(request)
                except Exception as error:
                    if not await self._astep(turn.goes_on_after, error):
                        raise
                else:
                    await self._astep(turn.take, result)
            return await self._astep(turn.result)

    @override
    def _stream(
        self, messages: list[BaseMessage], stop: Stop = None, run_manager: Any = None, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        if self.mode == "off":
            return self._send_streaming(self._delegated_request(messages, stop, kwargs))
        return self._stream_turn(messages, stop, kwargs)

    def _stream_turn(
        self, messages: list[BaseMessage], stop: Stop, kwargs: dict[str, Any]
    ) -> Iterator[ChatGenerationChunk]:
        with self._open_turn(messages, stop, kwargs) as turn:
            while request := turn.ask():
                try:
                    yield from self._feed_stream(turn, request)
                except Exception as error:
                    if not turn.goes_on_after(error):
                        yield from turn.abandon()
                        raise
                else:
                    yield from turn.end()
            yield from turn.close()

    @override
    def _astream(
        self, messages: list[BaseMessage], stop: Stop = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        if self.mode == "off":
            return self._asend_streaming(self._delegated_request(messages, stop, kwargs))
        return self._astream_turn(messages, stop, kwargs)

    async def _astream_turn(
        self, messages: list[BaseMessage], stop: Stop, kwargs: dict[str, Any]
    ) -> AsyncIterator[ChatGenerationChunk]:
        async with self._aopen_turn(messages, stop, kwargs) as turn:
            while request := await self._astep(turn.ask):
                try:
                    async with aclosing(self._afeed_stream(turn, request)) as chunks:
                        async for chunk in chunks:
                            yield chunk
                except Exception as error:
                    if not await self._astep(turn.goes_on_after, error):
                        for chunk in turn.abandon():
                            yield chunk
                        raise
                else:
                    for chunk in await self._astep(turn.end):
                        yield chunk
            for chunk in await self._astep(turn.close):
                yield chunk

    for _driver in (_generate, _agenerate):
        # LangChain looks at it in each call, and would make it each time.
        _driver.__signature__ = signature(_driver)  # type: ignore[union-attr]
    del _driver

    def _feed_stream(self, turn: Turn, request: Request) -> Iterator[ChatGenerationChunk]:
        """The chunks a turn shows of a streamed reply; reading stops if the reply gets too long."""
        with closing(self._send_streaming(request)) as pieces:
            for piece in pieces:
                yield from turn.feed(piece)
                if turn.reply_too_long:
                    return

    async def _afeed_stream(
        self, turn: Turn, request: Request
    ) -> AsyncGenerator[ChatGenerationChunk, None]:
        async with aclosing(self._asend_streaming(request)) as pieces:
            async for piece in pieces:
                for chunk in await self._astep(turn.feed, piece, often=True):
                    yield chunk
                if turn.reply_too_long:
                    return

    # --- around the drivers: the cache and the trace ---

    @property
    def _delegates(self) -> bool:
        """Whether calls go straight to the wrapped model, with its cache, its rate limiter and its streaming."""
        own = self.cache or self.rate_limiter or self.output_version != self.llm.output_version
        return self.mode == "off" and not own

    @override
    def _generate_with_cache(
        self, messages: list[BaseMessage], stop: Stop = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        if self._delegates:
            return self._send(self._delegated_request(messages, stop, kwargs), run_manager)
        # The one place that knows both the run and what came of it: streams are not told their run.
        with diagnostics.traced_failure(run_manager):
            result = super()._generate_with_cache(messages, stop, run_manager, **kwargs)
        return _finish_run(run_manager, result)

    @override
    async def _agenerate_with_cache(
        self, messages: list[BaseMessage], stop: Stop = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        if self._delegates:
            return await self._asend(self._delegated_request(messages, stop, kwargs), run_manager)
        with diagnostics.traced_failure(run_manager):
            result = await super()._agenerate_with_cache(messages, stop, run_manager, **kwargs)
        return _finish_run(run_manager, result)


def _finish_run(run_manager: diagnostics.RunManager | None, result: ChatResult) -> ChatResult:
    """Trace a result. LangChain may have merged it from chunks without the reasons why calls cannot run."""
    for generation in result.generations:
        generation.message = with_reasons(generation.message)
    for first in result.generations[:1]:
        report = first.message.response_metadata.get("toolemu")
        diagnostics.trace_report(run_manager, report)
    return result


show_options(ChatToolEmu, first="llm")


def _natively_first(support: Support) -> str:
    if support.verdict == "unknown":
        return (
            "nothing is known of this model yet: it is asked natively first, unless its server says that it calls no tools, "
            "and this is sent only if that fails"
        )
    return f"this model is asked natively ({support.reason}), and this is sent only if that fails"
