"""A model's profile with what its server says: LangChain's summarization goes by the window, `max_input_tokens`.

It is read when a middleware is built and before each call, so a local server is asked then, once, and not when the model is made.
"""

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.language_models import ModelProfile

WINDOW = "max_input_tokens"
RESULT_PICTURES = ("image_tool_message", "pdf_tool_message")


class LiveProfile(dict[str, Any]):
    """A `ModelProfile` that asks for some of its values whenever they are read; `None`: nothing is known."""

    def __init__(self, profile: ModelProfile, find: Mapping[str, Callable[[], Any]]) -> None:
        super().__init__(profile)
        self._find = find

    def _look(self, key: object) -> None:
        find = self._find.get(str(key))
        if find and (value := find()) is not None:
            self[str(key)] = value

    def get(self, key: str, default: Any = None) -> Any:
        """A value as it is known now."""
        self._look(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self._look(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._look(key)
        return super().__contains__(key)
