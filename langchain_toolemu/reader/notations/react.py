"""ReAct: `Action: f`, a bound tool's name on its own line, and `Action Input: ...` below it."""

import re
from dataclasses import dataclass

import regex

from langchain_toolemu.reader.call_arguments import FoundCall, found_call
from langchain_toolemu.reader.call_shapes import Named, may_be_tool
from langchain_toolemu.reader.literals.texts import read_keywords, read_whole
from langchain_toolemu.reader.notations import outcome
from langchain_toolemu.reader.notations.objects import ObjectReader
from langchain_toolemu.reader.notations.python_calls import PythonCall, read_call_text
from langchain_toolemu.reader.tags import word_of
from langchain_toolemu.reader.vocabulary import ENVELOPES, FENCE_MARKS, OPEN, REGION, fold
from langchain_toolemu.reader.window import REST_OF_LINE, SPACE, Waiting, Window
from langchain_toolemu.tools import ToolSpec

REACT = outcome.Envelope("react", explicit=False)
HEADS = frozenset({"action", "tool", "function", "name", "tool_call", "function_call"})
_NO_TOOLS = frozenset({"none", "null", "na", "finish", "finalanswer", "answer", "respond"})

_HEAD = regex.compile(
    r"[*✿]*(?:action|(?:tool|function)(?:[ _](?:name|call))?)(?: \d+)?[*✿]*[ \t]*:[ \t*]*",
    regex.IGNORECASE,
)
_INPUT = regex.compile(
    r"\s*[*✿]*(?:(?:action|tool)[ _]input|input|arguments|args|parameters|params)(?: \d+)?[*✿]*"
    r"[ \t]*:[ \t*]*",
    regex.IGNORECASE,
)
_NAME = re.compile(r"[^\n({\[]+")
_HEADING = re.compile(
    r"\n[ \t]{0,8}[*✿]{0,2}(?:observation|thought|action(?: input)?|final answer|result)"
    r"(?: \d{1,3})?[*✿]{0,2}[ \t]{0,8}(?::|\Z)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\n[ \t]{0,8}(`+|~+)")
# A token of a chat template, or a closer, with nothing but others after it on its line.
_TOKEN = re.compile(
    "<(?:([|\uff5c][^<>\n]{1,40}[|\uff5c])|/([\\w-]{1,40}))>(?=[ \t]{0,8}(?:[\n<]|\\Z))"
)
_MAY_STOP = re.compile("\n|<(?=[/|\uff5c]|\\Z)")
_LONGEST_STOP = 64
_CLOSERS = OPEN | REGION | {"s"}
_EMPTY_LINE = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_ENDS = tuple(".!?:\u2026\u3002\uff01\uff1f\uff1a")
_UNCLOSED = "the fence around its input is not closed"
_TWO_PARAGRAPHS = "what follows the empty line may not be part of its input"
_KEYWORDS = re.compile(r"\w+\s*=[^=]")


