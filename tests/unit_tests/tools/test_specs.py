"""Tools of every kind, and every spelling of a tool choice."""

import copy
import pickle
import warnings
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import StructuredTool, Tool, tool
from pydantic import BaseModel, Field
from pydantic.v1 import BaseModel as BaseModelV1

from langchain_toolemu import ToolEmuError, ToolSpecError
from langchain_toolemu.tools import (
    ANY,
    AUTO,
    NONE,
    ToolChoice,
    ToolSet,
    ToolSetCache,
    ToolSpec,
    bindable_choice,
    built_ins,
    choice_among,
    label_of,
    read_choice,
    read_functions,
    read_tools,
    to_openai_choice,
    to_openai_tools,
    tools_on_offer,
    warn_of_bare,
)
from langchain_toolemu.tools.specs import KnownOfData
from tests.tables import every_row


def add_function(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


@tool
def add_tool(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


class AddPydantic(BaseModel):
    """Add two integers."""

    a: int = Field(description="the first")
    b: int


class AddWithDefault(BaseModel):
    """Add two integers."""

    a: int
    b: int = 1


class AddPydanticV1(BaseModelV1):
    """Add two integers."""

    a: int
    b: int


class AddTypedDict(TypedDict):
    """Add two integers."""

    a: Annotated[int, ..., "the first"]
    b: Annotated[int, ..., "the second"]


SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
RUNNABLE = RunnableLambda(lambda x: x["a"] + x["b"]).as_tool(
    name="add_runnable", description="Add two integers.", arg_types={"a": int, "b": int}
)

KINDS = {
    "function": (add_function, "add_function"),
    "base_tool": (add_tool, "add_tool"),
    "pydantic": (AddPydantic, "AddPydantic"),
    "pydantic_v1": (AddPydanticV1, "AddPydanticV1"),
    "typed_dict": (AddTypedDict, "AddTypedDict"),
    "runnable": (RUNNABLE, "add_runnable"),
    "openai_tool": ({"type": "function", "function": {"name": "add", "parameters": SCHEMA}}, "add"),
    "openai_function": ({"name": "add", "description": "Add.", "parameters": SCHEMA}, "add"),
    "json_schema": ({"title": "add", "description": "Add.", **SCHEMA}, "add"),
    "anthropic": ({"name": "add", "description": "Add.", "input_schema": SCHEMA}, "add"),
    "bedrock": (
        {"toolSpec": {"name": "add", "description": "Add.", "inputSchema": {"json": SCHEMA}}},
        "add",
    ),
    "mcp": (
        StructuredTool(name="add_mcp", description="Add.", args_schema=SCHEMA, func=lambda **_: 0),
        "add_mcp",
    ),
    "anthropic_custom": ({"type": "custom", "name": "add", "input_schema": SCHEMA}, "add"),
    "named_schema": ({"type": "object", "name": "add", "parameters": SCHEMA}, "add"),
    "openai_responses": ({"type": "function", "name": "add", "parameters": SCHEMA}, "add"),
}


@every_row("kind", KINDS)
def test_every_kind_of_tool_is_described(kind):
    """Each kind of tool LangChain accepts gives its name and the two arguments, in order."""
    given, name = KINDS[kind]
    (spec,) = read_tools(to_openai_tools([given]))
    assert spec.name == name
    assert list(spec.properties) == ["a", "b"]


def test_a_tool_without_arguments_has_an_empty_schema():
    """A tool dict without parameters is a tool without arguments, not an error."""
    (spec,) = read_tools(to_openai_tools([{"type": "function", "function": {"name": "now"}}]))
    assert (dict(spec.properties), spec.required) == ({}, ())


def test_what_langgraph_injects_by_its_name_is_not_asked_for():
    """A parameter `runtime` without a type is LangGraph's; with one it is the tool's own."""

    def search(query: str, runtime: Any) -> str:
        """Search."""

    def find_film(query: str, runtime: int) -> str:
        """Find a film of this length."""

    injected, own = read_tools(to_openai_tools([search, find_film]))
    assert (list(injected.properties), injected.required) == (["query"], ("query",))
    assert own.required == ("query", "runtime")


@every_row(
    "bad",
    [
        "a string",
        42,
        None,
        {"nothing": 1},
        {"nothing": {}},
        {"type": "nonsense"},
        {"type": "functon", "function": {"name": "add"}},
    ],
)
def test_what_cannot_be_described_is_refused_by_name(bad):
    """A tool nobody can describe is refused with an error that says what to pass."""
    with pytest.raises(ToolSpecError, match="cannot be described.*Pass a BaseTool"):
        to_openai_tools([bad])


@pytest.mark.parametrize(
    "given", [{"type": "function", "function": {"parameters": {}}}, lambda x: x]
)
def test_a_nameless_function_is_refused(given):
    """A function tool without a name is refused, since no call could name it."""
    with pytest.raises(ToolSpecError, match="has no name"):
        to_openai_tools([given])


@pytest.mark.parametrize(
    "parameters", [{"type": "object", "properties": ["city"]}, ["city"], {"properties": "city"}]
)
def test_what_is_no_schema_of_arguments_is_refused(parameters):
    """The error names the tool and shows what a schema looks like, before any request is made."""
    broken = {"type": "function", "function": {"name": "get_weather", "parameters": parameters}}
    with pytest.raises(ToolSpecError, match="'get_weather' has no proper schema.*properties"):
        to_openai_tools([broken])


def test_two_different_tools_of_one_name_are_refused():
    """Two tools of one name could not be told apart."""
    other = {"type": "function", "function": {"name": "add_tool", "parameters": {}}}
    with pytest.raises(ToolSpecError, match="Two different tools are named 'add_tool'"):
        to_openai_tools([add_tool, other])


def test_one_tool_bound_twice_is_one_tool():
    """A class and its own JSON Schema describe one tool, which the contract lists once."""
    described = to_openai_tools([AddPydantic, AddPydantic.model_json_schema()])
    assert len(described) == 2
    assert read_tools(described).names == ("AddPydantic",)


BUILT_INS = [
    ({"type": "web_search_preview"}, "web_search_preview"),
    ({"type": "file_search", "vector_store_ids": ["x"]}, "file_search"),
    ({"type": "custom", "name": "grammar"}, "grammar"),
    ({"type": "custom", "name": "grammar", "format": {"type": "text"}}, "grammar"),
    ({"type": "custom", "custom": {"name": "grammar"}}, "custom"),
    ({"type": "web_search_20250305", "name": "web_search", "max_uses": 3}, "web_search"),
    ({"type": "bash_20250124", "name": "bash"}, "bash"),
    ({"type": "computer_20250124", "name": "computer", "display_width_px": 1024}, "computer"),
    ({"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"}, "str_replace_based_edit_tool"),
    ({"type": "mcp_toolset", "mcp_server_name": "files"}, "mcp_toolset"),
    ({"google_search": {}}, "google_search"),
    ({"googleSearch": {}}, "googleSearch"),
    ({"cachePoint": {"type": "default"}}, "cachePoint"),
]  # fmt: skip


@pytest.mark.parametrize(("built_in", "label"), BUILT_INS, ids=lambda value: str(value)[:60])
def test_a_providers_built_in_passes_until_emulation_is_reached(built_in, label):
    """A provider's built-in tool is described as it is, and refused once it would have to be emulated."""
    assert to_openai_tools([built_in]) == [built_in]
    for read in (read_tools, read_functions):
        with pytest.raises(ToolSpecError, match="cannot be emulated"):
            read([built_in])
    function = {"type": "function", "function": {"name": "now"}}
    assert read_functions([built_in, function]).names == ("now",)
    assert built_ins([built_in, function]) == [built_in]
    assert label_of(built_in) == label
    assert choice_among([built_in, function], label).built_in


def test_a_custom_tool_is_no_function():
    """OpenAI's custom tools take free text, which no call in JSON can carry."""
    custom = Tool(name="lark", description="d", func=str, metadata={"type": "custom_tool"})
    with pytest.raises(ToolSpecError, match="cannot be emulated"):
        read_tools(to_openai_tools([custom]))


CHOICES = [
    (None, AUTO),
    (False, AUTO),
    ("auto", AUTO),
    ({"type": "auto"}, AUTO),
    ({"auto": {}}, AUTO),
    (True, ANY),
    ("any", ANY),
    ("required", ANY),
    ({"type": "any"}, ANY),
    ({"any": {}}, ANY),
    ("none", NONE),
    ({"type": "none"}, NONE),
    ("add", ToolChoice("named", "add")),
    ({"type": "function", "function": {"name": "add"}}, ToolChoice("named", "add")),
    ({"type": "function", "name": "add"}, ToolChoice("named", "add")),
    ({"function": {"name": "add"}}, ToolChoice("named", "add")),
    ({"type": "tool", "name": "add"}, ToolChoice("named", "add")),
    ({"tool": {"name": "add"}}, ToolChoice("named", "add")),
]


@pytest.mark.parametrize(("spelling", "meaning"), CHOICES, ids=lambda value: str(value)[:40])
def test_every_spelling_of_a_choice_is_one_value(spelling, meaning):
    """OpenAI's, Anthropic's, Bedrock's and LangChain's spellings of a tool choice mean the same four things."""
    assert read_choice(spelling, ["add", "sub"]) == meaning


@pytest.mark.parametrize(
    "choice", ["mul", {"type": "function", "function": {"name": "mul"}}, 3, {"x": 1}]
)
def test_a_choice_of_nothing_bound_is_refused(choice):
    """A choice that names no bound tool is an error that lists what can be chosen."""
    with pytest.raises(ToolSpecError, match="tool_choice=.*'auto', 'none'"):
        read_choice(choice, ["add"])


SEARCH = {"type": "web_search"}
ADD = {"type": "function", "function": {"name": "add"}}
SUB = {"type": "function", "function": {"name": "sub"}}
ALLOWED = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "add"}]}
OF_PROVIDERS = [
    ("web_search", ToolChoice("none", "web_search"), [ADD, SUB, SEARCH]),
    (SEARCH, ToolChoice("none", "web_search"), [ADD, SUB, SEARCH]),
    ({"type": "mcp", "server_label": "s", "name": "roll"}, ToolChoice("none", "mcp"), [ADD, SUB, SEARCH]),
    (ALLOWED, AUTO, [ADD]),
    ({**ALLOWED, "mode": "required"}, ANY, [ADD]),
    (
        {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [SUB, SEARCH]}},
        AUTO,
        [SUB, SEARCH],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("choice", "meaning", "offered"), OF_PROVIDERS, ids=lambda value: str(value)[:60]
)
def test_a_choice_that_only_a_provider_can_read_is_handed_on(choice, meaning, offered):
    """A built-in tool may be demanded and the tools on offer listed: a binding keeps that as it came."""
    bound = [ADD, SUB, SEARCH]
    assert (choice_among(bound, choice), tools_on_offer(bound, choice)) == (meaning, offered)
    assert bindable_choice(bound, choice) == choice
    if meaning.built_in:
        with pytest.raises(ToolSpecError, match=f"demands '{meaning.name}'.*cannot be emulated"):
            meaning.check_emulable()


