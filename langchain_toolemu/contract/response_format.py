"""The form that an answer must have: what a `response_format` demands, and what an answer amounts to in it.

A model without structured output is offered the schema as a tool, and the arguments of its call are the answer. A native
answer is shown from its first letters on, unless they are no JSON, of another kind than the form, or a call. Where the
client checks it by a class, and in JSON mode, where the server knows no schema, it is shown when it is whole and fits.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Call, Text
from langchain_toolemu.tools import ToolSet, read_tools, to_openai_tools, tool_names
from langchain_toolemu.validation import NOTHING, CompiledSchema, fit, read_json
from langchain_toolemu.validation.json_values import JSON_TYPES

FormSuspicion: TypeAlias = Literal["none", "possible", "refusal"]

_PURPOSE = "Gives the final answer, in this form."

_FIRST_KEY = re.compile(r'\s*\{\s*"([^"]*)"\s*:\s*')
_VALUE = re.compile(r'"([^"]*)("?)\s*')
_NEXT_KEY = re.compile(r',\s*"([^"]*)"')
_FENCED = re.compile(r"^```\w*[ \t]*\n(.*?)\n[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
# The keys under which models write the name of a call.
_NAME_KEYS = ("name", "tool", "tool_name", "function", "function_name")


@dataclass(frozen=True)
class ResponseForm:
    """The demanded form of an answer, as a tool that is never run."""

    name: str
    schema: Mapping[str, Any]

    @cached_property
    def field(self) -> str | None:
        """The argument that is the answer, where that is no object: a call only has named arguments."""
        if "object" in self._types:
            return None
        return "items" if self._types == {"array"} else "value"

    @property
    def is_open(self) -> bool:
        """Whether it is any object: then a call has the form, too."""
        return self.schema == {"type": "object"}

    @property
    def may_be_list(self) -> bool:
        """Whether a list can be the answer."""
        return not self._types.isdisjoint({"array", "value"})

    @cached_property
    def _types(self) -> set[str]:
        return _types_of(self.schema)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The schema of the call that is the answer."""
        schema = {key: self.schema[key] for key in self.schema if key != "description"}
        if self.field is None:
            return schema
        shared = {key: schema.pop(key) for key in [*schema] if key in ("$defs", "definitions")}
        wrapped = {"properties": {self.field: schema}, "required": [self.field]}
        return {"type": "object", **wrapped, **shared}

    @cached_property
    def compiled(self) -> CompiledSchema:
        """The same, compiled once."""
        return CompiledSchema(self.parameters)

    @property
    def properties(self) -> Mapping[str, Any]:
        """The schemas of the call's arguments."""
        found = self.parameters.get("properties")
        return found if isinstance(found, Mapping) else {}

    def answer(self, args: Mapping[str, Any]) -> Any:
        """The answer that a call's arguments are."""
        return args.get(self.field, args) if self.field else args

    def tool(self) -> dict[str, Any]:
        """The tool whose call is the answer."""
        description = str(self.schema.get("description") or "")
        described = {"name": self.name, "description": f"{description} {_PURPOSE}".strip()}
        function = {**described, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}

    def response_format(self, *, as_object: bool = False) -> dict[str, Any]:
        """The form as OpenAI's API takes it; an emulated answer is an object always."""
        schema = dict(self.parameters if as_object and self.field else self.schema)
        return {"type": "json_schema", "json_schema": {"name": self.name, "schema": schema}}


def _types_of(root: Mapping[str, Any]) -> set[str]:
    """What an answer may be by its schema, which may only refer to others."""
    left, seen, found = list[Any]([root]), set[int](), set[str]()
    while left:
        if id(schema := left.pop()) not in seen:  # definitions may refer to each other
            seen.add(id(schema))
            types, further = _stated_types(schema, root)
            found |= types
            left += further
    return found or {"object"}


def _stated_types(schema: Any, root: Mapping[str, Any]) -> tuple[set[str], Sequence[Any]]:
    """The types that a schema says itself, else the schemas that say them."""
    if not isinstance(schema, Mapping):
        return {"object"}, ()
    if types := schema.get("type"):
        return set(types if isinstance(types, list) else [types]), ()
    if "properties" in schema:
        return {"object"}, ()
    if not {"enum", "const", "items"}.isdisjoint(schema):
        return {"value"}, ()
    if "$ref" in schema:
        place, _, name = str(schema["$ref"]).rpartition("/")
        definitions = root.get(place.removeprefix("#/"))
        return set(), [definitions.get(name) if isinstance(definitions, Mapping) else None]
    return set(), schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf") or [None]


def read_form(response_format: Any, tools: Sequence[Mapping[str, Any]] = ()) -> ResponseForm | None:
    """The form that a `response_format` demands, under no bound tool's name; `None` if it demands no schema."""
    if response_format is None or is_free(response_format):
        return None
    name, schema = _named_schema(response_format)
    return ResponseForm(name if name not in tool_names(tools) else f"{name}_answer", schema)


def bindable_form(response_format: Any) -> Any:
    """A `response_format` as OpenAI's `bind_tools` takes it: with its name, if LangChain makes no tool of the schema."""
    if not isinstance(response_format, Mapping) or is_free(response_format):
        return response_format
    described = response_format.get("json_schema", response_format)
    inner = described.get("schema") if isinstance(described, Mapping) else None
    if not _is_plain_schema(inner if isinstance(inner, Mapping) else response_format):
        return response_format
    name, schema = _named_schema(response_format)
    return {**(described if inner else {}), "name": name, "schema": schema}


