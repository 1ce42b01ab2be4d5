"""Each provider's refusal and each look-alike as a real client raises it, whole and streamed."""

import asyncio
import sys
import time

import openai
import pytest
from langchain_openai import ChatOpenAI
from ollama import ResponseError

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import diagnose
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.thoroughness import FULL_PRODUCTS
from tests.unit_tests.model_facts.provider_errors import LOOK_ALIKES, REFUSALS
from tests.ways import WAYS, ask
from tests.weather import get_weather

SAYS_SO = "gemma2 does not support tools"


def raised_by(ask):
    """The error that a call raises."""
    with pytest.raises(Exception) as caught:
        ask()
    return caught.value


def answers():
    """Each answer by each way to ask, or by one in turn. A whole body is no stream, and its client reads it as an empty one."""
    for number, answer in enumerate([*REFUSALS, *LOOK_ALIKES]):
        ways = WAYS if answer.status != 200 else ("invoke", "ainvoke")
        for way in ways if FULL_PRODUCTS else ways[number % len(ways) :][:1]:
            yield answer, way


@pytest.mark.filterwarnings("ignore:.*structured output feature")
@every_row(("answer", "way"), answers())
def test_an_answer_is_understood_as_its_client_raises_it(answer, way):
    """With its real status and shape behind ChatOpenAI, a refusal is recognised and a look-alike is not."""
    with ScriptedServer(lambda _: Reply(status=answer.status, body=answer.body)) as server:
        bound = server.chat_model().bind_tools([get_weather])
        trouble = diagnose(raised_by(lambda: ask(bound, "Hi", way)))
    assert (trouble and trouble.axis) == answer.axis


@pytest.mark.parametrize("pieces", [0, 1])
def test_an_error_in_the_middle_of_a_stream_is_understood(pieces):
    """An error event says the same before and after the first piece of text."""
    body = {"error": {"message": SAYS_SO, "code": 400}}
    with ScriptedServer([Reply(["Hel", "lo"], breaks_after=pieces, body=body)]) as server:
        error = raised_by(lambda: list(server.chat_model().stream("Hi")))
    assert isinstance(error, openai.APIError)
    assert diagnose(error).axis == "tools"


def test_a_dropped_connection_says_nothing():
    """A stream that breaks off without a word is no evidence."""
    with ScriptedServer([Reply(["Hel", "lo"], breaks_after=1)]) as server:
        assert diagnose(raised_by(lambda: list(server.chat_model().stream("Hi")))) is None


@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes before")
def test_only_a_server_that_said_nothing_may_not_run():
    """A stream that breaks off after a piece came from a server that is there."""
    with ScriptedServer([Reply(["Hel", "lo"], breaks_after=1)]) as server:
        llm = ChatToolEmu(server.chat_model(max_retries=0))
        broken = raised_by(lambda: list(llm.stream("Hi")))
    nowhere = ChatOpenAI(model="m", base_url="http://127.0.0.1:9/v1", api_key="none", max_retries=0)
    gone = raised_by(lambda: list(ChatToolEmu(nowhere).stream("Hi")))
    told = [
        "Is its server running?" in str(getattr(error, "__notes__", "")) for error in (broken, gone)
    ]
    assert told == [False, True]


def test_a_server_that_is_not_there_says_nothing():
    """Neither a timeout nor a refused connection is evidence."""

    def think(_request):
        time.sleep(0.5)
        return "Hi."

    with ScriptedServer(think) as server:
        slow = server.chat_model(timeout=0.05)
        assert diagnose(raised_by(lambda: slow.invoke("Hi"))) is None
    gone = server.chat_model()
    assert diagnose(raised_by(lambda: gone.invoke("Hi"))) is None


def test_ollama_refuses_in_its_own_way():
    """The Ollama client's own error is understood, whole and streamed."""
    with ScriptedOllama(capabilities=["completion"]) as server:
        bound = server.chat_model().bind_tools([get_weather])
        errors = [
            raised_by(lambda: bound.invoke("Hi")),
            raised_by(lambda: list(bound.stream("Hi"))),
            raised_by(lambda: asyncio.run(bound.ainvoke("Hi"))),
        ]
    assert [type(error) for error in errors] == [ResponseError] * 3
    assert [diagnose(error).axis for error in errors] == ["tools"] * 3


def test_the_scripted_ollama_answers_as_ollama():
    """Where the model has tools, ChatOllama gets text without them and a call with them."""
    with ScriptedOllama("Fine.", tool_calls=[("get_weather", {"city": "Rome"})]) as server:
        llm = server.chat_model()
        assert llm.invoke("Hi").content == "Fine."
        (call,) = llm.bind_tools([get_weather]).invoke("Weather in Rome?").tool_calls
        assert "".join(chunk.text for chunk in llm.stream("Hi")) == "Fine."
    assert (call["name"], call["args"]) == ("get_weather", {"city": "Rome"})
    assert server.paths == ["/api/chat"] * 3
