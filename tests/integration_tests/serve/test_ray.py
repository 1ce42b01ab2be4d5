"""The recipe for Ray Serve of docs/gateway.md, run as it is: two replicas answer in both vendors' protocols."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.clients import ROOT
from tests.obedient_model import obey
from tests.scripted_server import ScriptedServer, without_tools

pytestmark = pytest.mark.more("starts a cluster")

PAGE = (ROOT / "docs" / "gateway.md").read_text(encoding="utf-8")
SERVE = Path(sys.executable).parent / "serve"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ASK = {
    "model": "scripted",
    "messages": [{"role": "user", "content": "What is the weather in Paris?"}],
}
URL = "http://127.0.0.1:8000"
_PATIENCE = 150


@contextlib.contextmanager
def on_ray(folder, upstream):
    """The program of the page on a cluster of its own."""
    (program,) = re.findall(r"^```py\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (folder / "gateway_on_ray.py").write_text(program)
    environment = {
        **os.environ,
        "TOOLEMU_MODEL": "openai:scripted",
        "TOOLEMU_BASE_URL": upstream.base_url,
        "TOOLEMU_API_KEY": "secret",
        "RAY_USAGE_STATS_ENABLED": "0",
        "NO_PROXY": "127.0.0.1,localhost",
        "PYTHONPATH": str(ROOT),
    }
    with (folder / "log").open("w") as log:
        running = subprocess.Popen(
            [SERVE, "run", "gateway_on_ray:app"],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        try:
            yield running
        finally:
            running.terminate()
            running.wait(60)


def wait_for(client, running):
    for _ in range(_PATIENCE):
        assert running.poll() is None, "the cluster ended"
        with contextlib.suppress(httpx.HTTPError, ValueError):
            if client.get("/health").json() == {"status": "ok"}:
                return
        time.sleep(1)
    raise TimeoutError


@pytest.mark.skipif(not SERVE.exists(), reason="Ray Serve is not installed")
def test_replicas_answer_in_both_protocols(tmp_path):
    """Whole and streamed; without the key, nothing."""
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 8000)) == 0:
            pytest.skip("port 8000 is taken")
    headers = {"Authorization": "Bearer secret"}
    function = {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}
    tool = {"name": "get_weather", "input_schema": SCHEMA}
    with (
        ScriptedServer(without_tools(obey)) as upstream,
        on_ray(tmp_path, upstream) as running,
        httpx.Client(base_url=URL, headers=headers, trust_env=False, timeout=60) as client,
    ):
        wait_for(client, running)
        for _ in range(4):
            answer = client.post("/v1/chat/completions", json={**ASK, "tools": [function]}).json()
            assert answer["choices"][0]["finish_reason"] == "tool_calls"
        streamed = client.post(
            "/v1/chat/completions", json={**ASK, "tools": [function], "stream": True}
        )
        assert streamed.text.rstrip().endswith("data: [DONE]")
        message = client.post("/v1/messages", json={**ASK, "max_tokens": 50, "tools": [tool]})
        assert message.json()["stop_reason"] == "tool_use"
        assert httpx.post(f"{URL}/v1/responses", json={}, trust_env=False).status_code == 401