def demands_object(schema: Any) -> bool:
    """Whether a schema, if it is one, describes an object."""
    try:
        form = read_form(schema)
    except ToolSpecError:
        return True
    return form is None or form.field is None


def is_free(response_format: Any) -> bool:
    """Whether a `response_format` demands text or JSON of any form."""
    is_dict = isinstance(response_format, Mapping)
    return is_dict and response_format.get("type") in ("text", "json_object")


_OF_TOOLS = frozenset({"name", "function", "parameters", "input_schema", "toolSpec"})
_OF_SCHEMAS = frozenset({"properties", "items", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"})


def _is_plain_schema(described: Mapping[str, Any]) -> bool:
    """Whether a dict is a JSON schema that LangChain makes no tool of: one of no object, or without a title."""
    titled = described.get("title") and "properties" in described
    if titled or not _OF_TOOLS.isdisjoint(described):
        return False
    kind = described.get("type")
    typed = kind in JSON_TYPES if isinstance(kind, str) else isinstance(kind, list)
    return typed or not _OF_SCHEMAS.isdisjoint(described)


def _named_schema(response_format: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(response_format, Mapping):
        described = response_format.get("json_schema", response_format)
        if isinstance(described, Mapping) and isinstance(described.get("schema"), Mapping):
            schema = described["schema"]
            return str(described.get("name") or schema.get("title") or "answer"), schema
        if _is_plain_schema(response_format):
            return str(response_format.get("title") or "answer"), response_format
    (tool,) = to_openai_tools([response_format])
    function = tool["function"]
    description = {"description": function["description"]} if function.get("description") else {}
    return function["name"], {**description, **function.get("parameters", {})}


# --- answers ---


def answer_in(text: str, form: ResponseForm) -> Any:
    """The answer in its form that a text is or holds: bare, in a fence, in a sentence or as a call; `None` if none fits."""
    for args in _possible_answers(text, form):
        fitted = fit(args, form.compiled)
        if not fitted.errors:
            return form.answer(fitted.args)
    return None


def misfits(text: str, form: ResponseForm) -> tuple[str, ...]:
    """What is wrong with an answer that was shown, in words; nothing if it has its form."""
    if answer_in(text, form) is not None:
        return ()
    whole = read_json(text)
    if whole is NOTHING:
        return ("it is no JSON",)
    if form.field:
        return fit({form.field: whole}, form.compiled).errors
    # A list where the schema allows one is no call's arguments, and is not looked into.
    return fit(whole, form.compiled).errors if isinstance(whole, dict) else ()


def is_json(text: str, answer: Any) -> bool:
    """Whether a text is this answer and nothing else."""
    return bool(read_json(text) == answer)


def bare_value(text: str, form: ResponseForm) -> dict[str, Any] | None:
    """The arguments of the form's call, where the answer is no object or any: a text but for thoughts, or its only fence."""
    if form.field is None and not form.is_open:
        return None
    reader = Reader(ToolSet(), tells_thoughts=True, only_thoughts=True)
    texts = (event for event in reader.read(text) if isinstance(event, Text))
    answer = "".join(event.text for event in texts if event.kind == "answer")
    fences = _FENCED.findall(answer)
    given = read_json(fences[0] if len(fences) == 1 else answer)
    if given is NOTHING or (form.field is None and not isinstance(given, dict)):
        return None
    fitted = fit({form.field: given} if form.field else given, form.compiled)
    return None if fitted.errors else fitted.args


def _possible_answers(text: str, form: ResponseForm) -> Iterator[Mapping[str, Any]]:
    if value := bare_value(text, form):
        yield value
    reader = Reader(read_tools([form.tool()]), forced=form.name)
    calls = [event.args for event in reader.read(text) if isinstance(event, Call)]
    yield from calls if len(calls) == 1 else ()


def suspect_opening(words: str, form: ResponseForm, longest: int) -> FormSuspicion:
    """Whether an answer that opens like this has its form: `"none"`; has not: `"refusal"`; or may still turn out so."""
    start = words.lstrip()[:1]
    if not start:
        return "possible"
    if start != "{":
        return "none" if start == "[" and form.may_be_list else "refusal"
    if form.field:
        return "refusal"
    if len(words) >= longest:
        return "none"
    found = _FIRST_KEY.match(words)
    if found is None:
        return "possible"
    key, rest = found[1], words[found.end() :]
    if key == form.name and key not in form.properties:
        return "refusal"
    return _suspect_value(rest, form) if key in _NAME_KEYS else "none"


def _suspect_value(rest: str, form: ResponseForm) -> FormSuspicion:
    """Whether the form's own name is followed by a key that it does not have, as in a call."""
    if not rest:
        return "possible"
    found = _VALUE.match(rest)
    if found is None or not form.name.startswith(found[1]):
        return "none"
    if not found[2]:
        return "possible"
    after = rest[found.end() :]
    if found[1] != form.name or after.startswith("}"):
        return "none"
    following = _NEXT_KEY.match(after)
    if following is None:
        return "possible"
    return "none" if following[1] in form.properties else "refusal"
