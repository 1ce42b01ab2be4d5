"""LangChain's standard integration tests on a real model, one of 135 million parameters.

`test_standard.py` runs all of them on an obedient model; this page shows what a real one makes of them. Those that take it
long are run by `make more` only, each for the reason given.

The prompt cache is off, because with it a reply depends on the requests before. Images, audio and documents are
nothing this model has, and its server knows no other model.
"""

from typing import Any

import pytest
from langchain_tests.integration_tests import ChatModelIntegrationTests

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.local import LocalServer
from tests.thoroughness import TEST_ALL

_JOKES = "time: six jokes, some of which run into their limit and are asked for again"
_ROUNDS = "time: one or several requests with a long prompt each"
SPARED = {
    "test_tool_calling": _ROUNDS,
    "test_tool_calling_async": _ROUNDS,
    "test_tool_calling_with_no_arguments": _ROUNDS,
    "test_tool_choice": _ROUNDS,
    "test_bind_runnables_as_tools": _ROUNDS,
    "test_tool_message_histories_string_content": _ROUNDS,
    "test_tool_message_histories_list_content": _ROUNDS,
    "test_tool_message_error_status": _ROUNDS,
    "test_structured_few_shot_examples": _ROUNDS,
    "test_anthropic_inputs": _ROUNDS,
    "test_agent_loop": _ROUNDS,
    "test_unicode_tool_call_integration": _ROUNDS,
    "test_structured_output": _JOKES,
    "test_structured_output_async": _JOKES,
    "test_structured_output_pydantic_2_v1": _JOKES,
    "test_structured_output_optional_param": _JOKES,
    "test_json_mode": _JOKES,
}
"""What takes this model long, and why."""


@pytest.fixture(autouse=True)
def spare(request):
    """Spare the minutes that some tests take."""
    reason = SPARED.get(request.node.originalname)
    if reason and not TEST_ALL:
        pytest.skip(f"{reason}; `make more` runs it")


@pytest.fixture(scope="class", autouse=True)
def serve(request, embedded_server):
    """Give the class the server that its chat models talk to."""
    request.cls.server = embedded_server


class EmbeddedChatToolEmu(ChatToolEmu):
    """ChatToolEmu with the constructor that the standard tests expect of a provider's model."""

    def __init__(self, *, server: LocalServer, **kwargs: Any) -> None:
        ours = {name: kwargs.pop(name) for name in ChatToolEmu.model_fields if name in kwargs}
        super().__init__(llm=server.chat_model(**kwargs), **ours)


@pytest.mark.more("time: test_standard runs them on scripted servers")
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
