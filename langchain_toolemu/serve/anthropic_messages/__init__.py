"""Anthropic's Messages: requests in, answers out."""

from collections.abc import Mapping
from functools import partial

from langchain_toolemu.serve.anthropic_messages.answer import MessageStream, write_whole
from langchain_toolemu.serve.anthropic_messages.errors import write_fault
from langchain_toolemu.serve.anthropic_messages.request import read_request
from langchain_toolemu.serve.protocol import Exchange, Json, WireProtocol


def _read(body: Json, headers: Mapping[str, str], *, verbatim: bool) -> Exchange:
    request = read_request(body, headers.get("anthropic-beta", ""), verbatim=verbatim)
    return Exchange(request.ask, partial(write_whole, request), partial(MessageStream, request))


ANTHROPIC_MESSAGES = WireProtocol("anthropic_messages", _read, write_fault)
