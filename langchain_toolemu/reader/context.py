"""What every part of the reader shares while it reads one reply."""

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any, TypeAlias

import regex

from langchain_toolemu.reader import vocabulary
from langchain_toolemu.reader.call_shapes import NONE_FORCED, ForcedTools
from langchain_toolemu.reader.events import TextKind
from langchain_toolemu.reader.intent import CallSetting
from langchain_toolemu.reader.output import Output
from langchain_toolemu.reader.tags import TagSet, beginnings, word_of
from langchain_toolemu.reader.window import Window
from langchain_toolemu.tools import ToolSet, ToolSpec, fold_name
from langchain_toolemu.validation.schema import property_names

_SHAPE_WORDS = ("name", "arguments", "args", "parameters", "input", "tool", "function", "action")
# Sample kimi-name: `functions.get_weather:0`; sample llama-call: `get_weather.call(...)`.
_SUFFIX = re.compile(r"(?::\d+|\.call|\(\)|<\|\w{1,20}\|>)\Z")
_LONGEST_NAME = 128
_HALF_TAG = re.compile(r"(?:<|&l|\[)[^<>\[\]{\n]{0,200}\Z")

ReadCalls: TypeAlias = Callable[[str], Iterable[tuple[str, Mapping[str, Any]]]]
"""Text to calls, each a name and its arguments."""


@dataclass(frozen=True, slots=True)
class CallFormat:
    """How calls are written: the reader's view of a `Dialect`."""

    name: str
    opening: str = ""
    closing: str = ""
    name_key: str = "name"
    args_key: str = "arguments"
    read: ReadCalls | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class OwnMarks:
    """What marks a call in a user's own dialect."""

    opening: regex.Pattern[str] | None  # its opening mark, and what must follow it
    closing: regex.Pattern[str] | None
    named: regex.Pattern[str]  # an object, or a list of them, that begins with the name of a tool
    keys: Mapping[str, str]  # its keys, and what they are called otherwise


@lru_cache(maxsize=16)
def own_marks(dialect: CallFormat) -> OwnMarks:
    """What marks a call in this dialect."""
    opening, closing = dialect.opening.strip(), dialect.closing.strip()
    begun = "" if dialect.read else r"\s*[\[{`~]"
    key = regex.escape(json.dumps(dialect.name_key, ensure_ascii=False))
    return OwnMarks(
        regex.compile(rf"\s*{regex.escape(opening)}{begun}") if opening else None,
        regex.compile(rf"\s*{regex.escape(closing)}") if closing else None,
        regex.compile(rf"\[?\s*\{{\s*{key}\s*:\s*\"([^\"\\]{{1,128}})\""),
        {dialect.name_key: "name", dialect.args_key: "arguments"},
    )


@lru_cache(maxsize=64)
def _name_beginnings(names: tuple[str, ...]) -> frozenset[str]:
    return beginnings(frozenset(fold_name(name) + "call" for name in names))


@dataclass(eq=False)
class KnownKeys:
    """All keys that a call of these tools may hold.

    Collected on first use: valid JSON never needs them.
    """

    tools: ToolSet

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        nested = (key for spec in self.tools for key in property_names(spec.parameters))
        return frozenset((*nested, *_SHAPE_WORDS))


@dataclass(eq=False)
class ReaderOptions:
    """What the reader looks for in a reply."""

    tools: ToolSet  # that are bound
    _: KW_ONLY
    forced: str | None = None  # the demanded tool: a bare object that fits is its arguments
    demands_any: bool = False  # whether some tool was: the only one that a bare object fits
    native: bool = False  # whether the tools were sent natively, and no calls in text asked for
    explicit_only: bool = False  # whether only envelopes count that can mean nothing but a call
    tells_thoughts: bool = False  # from the answer
    only_thoughts: bool = False  # whether nothing else is looked for: no call can be made
    starts_in_thought: bool = False  # whether its opener is in the prompt
    may_start_in_thought: bool = False  # whether it may be: the first mark of one tells
    reads_all: bool = False  # whether every call counts, whatever the words around it say
    dialect: CallFormat | None = None  # the user's own: its marks and keys are read, too


