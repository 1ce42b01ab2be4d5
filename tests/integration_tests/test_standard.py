"""LangChain's standard integration tests, in every mode, with every flag on.

The scripted server is real HTTP and the wrapped ChatOpenAI is real; the model is an obedient one.
`test_stream_time` is skipped: it plays a recording, and ours is a server that needs none.
"""

import pytest

from langchain_toolemu import ChatToolEmu
from tests.obedient_model import obey
from tests.scripted_server import ScriptedServer, without_tools
from tests.scripted_toolemu import ScriptedChatToolEmu
from tests.standard_tests import USAGE_DETAILS, OfflineStandardTests
from tests.weather import get_weather


@pytest.fixture(scope="class", autouse=True)
def serve(request):
    """Serve the class's model for as long as the class runs, then see what reached it."""
    with ScriptedServer(request.cls.script) as request.cls.server:
        request.cls.prepare()
        yield
        request.cls.check_requests(request.cls.server.requests)


class StandardTests(OfflineStandardTests):
    """One mode against one server."""

    mode: str
    script = staticmethod(obey)
    server: ScriptedServer

    supports_audio_inputs = True
    supports_video_inputs = True
    supported_usage_metadata_details = {"invoke": USAGE_DETAILS, "stream": USAGE_DETAILS}  # noqa: RUF012

    @classmethod
    def prepare(cls):
        """What is to happen before the first test, whichever it is: workers share the tests of a class."""

    @classmethod
    def check_requests(cls, requests):
        """What must hold of every request the mode made."""

    @property
    def chat_model_class(self):
        return ScriptedChatToolEmu

    @property
    def chat_model_params(self):
        return {
            "mode": self.mode,
            "model": "scripted",
            "base_url": self.server.base_url,
            "api_key": "test",
        }


def _taught(request):
    return any("You can call tools" in str(message["content"]) for message in request["messages"])


class TestOff(StandardTests):
    mode = "off"

    @classmethod
    def check_requests(cls, requests):
        """Nothing was ever taught in text."""
        assert not any(map(_taught, requests))

    def test_structured_output_keeps_the_settings_of_a_binding(self):
        """The wrapped model's own structured output still carries what it was bound with."""
        model = ChatToolEmu(llm=self.server.chat_model().bind(temperature=0.3), mode="off")
        schema = {"title": "Joke", "description": "", "properties": {"setup": {"type": "string"}}}
        model.with_structured_output(schema).invoke("Tell me a joke about cats.")
        assert self.server.requests[-1].get("temperature") == 0.3


class TestFallbackOnNativeModel(StandardTests):
    mode = "fallback"

    @classmethod
    def prepare(cls):
        """See the model call natively: until then, a reply without a call would be checked."""
        model = ChatToolEmu(llm=cls.server.chat_model(), mode=cls.mode)
        assert model.bind_tools([get_weather], tool_choice="any").invoke("Hello").tool_calls

    @classmethod
    def check_requests(cls, requests):
        """A model that calls natively was never taught to."""
        assert not any(map(_taught, requests))


class TestFallbackOnServerWithoutTools(StandardTests):
    mode = "fallback"
    script = staticmethod(without_tools(obey))

    @classmethod
    def check_requests(cls, requests):
        """Tools were sent and refused once; from then on calls were asked for in text."""
        assert sum("tools" in request for request in requests) <= 1


class TestForce(StandardTests):
    mode = "force"

    @classmethod
    def check_requests(cls, requests):
        """Tools were never sent natively."""
        assert not any("tools" in request for request in requests)
