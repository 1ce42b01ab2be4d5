"""Every option of the chat models, in one table: for checks, cache key, flags and docs.

To add one: its row here, its field in `chat_models/setup.py`, its line in `ToolEmuOptions` and in
the docstring of `ChatToolEmu`. Nothing heavy is imported here: `toolemu --help` reads it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from math import inf
from types import FunctionType
from typing import Any, Literal, TypeAlias, get_args

Mode: TypeAlias = Literal["off", "fallback", "force"]
Flow: TypeAlias = Literal["auto", "inline", "decision"]
OnFailure: TypeAlias = Literal["error", "continue"]
ToolSupport: TypeAlias = Literal["native", "none"]
Reasoning: TypeAlias = Literal["keep", "blocks", "drop"]
PolicyName: TypeAlias = Literal["auto", "trust", "default", "careful", "strict"]


@dataclass(frozen=True, slots=True)
class ValueKind:
    """What a value may be, besides a word."""

    name: str
    fits: Callable[[Any], bool]
    in_python_only: bool = False  # a file cannot hold such a value


_ALIKE = 0.7  # of 1: "auot" is "auto", "cautious" is not


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the chat models."""

    name: str
    default: Any
    words: tuple[str | None, ...] = ()  # that it takes, `None` among them if it may be that
    kinds: tuple[ValueKind, ...] = ()  # what else it takes
    is_flag: bool = False  # commands take it, too
    attribute: str = ""  # that holds it, if it has another name
    is_shared: bool = False  # with ChatOpenAI: in `ToolEmuChatOpenAI` a word is ours
    sentence: str = field(kw_only=True)

    @property
    def field(self) -> str:
        """The name of the field."""
        return self.attribute or self.name

    @property
    def in_config(self) -> bool:
        """Whether a file can set it."""
        return any(self.words) or any(not kind.in_python_only for kind in self.kinds)

    def takes(self, value: Any) -> bool:
        """Whether a value is one that it can have."""
        known = value is None or isinstance(value, str)
        return (known and value in self.words) or any(kind.fits(value) for kind in self.kinds)

    def complaint(self, value: Any, *, in_file: bool = False) -> str | None:
        """What is wrong with a value, and what to write instead; `None` if nothing is."""
        if self.takes(value):
            return None
        aside = " (only in Python)" if in_file else ""
        words = [repr(word) for word in self.words if word or not in_file]
        kinds = [kind.name + aside * kind.in_python_only for kind in self.kinds]
        *first, last = [*words, *kinds]
        known = f"{', '.join(first)} or {last}" if first else last
        shown = repr(value)[:80] if isinstance(value, str | int | float | None) else type(value)
        meant = list(filter(None, self.words)) if isinstance(value, str) else []
        near = [
            f"Did you mean {word!r}? " for word in get_close_matches(str(value), meant, 1, _ALIKE)
        ]
        if isinstance(value, type):
            near = [f"That is a class: pass {value.__name__}(...). "]
        return f"{self.name}={shown} is not known. {''.join(near)}Use {known}."


def identity_of(value: Any) -> Any:
    """What tells an option's values apart in a cache's key."""
    if hasattr(value, "identity"):
        return value.identity
    if isinstance(value, FunctionType) and not (value.__closure__ or value.__defaults__):
        return value.__module__, value.__qualname__, value.__code__.co_firstlineno
    kind: Any = type(value)
    if kind.__repr__ is object.__repr__ and hasattr(value, "__dict__"):  # a policy of the user's
        return kind.__module__, kind.__qualname__, repr(sorted(vars(value).items()))
    return value if type(value) in _PLAIN else repr(value)


def option_identities(model: Any) -> dict[str, Any]:
    """All options of a chat model, as its cache key holds them."""
    return {name: identity_of(getattr(model, name)) for name in FIELDS}


_PLAIN = (str, int, float, bool, type(None))


# --- kinds of values ---


def integer(least: int, most: float = inf) -> ValueKind:
    """A whole number within limits."""
    name = f"an integer from {least} to {most:,}" if most < inf else f"an integer from {least} on"
    return ValueKind(name, lambda value: _is_number(value, int) and least <= value <= most)


