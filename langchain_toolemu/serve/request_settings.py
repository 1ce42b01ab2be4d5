"""What a single request may choose: the object `toolemu` in its body.

The list is closed and each value has limits, as the table of options says: a client cannot make the server do more than
its operator allows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.options import BOOL, OPTIONS, Kind
from langchain_toolemu.serve.faults import invalid

FIELD = "toolemu"


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
    place = f"{FIELD}.{name}"
    if name not in LIMITS:
        raise invalid(f"'{place}' is not known. Known are: {', '.join(LIMITS)}.", place)
    if not LIMITS[name].fits(value):
        raise invalid(f"'{place}' must be {LIMITS[name].name}.", place)


LIMITS: Mapping[str, Kind] = {
    **{name: kind for name, option in OPTIONS.items() if (kind := option.client_kind)},
    "report": BOOL,
}
