"""Whether calls are the right ones: compared as values, as the Berkeley leaderboard compares them.

Strings count without case, white space and punctuation; an integer counts as a float; each argument has a list of
values that are right, where the empty string says that it may be left out.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_IGNORED = re.compile(r"[ ,./\-_*^'\"]")


@dataclass(frozen=True)
class Truth:
    """A call that is right: its tool, and for each argument the values that are."""

    name: str
    args: Mapping[str, Sequence[Any]]


def is_right(calls: Sequence[Mapping[str, Any]], truth: Truth) -> bool:
    """Whether exactly the one right call was made."""
    return are_right(calls, [truth])


def are_right(calls: Sequence[Mapping[str, Any]], truths: Sequence[Truth]) -> bool:
    """Whether exactly the right calls were made, in any order."""
    return are_matched(calls, truths, _fits)


def are_among(calls: Sequence[Mapping[str, Any]], truths: Sequence[Truth]) -> bool:
    """Whether at least one of the right calls was made, each at most once, and no other."""
    return bool(calls) and _unmatched(calls, truths, _fits) is not None


def are_matched(
    calls: Sequence[Mapping[str, Any]], wanted: Sequence[Any], fits: Callable[[Any, Any], bool]
) -> bool:
    """Whether the calls are the wanted ones, in any order: by their names, and if the arguments fit."""
    return _unmatched(calls, wanted, fits) == []


def _unmatched(
    calls: Sequence[Mapping[str, Any]], wanted: Sequence[Any], fits: Callable[[Any, Any], bool]
) -> list[Any] | None:
    """What is wanted and was not called; nothing if a call was made that is not wanted."""
    left = list(wanted)
    for call in calls:
        fitting = [one for one in left if call["name"] == one.name and fits(call["args"], one)]
        if not fitting:
            return None
        left.remove(fitting[0])
    return left


def _fits(args: Mapping[str, Any], truth: Truth) -> bool:
    needed = {name for name, right in truth.args.items() if "" not in right}
    known = set(args) <= set(truth.args)
    return (
        known
        and needed <= set(args)
        and all(_is_one_of(args[key], truth.args[key]) for key in args)
    )


def _is_one_of(value: Any, right: Sequence[Any]) -> bool:
    return any(same(value, one) for one in right)


def same(value: Any, right: Any) -> bool:
    """Whether a value is the right one."""
    if isinstance(value, str) and isinstance(right, str):
        return _bare(value) == _bare(right)
    if isinstance(value, list) and isinstance(right, list):
        return len(value) == len(right) and all(map(same, value, right))
    if isinstance(value, Mapping) and isinstance(right, Mapping):
        return _fits(value, Truth("", {key: _listed(one) for key, one in right.items()}))
    return bool(value == right) and isinstance(value, bool) == isinstance(right, bool)


def _listed(right: Any) -> Sequence[Any]:
    return right if isinstance(right, list) else [right]


def _bare(text: str) -> str:
    return _IGNORED.sub("", text).lower()
