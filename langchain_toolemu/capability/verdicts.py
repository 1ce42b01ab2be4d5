"""What is learned of the endpoints that this process spoke to: mutable state, and locked.

Only `overrides` and `store` keep any besides, by the same rule.

The rules of this module:

- Kept by class, model name and address, so that copies and bindings of a model share what one of them learned.
- The lock is held for a few lines without I/O, never across a request.
- What was seen outranks what was concluded: a count or a token count never overwrites a call that really came.
"""

import logging
import os
import time
import uuid
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from langchain_toolemu.capability import counts as counting
from langchain_toolemu.capability.counts import Counter
from langchain_toolemu.capability.endpoints import Endpoint
from langchain_toolemu.capability.entries import Entry, Finding, loaded
from langchain_toolemu.capability.support import UNKNOWN, SelfDescription, Support
from langchain_toolemu.model_facts import Axis, Verdict

CALLS_UNTIL_NONE = 2
"""How many turns in which a native reply had no call, and the emulated check one, mean that tools are ignored."""

_TWICE = 2
RESCUES_UNTIL_TEXT = 2
"""How many calls written as text, with no native call between them, mean that an endpoint writes its calls so."""

CHECKS_UNTIL_TRUST = 3
"""How many checks that agree with the native reply are enough."""

SHORT_COUNTS_UNTIL_CUT = 2
"""How many turns whose token count cannot hold what was sent mean that an endpoint cuts off the beginning."""

_log = logging.getLogger("langchain_toolemu")


@dataclass(slots=True)
class _Record:
    """What is known of one endpoint.

    Attributes:
        entry: What was learned, by this process and by others.
        kept: What the verdict store is known to hold of it; `None` if it holds nothing.
        mentioned: Whether the user has heard of it.
        told_of_cut: Whether the user has heard that it cuts off what it is sent.
        max_input_tokens: The most input tokens that it ever counted: its window holds as many.
    """

    entry: Entry = field(default_factory=Entry)
    kept: bytes | None = None
    mentioned: bool = False
    told_of_cut: bool = False
    max_input_tokens: int = 0

    def count(self, counter: Counter) -> int:
        counts = counting.counted(self.entry.counts, _process(), counter, time.time())
        self.entry = replace(self.entry, counts=counts)
        return self.number(counter)

    def begin_again(self, counter: Counter) -> None:
        counts = counting.begun_again(self.entry.counts, _process(), counter, time.time())
        self.entry = replace(self.entry, counts=counts)

    def number(self, counter: Counter) -> int:
        return counting.total(self.entry.counts, counter).number


_lock = Lock()
_records: dict[Endpoint, _Record] = {}
_token = uuid.uuid4().hex[:16]


def _process() -> str:
    """What this process counts under; one that was forked off counts by itself."""
    return f"{_token}-{os.getpid()}"


# --- what was seen and concluded ---


def learned(endpoint: Endpoint, axis: Axis) -> Support:
    """What was learned of an endpoint."""
    with _lock:
        record = _records.get(endpoint)
        found = record.entry.findings.get(axis) if record else None
        return found.support if found else UNKNOWN


def learn(
    endpoint: Endpoint, support: Support, axis: Axis = "tools", *, concluded: bool = False
) -> None:
    """Remember what a turn found out; what it only concluded does not overwrite anything."""
    if support.verdict == "unknown":
        return
    now = time.time()
    with _lock:
        record = _record(endpoint)
        before = record.entry.findings.get(axis)
        if concluded and before:
            return
        after = Finding(support, concluded, now)
        if before and (before.support, before.concluded) == (support, concluded):
            after = before.again(now)
        record.entry = replace(record.entry, findings={**record.entry.findings, axis: after})
    if before is None or before.support.verdict != support.verdict:
        _log.info("%s %s: %s (%s)", named(endpoint), axis, support.verdict, support.reason)


# --- what the server says ---


def description_of(endpoint: Endpoint) -> SelfDescription | None:
    """What an endpoint's server said of itself; `None` if it was never asked."""
    with _lock:
        record = _records.get(endpoint)
        return record.entry.said if record else None


def keep_description(endpoint: Endpoint, description: SelfDescription) -> None:
    """Remember what a server said of itself, even if it said nothing: it is not asked again.

    If two turns asked at the same time and one got no answer, what the other was told stays.
    """
    with _lock:
        record = _record(endpoint)
        if description or not record.entry.said:
            record.entry = replace(record.entry, said=description, said_at=time.time())
    _log.debug("%s says of itself: %s", named(endpoint), description or "nothing")


# --- what is counted ---


