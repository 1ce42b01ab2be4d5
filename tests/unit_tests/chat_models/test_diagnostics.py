"""A server that is not there: the provider's error as it is, and the address with it. No network."""

import sys

import pytest
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.chat_models.diagnostics import observe_request
from langchain_toolemu.turn.turn_input import Request
from tests.ways import WAYS, ask

ADDRESS = "http://127.0.0.1:1"
REQUEST = Request([], None, {})
MODELS = {
    "ChatOpenAI": lambda: ChatOpenAI(
        model="m", api_key="none", base_url="http://user:secret@127.0.0.1:1/v1", max_retries=0
    ),
    "ChatOllama": lambda: ChatOllama(model="m", base_url=ADDRESS),
}


def raised(way, llm):
    with pytest.raises(Exception) as caught:
        ask(llm, "Hi", way)
    return caught.value


@pytest.mark.pairwise
@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes")
@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MODELS)
def test_an_error_of_the_connection_names_the_address(name, way, mode):
    """It is of the same class with the same words as without us, and its note names the address, without a password."""
    error, plain = raised(way, ChatToolEmu(MODELS[name](), mode=mode)), raised(way, MODELS[name]())
    assert (type(error), str(error)) == (type(plain), str(plain))
    (note,) = error.__notes__
    assert f"The request went to {ADDRESS}" in note
    assert "secret" not in note


def test_any_other_error_is_left_alone():
    """What a server said needs no address."""
    with pytest.raises(ValueError) as caught, observe_request(MODELS["ChatOllama"](), REQUEST):
        raise ValueError("no such model")
    assert not hasattr(caught.value, "__notes__")


def test_where_errors_have_no_notes_the_log_names_the_address(caplog):
    """Before Python 3.11."""

    class APIConnectionError(Exception):
        def __getattribute__(self, name):
            if name == "add_note":
                raise AttributeError(name)
            return super().__getattribute__(name)

    with pytest.raises(APIConnectionError), observe_request(MODELS["ChatOpenAI"](), REQUEST):
        raise APIConnectionError
    assert f"went to {ADDRESS}/v1 (ChatOpenAI)" in caplog.text
