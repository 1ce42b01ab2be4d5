"""One turn of a client: what `ChatToolEmu` is given, and what it answers.

`ChatToolEmu` decides whatever concerns tools. Here is what only a request has:
its name for the model, the limit of the reply, and tools that are built into a provider.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from traceback import walk_tb
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage, SystemMessage
from langchain_core.messages.utils import count_tokens_approximately

from langchain_toolemu.capability import Capability
from langchain_toolemu.capability.endpoints import client_kind, secrets_of
from langchain_toolemu.chat_models.bindings import any_object_kwargs
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.chat_models.unwatched_run import stream_run
from langchain_toolemu.contract.response_format import is_free
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.messages.content import blocks_of, simplest
from langchain_toolemu.model_facts.overflow import ReplyLimit
from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.answer import Answer, AnswerPart, AnswerReader
from langchain_toolemu.serve.faults import Fault, fault_of, invalid, upstream_fault
from langchain_toolemu.serve.forwarding import forward, is_volatile
from langchain_toolemu.serve.gateway import ServedModel, whole_replies
from langchain_toolemu.serve.protocol import ClientRequest, R, RawRequest, WireProtocol
from langchain_toolemu.tools.specs import function_name
from langchain_toolemu.validation.schema_check import wrong_keyword

_TEMPLATE_TOKENS = 64
_CONTRACT_TOKENS = 400  # besides the tools, which take fewer than their JSON
_VOLATILE_NAME = "system.x-anthropic-billing-header"
# The arguments that make an upstream write JSON.
_JSON_MODES: Mapping[str, dict[str, Any]] = {
    "openai": {"response_format": {"type": "json_object"}}, "ollama": {"format": "json"},
}  # fmt: skip
# The functions of chat models, and of Ollama's client, that write a request.
_UNWRITABLE = (ValueError, TypeError, LookupError, AttributeError)
_WRITERS = frozenset({"_get_request_payload", "_chat_params", "_copy_messages", "model_dump"})


class TurnError(Exception):
    """A turn failed; the cause is an error of the upstream or of the model."""


class PreparedTurn:
    """A request to a model as a turn that can begin."""

    def __init__(self, request: ClientRequest, served: ServedModel) -> None:
        self.llm = served.upstream
        model = self.model = served.model_for(request)
        if request.client_functions:
            request = _with_client_functions(request)
        form, choice, find = request.response_format, request.tool_choice, served.known.find_or_make
        if model.mode != "off":  # else the upstream judges them itself
            find(["schemas", request.tools, form], lambda: _check_schemas(request))
        self._request = request
        forwarded, dropped = forward(request, model.llm)
        left_out, tools = _built_ins(request), [*request.tools]
        demanded = None if choice in ("auto", "none") else choice
        terms = {"parallel_tool_calls": request.parallel, "tool_choice": demanded}
        unknown = [name for name in terms if terms[name] is not None and not _takes_terms(model)]
        if choice == "none" and not _takes_terms(model):
            tools = []  # they would be called
        bound = [request.policy, request.thoughts_apart, tools, choice, request.parallel, form]
        self._own = {**find(bound, lambda: _tool_kwargs(request, model, tools))}
        self._own |= {"model": request.model} if served.takes_any_name else {}
        self.kwargs = {**forwarded, **self._own}  # arguments of the chat model
        fitted = _messages(request, model)
        messages = [*map(_without_volatile, fitted)] if served.drops_volatile else fitted
        self.messages = [message for message in messages if message]
        named = (*(f"tools.{name}" for name in left_out), *unknown)
        volatile = [_VOLATILE_NAME] if messages != fitted else []
        self.dropped = (*request.dropped, *dropped, *named, *volatile)
        self.upstream_name = request.model if served.takes_any_name else served.upstream_name
        most = request.limit[1] if request.limit and model.mode != "off" else 0
        self.limit = ReplyLimit(most if most > 0 else None)

    @property
    def about(self) -> dict[str, Any]:
        """What clients are told about the turn."""
        cap = {"max_tokens": self.limit.cap} if self.limit.cap else {}
        known = {"mode": self.model.mode, "model": self.upstream_name}
        return {**known, "dropped": list(self.dropped), **cap}

    def reader(self, *, is_whole: bool = False) -> AnswerReader:
        """What reads the answer."""
        in_form = bool(self._request.response_format and self._request.tools)
        return AnswerReader(is_whole=is_whole, in_form=in_form and self.model.mode != "off")

    async def answer(self) -> Answer:
        """The answer in one piece; raises a `TurnError` if there is none."""
        reader = self.reader(is_whole=True)
        whole_replies.set(True)
        async for _ in self.stream(reader):
            pass
        reader.end()
        return reader.answer

    async def stream(self, reader: AnswerReader) -> AsyncGenerator[list[AnswerPart], None]:
        """The parts of the answer as they come; a second try has a lower limit.

        Raises a `TurnError` if it breaks off, or never comes.
        """
        begun = False
        while self.messages:  # without any, Ollama's clients load a model: nothing to do here
            try:
                await self._fit_limit()
                given = self.messages, self._request.stop, self._capped_kwargs()
                async with aclosing(stream_run(self.model, *given)) as stream:
                    async for chunk in stream:
                        begun = True
                        if isinstance(chunk, AIMessageChunk) and (parts := reader.feed(chunk)):
                            yield parts
                return
            except Exception as error:
                fit_after = self.limit.fit_after
                if begun or not await off_loop.run(fit_after, error, self._estimate):
                    raise TurnError from error

    def _capped_kwargs(self) -> dict[str, Any]:
        if not (self.limit.cap and self._request.limit):
            return self.kwargs
        capped = replace(self._request, limit=(self._request.limit[0], self.limit.cap))
        return {**forward(capped, self.model.llm)[0], **self._own}

    async def _fit_limit(self) -> None:
        """Lower the limit to what fits the window, if the server tells it."""
        if self.limit.most is not None:
            capability = Capability(self.model.llm, self.kwargs.get("model"))
            await capability.aconsult()
            if window := capability.known.told_window:
                await off_loop.run(self.limit.fit, window, self._estimate)

    def sent_texts(self) -> Iterator[str]:
        """What the upstream may have been sent, as far as it can be told afterwards."""
        yield from (message.text for message in self.messages)
        with suppress(Exception):  # what cannot be written now was not sent either
            sent = self.model.preview(self.messages, tools=self.kwargs.get("tools") or ())
            yield from (message.text for message in sent)

    def fault_of(self, error: Exception, *, was_sent: bool) -> Fault:
        """What the client is told of an error that ended the turn."""
        frames = {frame.f_code.co_name for frame, _ in walk_tb(error.__traceback__)}
        if not (frames & _WRITERS or (isinstance(error, _UNWRITABLE) and not was_sent)):
            return upstream_fault(error, self.sent_texts(), self.model.llm)
        # It cannot be written in the upstream's protocol, such as a file by its URL.
        reason = error if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        message = f"The upstream cannot be sent these messages, tools or response_format: {reason}"
        fault = fault_of(ValueError(message), self.sent_texts(), secrets_of(self.model.llm))
        return replace(fault, status=400, code="invalid_value", param="messages")

    async def count_tokens(self) -> int:
        """The tokens of the first request: counted by ChatAnthropic, else estimated."""
        # Other chat models would download a tokenizer, which is another model's.
        model, tools = self.model, self.kwargs.get("tools") or []
        if client_kind(model.llm) == "anthropic":
            count = model.get_num_tokens_from_messages
            return await asyncio.to_thread(count, self.messages, tools)
        lacks_tools = model.mode == "fallback" and model.tool_support.verdict == "none"
        if tools and (model.mode == "force" or lacks_tools):
            shown = await off_loop.run(partial(model.preview, self.messages, tools=tools))
            return await off_loop.run(count_tokens_approximately, shown)
        counting = partial(count_tokens_approximately, self.messages, tools=tools or None)
        return await off_loop.run(counting)

    def _estimate(self) -> int:
        """The tokens of the prompt, rather too many: a template adds some, a contract more."""
        tools = self.kwargs.get("tools") or None
        added = _CONTRACT_TOKENS if tools else _TEMPLATE_TOKENS
        return count_tokens_approximately(self.messages, tools=tools) * 5 // 4 + added


def read_turn(
    protocol: WireProtocol[R], raw: RawRequest, served: ServedModel
) -> tuple[R, PreparedTurn]:
    """A request and its turn; a `RequestError` or a `ToolSpecError` for an invalid one."""
    try:
        body = raw.body
        for messages, tools in (("messages", "tools"), ("input", "functions")):
            raw.check_counts(body.get(messages), body.get(tools))
        request = protocol.read(raw)
        # Several may have been in one, or in what the request refers to.
        offered = [*request.tools, *request.built_ins]
        raw.check_counts([*request.messages], offered)
        raw.check_tools(offered, request.response_format)
        return request, PreparedTurn(request, served)
    except ToolSpecError:
        raise
    except (TypeError, AttributeError, LookupError, ValueError, RecursionError) as error:
        raise invalid(f"The request cannot be read: {type(error).__name__}.") from error


def _check_schemas(request: ClientRequest) -> None:
    schemas: dict[str, Any] = {}
    for at, tool in enumerate(request.tools):
        function, place = tool.get("function", tool), f"tools[{at}] ({function_name(tool)})"
        schemas |= {
            f"{place}.{name}": function.get(name) for name in ("parameters", "input_schema")
        }
    if isinstance(form := (request.response_format or {}).get("json_schema"), dict):
        schemas["response_format.schema"] = form.get("schema")
    for place, schema in schemas.items():
        if schema is not None and (wrong := wrong_keyword(schema, place)):
            where, wanted = wrong
            raise invalid(f"Invalid type for '{where}': it must be {wanted}.", where)


def _with_client_functions(request: R) -> R:
    """The request with functions instead of built-in tools that the client runs itself."""
    names = [tool["name"] for tool in request.client_functions]
    rest = [tool for tool in request.built_ins if tool.get("name") not in names]
    return replace(request, tools=[*request.tools, *request.client_functions], built_ins=rest)


def _messages(request: ClientRequest, model: ChatToolEmu) -> list[BaseMessage]:
    """The messages; text parts of Chat Completions become a string, as many servers need."""
    if model.mode == "off" or request.wire != "openai_chat":
        return list(request.messages)

    def fit(message: BaseMessage) -> BaseMessage:
        parts = blocks_of(message.content)
        kinds = [part.get("type") if isinstance(part, dict) else "text" for part in parts]
        if isinstance(message.content, str) or {*kinds} - {"text"}:
            return message
        return message.model_copy(update={"content": simplest(parts)})

    return list(map(fit, request.messages))


def _without_volatile(message: BaseMessage) -> BaseMessage | None:
    """A message without Claude Code's first line; `None` if nothing is left of it."""
    match blocks_of(message.content) if isinstance(message, SystemMessage) else []:
        case [{"type": "text", "text": str(text), **more}, *rest] if is_volatile(text):
            left = text.partition("\n")[2].lstrip("\n")
            blocks = [{"type": "text", "text": left, **more}, *rest] if left else rest
            content = left if isinstance(message.content, str) else blocks
            return message.model_copy(update={"content": content}) if content else None
    return message


