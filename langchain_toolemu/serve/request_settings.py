"""What a single request may choose: the object `toolemu` in its body.

The list is closed and each value has limits: a client cannot make the server do more than its operator allows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from langchain_toolemu.contract.dialects import DIALECTS
from langchain_toolemu.serve.faults import RequestError, invalid
from langchain_toolemu.turn.mode import Mode
from langchain_toolemu.turn.order import Constrain, Flow, OnFailure, Reasoning, SystemRole

FIELD = "toolemu"

MOST_REASKS = 5
MOST_ROUNDS = 200
MOST_RESULT_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class RequestSettings:
    """What a request asks of its turn.

    Attributes:
        chosen: Settings of `ChatToolEmu`, by name.
        report: Whether the answer is to say what was done, in its body.
    """

    chosen: tuple[tuple[str, Any], ...] = ()
    report: bool = False


def read_settings(value: Any) -> RequestSettings:
    """The settings that a request brings.

    Raises:
        RequestError: A key that is not in the list, or a value beyond its limits.

    Example:
        ```python
        read_settings({"mode": "force", "max_reasks": 1, "report": True})
        ```
    """
    if value is None:
        return RequestSettings()
    if not isinstance(value, dict):
        raise invalid(f"'{FIELD}' must be an object.", FIELD)
    given = {name: setting for name, setting in value.items() if setting is not None}
    for name, setting in given.items():
        _check(name, setting)
    report = bool(given.pop("report", False))
    return RequestSettings(tuple(sorted(given.items())), report)


def _check(name: str, value: Any) -> None:
    limit = LIMITS.get(name)
    if limit is None:
        known = ", ".join(LIMITS)
        raise invalid(f"'{FIELD}.{name}' is not known. Known are: {known}.", f"{FIELD}.{name}")
    if not limit.allows(value):
        raise _beyond(name, limit)


def _beyond(name: str, limit: "Limit") -> RequestError:
    return invalid(f"'{FIELD}.{name}' must be {limit.words}.", f"{FIELD}.{name}")


@dataclass(frozen=True, slots=True)
class Limit:
    """What a setting may be.

    Attributes:
        words: The same in words.
        allows: Whether a value is within it.
    """

    words: str
    allows: Callable[[Any], bool]


def _one_of(*words: str) -> Limit:
    return Limit("one of " + ", ".join(map(repr, words)), lambda value: value in words)


def _between(least: int, most: int) -> Limit:
    return Limit(
        f"an integer from {least} to {most:,}",
        lambda value: type(value) is int and least <= value <= most,
    )


_SWITCH = Limit("true or false", lambda value: isinstance(value, bool))

LIMITS: Mapping[str, Limit] = {
    "mode": _one_of(*get_args(Mode)),
    "dialect": _one_of(*DIALECTS),
    "flow": _one_of(*get_args(Flow)),
    "examples": _SWITCH,
    "max_reasks": _between(0, MOST_REASKS),
    "on_failure": _one_of(*get_args(OnFailure)),
    "max_tool_rounds": _between(1, MOST_ROUNDS),
    "max_tool_result_chars": _between(1, MOST_RESULT_CHARS),
    "system_role": _one_of(*get_args(SystemRole)),
    "constrain": _one_of(*get_args(Constrain)),
    "reasoning": _one_of(*get_args(Reasoning)),
    "tool_support": _one_of("native", "none"),
    "report": _SWITCH,
}
