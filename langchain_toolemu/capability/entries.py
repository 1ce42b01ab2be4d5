"""What is known of one endpoint, as processes share it: it merges, it expires, and it is written as JSON.

What was seen wins over what was concluded, then the later one. Each process writes only its own counts, so that none is
added twice. No reason is written, since it may quote a provider; what cannot be read is left out.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any, Literal, TypeAlias, get_args

from langchain_toolemu.capability.support import ModelDescription, Support
from langchain_toolemu.model_facts import Axis, Evidence

DAY = 86_400.0
EXPIRES_AFTER = 30 * DAY  # how long what was learned counts, if it is not seen again

SAID_EXPIRES_AFTER = DAY
"""How long what a server said of itself counts: it may be started again with other settings."""

MAX_PROCESSES = 64
_MAX_BYTES = 100_000
_VERSION = 1
_WINDOWS = ("window", "read_window")

Counter: TypeAlias = Literal[
    "calls_found", "rescues", "checks_agreed", "without_grammar", "without_schema",
    "without_system_message", "cuts", "parser_failures", "turns_in_text",
    "contract_failures", "recipe_drops", "calls_since_drop",
]  # fmt: skip
_UNSHARED = ("turns_in_text",)  # each process counts its own: else all would be written each turn


@dataclass(frozen=True, slots=True, order=True)
class Count:
    """What one process has counted."""

    generation: int = 0  # how often the counter has begun again
    number: int = 0  # what was counted since: earlier generations count no more
    at: float = 0.0  # seconds since 1970


ProcessCounts: TypeAlias = Mapping[str, Mapping[Counter, Count]]
"""What each process has counted, by the process."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was learned on one axis."""

    support: Support
    concluded: bool = False  # and not seen
    at: float = 0.0

    def again(self, at: float) -> "Finding":
        """The same found once more; the time moves on once a day, so that not every turn is news."""
        return self if at - self.at < DAY else replace(self, at=at)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one endpoint."""

    findings: Mapping[Axis, Finding] = field(default_factory=dict)
    counts: ProcessCounts = field(default_factory=dict)
    said: ModelDescription | None = None  # by the server; `None`: it was never asked
    said_at: float = 0.0

    def number(self, counter: Counter) -> int:
        """What all processes have counted together."""
        return self._total(counter).number

    def last(self, counter: Counter) -> float:
        """When any process counted last, in seconds since 1970."""
        return self._total(counter).at

    def _total(self, counter: Counter) -> Count:
        known = [own[counter] for own in self.counts.values() if counter in own]
        generation = max((count.generation for count in known), default=0)
        current = [one for one in known if one.generation == generation]
        at = max((one.at for one in current), default=0.0)
        return Count(generation, sum(one.number for one in current), at)

    def with_count(self, counter: Counter, process: str, at: float) -> "Entry":
        """The entry after one process has counted once more."""
        generation = self._total(counter).generation
        own = self.counts.get(process, {}).get(counter, Count())
        number = own.number if own.generation == generation else 0
        return self._replace_count(process, counter, Count(generation, number + 1, at))

    def with_reset(self, counter: Counter, process: str, at: float) -> "Entry":
        """The entry after one process has begun a counter again."""
        known = self._total(counter)
        if not known.number:
            return self
        return self._replace_count(process, counter, Count(known.generation + 1, 0, at))

    def _replace_count(self, process: str, counter: Counter, count: Count) -> "Entry":
        own = {**self.counts.get(process, {}), counter: count}
        return replace(self, counts={**self.counts, process: own})

    def merge(self, other: "Entry") -> "Entry":
        """What both know; where they say the same, this one's reasons stay."""
        findings = dict(other.findings)
        for axis, mine in self.findings.items():
            both = mine, findings.get(axis, mine)
            findings[axis] = max(both, key=lambda one: (not one.concluded, one.at))
        counts = {process: dict(own) for process, own in self.counts.items()}
        for process, theirs in other.counts.items():
            known = counts.setdefault(process, {})
            for counter, count in theirs.items():
                known[counter] = max(count, known.get(counter, Count()))
        told = max(self, other, key=lambda entry: (bool(entry.said), entry.said_at))
        return Entry(findings, counts, told.said or self.said, told.said_at)

    def dump(self, now: float) -> bytes:
        """The entry as JSON, without what has expired."""
        data: dict[str, Any] = {"version": _VERSION}
        data["axes"] = {
            axis: {
                "verdict": one.support.verdict,
                "evidence": one.support.evidence,
                "concluded": one.concluded,
                "at": round(one.at, 3),
            }
            for axis, one in self.findings.items()
            if _is_fresh(one.at, now)
        }
        data["counts"] = {
            process: {name: [one.generation, one.number, round(one.at, 3)] for name, one in own}
            for process, own in _newest(self.counts, now)
        }
        if self.said and _is_fresh(self.said_at, now, SAID_EXPIRES_AFTER):
            axes = {axis: support.verdict for axis, support in self.said.supports.items()}
            sizes = {name: getattr(self.said, name) for name in ("billions", *_WINDOWS)}
            data["said"] = {"axes": axes, **sizes, "at": round(self.said_at, 3)}
        return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def _newest(counts: ProcessCounts, now: float) -> list[tuple[str, list[tuple[Counter, Count]]]]:
    """The counts that have not expired, of those processes that counted last."""
    fresh = []
    for process, own in counts.items():
        told = [(name, one) for name, one in own.items() if name not in _UNSHARED]
        if kept := [(name, one) for name, one in told if _is_fresh(one.at, now)]:
            fresh.append((process, kept))
    fresh.sort(key=lambda part: max(one.at for _, one in part[1]), reverse=True)
    return fresh[:MAX_PROCESSES]


