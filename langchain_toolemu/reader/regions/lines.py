"""Calls at the start of a line: a tool's name, `Action:`, `JSON_BEGIN`.

Only the first word of a line is held back, while it may still be one of these. The calls of a line
or block are emitted only if it holds nothing else: an assignment or an import makes it a program.
"""

import re
from dataclasses import dataclass, field

import regex

from langchain_toolemu.reader import vocabulary as words
from langchain_toolemu.reader.call_arguments import fits
from langchain_toolemu.reader.call_shapes import Named
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.notations.elements import ElementCall
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.outcome import Envelope, Outcome, conclude, read_tail
from langchain_toolemu.reader.notations.python_calls import CallList, PythonCall
from langchain_toolemu.reader.notations.react import HEADS, REACT, React
from langchain_toolemu.reader.regions import made_up_turns
from langchain_toolemu.reader.regions.envelopes import EnvelopeBody
from langchain_toolemu.reader.tags import TagSet, beginnings
from langchain_toolemu.reader.window import REST_OF_LINE, Waiting
from langchain_toolemu.tools import fold_name

ANNOUNCED = frozenset({"functions", "function", "tools", "tool", "api", "default_api"})

_LONGEST_LINE = 160
_CODE = re.compile(
    r"[ \t]{0,40}(?:(?:import|from|def|class|for|while|if|elif|else|with|try|except|return|print"
    r"|async|await|assert|const|var|let|function|package|using|public)\b[^.]*\Z"
    r"|[\w.\[\]'\", ]{1,80}[-+*/|&]?=(?!=)|[\w.]{1,80}\(|[#@}\])]|//|/\*|>>>|\$ )"
)
_MENTION = re.compile(r"[^\w\n]{0,8}([\w.\-\\]{1,128})\(")
# What no sentence begins with, so that even a bound tool's plain name below it is a program's.
_PROGRAM = re.compile(
    r"[ \t]{0,40}(?:import \w{1,80}|from [\w.]{1,80} import\b|def \w{1,80}\(|class \w{1,80}[(:]"
    r"|(?:for|while|if|with|elif|try|else|except)\b.{0,120}:\Z|[\w.]{1,80} = [\w.]{1,80}\()"
)

_INDENT = re.compile(r"[ \t]+")
_DECORATION = "*✿"  # Qwen-Agent
_WORD = re.compile(r"[*✿]{0,2}(?:[^\W\d][\w.\\-]*)?")
_LONGEST_WORD = 160
_LONGEST_NAMESPACE = 40
_NAMESPACE = re.compile(rf"[a-z_][a-z0-9_]{{0,{_LONGEST_NAMESPACE - 1}}}\Z")
_FIRST_OF_PARTS = re.compile(r"(?:\A|[.:/]|__)[_-]*([^\W_])")  # any part may be all that is left
_WRAPPERS = words.PARALLEL - {"parallel"}  # a word like any other
_LABELS = frozenset({"json_begin", "functools", "call", "await", *_WRAPPERS})
_BEGINNINGS = beginnings(ANNOUNCED | HEADS | made_up_turns.SPEAKERS | _LABELS)
_FIRST_LETTERS = frozenset(word[0] for word in _BEGINNINGS if word)
_LISTED = regex.compile(
    r"\**action\**[ \t]*:[\s*]*((?:(?:```|~~~)\w*\s*)?[\[{])"
    r"|(?:action|tool|function|name):[ \t]{1,8}[\w.-]{1,128}[ \t]{0,8}\n"  # YAML
    r"(?:arg(?:ument)?s|param(?:eter)?s|input):[ \t]{0,8}\n[ \t]{1,8}\w",
    regex.IGNORECASE,
)
# What must follow a label that is a word like any other.
_LABELLED = {
    "functools": regex.compile(r"functools\s*\[", regex.IGNORECASE),
    # Gemma 4, without its token; NexusRaven.
    "call": regex.compile(
        r"call(?::([\w.:/-]{1,128})\{|[: ][ \t]{0,8}([\w.-]{1,128})\()", regex.IGNORECASE
    ),
    "await": regex.compile(r"await[ \t]{1,8}()([\w.-]{1,128})\("),  # TypeScript
    **dict.fromkeys(_WRAPPERS, regex.compile(r"[\w.]{1,80}\(\s{0,8}(?=\{)")),  # OpenAI's wire
}
_ADDRESSED = regex.compile(r">>>([\w.-]{1,128})\n\s*(\S)")
# A name, and what shows that it is called.
_CALLED = regex.compile(
    r"\*{0,2}[^\W\d][\w.\\-]*+(?:\(|[ \t]*:?[ \t]*(?:\r?\n)?[ \t]*(?:<\|content\|>)?"
    r"(\{|<arg_key>|```python\ntool_call(?=\()))"
)
_BETWEEN = re.compile(r"[\s,;)\]]+")  # sample extra-bracket
_BETWEEN_ON_LINE = re.compile(r"[ \t,;)\]]+")
_END_WORDS = words.CLOSE | words.OTHERS | words.RESULT
_ENDS = TagSet(words.OPEN | words.LEFT | _END_WORDS | {"call"})


