"""Whether a call's values come from the conversation, or were made up.

Small models call a tool for "Do you like music?" with a city that was not named. Two signs together tell such a call from one
that is meant: required values that are nowhere in the conversation, and a tool of which no word was said. Either alone
tells nothing: values are inferred, and a tool is asked for in other words than its own.

Only what can be told is judged. A search query, a formula, a command or a message is the model's own writing; nobody says a
date, a code or a truth value as it is written in a call; and who speaks another language than the tools never speaks of them.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems
from langchain_toolemu.turn.heard import PRONOUNS, Heard, name_stems, numbers_in, telling_stems
from langchain_toolemu.turn.values import NEUTRAL, is_date_or_time, keyed_scalars
from langchain_toolemu.validation.schema import Schemas

_LONGEST = 60  # characters; longer texts are the model's own writing
_LONGEST_CODE = 3
_LONGEST_SYMBOL = 5  # in capitals
_FEWEST_WORDS = 3  # of a description that is no value; a word or two may be one
_MOST_VALUES = 50  # of one call that are looked at
_KINDS = frozenset({"type", "object", "kind"})  # inside a value they say what it is
# What arguments are called whose values a model writes itself, knows, or takes from a page.
_WRITTEN = frozenset(
    stems("""
    query question search text message body content subject title prompt fact note reason input request description
    summary comment expression formula equation function code command sql script statement pattern regex thought task
    instruction goal plan answer keyword sentence phrase path file url table column selector ref key action status state
    method level unit interval locale timezone branch revision format mode sort latitude longitude lat lon lng coordinate
    """)
)


def made_up(args: Mapping[str, Any], tool: ToolSpec, heard: Heard) -> tuple[str, Any] | None:
    """The argument and its value that was not given, if nothing that was said speaks of the tool either.

    Where only the tool's description has a word of what was said, and not its name, none of the values must have been given.

    Example:
        ```python
        made_up({"city": "Paris"}, get_weather, Heard("Do you like music?", "Do you like music?"))  # ("city", "Paris")
        ```
    """
    if echoed := _echoed(args, tool, heard):
        return echoed
    if heard.is_foreign or not heard.topics.isdisjoint(name_stems(tool.name)):
        return None
    said: list[tuple[str, Any]] = []
    unsaid: list[tuple[str, Any]] = []
    for name, value in islice(_judged(args, tool), _MOST_VALUES):
        (said if heard.holds(value) else unsaid).append((name, value))
    if not said:
        return next(iter(unsaid), None)
    if not heard.topics.isdisjoint(_described(tool)):
        return None
    counted = any(isinstance(value, int | float) for _, value in said)
    return next((pair for pair in unsaid if _tells(*pair, tool, counted=counted)), None)


def _tells(name: str, value: Any, tool: ToolSpec, *, counted: bool) -> bool:
    """Whether a value that was not said tells anything next to those that were: a further number is a factor, a count of one."""
    if isinstance(value, str):
        return True
    counts = value in NEUTRAL and _takes_counts(tool.properties.get(name))
    return not (counts or counted)


def _takes_counts(schema: Any) -> bool:
    if not isinstance(schema, Mapping):
        return False
    return schema.get("type") == "integer" or _takes_counts(schema.get("items"))


def _echoed(args: Mapping[str, Any], tool: ToolSpec, heard: Heard) -> tuple[str, Any] | None:
    """An argument whose value is its own description, which nobody said or offered: the model had none."""
    schemas = Schemas(tool.parameters)
    for name, value in args.items():
        schema = tool.properties.get(name)
        description = schema.get("description") if isinstance(schema, Mapping) else None
        echoes = isinstance(value, str) and _is_opening(value.strip(), str(description).strip())
        if echoes and value not in _offered(schemas, schema) and not heard.holds_word(value):
            return name, value
    return None


def _is_opening(value: str, description: str) -> bool:
    """Whether a text is a description, or opens one."""
    opens = description.startswith(value) and len(value.split()) >= _FEWEST_WORDS
    return bool(value) and (opens or value == description)


def _judged(args: Mapping[str, Any], tool: ToolSpec) -> Iterator[tuple[str, Any]]:
    """The required values of which it can be told whether they were said."""
    schemas = Schemas(tool.parameters)
    for name in tool.required:
        schema = tool.properties.get(name)
        if name not in args or _is_written(name):
            continue
        offered = _offered(schemas, schema)
        for key, value in keyed_scalars(args[name], name):
            known = _is_written(key) or (key in _KINDS and key != name)
            if not (known or value in offered or _is_plain(value, schema)):
                yield name, value


@lru_cache(1024)
def _is_written(name: str) -> bool:
    return not _WRITTEN.isdisjoint(stems(name))


def _is_plain(value: Any, schema: Any) -> bool:
    """Whether nobody says a value as it is written in a call."""
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        return is_explained(schema, value)
    return _is_code(value) or is_date_or_time(value) or len(str(value)) > _LONGEST


def is_explained(schema: Any, number: float) -> bool:
    """Whether a description says what a number stands for: `1 for Bangkok, 2 for Phuket`."""
    description = str(schema.get("description", "")) if isinstance(schema, Mapping) else ""
    return number in numbers_in(description)


def _is_code(value: Any) -> bool:
    """Whether a text is a code that nobody says: `it` for Italian, `EUR`, `MSFT`."""
    if not isinstance(value, str) or value.strip().lower() in PRONOUNS:
        return False
    length = len(value.strip())
    return length <= _LONGEST_CODE or (value.isupper() and length <= _LONGEST_SYMBOL)


def _offered(schemas: Schemas, schema: Any) -> list[Any]:
    """The values that a schema itself names."""
    members = [
        value for shape in schemas.shapes(schema) for value in (shape.members or {}).values()
    ]
    return [*members, schemas.stated(schema, "default")]


def _described(tool: ToolSpec) -> frozenset[str]:
    """The stems of all words by which a tool describes itself."""
    described = [
        f"{name} {schema.get('description', '') if isinstance(schema, Mapping) else ''}"
        for name, schema in tool.properties.items()
    ]
    return telling_stems(" ".join([tool.description, *described]))
