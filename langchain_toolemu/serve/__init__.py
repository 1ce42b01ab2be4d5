"""`toolemu serve`: OpenAI's, Anthropic's and Ollama's protocols in and out, `ChatToolEmu` inside.

It only translates: `ChatToolEmu` decides whatever concerns tools.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_toolemu.serve.app import create_app

__all__ = ["create_app"]

_PACKAGES = ("starlette", "uvicorn", "orjson", "prometheus_client", "tomli")  # of the extra


def __getattr__(name: str) -> Any:
    """The app, once it is asked for: a package that is missing is named with its extra."""
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from langchain_toolemu.serve.app import create_app
    except ModuleNotFoundError as error:
        raise explain_missing(error) from None
    return create_app


def explain_missing(error: ModuleNotFoundError) -> ImportError:
    """The error that names the extra, if one of its packages is missing; any other as it is."""
    if error.name not in _PACKAGES:
        return error
    extra = 'run `pip install "langchain-toolemu[serve]"`'
    return ImportError(f"The server needs {error.name}, which is not installed: {extra}.")
