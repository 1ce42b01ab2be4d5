"""The server as an ASGI app: for uvicorn, gunicorn, or whatever runs such apps.

    uvicorn --factory langchain_toolemu.serve:create_app

Routes are there with and without `/v1`: clients disagree on who adds it.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from langchain_toolemu.capability import model_name_of
from langchain_toolemu.serve import sse
from langchain_toolemu.serve.anthropic_messages import ANTHROPIC_MESSAGES
from langchain_toolemu.serve.connection import headers_of
from langchain_toolemu.serve.count_endpoint import CountEndpoint
from langchain_toolemu.serve.endpoint import Endpoint
from langchain_toolemu.serve.environment import from_environment
from langchain_toolemu.serve.faults import Fault, RequestError
from langchain_toolemu.serve.gateway import Gateway, make_gateway
from langchain_toolemu.serve.guard import Guard, fault_body
from langchain_toolemu.serve.inspector.pages import inspector_routes
from langchain_toolemu.serve.listing import describe, list_models
from langchain_toolemu.serve.openai_chat import OPENAI_CHAT
from langchain_toolemu.serve.openai_responses import OPENAI_RESPONSES
from langchain_toolemu.serve.settings import ServerSettings
from langchain_toolemu.serve.verdict_sharing import share_verdicts

_PREFIXES = ("/v1", "")
_NO_SUCH_PATH = (
    "There is no such path here. There are /v1/chat/completions, /v1/responses, /v1/messages and /v1/models: "
    "look at the base URL of your client."
)


def create_app(
    model: BaseChatModel | Mapping[str, BaseChatModel] | ServerSettings | None = None,
    **settings: Any,
) -> Starlette:
    """A server of OpenAI's and Anthropic's protocols, with tool calling for models that lack it.

    Args:
        model: What is served: a chat model, several by name, or whole settings. Without any, what the environment says
            (`TOOLEMU_CONFIG`, `TOOLEMU_MODEL` and `TOOLEMU_BASE_URL`, `TOOLEMU_API_KEY`), else the embedded model.
        **settings: Fields of `ServerSettings`, such as `api_keys=("secret",)`.

    Raises:
        SettingsError: It cannot be set up so.

    Example:
        ```python
        from langchain_openai import ChatOpenAI

        from langchain_toolemu.serve import create_app

        app = create_app(ChatOpenAI(model="gemma2", base_url="http://localhost:11434/v1", api_key="none"))
        ```
    """
    stack = ExitStack()
    base = model if isinstance(model, ServerSettings) else _settings(model)
    made = replace(base, **settings)
    with stack:
        share_verdicts(made.verdicts)
        gateway = make_gateway(made, _given(model), stack)
        closing = stack.pop_all()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.gateway = gateway
        with closing:
            yield

    app = Starlette(
        routes=[*_routes(gateway)],
        lifespan=lifespan,
        exception_handlers={HTTPException: _unknown_path},
        middleware=[Middleware(Guard, access=gateway.access)],
    )
    app.state.gateway = gateway
    return app


def _settings(model: BaseChatModel | Mapping[str, BaseChatModel] | None) -> ServerSettings:
    return from_environment() if model is None else ServerSettings(models=())


def _given(
    model: BaseChatModel | Mapping[str, BaseChatModel] | ServerSettings | None,
) -> dict[str, BaseChatModel]:
    """The chat models that were passed, by name."""
    match model:
        case BaseChatModel():
            return {model_name_of(model) or type(model).__name__: model}
        case Mapping():
            return dict(model)
    return {}


def _routes(gateway: Gateway) -> Iterator[BaseRoute]:
    endpoints: Mapping[str, ASGIApp] = {
        "/chat/completions": Endpoint(OPENAI_CHAT, gateway),
        "/responses": Endpoint(OPENAI_RESPONSES, gateway),
        "/messages": Endpoint(ANTHROPIC_MESSAGES, gateway),
        "/messages/count_tokens": CountEndpoint(gateway),
    }

    async def models(request: Request) -> Response:
        return _json(list_models(gateway.models, headers_of(request.scope)))

    async def model(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            gateway.models.find(name)
        except RequestError as error:
            return _json(fault_body(request.url.path, error.fault), error.fault.status)
        return _json(describe(name, headers_of(request.scope)))

    for prefix in _PREFIXES:
        for path, endpoint in endpoints.items():
            yield Route(f"{prefix}{path}", endpoint, methods=["POST"])
        yield Route(f"{prefix}/models", models)
        yield Route(f"{prefix}/models/{{name:path}}", model)
    yield Route("/health", _health)
    if gateway.recordings is not None:
        yield from inspector_routes(gateway.recordings)
    else:
        yield Route("/", _health)


async def _health(_request: Request) -> Response:
    return _json({"status": "ok"})


async def _unknown_path(request: Request, error: Exception) -> Response:
    """A path or a method that is none, in the form that its clients read."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {404: _NO_SUCH_PATH, 405: "This method is not allowed here."}
    fault = Fault(status, words.get(status, "The request cannot be served."), "unknown_url")
    return _json(fault_body(request.url.path, fault), status)


def _json(body: Any, status: int = 200) -> Response:
    return Response(sse.dumps(body), status, media_type="application/json")
