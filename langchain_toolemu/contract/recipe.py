"""`Recipe`: what a user sets of the contract. What is left out follows the model's size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias

from langchain_toolemu.contract.dialects import DIALECTS, Dialect, find_dialect
from langchain_toolemu.contract.rules import Template
from langchain_toolemu.contract.shortlist import ToolLimit
from langchain_toolemu.errors import ToolSpecError

DialectName: TypeAlias = Literal["json", "markdown", "fenced", "tagged"]
Place: TypeAlias = Literal["system", "user"]
Constraint: TypeAlias = Literal["schema", "grammar", "quotes", "never"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is asked for calls in text.

    `None` means: as the model's size says, so that `Recipe(dialect=TAGGED)` changes nothing else.

    Attributes:
        dialect: How a call is written: `"json"`, `"markdown"`, `"fenced"`, `"tagged"` or a `Dialect`.
        examples: Whether examples of calls are shown, made from your tools; or your own pairs of
            what a user says and the assistant answers.
        place: Which message holds the instructions: `"system"`, or `"user"`, the first one. `None`:
            the system message, if the model has such a role.
        constraint: What the server decodes emulated replies under. `"schema"`: the schema of a call
            that must come. `"grammar"`: words and valid calls. `"quotes"`: the same, with values
            quoted from the conversation. `"never"`: nothing. `None`: the schema of an answer, and
            on llama.cpp a grammar where a call must come or the model is very small.
        tools_shown: Above how many tools only so many are described beyond their names: those that
            fit the conversation; or `"all"`.
        starts_in_thought: Whether replies begin inside a thought, because the model's template
            opens it in the prompt and only `</think>` follows.
        rules: What is promised and asked, with `{form}`, `{several}`, `{answer}` and `{tools}`.
        several: How several calls are asked for, where they may be made.
        continuation: What is said after a result; `{question}` is the user's.
        decision: The rules of a request that only decides on a call, with `{form}`, `{several}`,
            `{none}` and `{tools}`.

    Raises:
        ToolSpecError: A field has a value that it cannot have.

    Example:
        ```python
        from langchain_toolemu import ChatToolEmu, Recipe

        ChatToolEmu(llm, contract=Recipe(dialect="tagged", examples=False))
        ```
    """

    dialect: Dialect | DialectName | None = None
    examples: bool | Sequence[tuple[str, str]] | None = None
    place: Place | None = None
    constraint: Constraint | None = None
    tools_shown: int | Literal["all"] | None = None
    starts_in_thought: bool = False
    rules: str | None = None
    several: str | None = None
    continuation: str | None = None
    decision: str | None = None

    def __post_init__(self) -> None:
        for name, (takes, values) in _FIELDS.items():
            value = getattr(self, name)
            if not (value is None or takes(value)):
                complaint = f"Recipe: {name}={value!r:.80} is not known. Use {values}."
                raise ToolSpecError(complaint, code="bad_value")
        if isinstance(self.examples, Sequence):  # a file has lists
            object.__setattr__(self, "examples", tuple(map(tuple, self.examples)))

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> "Recipe":
        """The recipe of a table in a file."""
        names = [part.name for part in fields(cls)]
        for name in table.keys() - {*names}:
            near = get_close_matches(name, names, 1)
            meant = f"Did you mean {near[0]!r}?" if near else f"Use {', '.join(names)}."
            raise ToolSpecError(f"Recipe: there is no field {name!r}. {meant}", code="bad_value")
        return cls(**table)

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells recipes apart, the same in every process: a cache's key."""
        dialect = getattr(self.dialect, "identity", self.dialect)
        return tuple(map(repr, (dialect, *(getattr(self, name) for name in _PLAIN))))

    @property
    def changed(self) -> list[str]:
        """The names of the fields that are set."""
        return [part.name for part in fields(self) if getattr(self, part.name) != part.default]

    @property
    def own_examples(self) -> tuple[tuple[str, str], ...]:
        """The user's own examples."""
        return self.examples if isinstance(self.examples, tuple) else ()

    def applied_to(self, template: Template) -> Template:
        """A template with what this recipe changes of it."""
        return replace(template, **dict(self._changes()))

    def _changes(self) -> Iterator[tuple[str, Any]]:
        for name in ("rules", "several", "continuation", "decision"):
            if (text := getattr(self, name)) is not None:
                yield name, text
        if self.continuation is not None:  # the user's own, whatever was done before
            yield from (("unfinished", self.continuation), ("finished", self.continuation))
        if self.dialect is not None:
            yield "dialect", find_dialect(self.dialect)
        if self.examples is not None:
            yield "shows_examples", bool(self.examples)
        if self.tools_shown is not None:
            most = self.tools_shown
            yield "tools_shown", None if most == "all" else ToolLimit(most, most)


def _is_dialect(value: Any) -> bool:
    return isinstance(value, Dialect) or (isinstance(value, str) and value in DIALECTS)


def _are_examples(value: Any) -> bool:
    return isinstance(value, bool) or (
        isinstance(value, list | tuple) and all(map(_is_pair, value))
    )


def _is_pair(value: Any) -> bool:
    is_pair = isinstance(value, list | tuple) and len(value) == 2
    return is_pair and all(isinstance(text, str) for text in value)


def _is_limit(value: Any) -> bool:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return value == "all" or is_count


def _is_one_of(*words: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in words


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


# By field, what it takes, and the same in words.
_FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "dialect": (_is_dialect, "'json', 'markdown', 'fenced', 'tagged' or a Dialect"),
    "examples": (_are_examples, "True, False or pairs of texts"),
    "place": (_is_one_of("system", "user"), "'system' or 'user'"),
    "constraint": (
        _is_one_of("schema", "grammar", "quotes", "never"),
        "'schema', 'grammar', 'quotes' or 'never'",
    ),
    "tools_shown": (_is_limit, "an integer from 1 on, or 'all'"),
    "starts_in_thought": (_is_bool, "True or False"),
    **dict.fromkeys(("rules", "several", "continuation", "decision"), (_is_text, "a text")),
}
_PLAIN = tuple(name for name in _FIELDS if name != "dialect")
