"""The page on hosted providers: each snippet builds its model, and each real client's refusal is understood.

Most packages are not part of the test environment: `pip install --group hosted` brings them. No provider is asked.
"""

import json
import os
import re
import warnings
from http.server import BaseHTTPRequestHandler
from importlib import import_module
from pathlib import Path

import pytest

from langchain_toolemu import ChatToolEmu, ToolEmuWarning
from tests.loopback import LoopbackServer, Quiet
from tests.scripted_server import Reply, ScriptedServer
from tests.weather import CALL, get_weather

PAGE = (Path(__file__).parents[2] / "docs" / "hosted.md").read_text(encoding="utf-8")
SNIPPETS = dict(re.findall(r"^## (\w[\w ]*)\n.*?^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))  # fmt: skip
KEYS = [*re.findall(r"`(\w+_API_KEY)` \|$", PAGE, re.MULTILINE), "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]  # fmt: skip
MESSAGE = {"role": "assistant", "content": CALL}
IN_TEXT = {
    "id": "1",
    "object": "chat.completion",
    "created": 0,
    "model": "m",
    "system_fingerprint": None,  # OpenRouter's client wants one
    "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 300, "completion_tokens": 20, "total_tokens": 320},
}


@pytest.fixture(autouse=True)
def _keys(monkeypatch):
    for key in KEYS:
        monkeypatch.setenv(key, "none")
    for name in [*os.environ]:
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def test_every_provider_has_a_snippet():
    """Each row of the page's table leads to a section that shows how to wrap the class."""
    rows = re.findall(r"^\| \[([\w ]+)\]\(#[\w-]+\) \| `(\w+)` \|", PAGE, re.MULTILINE)
    assert [name for name, _ in rows] == [*SNIPPETS]
    assert [name for name, kind in rows if f"import {kind}\n" not in SNIPPETS[name]] == []


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_builds_its_model(name):
    """Whoever installs the package and copies the snippet has a wrapped model."""
    package = re.search(r"^from (\w+) import", SNIPPETS[name])[1]
    pytest.importorskip(package, reason=f"{package} is not installed")
    namespace = {}
    exec(SNIPPETS[name], namespace)
    assert isinstance(namespace["llm"], ChatToolEmu)
    assert namespace["llm"].mode == "fallback"


def openai_error(message, **more):
    return {"error": {"message": message, "type": "invalid_request_error", **more}}


OPENROUTER = "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing"
FORBIDDEN = {"type": "extra_forbidden", "loc": ["body", "tools"], "msg": "Extra inputs are not permitted"}  # fmt: skip

REFUSALS = {
    "langchain_openai.AzureChatOpenAI": (
        lambda url: {"azure_endpoint": url.removesuffix("/v1"), "azure_deployment": "phi-4", "api_version": "2024-10-21"},
        Reply(status=404, body=openai_error("Unrecognized request argument supplied: tools")),
    ),
    "langchain_groq.ChatGroq": (
        lambda url: {"model": "groq/compound", "base_url": url},
        Reply(status=400, body=openai_error("tool calling is not supported with this model")),
    ),
    "langchain_mistralai.ChatMistralAI": (
        lambda url: {"model": "open-mistral-7b", "endpoint": url},
        Reply(status=422, body={"object": "error", "message": {"detail": [FORBIDDEN]}}),
    ),
    "langchain_openrouter.ChatOpenRouter": (
        lambda url: {"model": "google/gemma-2-9b-it", "base_url": url},
        Reply(status=404, body={"error": {"message": OPENROUTER, "code": 404}}),
    ),
    "langchain_together.ChatTogether": (
        lambda url: {"model": "google/gemma-2-9b-it", "base_url": url},
        Reply(status=400, body=openai_error("tools is not supported in this model")),
    ),
    "langchain_fireworks.ChatFireworks": (
        lambda url: {"model": "accounts/fireworks/models/gemma2-9b-it", "base_url": url},
        Reply(status=400, body=openai_error("tools is not supported in this model")),
    ),
}  # fmt: skip


def real_client(path, settings):
    package, _, name = path.rpartition(".")
    pytest.importorskip(package, reason=f"{package} is not installed")
    return getattr(import_module(package), name)(**settings)


def calls_of(llm):
    """What two turns on a model call, and how the second one was asked."""
    bound = llm.bind_tools([get_weather])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ToolEmuWarning)
        messages = [bound.invoke("What is the weather in Paris?") for _ in range(2)]
    assert [call["args"] for message in messages for call in message.tool_calls] == [{"city": "Paris"}] * 2  # fmt: skip
    assert messages[1].response_metadata["toolemu"]["path"] == "emulated"


@pytest.mark.parametrize("path", REFUSALS)
def test_a_refusal_is_understood_and_remembered(path):
    """A real client's error costs one request, and the next turn none."""
    settings, refusal = REFUSALS[path]
    answer = Reply(body=IN_TEXT)
    with ScriptedServer(lambda request: refusal if request.get("tools") else answer) as server:
        calls_of(ChatToolEmu(real_client(path, settings(server.base_url))))
        assert ["tools" in request for request in server.requests] == [True, False, False]


def test_groqs_failed_generation_is_read():
    """A call that Groq could not parse is made without another request, and is no refusal."""
    failed = '<function=get_weather>{"city": "Paris"}</function>'
    error = openai_error("Failed to call a function.", code="tool_use_failed", failed_generation=failed)  # fmt: skip
    with ScriptedServer([Reply(status=400, body=error)]) as server:
        llm = ChatToolEmu(real_client("langchain_groq.ChatGroq", {"model": "m", "base_url": server.base_url}))  # fmt: skip
        with pytest.warns(ToolEmuWarning):
            message = llm.bind_tools([get_weather]).invoke("What is the weather in Paris?")
        assert message.tool_calls[0]["args"] == {"city": "Paris"}
        assert llm.tool_support.verdict == "unknown"


class _OtherProtocols(Quiet, BaseHTTPRequestHandler):
    """Bedrock's Converse and Gemini's generateContent, for models without tools."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append("toolConfig" in body or bool(body.get("tools")))
        usage = {"inputTokens": 300, "outputTokens": 20, "totalTokens": 320}
        if "toolConfig" in body:
            self._send(400, {"message": "This model doesn't support tool use."})
        elif body.get("tools"):
            said = "Function calling is not enabled for models/gemma-3-12b-it"
            self._send(400, {"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}})
        elif self.path.endswith("/converse"):
            output = {"message": {"role": "assistant", "content": [{"text": CALL}]}}
            metrics = {"latencyMs": 1}
            self._send(200, {"output": output, "stopReason": "end_turn", "usage": usage, "metrics": metrics})  # fmt: skip
        else:
            content = {"role": "model", "parts": [{"text": CALL}]}
            self._send(200, {"candidates": [{"content": content, "finishReason": "STOP"}]})

    def _send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("x-amzn-errortype", "ValidationException")
        self.end_headers()
        self.wfile.write(data)


OTHERS = {
    "langchain_aws.ChatBedrockConverse": lambda url: {"model": "us.deepseek.r1-v1:0", "region_name": "us-east-1", "endpoint_url": url},
    "langchain_google_genai.ChatGoogleGenerativeAI": lambda url: {"model": "gemma-3-12b-it", "base_url": url},
}  # fmt: skip


@pytest.mark.parametrize("path", OTHERS)
def test_a_refusal_in_another_protocol_is_understood_and_remembered(path):
    """The same for clients that do not speak OpenAI's protocol."""
    with LoopbackServer(_OtherProtocols) as server:
        server.asked = []
        calls_of(ChatToolEmu(real_client(path, OTHERS[path](f"http://127.0.0.1:{server.server_port}"))))  # fmt: skip
        assert server.asked == [True, False, False]