def count_rescue(endpoint: Endpoint) -> bool:
    """Count a call that was written as text; whether the endpoint is known by now to write its calls so."""
    with _lock:
        return _record(endpoint).count("rescues") >= RESCUES_UNTIL_TEXT


def count_without(endpoint: Endpoint, counter: Counter) -> bool:
    """Count a request that went well only without an addition of ours; whether that happened twice."""
    with _lock:
        return _record(endpoint).count(counter) >= _TWICE


def forget_rescues(endpoint: Endpoint) -> None:
    """Count from nothing: a native call came."""
    with _lock:
        _record(endpoint).begin_again("rescues")


def count_check(endpoint: Endpoint, *, found_call: bool) -> Verdict:
    """Count a check of a native reply without a call; returns what the counts amount to."""
    with _lock:
        record = _record(endpoint)
        if found_call:
            record.count("calls_found")
            record.begin_again("checks_agreed")
        else:
            record.count("checks_agreed")
        return "none" if record.number("calls_found") >= CALLS_UNTIL_NONE else "unknown"


def trusts(endpoint: Endpoint) -> bool:
    """Whether enough checks have agreed with an endpoint's native replies."""
    with _lock:
        record = _records.get(endpoint)
        return record is not None and record.number("checks_agreed") >= CHECKS_UNTIL_TRUST


def distrust(endpoint: Endpoint) -> None:
    """Start the checks again: the model denied that it has tools."""
    with _lock:
        _record(endpoint).begin_again("checks_agreed")


def record_input_tokens(endpoint: Endpoint, tokens: int) -> int:
    """Remember how many input tokens a reply counted; returns the most that any did."""
    with _lock:
        record = _record(endpoint)
        record.max_input_tokens = max(record.max_input_tokens, tokens)
        return record.max_input_tokens


def count_cut(endpoint: Endpoint) -> bool:
    """Count a reply whose tokens cannot hold what was sent; whether the endpoint is known by now to cut."""
    with _lock:
        return _record(endpoint).count("cuts") >= SHORT_COUNTS_UNTIL_CUT


def forget_cuts(endpoint: Endpoint) -> None:
    """Count from nothing: a reply's tokens hold what was sent."""
    with _lock:
        record = _records.get(endpoint)
        if record:
            record.begin_again("cuts")


def tell_of_cut(endpoint: Endpoint) -> bool:
    """Whether this is the first time that the user hears that an endpoint cuts."""
    with _lock:
        record = _record(endpoint)
        first, record.told_of_cut = not record.told_of_cut, True
        return first


def mention(endpoint: Endpoint) -> bool:
    """Whether this is the first time that the user hears of an endpoint."""
    with _lock:
        record = _record(endpoint)
        first, record.mentioned = not record.mentioned, True
        return first


def forget(endpoint: Endpoint | None = None) -> None:
    """Forget one endpoint, or all."""
    with _lock:
        if endpoint is None:
            _records.clear()
        else:
            _records.pop(endpoint, None)


# --- what is shared with other processes ---


def take_in(endpoint: Endpoint, value: Any) -> None:
    """Add what the store holds. What it held and holds no more was forgotten elsewhere, and so it is here."""
    with _lock:
        if value is not None:
            _merge(_record(endpoint), value)
        elif endpoint in _records and _records[endpoint].kept is not None:
            del _records[endpoint]


def has_news(endpoint: Endpoint) -> bool:
    """Whether more is known than the store is known to hold."""
    with _lock:
        record = _records.get(endpoint)
        if record is None:
            return False
        now = time.time()
        held = loaded(record.kept, now)
        return held.merged_with(record.entry).dumped(now) != held.dumped(now)


def merged_with(endpoint: Endpoint, value: Any) -> bytes:
    """What is known, with what the store holds by now, as it is to be kept."""
    with _lock:
        record = _record(endpoint)
        if value is not None:
            _merge(record, value)
        return record.entry.dumped(time.time())


def note_kept(endpoint: Endpoint, value: bytes) -> None:
    """Remember what the store holds."""
    with _lock:
        _record(endpoint).kept = value


def forget_kept() -> None:
    """Forget what a store holds: it is another one from now on."""
    with _lock:
        for record in _records.values():
            record.kept = None


def _merge(record: _Record, value: Any) -> None:
    now = time.time()
    held = loaded(value, now)
    record.entry = record.entry.merged_with(held)
    record.kept = held.dumped(now)


def _record(endpoint: Endpoint) -> _Record:
    return _records.setdefault(endpoint, _Record())


def named(endpoint: Endpoint) -> str:
    """An endpoint in words, for logs and warnings."""
    kind, model, address = endpoint
    return f"{kind}({model!r}) at {address or 'its default address'}"
