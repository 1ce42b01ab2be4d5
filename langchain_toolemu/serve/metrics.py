"""The figures of a gateway, and `GET /metrics`, which shows them to Prometheus.

- A label is never a text from a client, a model or an upstream.
- Processes that share the folder `PROMETHEUS_MULTIPROC_DIR` show the figures of all of them.
"""

import os
from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from langchain_toolemu.callbacks import Counts

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # read when `prometheus_client` is imported
_LIMITS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)

# The kind of each metric and its help; of what `Counts` has, also the field, and the label of its
# keys if there are some.
METRICS: Mapping[str, tuple[str, ...]] = {
    "toolemu_requests_total": (
        "counter", "Requests of clients. The status of a stream that failed is that of its error.",
    ),
    "toolemu_request_duration_seconds": (
        "histogram", "From a request to the end of its answer.",
    ),
    "toolemu_first_output_seconds": (
        "histogram", "From a request to the first part of a streamed answer.",
    ),
    "toolemu_turns_total": ("counter", "Turns, by path: who made the message.", "paths", "path"),
    "toolemu_failed_turns_total": ("counter", "Turns that ended in an error.", "failed"),
    "toolemu_upstream_requests_total": (
        "counter", "Requests that turns sent to the model.", "requests",
    ),
    "toolemu_fallbacks_total": (
        "counter", "Turns in mode fallback that native tool calling did not complete.", "fallbacks",
    ),
    "toolemu_reasks_total": ("counter", "Further requests with a correction.", "reasks", "reason"),
    "toolemu_doubts_total": ("counter", "Calls that were doubted.", "doubts", "outcome"),
    "toolemu_calls_total": ("counter", "Tool calls that were returned.", "calls"),
    "toolemu_invalid_calls_total": (
        "counter", "Calls that could not be read, or were cut off.", "invalid",
    ),
    "toolemu_repairs_total": ("counter", "Repairs of calls.", "repaired"),
    "toolemu_input_tokens_total": ("counter", "Tokens sent.", "input_tokens"),
    "toolemu_output_tokens_total": ("counter", "Tokens received.", "output_tokens"),
}  # fmt: skip


class Metrics:
    """The figures of one app."""

    def __init__(self, models: Iterable[str]) -> None:
        self._registry = CollectorRegistry()
        by = ("model", "endpoint", "stream", "status")
        self._requests = self._counter("toolemu_requests_total", *by)
        self._seconds = self._histogram("toolemu_request_duration_seconds")
        self._first = self._histogram("toolemu_first_output_seconds")
        self._counted = {
            where[0]: self._counter(name, "model", *where[1:])
            for name, (_, _, *where) in METRICS.items()
            if where
        }
        for model in models:
            self.add_turn(model, Counts(), least=0)  # what has not happened is zero, not missing

    def _counter(self, name: str, *labels: str) -> Counter:
        return Counter(name, METRICS[name][1], labels, registry=self._registry)

    def _histogram(self, name: str) -> Histogram:
        words = METRICS[name][1]
        return Histogram(name, words, ("model",), registry=self._registry, buckets=_LIMITS)

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
            by_label = (
                {(): found} if isinstance(found, int) else {(key,): found[key] for key in found}
            )
            for label, number in by_label.items():
                if number >= least:  # an upstream may say anything of its tokens
                    counter.labels(model, *label).inc(number)

    def to_text(self) -> bytes:
        """All figures, as Prometheus reads them."""
        shown = self._registry
        if SHARED_FOLDER in os.environ:
            shown = CollectorRegistry()
            MultiProcessCollector(shown)  # type: ignore[no-untyped-call]
        return generate_latest(shown)
