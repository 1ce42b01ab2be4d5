"""`toolemu serve`: OpenAI's, Anthropic's and Ollama's protocols in, `ChatToolEmu` inside, the same protocols out.

It only translates: `ChatToolEmu` decides whatever concerns tools.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_toolemu.serve.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    """The app, once it is asked for: the inspector's page of a file does without a server."""
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from langchain_toolemu.serve.app import create_app
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn", "tomli"):
            raise
        raise ImportError(
            'The server is not installed: run `pip install "langchain-toolemu[serve]"`.'
        ) from error
    return create_app
