"""The figures of a gateway, and `GET /metrics`, which shows them in Prometheus' text format.

- A label is never a text from a client, a model or an upstream.
- Workers share a folder with their figures: any of them shows those of all, labelled by worker.
"""

import asyncio
import json
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate
from math import inf
from pathlib import Path
from typing import TypeAlias

from langchain_toolemu.callbacks import Counts

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SHARE_SECONDS = 0.2
_LIMITS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, inf)

# The kind of each metric and its help; of what `Counts` has, also the field, and the label of its keys if there are some.
METRICS: Mapping[str, tuple[str, ...]] = {
    "toolemu_requests_total": ("counter", "Requests of clients. The status of a stream that failed is that of its error."),
    "toolemu_request_duration_seconds": ("histogram", "From a request to the end of its answer."),
    "toolemu_first_output_seconds": ("histogram", "From a request to the first part of a streamed answer."),
    "toolemu_turns_total": ("counter", "Turns, by path: who made the message.", "paths", "path"),
    "toolemu_failed_turns_total": ("counter", "Turns that ended in an error.", "failed"),
    "toolemu_upstream_requests_total": ("counter", "Requests that turns sent to the model.", "requests"),
    "toolemu_fallbacks_total": ("counter", "Turns in mode fallback that native tool calling did not complete.", "fallbacks"),
    "toolemu_reasks_total": ("counter", "Further requests with a correction.", "reasks", "reason"),
    "toolemu_doubts_total": ("counter", "Calls that were doubted.", "doubts", "outcome"),
    "toolemu_calls_total": ("counter", "Tool calls that were returned.", "calls"),
    "toolemu_invalid_calls_total": ("counter", "Calls that could not be read, or were cut off.", "invalid"),
    "toolemu_repairs_total": ("counter", "Repairs of calls.", "repaired"),
    "toolemu_input_tokens_total": ("counter", "Tokens sent.", "input_tokens"),
    "toolemu_output_tokens_total": ("counter", "Tokens received.", "output_tokens"),
}  # fmt: skip

Labels: TypeAlias = tuple[tuple[str, str], ...]
Sample: TypeAlias = tuple[str, str, Labels, float]  # metric, suffix, labels, value


class Metrics:
    """The figures of one process; those of other workers are in the shared folder."""

    def __init__(self, models: Iterable[str], folder: str | None = None) -> None:
        self.turns = {model: Counts() for model in models}
        self._requests: Counter[Labels] = Counter()
        self._times: dict[tuple[str, str], list[float]] = {}  # counts by limit, and the sum
        self._due: asyncio.TimerHandle | None = None  # when the figures are shared next
        self._folder = Path(folder) if folder else None

    def add_request(
        self, model: str, seconds: float, first_output: float | None, **labels: str
    ) -> None:
        """Count a request, and how long it took."""
        by: Labels = (("model", model), *labels.items())
        self._requests[by] += 1
        self._observe("toolemu_request_duration_seconds", model, seconds)
        if first_output is not None:
            self._observe("toolemu_first_output_seconds", model, first_output)
        if self._folder and not self._due:
            self._due = asyncio.get_running_loop().call_later(_SHARE_SECONDS, self.share)

    def _observe(self, name: str, model: str, seconds: float) -> None:
        times = self._times.setdefault((name, model), [0] * (len(_LIMITS) + 1))
        times[bisect_left(_LIMITS, seconds)] += 1
        times[-1] += seconds

    def to_text(self) -> str:
        """All figures, as Prometheus reads them."""
        self.share()
        paths = sorted(self._folder.glob("*.json")) if self._folder else []
        shared = [
            sample for path in paths for sample in json.loads(path.read_text(encoding="utf-8"))
        ]
        samples = shared if self._folder else list(self._samples())
        lines: list[str] = []
        for name, (kind, words, *_) in METRICS.items():
            lines += [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]
            for metric, suffix, labels, value in samples:
                if metric == name:
                    pairs = (f'{label}="{text.translate(_ESCAPES)}"' for label, text in labels)
                    lines.append(f"{name}{suffix}{{{','.join(pairs)}}} {value}")
        return "\n".join([*lines, ""])

    def _samples(self) -> Iterator[Sample]:
        for labels, number in self._requests.items():
            yield "toolemu_requests_total", "", labels, number
        for (name, model), (*times, total) in self._times.items():
            by = (("model", model),)
            for limit, up_to in zip(_LIMITS, accumulate(times), strict=True):
                yield name, "_bucket", (*by, ("le", "+Inf" if limit == inf else str(limit))), up_to
            yield from ((name, "_sum", by, total), (name, "_count", by, sum(times)))
        counted = [(name, *where) for name, (_, _, *where) in METRICS.items() if where]
        for model, counts in self.turns.items():
            for name, field, *label in counted:
                value = getattr(counts, field)
                for key, number in value.items() if label else (("", value),):
                    yield name, "", (("model", model), *((about, key) for about in label)), number

    def share(self) -> None:
        """Write the figures for the other workers, which show them also after this one has ended."""
        self._due = None
        if self._folder is None:
            return
        worker = str(os.getpid())
        samples = [
            (*sample[:2], (*sample[2], ("worker", worker)), sample[3]) for sample in self._samples()
        ]
        with suppress(OSError):  # such as a full disk
            written = self._folder / f"{worker}.new"
            written.write_text(json.dumps(samples), encoding="utf-8")
            written.replace(self._folder / f"{worker}.json")
