"""Images in the results of tools, for models that read text only."""

import json

import httpx
import pytest

from langchain_toolemu.serve.settings import ModelSettings, ServerSettings, read_config
from tests.gateway import gateway
from tests.scripted_server import ScriptedServer

DATA = "aGVsbG8="
NOTE = "[An image is left out here: this model reads text only.]"
URL = {"url": f"data:image/png;base64,{DATA}"}
SOURCE = {"type": "base64", "media_type": "image/png", "data": DATA}
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CHAT = [
    {"role": "user", "content": [{"type": "text", "text": "Look."}]},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "Seen:"}, {"type": "image_url", "image_url": URL}]},
]  # fmt: skip
MESSAGES = [
    {"role": "user", "content": "Look."},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "Seen:"}, {"type": "image", "source": SOURCE}]}]},
]  # fmt: skip
RESPONSES = [
    {"role": "user", "content": "Look."},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "Seen:"}, {"type": "input_image", "image_url": URL["url"]}]},
]  # fmt: skip
ASKS = {
    "chat": ("/v1/chat/completions", {"messages": CHAT}, "force"),
    "messages": ("/v1/messages", {"messages": MESSAGES, "max_tokens": 10}, "fallback"),
    "responses": ("/v1/responses", {"input": RESPONSES}, "off"),
}


@pytest.mark.parametrize(("path", "ask", "mode"), ASKS.values(), ids=ASKS)
def test_an_image_is_replaced_where_the_operator_says_so(path, ask, mode):
    """The other words of the result stay; without the option the image does, too."""
    sent = {}
    for text_only in (True, False):
        with ScriptedServer(lambda _: "Nice.") as upstream:
            model = ModelSettings("m", "openai:up", upstream.base_url, text_only=text_only)
            with gateway(ServerSettings(models=(model,))) as server:
                body = {"model": "m", **ask, "toolemu": {"mode": mode}}
                response = httpx.post(server.url + path, json=body, trust_env=False)
            assert response.status_code == 200
            sent[text_only] = json.dumps(upstream.requests[0]["messages"])
    assert NOTE in sent[True]
    assert "Seen:" in sent[True]
    assert DATA not in sent[True]
    assert DATA in sent[False]
    assert NOTE not in sent[False]


def test_a_users_own_image_is_left_to_the_upstream():
    """It is what the question is about: the upstream says that it cannot read it."""
    with ScriptedServer(lambda _: "Nice.") as upstream:
        model = ModelSettings("m", "openai:up", upstream.base_url, text_only=True)
        with gateway(ServerSettings(models=(model,))) as server:
            content = [{"type": "image_url", "image_url": URL}]
            body = {"model": "m", "messages": [{"role": "user", "content": content}]}
            httpx.post(f"{server.v1}/chat/completions", json=body, trust_env=False)
        assert DATA in json.dumps(upstream.requests[0])


def test_a_file_says_it_for_each_model(tmp_path):
    """In the table of the model."""
    path = tmp_path / "toolemu.toml"
    path.write_text('[models.m]\nmodel = "openai:up"\ntext_only = true\n', encoding="utf-8")
    assert read_config(path).models[0].text_only is True
