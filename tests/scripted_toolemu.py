"""ChatToolEmu with the constructor that LangChain's standard tests expect of a provider's model."""

from typing import Any

from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu


class ScriptedChatToolEmu(ChatToolEmu):
    """ChatToolEmu on a ChatOpenAI of its own: arguments it does not know are for that model.

    ChatToolEmu itself refuses them, because they belong on the wrapped model.
    """

    def __init__(self, **kwargs: Any) -> None:
        ours = {name: kwargs.pop(name) for name in ChatToolEmu.model_fields if name in kwargs}
        super().__init__(llm=ChatOpenAI(**{"stream_usage": True, **kwargs}), **ours)
