"""LangChain's standard integration tests on a real model: those that one of 135 million parameters can pass.

`test_standard.py` runs all of them on an obedient model; this page tells what is left on the smallest real one. Its
tests either leave the model no way to fail, or it does what they ask whatever the numbers in the question are. Every
other test is an expected failure that is not run, and its reason says whose failure it is.

The prompt cache is off, because with it a reply depends on the requests before. Images, audio and documents are
nothing this model has, and its server knows no other model.
"""

from typing import Any

import pytest
from langchain_tests.integration_tests import ChatModelIntegrationTests

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.local import LocalServer

NO_JOKE = "model: asked for a joke, it says that the cat is a cat and makes no call, whatever the examples are"
BEYOND = {
    "test_tool_calling": "TODO",
    "test_tool_calling_async": "TODO",
    "test_tool_calling_with_no_arguments": "TODO",
    "test_bind_runnables_as_tools": "TODO",
    "test_tool_choice": "TODO",
    "test_agent_loop": "TODO",
    "test_unicode_tool_call_integration": "TODO",
    "test_structured_output": NO_JOKE,
    "test_structured_output_async": NO_JOKE,
    "test_structured_output_pydantic_2_v1": NO_JOKE,
    "test_structured_output_optional_param": NO_JOKE,
    "test_json_mode": "TODO",
}
"""What this model cannot pass, and why; `pytest --runxfail` tries it all the same."""


@pytest.fixture(autouse=True)
def spare(request):
    """Spare the time of seeing a test fail that is beyond the model."""
    if reason := BEYOND.get(request.node.originalname):
        pytest.xfail(reason)


@pytest.fixture(scope="class", autouse=True)
def serve(request, embedded_server):
    """Give the class the server that its chat models talk to."""
    request.cls.server = embedded_server


class EmbeddedChatToolEmu(ChatToolEmu):
    """ChatToolEmu with the constructor that the standard tests expect of a provider's model."""

    def __init__(self, *, server: LocalServer, **kwargs: Any) -> None:
        ours = {name: kwargs.pop(name) for name in ChatToolEmu.model_fields if name in kwargs}
        super().__init__(llm=server.chat_model(**kwargs), **ours)


class TestEmbedded(ChatModelIntegrationTests):
    """Mode force: every call is asked for and read in text."""

    server: LocalServer

    supports_anthropic_inputs = True
    supports_json_mode = True
    supports_image_inputs = False
    supports_image_tool_message = False
    supports_audio_inputs = False
    supports_pdf_inputs = False
    supports_pdf_tool_message = False
    supports_model_override = False

    @property
    def chat_model_class(self):
        return EmbeddedChatToolEmu

    @property
    def chat_model_params(self):
        return {
            "server": self.server,
            "mode": "force",
            "max_tokens": 48,
            "extra_body": {"cache_prompt": False},
        }
