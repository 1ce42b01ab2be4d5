"""Agents that run for many rounds: the gateway has no limit of its own, and one that is set is told wherever it ends a run."""

import logging
from itertools import pairwise

import httpx
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app
from tests.gateway import gateway
from tests.integration_tests.serve.wires import CHAT, RESPONSES, ask
from tests.scripted_server import ScriptedServer
from tests.spoken_model import SpokenModel
from tests.weather import CALL, get_weather

ROUNDS = 60


def history(rounds):
    """So many rounds of calls after one question, as Chat Completions has them."""
    messages = [{"role": "user", "content": "Go through all of them."}]
    for at in range(rounds):
        function = {"name": "get_weather", "arguments": f'{{"city": "City {at}"}}'}
        call = {"id": f"c{at}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": f"{at} degrees"})
    return messages


def forced(upstream):
    return ChatToolEmu(llm=upstream.chat_model(), mode="force")


def serve(**options):
    return create_app({"m": ChatToolEmu(SpokenModel(pieces=[CALL]), mode="force", **options)})


def test_a_client_goes_on_for_as_long_as_it_likes():
    """After so many rounds a call is still a call, and nothing warns."""
    with ScriptedServer(lambda _: CALL) as upstream, gateway(forced(upstream)) as server:
        body = {**CHAT.ask, "messages": history(ROUNDS)}
        response = httpx.post(server.url + CHAT.path, json=body, trust_env=False)
    assert response.json()["choices"][0]["finish_reason"] == "tool_calls"
    assert response.headers["x-toolemu-warning-codes"] == "calls_emulated"


MANY = pytest.mark.parametrize(
    "rounds", [30, pytest.param(300, marks=pytest.mark.more("time: thirty rounds show as much"))]
)


def keeps_the_prompt_cache(prompts):
    """Whether each request begins with all messages of the one before, and ends with the newest result."""
    return all(
        after[: len(before)] == before and f"{at} degrees" in after[-1]["content"]
        for at, (before, after) in enumerate(pairwise(prompts))
    )


@MANY
def test_a_long_run_loses_nothing_and_keeps_the_prompt_cache(rounds):
    """Each request of an emulated run begins with all messages of the one before, and ends with the newest result."""
    prompts, messages = [], history(0)

    def call_next(request):
        prompts.append(request["messages"])
        return CALL.replace("Paris", f"City {len(prompts)}")

    with (
        ScriptedServer(call_next) as upstream,
        gateway(forced(upstream)) as server,
        httpx.Client(trust_env=False) as client,
    ):
        for at in range(rounds):
            body = {**CHAT.ask, "messages": messages}
            choice = client.post(server.url + CHAT.path, json=body).json()["choices"][0]
            (call,) = choice["message"]["tool_calls"]
            assert call["function"]["arguments"] == f'{{"city": "City {at + 1}"}}'
            result = {"role": "tool", "tool_call_id": call["id"], "content": f"{at} degrees"}
            messages += [choice["message"], result]
    assert len(prompts) == rounds  # nothing was asked twice
    assert keeps_the_prompt_cache(prompts)


@MANY
def test_a_long_run_of_responses_sends_only_what_is_new(rounds):
    """Each has the newest result and refers to the response before; the model gets all of them."""
    prompts = []

    def call_next(request):
        prompts.append(request["messages"])
        return CALL.replace("Paris", f"City {len(prompts)}")

    asked = {**RESPONSES.ask}
    with (
        ScriptedServer(call_next) as upstream,
        gateway(forced(upstream)) as server,
        httpx.Client(trust_env=False) as client,
    ):
        for at in range(rounds):
            response = client.post(server.url + RESPONSES.path, json=asked).json()
            (call,) = response["output"]
            assert call["arguments"] == f'{{"city": "City {at + 1}"}}'
            result = {"type": "function_call_output", "output": f"{at} degrees"}
            result["call_id"] = call["call_id"]
            asked |= {"input": [result], "previous_response_id": response["id"]}
    assert len(prompts) == rounds
    assert keeps_the_prompt_cache(prompts)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_limit_that_ends_a_run_is_told(stream, caplog):
    """In the log and in a header, each with the code."""
    app = serve(max_tool_rounds=3)
    more = {"messages": history(3), "stream": stream}
    with caplog.at_level(logging.WARNING, "langchain_toolemu"):
        response = await ask(app, CHAT, **more)
    assert "out_of_rounds" in response.headers["x-toolemu-warning-codes"]
    assert "max_tool_rounds=3 is reached: no tools were offered. Raise it" in caplog.text


def test_langchain_tells_of_its_limit_too(caplog):
    """The log says what to change, and the message's metadata has the code."""
    model = ChatToolEmu(SpokenModel(pieces=["Done."]), mode="force", max_tool_rounds=1)
    call = {"name": "get_weather", "args": {"city": "Rome"}, "id": "1"}
    messages = [HumanMessage("?"), AIMessage("", tool_calls=[call]), ToolMessage("9", tool_call_id="1")]  # fmt: skip
    with caplog.at_level(logging.WARNING, "langchain_toolemu"):
        message = model.bind_tools([get_weather]).invoke(messages)
    assert message.response_metadata["toolemu"]["warning_codes"] == ["out_of_rounds"]
    assert "Raise it for longer tasks" in caplog.text
