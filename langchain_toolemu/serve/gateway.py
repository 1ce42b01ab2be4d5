"""What the endpoints share: the served models by name, who may use them, how much, and what is recorded.

A `ChatToolEmu` is created for each set of options that requests choose, and kept; their number is bounded.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import ExitStack, aclosing, suppress
from contextvars import ContextVar
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatGenerationChunk
from typing_extensions import override

from langchain_toolemu.capability import Capability, Support, model_name_of, set_verdict_store
from langchain_toolemu.capability.endpoints import address_of, is_local, speaks_ollama, vendor_at
from langchain_toolemu.capability.store import FileStore
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.errors import ToolEmuError
from langchain_toolemu.messages.chunks import as_chunk
from langchain_toolemu.messages.metadata import FINISH_KEYS
from langchain_toolemu.options import OPTIONS, Option
from langchain_toolemu.serve.access import Access, Gate, client_key
from langchain_toolemu.serve.faults import BROKEN_OFF, Fault, RequestError, invalid
from langchain_toolemu.serve.forwarding import key_headers, upstream_kind
from langchain_toolemu.serve.inspector.turns import Recordings
from langchain_toolemu.serve.item_store import IN_MEMORY, OFF, ItemStore
from langchain_toolemu.serve.metrics import Metrics
from langchain_toolemu.serve.ollama_chat.request import LATEST
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings, SettingsError
from langchain_toolemu.serve.upstreams import ANY_NAME, make_upstream
from langchain_toolemu.tools.specs import KnownOfData
from langchain_toolemu.turn.turn_input import Request

_END_KEYS = (*FINISH_KEYS, "status", "done")
_MOST_VARIANTS = 32
_LIST_SECONDS = 10.0
_CONNECT_SECONDS = 2.0
_UNLIMITED: Mapping[str, Any] = {"max_tool_rounds": sys.maxsize}  # the client owns its loop
# Whether the turn of this task asks for replies in one piece, as its client does.
whole_replies: ContextVar[bool] = ContextVar("toolemu_whole_replies", default=False)


class ServedChatToolEmu(ChatToolEmu):
    """A `ChatToolEmu` that fails if the upstream's stream breaks off: that is no answer, even if a call in it is whole.

    A stream ends with a finish reason, or the upstream's own word for it. A connection that is only closed is no end.
    """

    @override
    async def _asend_streaming(self, request: Request) -> AsyncGenerator[ChatGenerationChunk, None]:
        if whole_replies.get():
            yield as_chunk((await self._asend(request)).generations[0])
            return
        # A reply in one piece is whole; of other chat models it is not known whether they ever say it.
        streams = self.llm._should_stream(async_api=True, **{**request.kwargs, "stream": True})  # noqa: SLF001
        ended = not streams or upstream_kind(self.llm) == "other"
        async with aclosing(super()._asend_streaming(request)) as pieces:
            async for piece in pieces:
                metadata = {**(piece.generation_info or {}), **piece.message.response_metadata}
                ended = ended or any(metadata.get(key) for key in _END_KEYS)
                yield piece
        if not ended:
            raise RequestError(BROKEN_OFF)


class ServedModel:
    """One model of a gateway: its name, its aliases (`*` matches anything), and `base`, with the operator's settings."""

    def __init__(
        self,
        name: str,
        base: ChatToolEmu,
        aliases: Sequence[str] = (),
        *,
        text_only: bool = False,
        keep_volatile: bool = False,
    ) -> None:
        self.name = name
        self.base = base
        self.aliases = tuple(aliases)
        self.text_only = text_only
        # Anthropic's own servers read that line.
        is_anthropic = vendor_at(address_of(base.llm)) == "anthropic"
        self.drops_volatile = not (keep_volatile or is_anthropic)
        self.upstream: BaseChatModel = base.llm
        self.upstream_name = model_name_of(base.llm) or type(base.llm).__name__
        self.takes_any_name = self.upstream_name == ANY_NAME  # and forwards the client's
        # Of an upstream that is Ollama.
        self.ollama_client: Any = speaks_ollama(base.llm) and getattr(base.llm, "_async_client", 0)
        self.known = KnownOfData()  # of tools: most clients send the same with each request
        self._variant = lru_cache(_MOST_VARIANTS)(self._make_variant)

    def answers_to(self, name: str) -> bool:
        """Whether a client's name means this model."""
        return name == self.name or any(fnmatchcase(name, alias) for alias in self.aliases)

    async def listed_names(self, key: str | None = None) -> list[str]:
        """The names in the list of models: the upstream's own list if it takes any name; `key` is the client's."""
        if self.takes_any_name and key != "":
            # Whatever the client raises for a server that has no list or does not answer.
            with suppress(Exception):
                names = await asyncio.wait_for(self._upstream_names(key), _LIST_SECONDS)
                return [name for name in names if isinstance(name, str) and name] or [self.name]
        return [self.name]

    async def _upstream_names(self, key: str | None) -> list[Any]:
        if self.ollama_client:
            return [model.model for model in (await self.ollama_client.list()).models]
        client: Any = self._openai_client or getattr(self.upstream, "_async_client", None)
        listed = await client.models.list(extra_headers=key_headers(key, self.upstream))
        return [model.id for model in listed.data]

    @cached_property
    def _openai_client(self) -> Any:
        """OpenAI's client for the upstream's server; `None` if that does not speak its protocol."""
        if not self.ollama_client:
            return getattr(self.upstream, "root_async_client", None)
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        where = address_of(self.upstream)
        http = DefaultAsyncHttpxClient(trust_env=not is_local(where))
        return AsyncOpenAI(base_url=f"{where}/v1", api_key="none", max_retries=0, http_client=http)

    async def post(self, path: str, body: Mapping[str, Any], key: str | None) -> Any:
        """The upstream's response to a request of OpenAI's protocol; it may have more models than the served one."""
        import httpx

        if self._openai_client is None:
            message = f"The server of '{self.name}' has no such path. Use another model."
            raise RequestError(Fault(404, message, "unknown_url"))
        is_own = self.answers_to(body["model"]) and not self.takes_any_name
        return await self._openai_client.post(
            path,
            body={**body, "model": self.upstream_name} if is_own else body,
            options={"headers": key_headers(key, self.upstream)},
            cast_to=httpx.Response,
            stream=True,
        )

    def with_settings(
        self, settings: Mapping[str, Any], asked_for: str | None = None
    ) -> ChatToolEmu:
        """The chat model with the options of a request; `asked_for` is the client's name for the model."""
        chosen = tuple(sorted((name, settings[name]) for name in settings if name in OPTIONS))
        for name, value in chosen:
            self._refuse_beyond_operator(OPTIONS[name], value, asked_for)
        return self._variant(chosen) if chosen else self.base

    def _refuse_beyond_operator(self, option: Option, value: Any, asked_for: str | None) -> None:
        """Refuse what the operator's own value does not allow. Checked each time: the model's size may become known."""
        own, allows = getattr(self.base, option.field), option.allows_client
        if allows is None:
            return
        model = asked_for if self.takes_any_name else None
        known = Capability(self.upstream, model, model_size=self.base.model_size).known
        if not allows(own, value, known.size.billions):
            place = f"toolemu.{option.name}"
            message = f"'{place}' must be at least as strict as the server's own: {own!r}."
            raise invalid(message, place)

    def _make_variant(self, chosen: tuple[tuple[str, Any], ...]) -> ChatToolEmu:
        """A new model, not a copy: LangChain caches what it derived from a model's settings."""
        try:
            return type(self.base)(**{**_settings_of(self.base), **dict(chosen)})
        except (ToolEmuError, ValueError) as error:
            raise invalid(str(error), "toolemu") from error

    def support(self) -> Support:
        """What is known of the upstream's native tool calling; a local server is asked about itself."""
        if self.takes_any_name:
            return self.base.tool_support
        capability = Capability(self.upstream, explicit=self.base.native_tools)
        capability.consult()
        return capability.known.support

    def connection_failure(self) -> str:
        """A message if nothing answers at the upstream's address; empty if a proxy is in between."""
        address = address_of(self.upstream)
        parts = urlsplit(address)
        if not parts.hostname or (getproxies() and not is_local(address)):
            return ""
        try:
            port = parts.port or (443 if parts.scheme == "https" else 80)
            socket.create_connection((parts.hostname, port), _CONNECT_SECONDS).close()
        except (OSError, ValueError) as error:  # a port may be out of range
            reason = getattr(error, "strerror", None) or error
            return f"nothing answers at {address} ({reason})"
        return ""

    def description(self) -> str:
        """Class and address of the upstream."""
        where = address_of(self.upstream)
        name = f"{type(self.upstream).__name__.removeprefix('Forwarding')} {self.upstream_name}"
        return f"{name} at {where}" if where else name


