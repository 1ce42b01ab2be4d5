"""The chat models that users see."""

from langchain_toolemu.chat_models.toolemu import ChatToolEmu

__all__ = ["ChatToolEmu"]
