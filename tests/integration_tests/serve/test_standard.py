"""LangChain's standard integration tests through the gateway, with the flags that its own integrations have natively.

The client is a real ChatOpenAI or ChatAnthropic, the gateway a real server, and the upstream a model that is only text: it
refuses tools, and calls them only because the contract teaches it to.
"""

import httpx
import pytest
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from langchain_tests.integration_tests import ChatModelIntegrationTests
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

from langchain_toolemu import ChatToolEmu
from tests.gateway import RunningGateway, gateway
from tests.integration_tests.test_standard import USAGE_DETAILS
from tests.obedient_model import obey
from tests.scripted_server import ScriptedServer, without_tools


@pytest.fixture(scope="class", autouse=True)
def serve(request):
    """Serve the class's model for as long as the class runs, then see what reached the upstream."""
    with ScriptedServer(without_tools(obey)) as upstream:
        model = ChatToolEmu(llm=upstream.chat_model(model="*"))
        with gateway({"scripted": model}) as request.cls.gateway:
            yield
            assert sum("tools" in one for one in upstream.requests) <= 1


class StandardTests(ChatModelIntegrationTests):
    """One client through the gateway."""

    gateway: RunningGateway

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

    # The upstream's bill holds every kind of token, whatever is asked.
    invoke_with_audio_input = _ask
    invoke_with_audio_output = _ask
    invoke_with_reasoning_output = _ask
    invoke_with_cache_read_input = _ask
    invoke_with_cache_creation_input = _ask


class TestChatOpenAI(StandardTests):
    supports_audio_inputs = True
    supported_usage_metadata_details = {"invoke": USAGE_DETAILS, "stream": USAGE_DETAILS}  # noqa: RUF012

    @property
    def chat_model_class(self):
        return ChatOpenAI

    @property
    def chat_model_params(self):
        return {
            "model": "scripted",
            "base_url": self.gateway.v1,
            "api_key": "test",
            "max_retries": 0,
            "stream_usage": True,
            "http_client": DefaultHttpxClient(verify=False, trust_env=False),
            "http_async_client": DefaultAsyncHttpxClient(verify=False, trust_env=False),
        }


class TestChatAnthropic(StandardTests):
    # As Anthropic's own: it has no JSON mode and no audio.
    supports_json_mode = False
    supported_usage_metadata_details = {  # noqa: RUF012
        "invoke": ["cache_read_input", "cache_creation_input"],
        "stream": ["cache_read_input", "cache_creation_input"],
    }

    @pytest.fixture(autouse=True)
    def _near(self, monkeypatch):
        """No proxy lies between a process and itself."""
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    @property
    def chat_model_class(self):
        return ChatAnthropic

    @property
    def chat_model_params(self):
        return {
            "model": "scripted",
            "base_url": self.gateway.url,
            "api_key": "test",
            "max_retries": 0,
            # A connection kept for later is of no use to the next test's event loop.
            "default_headers": {"Connection": "close"},
        }
