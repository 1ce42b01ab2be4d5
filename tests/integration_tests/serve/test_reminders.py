"""Claude Code sends reminders through the gateway: a server that refuses them keeps its cache."""

from contextlib import nullcontext

import anthropic
import pytest

from langchain_toolemu import ChatToolEmu
from tests.gateway import gateway
from tests.integration_tests.serve.conftest import upstream_model
from tests.integration_tests.test_later_system import (
    MODES,
    SERVERS,
    TURNS,
    kept_at_least,
    playing,
    roles,
)
from tests.scripted_server import ScriptedServer
from tests.thoroughness import share

PROMPT = "You are Claude Code, Anthropic's official CLI for Claude."
CACHED = {"cache_control": {"type": "ephemeral"}}
TOOL = {
    "name": "book",
    "description": "Book a room.",
    "input_schema": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
}
HEADERS = {
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14",
    "user-agent": "claude-cli/2.1.42 (external, cli)",
}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def body_of(turn, messages, stream):
    """A request as Claude Code sends it: with a line that changes, and a mark that moves on."""
    line = f"x-anthropic-billing-header: cc_version=2.1.42.{turn}; cc_entrypoint=cli; cch=00000;"
    *before, last = messages
    *blocks, marked = last["content"]
    return {
        "model": "m",
        "max_tokens": 8192,
        "stream": stream,
        "system": [text(line), text(PROMPT, **CACHED), text("Be brief. " * 20, **CACHED)],
        "messages": [*before, {**last, "content": [*blocks, {**marked, **CACHED}]}],
        "tools": [TOOL],
        "metadata": {"user_id": "user_1_account__session_2"},
        "thinking": {"type": "enabled", "budget_tokens": 4096},
        "extra_headers": HEADERS,
        "extra_query": {"beta": "true"},
    }


def reply_to(client, body):
    """The blocks of an answer, put together from its events where it is streamed."""
    with client.messages.stream(**body) if body.pop("stream") else nullcontext() as stream:
        answer = stream.get_final_message() if stream else client.messages.create(**body)
    return [block.model_dump(exclude_none=True) for block in answer.content]


def converse(client, stream):
    """Many turns of a question, a call and its result, each with a reminder somewhere."""
    talk = []
    for turn in range(TURNS):
        reminder = {"role": "system", "content": [text(f"Reminder {turn}: the list is empty.")]}
        note = f"<system-reminder>\nNote {turn}.\n</system-reminder>"
        question = [text(note), text(f"Room {turn}, please, in Paris.")]
        talk += [{"role": "user", "content": question}, *([reminder] * (turn % 2))]
        called = reply_to(client, body_of(turn, talk, stream))
        (id_,) = (block["id"] for block in called if block["type"] == "tool_use")
        result = {"type": "tool_result", "tool_use_id": id_, "content": f"Booked: room {turn}."}
        talk += [{"role": "assistant", "content": called}, {"role": "user", "content": [result]}]
        talk += [] if turn % 2 else [reminder]
        answer = reply_to(client, body_of(turn, talk, stream))
        assert answer[-1]["text"] == "It is booked."
        talk.append({"role": "assistant", "content": answer})


ROWS = [
    (name, mode, stream)
    for number, (name, mode) in enumerate((name, mode) for name in SERVERS for mode in MODES)
    for stream in share((True, False), number // 2 + number % 2, 2)
]


@pytest.mark.parametrize(("name", "mode", "stream"), ROWS)
@pytest.mark.filterwarnings("ignore")
def test_each_request_begins_with_the_one_before_it(name, mode, stream):
    """Whatever the server refuses: at least 95 % of each request is in the cache at the next."""
    checks = SERVERS[name]
    with (
        ScriptedServer(playing(checks)) as server,
        gateway(ChatToolEmu(upstream_model(server), mode=mode)) as running,
        anthropic.Anthropic(base_url=running.url, api_key="none", max_retries=0) as client,
    ):
        converse(client, stream)
    assert kept_at_least(checks, server.requests) >= 0.95
    last = server.requests[-1]
    reminders = [one["role"] for one in last["messages"] if "Reminder" in str(one["content"])]
    assert "system" not in reminders
    assert ("tools" in last) == (mode == "fallback")


@pytest.mark.filterwarnings("ignore")
def test_a_server_that_takes_reminders_gets_them():
    """As system messages, each where it stood."""
    with (
        ScriptedServer(playing([])) as server,
        gateway(ChatToolEmu(upstream_model(server))) as running,
        anthropic.Anthropic(base_url=running.url, api_key="none", max_retries=0) as client,
    ):
        converse(client, stream=True)
    assert kept_at_least([], server.requests) >= 0.95
    assert roles(server.requests[-1]).count("system") == TURNS + 1