def _settings_of(model: ChatToolEmu) -> dict[str, Any]:
    fields = type(model).model_fields
    given = {name: getattr(model, name) for name in model.model_fields_set}
    return {fields[name].alias or name: value for name, value in given.items() if name in fields}


class Gateway:
    """The models, and what all requests share; raises a `SettingsError` for settings that cannot be served.

    `given` chat models, by name, replace those of the settings. The stack closes what is started for them.
    """

    def __init__(
        self, settings: ServerSettings, given: Mapping[str, BaseChatModel], stack: ExitStack
    ) -> None:
        served = [ServedModel(name, _wrap(llm)) for name, llm in given.items()]
        self.models = served or [_make_model(model, stack) for model in settings.models]
        keyless = [model.name for model in self.models if model.ollama_client]
        if settings.forward_key and keyless:
            problem = f"forward_key: ChatOllama cannot send a client's key, and serves {', '.join(keyless)}."
            raise SettingsError(f"{problem} Use openai:NAME with Ollama's address and /v1.")
        self.settings = settings
        self.default = _default_model(self.models, settings.default)  # for unknown names
        self.access = Access(settings)
        self.gate = Gate(settings.max_concurrency)
        self.recordings = Recordings() if settings.inspect else None
        self.items = _item_store(settings.items)
        self.socket_items = ItemStore()  # of all websockets, each of which is a client
        self.metrics = Metrics((model.name for model in self.models), settings.metrics_dir)

    async def listed_names(self, headers: Mapping[str, str]) -> list[str]:
        """The names of all models; where clients' keys are forwarded, an upstream is asked with the key in the headers."""
        key = client_key(headers) if self.settings.forward_key else None
        lists = await asyncio.gather(*(model.listed_names(key) for model in self.models))
        return list(dict.fromkeys(name for names in lists for name in names))

    def find_model(self, name: Any) -> ServedModel:
        """The model of this name, else the default model; raises a `RequestError` if there is none."""
        if not isinstance(name, str) or not name:
            raise invalid("Missing required parameter: 'model'.", "model")
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
    raise SettingsError(message, "server", "default")


