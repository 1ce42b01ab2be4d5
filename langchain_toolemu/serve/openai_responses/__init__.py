"""OpenAI's Responses."""

from langchain_toolemu.serve.openai_responses.answer import OPENAI_RESPONSES

__all__ = ["OPENAI_RESPONSES"]
