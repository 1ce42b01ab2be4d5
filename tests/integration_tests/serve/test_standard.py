"""LangChain's standard integration tests through the gateway, with the flags that its own integrations have natively.

The client is a real ChatOpenAI, ChatOllama or ChatAnthropic, the gateway a real server, and the upstream a model that is only text: it
refuses tools, and calls them only because the contract teaches it to.
"""

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

from langchain_toolemu import ChatToolEmu
from tests.gateway import RunningGateway, gateway
from tests.obedient_model import obey
from tests.scripted_server import ScriptedServer, without_tools
from tests.standard_tests import USAGE_DETAILS, OfflineStandardTests
from tests.thoroughness import FULL_PRODUCTS


@pytest.fixture(scope="class", autouse=True)
def serve(request):
    """Serve the class's model for as long as the class runs, then see what reached the upstream."""
    with ScriptedServer(without_tools(obey)) as upstream:
        model = ChatToolEmu(llm=upstream.chat_model(model="*"))
        with gateway({"scripted": model}) as request.cls.gateway:
            yield
            assert sum("tools" in one for one in upstream.requests) <= 1


IN_CI = pytest.mark.skipif(not FULL_PRODUCTS, reason="time: CI runs it")


class StandardTests(OfflineStandardTests):
    """One client through the gateway."""

    gateway: RunningGateway


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


@IN_CI
class TestChatOllama(StandardTests):
    # As Ollama's own: it forces no tool, takes images by their content only, and no other files.
    has_tool_choice = False
    supports_image_urls = False
    supports_pdf_inputs = False
    supports_pdf_tool_message = False
    supports_anthropic_inputs = False

    @property
    def chat_model_class(self):
        return ChatOllama

    @property
    def chat_model_params(self):
        return {
            "model": "scripted",
            "base_url": self.gateway.url,
            "client_kwargs": {"trust_env": False, "verify": False},
        }


@IN_CI
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
