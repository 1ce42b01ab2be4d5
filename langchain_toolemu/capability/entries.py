"""What is known of one endpoint, as processes share it: it merges, it expires, and it is written as JSON.

- Of two findings on one axis, what was seen wins over what was concluded, then the later one.
- Written are axes, verdicts, kinds of evidence, counts, sizes and times. No reason is: it may quote a provider.
- Whatever cannot be read is left out: another version may have written it, or somebody else.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any, get_args

from langchain_toolemu.capability import counts as counting
from langchain_toolemu.capability.counts import Count, Counter, Counts
from langchain_toolemu.capability.support import SelfDescription, Support
from langchain_toolemu.model_facts import Axis, Evidence

DAY = 86_400.0
EXPIRES_AFTER = 30 * DAY
"""How long what was learned counts, if it is not seen again."""

SAID_EXPIRES_AFTER = DAY
"""How long what a server said of itself counts: it may be started again with other settings."""

MAX_PROCESSES = 64
_MAX_BYTES = 100_000
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """What was learned on one axis.

    Attributes:
        support: The verdict, its reason and what it rests on.
        concluded: Whether it was only concluded, not seen.
        at: When, in seconds since 1970.
    """

    support: Support
    concluded: bool = False
    at: float = 0.0

    @property
    def weight(self) -> tuple[bool, float]:
        """What decides between two findings."""
        return not self.concluded, self.at

    def again(self, at: float) -> "Finding":
        """The same found once more; the time moves on once a day, so that not every turn is news."""
        return self if at - self.at < DAY else replace(self, at=at)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one endpoint.

    Attributes:
        findings: What was learned on each axis.
        counts: What each process has counted.
        said: What the server said of itself; `None` if it was never asked.
        said_at: When it said so.
    """

    findings: Mapping[Axis, Finding] = field(default_factory=dict)
    counts: Counts = field(default_factory=dict)
    said: SelfDescription | None = None
    said_at: float = 0.0

    def merged_with(self, other: "Entry") -> "Entry":
        """What both know; where they say the same, this one's reasons stay."""
        findings = dict(other.findings)
        for axis, mine in self.findings.items():
            findings[axis] = max(mine, findings.get(axis, mine), key=lambda one: one.weight)
        told = max(self, other, key=lambda entry: (bool(entry.said), entry.said_at))
        said = told.said if told.said else self.said
        counts = counting.merged([self.counts, other.counts])
        return Entry(findings, counts, said, told.said_at)

    def dumped(self, now: float) -> bytes:
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
            sizes = {"billions": self.said.billions, "window": self.said.window}
            data["said"] = {"axes": axes, **sizes, "at": round(self.said_at, 3)}
        return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def _newest(counts: Counts, now: float) -> list[tuple[str, list[tuple[Counter, Count]]]]:
    """The counts that have not expired, of those processes that counted last."""
    fresh = (
        (process, [(name, one) for name, one in own.items() if _is_fresh(one.at, now)])
        for process, own in counts.items()
    )
    last_first = sorted(
        (part for part in fresh if part[1]),
        key=lambda part: max(one.at for _, one in part[1]),
        reverse=True,
    )
    return last_first[:MAX_PROCESSES]


def loaded(value: Any, now: float) -> Entry:
    """The entry that a store holds, without what has expired and what cannot be read."""
    try:
        data = json.loads(value) if len(value) <= _MAX_BYTES else None
    except (TypeError, ValueError, RecursionError):
        return Entry()
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        return Entry()
    said, said_at = _said_in(data.get("said"), now)
    findings = _read(data.get("axes"), lambda axis, one: _finding_in(axis, one, now))
    counts = _read(data.get("counts"), lambda process, own: _counts_in(process, own, now))
    return Entry(findings, counts, said, said_at)


def _finding_in(axis: str, data: Any, now: float) -> tuple[Axis, Finding] | None:
    match data:
        case {"verdict": "native" | "none" as verdict, "evidence": str(evidence), "concluded": bool(concluded), "at": at}:  # fmt: skip
            when = _time_in(at, now)
            if axis in get_args(Axis) and evidence in get_args(Evidence) and _is_fresh(when, now):
                support = Support(verdict, _reason(when), evidence)  # type: ignore[arg-type]
                return axis, Finding(support, concluded, when)  # type: ignore[return-value]
    return None


def _reason(at: float) -> str:
    day = datetime.fromtimestamp(at, tz=timezone.utc).date().isoformat()
    return f"it was learned on {day}, says the verdict store"


def _counts_in(process: str, data: Any, now: float) -> tuple[str, Mapping[Counter, Count]] | None:
    own = _read(data, lambda name, numbers: _count_in(name, numbers, now))
    return (process, own) if own else None


def _count_in(name: str, data: Any, now: float) -> tuple[Counter, Count] | None:
    match data:
        case [int(generation), int(number), at] if name in get_args(Counter):
            when = _time_in(at, now)
            if min(generation, number) >= 0 and _is_fresh(when, now):
                return name, Count(generation, number, when)  # type: ignore[return-value]
    return None


def _said_in(data: Any, now: float) -> tuple[SelfDescription | None, float]:
    if not isinstance(data, dict):
        return None, 0.0
    when = _time_in(data.get("at"), now)
    if not _is_fresh(when, now, SAID_EXPIRES_AFTER):
        return None, 0.0
    supports = _read(data.get("axes"), _claim_in)
    window = _positive(data.get("window"))
    sizes = SelfDescription(supports, _positive(data.get("billions")), int(window) if window else None)  # fmt: skip
    return (sizes, when) if sizes else (None, 0.0)


def _claim_in(axis: str, verdict: Any) -> tuple[Axis, Support] | None:
    if axis not in get_args(Axis) or verdict not in ("native", "none"):
        return None
    return axis, Support(verdict, "the server said so to another process", "claimed")  # type: ignore[return-value]


def _read(data: Any, one: Any) -> dict[Any, Any]:
    """What can be read of an object, part by part."""
    parts: Iterator[Any] = iter(data.items()) if isinstance(data, dict) else iter(())
    return dict(filter(None, (one(key, value) for key, value in parts)))


def _time_in(at: Any, now: float) -> float:
    """A time that is not in the future: another machine's clock may be ahead."""
    return min(_positive(at) or 0.0, now)


def _positive(number: Any) -> float | None:
    fits = isinstance(number, int | float) and not isinstance(number, bool)
    return float(number) if fits and math.isfinite(number) and number > 0 else None


def _is_fresh(at: float, now: float, lasts: float = EXPIRES_AFTER) -> bool:
    return now - at < lasts
