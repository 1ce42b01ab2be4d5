"""Why an agent failed can be read off the data of the inspector."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.weather import CALL, PARIS, get_weather

QUESTION = "What is the weather in Paris?"
CUT = {"prompt_tokens": 20, "completion_tokens": 9, "total_tokens": 29}
REFUSAL = "registry.ollama.ai/library/scripted does not support tools"
MADE_UP = '{"name": "get_order", "arguments": {"order_id": "A-1234"}}'


def get_order(order_id: str) -> str:
    """Get an order by its id."""
    return f"{order_id} was sent"


@dataclass(frozen=True)
class Failure:
    """An agent that fails: what its model says, how it is set up, what it is asked, and how the last turn shows why."""

    script: Any
    options: dict[str, Any]
    shows: Callable[[dict[str, Any]], Any]
    why: Any
    questions: tuple[str, ...] = (QUESTION,)


def called(turn):
    return [(call["name"], json.loads(call["arguments"])) for call in turn["calls"]]


LOST_IN_STREAM = [
    "the stream lost a call, and is asked for whole",
    "the native reply contains a call that cannot be read; the turn goes on emulated",
    "re-ask 1 (reader: unreadable_call)",
    "re-ask 2 (reader: unreadable_call)",
    "no re-ask was left (reader: unreadable_call): the reply is used as it is",
]

FAILURES = {
    "tools refused": Failure(
        without_tools(lambda _: "Hello."),
        {"mode": "off"},
        lambda turn: (
            turn["state"],
            turn["sent"][0]["error"]["status"],
            turn["sent"][0]["error"]["message"],
        ),
        ("failed", 400, REFUSAL),
    ),
    "prompt cut": Failure(
        lambda _: Reply("I do not know.", usage=CUT),
        {"mode": "force"},
        lambda turn: [one[:32] for one in turn["report"]["warnings"]],
        ["the server truncated the prompt:"],
        (QUESTION, "And in Rome?"),
    ),
    "call doubted": Failure(
        lambda _: MADE_UP,
        {"mode": "force", "policy": "strict"},
        lambda turn: (
            turn["doubts"],
            turn["report"]["doubted"][0]["made"],
            turn["sent"][1]["reason"],
            turn["sent"][1]["outcome"][:29],
        ),
        (1, False, "re-ask 1 (policy: doubted_call)", "the model wrote only calls th"),
        ("Where is my order?",),
    ),
    "broken native arguments": Failure(
        lambda _: Reply(tool_calls=[("get_weather", '{"city": "Par')]),
        {},
        lambda turn: [one["outcome"] for one in turn["sent"]],
        LOST_IN_STREAM,
    ),
    "loop": Failure(
        lambda _: CALL,
        {"mode": "force", "policy": "trust"},
        called,
        PARIS,
    ),
}


def run(llm, failure):
    agent = create_agent(llm, [get_weather, get_order])
    for question in failure.questions:
        with suppress(Exception):  # a failed turn, or the limit of a loop
            agent.invoke({"messages": [("user", question)]}, {"recursion_limit": 10})


def client_of(server):
    clients = {
        "http_client": DefaultHttpxClient(trust_env=False),
        "http_async_client": DefaultAsyncHttpxClient(trust_env=False),
    }
    key: Any = "none"
    return ChatOpenAI(model="alias", base_url=server.v1, api_key=key, max_retries=0, **clients)


def recorded(failure):
    with ScriptedServer(failure.script) as upstream:
        llm = ChatToolEmu(llm=upstream_model(upstream), **failure.options)
        with (
            gateway(llm, inspect=True) as server,
            httpx.Client(base_url=server.url, trust_env=False) as http,
        ):
            run(client_of(server), failure)
            lines = http.get("/inspector/turns").json()
            return [{**line, **http.get(f"/inspector/turns/{line['id']}").json()} for line in lines]


@pytest.mark.parametrize("name", FAILURES)
def test_the_reason_is_in_the_data(name):
    """The newest turn shows why the agent failed, and the turns of an agent are one run."""
    failure = FAILURES[name]
    newest, *rest = recorded(failure)
    assert failure.shows(newest) == failure.why
    assert newest["upstream"] == "scripted"
    assert len({turn["run"] for turn in (newest, *rest)}) == len(failure.questions)
    assert name != "loop" or [called(turn) for turn in rest] == [PARIS] * 4
