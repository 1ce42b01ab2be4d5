"""What a tool does: it *acts*, *tells* something, or may be done again at will (*repeatable*).

The author's mark decides (`metadata={"acts": True}`, MCP's hints); else the first verb of this list
in its name; else the first word of its description. A tool that acts changes something: a second
time is a second payment, booking or mail. One that nothing is known of may be repeated.
"""

from functools import lru_cache
from typing import Literal, TypeAlias

from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import words_of

ToolKind: TypeAlias = Literal["acts", "repeatable", "tells"]

_VERBS: dict[ToolKind, str] = {
    "tells": """
        analyze browse calculate check compare compute convert count describe detect diff
        estimate evaluate explain fetch find forecast get grep history identify info inspect
        list locate look lookup measure monitor plan predict preview query quote rank read
        recommend retrieve scan search see show solve stat status summarize tell track
        translate validate verify view watch weather what when where which who
    """,
    "repeatable": """
        adjust bash click decrement drag draw drop execute goto hover increment key move
        navigate next pause ping poll press redo refresh resume retry roll run scroll shell
        shuffle skip sleep step swipe take test turn type undo wait walk zoom
    """,
    "acts": """
        add append apply approve archive assign block book buy cancel change charge clear
        close confirm connect create deactivate delete deliver deploy disable dispatch
        dispense edit email enable forward give grant insert invest invite issue lock log
        mail make mark merge message modify notify open order pay place post print prescribe
        publish purchase push put record refund register remove renew rent replace reply
        reschedule reserve restart restore save schedule send set share ship start submit
        switch transfer update upload withdraw write
    """,
}
_KIND_OF: dict[str, ToolKind] = {
    verb: kind for kind, verbs in _VERBS.items() for verb in verbs.split()
}

_NOUNS = frozenset({
    "book", "charge", "email", "invoice", "issue", "log", "mail", "message", "order", "post",
    "record", "schedule",
})  # fmt: skip
"""Verbs that are nouns before a word such as "status": `order_status` acts on nothing."""


def kind_of(tool: ToolSpec) -> ToolKind:
    """What a tool does."""
    kind = _named_kind(tool.name, tool.description)
    if tool.acts is None:
        return kind or "repeatable"
    if tool.acts:
        return "acts"
    # What its author allows to be done again is not yet a look-up.
    return "repeatable" if kind == "acts" else "tells"


@lru_cache(1024)
def _named_kind(name: str, description: str) -> ToolKind | None:
    named, first = words_of(name.replace("_", " ")), words_of(description[:40])[:1]
    words = [*named, *first, *(word.removesuffix("s") for word in first)]
    verb = next((word for word in words if word in _KIND_OF), None)
    if verb in _NOUNS and _KIND_OF.get(named[-1]) == "tells":  # `order_status`
        return "tells"
    return _KIND_OF[verb] if verb else None
