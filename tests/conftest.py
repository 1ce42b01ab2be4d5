"""The embedded model for every test that wants one: one server a session, one chat model a test."""

from collections.abc import Iterator

import pytest
from langchain_openai import ChatOpenAI

from langchain_toolemu.local import LocalServer


@pytest.fixture(scope="session")
def embedded_server() -> Iterator[LocalServer]:
    """A llama.cpp server with SmolLM2-135M-Instruct; it takes a second to start, so it is shared."""
    with LocalServer() as server:
        yield server


@pytest.fixture
def embedded(embedded_server: LocalServer) -> ChatOpenAI:
    """A plain ChatOpenAI for the embedded model, with replies short enough for a test."""
    return embedded_server.chat_model(max_tokens=64)
