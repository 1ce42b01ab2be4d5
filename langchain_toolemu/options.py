"""Every option of the chat models, in one table, of which checks, cache key, flags, docstrings and docs are made.

To add one: its row here and its field in `chat_models/setup.py`, then `python -m tests.reference`, which writes the
signatures, docstrings and docs. Nothing heavy is imported here: `toolemu --help` reads it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache, partial
from inspect import getclosurevars
from math import inf
from types import FunctionType, MethodType
from typing import Any, Literal, TypeAlias, get_args

Mode: TypeAlias = Literal["off", "fallback", "force"]
DialectName: TypeAlias = Literal["auto", "json", "markdown", "fenced", "tagged"]
Flow: TypeAlias = Literal["auto", "inline", "decision"]
OnFailure: TypeAlias = Literal["error", "continue"]
SystemRole: TypeAlias = Literal["auto", "system", "user"]
ToolSupport: TypeAlias = Literal["native", "none"]
Constrain: TypeAlias = Literal["auto", "schema", "grammar", "quotes", "never"]
Reasoning: TypeAlias = Literal["keep", "blocks", "drop"]
SendReasoning: TypeAlias = Literal["auto", "always", "never"]
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
    changes_request: bool = True  # what the wrapped model is sent, not only what is returned
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


def identity_of(value: Any, seen: dict[int, Any] | None = None) -> Any:
    """What tells an option's values apart in a cache's key; objects are looked into once, and only so many of them."""
    seen = {} if seen is None else seen
    kind: Any = type(value)
    unnamed = kind.__repr__ is object.__repr__ and hasattr(value, "__dict__")
    if unnamed or isinstance(value, _HOLDERS):
        if id(value) in seen or len(seen) >= _MOST_HELD:
            return kind.__qualname__
        seen[id(value)] = value  # an id is only good for as long as its object lives
    held = partial(identity_of, seen=seen)
    match value:
        case FunctionType():
            defaults = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).items()]
            kept = [*defaults, *getclosurevars(value).nonlocals.items()]
            line = value.__code__.co_firstlineno
            return value.__module__, value.__qualname__, line, [*map(held, kept)]
        case MethodType():
            return held(value.__func__), held(value.__self__)
        case partial():
            return held(value.func), [*map(held, value.args)], held(value.keywords)
        case dict():
            return {name: held(item) for name, item in [*value.items()]}
        case list() | tuple():
            return [*map(held, value)]
    named = (kind.__module__, kind.__qualname__, held(vars(value))) if unnamed else value
    return getattr(value, "identity", named)


_HOLDERS = (FunctionType, MethodType, partial, dict, list, tuple)
_MOST_HELD = 100


def option_identities(model: Any) -> dict[str, Any]:
    """All options of a chat model, as its cache key holds them."""
    return {
        name: value if type(value := getattr(model, name)) in _PLAIN else identity_of(value)
        for name in FIELDS
    }


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


def _is_pairs(value: Any) -> bool:
    pairs = value if isinstance(value, list | tuple) else [None]
    return all(
        isinstance(pair, list | tuple) and [isinstance(item, str) for item in pair] == [True, True]
        for pair in pairs
    )


def _is_number(value: Any, kind: Any = int | float) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


BOOL = ValueKind("a bool", lambda value: isinstance(value, bool))
_POLICY = ValueKind(
    "a CallPolicy",
    lambda value: callable(getattr(value, "review", None)) and not isinstance(value, type),
    in_python_only=True,
)
FUNCTION = ValueKind("a function", callable, in_python_only=True)
_PAIRS = ValueKind("a tuple of pairs of texts", _is_pairs)
_DICT = ValueKind("a dict", lambda value: isinstance(value, Mapping))
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

# fmt: off
_ROWS = (
    Option("mode", "fallback", get_args(Mode), is_flag=True, sentence=
           "Who calls tools. `fallback`: the provider if it can, otherwise this package. `force`: always this package. `off`: always the provider, unchanged. The environment variable `TOOLEMU_MODE` sets the default."),
    Option("model_size", None, (None,), (_SIZE,), is_flag=True, sentence=
           "The model's size in billions of parameters, such as 0.5 or 7. By default it is taken from the server or the model's name."),
    Option("tool_support", None, (*get_args(ToolSupport), None), attribute="native_tools", sentence=
           "What you know about the model's own tool calling. By default it is detected."),
    Option("dialect", "auto", get_args(DialectName), (instance_of("Dialect"),), sentence=
           "How the model is asked to write a call. `auto` depends on the model's size."),
    Option("flow", "auto", get_args(Flow), sentence=
           "`inline`: one request brings calls or the answer. `decision`: one request decides on a call, a second one answers. `auto`: inline."),
    Option("examples", "auto", ("auto",), (BOOL, _PAIRS), sentence=
           "Whether the prompt shows examples of calls, made from your tools; or your own pairs of what a user says and the assistant answers. `auto` depends on the model's size."),
    Option("contract", "auto", ("auto",), (instance_of("Recipe"),), sentence=
           "How the instructions for calls are written. `auto` depends on the model's size."),
    Option("constrain", "auto", get_args(Constrain), sentence=
           "What constrains the decoding of emulated replies. `schema`: the schema of a call that must come. `grammar`: a grammar of words and valid calls. `quotes`: the same, with values quoted from the conversation. `auto`: the schema of an answer, and on llama.cpp a grammar where a call must come or the model is very small."),
    Option("system_role", "auto", get_args(SystemRole), sentence=
           "Which message holds the instructions. `auto`: the system message, or the first user message if the model has no system role."),
    Option("policy", "auto", get_args(PolicyName), (_POLICY,), is_flag=True, sentence=
           "Which calls are questioned. `trust`: none. `default`: copied calls and values, placeholders, repeats. `careful`: also values that nobody gave, and no act is done twice. `strict`: the same, and such calls are not made. `auto`: `careful` below 2 billion parameters, else `default`."),
    Option("repair_native", "auto", ("auto",), (BOOL,), sentence=
           "Whether the provider's own calls are repaired, and asked for again where they cannot be. `auto`: everywhere but on the hosts of OpenAI, Anthropic and Gemini."),
    Option("max_reasks", 2, kinds=(integer(0),), sentence=
           "How many corrections a turn may send to the model."),
    Option("on_failure", "error", get_args(OnFailure), changes_request=False, sentence=
           "If a demanded call never comes: `error` raises a `ToolChoiceError`, `continue` returns the reply with a warning."),
    Option("max_tool_rounds", 50, kinds=(integer(1),), is_flag=True, sentence=
           "After so many rounds of calls since the last user message, an emulated turn asks for the answer without tools. The gateway has no limit of its own."),
    Option("max_tool_result_chars", None, (None,), (integer(1),), sentence=
           "Longer tool results are cut in emulated requests, and the text says by how much."),
    Option("max_tools_shown", "auto", ("auto", None), (integer(1),), sentence=
           "How many tools an emulated request describes beyond their names: those that fit the conversation. `None`: all. `auto`: all if they are few, else by the model's size."),
    Option("reasoning", "keep", get_args(Reasoning), attribute="thoughts", changes_request=False, is_shared=True, sentence=
           "What happens to reasoning in the text, such as `<think>...</think>`. `keep`: it stays. `blocks`: it becomes reasoning blocks in `content_blocks`. `drop`: it is left out, and a warning says so."),
    Option("send_reasoning", "auto", get_args(SendReasoning), sentence=
           "Whether the reasoning of past messages is sent again. `auto`: where the server wants it, not where it refuses it, and elsewhere as the wrapped model's client does."),
    Option("starts_in_thought", False, kinds=(BOOL,), changes_request=False, sentence=
           "Whether replies begin inside a thought, because the model's template opens it in the prompt and only `</think>` follows."),
    Option("refusal_detector", None, (None,), (FUNCTION,), sentence=
           "A function that takes the opening of a reply, at most 160 characters, and says whether it denies having tools. By default, refusals in twelve languages are recognised."),
    Option("llm_kwargs", {}, kinds=(_DICT,), sentence=
           "Keyword arguments for every request to the wrapped model."),
)
# fmt: on

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
