"""Calls in a user's own dialect.

The opening mark begins a call if an object, a list or a fence follows; the closing mark may be
missing. A dialect with its own `read` receives the text between the marks, or, without an opening
mark, the whole reply. All but calls is text.
"""

import re
from functools import lru_cache

from langchain_toolemu.errors import DialectError
from langchain_toolemu.reader.call_arguments import FoundCall, found_call
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.regions.envelopes import EnvelopeBody
from langchain_toolemu.reader.window import NOTHING, Waiting


@lru_cache(maxsize=16)
def with_opening(mark: str, plain: str) -> re.Pattern[str]:
    """The pattern of all openers, with as much of this mark as has arrived first."""
    rest = ""
    for letter in reversed(mark[1:]):
        rest = rf"(?=\Z|{re.escape(letter)}{rest})"
    return re.compile(f"(?P<own>{re.escape(mark[0])}{rest})|{plain}")


def at_opening(context: Context) -> Waiting[bool]:
    """Whether the dialect's opening mark comes next, if need be after white space."""
    opening = context.marks.opening if context.marks else None
    return opening is not None and (yield from context.window.expect(opening)) is not None


def read_own(context: Context) -> Waiting[bool]:
    """Read what the opening mark begins; whether it is here, and begins anything."""
    dialect, window = context.dialect, context.window
    if dialect is None or not (yield from at_opening(context)):
        return False
    envelope = outcome.Envelope(dialect.name, explicit=True, token=True, is_own=True)
    if dialect.read is None:
        window.pos += len(dialect.opening.strip())
        yield from EnvelopeBody(context, envelope).read()
        return True
    parts, mark = [dialect.opening.strip()], dialect.closing.strip()
    window.pos += len(parts[0])
    if not mark:
        parts.append((yield from window.until(NOTHING)))
    elif (yield from window.pass_to(mark, parts.append)):
        parts.append(mark)
    cut = context.cut and mark and parts[-1] != mark
    reading = outcome.Bad("cut", outcome.CUT) if cut else _found_by_read(context, "".join(parts))
    outcome.conclude(context, envelope, reading)
    return True


def read_whole_reply(context: Context) -> Waiting[None]:
    """Pass the whole reply to the dialect's own `read`, if it has one and no opening mark."""
    dialect, window = context.dialect, context.window
    if dialect is None or dialect.read is None or dialect.opening.strip() or context.only_thoughts:
        return
    context.hold()
    start = window.offset
    reading = _found_by_read(context, (yield from window.until(NOTHING)))
    if isinstance(reading, outcome.Calls):
        envelope = outcome.Envelope(dialect.name, explicit=True, token=True)
        cut = outcome.Bad("cut", outcome.CUT)
        outcome.conclude(context, envelope, cut if context.cut else reading)
    else:
        window.rewind(start)
    context.release()
    context.output.settle()


def _found_by_read(context: Context, text: str) -> outcome.Outcome:
    dialect = context.dialect
    if dialect is None or dialect.read is None:
        return outcome.NOT_A_CALL
    try:
        pairs = [(str(name), dict(args)) for name, args in dialect.read(text) or ()]
    except Exception as error:
        raise DialectError(
            f"read() of the dialect {dialect.name!r} failed with {error!r}. "
            "It must take a text and return its calls as pairs of a name and a dict of arguments, "
            "or an empty list."
        ) from error
    found = []
    for name, args in pairs:
        spec = context.resolve(name)
        found.append(found_call(name, spec, args) if spec else FoundCall(name, None, {}))
    return outcome.Calls(found) if found else outcome.NOT_A_CALL
