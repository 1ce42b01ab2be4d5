"""What Ollama's clients ask besides chats: models, what each can do, embeddings, a version.

A model has the capability `tools` wherever calls are emulated: clients hide other models. An
upstream that is Ollama tells the rest itself.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from typing_extensions import override

from langchain_toolemu.capability import Capability, Snapshot
from langchain_toolemu.chat_models import sse
from langchain_toolemu.serve import protocol
from langchain_toolemu.serve.endpoint import HttpExchange, PassThrough, ProtocolEndpoint
from langchain_toolemu.serve.faults import RequestError, upstream_fault
from langchain_toolemu.serve.forwarding import PASSED_ON
from langchain_toolemu.serve.gateway import Gateway, ServedModel
from langchain_toolemu.serve.http_connection import json_response
from langchain_toolemu.serve.ollama_chat.answer import OLLAMA_CHAT
from langchain_toolemu.serve.ollama_chat.request import LATEST

_VERSION = "0.13.0"  # of Ollama, whose protocol this is: clients compare it with the one they need
_STARTED = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
_LOADED = {"expires_at": "9999-12-31T23:59:59Z", "size_vram": 0}
_FAMILY = "toolemu"
_DETAILS = {
    "parent_model": "", "format": "", "family": _FAMILY, "families": [_FAMILY],
    "parameter_size": "", "quantization_level": "",
}  # fmt: skip


def ollama_routes(gateway: Gateway) -> Iterator[BaseRoute]:
    """The pages of a gateway."""

    async def models(request: Request) -> Response:
        more = _LOADED if request.url.path.endswith("/ps") else {"modified_at": _STARTED}
        names = await gateway.listed_names()
        return json_response({"models": [{**_entry(name), **more} for name in names]})

    yield from (Route(path, models) for path in ("/api/tags", "/api/ps"))
    yield Route("/api/version", lambda _: json_response({"version": _VERSION}))
    yield Route("/api/show", ProtocolEndpoint(OLLAMA_CHAT, gateway, _ModelPage), methods=["POST"])
    for path in ("/api/embed", "/api/embeddings"):
        yield Route(path, ProtocolEndpoint(OLLAMA_CHAT, gateway, _Embeddings), methods=["POST"])


def _entry(name: str) -> dict[str, Any]:
    """A model of a list; a name without a tag gets `latest`, by which some clients look it up."""
    full = name if ":" in name else f"{name}{LATEST}"
    digest = hashlib.sha256(full.encode()).hexdigest()
    return {"name": full, "model": full, "digest": digest, "size": 0, "details": _DETAILS}


class _Embeddings(PassThrough):
    """Embeddings in Ollama's protocol, from OpenAI's, which Ollama speaks, too."""

    _is_single = False  # one vector, of a prompt, as older clients ask

    @override
    def _translated(self, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        fields, self._is_single = protocol.Fields(body), "prompt" in body
        given = fields.take_texts("prompt" if self._is_single else "input", needed=True)
        self._name = fields.need("model", str).removesuffix(LATEST)
        known = PASSED_ON["/embeddings"].keys() - {"dimensions"}  # theirs differ in type
        more = {name: fields.rest[name] for name in fields.rest if name not in known}
        return "/embeddings", {**more, "input": given, "model": self._name}

    @override
    def _translate(self, answer: bytes) -> bytes:
        reply = json.loads(answer)
        vectors = [entry["embedding"] for entry in reply["data"]]
        tokens = (reply.get("usage") or {}).get("prompt_tokens", 0)
        body = {"model": self._name, "embeddings": vectors, "prompt_eval_count": tokens}
        return sse.dumps({"embedding": vectors[0]} if self._is_single else body)


class _ModelPage(HttpExchange):
    """What a model can do."""

    @override
    async def _run(self, body: dict[str, Any], served: ServedModel) -> None:
        name = str(body.get("model") or body.get("name"))
        model = name.removesuffix(LATEST) if served.takes_any_name else served.upstream_name
        capability = Capability(served.upstream, model, model_size=served.base.model_size)
        page = _page(capability.known)
        if served.ollama_client:
            try:
                shown = await served.ollama_client.show(model)
            except Exception as error:
                raise RequestError(upstream_fault(error, (), served.upstream)) from error
            page |= shown.model_dump(mode="json", by_alias=True, exclude_none=True)
            page.pop("modelfile", None)
        emulated = ["tools"] if served.base.mode != "off" else []
        page["capabilities"] = list(dict.fromkeys([*page["capabilities"], *emulated]))
        await self._connection.respond(200, page, {})


def _page(known: Snapshot) -> dict[str, Any]:
    size = f"{known.size.billions:g}B" if known.size.billions else ""
    window = {f"{_FAMILY}.context_length": known.window} if known.window else {}
    return {
        "template": "{{ .System }} {{ .Tools }} {{ .Messages }}",
        "parameters": "",
        "details": {**_DETAILS, "parameter_size": size},
        "model_info": {"general.architecture": _FAMILY, **window},
        "capabilities": ["completion", *(() if known.verdict == "none" else ("tools",))],
        "modified_at": _STARTED,
    }
