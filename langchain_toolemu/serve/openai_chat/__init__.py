"""OpenAI's Chat Completions."""

from langchain_toolemu.serve.openai_chat.answer import ChatStream, write_answer, write_fault
from langchain_toolemu.serve.openai_chat.request import read_request
from langchain_toolemu.serve.protocol import WireProtocol

OPENAI_CHAT = WireProtocol("openai_chat", read_request, write_answer, ChatStream, write_fault)
