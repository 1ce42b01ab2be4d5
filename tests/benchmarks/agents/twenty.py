"""Twenty tasks of two and three steps. Each checks what its tools did, not what the model said."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class World:
    """What the tools see and change."""

    notes: dict[str, str] = field(default_factory=dict)
    sent: list[tuple[str, str]] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)

    def tools(self) -> list[Callable[..., Any]]:
        """The tools of this world."""

        def add(a: int, b: int) -> int:
            """Add two numbers."""
            self.sums.append(a + b)
            return a + b

        def save_note(title: str, text: str) -> str:
            """Save a note under a title."""
            self.notes[title.lower()] = text
            return f"saved {title}"

        def get_weather(city: str) -> str:
            """Get the current weather in a city."""
            self.looked_up.append(city.lower())
            return f"{len(city) + 10} degrees in {city}"

        def send_message(to: str, text: str) -> str:
            """Send a message to a person."""
            self.sent.append((to.lower(), text))
            return f"sent to {to}"

        return [add, get_weather, save_note, send_message]


@dataclass(frozen=True)
class Task:
    """A question, and whether the world shows that it was done."""

    question: str
    done: Callable[[World], bool]


def _sum_then_note(a: int, b: int, title: str) -> Task:
    return Task(
        f"Add {a} and {b}. Then save a note with the title {title} that says the result.",
        lambda world: a + b in world.sums and str(a + b) in world.notes.get(title.lower(), ""),
    )


def _weather_then_message(city: str, person: str) -> Task:
    return Task(
        f"Get the weather in {city}. Then send a message to {person} with the weather.",
        lambda world: (
            city.lower() in world.looked_up
            and any(to == person.lower() and str(len(city) + 10) in text for to, text in world.sent)
        ),
    )


def _two_sums(a: int, b: int, c: int) -> Task:
    return Task(
        f"Add {a} and {b}. Then add {c} to the result.",
        lambda world: a + b in world.sums and a + b + c in world.sums,
    )


def _three_steps(a: int, b: int, city: str, person: str) -> Task:
    return Task(
        f"Add {a} and {b}, get the weather in {city}, and send a message to {person}.",
        lambda world: (
            a + b in world.sums
            and city.lower() in world.looked_up
            and any(to == person.lower() for to, _ in world.sent)
        ),
    )


TASKS = [
    *(_sum_then_note(a, b, title) for a, b, title in [(17, 25, "Total"), (120, 30, "Budget"), (5, 9, "Score"), (40, 2, "Answer"), (300, 33, "Miles")]),
    *(_weather_then_message(city, person) for city, person in [("Paris", "Ann"), ("Oslo", "Bob"), ("Tokyo", "Eve"), ("Rome", "Max"), ("Lima", "Zoe")]),
    *(_two_sums(a, b, c) for a, b, c in [(1, 2, 3), (10, 20, 30), (7, 8, 9), (100, 11, 5), (50, 25, 4)]),
    *(_three_steps(a, b, city, person) for a, b, city, person in [(3, 4, "Paris", "Ann"), (12, 13, "Oslo", "Bob"), (20, 22, "Tokyo", "Eve"), (6, 6, "Rome", "Max"), (9, 1, "Lima", "Zoe")]),
]  # fmt: skip
