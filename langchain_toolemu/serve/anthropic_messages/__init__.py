"""Anthropic's Messages."""

from langchain_toolemu.serve.anthropic_messages.answer import (
    MessageStream,
    write_answer,
    write_fault,
)
from langchain_toolemu.serve.anthropic_messages.request import read_request
from langchain_toolemu.serve.protocol import WireProtocol

ANTHROPIC_MESSAGES = WireProtocol(
    "anthropic_messages", read_request, write_answer, MessageStream, write_fault
)
