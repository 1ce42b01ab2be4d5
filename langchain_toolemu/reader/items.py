"""From a value that was parsed to the events it is worth.

The rule of this room: complete calls are calls, broken ones are bad calls where the envelope or a
bound tool's name shows that a call was meant, and everything else is text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.parser import Parser
from langchain_toolemu.reader.shapes import Found
from langchain_toolemu.values import BadCall, BadCallReason, Call


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a call stands in: its label, and whether it can mean nothing but a call."""

    label: str
    explicit: bool


def emit_calls(
    context: Context, envelope: Envelope, found: Sequence[Found], notes: Sequence[str] = ()
) -> None:
    """Emit what was found; the consumed text is the first call's."""
    raw = context.cursor.take()
    for call in found:
        if call.spec is None:
            detail = f"no bound tool is named {call.written!r}"
            emit_bad(context, envelope, "unknown_tool", detail, name=call.written, raw=raw)
        elif call.fault:
            emit_bad(context, envelope, "unreadable", call.fault, name=call.spec.name, raw=raw)
        else:
            context.output.call(
                Call(
                    call.spec.name,
                    call.args,
                    raw,
                    envelope.label,
                    envelope.explicit,
                    (*call.notes, *notes),
                )
            )
        raw = ""


def emit_bad(
    context: Context,
    envelope: Envelope,
    reason: BadCallReason,
    detail: str,
    *,
    name: str | None = None,
    raw: str | None = None,
) -> None:
    """Emit a bad call; the consumed text is its raw text."""
    text = context.cursor.take() if raw is None else raw
    context.output.bad(BadCall(name, text, envelope.label, envelope.explicit, reason, detail))


def lacks_required(found: Sequence[Found]) -> bool:
    """Whether a call that was never closed lacks an argument it must have."""
    return any(call.spec and set(call.spec.required) - set(call.args) for call in found)


def why_unreadable(parser: Parser) -> str:
    """What is wrong with a value, in words."""
    if parser.failed:
        return parser.failed
    if parser.bare_words:
        return f"{parser.bare_words[0]!r} stands without quotes"
    return "its quotes can be read in two ways"
