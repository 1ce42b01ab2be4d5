"""What is remembered of the endpoints that this process spoke to: a frozen record each, which a lesson replaces.

Verdicts are shared through the verdict store: what was seen wins over what was concluded, then the later. All else is this process's
own. No reason is written, since it may quote a provider; what cannot be read is left out.
"""

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from threading import Lock
from typing import Any, Literal, TypeAlias, get_args

from langchain_toolemu.capability.endpoints import Endpoint
from langchain_toolemu.capability.support import ModelDescription, Support
from langchain_toolemu.model_facts import Axis, Evidence
from langchain_toolemu.validation import read_json

MAX_ENDPOINTS = 1_000
"""Of more, the least recently used is forgotten: whoever may name a model could name any number."""

DAY = 86_400.0
EXPIRES_AFTER = 30 * DAY  # how long what was learned counts, if it is not seen again

# A server's update repairs these.
_EXPIRES_SOONER: Mapping[Axis, float] = {
    "streamed_calls": DAY, "followed_schema": DAY, "followed_json_mode": DAY,
}  # fmt: skip

_MAX_BYTES = 100_000
_VERSION = 1

Counter: TypeAlias = Literal["calls_found", "rescues", "checks_agreed", "cuts"]
ToldOnce: TypeAlias = Literal["emulated", "cut", "parser_failed", "reasoning"]
"""What the user is told once for each endpoint: its calls are emulated; it cuts off what it is sent; its parser fails; its
reasoning is lost."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was learned on one axis."""

    support: Support
    concluded: bool = False  # and not seen
    at: float = 0.0  # seconds since 1970

    def counts_for(self, axis: Axis) -> bool:
        """Whether it has not expired."""
        return _is_fresh(self.at, _EXPIRES_SOONER.get(axis, EXPIRES_AFTER))


@dataclass(frozen=True, slots=True)
class Record:
    """What is remembered of one endpoint. Whoever changes it gets another record, or the same if nothing is new."""

    findings: Mapping[Axis, Finding] = field(default_factory=dict)
    # Of this process alone:
    description: ModelDescription | None = None  # by the server; `None`: it was never asked
    counts: Mapping[Counter, int] = field(default_factory=dict)
    notices: frozenset[ToldOnce] = frozenset()
    max_input_tokens: int = 0  # that it ever counted: its window holds as many
    was_cut: bool = False  # whether the last request whose tokens it counted was cut off
    refused_tools: Mapping[str, tuple[str, float]] = field(default_factory=dict)  # what came, when
    kept: bytes | None = None  # what the verdict store is known to hold

    def learn(self, support: Support, axis: Axis = "tools", *, concluded: bool = False) -> "Record":
        """With what a turn found out; what it only concluded does not overwrite anything."""
        before, now = self.findings.get(axis), time.time()
        if support.verdict == "unknown" or (concluded and before):
            return self
        # The same found again moves the time on once a day, so that not every turn is news.
        if before and (before.support, before.concluded) == (support, concluded) and now - before.at < DAY:  # fmt: skip
            return self
        return replace(self, findings={**self.findings, axis: Finding(support, concluded, now)})

    def hear(self, description: ModelDescription) -> "Record":
        """With a server's description of itself, even an empty one: it is not asked again. An earlier description stays."""
        is_new = description or not self.description
        return replace(self, description=description) if is_new else self

    @property
    def read_window(self) -> int | None:
        """How many tokens the server was seen to read; `None` if it is not known, 0 if there is no such limit."""
        return self.description.read_window if self.description else None

    def count(self, counter: Counter) -> "Record":
        """With one more."""
        return replace(self, counts={**self.counts, counter: self.number(counter) + 1})

    def reset(self, *counters: Counter) -> "Record":
        """With these counted from nothing."""
        if self.counts.keys().isdisjoint(counters):
            return self
        kept = {name: counted for name, counted in self.counts.items() if name not in counters}
        return replace(self, counts=kept)

    def number(self, counter: Counter) -> int:
        """What was counted."""
        return self.counts.get(counter, 0)

    def merge(self, other: "Record") -> "Record":
        """With what a record of the store holds; where both say the same, this one's reasons stay."""
        findings = dict(other.findings)
        for axis, mine in self.findings.items():
            both = mine, findings.get(axis, mine)
            findings[axis] = max(both, key=lambda finding: (not finding.concluded, finding.at))
        return replace(self, findings=findings)

    def dump(self) -> bytes:
        """What is shared, as JSON, without what has expired."""
        axes = {
            axis: {
                "verdict": finding.support.verdict,
                "evidence": finding.support.evidence,
                "concluded": finding.concluded,
                "at": round(finding.at, 3),
            }
            for axis, finding in self.findings.items()
            if finding.counts_for(axis)
        }
        data = {"version": _VERSION, "axes": axes}
        return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


