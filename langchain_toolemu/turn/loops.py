"""Whether a call only does the last step once more, on its own result: `add(79, 4)` after `add(75, 4)` gave 79.

Small models go on like this without end. What the user said once is used once; said twice, it may be used twice.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """A call that was answered.

    Attributes:
        name: The tool's name.
        args: The arguments.
        result: What came of it.
    """

    name: str
    args: Mapping[str, Any]
    result: str


def goes_on(name: str, args: Mapping[str, Any], steps: Sequence[Step], said: str) -> bool:
    """Whether a call is the last step again, with that step's result in the place of a value, and no more was asked for.

    Example:
        ```python
        steps = [Step("add", {"a": 50, "b": 25}, "75"), Step("add", {"a": 75, "b": 4}, "79")]
        goes_on("add", {"a": 79, "b": 4}, steps, "Add 50 and 25, then 4.")  # True
        ```
    """
    last = next(reversed(steps), None)
    if last is None or last.name != name or last.args.keys() != args.keys():
        return False
    kept = [value for key, value in args.items() if value == last.args[key]]
    new = [value for key, value in args.items() if value != last.args[key]]
    taken = bool(new) and all(str(value) == last.result.strip() for value in new)
    return taken and bool(kept) and all(_is_used_up(value, steps, said) for value in kept)


def _is_used_up(value: Any, steps: Sequence[Step], said: str) -> bool:
    """Whether a value that the user said was used as often as it was said."""
    times = len(re.findall(rf"(?<![\w.]){re.escape(str(value))}(?![\w]|\.\d)", said))
    used = sum(value in list(step.args.values()) for step in steps)
    return 0 < times <= used