class React(outcome.Notation):
    """Reads one action with its input."""

    def read(self) -> Waiting[outcome.Outcome]:
        """Consume the action, if it is one of a bound tool."""
        head = yield from self._window.skip(_HEAD)
        if not head:
            return outcome.NOT_A_CALL
        written = yield from self._window.run(_NAME)
        written = written.strip(" \t`'\"*")
        spec = self._context.resolve(written)
        is_action = "action" in head.lower() or head[0] == "✿"  # Qwen-Agent
        if spec is None:  # one that is not bound counts, unless it says that there is none to take
            may_be = is_action and may_be_tool(written) and fold(written) not in _NO_TOOLS
            counts = may_be and self._context.counts_unknown
            has_input = counts and (yield from self._window.skip(_INPUT))
            return (yield from self._input(written, None)) if has_input else outcome.NOT_A_CALL
        char = yield from self._window.peek()
        if char == "(" and (is_action or "call" in head.lower()):
            return (yield from self._python(written))
        if not is_action:
            return (yield from self._labelled(written))
        if char == "[":
            return (yield from self._in_brackets(written, spec))
        if (yield from self._window.skip(_INPUT)):
            return (yield from self._input(written, spec))
        alone = outcome.Calls([found_call(written, spec, {})])
        return outcome.NOT_A_CALL if spec.required else alone

    def _labelled(self, written: str) -> Waiting[outcome.Outcome]:
        """`Tool: f` and `Input: {...}`: other labels, which count before an object only."""
        labelled = yield from self._window.skip(_INPUT)  # sample labels
        if not labelled or (yield from self._window.past_space()) != "{":
            return outcome.NOT_A_CALL
        named = Named(written, certain=False)
        return (yield from ObjectReader(self._context, self._envelope, named).read())

    def _in_brackets(self, written: str, spec: ToolSpec) -> Waiting[outcome.Outcome]:
        """`Action: search[cheap flights]`. Sample react-brackets."""
        line = yield from self._window.run(REST_OF_LINE)
        text, bracket, after = line.rpartition("]")
        after = after.strip()
        if not bracket or (after and not _token_word(after)):
            return outcome.NOT_A_CALL
        value = read_whole(f"{text}]")  # sample react-quoted-in-brackets
        quoted = isinstance(value, list) and [str] == [type(item) for item in value]
        return outcome.Calls([found_call(written, spec, value if quoted else text[1:])])

    def _input(self, written: str, spec: ToolSpec | None) -> Waiting[outcome.Outcome]:
        below = "\n" in (yield from self._window.run(SPACE))
        if (yield from self._window.peek()) == "{":
            named = Named(written, certain=True)
            return (yield from ObjectReader(self._context, self._envelope, named).read())
        plain = PlainInput(self._window, below)
        yield from plain.read()
        if spec is None:
            return outcome.Bad("unknown_tool", outcome.NO_SUCH_TOOL.format(written), written)
        if self._context.cut and self._window.ended and self._window.exhausted:
            return outcome.Bad("cut", outcome.CUT, spec.name)
        if plain.fault:
            return outcome.Bad("unreadable", plain.fault, spec.name)
        return outcome.Calls([self._found(written, spec, plain.text)])

    def _python(self, written: str) -> Waiting[outcome.Outcome]:
        call = PythonCall(self._context, self._window, written)
        yield from call.read()
        if call.found:
            return outcome.Calls([call.found])
        return call.bad if call.fault else outcome.NOT_A_CALL

    def _found(self, written: str, spec: ToolSpec, text: str) -> FoundCall:
        """The call with an input that is not an object: the only argument, or `a=1, b=2`."""
        if _KEYWORDS.match(text):
            call = read_call_text(self._context, f"{spec.name}({text})")
            if call is not None and set(call.args) <= set(spec.properties):
                return call
        value = read_whole(text)
        plain = isinstance(value, (str, dict, list))
        return found_call(written, spec, value if plain else read_keywords(text, spec) or text)


@dataclass(eq=False)
class PlainInput:
    """Reads an input that is a fence, or text up to the next heading."""

    _window: Window
    _below: bool  # whether it begins on a line of its own, below its label
    text: str = ""
    fault: str = ""  # why it is not clear what belongs to it
    _fence: str = ""
    _stopped: bool = False

    def read(self) -> Waiting[None]:
        """Consume the input."""
        if self._below and _HEADING.match("\n" + (yield from self._ahead())):
            return  # sample react-no-input
        marks = yield from self._window.run(FENCE_MARKS)
        line = (yield from self._window.run(REST_OF_LINE)) if len(marks) > 2 else ""
        self._fence = "" if "`" in line or len(marks) < 3 else marks
        text = yield from self._until_stop()
        if self._fence:
            self.text = text.removeprefix("\n")
            self.fault = "" if self._stopped else _UNCLOSED
        else:
            self.text = (marks + line + text).strip()
            self.fault = "" if self._below else _doubt(self.text)

    def _until_stop(self) -> Waiting[str]:
        parts: list[str] = []
        while True:
            parts.append((yield from self._window.until(_MAY_STOP)))
            ahead = yield from self._ahead()
            owned = self._stop(ahead)
            self._stopped = owned is not None
            if self._stopped or not ahead:
                self._window.pos += owned or 0
                return "".join(parts)
            parts.append(ahead[0])
            self._window.pos += 1

    def _ahead(self) -> Waiting[str]:
        """All that it takes to know what comes next."""
        return self._window.ask(_LONGEST_STOP, lambda ahead, final: ahead if final else None)

    def _stop(self, ahead: str) -> int | None:
        """How much of what ends the input here goes with it; `None` if nothing ends it."""
        if self._fence:
            fence = _FENCE.match(ahead)
            return fence.end() if fence and fence[1].startswith(self._fence) else None
        if _HEADING.match(ahead):
            return 0
        word = _token_word(ahead)
        if not word:
            return None
        return 0 if word in ENVELOPES else ahead.index(">") + 1


def _token_word(text: str) -> str:
    found = _TOKEN.match(text)
    word = word_of(found[1] or found[2]) if found else ""
    return word if found and (found[1] or word in _CLOSERS) else ""


def _doubt(text: str) -> str:
    """A sentence after one line and an empty one: more of the input, or a word on it."""
    first, *rest = _EMPTY_LINE.split(text, maxsplit=1)
    if not rest or "\n" in first:
        return ""
    is_prose = rest[0][0].isalpha() and not rest[0][0].islower() and " " in rest[0]
    return _TWO_PARAGRAPHS if is_prose and rest[0].endswith(_SENTENCE_ENDS) else ""