def _built_ins(request: ClientRequest) -> list[str]:
    """The provider's own tools, which are not sent: they may name a model or an address."""
    names = [function_name(tool) or str(tool.get("type")) for tool in request.built_ins]
    words = {*names, *(str(tool.get("type")) for tool in request.built_ins)}
    choice = request.tool_choice
    demanded = choice.get("type") if isinstance(choice, dict) else choice
    if names and (not request.tools or demanded in words):
        message = f"Tools that are built into a provider cannot be called here: {', '.join(names)}."
        raise invalid(f"{message} Offer function tools.", "tools")
    return names


def _takes_terms(model: ChatToolEmu) -> bool:
    """Whether the model takes a tool choice and a limit to one call: not ChatOllama in mode off."""
    return model.mode != "off" or client_kind(model.llm) != "ollama"


def _tool_kwargs(
    request: ClientRequest, model: ChatToolEmu, tools: list[dict[str, Any]]
) -> Mapping[str, Any]:
    """Tools, choice and response format as arguments of the chat model."""
    form = request.response_format
    if form and is_free(form):  # there is no schema to bind
        rest = _tool_kwargs(replace(request, response_format=None), model, tools)
        kind = client_kind(model.llm)
        # Ollama would then call no tools.
        json_mode = {} if tools and kind == "ollama" else _JSON_MODES.get(kind, {})
        return {**rest, **json_mode} if model.mode == "off" else any_object_kwargs(rest, json_mode)
    terms: dict[str, Any] = {"response_format": form} if form else {}
    if form and tools and model.mode == "off" and client_kind(model.llm) == "openai":
        # It goes as it is: ChatOpenAI's `bind_tools` would make another one of it.
        return {**_tool_kwargs(replace(request, response_format=None), model, tools), **terms}
    choice = request.tool_choice
    if not tools:
        if choice not in (None, "auto", "none"):
            message = "'tool_choice' is only allowed when 'tools' are specified."
            raise invalid(message, "tool_choice")
        return terms
    # Clients send true because it is the default: it says nothing of what the user wants.
    stated = request.parallel is False or model.mode == "off"
    if request.parallel is not None and stated and _takes_terms(model):
        terms["parallel_tool_calls"] = request.parallel
    if choice == "none" and client_kind(model.llm) == "anthropic":
        choice = {"type": "none"}  # ChatAnthropic would take the word for a tool's name
    try:
        bound: Any = model.bind_tools(tools, tool_choice=choice, **terms)
        return bound.kwargs  # type: ignore[no-any-return]
    except ToolSpecError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise invalid(f"The tools cannot be bound: {reason}", "tools") from error