def line_opener(names: tuple[str, ...]) -> str:
    """A pattern for line breaks after which a call of one of these tools may begin."""
    letters = _FIRST_LETTERS.union(*map(_FIRST_OF_PARTS.findall, names))
    cases = {case for letter in letters for case in (letter.lower(), letter.upper())}
    first = "".join(map(re.escape, sorted(cases)))
    spaced = rf"[a-z][a-z0-9_]{{0,{_LONGEST_NAMESPACE - 1}}}(?:\.|__|\Z)"
    return rf"\n(?=[ \t]*(?:[*✿#>_{first}]|{spaced}|\Z))"


def read_line_start(context: Context) -> Waiting[None]:
    """Read what the first word of a line begins, or emit it."""
    window = context.window
    yield from window.run(_INDENT)
    context.hold()
    char = yield from window.peek()
    if char == "#":
        yield from made_up_turns.read_heading(context)
    elif char == ">":
        yield from read_addressed(context)
    elif word := (yield from _peek_word(context)):
        yield from _read_word(context, word)
    context.release()
    context.output.settle(value_ends=True)


def _read_word(context: Context, word: str) -> Waiting[None]:
    plain = word.strip(_DECORATION).lower()
    is_head = plain in made_up_turns.RESULT_HEADS
    is_result = is_head and (yield from made_up_turns.begins_result(context, as_object=False))
    if is_result or plain in made_up_turns.SPEAKERS:
        yield from made_up_turns.read_named_line(context)
    elif plain in HEADS:
        yield from _read_action(context)
    elif plain in _LABELS:
        yield from _read_labelled(context, word)
    elif word and context.resolve(word) is not None:
        yield from _read_named(context, word)


def _read_action(context: Context) -> Waiting[None]:
    """`Action: f`, or `Action:` before an object or a list: Command R, LangChain's agents."""
    listed = yield from context.window.expect(_LISTED)
    if listed:
        context.window.pos += max(listed.start(1), 0)
        envelope = Envelope("react" if listed[1] else "yaml", explicit=bool(listed[1]))
        called = yield from EnvelopeBody(context, envelope).read()
    else:
        called = conclude(context, REACT, (yield from React(context, REACT).read()))
    if called:
        yield from read_tail(context)


def _read_labelled(context: Context, word: str) -> Waiting[None]:
    """`JSON_BEGIN`, `await`, `Call:` and the like before a call, Phi's `functools`."""
    label = word.lower()
    called = (yield from context.window.expect(_LABELLED[label])) if label in _LABELLED else None
    named = called and called.re.groups and context.resolve(called[1] or called[2])
    if label in _LABELLED and not (named if label in ("call", "await") else called):
        return
    start = called.end() if called and label in _WRAPPERS else len(word)
    context.window.pos += max(called.start(2), 0) if called and named else start
    token = bool(named and called and called[1])
    if (yield from EnvelopeBody(context, Envelope(label, explicit=True, token=token)).read()):
        if label in _WRAPPERS:
            yield from context.window.run(_BETWEEN_ON_LINE)
            context.output.extend(context.window.take())
        yield from read_tail(context)


def read_addressed(context: Context) -> Waiting[bool]:
    """`>>>f` and an object below it, as Functionary writes it; `>>>all` is for the user."""
    found = yield from context.window.expect(_ADDRESSED)
    if found and found[1] == "all" and not made_up_turns.is_spoken_of(context):
        context.window.pos += found.start(2)
        context.begin_answer()
    if found is None or found[2] != "{" or context.resolve(found[1]) is None:
        return False
    context.window.pos += found.start(2)
    envelope, named = Envelope("named", explicit=True), Named(found[1], certain=True)
    return conclude(context, envelope, (yield from ObjectReader(context, envelope, named).read()))


def _peek_word(context: Context) -> Waiting[str]:
    """The first word, not consumed; nothing if it cannot begin a call."""
    window = context.window
    while True:
        found = _WORD.match(window.text, window.pos)
        word = found.group() if found else ""
        plain = word.strip(_DECORATION).lower()
        if plain in _BEGINNINGS:
            may_begin = len(word) < 3 or bool(plain)
        elif may_begin := len(word) <= _LONGEST_WORD:
            may_begin = context.may_be_name(plain) or _may_be_spaced(context, word)
        if not may_begin:
            return ""
        if window.ended or window.pos + len(word) < len(window.text):
            return word
        yield


def _may_be_spaced(context: Context, word: str) -> bool:
    """Whether this is a namespace in small letters, or one with a tool's name after it.

    Sample unknown-namespace.
    """
    namespace, dot, name = word.partition(".")
    if not _NAMESPACE.match(namespace):
        return namespace.lower() in ANNOUNCED and context.may_be_name(name)
    while dot and name and not context.may_be_name(name):
        _, dot, name = name.partition(".")
    return not dot or not name or context.may_be_name(name)


