"""Requests of OpenAI's client without its walk over them and their types, 1 to 10 ms each: it changes nothing in them.

It renames and encodes what a type is marked for; of chat completions and responses, nothing is. And a URL is taken apart once,
and a request that failed is sent again at once.
"""

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from openai import _base_client
from openai._utils import _transform, is_given


def skip_the_walk() -> None:
    """Let the client walk only over what it may change: marked types, and values that are not JSON's own."""
    walk, walk_async = _transform._transform_recursive, _transform._async_transform_recursive

    def quick(data: Any, *, annotation: Any, inner_type: Any = None) -> Any:
        sent = _as_it_is(data, annotation)
        return walk(data, annotation=annotation, inner_type=inner_type) if sent is None else sent

    async def quick_async(data: Any, *, annotation: Any, inner_type: Any = None) -> Any:
        sent = _as_it_is(data, annotation)
        if sent is None:
            return await walk_async(data, annotation=annotation, inner_type=inner_type)
        return sent

    _transform._transform_recursive, _transform._async_transform_recursive = quick, quick_async


def read_urls_once() -> None:
    """Keep the parts of a URL: a client takes each of them apart three times a request."""
    for httpx in ("httpx", "httpx2"):
        if urls := sys.modules.get(f"{httpx}._urls"):
            urls.urlparse = lru_cache(urls.urlparse)


def retry_at_once() -> None:
    """Wait 10 ms, not half a second, before a request is sent again; a server's own `Retry-After` counts as ever."""
    _base_client.INITIAL_RETRY_DELAY = 0.01


def _as_it_is(data: Any, annotation: Any) -> dict[str, Any] | None:
    """A request's parameters that are given, if the client would send these as they are."""
    if not (
        isinstance(data, Mapping) and hasattr(annotation, "__total__") and _is_unmarked(annotation)
    ):
        return None
    given = {name: value for name, value in data.items() if is_given(value)}
    return given if _is_json(given) else None


def _is_json(value: Any) -> bool:
    if type(value) is dict:
        return all(map(_is_json, value.values()))
    if type(value) is list:
        return all(map(_is_json, value))
    return value is None or type(value) in (str, int, float, bool)


@lru_cache
def _is_unmarked(annotation: Any) -> bool:
    """Whether nothing in a type of parameters is to be renamed or encoded."""
    seen, left = set(), [annotation]
    while left:
        one = left.pop()
        if any(
            isinstance(mark, _transform.PropertyInfo) for mark in getattr(one, "__metadata__", ())
        ):
            return False
        if id(one) not in seen:
            seen.add(id(one))
            left += get_args(one)
            left += (
                get_type_hints(one, include_extras=True).values()
                if hasattr(one, "__total__")
                else ()
            )
    return True
