"""LangChain's standard integration tests with the flags that all of ours share, against servers that need no network."""

import httpx
import pytest
from langchain_tests.integration_tests import ChatModelIntegrationTests

USAGE_DETAILS = [
    "audio_input",
    "audio_output",
    "reasoning_output",
    "cache_read_input",
    "cache_creation_input",
]


class OfflineStandardTests(ChatModelIntegrationTests):
    """What one model is put through."""

    supports_json_mode = True
    supports_image_inputs = True
    supports_image_urls = True
    supports_pdf_inputs = True
    supports_anthropic_inputs = True
    supports_image_tool_message = True
    supports_pdf_tool_message = True
    model_override_value = "another-model"

    @pytest.fixture(autouse=True)
    def _offline(self, monkeypatch):
        """The tests download images and documents, of which only their shape matters here."""
        monkeypatch.setattr(httpx, "get", lambda *_, **__: httpx.Response(200, content=b"\0" * 64))
        monkeypatch.setenv("LANGCHAIN_TESTS_USER_AGENT", "langchain-toolemu tests")

    def _ask(self, *, stream=False):
        model = self.chat_model_class(**self.chat_model_params)
        if not stream:
            return model.invoke("Hello")
        chunks = list(model.stream("Hello"))
        return sum(chunks[1:], chunks[0])

    # The scripted server's bill holds every kind of token, whatever is asked.
    invoke_with_audio_input = _ask
    invoke_with_audio_output = _ask
    invoke_with_reasoning_output = _ask
    invoke_with_cache_read_input = _ask
    invoke_with_cache_creation_input = _ask
