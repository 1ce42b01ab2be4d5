"""What this process has learned of the endpoints it spoke to: mutable state, and locked.

Beside it only `overrides` keeps any, by the same rule.

The rules of this room:

- Kept by class, model name and address, so that copies and bindings of a model share what one of them learned.
- The lock is held for a few lines without I/O, never across a request.
- What was seen outranks what was concluded: a count or a bill never overwrites a call that really came.
"""

import logging
from dataclasses import dataclass, field
from threading import Lock

from langchain_toolemu.capability.endpoints import Endpoint
from langchain_toolemu.capability.support import UNKNOWN, Axis, SelfDescription, Support
from langchain_toolemu.turn.order import Verdict

CALLS_UNTIL_NONE = 2
"""How many turns in which a native reply had no call, and the emulated check one, mean that tools are ignored."""

RESCUES_UNTIL_TEXT = 2
"""How many calls written as text, with no native call between them, mean that an endpoint writes its calls so."""

CHECKS_UNTIL_TRUST = 3
"""How many checks that agree with the native reply are enough."""

_log = logging.getLogger("langchain_toolemu")


@dataclass(slots=True)
class _Record:
    learned: dict[Axis, Support] = field(default_factory=dict)
    description: SelfDescription | None = None
    calls_found: int = 0
    rescues: int = 0
    checks_agreed: int = 0
    mentioned: bool = False


_lock = Lock()
_records: dict[Endpoint, _Record] = {}


def learned(endpoint: Endpoint, axis: Axis) -> Support:
    """What was learned of an endpoint."""
    with _lock:
        record = _records.get(endpoint)
        return record.learned.get(axis, UNKNOWN) if record else UNKNOWN


def learn(
    endpoint: Endpoint, support: Support, axis: Axis = "tools", *, concluded: bool = False
) -> None:
    """Remember what a turn found out; what it only concluded does not overwrite anything."""
    if support.verdict == "unknown":
        return
    with _lock:
        known = _record(endpoint).learned
        before = known.get(axis, UNKNOWN).verdict
        if concluded and before != "unknown":
            return
        known[axis] = support
    if before != support.verdict:
        _log.info("%s %s: %s (%s)", named(endpoint), axis, support.verdict, support.reason)


def description_of(endpoint: Endpoint) -> SelfDescription | None:
    """What an endpoint's server said of itself; `None` if it was never asked."""
    with _lock:
        record = _records.get(endpoint)
        return record.description if record else None


def keep_description(endpoint: Endpoint, description: SelfDescription) -> None:
    """Remember what a server said of itself, even if it said nothing: it is not asked again.

    If two turns asked at the same time and one got no answer, what the other was told stays.
    """
    with _lock:
        record = _record(endpoint)
        record.description = description or record.description or description
    _log.debug("%s says of itself: %s", named(endpoint), description or "nothing")


def count_rescue(endpoint: Endpoint) -> bool:
    """Count a call that was written as text; whether the endpoint is known by now to write its calls so."""
    with _lock:
        record = _record(endpoint)
        record.rescues += 1
        return record.rescues >= RESCUES_UNTIL_TEXT


def forget_rescues(endpoint: Endpoint) -> None:
    """Count from nothing: a native call came."""
    with _lock:
        _record(endpoint).rescues = 0


def count_check(endpoint: Endpoint, *, found_call: bool) -> Verdict:
    """Count a check of a native reply without a call; returns what the counts amount to."""
    with _lock:
        record = _record(endpoint)
        if found_call:
            record.calls_found += 1
            record.checks_agreed = 0
        else:
            record.checks_agreed += 1
        return "none" if record.calls_found >= CALLS_UNTIL_NONE else "unknown"


def trusts(endpoint: Endpoint) -> bool:
    """Whether enough checks have agreed with an endpoint's native replies."""
    with _lock:
        record = _records.get(endpoint)
        return record is not None and record.checks_agreed >= CHECKS_UNTIL_TRUST


def distrust(endpoint: Endpoint) -> None:
    """Start the checks again: the model denied that it has tools."""
    with _lock:
        _record(endpoint).checks_agreed = 0


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


def _record(endpoint: Endpoint) -> _Record:
    return _records.setdefault(endpoint, _Record())


def named(endpoint: Endpoint) -> str:
    """An endpoint in words, for logs and warnings."""
    kind, model, address = endpoint
    return f"{kind}({model!r}) at {address or 'its default address'}"
