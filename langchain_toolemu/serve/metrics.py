"""The figures of a gateway, and `GET /metrics`, which shows them to Prometheus.

- A label is never a text from a client, a model or an upstream.
- Processes that share the folder `PROMETHEUS_MULTIPROC_DIR` show the figures of all of them.
"""

import os
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from langchain_toolemu.callbacks import Counts

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # read when `prometheus_client` is imported
_LIMITS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)


class Metrics:
    """The figures of one app."""

    def __init__(self, models: Iterable[str]) -> None:
        self.registry = CollectorRegistry()
        self._requests = self._counter(
            "requests", "Requests of clients. The status of a stream that failed is its error's.",
            "endpoint", "stream", "status",
        )  # fmt: skip
        self._seconds = self._histogram(
            "request_duration", "From a request to the end of its answer."
        )
        self._first = self._histogram(
            "first_output", "From a request to the first part of a streamed answer."
        )
        # By the field of `Counts`.
        self._counted = {
            "paths": self._counter("turns", "Turns, by path: who made the message.", "path"),
            "failed": self._counter("failed_turns", "Turns that ended in an error."),
            "requests": self._counter(
                "upstream_requests", "Requests that turns sent to the model."
            ),
            "fallbacks": self._counter(
                "fallbacks", "Turns in mode fallback that native tool calling did not complete."
            ),
            "reasks": self._counter(
                "reasks", "Further requests with a correction, by reason.", "reason"
            ),
            "doubts": self._counter("doubts", "Calls that were doubted, by outcome.", "outcome"),
            "calls": self._counter("calls", "Tool calls that were returned."),
            "invalid": self._counter(
                "invalid_calls", "Calls that could not be read, or were cut off."
            ),
            "repaired": self._counter("repairs", "Repairs of calls."),
            "input_tokens": self._counter("input_tokens", "Tokens sent."),
            "output_tokens": self._counter("output_tokens", "Tokens received."),
        }
        for model in models:
            self.add_turn(model, Counts(), least=0)  # what has not happened is zero, not missing

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"toolemu_{name}", words, ("model", *labels), registry=self.registry)

    def _histogram(self, name: str, words: str) -> Histogram:
        buckets, registry = _LIMITS, self.registry
        return Histogram(
            f"toolemu_{name}", words, ["model"], unit="seconds", registry=registry, buckets=buckets
        )

    def add_request(
        self, model: str, seconds: float, first_output: float | None, **labels: str
    ) -> None:
        """Count a request, and how long it took."""
        self._requests.labels(model=model, **labels).inc()
        self._seconds.labels(model).observe(seconds)
        if first_output is not None:
            self._first.labels(model).observe(first_output)

    def add_turn(self, model: str, counts: Counts, least: int = 1) -> None:
        """Count what was counted of a turn, as far as it is at least so much."""
        for field, counter in self._counted.items():
            found = getattr(counts, field)
            by_label = {(): found} if isinstance(found, int) else {(k,): found[k] for k in found}
            for label, number in by_label.items():
                if number >= least:  # an upstream may say anything of its tokens
                    counter.labels(model, *label).inc(number)

    def to_text(self) -> bytes:
        """All figures, as Prometheus reads them."""
        shown = self.registry
        if SHARED_FOLDER in os.environ:
            shown = CollectorRegistry()
            MultiProcessCollector(shown)  # type: ignore[no-untyped-call]
        return generate_latest(shown)
