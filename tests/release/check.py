"""Run in an environment that holds nothing but the installed package: does it work at all?

It knows nothing of this repository and needs no server: the model is LangChain's own fake.
"""

import warnings
from importlib.metadata import metadata, version
from importlib.resources import files

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

import langchain_toolemu
from langchain_toolemu import ChatToolEmu, ToolEmuChatOpenAI, ToolEmuWarning

CALL = 'Let me see.\n{"name": "add", "arguments": {"a": 1, "b": 2}}'


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def model() -> ChatToolEmu:
    """A model that has never heard of tools, wrapped."""
    return ChatToolEmu(llm=GenericFakeChatModel(messages=iter([CALL])))


def called(message) -> list:
    return [(call["name"], call["args"]) for call in message.tool_calls]


warnings.simplefilter("ignore", ToolEmuWarning)

message = model().bind_tools([add]).invoke("Please add 1 and 2.")
assert called(message) == [("add", {"a": 1, "b": 2})], message
assert message.content.strip() == "Let me see.", message
assert message.response_metadata["toolemu"]["path"] == "emulated", message

first, *others = model().bind_tools([add]).stream("Please add 1 and 2.")
assert called(sum(others, first)) == [("add", {"a": 1, "b": 2})]

swapped = ToolEmuChatOpenAI(model="gemma2", base_url="http://localhost:8000/v1", api_key="none")
assert swapped.model_name == "gemma2"

for name in langchain_toolemu.__all__:
    assert getattr(langchain_toolemu, name), name
assert version("langchain-toolemu") == langchain_toolemu.__version__
assert metadata("langchain-toolemu")["License-Expression"] == "MIT"
assert (files("langchain_toolemu") / "py.typed").is_file()
