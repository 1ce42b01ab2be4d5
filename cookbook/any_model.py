"""The model of the recipes: your server's if OPENAI_BASE_URL names one, else the small embedded one.

In a program of your own, put your own chat model in its place.
"""

import os

from langchain_openai import ChatOpenAI

from langchain_toolemu.local import LocalServer


def any_model(**settings) -> ChatOpenAI:
    if "OPENAI_BASE_URL" in os.environ:
        os.environ.setdefault("OPENAI_API_KEY", "none")
        return ChatOpenAI(model=os.environ.get("MODEL", "gemma2"), **settings)
    return LocalServer().chat_model(**settings)
