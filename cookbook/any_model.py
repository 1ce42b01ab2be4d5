"""The model of the recipes: your server's if OPENAI_BASE_URL names one, else the small embedded one.

In a program of your own, put your own chat model in its place.
"""

import os

from langchain_openai import ChatOpenAI

from langchain_toolemu.local import LocalServer

TOO_SMALL = """\
The embedded model has 135 million parameters and is too small for this recipe: expect a wrong result.
Name the server of a larger one: OPENAI_BASE_URL=http://localhost:11434/v1 MODEL=qwen2.5-coder:1.5b"""


def any_model(*, embedded_can: bool = True, **settings) -> ChatOpenAI:
    """The model; `embedded_can` says whether the embedded one solves the recipe's problem."""
    if "OPENAI_BASE_URL" not in os.environ:
        if not embedded_can:
            print(TOO_SMALL)
        return LocalServer().chat_model(**{"max_tokens": 256, **settings})
    os.environ.setdefault("OPENAI_API_KEY", "none")
    # A small model may never stop by itself, hence the limit.
    defaults = {"temperature": 0, "max_tokens": 2048, "stream_usage": True}
    model = os.environ.get("MODEL", "gemma2")
    return ChatOpenAI(**{"model": model, **defaults, **settings})
