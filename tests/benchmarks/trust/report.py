"""The table of what was made, what was not, and which questions that took."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.benchmarks.trust.insisting import Outcome

_COLUMNS = (
    "turns",
    "calls",
    "made",
    "not made",
    "other",
    "asked",
    "of a skipped lookup",
    "asked twice",
    "waited",
)


@dataclass(slots=True)
class Tally:
    """What came of the turns of one source.

    Attributes:
        turns: How many there were.
        calls: How many right calls they have.
        missing: How many of those were not made.
        surplus: How many other calls were made.
        asked: How many turns took a further request.
        skipped: How many of those have an id that stands nowhere in the conversation: the question is right.
        asked_twice: How many took more than one.
        waited: How many had a call that waited for the result of another one.
        reasons: Why, each counted once a turn.
        failed: The turns that did not go as promised.
    """

    turns: int = 0
    calls: int = 0
    missing: int = 0
    surplus: int = 0
    asked: int = 0
    skipped: int = 0
    asked_twice: int = 0
    waited: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    failed: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one turn."""
        self.turns += 1
        self.calls += len(outcome.turn.calls)
        self.missing += len(outcome.missing)
        self.surplus += outcome.surplus
        self.asked += outcome.extra > 0
        self.skipped += outcome.extra > 0 and outcome.turn.skips_lookup
        self.asked_twice += outcome.extra > 1
        self.waited += outcome.waits > 0
        self.reasons.update(outcome.reasons)
        if not outcome.made or outcome.extra > 1:
            self.failed.append(outcome)

    @property
    def figures(self) -> tuple[int, ...]:
        """The figures in the order of the columns."""
        made = self.calls - self.missing
        return (
            self.turns,
            self.calls,
            made,
            self.missing,
            self.surplus,
            self.asked,
            self.skipped,
            self.asked_twice,
            self.waited,
        )


def tally(outcomes: Iterable[Outcome]) -> Tally:
    """The tally of some outcomes."""
    counted = Tally()
    for outcome in outcomes:
        counted.add(outcome)
    return counted


def header(labels: Sequence[str]) -> str:
    """The head of a table whose rows have these labels."""
    columns = [*labels, *_COLUMNS, "why"]
    return "| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|"


def row(labels: Sequence[str], counted: Tally) -> str:
    """One row of the table."""
    why = ", ".join(f"{reason} {count}" for reason, count in counted.reasons.most_common())
    return "| " + " | ".join([*labels, *map(str, counted.figures), why]) + " |"


def failures(counted: Tally) -> Iterator[str]:
    """A line for each turn that did not go as promised: what was said last, and what went wrong."""
    for outcome in counted.failed:
        said = [message for message in outcome.turn.messages if message.type == "human"]
        yield f"  {outcome.in_words}\n    {said[-1].text[:200]!r}"