def instance_of(name: str) -> ValueKind:
    """An object of a class, told by name: the class is in a layer above."""
    return ValueKind(
        f"a {name}", lambda value: name in (kind.__name__ for kind in type(value).__mro__), True
    )


def _is_number(value: Any, kind: Any = int | float) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


_POLICY = ValueKind(
    "a CallPolicy",
    lambda value: callable(getattr(value, "review", None)) and not isinstance(value, type),
    in_python_only=True,
)
_TABLE = ValueKind("a dict", lambda value: isinstance(value, Mapping))
_SIZE = ValueKind("a number above 0", lambda value: _is_number(value) and 0 < value < inf)

# --- the borders of model sizes, in billions of parameters: whatever depends on a size depends on one of these ---
# Measured on models from 0.135 to 1.5 billion parameters.

SMALLEST_BELOW = 0.3
"""Below this a model copies more than it understands: the briefest rules, and values quoted under a grammar."""

SMALL_BELOW = 1.0
"""Below this made-up turns teach a model what rules do not, and its values are checked most."""

CAREFUL_BELOW = 2.0
"""Below this a model makes up values and repeats its calls. Between 2 and 4 billion nothing was measured."""

STOPS_SHORT_BELOW = 30.0
"""Below this a model may end by saying what it does next; a larger one counts as such once it was seen to call."""

# --- what a client may not loosen ---

_STRICTNESS = ("trust", "default", "careful", "strict")


def auto_policy(billions: float | None) -> str:
    """What the policy `"auto"` means for a model of this size."""
    return "careful" if billions is not None and billions < CAREFUL_BELOW else "default"


def is_as_strict(own: Any, wanted: str, billions: float | None) -> bool:
    """Whether a client's policy is no looser than the operator's, for a model of this size."""
    if own == wanted or not isinstance(own, str):  # nothing but itself is as strict as an object
        return bool(own == wanted)
    resolved = [auto_policy(billions) if policy == "auto" else policy for policy in (own, wanted)]
    return _STRICTNESS.index(resolved[1]) >= _STRICTNESS.index(resolved[0])


# --- the table ---

_ROWS = (
    Option(
        "mode", "fallback", get_args(Mode), is_flag=True,
        sentence="Who calls tools. `fallback`: the provider if it can, otherwise this package. "
        "`force`: always this package. `off`: always the provider, unchanged. "
        "The environment variable `TOOLEMU_MODE` sets the default.",
    ),
    Option(
        "flow", "auto", get_args(Flow),
        sentence="`inline`: one request brings calls or the answer. `decision`: one request "
        "decides on a call, a second one answers. `auto`: inline.",
    ),
    Option(
        "tool_support", None, (*get_args(ToolSupport), None), attribute="native_tools",
        sentence="What you know about the model's own tool calling. By default it is detected.",
    ),
    Option(
        "model_size", None, (None,), (_SIZE,), is_flag=True,
        sentence="The model's size in billions of parameters, such as 0.5 or 7. By default it is "
        "taken from the server or the model's name.",
    ),
    Option(
        "contract", "auto", ("auto",), (instance_of("Recipe"), _TABLE),
        sentence="How the model is asked for calls: a `Recipe`, or its fields in a dict. `auto` "
        "depends on the model's size.",
    ),
    Option(
        "policy", "auto", get_args(PolicyName), (_POLICY,), is_flag=True,
        sentence="Which calls are questioned. `trust`: none. `default`: copied calls and values, "
        "placeholders, repeats. `careful`: also values that nobody gave, and no act is done twice. "
        "`strict`: the same, and such calls are not made. `auto`: `careful` below 2 billion "
        "parameters, else `default`.",
    ),
    Option(
        "max_reasks", 2, kinds=(integer(0),),
        sentence="How many corrections a turn may send to the model.",
    ),
    Option(
        "on_failure", "error", get_args(OnFailure),
        sentence="If a demanded call never comes: `error` raises a `ToolChoiceError`, `continue` "
        "returns the reply with a warning.",
    ),
    Option(
        "max_tool_rounds", 50, kinds=(integer(1),), is_flag=True,
        sentence="After so many rounds of calls since the last user message, an emulated turn asks "
        "for the answer without tools. The gateway has no limit of its own.",
    ),
    Option(
        "max_tool_result_chars", None, (None,), (integer(1),),
        sentence="Longer tool results are cut in emulated requests, and the text says by how much.",
    ),
    Option(
        "reasoning", "keep", get_args(Reasoning), attribute="thoughts",
        is_shared=True,
        sentence="What happens to reasoning in the text, such as `<think>...</think>`. `keep`: it "
        "stays. `blocks`: it becomes reasoning blocks in `content_blocks`. `drop`: it is left out, "
        "and a warning says so.",
    ),
)  # fmt: skip