NOTHING = Record()
_NO_NEWS = NOTHING.dump()


# --- the records of this process ---

_lock = Lock()  # never held across a request
_records: dict[Endpoint, Record] = {}  # the least recently used first


def recall(endpoint: Endpoint) -> Record:
    """What is remembered of an endpoint."""
    with _lock:
        record = _records.pop(endpoint, None)
        if record is None:
            return NOTHING
        _records[endpoint] = record
        return record


def update(endpoint: Endpoint, change: Callable[[Record], Record]) -> tuple[Record, Record]:
    """Replace a record by what a function makes of it; returns it before and after."""
    with _lock:
        before = _records.get(endpoint, NOTHING)
        after = change(before)
        _records.pop(endpoint, None)
        _records[endpoint] = after
        if len(_records) > MAX_ENDPOINTS:
            del _records[next(iter(_records))]
        return before, after


def is_first_notice(endpoint: Endpoint, notice: ToldOnce) -> bool:
    """Whether a notice is new for this endpoint; it is remembered as given."""
    before, _ = update(endpoint, lambda record: replace(record, notices=record.notices | {notice}))
    return notice not in before.notices


def forget(endpoint: Endpoint | None = None) -> None:
    """Forget one endpoint, or all."""
    with _lock:
        if endpoint is None:
            _records.clear()
        else:
            _records.pop(endpoint, None)


# --- what the verdict store holds of them ---


def take_in(endpoint: Endpoint, value: Any) -> None:
    """Add what the store holds. What it held and holds no more was forgotten elsewhere, and so it is here."""
    if value is not None:
        held = load_record(value)
        update(endpoint, lambda record: replace(record.merge(held), kept=held.dump()))
    elif recall(endpoint).kept is not None:
        forget(endpoint)


def has_changes(endpoint: Endpoint) -> bool:
    """Whether more is known than the store is known to hold."""
    record = recall(endpoint)
    return record is not NOTHING and record.dump() not in (record.kept, _NO_NEWS)


def note_kept(endpoint: Endpoint, value: bytes | None) -> None:
    """Remember what the store holds."""
    update(endpoint, lambda record: replace(record, kept=value))


def forget_kept() -> None:
    """Forget what a store holds: it is another one from now on."""
    for endpoint in list(_records):
        note_kept(endpoint, None)


def load_record(value: Any) -> Record:
    """The record that a store holds, without what has expired and what cannot be read."""
    is_short = isinstance(value, str | bytes) and len(value) <= _MAX_BYTES
    data = read_json(value) if is_short else None
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        return NOTHING
    axes = data.get("axes")
    items = axes.items() if isinstance(axes, dict) else ()
    return Record({axis: finding for axis, held in items if (finding := _finding_in(axis, held))})


def _finding_in(axis: str, data: Any) -> Finding | None:
    match data:
        case {"verdict": "native" | "none" as verdict, "evidence": str(evidence), "concluded": bool(concluded), "at": at}:  # fmt: skip
            when = _time_in(at)
            if axis in get_args(Axis) and evidence in get_args(Evidence) and _is_fresh(when):
                day = datetime.fromtimestamp(when, tz=timezone.utc).date().isoformat()
                reason = f"it was learned on {day}, says the verdict store"
                return Finding(Support(verdict, reason, evidence), concluded, when)  # type: ignore[arg-type]
    return None


def _time_in(at: Any) -> float:
    """A time that is not in the future: another machine's clock may be ahead."""
    is_time = isinstance(at, int | float) and not isinstance(at, bool) and math.isfinite(at)
    return min(float(at), time.time()) if is_time else 0.0


def _is_fresh(at: float, lasts: float = EXPIRES_AFTER) -> bool:
    return time.time() - at < lasts
