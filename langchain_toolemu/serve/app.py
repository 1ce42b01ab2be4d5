"""The server as an ASGI app: `uvicorn --factory langchain_toolemu.serve:create_app`."""

import logging
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from langchain_core.language_models import BaseChatModel
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from langchain_toolemu.capability import model_name_of
from langchain_toolemu.serve.access import Guard, fault_body
from langchain_toolemu.serve.anthropic_messages.answer import ANTHROPIC_MESSAGES
from langchain_toolemu.serve.endpoint import PassThrough, ProtocolEndpoint, TokenCounting
from langchain_toolemu.serve.faults import Fault, RequestError
from langchain_toolemu.serve.gateway import Gateway
from langchain_toolemu.serve.http_connection import CONNECTION, json_response
from langchain_toolemu.serve.inspector.pages import inspector_routes
from langchain_toolemu.serve.ollama_chat.answer import OLLAMA_CHAT, OLLAMA_GENERATE
from langchain_toolemu.serve.ollama_chat.model_pages import ollama_routes
from langchain_toolemu.serve.openai_chat.answer import OPENAI_CHAT
from langchain_toolemu.serve.openai_responses.answer import OPENAI_RESPONSES
from langchain_toolemu.serve.openai_responses.stored_responses import response_routes
from langchain_toolemu.serve.request_log import log_request_ids
from langchain_toolemu.serve.settings import ServerSettings, from_environment, refuse_gone

_log = logging.getLogger("langchain_toolemu.serve")
_STARTED = int(time.time())
_HANDLED = (HTTPException, RequestError, ClientDisconnect)
_ANTHROPIC = "anthropic-version"  # a header of all Anthropic clients
_NO_SUCH_PATH = (
    "Unknown path: {path}. Available are /v1/chat/completions, /v1/responses, /v1/messages, "
    "/v1/models, /v1/embeddings, /v1/completions and /api/chat: check the base URL of your client."
)
_MOST_SHOWN = 200  # characters of a path


def create_app(
    model: BaseChatModel | Mapping[str, BaseChatModel] | ServerSettings | None = None,
    **settings: Any,
) -> Starlette:
    """An ASGI app that speaks OpenAI's, Anthropic's and Ollama's protocols, with tool calling.

    Args:
        model: A chat model, several by name, or whole settings. By default what the environment
            says (`TOOLEMU_CONFIG`, `TOOLEMU_MODEL` and `TOOLEMU_BASE_URL`, `TOOLEMU_API_KEY`),
            else the embedded model.
        **settings: Fields of `ServerSettings`, such as `api_keys=("secret",)`, or `store=` with a
            LangChain `ByteStore` that several processes share.

    Raises:
        SettingsError: The settings are invalid, or a model could not be created.

    Example:
        ```python
        from langchain_openai import ChatOpenAI

        from langchain_toolemu.serve import create_app

        llm = ChatOpenAI(model="gemma2", base_url="http://localhost:11434/v1", api_key="none")
        app = create_app(llm)
        ```
    """
    base, given = ServerSettings(models=()), {}
    match model:
        case ServerSettings():
            base = model
        case None:
            base = from_environment()
        case BaseChatModel():
            given = {model_name_of(model) or type(model).__name__: model}
        case _:
            given = dict(model)
    refuse_gone(settings)
    made = replace(base, **settings)
    log_request_ids()
    with ExitStack() as stack:
        gateway = Gateway(made, given, stack)
        closing = stack.pop_all()

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        with closing:
            yield
            await gateway.close()

    app = Starlette(
        routes=[*_routes(gateway)],
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(_HANDLED, _error_response),
        middleware=[*_cors(made), Middleware(Guard, gateway.access, gateway.metrics)],
    )
    app.state.gateway = gateway
    return app


def _cors(settings: ServerSettings) -> Iterator[Middleware]:
    """What tells a browser that its page is allowed, if any is."""
    if settings.allow_origins:
        yield Middleware(
            CORSMiddleware,
            allow_origins=settings.allow_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
        )


def _routes(gateway: Gateway) -> Iterator[BaseRoute]:
    endpoints = {
        "/chat/completions": ProtocolEndpoint(OPENAI_CHAT, gateway),
        "/embeddings": ProtocolEndpoint(OPENAI_CHAT, gateway, PassThrough),
        "/completions": ProtocolEndpoint(OPENAI_CHAT, gateway, PassThrough),
        "/responses": ProtocolEndpoint(OPENAI_RESPONSES, gateway),
        "/responses/input_tokens": ProtocolEndpoint(OPENAI_RESPONSES, gateway, TokenCounting),
        "/messages": ProtocolEndpoint(ANTHROPIC_MESSAGES, gateway),
        "/messages/count_tokens": ProtocolEndpoint(ANTHROPIC_MESSAGES, gateway, TokenCounting),
        "/api/chat": ProtocolEndpoint(OLLAMA_CHAT, gateway),
        "/api/generate": ProtocolEndpoint(OLLAMA_GENERATE, gateway),
    }

    async def models(request: Request) -> Response:
        names = await gateway.listed_names()
        served = [_model_entry(name, request) for name in names]
        if _ANTHROPIC not in request.headers:
            return json_response({"object": "list", "data": served})
        ends = {"first_id": served[0]["id"], "last_id": served[-1]["id"]} if served else {}
        return json_response({"data": served, "has_more": False, **ends})

    async def model(request: Request) -> Response:
        name = request.path_params["name"]
        gateway.find_model(name)  # raises an error for an unknown name
        return json_response(_model_entry(name, request))

    async def metrics(_request: Request) -> Response:
        return Response(gateway.metrics.to_text(), media_type=CONTENT_TYPE_LATEST)

    for path, endpoint in endpoints.items():
        yield Route(path, endpoint, methods=["POST"])
    yield from response_routes(gateway)
    yield Route("/models", models)
    yield Route("/models/{name:path}", model)
    yield from ollama_routes(gateway)
    yield Route("/health", _health)
    yield Route("/metrics", metrics)
    if gateway.recordings is not None:
        yield from inspector_routes(gateway.recordings, gateway.access)
    else:
        yield Route("/", _health)


async def _health(_request: Request) -> Response:
    return json_response({"status": "ok"})


async def _error_response(request: Request, error: Exception) -> Response:
    path = request.scope[CONNECTION].scope["path"][:_MOST_SHOWN]
    if isinstance(error, RequestError):
        fault = error.fault
    else:
        status = getattr(error, "status_code", 500)
        allowed = (getattr(error, "headers", None) or {}).get("Allow", "").split(", ")
        others = [name for name in allowed if name not in ("HEAD", request.method)]
        instead = " or ".join(others) or "another path"
        method = f"{request.method} is not allowed here. Use {instead}."
        words = {404: _NO_SUCH_PATH.format(path=path), 405: method}
        fault = Fault(status, words.get(status, "The request cannot be served."), "unknown_url")
    _log.info("%s %r %s", request.method, path, fault.status)
    response = json_response(fault_body(request.url.path, fault), fault.status)
    response.headers.update(fault.headers())
    return response


def _model_entry(name: str, request: Request) -> dict[str, Any]:
    """A model of the list, as OpenAI's or as Anthropic's clients read it."""
    if _ANTHROPIC in request.headers:
        since = datetime.fromtimestamp(_STARTED, timezone.utc).isoformat().replace("+00:00", "Z")
        return {"type": "model", "id": name, "display_name": name, "created_at": since}
    return {"id": name, "object": "model", "created": _STARTED, "owned_by": "toolemu"}
