"""The embedded model for real: llama.cpp, SmolLM2-135M-Instruct, and ChatOpenAI in front."""

import asyncio
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

from langchain_toolemu.local import LocalServer

QUESTION = "What is the capital of France?"


@tool
def get_weather(city: str) -> str:
    """Look up the weather in a city."""
    return f"sunny in {city}"


def listens(server: LocalServer) -> bool:
    address = urlsplit(server.base_url)
    with socket.socket() as probe:
        return probe.connect_ex((address.hostname, address.port)) == 0


def complete(message: AIMessage) -> bool:
    """Tell whether a message has what every reply of the server must have."""
    usage = message.usage_metadata
    assert usage is not None
    assert usage["input_tokens"] > 0
    assert usage["output_tokens"] > 0
    assert message.response_metadata["model_name"] == "SmolLM2-135M-Instruct.Q4_1"
    return message.response_metadata["finish_reason"] == "stop"


@pytest.fixture
def repeatable(embedded_server: LocalServer) -> ChatOpenAI:
    """The embedded model whose replies do not hang on the requests before: they are held to what they say."""
    return embedded_server.chat_model(max_tokens=64, extra_body={"cache_prompt": False})


def test_loopback(embedded_server: LocalServer) -> None:
    """Nobody outside this machine can reach the server."""
    assert urlsplit(embedded_server.base_url).hostname == "127.0.0.1"


def test_invoke(repeatable: ChatOpenAI) -> None:
    """The model answers, stops by itself without a system message, and no path shows."""
    message = repeatable.invoke(QUESTION)
    assert "Paris" in message.text
    assert complete(message)


def test_own_system_message(embedded_server: LocalServer) -> None:
    """A system message of the caller's takes the place of the default one."""
    llm = embedded_server.chat_model(max_tokens=1)

    def prompt_tokens(*before: BaseMessage) -> int:
        return llm.invoke([*before, HumanMessage(QUESTION)]).usage_metadata["input_tokens"]

    default = prompt_tokens()
    assert prompt_tokens(SystemMessage("You are a helpful assistant.")) == default
    assert prompt_tokens(SystemMessage("You are a very helpful assistant.")) == default + 1


def test_stream(repeatable: ChatOpenAI) -> None:
    """The text comes in pieces, and usage comes once."""
    chunks = list(repeatable.stream(QUESTION))
    assert len([chunk for chunk in chunks if chunk.text]) > 1
    assert len([chunk for chunk in chunks if chunk.usage_metadata]) == 1
    total = sum(chunks[1:], chunks[0])
    assert isinstance(total, AIMessageChunk)
    assert complete(total)


async def test_async(embedded: ChatOpenAI) -> None:
    """Invoking and streaming work from a coroutine."""
    assert (await embedded.ainvoke(QUESTION, max_tokens=4)).text
    assert [chunk async for chunk in embedded.astream(QUESTION, max_tokens=4) if chunk.text]


def test_event_loops(embedded: ChatOpenAI) -> None:
    """One chat model serves one event loop after another."""
    for _ in range(2):
        assert asyncio.run(embedded.ainvoke(QUESTION, max_tokens=4)).text


def test_tools_are_ignored(embedded: ChatOpenAI) -> None:
    """Native tools are dropped silently: the prompt is as long with them as without."""
    plain = embedded.invoke(QUESTION, max_tokens=8)
    bound = embedded.bind_tools([get_weather], tool_choice="any").invoke(QUESTION, max_tokens=8)
    assert bound.tool_calls == []
    assert bound.usage_metadata["input_tokens"] == plain.usage_metadata["input_tokens"]


def test_max_tokens(embedded_server: LocalServer) -> None:
    """A bounded reply ends by its length."""
    message = embedded_server.chat_model(max_tokens=2).invoke("Tell me a long story.")
    assert message.response_metadata["finish_reason"] == "length"
    assert message.usage_metadata["output_tokens"] == 2


def test_threads(embedded: ChatOpenAI) -> None:
    """Requests from several threads at once are all answered."""
    replies = embedded.batch([QUESTION] * 4, max_tokens=8)
    assert all(reply.text for reply in replies)


@pytest.mark.more("time: it starts servers of its own")
def test_two_servers(embedded_server: LocalServer) -> None:
    """A second server runs beside the first on a port of its own; closing it leaves the first."""
    with LocalServer(context=4096) as other:
        assert other.base_url != embedded_server.base_url
        assert other.chat_model(max_tokens=4).invoke(QUESTION).text
    assert not listens(other)
    assert listens(embedded_server)


def run(program: str) -> "subprocess.CompletedProcess[str]":
    """Run a program on its own: what these tests guard against would hang this process too."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )


@pytest.mark.model
@pytest.mark.more("time: it starts servers of its own")
def test_close_while_answering() -> None:
    """Closing lets a reply in another thread come to its end."""
    done = run("""
import threading, time
from langchain_toolemu.local import LocalServer, _is_busy

with LocalServer(context=4096) as server:
    llm = server.chat_model(max_tokens=32)
    tell = lambda: print(llm.invoke("Tell me a long story.").usage_metadata["output_tokens"])
    threading.Thread(target=tell).start()
    while not _is_busy(server._server):
        time.sleep(0.01)
""")
    assert done.stdout.strip() == "32"


@pytest.mark.model
@pytest.mark.more("time: it starts servers of its own")
def test_silent_and_closed_at_exit() -> None:
    """A program that never closes its server ends by itself and leaves nothing on stderr."""
    done = run("""
from langchain_toolemu.local import LocalServer

print(LocalServer().chat_model(max_tokens=8).invoke("Hello").text)
""")
    assert done.stdout.strip()
    assert done.stderr == ""
