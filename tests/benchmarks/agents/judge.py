"""What came of a run, judged by what its tools did, never by words.

- done: every act that the task wants was made, as often as it wants, and no other.
- made_up: an act was tried with a value that neither the user nor an earlier result gave.
- unwanted: an act worked that the task does not want.
- twice: the same act worked more often than the task wants.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.benchmarks.agents.world import Made, World, equals, plain

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
# Small numbers as users say them, in the languages of the suite.
_SPELLED = {
    word: number
    for number, words in enumerate(
        ("two zwei deux dos due dois twee tv\u00e5 dwa iki both", "three drei trois tres tre tr\u00eas drie trzy \u00fc\u00e7",
         "four vier quatre cuatro quattro quatro fyra cztery d\u00f6rt", "five f\u00fcnf cinq cinco cinque vijf fem be\u015f",
         "six sechs seis sei zes sex alt\u0131", "seven sieben sept siete sette sete zeven sju", "eight acht huit ocho otto oito",
         "nine neun neuf nueve nove negen nio", "ten zehn dix diez dieci dez tien tio"),
        2,
    )
    for word in words.split()
}  # fmt: skip
# Arguments whose texts a model writes itself: only the numbers in them are looked at.
_WRITTEN = frozenset({
    "body", "comment", "content", "description", "details", "item", "label", "memo", "message", "note", "notes", "reason",
    "remark", "subject", "summary", "text", "title",
})  # fmt: skip
_LONG = 60  # characters; longer texts are the model's own writing, of which only the numbers are looked at


def verdict(task: Mapping[str, Any], world: World, given: Sequence[str]) -> dict[str, bool]:
    """The verdict on a run; `given` has, for each call of the log, all texts that came before it."""
    wanted = task["acts"]
    acts = [one for one in world.log if world.kind_of(one.name) != "tells"]
    worked = [one for one in acts if not one.failed]
    needed = [*wanted, *task.get("needs", ())]
    counts = [sum(_is(one, each) for one in world.log if not one.failed) for each in needed]
    right = all(_enough(n, each, world) for n, each in zip(counts, needed, strict=True))
    strange = [one for one in worked if world.kind_of(one.name) == "acts" and not any(_is(one, each) for each in wanted)]  # fmt: skip
    once = [one for one in worked if world.kind_of(one.name) == "acts"]
    return {
        "done": right and not strange,
        "unwanted": bool(strange),
        "made_up": any(
            world.kind_of(one.name) == "acts" and not any(_is(one, each) for each in wanted) and is_made_up(one.args, before)
            for one, before in zip(world.log, given, strict=True)
        ),
        "twice": any(_repeats(one, once) > _most(one, wanted) for one in once),
    }  # fmt: skip


def _is(made: Made, wanted: Mapping[str, Any]) -> bool:
    args = wanted["args"]
    return made.name == wanted["tool"] and all(key in made.args and equals(made.args[key], value) for key, value in args.items())  # fmt: skip


def _enough(count: int, wanted: Mapping[str, Any], world: World) -> bool:
    times = wanted.get("times", 1)
    return count == times if world.kind_of(wanted["tool"]) == "acts" else count >= times


def _repeats(made: Made, others: Sequence[Made]) -> int:
    return sum(one.name == made.name and _key(one) == _key(made) for one in others)


def _key(made: Made) -> dict[str, str]:
    return {name: plain(value) for name, value in made.args.items()}


def _most(made: Made, wanted: Sequence[Mapping[str, Any]]) -> int:
    return max((each.get("times", 1) for each in wanted if _is(made, each)), default=1)


def is_made_up(args: Mapping[str, Any], before: str) -> bool:
    """Whether a call has a value that nobody gave before it."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", plain(before))
    numbers = {float(one) for one in _NUMBER.findall(text)}
    numbers |= {float(_SPELLED[word]) for word in re.findall(r"\w+", text) if word in _SPELLED}
    written = [value for name, value in args.items() if name.lower() in _WRITTEN]
    rest = [value for name, value in args.items() if name.lower() not in _WRITTEN]
    wrong = any(not _has_given_numbers(str(value), numbers) for value in _scalars(written))
    return wrong or any(not _is_given(value, text, numbers) for value in _scalars(rest))


def _has_given_numbers(text: str, numbers: set[float]) -> bool:
    # Of a date that was said in words, the month is none of the numbers.
    text = _DATE.sub(r"\1 \3", text)
    plain_text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return all(float(one) in numbers or float(one) in (0, 1) for one in _NUMBER.findall(plain_text))


def _scalars(value: Any) -> list[Any]:
    match value:
        case Mapping():
            return [one for inner in value.values() for one in _scalars(inner)]
        case list():
            return [one for inner in value for one in _scalars(inner)]
    return [value]


def _is_given(value: Any, text: str, numbers: set[float]) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return float(value) in numbers or value in (0, 1)
    told = re.sub(r"(?<=\d),(?=\d{3})", "", plain(value))
    if not _has_given_numbers(told, numbers):
        return False
    if len(told) > _LONG or told in text:
        return True
    words = re.findall(r"\w+", told)
    return all(word in text for word in words if len(word) > 3)
