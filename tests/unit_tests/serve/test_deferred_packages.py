"""A process that only serves loads OpenAI's types when they are asked for, and finds all of them."""

import json
import subprocess
import sys

PROGRAM = """
import sys
from langchain_toolemu.serve.deferred_packages import defer_packages

defer_packages()
defer_packages()
import openai
from langchain_openai import ChatOpenAI

def loaded():
    return sum(name.startswith("openai.types.responses.") for name in sys.modules)

before = loaded()
import openai.types.responses.response_usage
from openai.types.responses import Response, ResponseUsage
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion
assert before < 10 < loaded(), (before, loaded())
assert ResponseUsage is openai.types.responses.response_usage.ResponseUsage
assert not hasattr(openai.types.responses, "Nothing")
assert openai.types.responses.__doc__ is None and openai.types.responses.__path__
assert Response.model_fields and ChatCompletion.model_fields["usage"]
assert ChatOpenAI(model="m", api_key="k", use_responses_api=True)

import charset_normalizer, requests, uvicorn, yaml
from uvicorn import Config
assert charset_normalizer.__version__ and uvicorn.__name__ == "uvicorn"
assert not {"click", "charset_normalizer.api", "yaml.loader"} & sys.modules.keys()
from pydantic import BaseModel
class Late(BaseModel):
    number: int
assert not Late.__pydantic_complete__ and Late(number="1").number == 1
assert Config is uvicorn.config.Config and callable(uvicorn.run)
assert charset_normalizer.from_bytes(b"a").best() and yaml.safe_load("[1]") == [1]
"""


def test_packages_are_loaded_on_first_use():
    """Nothing is loaded before a name is asked for; then all is there, as without it."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


START = """
import json, sys
from langchain_toolemu.serve.deferred_packages import defer_packages
defer_packages()
from langchain_toolemu.serve.server_process import _config, create_lasting_app
from langchain_toolemu.serve.settings import ModelSettings, ProcessSettings
settings = ProcessSettings(models=(ModelSettings("m", "openai:m", "http://127.0.0.1:1/v1"),))
_config(create_lasting_app(settings), settings).load()
print(json.dumps([*sys.modules]))
"""
# Clients of other upstreams, what a first websocket, file or store loads, and frameworks that serve nothing here.
ABSENT = {
    "anthropic", "click", "grpc", "langchain", "langchain_anthropic", "langchain_community", "langchain_ollama", "langgraph",
    "langsmith.evaluation", "numpy", "ollama", "openai.resources.responses", "openai.types.beta", "redis", "tiktoken.core",
    "tomllib._parser", "torch", "transformers", "websockets", "wsproto", "yaml.loader",
}  # fmt: skip
MOST_OF_OPENAI = 200  # of more than a thousand modules


def test_a_start_loads_only_what_its_upstream_needs():
    """The start in front of an OpenAI upstream loads no other client, no websocket and few of OpenAI's modules."""
    ran = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True)
    loaded = json.loads(ran.stdout or "[]")
    assert "langchain_toolemu.serve.app" in loaded, ran.stderr
    assert ABSENT & {*loaded} == set()
    assert sum(name.startswith("openai.") for name in loaded) < MOST_OF_OPENAI
