"""Code blocks, and a reply that is one quoted call.

A block is read for calls only if it begins with one; any other is emitted as text. Quotes around a
whole reply are ignored: back-ticks, or quotation marks if calls were asked for in text.
"""

import re
from functools import lru_cache

import regex

from langchain_toolemu.language import phrases
from langchain_toolemu.reader import vocabulary
from langchain_toolemu.reader.call_shapes import find_calls
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.literals.parser import Parser
from langchain_toolemu.reader.literals.texts import read_whole
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.python_calls import PythonCall
from langchain_toolemu.reader.output import IN_CODE
from langchain_toolemu.reader.regions.envelopes import EnvelopeBody, read_list
from langchain_toolemu.reader.regions.lines import CallSequence
from langchain_toolemu.reader.regions.made_up_turns import pass_made_up
from langchain_toolemu.reader.tags import word_of
from langchain_toolemu.reader.window import REST_OF_LINE, Waiting

_MARK = {"`": re.compile("`"), "~": re.compile("~")}
_MARKS = {"`": re.compile(r"`+"), "~": re.compile(r"~+")}
_INFO = re.compile(r"[^\n`{\[<(\"]+")
_PLAIN_INFO = re.compile(r"[ \t]*[\w+#.-]{0,30}(?:[ \t]+[\w+#.-]{1,30})?[ \t]*\Z")
_LONGEST_CODE = 512
_TO_LINE_END = re.compile(r"[^\n`]+")
_YAML = ("yaml", "yml")
_EXPLICIT = vocabulary.OPEN | {"action", "tool"}
_QUOTED = outcome.Envelope(outcome.BARE, explicit=False)
_QUOTE_CLOSING = {
    quote: regex.compile(rf"[\s;.]*(?:{'|'.join(map(regex.escape, closers))})")
    for quote, closers in {**phrases.QUOTATION_MARKS, "`": ("`",), "``": ("``",)}.items()
}
_QUOTE_OPENING = regex.compile(
    r"\s*(``?(?!`)(?!\s*[{\[])|[\"'\u201c\u2018\u00ab])\s*(?:([{\[])|([\w.\-\\]{1,128})\()"
)
_WRAPPED = regex.compile(r"\s*\{\s*\"content\"\s*:\s*\"(?:\s|\\n)*\{(?:\s|\\n)*\\\"")
_ASSIGNED = regex.compile(r"[A-Za-z_]\w{0,40}[ \t]{0,8}=[ \t]{0,8}(?=[\w.]{1,128}\()")
_CALL_ALONE = regex.compile(r"([\w.\-\\]{1,128})\(")
_REPLY_END = regex.compile(r"\s*(\S|\Z)")


def read_fence(context: Context) -> Waiting[bool]:
    """Read what a run of backticks or tildes begins; whether it held a call."""
    window = context.window
    at_line_start = window.at_line_start
    marks = yield from window.run(_MARKS[window.text[window.pos]])
    if len(marks) < 3:
        return (yield from _read_inline_code(context, marks))
    info = yield from window.run(_INFO)
    # These marks may end a fence whose calls were read, but which held more than calls.
    left, context.open_fence = context.open_fence, ""
    closes = bool(left) and marks.startswith(left) and not info.strip()
    if closes or not (at_line_start or _PLAIN_INFO.match(info)):
        context.release()
        return False
    words = frozenset(map(word_of, info.split()))
    if context.output.has_acted and words & vocabulary.RESULT:
        yield from pass_made_up(context)
        return False
    explicit, prints = bool(words & _EXPLICIT), bool(words & vocabulary.PRINTING)
    block = FenceBody(context, outcome.Envelope("fence", explicit=explicit, prints=prints), marks)
    block.is_yaml = not words.isdisjoint(_YAML)
    if (explicit or not context.explicit_only) and (yield from block.read()):
        return True
    context.release()
    context.open_fence = ""
    code, _ = (0, False) if at_line_start else (yield from _measure_code(context, marks))
    window.pos += code
    if not code:
        yield from _pass_block(context, marks, closed=block.closed)
    return False


def pass_code(context: Context) -> Waiting[None]:
    """Emit code as text: a block, or inline code."""
    window = context.window
    at_line_start = window.at_line_start
    marks = yield from window.run(_MARKS[window.text[window.pos]])
    context.release()
    if len(marks) > 2 and at_line_start:
        yield from _pass_block(context, marks, closed=False)
    elif marks[0] == "`":
        code, _ = yield from _measure_code(context, marks)
        window.pos += code


def _read_inline_code(context: Context, marks: str) -> Waiting[bool]:
    """Code in a line of prose; whether it held a call. A tag counts on its own line only."""
    window = context.window
    at_line_start, before = window.at_line_start, context.prose.last_char
    char = yield from window.peek()
    if char and char in "{[" and marks[0] == "`" and not context.explicit_only:
        if (yield from FenceBody(context, outcome.Envelope(IN_CODE, explicit=False), marks).read()):
            return True
    elif marks[0] == "`" and not (before.isalnum() or char.isspace()):
        code, ends_line = yield from _measure_code(context, marks)
        alone = at_line_start and ends_line
        if alone and not context.explicit_only and (yield from _begins_call(context)):
            block = FenceBody(context, outcome.Envelope(IN_CODE, explicit=False), marks)
            if (yield from block.read()):
                return True
        window.pos += 0 if alone and char in "<&" else code  # sample call-in-code
    context.release()
    return False


