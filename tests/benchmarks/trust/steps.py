"""Turns out of a conversation whose right calls are known: one for each call, with what came before."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from tests.benchmarks.trust.turns import Called, DataTurn, called_messages

Run = Callable[[Called], tuple[str, str]]
"""Runs a call: its result, and whether that is a success or an error."""


class Conversation:
    """A conversation that grows by one call after the other.

    Attributes:
        messages: What was said and called so far.
    """

    def __init__(self, name: str, category: str, tools: Sequence[dict[str, Any]], run: Run) -> None:
        self.messages: list[BaseMessage] = []
        self._name, self._category, self._tools, self._run = name, category, tools, run
        self._count = 0

    def steps(self, calls: Sequence[Called]) -> Iterator[DataTurn]:
        """A turn for each of these calls, which is then run."""
        for call in calls:
            self._count += 1
            name = f"{self._name}-{self._count}"
            yield DataTurn(name, self._category, self._tools, tuple(self.messages), (call,))
            result = self._run(call)
            self.messages += called_messages([(call, *result)], self._count)


def result_of(function: Callable[..., Any], call: Called) -> tuple[str, str]:
    """What a function of the data says to a call; its error is a result, too."""
    try:
        return _text(function(**call.args)), "success"
    except Exception as error:  # noqa: BLE001 - whatever the data's function raises
        return f"Error: {error}", "error"


def _text(result: Any) -> str:
    if isinstance(result, list):
        return "[" + ", ".join(map(_text, result)) + "]"
    dumped = getattr(result, "model_dump_json", None)
    return dumped() if dumped else str(result)
