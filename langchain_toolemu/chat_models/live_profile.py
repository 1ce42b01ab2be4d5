"""A model's profile whose window is that of the server: LangChain's summarization goes by `max_input_tokens`.

It is read when a middleware is built and before each call, so a local server is asked then, once, and not when the model is made.
"""

from collections.abc import Callable
from typing import Any

from langchain_core.language_models import ModelProfile

WINDOW = "max_input_tokens"


class LiveProfile(dict[str, Any]):
    """A `ModelProfile` that asks for its window whenever that is read."""

    def __init__(self, profile: ModelProfile, find_window: Callable[[], int | None]) -> None:
        super().__init__(profile)
        self._find_window = find_window

    def _look(self, key: object) -> None:
        if key == WINDOW and (window := self._find_window()):
            self[WINDOW] = window

    def get(self, key: str, default: Any = None) -> Any:
        """A value; the window as it is known now."""
        self._look(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self._look(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._look(key)
        return super().__contains__(key)
