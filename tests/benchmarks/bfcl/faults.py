r"""What goes wrong in the bodies of calls, as one table.

The rule here: a fault is either harmless to the meaning, and then must be read, or destroys
information, and then may be refused (`may_refuse`). The two never share a row. Where a text without
the fault's mark would be valid and mean something else, it is not written at all: `"C:\new"` is JSON
for a line break, and no reader can know better.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from tests.benchmarks.bfcl import contents, marring, spellings
from tests.benchmarks.bfcl.cases import Called, Case
from tests.benchmarks.bfcl.dialects import Dialect
from tests.benchmarks.bfcl.pen import Mar

Reword: TypeAlias = Callable[[Case, Random], "Case | None"]
Speak: TypeAlias = Callable[[Called, Case, Dialect, Random], "Called | None"]


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong. Every hook gives `None` where it finds no place.

    Attributes:
        reword: Gives an argument something to say that the fault can break; this changes the truth.
        speak: What is written instead of a call of the truth: another spelling of names or values.
        mar: Breaks the tokens of a body.
        everywhere: Whether it breaks every body of a reply, not one drawn at random.
        after: What is put behind the whole reply.
        before: What is put before it; `{}` is where the same dialect says other calls.
        cut: Where the reply is cut off.
        limit: Whether the server says that the length limit cut it.
        talks: Whether it puts words between calls.
        may_refuse: Whether it destroys information.
    """

    name: str
    code: str
    reword: Reword | None = None
    speak: Speak | None = None
    mar: Mar | None = None
    everywhere: bool = False
    after: bool = False
    before: str = ""
    cut: Callable[[str, Case, Random], "str | None"] | None = None
    limit: bool = False
    talks: bool = False
    may_refuse: bool = False


# --- what strings say ---


def _saying(texts: Sequence[str]) -> Reword:
    """One string argument, of those the schema leaves free, made to say one of these."""

    def reword(case: Case, rng: Random) -> Case | None:
        free = [
            (number, name)
            for number, call in enumerate(case.calls)
            for name in call.args
            if _is_free(case, call, name)
        ]
        if not free:
            return None
        number, name = rng.choice(free)
        call = case.calls[number]
        said = rng.choice(texts).replace("{}", call.args[name])
        calls = list(case.calls)
        calls[number] = replace(call, args={**call.args, name: said})
        return replace(case, calls=tuple(calls))

    return reword


def _undeclared(case: Case, rng: Random) -> Case | None:
    """An argument that the tool does not have: kept, or the call refused, but never dropped unseen."""
    number = rng.randrange(len(case.calls))
    calls = list(case.calls)
    calls[number] = replace(
        calls[number], args={**calls[number].args, "remark": "as soon as possible"}
    )
    return replace(case, calls=tuple(calls))


def _is_free(case: Case, call: Called, name: str) -> bool:
    schema = case.spec(call).properties.get(name, {})
    plain = re.fullmatch(r"[\w ,.:/-]+", str(call.args[name]))
    return (
        schema.get("type") == "string" and not {"enum", "format"} & {*schema} and plain is not None
    )


# --- cuts ---


def _anywhere(text: str, case: Case, rng: Random) -> str:
    return text[: rng.randrange(1, len(text))]


def _in_a_string(text: str, case: Case, rng: Random) -> str | None:
    """Inside an argument's text, where the server reports no limit."""
    values = [one for call in case.calls for one in call.args.values() if isinstance(one, str)]
    places = [(text.find(one), len(one)) for one in values if len(one) > 3 and one in text]
    if not places:
        return None
    start, length = rng.choice(places)
    return text[: start + rng.randrange(1, length)]


