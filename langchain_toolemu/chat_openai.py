"""The old path of `ToolEmuChatOpenAI`."""

from langchain_toolemu.chat_models.openai import ToolEmuChatOpenAI as ToolEmuChatOpenAI
