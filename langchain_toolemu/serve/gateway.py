"""What the endpoints share: the served models by name, who may use them, and what is recorded.

- A chat model is any that `init_chat_model` knows, or the embedded one, imported when needed.
- Nothing is retried here: the client retries, and both together would multiply.
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import ExitStack, aclosing, suppress
from contextvars import ContextVar
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import Any, TypeVar, cast

import httpx
from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.stores import ByteStore
from pydantic import ImportString, TypeAdapter, ValidationError
from typing_extensions import override

from langchain_toolemu.capability import Capability, model_name_of, set_verdict_store
from langchain_toolemu.capability.endpoints import address_of, client_kind, is_local, vendor_at
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.named_model import CheckError, create_model
from langchain_toolemu.errors import ToolEmuError
from langchain_toolemu.messages.chunks import as_chunk
from langchain_toolemu.messages.metadata import FINISH_KEYS
from langchain_toolemu.options import PolicyName, is_as_strict
from langchain_toolemu.serve import off_loop
from langchain_toolemu.serve.access import Access, Gate
from langchain_toolemu.serve.faults import BROKEN_OFF, MOST_NAME, Fault, RequestError, invalid
from langchain_toolemu.serve.forwarding import CHATS, passed_on
from langchain_toolemu.serve.inspector.turns import Recordings
from langchain_toolemu.serve.item_store import ItemStore
from langchain_toolemu.serve.metrics import Metrics
from langchain_toolemu.serve.ollama_chat.request import LATEST
from langchain_toolemu.serve.protocol import ClientRequest
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings, SettingsError
from langchain_toolemu.serve.straight import StraightTurn, Upstream, upstream_of
from langchain_toolemu.tools.specs import KnownOfData
from langchain_toolemu.turn.turn_input import Request

T = TypeVar("T")

# Shorter than servers keep a connection: one that they are about to close is not used.
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=100, keepalive_expiry=4.0)
_ANY_NAME = "*"
IN_MEMORY, OFF = "memory", "off"
_EMBEDDED_TOKENS = 512
_END_KEYS = (*FINISH_KEYS, "status", "done")
_LIST_SECONDS = 10.0
_UNLIMITED: Mapping[str, Any] = {"max_tool_rounds": sys.maxsize}  # the client owns its loop
# Whether the turn of this task asks for replies in one piece, as its client does.
whole_replies: ContextVar[bool] = ContextVar("toolemu_whole_replies", default=False)


class ServedChatToolEmu(ChatToolEmu):
    """A `ChatToolEmu` that fails if a stream breaks off, even after a whole call.

    A finish reason ends a stream, or the upstream's own word for it; a closed connection does not.
    """

    @override
    async def _astep(self, step: Callable[..., T], *given: Any, often: bool = False) -> T:
        return await off_loop.run(step, *given, often=often)

    @override
    async def _asend_streaming(self, request: Request) -> AsyncGenerator[ChatGenerationChunk, None]:
        if whole_replies.get():
            yield as_chunk((await self._asend(request)).generations[0])
            return
        # A reply in one piece is whole; other chat models may never say it.
        options = {**request.kwargs, "stream": True, "async_api": True}
        streams = self.llm._should_stream(**options)  # noqa: SLF001
        ended = not streams or client_kind(self.llm) == "other"
        async with aclosing(super()._asend_streaming(request)) as pieces:
            async for piece in pieces:
                metadata = {**(piece.generation_info or {}), **piece.message.response_metadata}
                ended = ended or any(metadata.get(key) for key in _END_KEYS)
                yield piece
        if not ended:
            raise RequestError(BROKEN_OFF)


class ServedModel:
    """One model of a gateway: the operator's settings, and `base`, made of them."""

    def __init__(self, settings: ModelSettings, base: ChatToolEmu) -> None:
        self.settings, self.name, self.base = settings, settings.name, base
        # Anthropic's own servers read that line.
        is_anthropic = vendor_at(address_of(base.llm)) == "anthropic"
        self.drops_volatile = not (settings.keep_volatile or is_anthropic)
        self.upstream: Any = base.llm
        self.upstream_name = model_name_of(base.llm) or type(base.llm).__name__
        self.takes_any_name = self.upstream_name == _ANY_NAME  # and forwards the client's
        # Of an upstream that is Ollama.
        is_ollama = client_kind(base.llm) == "ollama"
        self.ollama_client: Any = is_ollama and getattr(base.llm, "_async_client", 0)
        self.known = KnownOfData()  # of tools: most clients send the same with each request
        self._variant = lru_cache(self._make_variant)

    def answers_to(self, name: str) -> bool:
        """Whether a client's name means this model."""
        aliases = self.settings.aliases
        return name == self.name or any(fnmatchcase(name, alias) for alias in aliases)

    async def listed_names(self, http: Any) -> list[str]:
        """The names in the list of models: the upstream's own list if it takes any name."""
        if self.takes_any_name:
            # Whatever the client raises for a server that has no list or does not answer.
            with suppress(Exception):
                names = await asyncio.wait_for(self._upstream_names(http), _LIST_SECONDS)
                return [name for name in names if isinstance(name, str) and name] or [self.name]
        return [self.name]

    async def _upstream_names(self, http: Any) -> list[Any]:
        if self.server is None:
            return []
        path = "/api/tags" if self.ollama_client else "/models"
        listed = (await self.server.send(http, path)).raise_for_status().json()
        models = listed.get("data") or listed.get("models")
        return [model.get("id") or model["model"] for model in models]

    @cached_property
    def server(self) -> Upstream | None:
        """The upstream as the straight way asks it; `None` if it cannot."""
        return upstream_of(self.upstream)

    def pass_on(self, path: str, body: Mapping[str, Any], http: Any) -> StraightTurn:
        """A request with the known fields of a client's body, for the served model."""
        server, is_chat = self.server, path in CHATS
        if server is None or not (is_chat or client_kind(self.upstream) in ("openai", "ollama")):
            message = f"The server of '{self.name}' has no such path. Use another model."
            raise RequestError(Fault(404, message, "unknown_url"))
        client_name = str(body.get("model") or body.get("name"))
        fields = {name: body[name] for name in body if name not in ("model", "name")}
        sent, dropped = passed_on(path, fields, self.upstream, server.fields if is_chat else None)
        sent["model"] = client_name if self.takes_any_name else self.upstream_name
        counts = sent.pop("stream_options", None) or {}
        tells = bool(counts.get("include_usage"))
        if sent.get("stream") and path.endswith("completions"):
            counts_too = {"include_usage": True} if is_chat and self.upstream.stream_usage else {}
            if counts := {**counts, **counts_too}:
                sent["stream_options"] = counts
        about = {"mode": self.base.mode, "model": sent["model"], "dropped": [*dropped]}
        name = client_name.removesuffix(LATEST) if path == "/api/chat" else client_name
        return StraightTurn(server, http, path, sent, name, about, tells)

    def model_for(self, request: ClientRequest) -> ChatToolEmu:
        """The chat model with what a request may choose: a stricter policy, and thoughts apart."""
        chosen: dict[str, Any] = {"reasoning": "blocks"} if request.thoughts_apart else {}
        if request.policy is not None:
            chosen["policy"] = request.policy
            self._refuse_looser(request.policy, request.model)
        return self._variant(tuple(chosen.items())) if chosen else self.base

    def _refuse_looser(self, policy: PolicyName, asked_for: str) -> None:
        """Checked each time: the model's size may become known."""
        own, model = self.base.policy, asked_for if self.takes_any_name else None
        known = Capability(self.upstream, model, model_size=self.base.model_size).known
        if not is_as_strict(own, policy, known.size.billions):
            problem = f"must be at least as strict as the server's own: {own!r}"
            raise invalid(f"'toolemu.policy' {problem}.", "toolemu.policy")

    def _make_variant(self, chosen: tuple[tuple[str, Any], ...]) -> ChatToolEmu:
        """A new model, not a copy: LangChain caches what it derived from a model's settings."""
        return type(self.base)(**{**_settings_of(self.base), **dict(chosen)})


