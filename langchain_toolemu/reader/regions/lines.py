"""What may begin a call at the start of a line: a tool's name, `Action:`, `JSON_BEGIN`.

The rule of this module: only the first word of a line is held back, and only for as long as it may still be one of
these.
"""

import re

import regex

from langchain_toolemu.reader.call_shapes import Named
from langchain_toolemu.reader.code import (
    ANNOUNCED,
    follows_code,
    follows_mention,
    follows_program,
    is_foreign,
)
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.notations.elements import ElementCall
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.outcome import BARE, Calls, Envelope, conclude
from langchain_toolemu.reader.notations.python_calls import CallSequence, PythonCall
from langchain_toolemu.reader.notations.react import HEADS, REACT, React
from langchain_toolemu.reader.regions.envelopes import EnvelopeBody, is_pair, read_tail
from langchain_toolemu.reader.regions.made_up_turns import (
    RESULT_HEADS,
    SPEAKERS,
    begins_result,
    is_spoken_of,
    read_heading,
    read_named_line,
)
from langchain_toolemu.reader.tags import beginnings
from langchain_toolemu.reader.window import Waiting

_INDENT = re.compile(r"[ \t]+")
_DECORATION = "*✿"  # Qwen-Agent
_WORD = re.compile(r"[*✿]{0,2}(?:[^\W\d][\w.\\-]*)?")
_LONGEST_WORD = 160
_LONGEST_NAMESPACE = 40
_NAMESPACE = re.compile(rf"[a-z_][a-z0-9_]{{0,{_LONGEST_NAMESPACE - 1}}}\Z")
_COMMAS = re.compile(r"[ \t,;]+")
_LABELS = frozenset({"json_begin", "functools", "call"})
_BEGINNINGS = beginnings(ANNOUNCED | HEADS | SPEAKERS | _LABELS)
_FIRST_LETTERS = frozenset(word[0] for word in _BEGINNINGS if word)
_LISTED = regex.compile(r"\**action\**[ \t]*:[\s*]*((?:(?:```|~~~)\w*\s*)?[\[{])", regex.IGNORECASE)
# What must follow a label that is a word like any other.
_LABELLED = {
    "functools": regex.compile(r"functools\s*\[", regex.IGNORECASE),
    "call": regex.compile(r"call:([\w.:/-]{1,128})\{"),  # Gemma 4, without its token
}
_ADDRESSED = regex.compile(r">>>([\w.-]{1,128})\n\s*(\S)")
# A name, and what shows that it is called.
_CALLED = regex.compile(
    r"\*{0,2}[^\W\d][\w.\\-]*+(?:\(|[ \t]*:?[ \t]*(?:\r?\n)?[ \t]*(?:<\|content\|>)?(\{|<arg_key>|```python\ntool_call(?=\()))"
)


def line_opener(names: tuple[str, ...]) -> str:
    """A pattern for line breaks after which a call of one of these tools may begin."""
    letters = _FIRST_LETTERS.union(name[0] for name in names if name)
    cases = {case for letter in letters for case in (letter.lower(), letter.upper())}
    first = "".join(map(re.escape, sorted(cases)))
    spaced = rf"[a-z_][a-z0-9_]{{0,{_LONGEST_NAMESPACE - 1}}}(?:\.|\Z)"
    return rf"\n(?=[ \t]{{0,32}}(?:[*✿#(>{first}]|{spaced}|\Z))"


def read_line_start(context: Context) -> Waiting[None]:
    """Read what the first word of a line begins, or emit it."""
    window = context.window
    yield from window.run(_INDENT)
    context.hold()
    char = yield from window.peek()
    if char == "#":
        yield from read_heading(context)
    elif char == "(":
        yield from _read_pairs(context)
    elif char == ">":
        yield from _read_addressed(context)
    elif word := (yield from _peek_word(context)):
        yield from _read_word(context, word)
    context.release()
    context.output.settle()


def _read_pairs(context: Context) -> Waiting[None]:
    """Tuples of a name and an object, with commas between them."""
    envelope = Envelope(BARE, explicit=False)
    while (yield from is_pair(context)):
        reading = yield from ObjectReader(context, envelope, paired=True).read()
        if not conclude(context, envelope, reading):
            return
        context.hold()
        yield from context.window.run(_COMMAS)


