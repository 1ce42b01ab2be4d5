"""How many turns may run at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from langchain_toolemu.serve.faults import Fault, RequestError

_RETRY_SECONDS = "1"


class Gate:
    """Counts the turns under way, and refuses one too many.

    Args:
        most: The most turns at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.under_way = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One turn.

        Raises:
            RequestError: There are as many as there may be.
        """
        if self.under_way >= self._most:
            message = f"{self._most} turns are under way, which is the most. Try again shortly."
            raise RequestError(
                Fault(429, message, "too_many_turns", None, _RETRY_SECONDS, worth_retrying=True)
            )
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1
