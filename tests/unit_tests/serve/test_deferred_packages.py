"""A process that only serves loads OpenAI's types when they are asked for, and finds all of them."""

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
