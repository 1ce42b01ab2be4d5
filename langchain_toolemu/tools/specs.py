"""Tools of every kind as one description; one that cannot be used is refused here, by name and with the fix."""

import marshal
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from threading import Lock
from typing import Any, Generic, TypeAlias, TypeVar

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from typing_extensions import override

from langchain_toolemu.errors import ToolSpecError, warn_user
from langchain_toolemu.options import redact
from langchain_toolemu.validation import CompiledSchema, fold_name
from langchain_toolemu.validation.json_values import JSON_TYPES

Kept = TypeVar("Kept")
ToolLike: TypeAlias = Mapping[str, Any] | type | Callable[..., Any] | BaseTool
ToolDict: TypeAlias = dict[str, Any]

_MOST_KEPT = 32
_MOST_KEY_BYTES = 2**18
# It makes equal bytes of equal values; later versions tell apart what is shared.
_MARSHAL_VERSION = 2
_NAMESPACE = re.compile(r"[.:/]+|(?<=[^_])__(?=[^_])")  # MCP's tools are `server__tool`
_NUMBER = re.compile(r":\d+\Z")  # of the call, which Kimi's servers leave at the name


@dataclass(frozen=True)
class ToolSpec:
    """One tool as the contract describes it and the reader looks it up."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    is_deferred: bool = False  # whether it is described only once it may be needed
    # Whether it changes something, or only tells something, if its author says so.
    acts: bool | None = None

    @cached_property
    def schema(self) -> CompiledSchema:
        """The schema of its arguments, compiled once."""
        return CompiledSchema(self.parameters)

    @cached_property
    def properties(self) -> Mapping[str, Any]:
        """The argument schemas by name, in the order the tool declares them."""
        found = self.parameters.get("properties")
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the arguments that must be there."""
        found = self.parameters.get("required")
        return tuple(found) if isinstance(found, Sequence) else ()

    def schema_of(self, name: str) -> Mapping[str, Any]:
        """What its schema says of an argument; nothing if it is not declared, or takes anything."""
        found = self.properties.get(name)
        return found if isinstance(found, Mapping) else {}

    def kinds_of(self, name: str) -> set[str | None]:
        """The JSON types that an argument may have; `None` if its schema does not say."""
        if name not in self.properties:
            return {None}
        return {shape.type for shape in self.schema.shapes(self.properties[name])}


class ToolSet:
    """The bound tools, looked up by the names models write: `functions.Get-Weather` is get_weather."""

    def __init__(self, specs: Sequence[ToolSpec] = ()) -> None:
        self._by_name = {spec.name: spec for spec in specs}
        self.specs = tuple(self._by_name.values())

    def __iter__(self) -> Iterator[ToolSpec]:
        return iter(self.specs)

    def __len__(self) -> int:
        return len(self.specs)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names as bound."""
        return tuple(self._by_name)

    @cached_property
    def content(self) -> bytes | None:
        """The descriptions of all tools, as a key; `None` if a schema holds more than JSON."""
        fields = attrgetter("name", "description", "parameters", "is_deferred", "acts")
        return _content([*map(fields, self.specs)])

    def exact(self, name: str) -> ToolSpec | None:
        """The tool of exactly this name."""
        return self._by_name.get(name)

    def resolve(self, name: str) -> ToolSpec | None:
        """The one tool that a model's spelling can mean, a whole name before one without its namespace; else `None`."""
        return self.resolve_whole(name) or self._by_part.get(fold_name(name))

    def resolve_whole(self, name: str) -> ToolSpec | None:
        """The one tool whose whole name a model has spelt: as it is; case and separators aside; with a namespace in front."""
        if found := self._by_name.get(name) or self._by_folded_name.get(fold_name(name)):
            return found
        # Harmony's channel is left at some names: `read_file<|channel|>commentary`.
        bare = _NAMESPACE.split(_NUMBER.sub("", name.partition("<|")[0].strip()))[-1]
        return self._by_name.get(bare) or self._by_folded_name.get(fold_name(bare))

    @cached_property
    def _by_folded_name(self) -> dict[str, ToolSpec]:
        return _unique((fold_name(spec.name), spec) for spec in self.specs)

    @cached_property
    def _by_part(self) -> dict[str, ToolSpec]:
        """The tools by what small models leave of `soccer.get_stats`: one of its parts, if no other tool has it."""
        return _unique((part, spec) for spec in self.specs for part in _parts(spec))