def _begins_call(context: Context) -> Waiting[bool]:
    """Whether a call of a bound tool may begin here, as in Python."""
    found = yield from context.window.expect(_CALL_ALONE)
    return found is not None and context.resolve(found[1]) is not None


def _measure_code(context: Context, marks: str) -> Waiting[tuple[int, bool]]:
    """How long the code after these marks is; whether the line ends there."""

    def end(ahead: str, final: bool) -> tuple[int, bool] | None:
        line, newline, _ = ahead.partition("\n")
        found = _code_end(marks).search(line)
        after = line[found.end() :].strip() if found else ""
        if not (after or newline or final):
            return None
        return (found.end(), not after) if found else (0, False)

    return context.window.ask(_LONGEST_CODE, end)


@lru_cache(maxsize=16)
def _code_end(marks: str) -> re.Pattern[str]:
    """As many marks as opened the code, and no word after them: a literal, which is found fast."""
    return re.compile(rf"{marks}(?![{marks[0]}\w])(?<!{marks}{marks[0]})")


class FenceBody(EnvelopeBody):
    """The body of a fence."""

    def __init__(self, context: Context, envelope: outcome.Envelope, marks: str) -> None:
        super().__init__(context, envelope)
        self._closing = marks
        self._depth = 1  # the fence itself
        self.closed = False
        self.is_yaml = False  # whether its calls may be written as YAML
        context.open_fence = marks if len(marks) > 2 else ""

    def _read_fence(self) -> Waiting[bool]:
        self._context.open_fence = ""
        run = yield from self._window.run(_MARKS[self._closing[0]])
        self.closed = run.startswith(self._closing)
        return False

    def _read_mark(self, char: str) -> Waiting[bool | None]:
        if char == "#" and self._envelope.explicit:  # sample comment-in-tool-code
            yield from self._window.run(REST_OF_LINE)
            return True
        return (yield from super()._read_mark(char))

    def _read_value(self, char: str) -> Waiting[outcome.Outcome | None]:
        if self._envelope.prints:  # sample assigned-in-tool-code
            yield from self._window.skip(_ASSIGNED)
        if self._envelope.explicit or self.is_yaml or char in "{[<&":
            return (yield from super()._read_value(char))
        return (yield from CallSequence(self._context, self._envelope, self._closing[0]).read())


def _pass_block(context: Context, marks: str, *, closed: bool) -> Waiting[None]:
    """Emit a block as text; `closed`: marks that may close it are consumed (empty-fence)."""
    window = context.window
    depth = 1
    while True:
        if closed:
            info = yield from window.run(_TO_LINE_END)
            depth += 1 if info.strip() else -1
        if not depth:
            return
        yield from window.until(_MARK[marks[0]])
        if window.exhausted:
            return
        context.flush()
        own_line = window.at_line_start
        run = yield from window.run(_MARKS[marks[0]])
        closed = len(run) >= len(marks) and own_line


def read_quotation(context: Context) -> Waiting[None]:
    """Read the whole reply, if it is one call between quotes."""
    found = None if context.explicit_only else (yield from context.window.expect(_QUOTE_OPENING))
    if found is None or (found[3] and context.resolve(found[3]) is None):
        return
    if context.native and found[1][0] != "`":
        return
    context.hold()
    context.window.pos += found.end(1)
    reading = yield from _read_quoted(context, found[1], found[3])
    if not isinstance(reading, outcome.Calls):
        reading = outcome.NotACall(reading.text)
    else:
        closed = yield from context.window.skip(_QUOTE_CLOSING[found[1]])
        if not (closed and (yield from _is_at_end(context))):
            reading = outcome.NotACall("".join(reading.slices))
    outcome.conclude(context, _QUOTED, reading)
    context.output.settle()


def read_wrapped(context: Context) -> Waiting[bool]:
    """`{"content": "{...}"}`, if the text is a call and there is nothing else.

    Sample wrapped-in-content.
    """
    if context.prose.begun or not (yield from context.window.expect(_WRAPPED)):
        return False
    parser = Parser(context.window, context.keys)
    yield from parser.read()
    root = parser.root if parser.closed and isinstance(parser.root, dict) else {}
    value = read_whole(str(root.get("content")), context.parameters) if len(root) == 1 else None
    value = value if isinstance(value, dict) else None
    found = find_calls(value, context.resolve, context.forced_tools)
    is_call = any(call.meant for call in found) and (yield from _is_at_end(context))
    outcome.conclude(context, _QUOTED, outcome.Calls(found) if is_call else outcome.NOT_A_CALL)
    return True


def _read_quoted(context: Context, quote: str, name: str | None) -> Waiting[outcome.Outcome]:
    window = context.window
    if name:
        yield from window.past_space()
        yield from window.run(vocabulary.PLAIN_NAME)
        call = PythonCall(context, window, name)
        yield from call.read()
        whole = call.found if call.closed else None
        return outcome.Calls([whole], call.notes, label="python") if whole else outcome.NotACall()
    if (yield from window.peek()) == "[":
        return (yield from read_list(context, _QUOTED))
    return (yield from ObjectReader(context, _QUOTED, None, quote).read())


def _is_at_end(context: Context) -> Waiting[bool]:
    found = yield from context.window.expect(_REPLY_END)
    return found is not None and not found[1]