def _read_word(context: Context, word: str) -> Waiting[None]:
    """Read what the first word of a line begins."""
    plain = word.strip(_DECORATION).lower()
    is_result = plain in RESULT_HEADS and (yield from begins_result(context, as_object=False))
    if is_result or plain in SPEAKERS:
        yield from read_named_line(context)
    elif plain in HEADS:
        yield from _read_action(context)
    elif plain in _LABELS:
        yield from _read_labelled(context, word)
    elif word and context.resolve(word) is not None:
        yield from _read_named(context, word)


def _read_action(context: Context) -> Waiting[None]:
    """`Action: f`, or `Action:` before an object or a list, as Command R and LangChain's chat agents write it."""
    listed = yield from context.window.expect(_LISTED)
    if listed:
        context.window.pos += listed.start(1)
        called = yield from EnvelopeBody(context, Envelope("react", explicit=True)).read()
    else:
        called = conclude(context, REACT, (yield from React(context).read()))
    if called:
        yield from read_tail(context)


def _read_labelled(context: Context, word: str) -> Waiting[None]:
    """`JSON_BEGIN` before a call, Phi's `functools` before a list of them, or Gemma's `call:f{...}`."""
    label = word.lower()
    called = (yield from context.window.expect(_LABELLED[label])) if label in _LABELLED else None
    named = label == "call" and called is not None and context.resolve(called[1]) is not None
    if label in _LABELLED and not (named if label == "call" else called):
        return
    context.window.pos += 0 if named else len(word)
    if (yield from EnvelopeBody(context, Envelope(label, explicit=True, token=named)).read()):
        yield from read_tail(context)


def _read_addressed(context: Context) -> Waiting[None]:
    """`>>>f` and an object below it, as Functionary addresses its messages; `>>>all` is for the user."""
    found = yield from context.window.expect(_ADDRESSED)
    if found is None:
        return
    if found[1] == "all" and not is_spoken_of(context):
        context.window.pos += found.start(2)
        context.begin_answer()
    elif found[2] == "{" and context.resolve(found[1]) is not None:
        context.window.pos += found.start(2)
        envelope, named = Envelope("named", explicit=True), Named(found[1], certain=True)
        conclude(context, envelope, (yield from ObjectReader(context, envelope, named).read()))


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
    plain = word.strip(_DECORATION).lower()
    if plain in _BEGINNINGS:
        return len(word) < 3 or bool(plain)
    return context.may_be_name(plain) or _may_be_spaced(context, word)


def _may_be_spaced(context: Context, word: str) -> bool:
    """Whether this is a namespace, or one with a tool's name after it. Sample unknown-namespace.

    One in small letters, as those of servers are: a word that begins a sentence is emitted at once.
    """
    namespace, dot, name = word.partition(".")
    if not _NAMESPACE.match(namespace):
        return namespace.lower() in ANNOUNCED and context.may_be_name(name)
    while dot and name and not context.may_be_name(name):
        _, dot, name = name.partition(".")
    return not dot or not name or context.may_be_name(name)


def _read_named(context: Context, word: str) -> Waiting[None]:
    """A bound tool's name at the start of a line."""
    window = context.window
    found = yield from window.expect(_CALLED, len(word) + 64)
    if found is None or follows_program(context) or follows_mention(context):
        return
    foreign = is_foreign(context, word)
    if foreign and follows_code(context):
        return
    if found[1] is None:
        envelope = Envelope("python", explicit=False)
        reading = yield from CallSequence(context, envelope, foreign=foreign).read()
        if conclude(context, envelope, reading):
            yield from read_tail(context)
        return
    if found[1] == "{":
        window.pos += found.start(1)
        envelope = Envelope("named", explicit=False)
        named = Named(word, certain=False, before=window.take())
        reading = yield from ObjectReader(context, envelope, named).read()
        if conclude(context, envelope, reading):
            yield from read_tail(context)
    elif found[1][0] == "`":  # ChatGLM3
        window.pos += found.end()
        envelope, call = Envelope("python", explicit=False), PythonCall(context, window, word)
        yield from call.read()
        reading = Calls([call.found], call.notes) if call.found else call.bad
        if conclude(context, envelope, reading):
            yield from read_tail(context)
    else:
        window.pos += len(word)
        envelope = Envelope("arg_key", explicit=False)
        conclude(context, envelope, (yield from ElementCall(context, envelope, word).read()))
