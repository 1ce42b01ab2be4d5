"""Run in an environment that holds nothing but the installed package: does it work, and does it say what is missing?

It knows nothing of this repository and needs no server: the model is LangChain's own fake.
"""

import subprocess
import sys
import warnings
from importlib.metadata import metadata, version
from importlib.resources import files
from pathlib import Path

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

import langchain_toolemu
from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolEmuError, ToolEmuWarning

CALL = 'Let me see.\n{"name": "add", "arguments": {"a": 1, "b": 2}}'
MODEL = ["--model", "ollama:gemma2"]
SERVED = ["--model", "openai:gemma2", "--base-url", "http://127.0.0.1:9/v1"]
# What is typed, and the command that its message must name.
MISSING = [
    (["serve", *SERVED], 'pip install "langchain-toolemu[serve]"'),
    (["demo"], 'pip install "langchain-toolemu[local]"'),
    (["check"], 'pip install "langchain-toolemu[local]"'),
    (["chat"], 'pip install "langchain-toolemu[local]"'),
    (["doctor", *MODEL], "pip install langchain langchain-ollama"),
    (["check", *MODEL], "pip install langchain langchain-ollama"),
    (["chat", *MODEL], "pip install langchain langchain-ollama"),
]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def model() -> ChatToolEmu:
    """A model that has never heard of tools, wrapped."""
    return ChatToolEmu(llm=GenericFakeChatModel(messages=iter([CALL])))


def called(message) -> list:
    return [(call["name"], call["args"]) for call in message.tool_calls]


def toolemu(*arguments: str) -> subprocess.CompletedProcess:
    """The installed command."""
    command = [str(Path(sys.executable).with_name("toolemu")), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def error_of(code: str) -> str:
    """What a line of Python raises here."""
    try:
        exec(code, {"ChatToolEmu": ChatToolEmu})
    except (ImportError, ToolEmuError) as error:
        return str(error)
    raise AssertionError(code)


warnings.simplefilter("ignore", ToolEmuWarning)

message = model().bind_tools([add]).invoke("Please add 1 and 2.")
assert called(message) == [("add", {"a": 1, "b": 2})], message
assert message.content.strip() == "Let me see.", message
assert message.response_metadata["toolemu"]["path"] == "emulated", message

first, *others = model().bind_tools([add]).stream("Please add 1 and 2.")
assert called(sum(others, first)) == [("add", {"a": 1, "b": 2})]

swapped = ToolEmuChatOpenAI(model="gemma2", base_url="http://localhost:8000/v1", api_key="none")
assert swapped.model_name == "gemma2"

for name in set(langchain_toolemu.__all__) - {"ToolEmuMiddleware"}:
    assert getattr(langchain_toolemu, name), name
assert version("langchain-toolemu") == langchain_toolemu.__version__
assert metadata("langchain-toolemu")["License-Expression"] == "MIT"
assert (files("langchain_toolemu") / "py.typed").is_file()
assert toolemu("--version").stdout.strip().endswith(langchain_toolemu.__version__)

for arguments, advice in MISSING:
    done = toolemu(*arguments)
    assert done.returncode, done
    assert advice in done.stderr + done.stdout, done
    assert "Traceback" not in done.stderr, done
assert "pip install -U langchain" in error_of("from langchain_toolemu import ToolEmuMiddleware")
assert "pip install langchain" in error_of("ChatToolEmu('ollama:gemma2')")
assert "langchain-toolemu[local]" in error_of(
    "from langchain_toolemu.local import *; LocalServer()"
)
assert "langchain-toolemu[serve]" in error_of("from langchain_toolemu.serve import create_app")
