"""What a reply may look like: as a grammar that llama.cpp decodes under (GBNF), and as a JSON schema for other servers.

A reply is words, or calls of the bound tools and nothing else. For the smallest models, which call the right tool with
values that were not said, values can only be quoted from the conversation, unless that is long. A call may also hold
nothing but an example's values: a small model that has nothing to call for calls in this way, and is known by it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from langchain_toolemu.contract.dialects import Dialect, json_text
from langchain_toolemu.contract.example_values import NUMBERS, PLACEHOLDERS
from langchain_toolemu.tools import ToolSet, ToolSpec
from langchain_toolemu.validation.schema import CompiledSchema, Shape

MAX_WORDS = 400  # conversations with more words than these are not quoted from
_MAX_CHARS = 20 * MAX_WORDS  # so that the words of a book are not counted
# Scripts that put no spaces between words are quoted by the letter.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|[^\w\s]")
_NUMBER = re.compile(r"(?:(?<![\w.)])-)?[0-9][0-9,]*(?:\.[0-9]+)?")
_LONGEST_NUMBER = 16
_NO_BEGINNING = frozenset(".,;:!?)]}'\"\u2019\u201d\u00bb")
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t"})
_AS_SHOWN = {"string": "shown", "integer": "shown-integer", "number": "shown-number"}


@dataclass(frozen=True, slots=True)
class Quotations:
    """What can be quoted."""

    rules: Mapping[str, str]  # for values, and for every word: it, and what may follow it
    numbers: Sequence[str]  # that were said; a percentage is a fraction, too
    answer: str | None = None  # the tool whose call is the answer, in the model's own words

    def ways(self, tool: ToolSpec, *, copied: bool = True) -> Iterator[Mapping[str, str]]:
        """The ways to write a tool's values, as the rules that take the place of "string", "integer" and "number"."""
        if tool.name == self.answer:
            yield {}
            return
        yield {"string": "quoted", **self._numbers_for(tool)}
        if copied:
            yield _AS_SHOWN

    def _numbers_for(self, tool: ToolSpec) -> Mapping[str, str]:
        """The rules for a tool's numbers; none if fewer were said than it needs, since some were spelt out."""
        schemas = tool.schema
        wanted = [_wants_number(schemas, tool.properties.get(name)) for name in tool.required]
        if sum(wanted) > len(self.numbers):
            return {}
        rules = {"integer": "said-integer", "number": "said-number"}
        return {kind: rule for kind, rule in rules.items() if rule in self.rules}


def quotations(texts: Sequence[str], *, answer: str | None = None) -> Quotations | None:
    """What can be quoted from these texts; `None` if there is nothing, or too much. `answer`: the tool that answers."""
    words: dict[str, str] = {}
    beginnings: list[str] = []
    if sum(map(len, texts)) > _MAX_CHARS:
        return None
    for text in texts:
        found = _words(text)
        if len(words) + len(found) > MAX_WORDS:
            return None
        for number, (word, gap) in enumerate(found, start=len(words)):
            words[f"q{number}"] = f"{_quote(word)}{_following(gap, number + 1)}"
            beginnings += _beginnings(word, gap, number)
    if not beginnings:
        return None
    numbers = list(dict.fromkeys(number for text in texts for number in _numbers(text)))
    rules = {**words, **_values(beginnings, numbers)}
    return Quotations(rules, numbers, answer=answer)


def _values(beginnings: Sequence[str], numbers: Sequence[str]) -> dict[str, str]:
    of_kind = {
        "said-integer": [number for number in numbers if "." not in number],
        "said-number": numbers,
        "shown-integer": [str(number) for number in NUMBERS],
        "shown-number": [f"{number}.5" for number in NUMBERS],
    }
    return {
        "quoted": _string(beginnings),
        "shown": _string([literal(word) for word in PLACEHOLDERS]),
        **{rule: " | ".join(map(literal, values)) for rule, values in of_kind.items() if values},
    }


def _string(ways: Sequence[str]) -> str:
    return rf'''"\"" ({" | ".join(ways)}) "\""'''


