"""A history for people to read: a line for each round, and for each message around them."""

import json
from collections.abc import Iterator

from langchain_toolemu.messages.content import words_of
from langchain_toolemu.rounds.records import (
    CallRecord,
    Exchange,
    InvalidCallRecord,
    Json,
    RecordContent,
    ResultRecord,
    Round,
    TextRecord,
)


def lines_of(exchange: Exchange, width: int) -> Iterator[str]:
    """The lines of one exchange, with no text longer than so many characters."""
    for record in exchange.opening:
        yield _line(record, width)
    for number, round_ in enumerate(exchange.rounds, 1):
        said = [_short(_shown(round_.content), width)] if round_.content else []
        yield f"{number}. {' | '.join([*said, '; '.join(_steps(round_, width))])}"
    if exchange.final:
        yield _line(exchange.final, width)


def _line(record: TextRecord, width: int) -> str:
    return f"{_short(record.role, width)}: {_short(_shown(record.content), width)}"


def _steps(round_: Round, width: int) -> Iterator[str]:
    """Each call with its result, then the results that no call asked for."""
    waiting = list(round_.results)
    calls: list[CallRecord | InvalidCallRecord] = [*round_.calls, *round_.invalid_calls]
    for call in calls:
        result = next((one for one in waiting if one.tool_call_id == call.id), None)
        if result:
            waiting.remove(result)
        yield f"{_written(call, width)} -> {_outcome(result, width)}"
    for result in waiting:
        yield f"unasked {_short(result.tool_call_id, width)} -> {_outcome(result, width)}"


def _written(call: CallRecord | InvalidCallRecord, width: int) -> str:
    match call:
        case CallRecord():
            pairs = (
                f"{name}={json.dumps(value, ensure_ascii=False)}"
                for name, value in call.args.items()
            )
            args = ", ".join(pairs)
        case InvalidCallRecord():
            args = f"unreadable: {call.args or ''}"
    return f"{_short(call.name or '?', width)}({_short(args, width)})"


def _outcome(result: ResultRecord | None, width: int) -> str:
    if result is None:
        return "(no result)"
    failed = "error: " if result.status == "error" else ""
    return failed + _short(_shown(result.content), width)


def _shown(content: RecordContent) -> str:
    """The words; of what has none, what it is made of."""
    if isinstance(content, str):
        return content
    return words_of(content) or f"[{', '.join(_kind(block) for block in content)}]"


def _kind(block: str | Json) -> str:
    return "text" if isinstance(block, str) else str(block.get("type", "block"))


def _short(text: str, width: int) -> str:
    """One line of printable text, cut where it says so."""
    line = " ".join(text.split())
    cut = line if len(line) <= width else f"{line[: max(width - 1, 0)]}…"
    return "".join(char if char.isprintable() else "?" for char in cut)
