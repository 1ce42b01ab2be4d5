"""Why an agent failed can be read off the data of the inspector, and off the file that the callback writes."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import httpx
import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

from langchain_toolemu import ChatToolEmu, ToolEmuCallbackHandler, get_toolemu_callback
from langchain_toolemu.chat_models.recorded_runs import read_turns
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.ways import WAYS, ask
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
        [
            "native re-ask 1 (reader: unreadable_call)",
            "re-ask 2 (reader: unreadable_call), in text",
            "no re-ask was left (reader: unreadable_call): the reply is used as it is",
        ],
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


def by_gateway(failure, _):
    with ScriptedServer(failure.script) as upstream:
        llm = ChatToolEmu(llm=upstream_model(upstream), **failure.options)
        with (
            gateway(llm, inspect=True) as server,
            httpx.Client(base_url=server.url, trust_env=False) as http,
        ):
            run(client_of(server), failure)
            lines = http.get("/inspector/turns").json()
            return [{**line, **http.get(f"/inspector/turns/{line['id']}").json()} for line in lines]


def by_file(failure, folder):
    file = folder / "turns.jsonl"
    with ScriptedServer(failure.script) as upstream, get_toolemu_callback(file):
        run(ChatToolEmu(llm=upstream.chat_model(), **failure.options), failure)
    return read_turns(file)


LOST_IN_STREAM = [
    "the stream lost a call, and is asked for whole",
    "the native reply contains a call that cannot be read; the turn goes on emulated",
    "re-ask 1 (reader: unreadable_call)",
    "re-ask 2 (reader: unreadable_call)",
    "no re-ask was left (reader: unreadable_call): the reply is used as it is",
]


@pytest.mark.in_turn
@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("way", [by_gateway, by_file])
def test_the_reason_is_in_the_data(name, way, tmp_path):
    """The newest turn shows why the agent failed, whoever recorded it, and the turns of an agent are one run."""
    failure = FAILURES[name]
    newest, *rest = way(failure, tmp_path)
    # A streamed call that is cut is first asked for whole.
    streamed = way is by_gateway and name == "broken native arguments"
    assert failure.shows(newest) == (LOST_IN_STREAM if streamed else failure.why)
    assert newest["upstream"] == "scripted"
    assert len({turn["run"] for turn in (newest, *rest)}) == len(failure.questions)
    assert name != "loop" or [called(turn) for turn in rest] == [PARIS] * 4


@every_row("way", WAYS)
def test_the_callback_records_every_way_to_ask(way, tmp_path):
    """A line a turn: what was sent, the reply, why another request followed, tokens and times; by a handler by hand, too."""
    said = iter(['{"name": "get_weather", "arguments": {"town": 1}}', CALL])
    file = tmp_path / f"{way}.jsonl"
    with ScriptedServer(without_tools(lambda _: next(said))) as server:
        llm = ChatToolEmu(llm=server.chat_model(), tool_support="none").bind_tools([get_weather])
        ask(llm, QUESTION, way, {"callbacks": [ToolEmuCallbackHandler(file)]})
    (turn,) = map(json.loads, file.read_text().splitlines())
    assert [one["reason"] for one in turn["sent"]] == ["", "re-ask 1 (validation: bad_arguments)"]
    assert turn["sent"][1]["reply"] == CALL
    assert (called(turn), turn["state"]) == (PARIS, "done")
    assert turn["tokens"][0] == sum(one["usage"]["input_tokens"] for one in turn["sent"])
    assert turn["tokens"][2] > 0
    assert turn["stream"] is (turn["sent"][0]["first_token"] is not None) is ("stream" in way)
    assert file.stat().st_mode & 0o77 == 0


@every_row("way", ["generate", "agenerate", "batch", "streams that interleave"])
def test_runs_at_once_are_kept_apart(way, tmp_path):
    """Each turn has its own requests, however many prompts are asked at once, and however often."""
    file, prompts = tmp_path / f"{way}.jsonl", [[HumanMessage("one")], [HumanMessage("two")]]
    with ScriptedServer(lambda asked: "" if "one" in str(asked["messages"][1]) else "2") as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force", max_reasks=1)
        kwargs = llm.bind_tools([get_weather]).kwargs
        with get_toolemu_callback(file):
            if way == "generate":
                llm.generate(prompts, **kwargs)
            elif way == "agenerate":
                asyncio.run(llm.agenerate(prompts, **kwargs))
            elif way == "batch":
                llm.batch(prompts, **kwargs)
            else:
                first, second = llm.stream("one", **kwargs), llm.stream("two", **kwargs)
                for pair in zip_longest(second, first):
                    assert pair
    found = {
        turn["question"]: [sent["reply"] for sent in turn["sent"]] for turn in read_turns(file)
    }
    assert found == {"one": ["", ""], "two": ["2"]}


def test_no_key_is_in_the_file(tmp_path):
    """Neither a header nor a key that an error repeats is written."""
    file, key = tmp_path / "turns.jsonl", "a-key-of-no-known-form"
    said = Reply(status=401, body={"error": {"message": f"Incorrect API key provided: {key}."}})
    with ScriptedServer(lambda _: said) as server, get_toolemu_callback(file):
        llm = server.chat_model(api_key=key, default_headers={"x-token": "another-secret"})
        with suppress(Exception):
            ChatToolEmu(llm=llm).invoke("Hi", extra_headers={"x-third": "a-third-secret"})
    (turn,) = read_turns(file)
    assert turn["sent"][0]["error"]["status"] == 401
    assert "Incorrect API key" in turn["error"]["message"]
    assert not any(word in file.read_text() for word in (key, "another-secret", "a-third-secret"))