def _make_model(settings: ModelSettings, stack: ExitStack) -> ServedModel:
    llm = make_upstream(settings, stack)
    try:
        made = ServedChatToolEmu(llm=llm, **{**_UNLIMITED, **settings.toolemu})
    except (ToolEmuError, ValueError) as error:
        raise SettingsError(f"models.{settings.name}: {error}", "models", settings.name) from error
    own = {"text_only": settings.text_only, "keep_volatile": settings.keep_volatile}
    return ServedModel(settings.name, made, settings.aliases, **own)


def _wrap(llm: BaseChatModel) -> ChatToolEmu:
    if not isinstance(llm, ChatToolEmu):
        return ServedChatToolEmu(llm=llm, **_UNLIMITED)
    given = {**_UNLIMITED, **_settings_of(llm)}
    return llm if isinstance(llm, ServedChatToolEmu) else ServedChatToolEmu(**given)


def share_verdicts(where: str | None) -> None:
    """Share what is learned about models with other processes, through a folder or a Redis server."""
    if where is not None:
        set_verdict_store(_open_store(where, "toolemu", "Verdicts cannot be shared"))


def _item_store(where: str) -> ItemStore | None:
    if where in (OFF, IN_MEMORY):
        return None if where == OFF else ItemStore()
    return ItemStore(_open_store(where, "toolemu-items", "Items cannot be kept", is_private=True))


def _open_store(where: str, namespace: str, problem: str, *, is_private: bool = False) -> Any:
    """A store in a folder, which may be for its owner alone, or on a Redis server; or a `SettingsError`."""
    try:
        if where.startswith(("redis://", "rediss://", "unix://")):
            from langchain_community.storage import RedisStore

            return RedisStore(redis_url=where, namespace=namespace)
        if is_private and "://" not in where:
            Path(where).expanduser().mkdir(mode=0o700, parents=True, exist_ok=True)
        return FileStore(where)
    except (ImportError, OSError) as error:
        advice = "Name a writable folder; Redis needs `pip install langchain-community redis`."
        raise SettingsError(f"{problem} in {where}: {error}. {advice}") from error
