"""OpenAI's Responses: requests in, answers out. Nothing is stored."""

from collections.abc import Mapping
from functools import partial

from langchain_toolemu.serve.openai_errors import write_fault
from langchain_toolemu.serve.openai_responses.answer import ResponseStream, write_whole
from langchain_toolemu.serve.openai_responses.request import read_request
from langchain_toolemu.serve.protocol import Exchange, Json, WireProtocol


def _read(body: Json, headers: Mapping[str, str], *, verbatim: bool) -> Exchange:  # noqa: ARG001
    request = read_request(body)
    return Exchange(request.ask, partial(write_whole, request), partial(ResponseStream, request))


OPENAI_RESPONSES = WireProtocol("openai_responses", _read, write_fault)