@pytest.mark.parametrize(
    "choice",
    [
        "web_serch",
        "file_search",
        {**ALLOWED, "tools": [{"type": "function", "name": "ad"}]},
        {"type": "allowed_tools", "mode": "auto"},
        {**ALLOWED, "tools": ["add"]},
    ],
    ids=str,
)
def test_a_misspelt_choice_is_refused_beside_built_in_tools(choice):
    """A plain word that names no bound tool, and an allowance of none, are errors as ever."""
    with pytest.raises(ToolSpecError, match="tool_choice="):
        bindable_choice([ADD, SUB, SEARCH], choice)


def test_a_tool_named_like_a_choice_is_the_tool():
    """A bound tool named "any" can be chosen by its name."""
    assert read_choice("any", ["any"]) == ToolChoice("named", "any")


@pytest.mark.parametrize(
    ("choice", "written"),
    [
        (AUTO, None),
        (ANY, "required"),
        (NONE, "none"),
        (ToolChoice("named", "add"), {"type": "function", "function": {"name": "add"}}),
    ],
)
def test_a_choice_is_written_as_chat_openai_writes_it(choice, written):
    """A binding's tool_choice reads back as the same choice."""
    assert to_openai_choice(choice) == written
    assert read_choice(written, ["add"]) == choice