REMOVED: Mapping[str, str] = {
    **{
        name: f"It is a field of the recipe: contract=Recipe({field}=...)."
        for name, field in {
            "dialect": "dialect", "examples": "examples", "constrain": "constraint",
            "system_role": "place", "max_tools_shown": "tools_shown",
            "starts_in_thought": "starts_in_thought",
        }.items()
    },
    "repair_native": "Broken native calls are repaired everywhere but on the vendors' own hosts; "
    "mode='off' leaves them as they are.",
    "send_reasoning": "It is found out from the server; override_tool_support(..., "
    "axis='reasoning') says what you know.",
    "refusal_detector": "Refusals are recognised in twelve languages; mode='force' asks in text.",
    "llm_kwargs": "Bind them to the model: ChatToolEmu(model.bind(...)).",
}  # fmt: skip
"""Options that there are no more, and what takes their place."""

OPTIONS: Mapping[str, Option] = {option.name: option for option in _ROWS}
"""The options by the names that they are passed by."""

FIELDS: Mapping[str, Option] = {option.field: option for option in _ROWS}
"""The options by the attributes that hold them."""

_OPTION = re.compile(rf"\b({'|'.join(OPTIONS)})=(\w+|'\w+')")


def in_own_options(message: str) -> str:
    """A message with its Python options as an operator's file has them: `mode = "off"`."""

    def write(found: re.Match[str]) -> str:
        value = found[2].replace("'", '"').replace("False", "false")
        return f"{found[1]} = {value}"

    return _OPTION.sub(write, message)


# --- settings without their secrets, for whatever shows settings: a log line, a repr, a trace ---
# A value is hidden by its name; of headers every value is. Names that a tool's author chose (a schema's properties, a
# call's arguments) are no settings: a parameter called `password` is described, not given away.

REDACTED = "***"

# What the name of a secret is or ends in, in lower case and without separators.
_SECRET = re.compile(
    r"^token$|(?:headers|(?:api|access|private)key|(?:authorization|access|api|auth|bearer|id|refresh|session)token"
    r"|authorization|secret|password|credentials|cookie)$"
)
_CHOSEN_BY_OTHERS = ("properties", "$defs", "definitions", "args")


def redact(value: Any) -> Any:
    """A copy without readable keys and headers."""
    if type(value) is dict and value.get("type") == "function" and "function" in value:
        # A function's description goes to the model: it is no place for a key, and the longest thing there is.
        return value
    if isinstance(value, list | tuple):
        parts = [redact(part) if isinstance(part, _CONTAINERS) else part for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    if not isinstance(value, Mapping):
        return value
    shown: dict[Any, Any] = {}
    for name, setting in value.items():
        word = str(name)
        if word in _CHOSEN_BY_OTHERS and isinstance(setting, Mapping):
            shown[name] = {chosen: redact(inner) for chosen, inner in setting.items()}
        elif setting is not None and _is_secret(word):
            is_mapping = isinstance(setting, Mapping)
            shown[name] = dict.fromkeys(setting, REDACTED) if is_mapping else REDACTED
        else:
            shown[name] = redact(setting) if isinstance(setting, _CONTAINERS) else setting
    return shown


_CONTAINERS = (dict, list, tuple, Mapping)  # the last takes longest to tell


@lru_cache(maxsize=512)
def _is_secret(name: str) -> bool:
    return bool(_SECRET.search(name.lower().replace("_", "").replace("-", "")))
