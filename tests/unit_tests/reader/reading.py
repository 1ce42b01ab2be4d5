"""How the reader's tests read: a text in pieces of many sizes, and what came out, in short."""

from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import (
    BadCall,
    Call,
    CallsDisowned,
    DeclinedCall,
    MadeUpTurn,
    PossibleCall,
    Text,
)
from tests.unit_tests.samples import TOOLS

PARIS = ("get_weather", {"city": "Paris"})
NOW = ("now", {})


def outline(events):
    """Text as strings, calls as name and arguments, bad ones as name and reason; which of them are unmeant."""
    short = []
    for event in events:
        if isinstance(event, CallsDisowned):
            short = [part if isinstance(part, str) else (*part, "unmeant") for part in short]
        elif isinstance(event, PossibleCall | DeclinedCall):
            kind = "possible" if isinstance(event, PossibleCall) else "declined"
            short.append((event.name, kind))
        elif isinstance(event, MadeUpTurn):
            before = short.pop()[1] if short and short[-1][0] == "made up" else ""
            short.append(("made up", before + event.text))
        elif not isinstance(event, Text):
            said = event.args if isinstance(event, Call) else event.reason
            short.append((event.name, said))
        elif short and isinstance(short[-1], str):
            short[-1] += event.text
        else:
            short.append(event.text)
    return short


def without_unmeant(events):
    """The events with unmeant calls as the text they were."""
    kept = []
    for event in events:
        if isinstance(event, CallsDisowned):
            # The text of a possible call came as text already.
            kept = [past for past in kept if not isinstance(past, PossibleCall | DeclinedCall)]
            kept = [Text(past.raw) if isinstance(past, Call | BadCall) else past for past in kept]
        else:
            kept.append(event)
    return kept


def read(text, *, size=None, cut=False, tools=TOOLS, **options):
    """The events of a text that comes in pieces of this size."""
    reader = Reader(tools, **options)
    step = size or len(text) or 1
    events = []
    for start in range(0, len(text), step):
        events += reader.feed(text[start : start + step])
    return events + reader.close(cut=cut)


def said(text, **options):
    """What comes out of a text, which must be the same in pieces of any size."""
    whole = outline(read(text, **options))
    for size in (1, 2, 3, 5):
        assert outline(read(text, size=size, **options)) == whole
    return whole