def spec(name: str) -> ToolSpec:
    return ToolSpec(name, "", {})


NAMES = [
    (["get_weather"], "get_weather", "get_weather"),
    (["get_weather"], "Get_Weather", "get_weather"),
    (["get_weather"], "get-weather", "get_weather"),
    (["get_weather"], "getWeather", "get_weather"),
    (["get_weather"], "get weather", "get_weather"),
    (["get_weather"], r"get\_weather", "get_weather"),
    (["get_weather"], "functions.get_weather", "get_weather"),
    (["get_weather"], "default_api:get_weather", "get_weather"),
    (["get_weather"], "tools/get_weather", "get_weather"),
    (["math.factorial"], "math_factorial", "math.factorial"),
    (["math.factorial"], "math.factorial", "math.factorial"),
    (["get_weather", "getWeather"], "getWeather", "getWeather"),
    (["get_weather", "getWeather"], "GetWeather", None),
    (["get_weather"], "get_weather_now", None),
    (["get_weather"], "weather", None),
    (["get_weather"], "", None),
    (["soccer.get_stats"], "get_stats", "soccer.get_stats"),
    (["soccer.get_stats", "tennis.get_stats"], "get_stats", None),
    (["soccer.get_stats"], "soccer", None),
]


@every_row(("bound", "said", "meant"), NAMES)
def test_a_name_is_resolved_when_exactly_one_tool_fits(bound, said, meant):
    """A model's spelling finds its tool, and never a guess between two."""
    found = ToolSet([spec(name) for name in bound]).resolve(said)
    assert (found.name if found else None) == meant


