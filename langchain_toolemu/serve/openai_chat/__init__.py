"""OpenAI's Chat Completions."""

from langchain_toolemu.serve.openai_chat.answer import OPENAI_CHAT

__all__ = ["OPENAI_CHAT"]
