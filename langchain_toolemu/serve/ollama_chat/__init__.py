"""Ollama's own protocol: chats, and prompts of one message."""

from langchain_toolemu.serve.ollama_chat.answer import OLLAMA_CHAT, OLLAMA_GENERATE

__all__ = ["OLLAMA_CHAT", "OLLAMA_GENERATE"]
