"""Several processes of the gateway with one store: LangChain's `RedisStore`, on a real Redis."""

import itertools
import os
import re
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from langchain_toolemu.serve import create_app
from langchain_toolemu.serve.item_store import ItemStore
from langchain_toolemu.serve.settings import SettingsError
from tests.integration_tests.serve.test_long_runs import CALL, MANY, keeps_the_prompt_cache
from tests.integration_tests.serve.wires import RESPONSES
from tests.redis_server import free_port, redis_server, wait_for
from tests.scripted_server import ScriptedServer
from tests.spoken_model import SpokenModel

DOCS = Path(__file__).parents[3] / "docs" / "gateway.md"
CONFIG = """
[server]
store = "gateway_store:redis_store"

[models.m]
model = "openai:scripted"
base_url = "{url}"
mode = "force"
"""


@contextmanager
def process(folder):
    """A process of the gateway, as uvicorn starts it; gives it and its address."""
    port = free_port()
    line = [sys.executable, "-m", "uvicorn", "--factory", "langchain_toolemu.serve:create_app"]
    environment = {"TOOLEMU_CONFIG": "toolemu.toml", "NO_PROXY": "127.0.0.1"}
    running = subprocess.Popen(
        [*line, "--port", str(port), "--log-level", "error"],
        env={**os.environ, **environment},
        cwd=folder,
    )
    try:
        wait_for(port, running)
        yield running, f"http://127.0.0.1:{port}{RESPONSES.path}"
    finally:
        running.kill()
        running.wait()


@MANY
def test_a_conversation_goes_on_in_any_process(rounds, tmp_path):
    """In turn, by `previous_response_id`; a process that is killed and replaced loses nothing."""
    prompts = []

    def call_next(request):
        prompts.append(request["messages"])
        return CALL.replace("Paris", f"City {len(prompts)}")

    with ExitStack() as stack:
        address = stack.enter_context(redis_server(tmp_path))
        upstream = stack.enter_context(ScriptedServer(call_next))
        store = re.search(r"```py\n(from langchain_community.*?)```", DOCS.read_text(), re.DOTALL)[
            1
        ]
        (tmp_path / "gateway_store.py").write_text(store.replace("redis://localhost:6379", address))
        (tmp_path / "toolemu.toml").write_text(CONFIG.format(url=upstream.base_url))
        processes = [stack.enter_context(process(tmp_path)) for _ in range(2)]
        client = stack.enter_context(httpx.Client(trust_env=False, timeout=60))
        asked = {**RESPONSES.ask}
        for at, turn in zip(range(rounds), itertools.cycle((0, 1)), strict=False):
            if at == rounds // 2:
                processes[turn][0].kill()
                processes[turn] = stack.enter_context(process(tmp_path))
            response = client.post(processes[turn][1], json=asked)
            assert response.status_code == 200, response.text
            [call] = response.json()["output"]
            assert call["arguments"] == f'{{"city": "City {at + 1}"}}'
            result = {"type": "function_call_output", "output": f"{at} degrees"}
            result["call_id"] = call["call_id"]
            asked |= {"input": [result], "previous_response_id": response.json()["id"]}
    assert len(prompts) == rounds  # nothing was asked twice
    assert keeps_the_prompt_cache(prompts)


def test_no_other_key_finds_what_is_shared(tmp_path):
    """What is in the store is found with the key that it was made under, and holds no key."""
    with redis_server(tmp_path) as address:
        from langchain_community.storage import RedisStore

        shared = RedisStore(redis_url=address, ttl=60, namespace="toolemu")
        one, other = ItemStore(shared), ItemStore(shared)
        one.keep("key-of-ann", {"resp_1": {"a": 1}})
        assert other.find("key-of-ann", "resp_1") == b'{"a": 1}'
        assert other.find("key-of-bob", "resp_1") is None
        assert "key-of-ann" not in str(shared.client.keys("*"))
        [key] = shared.client.keys("toolemu/*")
        assert 0 < shared.client.ttl(key) <= 60


@pytest.mark.parametrize("where", ["nowhere:store", "os:nothing", "os"])
def test_a_store_that_is_not_there_is_said(where):
    """The start is refused, with what to write."""
    with pytest.raises(SettingsError, match="Name MODULE:FUNCTION, memory or off"):
        create_app({"m": SpokenModel(pieces=["Hi."])}, store=where)
