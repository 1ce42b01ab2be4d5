"""A reply that is one call between back-ticks, between quotes where calls were asked for in text, or as a message's text.

The rule of this module: the quotes mean nothing if there is nothing else. With anything after them they are a
quotation, and all of it is text.
"""

import regex

from langchain_toolemu.reader.call_shapes import find_calls
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.literals.parser import Parser
from langchain_toolemu.reader.literals.texts import read_whole
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.outcome import (
    BARE,
    NOT_A_CALL,
    Calls,
    Envelope,
    NotACall,
    Outcome,
    conclude,
)
from langchain_toolemu.reader.notations.python_calls import PythonCall
from langchain_toolemu.reader.regions.envelopes import read_list
from langchain_toolemu.reader.vocabulary import PLAIN_NAME, SPOKEN_QUOTES
from langchain_toolemu.reader.window import Waiting

_ENVELOPE = Envelope(BARE, explicit=False)
_CLOSING = {
    quote: regex.compile(rf"[\s;.]*(?:{'|'.join(map(regex.escape, closers))})")
    for quote, closers in {**SPOKEN_QUOTES, "`": ("`",), "``": ("``",)}.items()
}
_OPENING = regex.compile(
    r"\s*(``?(?!`)(?!\s*[{\[])|[\"'\u201c\u2018\u00ab])\s*(?:([{\[])|([\w.\-\\]{1,128})\()"
)
_WRAPPED = regex.compile(r"\s*\{\s*\"content\"\s*:\s*\"(?:\s|\\n)*\{(?:\s|\\n)*\\\"")
_END = regex.compile(r"\s*(\S|\Z)")


def read_quotation(context: Context) -> Waiting[None]:
    """Read the whole reply, if it is one call between quotes."""
    if context.explicit_only:
        return
    if (yield from context.window.expect(_WRAPPED)):
        yield from _read_wrapped(context)
        return
    found = yield from context.window.expect(_OPENING)
    if found is None or (found[3] and context.resolve(found[3]) is None):
        return
    if context.native and found[1][0] != "`":
        return
    context.hold()
    context.window.pos += found.end(1)
    reading = yield from _read(context, found[1], found[3])
    if not (isinstance(reading, Calls) and (yield from _is_all(context, found[1]))):
        reading = _as_text(reading)
    conclude(context, _ENVELOPE, reading)
    context.output.settle()


def _read_wrapped(context: Context) -> Waiting[None]:
    """`{"content": "{...}"}`, if the text is a call and there is nothing else. Sample wrapped-in-content."""
    context.hold()
    parser = Parser(context.window, context.keys)
    yield from parser.read()
    root = parser.root if parser.closed and isinstance(parser.root, dict) else {}
    value = read_whole(str(root.get("content")), context.parameters) if len(root) == 1 else None
    found = find_calls(value, context.resolve, context.demanded) if isinstance(value, dict) else []
    is_all = (yield from context.window.expect(_END)) if any(one.meant for one in found) else None
    conclude(context, _ENVELOPE, Calls(found) if is_all and not is_all[1] else NOT_A_CALL)
    context.output.settle()


def _read(context: Context, quote: str, name: str | None) -> Waiting[Outcome]:
    window = context.window
    if name:
        yield from window.past_space()
        yield from window.run(PLAIN_NAME)
        call = PythonCall(context, window, name)
        yield from call.read()
        whole = call.found is not None and call.closed
        return (
            Calls([call.found], call.notes, label="python") if call.found and whole else NOT_A_CALL
        )
    char = yield from window.peek()
    if char == "[":
        return (yield from read_list(context, _ENVELOPE))
    return (yield from ObjectReader(context, _ENVELOPE, quote=quote).read())


def _as_text(reading: Outcome) -> NotACall:
    """What was taken of a call already, as the text it was."""
    return NotACall("".join(reading.slices) if isinstance(reading, Calls) else reading.text)


def _is_all(context: Context, quote: str) -> Waiting[bool]:
    """Consume the closing quote; whether it was there, and nothing follows."""
    closed = yield from context.window.skip(_CLOSING[quote])
    found = (yield from context.window.expect(_END)) if closed else None
    return found is not None and not found[1]
