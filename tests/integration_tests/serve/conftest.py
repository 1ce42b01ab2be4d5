"""A gateway in front of a model that is only text, for the tests of clients."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from starlette.applications import Starlette

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI
from tests.gateway import RunningGateway, gateway
from tests.obedient_model import obey
from tests.scripted_server import ScriptedServer, without_tools

NAME = "scripted"
MODELS = {"fallback": NAME, "force": "force", "off": "off"}  # the model for each mode


@dataclass(frozen=True)
class TextOnly:
    """A gateway, and its upstream: an obedient model on a server that refuses tools."""

    gateway: RunningGateway
    upstream: ScriptedServer


@pytest.fixture(scope="module")
def _text_only() -> Iterator[TextOnly]:
    with (
        ScriptedServer(without_tools(obey)) as upstream,
        gateway(in_modes(upstream_model(upstream)), default=NAME) as server,
    ):
        yield TextOnly(server, upstream)


@pytest.fixture
def text_only(_text_only: TextOnly, monkeypatch: pytest.MonkeyPatch) -> TextOnly:
    """The same for all tests of a module, with the requests of the last one forgotten."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    _text_only.upstream.play(without_tools(obey))
    return _text_only


def in_modes(llm: BaseChatModel, **options: Any) -> dict[str, ChatToolEmu]:
    """A chat model in each mode."""
    return {name: ChatToolEmu(llm=llm, mode=mode, **options) for mode, name in MODELS.items()}


def upstream_model(server: ScriptedServer, **options: object) -> ForwardingChatOpenAI:
    """The chat model that the gateway makes of `--model openai:scripted --base-url ...`."""
    plain = server.chat_model(**options)
    given = {name: getattr(plain, name) for name in plain.model_fields_set}
    return ForwardingChatOpenAI(**given)


def last_report(app: Starlette) -> dict[str, Any]:
    """The report on the last turn of an app, as its inspector has it."""
    recordings = app.state.gateway.recordings
    return dict(recordings.find(recordings.summaries()[0]["id"]).report)
