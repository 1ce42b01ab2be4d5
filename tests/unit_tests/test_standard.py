"""LangChain's standard unit tests, in every mode."""

from langchain_tests.unit_tests import ChatModelUnitTests

from tests.scripted_toolemu import ScriptedChatToolEmu


class StandardUnitTests(ChatModelUnitTests):
    """A chat model that is never called."""

    mode: str

    @property
    def chat_model_class(self):
        return ScriptedChatToolEmu

    @property
    def chat_model_params(self):
        return {"mode": self.mode, "model": "scripted", "api_key": "test"}

    @property
    def init_from_env_params(self):
        env = {"TOOLEMU_MODE": self.mode, "OPENAI_API_KEY": "test"}
        return env, {"model": "scripted"}, {"mode": self.mode}


class TestOff(StandardUnitTests):
    mode = "off"


class TestFallback(StandardUnitTests):
    mode = "fallback"


class TestForce(StandardUnitTests):
    mode = "force"