def _wants_number(schemas: CompiledSchema, schema: Any) -> bool:
    """Whether nothing but a number, or nothing at all, fits a schema."""
    kinds = [shape.type for shape in schemas.shapes(schema) if shape.type != "null"]
    return bool(kinds) and all(kind in ("integer", "number") for kind in kinds)


def _words(text: str) -> list[tuple[str, str | None]]:
    """Each word or sign with what is between it and the next; `None` after the last."""
    found = list(_WORD.finditer(text))
    gaps = [text[word.end() : after.start()] for word, after in pairwise(found)]
    # Lines may be broken anywhere: what is quoted goes on in one.
    ends = [*(gap and " " for gap in gaps), None]
    return [(word.group(), gap) for word, gap in zip(found, ends, strict=False)]


def _following(gap: str | None, following: int) -> str:
    return "" if gap is None else f" ({_quote(gap) + ' ' if gap else ''}q{following})?"


def _beginnings(word: str, gap: str | None, number: int) -> Iterator[str]:
    """The ways to begin with a word: as it is, or with a capital, as small models like to."""
    if word in _NO_BEGINNING:
        return
    yield f"q{number}"
    capital = word[0].upper() + word[1:]
    if capital != word:
        yield f"{_quote(capital)}{_following(gap, number + 1)}"


def _quote(text: str) -> str:
    return literal(json_text(text)[1:-1])


def literal(text: str) -> str:
    """A literal of the grammar: its strings know JSON's escapes for these and for nothing else."""
    return f'"{text.translate(_ESCAPES)}"'


def _numbers(text: str) -> Iterator[str]:
    for found in _NUMBER.finditer(text):
        if len(found.group()) > _LONGEST_NUMBER:
            continue
        number = Decimal(found.group().replace(",", ""))
        yield _number_text(number)
        if text[found.end() : found.end() + 1] == "%":
            yield _number_text(number / 100)


def _number_text(number: Decimal) -> str:
    written = f"{number:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


_PRIMITIVES = {
    "string": r'''"\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""''',
    "integer": r""""-"? ("0" | [1-9] [0-9]{0,15})""",
    "number": r""""-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})?""",
    "boolean": '"true" | "false"',
    "null": '"null"',
    "value": "string | number | boolean | null | list | table",
    "list": '"[" (value (", " value)*)? "]"',
    "table": r'''"{" (string ": " value (", " string ": " value)*)? "}"''',
}
_UNTYPED = {None: "value", "array": "list", "object": "table"}


def write_schema(tools: ToolSet, dialect: Dialect, *, none: bool = False) -> dict[str, Any]:
    """The JSON schema of one call, for servers that decode under one; `none` admits a call of nothing."""
    calls = [_call_schema(tool.name, tool.parameters, dialect) for tool in tools]
    calls += [_call_schema("none", {"type": "object", "properties": {}}, dialect)] if none else []
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def _call_schema(name: str, parameters: Mapping[str, Any], dialect: Dialect) -> dict[str, Any]:
    # A tool without arguments may have an empty schema, which would admit anything.
    takes = parameters or {"type": "object", "properties": {}}
    return {
        "type": "object",
        "properties": {
            dialect.name_key: {"const": name},
            dialect.args_key: {"type": "object", **takes},
        },
        "required": [dialect.name_key, dialect.args_key],
        "additionalProperties": False,
    }


def write_grammar(
    tools: ToolSet,
    dialect: Dialect,
    *,
    parallel: bool = True,
    words: bool = True,
    none: bool = False,
    quoted: Quotations | None = None,
    copied: bool = True,
) -> str:
    """The grammar of a reply: calls, and if they may be, words, a call of nothing, or an example's values."""
    rules = _Rules(quoted, copied=copied)
    calls = [call for tool in tools for call in rules.calls(tool, dialect)]
    if calls:
        rules.add("call", " | ".join(calls))
        more = [f"({literal(dialect.separator)} call)*"] if parallel else []
        marks = [literal(mark) if mark else "" for mark in (dialect.opening, dialect.closing)]
        rules.add("calls", " ".join(filter(None, [marks[0], "call", *more, marks[1]])))
    first = (dialect.opening.lstrip() or "{")[0]
    first = rf"\{first}" if first in "]\\" else first
    # Some templates let a reply begin on a new line; without an end to that, small models never leave it.
    rules.add("words", rf"[ \t\n]{{0,4}} [^ \t\n{first}] [^\x00]*")
    nothing = literal(dialect.write("none", {}))
    ways = (("calls", calls), (nothing, none), ("words", words))
    return rules.text(" | ".join(way for way, is_open in ways if is_open))