def load_entry(value: Any, now: float) -> Entry:
    """The entry that a store holds, without what has expired and what cannot be read."""
    try:
        data = json.loads(value) if len(value) <= _MAX_BYTES else None
    except (TypeError, ValueError, RecursionError):
        return Entry()
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        return Entry()
    axes, counts = _items(data.get("axes")), _items(data.get("counts"))
    findings = {axis: one for axis, held in axes if (one := _finding_in(axis, held, now))}
    processes = {process: own for process, held in counts if (own := _counts_in(held, now))}
    return Entry(findings, processes, *_said_in(data.get("said"), now))


def _items(data: Any) -> Iterable[tuple[Any, Any]]:
    return data.items() if isinstance(data, dict) else ()


def _finding_in(axis: str, data: Any, now: float) -> Finding | None:
    match data:
        case {"verdict": "native" | "none" as verdict, "evidence": str(evidence), "concluded": bool(concluded), "at": at}:  # fmt: skip
            when = _time_in(at, now)
            if evidence == "shown":  # as it was called at first
                evidence = "observed"
            if axis in get_args(Axis) and evidence in get_args(Evidence) and _is_fresh(when, now):
                day = datetime.fromtimestamp(when, tz=timezone.utc).date().isoformat()
                reason = f"it was learned on {day}, says the verdict store"
                return Finding(Support(verdict, reason, evidence), concluded, when)  # type: ignore[arg-type]
    return None


def _counts_in(data: Any, now: float) -> dict[Counter, Count]:
    found = {}
    for name, held in _items(data):
        match held:
            case [int(generation), int(number), at] if min(generation, number) >= 0:
                when = _time_in(at, now)
                if name in get_args(Counter) and _is_fresh(when, now):
                    found[name] = Count(generation, number, when)
    return found


def _said_in(data: Any, now: float) -> tuple[ModelDescription | None, float]:
    when = _time_in(data.get("at"), now) if isinstance(data, dict) else 0.0
    if not _is_fresh(when, now, SAID_EXPIRES_AFTER):
        return None, 0.0
    reason = "the server said so to another process"
    supports = {
        axis: Support(verdict, reason, "claimed")
        for axis, verdict in _items(data.get("axes"))
        if axis in get_args(Axis) and verdict in ("native", "none")
    }
    windows = {name: int(size) for name in _WINDOWS if (size := _positive(data.get(name)))}
    sizes = ModelDescription(supports, _positive(data.get("billions")), **windows)
    return (sizes, when) if sizes else (None, 0.0)


def _time_in(at: Any, now: float) -> float:
    """A time that is not in the future: another machine's clock may be ahead."""
    return min(_positive(at) or 0.0, now)


def _positive(number: Any) -> float | None:
    fits = isinstance(number, int | float) and not isinstance(number, bool)
    return float(number) if fits and math.isfinite(number) and number > 0 else None


def _is_fresh(at: float, now: float, lasts: float = EXPIRES_AFTER) -> bool:
    return now - at < lasts
