"""What differs between two trees, or between the ways to ask one of them, grouped by kind."""

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.benchmarks.compare.cases import Case
from tests.benchmarks.compare.playing import Outcome

_SHOWN = 400
_TOLD = 80
_NUMBERS = re.compile(r"\d+")
_MOST_GROUPS = 40


@dataclass
class Group:
    """Cases that differ in one kind; the smallest is shown."""

    count: int = 0
    name: str = ""
    way: str = ""
    parts: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    size: float = float("inf")


@dataclass
class Differences:
    """All that was found, by kind."""

    compared: int = 0
    cases: int = 0
    groups: dict[str, Group] = field(default_factory=dict)

    def compare(self, name: str, outcomes: Mapping[str, tuple[Outcome, Outcome]]) -> None:
        """Compare the two outcomes of a case in each way."""
        found = {way: unequal_parts(*pair) for way, pair in outcomes.items()}
        self.compared += len(found)
        self.cases += any(found.values())
        kinds: dict[str, list[str]] = {}
        for way, parts in found.items():
            if parts:
                kinds.setdefault(kind_of(parts), []).append(way)
        for kind, ways in kinds.items():
            only = "" if len(ways) == len(found) else f" ({', '.join(ways)} only)"
            self._add(kind + only, name, ways[0], found[ways[0]])

    def _add(self, kind: str, name: str, way: str, parts: dict[str, tuple[Any, Any]]) -> None:
        group = self.groups.setdefault(kind, Group())
        group.count += 1
        size = len(json.dumps(parts))
        if size < group.size:
            group.name, group.way, group.parts, group.size = name, way, parts, size

    def in_order(self) -> list[tuple[str, Group]]:
        """The groups, the largest first."""
        return sorted(self.groups.items(), key=lambda one: -one[1].count)


def unequal_parts(one: Outcome, other: Outcome) -> dict[str, tuple[Any, Any]]:
    """The parts that differ, each with both values."""
    names = [*one, *(name for name in other if name not in one)]
    return {
        name: (one.get(name), other.get(name))
        for name in names
        if (name in one) != (name in other) or one.get(name) != other.get(name)
    }


def kind_of(parts: Mapping[str, tuple[Any, Any]]) -> str:
    """What tells one kind of difference from another: its parts, and what the first of the words are."""
    names = sorted({re.sub(r" \d+$", "", name) for name in parts})
    told = [_words(*parts[name]) for name in _TELLING if name in parts]
    return ", ".join(names) + "".join(f"; {words}" for words in told[:1] if words)


_TELLING = ("error", "toolemu.warning_codes", "toolemu.reasks", "warnings", "request messages")


def _words(one: Any, other: Any) -> str:
    """The first line that only one of them has, and that of the other in its place, without what both lines say."""
    changes = list(difflib.unified_diff(_lines(one), _lines(other), n=0, lineterm=""))[2:]
    here, there = (next((line[1:] for line in changes if line[0] == sign), "") for sign in "-+")
    if here and there:
        start = max(here.rfind(" ", 0, _parting(here, there)), 0)
        here, there = here[start:], there[start:]
        end = _parting(here[::-1], there[::-1])
        here, there = here[: len(here) - end], there[: len(there) - end]
    here, there = here.strip()[:_TOLD], there.strip()[:_TOLD]
    return _NUMBERS.sub("N", f"{here!r} here, {there!r} there")


def _parting(one: str, other: str) -> int:
    """The place where two texts part."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _lines(value: Any) -> list[str]:
    match value:
        case None:
            return []
        case str():
            return value.splitlines()
        case list():
            return [line for one in value for line in _lines(one)]
        case dict():
            return [line for one in value.values() for line in _lines(one)]
    return [str(value)]


# --- what is printed ---


def listed(differences: Differences, case_of: Any) -> Iterator[str]:
    """All groups, each with its smallest case."""
    groups = differences.in_order()
    for kind, group in groups[:_MOST_GROUPS]:
        yield f"\n{group.count} x {kind}\n  e.g. --only '{group.name}', by {group.way}"
        yield from (f"    {line}" for line in described(case_of(group.name)))
        for name, (one, other) in group.parts.items():
            here, there = _excerpts(_shown(one), _shown(other))
            yield f"  {name}\n    here:  {here}\n    there: {there}"
    if len(groups) > _MOST_GROUPS:
        rest = sum(group.count for _, group in groups[_MOST_GROUPS:])
        yield f"\nand {rest} in {len(groups) - _MOST_GROUPS} further groups"


def described(case: Case) -> Iterator[str]:
    """A case in short."""
    names = [tool["function"]["name"] for tool in case.tools]
    yield f"{case.label}: ChatToolEmu({'takes tools' if case.native else 'text only'}, {case.options})"
    yield f".bind_tools({names}, {case.binding})"
    for turn in case.turns:
        yield "asked: " + " | ".join(f"{one.type}: {_past(one)}" for one in turn.messages)
        yield from (f"reply: {reply!r}"[:_SHOWN] for reply in turn.replies)


def _past(message: Any) -> str:
    calls = [(call["name"], call["args"]) for call in getattr(message, "tool_calls", ())]
    return " ".join(filter(None, [str(message.content)[:100], str(calls) if calls else ""]))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _excerpts(one: str, other: str) -> tuple[str, str]:
    """Both texts from shortly before the place where they part."""
    start = max(0, _parting(one, other) - 60)
    lead = "..." if start else ""
    return tuple(f"{lead}{text[start : start + _SHOWN]}" for text in (one, other))  # type: ignore[return-value]
