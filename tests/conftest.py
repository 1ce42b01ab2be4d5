"""The embedded model for every test that wants one: one server a session, one chat model a test.

A test on the real model is marked `model`, so that those can run last and have the machine to themselves.
"""

import gc
import signal
import ssl
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.products import keep_some
from tests.thoroughness import FULL_PRODUCTS, TEST_ALL, examples

# What only the fixtures need is imported there: xdist's own process runs no test.
if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

    from langchain_toolemu.local import LocalServer

# The same examples in every run, so that a change is judged by the same tests as the one before it; `make fuzz` looks for
# new ones.
hypothesis.settings.register_profile("repeatable", derandomize=True, max_examples=examples(100))
hypothesis.settings.load_profile("repeatable")

# Every HTTP client makes a context, and reads all certificates there are, 50 ms each time; no test speaks TLS.
ssl.create_default_context = lru_cache(ssl.create_default_context)
ssl.SSLContext.__new__ = lru_cache(ssl.SSLContext.__new__)
ssl.SSLContext.load_verify_locations = lambda *_, **__: None

# Where Ctrl-C has Python's own handler, `asyncio.run` sets one; for that, `signal` writes all that the task holds as text.
signal.signal(signal.SIGINT, lambda *given: signal.default_int_handler(*given))

# Nothing that collecting makes is garbage, and there is much of it: see `pytest_collection_finish`.
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Keep some cases of a test that is marked so, unless there is time for all."""
    if not FULL_PRODUCTS:
        keep_some(metafunc)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses the embedded model, and skip what takes longer than it tells."""
    for item in items:
        if "embedded_server" in getattr(item, "fixturenames", ()):
            item.add_marker("model")
        for mark in item.iter_markers("more"):
            if not TEST_ALL:
                item.add_marker(pytest.mark.skip(reason=f"{mark.args[0]}; `make more` runs it"))


def pytest_collection_finish() -> None:
    """Leave what was collected out of every later garbage collection, and collect seldom: no test runs for long."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def schemas_of_functions() -> None:
    """LangChain builds two pydantic classes each time that a function is bound; here once a function."""
    from langchain_core.tools import base

    create = base.create_schema_from_function
    create_once = lru_cache(create)

    def create_schema(name, function, **options):
        is_hashable = not any(isinstance(option, list) for option in options.values())
        make = create_once if isinstance(function, FunctionType) and is_hashable else create
        return make(name, function, **options)

    base.create_schema_from_function = create_schema


@pytest.fixture(scope="session", autouse=True)
def retries_of_openai() -> None:
    """A request that failed is sent again after 10 ms, not half a second; a server's own `Retry-After` counts as ever."""
    if "openai" in sys.modules:
        from openai import _base_client

        _base_client.INITIAL_RETRY_DELAY = 0.01


@pytest.fixture
def vcr() -> None:
    """pytest-recording is switched off (pyproject.toml); the one standard test that asks for it is skipped."""


@pytest.fixture(scope="session")
def embedded_server() -> "Iterator[LocalServer]":
    """A llama.cpp server with SmolLM2-135M-Instruct; it takes a second to start, so it is shared."""
    from langchain_toolemu.local import LocalServer

    with LocalServer() as server:
        yield server


@pytest.fixture
def embedded(embedded_server: "LocalServer") -> "ChatOpenAI":
    """A plain ChatOpenAI for the embedded model, with replies short enough for a test."""
    return embedded_server.chat_model(max_tokens=64)