def _read_named(context: Context, word: str) -> Waiting[None]:
    window = context.window
    found, line = (yield from window.expect(_CALLED, len(word) + 64)), context.prose.line_before
    mention = _MENTION.match(line)  # of a call, as in a list of them: sample hi-json-warm
    # Sample program-without-a-fence: what can only be a line of a program.
    if found is None or _PROGRAM.match(line) or (mention and context.resolve(mention[1])):
        return
    first, dot, _ = word.strip("*").partition(".")
    spec = context.resolve(word) if dot and first.lower() not in ANNOUNCED else None
    foreign = spec is not None and not fold_name(word).startswith(fold_name(spec.name))
    if foreign and _CODE.match(line):
        return
    mark, reading = found[1], None
    envelope = Envelope("named" if mark == "{" else "python", explicit=False)
    if mark is None:
        reading = yield from CallSequence(context, envelope, "", foreign).read()
    elif mark == "{":
        window.pos += found.start(1)
        named = Named(word, certain=False, before=window.take())
        reading = yield from ObjectReader(context, envelope, named).read()
    elif mark[0] == "`":  # ChatGLM3
        window.pos += found.end()
        call = PythonCall(context, window, word)
        yield from call.read()
        reading = outcome.Calls([call.found], call.notes) if call.found else call.bad
    else:
        window.pos += len(word)
        envelope = Envelope("arg_key", explicit=False)
        conclude(context, envelope, (yield from ElementCall(context, envelope, word).read()))
    if reading and conclude(context, envelope, reading):
        yield from read_tail(context)


# Whether a line is one of a program, and a name in it a program's: `client.search(query="x")`.
# After a namespace that was not announced a name may as well be a method, so the call must fit its
# tool to the letter, and have no code around it.
def _precedes_code(context: Context) -> Waiting[bool]:
    def next_line(ahead: str, final: bool) -> str | None:
        line, newline, _ = ahead.lstrip().partition("\n")
        return line if newline or final else None

    line = yield from context.window.ask(_LONGEST_LINE, next_line)
    name = words.PLAIN_NAME.match(line)
    return bool(_CODE.match(line)) and not (name and context.resolve(name.group()))


@dataclass(eq=False)
class CallSequence(outcome.Notation):
    """Reads calls to the end of a fenced block, or of a line."""

    _closing: str = ""  # the mark that ends the block; none for a line
    _foreign: bool = False
    _row: outcome.Row = field(default_factory=outcome.Row)

    def read(self) -> Waiting[Outcome]:
        """Consume the calls; text if there is anything else."""
        while True:
            yield from self._window.run(_BETWEEN if self._closing else _BETWEEN_ON_LINE)
            char = yield from self._window.peek()
            if char in ("", self._closing or "\n") or (yield from self._leaks_end(char)):
                in_program = self._foreign and (yield from _precedes_code(self._context))
                return self._row.text() if in_program else self._row.calls()
            if char == "#" and self._closing:
                yield from self._window.run(REST_OF_LINE)
            elif char == "[" and not self._row.found:
                return (yield from CallList(self._context, self._envelope).read())
            elif reading := (yield from self._call()):
                return reading

    def _leaks_end(self, char: str) -> Waiting[bool]:
        """Whether a token comes here that ends the message, or begins another's.

        Sample leaked-end.
        """
        if char != "<" or not self._row.found:
            return False
        tag = yield from _ENDS.peek(self._window)
        return bool(tag and (tag.closing or tag.word in _END_WORDS or words.ENDING.match(tag.raw)))

    def _call(self) -> Waiting[Outcome | None]:
        """Consume one call; `None` if more may follow, otherwise what the whole is."""
        name = yield from self._window.name(words.PLAIN_NAME)
        if name == "await" and self._closing:  # TypeScript, in a block
            yield from self._window.run(_BETWEEN_ON_LINE)
            name = yield from self._window.name(words.PLAIN_NAME)
        if not name or self._context.resolve(name) is None:
            return self._row.text()
        char = yield from self._window.peek()
        if char != "(":
            return (yield from self._object(name))
        call = PythonCall(self._context, self._window, name)
        yield from call.read()
        self._row.notes.update(dict.fromkeys(call.notes))
        found = call.found
        fitting = found and found.spec and not found.fault and fits(found.args, found.spec)
        if self._foreign and not (fitting and call.closed):
            return self._row.text()
        if found is None:
            return (yield from self._refuse(call)) if call.fault else self._row.text()
        if found.echo or (found.lacks and not (found.args or found.fault)):
            return self._row.text()  # sample refusal-names-function
        self._row.add(found, self._window.take())
        return self._row.calls() if call.unclosed and not self._closing else None

    def _object(self, name: str) -> Waiting[Outcome]:
        char = yield from self._window.past_space()
        if char != "{" or self._row.found:
            return self._row.text()
        named = Named(name, certain=False)
        return (yield from ObjectReader(self._context, self._envelope, named).read())

    def _refuse(self, call: PythonCall) -> Waiting[Outcome]:
        if not call.unclosed:
            yield from self._window.run(REST_OF_LINE)
        return self._row.calls(call.bad)