@dataclass(eq=False)
class Context(ReaderOptions):
    """The reply's window and output, and the tools that decide what a text means."""

    cut: bool = field(default=False, init=False)  # whether the reply ended by the length limit
    keeps_marks: bool = field(default=False, init=False)  # a thought is shown as it came
    open_fence: str = field(default="", init=False)  # the marks of one left before it closed
    quotes_marks: bool = field(default=False, init=False)  # whether marks are only mentioned
    judged_marks: int = field(default=0, init=False)  # how many were looked at for that
    in_message: bool = field(default=False, init=False)  # whether a header has begun one
    is_answer: bool = field(default=False, init=False)  # whether no call is in that
    # Where a text of another kind begins, if thoughts are distinguished from the answer.
    kinds: list[tuple[int, TextKind]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        tools, forced = self.tools, self.forced
        self.window = Window()
        setting = partial(CallSetting, native=self.native, forced=forced is not None)
        self.output = Output(None if self.reads_all else setting)
        self.prose = self.output.prose
        self.keys: Container[str] = KnownKeys(tools)
        self.marks = own_marks(self.dialect) if self.dialect else None
        tool = self.forced_tool = tools.resolve(forced) if forced else None
        specs = tools.specs if self.demands_any else (tool,) if tool else ()
        self.forced_tools = ForcedTools(specs) if specs else NONE_FORCED

    @property
    def counts_unknown(self) -> bool:
        """Whether an unknown tool's call is reported: in a native reply only at its start."""
        return not (self.native and self.prose.begun)

    def flush(self) -> None:
        """Emit the consumed text as prose."""
        if text := self.window.take():
            self.output.add_text(text)

    def hold(self) -> None:
        """Hold the text from here on back, until it is known what it is."""
        self.flush()
        self.window.flowing = False

    def pass_mark(self, size: int) -> None:
        """Consume the rest of a section's mark; it is shown only with a thought that it ends.

        What is held is its beginning.
        """
        self.window.pos += size
        start, mark = self.window.untaken_from, self.window.take()
        (self.output.add_text if self.keeps_marks else self.output.add_mark)(mark)
        if self.tells_thoughts:
            self.kinds += [(start, "mark"), (start + len(mark), self.output.kind)]

    def release(self) -> None:
        """Emit the held text as prose."""
        self.window.flowing = True
        self.flush()

    def begin_answer(self) -> None:
        """The answer begins here, whatever comes before it on the line."""
        self.flush()
        self.window.at_line_start = True
        self.output.begin_answer()

    def reach_cut(self) -> bool:
        """Consume an incomplete tag at the end; whether the length limit cut the reply here."""
        window = self.window
        if self.cut and window.ended and _HALF_TAG.match(window.text, window.pos):
            window.pos = len(window.text)
        return self.cut and window.ended and window.exhausted

    def resolve(self, written: str) -> ToolSpec | None:
        """The only bound tool that a written name can mean."""
        if len(written) > _LONGEST_NAME:
            return None
        if found := self.tools.resolve(written):
            return found
        plain = _SUFFIX.sub("", written.strip("`'\"*, \t\n"))
        found = self.tools.resolve(plain)
        while plain and not found:
            _, dot, after = plain.partition(".")  # sample kimi-name: before a dotted name
            plain = after if dot else plain.partition("__")[2]  # sample mcp-name
            found = self.tools.resolve_whole(plain)  # `pet.find` is no `plant.find`
        return found

    def may_be_name(self, beginning: str) -> bool:
        """Whether a bound tool's name begins like this."""
        return fold_name(beginning) in _name_beginnings(self.tools.names)

    @cached_property
    def parameters(self) -> frozenset[str]:
        """Every argument name of every bound tool."""
        return frozenset(name for spec in self.tools for name in spec.properties)

    @cached_property
    def tool_words(self) -> frozenset[str]:
        """The bound tools' names, folded like tags."""
        return frozenset(map(word_of, self.tools.names))

    @cached_property
    def parameter_words(self) -> frozenset[str]:
        """The argument names, folded like tags."""
        return frozenset(map(word_of, self.parameters))

    @cached_property
    def opening_tags(self) -> TagSet:
        """The known tags in prose."""
        return TagSet(vocabulary.IN_PROSE, () if self.explicit_only else self.tool_words)

    @cached_property
    def inner_tags(self) -> TagSet:
        """The known tags inside an envelope."""
        return TagSet(vocabulary.EVERY, self.tool_words)

    @cached_property
    def argument_tags(self) -> TagSet:
        """The known tags inside a call of elements."""
        return TagSet(vocabulary.EVERY | self.parameter_words, self.tool_words)
