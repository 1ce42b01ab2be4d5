"""What is learned, shared between processes: with stores and a server that others wrote."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.redis_server import redis_server

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


@pytest.mark.skipif(
    not importlib.util.find_spec("langchain_classic"), reason="wants langchain-classic"
)
def test_two_processes_share_a_folder(tmp_path):
    """What one concluded the next knows; what it only counted stays in it."""
    folder = tmp_path / "verdicts"
    assert run(folder, 2)["paths"] == ["rescued", "rescued"]
    assert run(folder, 1)["paths"] == ["emulated"]
    (file,) = folder.iterdir()
    assert json.loads(file.read_bytes()).keys() == {"version", "axes"}


@pytest.mark.more("five processes more")
@pytest.mark.skipif(
    not importlib.util.find_spec("langchain_classic"), reason="wants langchain-classic"
)
def test_processes_share_langchains_local_file_store(tmp_path):
    """The files of `LocalFileStore` do as well."""
    check_sharing(tmp_path)


@pytest.mark.more("a server and five processes more")
def test_processes_share_a_redis_server(tmp_path):
    """Many machines learn together through a real Redis."""
    with redis_server(tmp_path) as address:
        check_sharing(address)
