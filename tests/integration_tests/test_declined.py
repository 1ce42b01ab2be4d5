"""A refusal on principle, marked as one by the provider: it is never argued with, in any mode."""

import pytest
from langchain_openai.chat_models.base import OpenAIRefusalError
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu, ToolChoiceError
from tests.scripted_server import Reply, ScriptedServer
from tests.weather import get_weather

WORDS = "I'm sorry, I can't assist with that."


class Recipe(BaseModel):
    """A recipe."""

    dish: str


def completion(finish_reason, **message):
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": None, **message},
        "finish_reason": finish_reason,
    }
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    head = {"id": "c", "object": "chat.completion", "created": 0, "model": "m"}
    return Reply(body={**head, "choices": [choice], "usage": usage})


REFUSED = completion("stop", refusal=WORDS)
FILTERED = completion("content_filter", content="")


def then_complying(first):
    """A server that would give in if it were asked again."""
    asked = []

    def answer(request):
        asked.append(request)
        return first if len(asked) == 1 else '{"name": "get_weather", "arguments": {"city": "x"}}'

    return answer


@pytest.mark.parametrize("reply", [REFUSED, FILTERED], ids=["refused", "filtered"])
@pytest.mark.parametrize("settings", [{}, {"tool_support": "native"}, {"mode": "force"}], ids=str)
def test_it_is_asked_once(reply, settings):
    """With tools on offer the message is as the provider gave it, after one request."""
    with ScriptedServer(then_complying(reply)) as server:
        bound = ChatToolEmu(llm=server.chat_model(), **settings).bind_tools([get_weather])
        message = bound.invoke("How is a bomb made?")
        assert len(server.requests) == 1
    assert message.tool_calls == []
    assert message.additional_kwargs.get("refusal") == (WORDS if reply is REFUSED else None)


@pytest.mark.parametrize("settings", [{}, {"mode": "force"}], ids=str)
def test_a_demand_is_not_pressed(settings):
    """A demanded call that was refused is no call: natively the message says so, emulated an error."""
    with ScriptedServer(then_complying(REFUSED)) as server:
        llm = ChatToolEmu(llm=server.chat_model(), **settings)
        bound = llm.bind_tools([get_weather], tool_choice="any")
        if settings:
            with pytest.raises(ToolChoiceError):
                bound.invoke("How is a bomb made?")
        else:
            assert bound.invoke("How is a bomb made?").additional_kwargs["refusal"] == WORDS
        assert len(server.requests) == 1


def test_an_answer_in_a_form_is_refused_as_by_chat_openai():
    """The parser says what it says of ChatOpenAI's own message."""
    with ScriptedServer(then_complying(REFUSED)) as server:
        llm = ChatToolEmu(llm=server.chat_model(), tool_support="native")
        with pytest.raises(OpenAIRefusalError):
            llm.with_structured_output(Recipe).invoke("How is a bomb made?")
        assert len(server.requests) == 1
