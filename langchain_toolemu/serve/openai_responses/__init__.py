"""OpenAI's Responses. Nothing is stored."""

from langchain_toolemu.serve.openai_chat.answer import write_fault
from langchain_toolemu.serve.openai_responses.answer import ResponseStream, write_answer
from langchain_toolemu.serve.openai_responses.request import read_request
from langchain_toolemu.serve.protocol import WireProtocol

OPENAI_RESPONSES = WireProtocol(
    "openai_responses", read_request, write_answer, ResponseStream, write_fault
)