def _settings_of(model: ChatToolEmu) -> dict[str, Any]:
    fields = type(model).model_fields
    given = {name: getattr(model, name) for name in model.model_fields_set}
    return {fields[name].alias or name: value for name, value in given.items() if name in fields}


class Gateway:
    """The models, and what all requests share; a `SettingsError` if they cannot be served.

    `given` chat models, by name, replace those of the settings. The stack closes their servers.
    """

    def __init__(
        self, settings: ServerSettings, given: Mapping[str, BaseChatModel], stack: ExitStack
    ) -> None:
        served = [ServedModel(ModelSettings(name), _wrap(llm)) for name, llm in given.items()]
        self.models = served or [_make_model(model, stack) for model in settings.models]
        self.settings = settings
        self.default = _default_model(self.models, settings.default)  # for unknown names
        self.access = Access(settings)
        self.gate = Gate(settings.max_concurrency)
        self.recordings = Recordings() if settings.inspect else None
        store = open_store(settings.store)
        if store is not None:
            set_verdict_store(store)
        self.items = None if settings.store == OFF else ItemStore(store)
        self.metrics = Metrics(model.name for model in self.models)
        self._http: httpx.AsyncClient | None = None  # made when needed: certificates take a while

    def http(self) -> httpx.AsyncClient:
        """What is sent over, where the operator's chat model has no client of its own."""
        self._http = self._http or httpx.AsyncClient(limits=_LIMITS, follow_redirects=True)
        return self._http

    async def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            await self._http.aclose()

    async def listed_names(self) -> list[str]:
        """The names of all models."""
        lists = await asyncio.gather(*(model.listed_names(self.http) for model in self.models))
        return list(dict.fromkeys(name for names in lists for name in names))

    def find_model(self, name: Any) -> ServedModel:
        """The model of this name, else the default one; raises a `RequestError` for none."""
        if not isinstance(name, str) or not name:
            raise invalid("Missing required parameter: 'model'.", "model")
        if len(name) > MOST_NAME:
            raise invalid(f"'model' has more than {MOST_NAME} characters.", "model")
        names = (name, name.removesuffix(LATEST))
        served = (model for name in names for model in self.models if model.answers_to(name))
        if found := next(served, self.default):
            return found
        known = ", ".join(model.name for model in self.models)
        message = f"The model '{name}' does not exist. Available models: {known}."
        raise RequestError(Fault(404, message, "model_not_found", "model"))


