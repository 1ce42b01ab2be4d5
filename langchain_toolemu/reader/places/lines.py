"""What may begin a call at the start of a line: a tool's name, `Action:`, `JSON_BEGIN`.

The rule of this module: only the first word of a line is held back, and only for as long as it may still be one of
these.
"""

import re

import regex

from langchain_toolemu.reader.code import (
    ANNOUNCED,
    follows_code,
    follows_mention,
    follows_program,
    is_foreign,
)
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.notations.call_rows import CallBlock
from langchain_toolemu.reader.notations.elements import ElementCall
from langchain_toolemu.reader.notations.objects import Named, ObjectReader
from langchain_toolemu.reader.notations.react import HEADS, REACT, React
from langchain_toolemu.reader.notations.reading import Envelope, conclude
from langchain_toolemu.reader.places.asides import read_tail
from langchain_toolemu.reader.places.envelopes import Body
from langchain_toolemu.reader.places.turns import SPEAKERS, read_heading, read_named_line
from langchain_toolemu.reader.tags import beginnings
from langchain_toolemu.reader.window import Waiting

_INDENT = re.compile(r"[ \t]+")
_WORD = re.compile(r"\*{0,2}(?:[^\W\d][\w.\\-]*)?")
_LONGEST_WORD = 160
_LONGEST_NAMESPACE = 40
_NAMESPACE = re.compile(rf"[a-z_][a-z0-9_]{{0,{_LONGEST_NAMESPACE - 1}}}\Z")
_BEGINNINGS = beginnings(ANNOUNCED | HEADS | SPEAKERS | {"json_begin"})
_FIRST_LETTERS = frozenset(word[0] for word in _BEGINNINGS if word)
# A name, and what shows that it is called.
_CALLED = regex.compile(
    r"\*{0,2}[^\W\d][\w.\\-]*+(?:\(|[ \t]*:?[ \t]*(?:\r?\n)?[ \t]*(\{|<arg_key>))"
)


def line_opener(context: Context) -> str:
    """A pattern for line breaks after which a call may begin."""
    letters = _FIRST_LETTERS.union(name[0] for name in context.tools.names if name)
    cases = {case for letter in letters for case in (letter.lower(), letter.upper())}
    first = "".join(map(re.escape, sorted(cases)))
    spaced = rf"[a-z_][a-z0-9_]{{0,{_LONGEST_NAMESPACE - 1}}}(?:\.|\Z)"
    return rf"\n(?=[ \t]{{0,32}}(?:[*#{first}]|{spaced}|\Z))"


def read_line_start(context: Context) -> Waiting[None]:
    """Read what the first word of a line begins, or let it out."""
    window = context.window
    yield from window.run(_INDENT)
    context.hold()
    if (yield from window.peek()) == "#":
        yield from read_heading(context)
    word = yield from _peek_word(context)
    plain = word.strip("*").lower()
    if plain in HEADS:
        if conclude(context, REACT, (yield from React(context).read())):
            yield from read_tail(context)
    elif plain in SPEAKERS:
        yield from read_named_line(context)
    elif plain == "json_begin":
        window.pos += len(word)
        yield from Body(context, Envelope("json_begin", explicit=True)).read()
    elif word and context.resolve(word) is not None:
        yield from _named(context, word)
    context.release()
    context.output.settle()


def _peek_word(context: Context) -> Waiting[str]:
    """The first word, not consumed; nothing if it cannot begin a call."""
    window = context.window
    while True:
        found = _WORD.match(window.text, window.pos)
        word = found.group() if found else ""
        if len(word) > _LONGEST_WORD or not _may_begin(context, word):
            return ""
        if window.ended or window.pos + len(word) < len(window.text):
            return word
        yield


def _may_begin(context: Context, word: str) -> bool:
    plain = word.strip("*").lower()
    if plain in _BEGINNINGS:
        return len(word) < 3 or bool(plain)
    return context.may_be_name(plain) or _may_be_spaced(context, word)


def _may_be_spaced(context: Context, word: str) -> bool:
    """Whether this is a namespace, or one with a tool's name after it. Sample unknown-namespace.

    One in small letters, as those of servers are: a word that begins a sentence goes out at once.
    """
    namespace, dot, name = word.partition(".")
    if not _NAMESPACE.match(namespace):
        return namespace.lower() in ANNOUNCED and context.may_be_name(name)
    while dot and name and not context.may_be_name(name):
        _, dot, name = name.partition(".")
    return not dot or not name or context.may_be_name(name)


def _named(context: Context, word: str) -> Waiting[None]:
    """A bound tool's name at the start of a line."""
    window = context.window
    foreign = is_foreign(context, word)
    if follows_program(context) or follows_mention(context):
        return
    if foreign and follows_code(context):
        return
    found = yield from window.expect(_CALLED, len(word) + 64)
    if found and found[1] is None:
        envelope = Envelope("python", explicit=False)
        reading = yield from CallBlock(context, envelope, foreign=foreign).read()
        conclude(context, envelope, reading)
        return
    window.pos += len(word)
    if found and found[1] == "{":
        window.pos += found.start(1) - len(word)
        envelope = Envelope("named", explicit=False)
        reading = yield from ObjectReader(context, envelope, Named(word, certain=False)).read()
        conclude(context, envelope, reading)
    elif found:
        envelope = Envelope("arg_key", explicit=False)
        conclude(context, envelope, (yield from ElementCall(context, envelope, word).read()))