FAULTS: tuple[Fault, ...] = (
    Fault("trailing commas", "tc", mar=marring.trailing_commas),
    Fault("missing commas", "mc", mar=marring.missing_commas),
    Fault("single quotes", "sq", mar=marring.each_string(marring.single_quoted), everywhere=True),
    Fault(
        "apostrophe in single quotes",
        "ap",
        _saying(contents.APOSTROPHES),
        mar=marring.each_string(marring.apostrophes_unescaped, part=False),
        everywhere=True,
    ),
    Fault(
        "smart quotes as delimiters",
        "sm",
        mar=marring.each_string(marring.smart_quoted),
        everywhere=True,
    ),
    Fault("smart quotes as content", "sc", _saying(contents.SMART)),
    Fault("unquoted keys", "uk", mar=marring.unquoted_keys, everywhere=True),
    Fault("Python and JS literals", "li", mar=marring.other_literals, everywhere=True),
    Fault("Python and JS numbers", "nu", mar=marring.other_numbers),
    Fault("comments", "co", mar=marring.comments),
    Fault(
        "raw line breaks and tabs",
        "nl",
        _saying(contents.LINES),
        mar=marring.each_string(marring.raw_lines, part=False),
        everywhere=True,
    ),
    Fault(
        "triple quotes", "tq", _saying(contents.LINES), mar=marring.triple_quoted, everywhere=True
    ),
    Fault(
        "invalid escapes",
        "ie",
        _saying(contents.BACKSLASHES),
        mar=marring.each_string(marring.undoubled, part=False),
        everywhere=True,
    ),
    Fault(
        "Windows paths",
        "wp",
        _saying(contents.PATHS),
        mar=marring.each_string(marring.undoubled, part=False),
        everywhere=True,
        may_refuse=True,
    ),
    Fault(
        "unescaped inner quotes",
        "iq",
        _saying(contents.QUOTED),
        mar=marring.each_string(marring.quotes_unescaped, part=False),
        everywhere=True,
    ),
    Fault(
        "inner quotes like an end",
        "iQ",
        _saying(contents.QUOTED_LIKE_AN_END),
        mar=marring.each_string(marring.quotes_unescaped, part=False),
        everywhere=True,
        may_refuse=True,
    ),
    Fault(
        "code in a string, unescaped",
        "cq",
        mar=marring.each_string(marring.code_unescaped),
        may_refuse=True,
    ),
    Fault("troublesome content", "tr", _saying(contents.TROUBLE)),
    Fault(
        "unicode escapes",
        "ue",
        _saying(contents.FOREIGN),
        mar=marring.escaped_characters,
        everywhere=True,
    ),
    Fault("missing closers at the end", "cl", mar=marring.missing_closers),
    Fault(
        "missing closers elsewhere", "cL", mar=marring.missing_closers_elsewhere, may_refuse=True
    ),
    Fault("missing inner closer", "ci", mar=marring.missing_inner_closer, may_refuse=True),
    Fault("extra closers", "xc", mar=marring.extra_closers),
    Fault("prose behind the body", "pb", mar=marring.prose_behind, talks=True),
    Fault("prose behind the reply", "pr", after=True),
    Fault("thoughts with other calls", "th", before="<think>\n{}\n</think>\n\n"),
    Fault("thoughts never opened", "tu", before="I need to look this up first.\n</think>\n\n"),
    Fault("name: case", "nc", speak=spellings.other_case),
    Fault("name: hyphen, dot, underscore", "nh", speak=spellings.other_separators),
    Fault("name: namespace", "nn", speak=spellings.with_namespace),
    Fault("name: spaces", "ns", speak=spellings.with_spaces),
    Fault(
        "name: markdown escapes",
        "nm",
        speak=spellings.with_markdown_escapes,
        mar=marring.each_string(marring.undoubled, part=False),
        everywhere=True,
    ),
    # What validation promises, not the reader: a shape that is known by its argument names may be refused.
    Fault("argument names respelt", "an", speak=spellings.other_argument_names, may_refuse=True),
    Fault("values of another type", "vt", speak=spellings.other_types),
    Fault("undeclared argument", "un", _undeclared, may_refuse=True),
    Fault("cut by the limit", "cu", cut=_anywhere, limit=True, may_refuse=True),
    Fault("ended in a string", "cs", cut=_in_a_string, may_refuse=True),
)