def _default_model(served: Sequence[ServedModel], name: str | None) -> ServedModel | None:
    if name is None:
        return served[0] if len(served) == 1 else None
    for model in served:
        if model.name == name:
            return model
    message = f"The default model {name!r} is not among {[model.name for model in served]}."
    raise SettingsError(message)


def _make_model(settings: ModelSettings, stack: ExitStack) -> ServedModel:
    llm = _make_upstream(settings, stack)
    try:
        made = ServedChatToolEmu(llm=llm, **{**_UNLIMITED, **settings.toolemu})
    except (ToolEmuError, ValueError) as error:
        raise SettingsError(f"models.{settings.name}: {error}") from error
    return ServedModel(settings, made)


def _make_upstream(settings: ModelSettings, stack: ExitStack) -> BaseChatModel:
    """The chat model that settings describe; the stack closes its embedded server."""
    if settings.model is None:
        settings = start_embedded(settings, stack)
    variable = settings.api_key_env
    if variable and not os.environ.get(variable):
        message = f"models.{settings.name}: the variable {variable} is not set."
        raise SettingsError(message)
    own = {"base_url": settings.base_url, "api_key": os.environ[variable] if variable else None}
    given = {name: value for name, value in own.items() if value}
    try:
        return create_model(str(settings.model), _openai, **{**given, **settings.options})
    except CheckError as error:
        raise SettingsError(f"models.{settings.name}: {error.args[0]}") from error


def _openai(base_url: str | None = None, **given: Any) -> BaseChatModel:
    """OpenAI's client; at another address with the chat API, at a local one without a proxy."""
    from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI

    # A turn has its own time limit: a large model may read its prompt for minutes.
    options: dict[str, Any] = {"stream_usage": True, "stream_chunk_timeout": None}
    if base_url:
        options |= {"base_url": base_url, "use_responses_api": False}
    if base_url and is_local(base_url):
        from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

        # Certificates take a while to load, and plain HTTP needs none.
        how: dict[str, Any] = {"trust_env": False, "verify": base_url.startswith("https")}
        options["http_client"] = DefaultHttpxClient(**how)
        options["http_async_client"] = DefaultAsyncHttpxClient(**how)
    return ForwardingChatOpenAI(**{**options, **given})


def start_embedded(settings: ModelSettings, stack: ExitStack) -> ModelSettings:
    """The settings of an embedded model, with the address of a server that is started for it."""
    from langchain_toolemu.local import LocalModelError, LocalServer

    options = {"temperature": 0, "max_tokens": _EMBEDDED_TOKENS, **settings.options}
    try:
        server = stack.enter_context(LocalServer(options.pop("gguf", None)))
    except LocalModelError as error:
        raise SettingsError(str(error)) from error
    name, url = f"openai:{server.model_name}", server.base_url
    return replace(settings, model=name, base_url=url, options=options)


def _wrap(llm: BaseChatModel) -> ChatToolEmu:
    if not isinstance(llm, ChatToolEmu):
        return ServedChatToolEmu(llm=llm, **_UNLIMITED)
    given = {**_UNLIMITED, **_settings_of(llm)}
    return llm if isinstance(llm, ServedChatToolEmu) else ServedChatToolEmu(**given)


def open_store(where: Any) -> ByteStore | None:
    """The store that settings name, or a `SettingsError`; `None` for memory, and for none."""
    if where in (IN_MEMORY, OFF):
        return None
    if not isinstance(where, str):
        return cast("ByteStore", where)
    try:
        return TypeAdapter(ImportString[Callable[[], ByteStore]]).validate_python(where)()
    except ValidationError as error:
        why = f"store: {error.errors()[0]['msg']}. Name MODULE:FUNCTION, memory or off."
        raise SettingsError(why) from error
