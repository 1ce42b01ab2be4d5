"""OpenAI's Chat Completions: requests in, answers out."""

from collections.abc import Mapping
from functools import partial

from langchain_toolemu.serve.openai_chat.answer import ChatStream, write_whole
from langchain_toolemu.serve.openai_chat.request import read_request
from langchain_toolemu.serve.openai_errors import write_fault
from langchain_toolemu.serve.protocol import Exchange, Json, WireProtocol


def _read(body: Json, headers: Mapping[str, str], *, verbatim: bool) -> Exchange:  # noqa: ARG001
    request = read_request(body)
    return Exchange(request.ask, partial(write_whole, request), partial(ChatStream, request))


OPENAI_CHAT = WireProtocol("openai_chat", _read, write_fault)