def test_a_namespace_alone_is_taken_where_arguments_can_tell():
    """What is left of a name means its tool if no other has it, and if the arguments show whether it is meant."""
    needy = {"properties": {"team": {}}, "required": ["team"]}
    tools = ToolSet([ToolSpec("soccer.get_stats", "", needy), spec("orders.delete_all")])
    assert tools.resolve("soccer") is tools.exact("soccer.get_stats")
    assert tools.resolve("orders") is None
    two = ToolSet([ToolSpec(f"soccer.{name}", "", needy) for name in ("get_stats", "get_team")])
    assert two.resolve("soccer") is None


def test_tool_errors_are_value_errors_of_ours():
    """A bad tool can be caught as a ValueError or as any error of this package."""
    assert issubclass(ToolSpecError, ValueError)
    assert issubclass(ToolSpecError, ToolEmuError)


def described(name="get_weather", **properties):
    parameters = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def test_equal_tools_are_read_once():
    """A model that is given the same tools again has their compiled schemas; the last sets are kept."""
    toolsets = ToolSetCache()
    first = toolsets.read_functions([described(city={"type": "string"})])
    assert toolsets.read_functions([described(city={"type": "string"})]) is first
    assert toolsets.read_functions([described(city={"type": "integer"})]) is not first
    for number in range(40):
        toolsets.read_functions([described(f"tool_{number}")])
    assert toolsets.read_functions([described(city={"type": "string"})]) is not first


def test_what_is_changed_later_does_not_change_a_set():
    """Whoever changes a tool's dict gets another set, and leaves the first to those who did not."""
    toolsets, tool = ToolSetCache(), described(city={"type": "string"})
    before = toolsets.read_functions([tool])
    tool["function"]["parameters"]["properties"]["day"] = {"type": "string"}
    assert list(toolsets.read_functions([tool]).specs[0].properties) == ["city", "day"]
    assert list(before.specs[0].properties) == ["city"]


def test_a_schema_that_holds_more_than_json_is_read_each_time():
    """Such a schema has no key."""
    toolsets, tool = ToolSetCache(), described(city={"default": object()})
    first = toolsets.read_functions([tool])
    assert toolsets.read_functions([tool]) is not first
    assert first.content is None


def test_a_cache_is_copied_empty():
    """A model with a cache can be copied and pickled."""
    toolsets = ToolSetCache()
    first = toolsets.read_functions([described()])
    assert copy.deepcopy(toolsets).read_functions([described()]) is not first
    assert isinstance(pickle.loads(pickle.dumps(toolsets)), ToolSetCache)


class Trip(BaseModel):
    """Plan a trip."""

    city: str
    nights: int = 1
    hotel: AddWithDefault | None = None


def test_strict_makes_no_argument_required_that_has_a_default():
    """LangChain lists all arguments of a strict tool as required, which OpenAI's decoder wants and nobody else."""
    (trip,) = read_tools(to_openai_tools([Trip], strict=True))
    assert trip.required == ("city",)
    (inner,) = (one for one in trip.properties["hotel"]["anyOf"] if one["type"] == "object")
    assert inner["required"] == ["a"]
    (plain,) = read_tools([{"type": "function", "function": {"name": "f", "parameters": {
        "type": "object", "properties": {"a": {"type": "integer", "default": 1}}, "required": ["a"]}}}])  # fmt: skip
    assert plain.required == ("a",)  # as its author says


BARE = {
    "no description": ({"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}, "'f' has no description, so"),
    "no type": ({"name": "f", "description": "F.", "parameters": {"properties": {"a": {"title": "A"}}}}, "'f' has no type for 'a', so"),
    "neither": ({"name": "f", "parameters": {"properties": {"a": {}}}}, "'f' has no description and no type for 'a'"),
    "both": ({"name": "f", "description": "F.", "parameters": {"properties": {"a": {"enum": [1]}}}}, None),
    "no arguments": ({"name": "f", "description": "F."}, None),
}  # fmt: skip


@pytest.mark.parametrize("case", BARE)
def test_a_tool_that_says_too_little_is_named_once(case):
    """A warning says what is missing; an agent that binds it at every step is not told again."""
    function, expected = BARE[case]
    told = set()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for _ in range(2):
            warn_of_bare([{"type": "function", "function": function}, {"type": "web_search"}], told)
    assert [expected in str(one.message) for one in warned] == ([True] if expected else [])


def test_what_is_made_of_data_is_kept_by_what_the_data_says():
    """Equal data is one key, other types are another; much data is none, and an error is not kept."""
    known, made = KnownOfData(), iter(range(10))
    assert [known.find_or_make([{"a": 1}], lambda: next(made)) for _ in range(2)] == [0, 0]
    assert known.find_or_make([{"a": True}], lambda: next(made)) == 1
    large = ["x" * 2**20]
    assert [known.find_or_make(large, lambda: next(made)) for _ in range(2)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        known.find_or_make([1], lambda: 1 / 0)
    assert known.find_or_make([1], lambda: next(made)) == 4
