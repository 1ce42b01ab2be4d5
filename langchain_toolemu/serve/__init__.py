"""`toolemu serve`: OpenAI's and Anthropic's protocols in, `ChatToolEmu` inside, the same protocols out.

It translates, and decides nothing: whatever concerns tools is decided by `ChatToolEmu`.
"""

try:
    from langchain_toolemu.serve.app import create_app
except ModuleNotFoundError as error:
    if error.name not in ("starlette", "uvicorn", "tomli"):
        raise
    raise ImportError(
        'The server is not installed: run `pip install "langchain-toolemu[serve]"`.'
    ) from error

__all__ = ["create_app"]
