"""Requests that an upstream refuses for their form, through the gateway: another one is found, whatever protocol the client speaks."""

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI

from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.refusing_gateways import STREAM_OPTIONS
from tests.refusing_servers import ASKED, BOOK, CASES, answering
from tests.scripted_server import ScriptedServer
from tests.thoroughness import share
from tests.ways import ask

WAYS = ("invoke", "stream")
OPENAI = {"model": "m", "api_key": "none", "max_retries": 0}
CLIENTS = {
    "chat": lambda at: ChatOpenAI(base_url=at.v1, use_responses_api=False, **OPENAI),
    "responses": lambda at: ChatOpenAI(base_url=at.v1, use_responses_api=True, **OPENAI),
    "messages": lambda at: ChatAnthropic(base_url=at.url, **OPENAI),
    "ollama": lambda at: ChatOllama(model="m", base_url=at.url),
}
# What Ollama's client does not send, so that there is nothing to refuse.
UNSENT = {"ollama": {"a pattern", "a long text", "a keyword", "a constant", "a union", "a union at the top"}}  # fmt: skip


def offered(llm, tools):
    """A client with tools; ChatAnthropic itself would refuse some that other servers take."""
    if not isinstance(llm, ChatAnthropic):
        return llm.bind_tools(tools)
    return llm.bind(tools=[{"name": one["name"], "input_schema": one["parameters"]} for one in tools])  # fmt: skip


# Each server refuses every client where there is time, and is asked both ways, by other clients; else one client in turn,
# and each client both ways, by other servers.
ROWS = [
    (client, name, WAYS[(number // 2 + place + place // len(CLIENTS)) % 2])
    for place, name in enumerate(CASES)
    for number, client in enumerate(CLIENTS)
    if client in share(list(CLIENTS), place, len(CLIENTS))
]


@pytest.mark.parametrize(("client", "name", "way"), ROWS)
@pytest.mark.filterwarnings("ignore")
def test_another_form_is_found_and_remembered(client, name, way):
    """The call comes, in as few requests as without a gateway; the next turn takes one."""
    case = CASES[name]
    with (
        ScriptedServer(answering(case.check, case.name)) as server,
        gateway(upstream_model(server)) as running,
    ):
        llm, counts = offered(CLIENTS[client](running), case.tools), []
        for _ in range(2):
            before = len(server.requests)
            message = ask(llm, case.messages, way)
            assert [(one["name"], one["args"]) for one in message.tool_calls] == [
                (case.name, {"city": "Paris"})
            ]
            counts.append(len(server.requests) - before)
    assert counts == [1 if name in UNSENT.get(client, ()) else case.requests, 1]


@pytest.mark.parametrize("tools", [[BOOK], []], ids=["tools", "words"])
@pytest.mark.filterwarnings("ignore")
def test_an_upstream_that_does_not_count_the_tokens_of_a_stream(tools):
    """The gateway asks for them by itself: the argument is left out from then on, and no client notices."""
    check = answering(lambda body: STREAM_OPTIONS[0] if "stream_options" in body else None)
    with (
        ScriptedServer(check) as server,
        gateway(upstream_model(server, stream_usage=True)) as running,
    ):
        llm = CLIENTS["chat"](running)
        llm = llm.bind_tools(tools) if tools else llm
        messages = [ask(llm, [ASKED], "stream") for _ in range(2)]
    assert all(bool(message.tool_calls or message.content) for message in messages)
    # What goes straight first is asked for once more in the ordinary way.
    asked = [True] if tools else [True, True]
    assert ["stream_options" in one for one in server.requests] == [*asked, False, False]
