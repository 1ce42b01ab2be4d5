"""What is learned, shared between processes: with our own folder, and with stores and a server that others wrote."""

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A process of its own: it takes so many turns with a model that writes its calls as text, and tells what it knows then.
PROGRAM = """
import json, sys, warnings
from langchain_toolemu import ChatToolEmu, forget_tool_support, set_verdict_store
from tests.toy_models import Binding

warnings.simplefilter("ignore")
store, turns = sys.argv[1:]
if store.startswith("redis:"):
    from langchain_community.storage import RedisStore
    set_verdict_store(RedisStore(redis_url=store, namespace="mine"))
elif store:
    from langchain_classic.storage import LocalFileStore
    set_verdict_store(LocalFileStore(store))

class Remote(Binding):
    model_name: str = "wordy-7b"
    base_url: str = "https://models.example.com/v1"

def get_weather(city: str) -> str:
    '''The weather of a city.'''

call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
llm = ChatToolEmu(llm=Remote(said=[call]))
if turns == "forget":
    forget_tool_support(llm)
paths = [
    llm.bind_tools([get_weather]).invoke("Paris?").response_metadata["toolemu"]["path"]
    for _ in range(0 if turns == "forget" else int(turns))
]
print(json.dumps({"paths": paths, "evidence": llm.tool_support.evidence, "verdict": llm.tool_support.verdict}))
"""


def started(store, turns, **environment):
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(store), str(turns)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        text=True,
    )


def told_by(process):
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return json.loads(out.splitlines()[-1])


def run(store, turns, **environment):
    return told_by(started(store, turns, **environment))


def check_sharing(store, **environment):
    """A process that has seen two rescues concludes, another knows at once, and what a third forgets is gone for a fourth."""
    assert run(store, 1, **environment)["verdict"] == "unknown"
    assert run(store, 2, **environment)["evidence"] == "text"
    third = run(store, 1, **environment)
    assert (third["paths"], third["verdict"]) == (["emulated"], "none")
    run(store, "forget", **environment)
    assert run(store, 1, **environment) == {
        "paths": ["rescued"],
        "evidence": "observed",
        "verdict": "unknown",
    }


def test_two_processes_share_a_folder(tmp_path):
    """`TOOLEMU_VERDICTS` alone shares what a program concluded; what it only counted stays in it."""
    folder = {"TOOLEMU_VERDICTS": str(tmp_path / "verdicts")}
    assert run("", 2, **folder)["paths"] == ["rescued", "rescued"]
    assert run("", 1, **folder)["paths"] == ["emulated"]
    (file,) = (tmp_path / "verdicts").iterdir()
    assert json.loads(file.read_bytes()).keys() == {"version", "axes"}


@pytest.mark.more("three processes more")
def test_a_folder_is_forgotten_for_all(tmp_path):
    """What one process forgets is gone for the next."""
    check_sharing("", TOOLEMU_VERDICTS=str(tmp_path / "verdicts"))


@pytest.mark.more("seven processes")
def test_processes_that_write_at_once_leave_a_whole_entry(tmp_path):
    """Six processes at the same time: none fails, and what they leave is read by the next."""
    folder = {"TOOLEMU_VERDICTS": str(tmp_path)}
    processes = [started("", 3, **folder) for _ in range(6)]
    assert {told_by(process)["evidence"] for process in processes} == {"text"}
    assert run("", 1, **folder)["paths"] == ["emulated"]


@pytest.mark.more("five processes more")
@pytest.mark.skipif(
    not importlib.util.find_spec("langchain_classic"), reason="wants langchain-classic"
)
def test_processes_share_langchains_local_file_store(tmp_path):
    """The files of `LocalFileStore` do as well."""
    check_sharing(tmp_path)


@pytest.fixture
def redis_server(tmp_path):
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("wants redis-server, as in Debian's package of that name")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen([program, *options], stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(port)
            yield f"redis://127.0.0.1:{port}"
        finally:
            server.terminate()


def _wait_for(port):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("redis-server did not start")


@pytest.mark.more("a server and five processes more")
@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ["langchain_community", "redis"])),
    reason="wants langchain-community and redis",
)
def test_processes_share_a_redis_server(redis_server):
    """Many machines learn together through a real Redis."""
    check_sharing(redis_server)
