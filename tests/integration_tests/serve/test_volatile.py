"""Claude Code's billing line, new in each turn, is not sent to other servers than Anthropic's: no prompt cache would hold."""

import httpx
import pytest
from langchain_anthropic import ChatAnthropic

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve.gateway import ServedModel
from langchain_toolemu.serve.settings import ModelSettings, ServerSettings
from tests.gateway import gateway
from tests.scripted_server import ScriptedServer

LINE = "x-anthropic-billing-header: cc_version=2.1.42.7b9; cc_entrypoint=cli; cch=00000;"
PROMPT = "You are Claude Code.\n\nx-anthropic-billing-header: is a header."
USER = {"role": "user", "content": f"{LINE}\nHi"}
BLOCKS = [
    {"type": "text", "text": LINE},
    {"type": "text", "text": PROMPT, "cache_control": {"type": "ephemeral"}},
]
WHOLE = f"{LINE}\n{PROMPT}"
ASKS = {
    "messages": ("/v1/messages", {"system": BLOCKS, "messages": [USER], "max_tokens": 9}),
    "messages, one text": ("/v1/messages", {"system": WHOLE, "messages": [USER], "max_tokens": 9}),
    "chat": ("/v1/chat/completions", {"messages": [{"role": "system", "content": WHOLE}, USER]}),
    "responses": ("/v1/responses", {"instructions": WHOLE, "input": [USER]}),
    "ollama": ("/api/chat", {"messages": [{"role": "system", "content": WHOLE}, USER], "stream": False}),
}  # fmt: skip


@pytest.mark.parametrize(("path", "ask"), ASKS.values(), ids=ASKS)
def test_the_billing_line_is_left_out_and_named(path, ask):
    """Only at the beginning of the system prompt."""
    with ScriptedServer(["Hi."]) as upstream:
        model = ModelSettings("m", "openai:up", upstream.base_url)
        with gateway(ServerSettings(models=(model,))) as server:
            body = {"model": "m", **ask}
            response = httpx.post(server.url + path, json=body, trust_env=False)
        assert response.status_code == 200
        system, user = upstream.requests[0]["messages"]
    assert system["content"] == PROMPT
    assert user["content"] == USER["content"]
    assert "system.x-anthropic-billing-header" in response.headers["x-toolemu-dropped"]


def test_anthropics_own_servers_get_it():
    """And no other server, even if it speaks Anthropic's protocol."""
    for address, drops in ((None, False), ("http://localhost:8000", True)):
        llm = ChatAnthropic(model="claude-sonnet-4-5", api_key="none", base_url=address)
        assert ServedModel(ModelSettings("m"), ChatToolEmu(llm=llm)).drops_volatile is drops