def _unique(named: Iterable[tuple[str, ToolSpec]]) -> dict[str, ToolSpec]:
    pairs = list(named)
    counts = Counter(name for name, _ in pairs)
    return {name: spec for name, spec in pairs if counts[name] == 1}


def _parts(spec: ToolSpec) -> set[str]:
    """The parts of a name. A namespace alone is one only where required arguments tell whether the tool is meant."""
    *spaces, last = map(fold_name, _NAMESPACE.split(spec.name))
    if not spaces:
        return set()
    return {last, "".join(spaces)} if spec.required else {last}


class RecentlyUsed(Generic[Kept]):
    """The values that were used last, by their keys. Safe to share between threads."""

    def __init__(self) -> None:
        self._values: OrderedDict[Any, Kept] = OrderedDict()
        self._lock = Lock()

    def __reduce__(self) -> tuple[Callable[[], "RecentlyUsed[Any]"], tuple[()]]:
        return type(self), ()  # a copy begins anew: a lock cannot be copied

    def find_or_make(self, key: Any, make: Callable[[], Kept]) -> Kept:
        """The value of a key, made if it is not among the last."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > _MOST_KEPT:
                self._values.popitem(last=False)
        return value


class KnownOfData(RecentlyUsed[Any]):
    """What was made of plain data, by what the data says; much data, or what is not plain, is not kept."""

    @override
    def find_or_make(self, key: list[Any], make: Callable[[], Any]) -> Any:
        """What is made of this data."""
        content = _content(key)
        if content is None or len(content) > _MOST_KEY_BYTES:
            return make()
        return super().find_or_make(content, make)


class ToolSetCache(RecentlyUsed[tuple[list[Any], ToolSet]]):
    """The tool sets that one chat model used last, by what the tools say: an agent binds them at every step."""

    def __init__(self) -> None:
        super().__init__()
        self._last: tuple[Any, list[Any], ToolSet] | None = None

    def read_functions(self, tools: Sequence[Mapping[str, Any]]) -> ToolSet:
        """The functions among tool dicts, as `read_functions` reads them."""
        # A binding hands over one list, again and again. Whether it was changed is told sooner than what it says.
        if (last := self._last) and last[0] is tools and last[1] == tools:
            return last[2]
        content = _content(list(tools))
        if content is None:
            return read_functions(tools)
        copied, toolset = self.find_or_make(content, lambda: _copy_and_read(content))
        self._last = tools, copied, toolset
        return toolset


def _copy_and_read(content: bytes) -> tuple[list[Any], ToolSet]:
    tools = marshal.loads(content)  # noqa: S302 - dumped just now
    return tools, read_functions(tools)


def _content(value: list[Any]) -> bytes | None:
    try:
        return marshal.dumps(value, _MARSHAL_VERSION)
    except ValueError:
        return None


def to_openai_tools(tools: Sequence[ToolLike], *, strict: bool | None = None) -> list[ToolDict]:
    """Describe tools of any kind as OpenAI tool dicts, the form LangGraph's agents look for."""
    described = [_to_openai_tool(tool, strict) for tool in list_tools(tools)]
    by_name: dict[str, Any] = {}
    for tool in described:
        name = function_name(tool)
        first = by_name.setdefault(name, tool) if name else tool
        if first is tool:
            continue
        if _without_titles(first) != _without_titles(tool):
            text = f"Two different tools are named {name!r}. Rename one: a call could not be told apart."
            raise ToolSpecError(text, code="same_name")
        warn_user(f"The tool {name!r} is bound twice. Leave one out, or rename it.", "same_name")
    return described


