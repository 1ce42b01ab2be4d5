"""Where a request went that found no server: said with the provider's own error, which is left as it is."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability.endpoints import address_of

_log = logging.getLogger("langchain_toolemu")

_UNCONNECTED = frozenset({"APIConnectionError", "ConnectError", "ConnectTimeout", "ConnectionError"})  # fmt: skip
"""By name: each client has classes of its own, and none need be installed."""


@contextmanager
def naming_address(llm: BaseChatModel) -> Iterator[None]:
    """Add the address to an error of the connection, as a note; before Python 3.11 there are none, and the log says it."""
    try:
        yield
    except Exception as error:
        if (address := address_of(llm)) and _is_unconnected(error):
            _say(error, f"The request went to {address} ({type(llm).__name__}).")
        raise


def _is_unconnected(error: Exception) -> bool:
    return any(kind.__name__ in _UNCONNECTED for kind in type(error).__mro__)


def _say(error: Exception, words: str) -> None:
    if not hasattr(error, "add_note"):
        _log.warning("%s: %s", type(error).__name__, words)
    elif words not in getattr(error, "__notes__", ()):
        error.add_note(words)
