"""Anthropic's Messages."""

from langchain_toolemu.serve.anthropic_messages.answer import ANTHROPIC_MESSAGES

__all__ = ["ANTHROPIC_MESSAGES"]