def list_tools(tools: Any) -> list[Any]:
    """The tools of any iterable; an error for one tool alone, since a tool dict and a `BaseTool` are iterable themselves."""
    is_one = callable(tools) or isinstance(tools, Mapping | str | BaseTool)
    if is_one or not isinstance(tools, Iterable):
        # Of an object only what it is called is shown: it may hold a key.
        name = getattr(tools, "name", None) or getattr(tools, "__name__", None)
        kind = f"{name} alone" if isinstance(name, str) else f"a {type(tools).__name__}"
        text = f"`tools` must be a list of tools, such as bind_tools([get_weather]), not {kind}."
        raise ToolSpecError(text, code="bad_tool")
    return list(tools)


def _without_titles(schema: Any) -> Any:
    """A schema without its titles, in which two descriptions of one pydantic class differ."""
    if isinstance(schema, Mapping):
        kept = [key for key in schema if key != "title" or not isinstance(schema[key], str)]
        return {key: _without_titles(schema[key]) for key in kept}
    return [_without_titles(item) for item in schema] if isinstance(schema, list) else schema


def tool_names(tools: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of those tools that have one; a provider's built-in may have none."""
    return [name for tool in tools if (name := function_name(tool)) is not None]


def _to_openai_tool(tool: ToolLike, strict: bool | None) -> dict[str, Any]:
    if isinstance(tool, Mapping) and is_built_in(tool):
        return dict(tool)
    try:
        described = convert_to_openai_tool(tool, strict=strict)
    except Exception as error:
        # LangChain quotes a dict that is no tool, headers and all.
        words = str(error).replace(str(tool), str(redact(tool)))
        raise ToolSpecError(
            f"The tool {_label(tool)} cannot be described: {' '.join(words.split())} "
            "Pass a BaseTool, a function with type hints and a docstring, a pydantic class, "
            "a TypedDict or an OpenAI tool dict.",
            code="bad_tool",
        ) from error
    if described.get("type") == "function" and function_name(described) in (None, "<lambda>"):
        how = "Write it with `def`." if callable(tool) else "Give its function a `name`."
        raise ToolSpecError(f"The tool {_label(tool)} has no name. {how}", code="bad_tool")
    _check_parameters(described)
    return {**described, **_marks(tool)}


def _marks(tool: ToolLike) -> dict[str, bool]:
    """What is kept in a tool's dict for ourselves, and never sent: its author's word on when to describe it, and what it does."""
    given: Any = tool
    is_dict = isinstance(tool, Mapping)
    extras = given if is_dict else getattr(tool, "extras", None) or {}
    metadata = given if is_dict else getattr(tool, "metadata", None)
    acts = _acts(metadata) if isinstance(metadata, Mapping) else None
    deferred = {_DEFERRED: True} if extras.get(_DEFERRED) is True else {}
    return deferred if acts is None else {**deferred, ACTS: acts}


def _acts(metadata: Mapping[str, Any]) -> bool | None:
    """Whether a tool changes something: the user's mark, else MCP's hints, of which only a plain yes says anything."""
    mark = metadata.get(ACTS)
    if isinstance(mark, bool):
        return mark
    if metadata.get("destructiveHint") is True:
        return True
    return False if metadata.get("readOnlyHint") is True else None


def warn_of_bare(tools: Sequence[Mapping[str, Any]], warned: set[str]) -> None:
    """Warn of functions that say too little of themselves for a model to call them well, unless it is among those already `warned` of."""
    for tool in tools:
        function, name = tool.get("function"), function_name(tool)
        if not isinstance(function, Mapping) or name is None or name in warned:
            continue
        properties = (function.get("parameters") or {}).get("properties", {})
        schemas = properties.items() if isinstance(properties, Mapping) else ()
        objects = ((key, schema) for key, schema in schemas if isinstance(schema, Mapping))
        untyped = [repr(key) for key, schema in objects if set(schema) <= _TYPELESS]
        lacks = [] if function.get("description") else ["no description"]
        lacks += [f"no type for {', '.join(untyped)}"] if untyped else []
        if lacks:
            warned.add(name)
            text = f"The tool {name!r} has {' and '.join(lacks)}, so a model has to guess when and how to call it."
            warn_user(f"{text} Write a docstring and type hints.", "bare_tool")


_TYPELESS = frozenset({"title", "default", "description"})


def _check_parameters(tool: Mapping[str, Any]) -> None:
    """Refuse parameters that are no schema of an object; the schemas of the arguments are not checked."""
    function = tool.get("function", tool)
    parameters = function.get("parameters") if isinstance(function, Mapping) else None
    if parameters is None:
        return
    properties = parameters.get("properties", {}) if isinstance(parameters, Mapping) else None
    if not isinstance(properties, Mapping):
        raise ToolSpecError(
            f"The tool {_label(tool)} has no proper schema: `parameters` must be an object whose `properties` are an "
            'object, too, such as {"type": "object", "properties": {"city": {"type": "string"}}}.',
            code="bad_tool",
        )


def function_name(tool: Mapping[str, Any]) -> str | None:
    """The name of the function that a tool dict describes, if it has one."""
    function = tool.get("function")
    name = function.get("name") if isinstance(function, Mapping) else tool.get("name")
    return name if isinstance(name, str) and name else None


def _label(tool: ToolLike) -> str:
    if isinstance(tool, Mapping):
        return repr(function_name(tool) or tool.get("title") or tool.get("type") or redact(tool))
    return repr(getattr(tool, "name", None) or getattr(tool, "__name__", None) or tool)


def read_tools(tools: Sequence[Mapping[str, Any]]) -> ToolSet:
    """The tool set of OpenAI tool dicts; a provider's built-in, which no text can emulate, is refused."""
    return ToolSet([_read_tool(tool) for tool in tools])


def read_functions(tools: Sequence[Mapping[str, Any]]) -> ToolSet:
    """The functions among OpenAI tool dicts: what a provider has built in is left out, unless there is nothing else."""
    built_in = built_ins(tools)
    functions = [tool for tool in tools if tool not in built_in]
    return read_tools(functions or tools)


def built_ins(tools: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The tools that are built into their provider, such as `{"type": "web_search"}`."""
    return [tool for tool in tools if tool.get("type") != "function"]


def label_of(tool: Mapping[str, Any]) -> str:
    """What a tool is called: its name, or its type if it has none, or the one key that tells it."""
    return str(function_name(tool) or tool.get("type") or only_key(tool))


def _read_tool(tool: Mapping[str, Any]) -> ToolSpec:
    # OpenAI's Responses API writes a function tool flat, without the inner "function".
    function = tool.get("function", tool)
    if tool.get("type") != "function" or not isinstance(function, Mapping):
        raise ToolSpecError(
            f"The tool {_label(tool)} is built into its provider and cannot be emulated in text. "
            "Use mode='off' with a provider that has it, or bind a function tool instead.",
            code="built_in_tool",
        )
    name = function_name(tool)
    if name is None:
        text = f"The tool {redact(tool)!r} has no name. Give its function a `name`."
        raise ToolSpecError(text, code="bad_tool")
    description = str(function.get("description") or "")
    parameters = _without_injected(function.get("parameters") or _NO_PARAMETERS)
    if function.get("strict") is True:
        parameters = _with_defaults_optional(parameters)
    deferred, acts = tool.get(_DEFERRED) is True, _acts(tool)
    return ToolSpec(name, description, parameters, is_deferred=deferred, acts=acts)


def _without_injected(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Parameters without `runtime` if it has no type: LangGraph injects it by its name, and no model can write it."""
    properties, required = parameters.get("properties"), parameters.get("required")
    schema = properties.get(_INJECTED) if isinstance(properties, Mapping) else None
    if not isinstance(schema, Mapping) or schema.keys() - {"title", "description"}:
        return parameters
    rest = {name: schema for name, schema in parameters["properties"].items() if name != _INJECTED}
    needed = [name for name in required or () if name != _INJECTED]
    return {**parameters, "properties": rest, "required": needed}


def _with_defaults_optional(schema: Any) -> Any:
    """A strict tool's schema as its author meant it: for OpenAI's decoder everything is listed as required, defaults too."""
    if isinstance(schema, list):
        return [*map(_with_defaults_optional, schema)]
    if not isinstance(schema, Mapping):
        return schema
    # A default, an enumeration and the like hold values, not schemas.
    inner = {key: value for key, value in schema.items() if key not in _VALUE_KEYS}
    kept = {**schema, **{key: _with_defaults_optional(value) for key, value in inner.items()}}
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, Mapping) and isinstance(required, list):
        kept["required"] = [name for name in required if not _has_default(properties.get(name))]
    return kept


def _has_default(schema: Any) -> bool:
    return isinstance(schema, Mapping) and "default" in schema


_VALUE_KEYS = frozenset({"default", "enum", "const", "examples"})
_NO_PARAMETERS = {"type": "object", "properties": {}}
_INJECTED = "runtime"
_DEFERRED = "defer_loading"  # in a tool's extras; in its dict as OpenAI and Anthropic have it
ACTS = "acts"
"""In a tool's metadata, or in its dict: whether it changes something."""

# --- which tool dicts are a provider's own: its web search, its shell, a mark for its cache ---
# LangChain makes a function of any dict with a `name`, and refuses those of Google and Bedrock that have neither name nor
# type. Nobody but their provider can run them, so they are described as they came.

# A dict with one of these says what arguments it takes: a function, whatever its type is called.
_OF_FUNCTIONS = frozenset(
    {"function", "parameters", "input_schema", "toolSpec", "properties", "schema", "json_schema"}
)

# Types of tools that need no name; those that LangChain knows as OpenAI's are not among them. Anthropic's end in a date.
_NAMELESS = re.compile(r".+_20\d{6}|custom|mcp_toolset|(?:local_)?shell|(?:browser|x)_search")
# Many tools under one type, whose names only their provider knows: Anthropic's toolsets, but for
# those of MCP, which it calls itself, and Gemini's computer use.
_TOOLSET = re.compile(r"(?!mcp_)\w*toolset\w*")
_COMPUTER = "computeruse"
# The one key of Google's and Bedrock's dicts, which has a dict of settings; Google writes it in snake or in camel case.
_ONLY_KEYS = frozenset({
    "cachepoint", "codeexecution", "computeruse", "enterprisewebsearch", "filesearch", "googlemaps",
    "googlesearch", "googlesearchretrieval", "retrieval", "systemtool", "urlcontext",
})  # fmt: skip


def is_built_in(tool: Any) -> bool:
    """Whether a dict is a tool that only its provider can run, in a form that LangChain takes for another or for none."""
    if not isinstance(tool, Mapping):
        return False
    if key := only_key(tool):
        return key.replace("_", "").casefold() in _ONLY_KEYS
    kind = tool.get("type")
    is_function = kind in ("function", *JSON_TYPES) or not _OF_FUNCTIONS.isdisjoint(tool)
    if is_function or not isinstance(kind, str):
        return False
    return isinstance(tool.get("name"), str) or bool(_NAMELESS.fullmatch(kind))


def may_call(tool: Mapping[str, Any], name: str) -> bool:
    """Whether a provider's own tool may be called by a name: one in its dict, or any of a set."""
    key = (only_key(tool) or "").replace("_", "").casefold()
    is_many = key == _COMPUTER or _TOOLSET.fullmatch(str(tool.get("type")))
    return bool(is_many) or name == tool.get("type") or name in _names_in(tool)


def _names_in(part: Any) -> Iterator[str]:
    """Every name that stands in a dict: OpenAI's namespaces and custom tools have theirs deeper."""
    for inner in part if isinstance(part, list) else ():
        yield from _names_in(inner)
    for key, inner in part.items() if isinstance(part, Mapping) else ():
        if key == "name" and isinstance(inner, str):
            yield inner
        yield from _names_in(inner)


def only_key(tool: Mapping[str, Any]) -> str | None:
    """The key of a dict that has but one, with settings under it."""
    match list(tool.items()):
        case [(str(key), Mapping())]:
            return key
    return None
