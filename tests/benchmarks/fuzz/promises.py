"""What must hold of the reader for a text, whatever it is."""

import contextlib
import json
import signal
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    CallDelta,
    DeclinedCall,
    Event,
    MadeUpTurn,
    PossibleCall,
    Text,
)
from tests.unit_tests.samples import TOOLS

_OPTIONS: list[dict[str, Any]] = [
    {}, {}, {}, {"forced": "get_weather"}, {"forced": "get_weather"}, {"native": True},
    {"explicit_only": True},
]  # fmt: skip
_LONGEST = 10  # seconds for a text that ends at all
_SLOWEST = 0.25  # seconds for the 2,000 characters at most of one text: a hang, not a slow machine


def read(pieces: list[str], *, cut: bool, **options: Any) -> list[Event]:
    """The events of a text that comes in pieces, with neighbouring words as one."""
    reader = Reader(TOOLS, **options)
    events = [event for piece in pieces for event in reader.feed(piece)] + reader.close(cut=cut)
    merged: list[Event] = []
    for event in events:
        last = merged[-1] if merged else None
        match last, event:
            case (Text(), Text()) | (MadeUpTurn(), MadeUpTurn()) | (CallDelta(), CallDelta()):
                merged[-1] = type(event)(last.text + event.text)
            case _:
                merged.append(event)
    return merged


def broken_promise(random: Random, text: str) -> tuple[str | None, tuple[Any, ...]]:
    """What does not hold of a text, if anything; and what kind of text it is, by what was read."""
    cut, options = random.random() < 0.2, random.choice(_OPTIONS)
    pieces = _pieces(random, text)
    try:
        with _limit():
            whole, parts, seconds = _timed(text, pieces, cut=cut, **options)
            if seconds > _SLOWEST:  # or the machine was slow
                seconds = min(_timed(text, pieces, cut=cut, **options)[2] for _ in range(3))
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return f"{type(error).__name__}: {error}", ()
    return _complaint(text, whole, parts, seconds), _kind(whole)


def _timed(text: str, pieces: list[str], **options: Any) -> tuple[list[Event], list[Event], float]:
    """The events of the whole and of the pieces, and the CPU's time."""
    start = time.process_time()
    whole, parts = read([text], **options), read(pieces, **options)
    return whole, parts, time.process_time() - start


@contextlib.contextmanager
def _limit() -> Iterator[None]:
    """Raise an error in what does not end, by the CPU's time: on a busy machine the clock's runs on."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(*_: Any) -> None:
    raise TimeoutError("it does not end")


def _pieces(random: Random, text: str) -> list[str]:
    size = random.choice([1, 2, 3, 4, 7, 16])
    return [text[start : start + size] for start in range(0, len(text), size)]


def _complaint(text: str, whole: list[Event], parts: list[Event], seconds: float) -> str | None:
    calls = [event for event in whole if isinstance(event, Call)]
    if whole != parts:
        return "pieces give something else than the whole"
    if any(TOOLS.exact(call.name) is None for call in calls):
        return "a call of no bound tool"
    if not all(_is_json(call.args) for call in calls):
        return "arguments that are no JSON"
    told = all(
        isinstance(event, Text | MadeUpTurn | PossibleCall | DeclinedCall) for event in whole
    )
    if told and _words(whole) != text:
        return "words were changed"
    return "too slow" if seconds > _SLOWEST else None


def _words(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text | MadeUpTurn))


def _is_json(value: Any) -> bool:
    try:
        written = json.dumps(value)
        return json.dumps(json.loads(written)) == written
    except (TypeError, ValueError):
        return False


def _kind(events: list[Event]) -> tuple[Any, ...]:
    return tuple(_sort(event) for event in events[:4])


def _sort(event: Event) -> Any:
    match event:
        case Call():
            return event.name, event.explicit, event.notes
        case BadCall():
            return event.name, event.reason
    return "words"
