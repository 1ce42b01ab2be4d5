"""Events out of what was found: where a call stood, what it says, and what is wrong with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.events import BadCall, BadCallReason, Call
from langchain_toolemu.reader.shapes import Found


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a call stands in: its label, whether it can mean nothing but a call, whether it is printed there."""

    label: str
    explicit: bool
    prints: bool = False


def emit_calls(
    context: Context,
    envelope: Envelope,
    found: Sequence[Found],
    notes: Sequence[str] = (),
    slices: Sequence[str] = (),
) -> None:
    """Emit what was found.

    Args:
        context: The reply.
        envelope: What they stand in.
        found: The calls, in order.
        notes: What was mended in all of them.
        slices: The text of each, as far as it was taken already; the consumed text ends the last.
    """
    tail = context.window.take()
    if len(slices) == len(found):
        raws = [*slices[:-1], slices[-1] + tail]
    else:
        raws = ["".join(slices) + tail, *[""] * (len(found) - 1)]
    read = [_event(envelope, call, raw, notes) for call, raw in zip(found, raws, strict=True)]
    context.output.calls(*read)


def _event(envelope: Envelope, call: Found, raw: str, notes: Sequence[str]) -> Call | BadCall:
    label, explicit = envelope.label, envelope.explicit
    if call.spec is None and call.fault:
        return BadCall(call.written or None, raw, label, explicit, "unreadable", call.fault)
    if call.spec is None:
        detail = f"no bound tool is named {call.written!r}"
        return BadCall(call.written, raw, label, explicit, "unknown_tool", detail)
    name = call.spec.name
    if call.fault:
        return BadCall(name, raw, label, explicit, "unreadable", call.fault)
    return Call(name, call.args, raw, label, explicit, (*call.notes, *notes))


def emit_bad(
    context: Context,
    envelope: Envelope,
    reason: BadCallReason,
    detail: str,
    *,
    name: str | None = None,
    raw: str | None = None,
) -> None:
    """Emit a bad call; unless given, its raw text is the consumed text."""
    text = context.window.take() if raw is None else raw
    bad = BadCall(name, text, envelope.label, envelope.explicit, reason, detail)
    context.output.calls(bad)
