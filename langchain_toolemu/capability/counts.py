"""Counts that several processes add to, and that merge without loss.

Each process writes only its own number, so merging takes the higher of two states of it and never adds one twice. To begin
again from nothing, a counter moves on to a new generation: numbers of earlier ones count no more, whoever wrote them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Counter: TypeAlias = Literal[
    "calls_found",
    "rescues",
    "checks_agreed",
    "without_grammar",
    "without_schema",
    "without_system_message",
    "cuts",
]


@dataclass(frozen=True, slots=True, order=True)
class Count:
    """What one process has counted.

    Attributes:
        generation: How often the counter has begun again.
        number: What was counted since.
        at: When, in seconds since 1970.
    """

    generation: int = 0
    number: int = 0
    at: float = 0.0


Counts: TypeAlias = Mapping[str, Mapping[Counter, Count]]
"""What each process has counted, by the process."""


def total(counts: Counts, counter: Counter) -> Count:
    """What all processes have counted together."""
    known = [own[counter] for own in counts.values() if counter in own]
    generation = max((count.generation for count in known), default=0)
    return Count(generation, sum(one.number for one in known if one.generation == generation))


def counted(counts: Counts, process: str, counter: Counter, at: float) -> Counts:
    """The counts after one process has counted once more."""
    generation = total(counts, counter).generation
    own = counts.get(process, {}).get(counter, Count())
    number = own.number if own.generation == generation else 0
    return _with(counts, process, counter, Count(generation, number + 1, at))


def begun_again(counts: Counts, process: str, counter: Counter, at: float) -> Counts:
    """The counts after one process has begun a counter again."""
    known = total(counts, counter)
    if not known.number:
        return counts
    return _with(counts, process, counter, Count(known.generation + 1, 0, at))


def merged(parts: Iterable[Counts]) -> Counts:
    """Several states of the same counts as one: of each process the latest."""
    result: dict[str, dict[Counter, Count]] = {}
    for part in parts:
        for process, own in part.items():
            known = result.setdefault(process, {})
            for counter, count in own.items():
                known[counter] = max(count, known.get(counter, Count()))
    return result


def _with(counts: Counts, process: str, counter: Counter, count: Count) -> Counts:
    return {**counts, process: {**counts.get(process, {}), counter: count}}
