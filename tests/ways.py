"""The four ways to ask a chat model, or a chain that ends in one."""

import asyncio
from functools import reduce
from operator import add
from typing import Any

WAYS = ("invoke", "ainvoke", "stream", "astream")


def ask(llm: Any, asked: Any, way: str = "invoke", *args: Any, **kwargs: Any) -> Any:
    """What one of the ways gives; of a stream, the sum of its pieces."""
    return reduce(add, pieces(llm, asked, way, *args, **kwargs))


def pieces(llm: Any, asked: Any, way: str, *args: Any, **kwargs: Any) -> list[Any]:
    """What one of the ways gives, piece by piece."""

    async def awaited() -> list[Any]:
        return [piece async for piece in llm.astream(asked, *args, **kwargs)]

    given = {
        "invoke": lambda: [llm.invoke(asked, *args, **kwargs)],
        "ainvoke": lambda: [asyncio.run(llm.ainvoke(asked, *args, **kwargs))],
        "stream": lambda: list(llm.stream(asked, *args, **kwargs)),
        "astream": lambda: asyncio.run(awaited()),
    }
    return given[way]()
