"""The form that an answer must have: every spelling of `response_format`, brought to one.

A model without structured output is asked for an answer of some form as it is asked for a call: the schema is
offered as a tool, and the arguments of its call are the answer. So the contract, the reader, validation and
re-asks serve both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.tools.specs import JSON_TYPES, to_openai_tools, tool_names
from langchain_toolemu.validation import CompiledSchema

_DEEPEST = 20
_PURPOSE = "Gives the final answer, in this form."


@dataclass(frozen=True)
class ResponseForm:
    """The demanded form of an answer, as a tool that is never run.

    Attributes:
        name: The schema's name.
        schema: Its JSON schema.
    """

    name: str
    schema: Mapping[str, Any]

    @cached_property
    def field(self) -> str | None:
        """The argument that is the answer, where that is no object: a call only has named arguments."""
        if "object" in self._types:
            return None
        return "items" if self._types == {"array"} else "value"

    @property
    def may_be_list(self) -> bool:
        """Whether a list can be the answer."""
        return not self._types.isdisjoint({"array", "value"})

    @cached_property
    def _types(self) -> set[str]:
        return _types_of(self.schema, self.schema)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The schema of the call that is the answer."""
        said = {key: self.schema[key] for key in self.schema if key != "description"}
        if self.field is None:
            return said
        shared = {key: said.pop(key) for key in [*said] if key in ("$defs", "definitions")}
        wrapped = {"properties": {self.field: said}, "required": [self.field]}
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
        said = str(self.schema.get("description") or "")
        function = {
            "name": self.name,
            "description": f"{said} {_PURPOSE}".strip(),
            "parameters": dict(self.parameters),
        }
        return {"type": "function", "function": function}

    def response_format(self) -> dict[str, Any]:
        """The form as OpenAI's API takes it."""
        return self._described(dict(self.schema))

    def constraint(self) -> dict[str, Any]:
        """The same for an emulated answer, which is an object always."""
        return self._described(dict(self.parameters if self.field else self.schema))

    def _described(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {"type": "json_schema", "json_schema": {"name": self.name, "schema": schema}}


def _types_of(schema: Any, root: Mapping[str, Any], depth: int = 0) -> set[str]:
    """What an answer may be by its schema, which may only refer to others."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return {"object"}
    if types := schema.get("type"):
        return set(types if isinstance(types, list) else [types])
    if "properties" in schema:
        return {"object"}
    if not {"enum", "const", "items"}.isdisjoint(schema):
        return {"value"}
    if "$ref" in schema:
        return _types_of(_referred(schema["$ref"], root), root, depth + 1)
    choices = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    found = [_types_of(one, root, depth + 1) for one in choices or [None]]
    return set[str]().union(*found)


def _referred(pointer: Any, root: Mapping[str, Any]) -> Any:
    """What a reference to a definition means; `None` if it is not there."""
    place, _, name = str(pointer).rpartition("/")
    definitions = root.get(place.removeprefix("#/"))
    return definitions.get(name) if isinstance(definitions, Mapping) else None


def read_form(response_format: Any, tools: Sequence[Mapping[str, Any]] = ()) -> ResponseForm | None:
    """The form that a `response_format` demands; `None` if it demands no schema.

    Args:
        response_format: OpenAI's dict, or a schema of any kind that can be bound as a tool.
        tools: The bound tools, whose names the form must not take.

    Raises:
        ToolSpecError: A schema that cannot be described.
    """
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
    if not _OF_TOOLS.isdisjoint(described):
        return False
    if described.get("title") and "properties" in described:
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
    said = {"description": function["description"]} if function.get("description") else {}
    return function["name"], {**said, **function.get("parameters", {})}
