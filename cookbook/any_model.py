"""The model of the recipes: your server's if OPENAI_BASE_URL names one, else the small embedded one.

In a program of your own, put your own chat model in its place.
"""

import os

from langchain_openai import ChatOpenAI

from langchain_toolemu.local import LocalServer


def any_model(**settings) -> ChatOpenAI:
    if "OPENAI_BASE_URL" not in os.environ:
        return LocalServer().chat_model(**{"max_tokens": 256, **settings})
    os.environ.setdefault("OPENAI_API_KEY", "none")
    # A small model may never stop by itself, hence the limit.
    defaults = {"temperature": 0, "max_tokens": 2048, "stream_usage": True}
    model = os.environ.get("MODEL", "gemma2")
    return ChatOpenAI(**{"model": model, **defaults, **settings})