class _Rules:
    """The rules of one grammar. Each schema has one, so that a schema may contain itself."""

    def __init__(self, quoted: Quotations | None, *, copied: bool) -> None:
        self._written = {**_PRIMITIVES, **(quoted.rules if quoted else {})}
        self._quoted = quoted
        self._copied = copied
        self._schemas = CompiledSchema({})
        self._names: dict[int, str] = {}
        self._instead: Mapping[str, str] = {}
        self._is_held = False

    def add(self, name: str, body: str) -> None:
        self._written[name] = body

    def text(self, root: str) -> str:
        rules = {"root": root, **self._written}
        return "\n".join(f"{name} ::= {body}" for name, body in rules.items())

    def calls(self, tool: ToolSpec, dialect: Dialect) -> Iterator[str]:
        """The ways to call a tool: with any values, or with each kind that can be quoted."""
        for instead in self._quoted.ways(tool, copied=self._copied) if self._quoted else ({},):
            self._is_held = False
            yield self._call(tool, dialect, instead)
            if not self._is_held:
                break

    def _call(self, tool: ToolSpec, dialect: Dialect, instead: Mapping[str, str]) -> str:
        """The JSON object of one call: everything up to the arguments is fixed."""
        self._schemas, self._names, self._instead = tool.schema, {}, instead
        shape = next(iter(self._schemas.shapes(tool.parameters)), None)
        args = self._table(shape) if shape and shape.properties is not None else '"{}"'
        return f"{literal(dialect.write_head(tool.name))} {args} {literal('}')}"

    def _rule(self, schema: Any) -> str:
        if (name := self._names.get(id(schema))) is None:
            name = self._names[id(schema)] = f"s{len(self._written)}"
            self._written[name] = ""
            ways = [self._shape(shape) for shape in self._schemas.shapes(schema)]
            default = schema.get("default") if isinstance(schema, Mapping) else None
            if self._instead and default is not None:  # which need not have been said
                ways.append(literal(json_text(default)))
            self._written[name] = " | ".join(ways) or "value"
        return name

    def _shape(self, shape: Shape) -> str:
        if shape.members is not None:
            return " | ".join([literal(json_text(value)) for value in shape.members.values()])
        if shape.type == "array" and shape.items is not None:
            item = self._rule(shape.items)
            return f'"[" ({item} (", " {item})*)? "]"'
        if shape.type == "object" and shape.properties:
            return self._table(shape)
        kind = _UNTYPED.get(shape.type) or str(shape.type)
        self._is_held |= kind in self._instead
        return self._instead.get(kind, kind)

    def _table(self, shape: Shape) -> str:
        """An object: the required members, then any of the others, each in the schema's order."""
        written = {
            name: f"{literal(json_text(name) + ': ')} {self._rule(schema)}"
            for name, schema in (shape.properties or {}).items()
        }
        needed = [written[name] for name in written if name in shape.required]
        others = [written[name] for name in written if name not in shape.required]
        inner = _sequence(needed, others)
        return f'"{{" {inner} "}}"' if inner else '"{}"'


def _sequence(needed: Sequence[str], others: Sequence[str]) -> str:
    """Members separated by commas: all needed ones, then any of the others."""
    if needed:
        return " ".join([' ", " '.join(needed), *_optional(others)])
    starts = [" ".join([member, *_optional(others[at + 1 :])]) for at, member in enumerate(others)]
    return f"({' | '.join(starts)})?" if starts else ""


def _optional(members: Sequence[str]) -> Iterator[str]:
    return (f'(", " {member})?' for member in members)
