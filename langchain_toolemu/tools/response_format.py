"""The form that an answer must have: every spelling of `response_format`, brought to one.

A model without structured output is asked for an answer of some form as it is asked for a call: the schema is
offered as a tool, and the arguments of its call are the answer. So the contract, the reader, validation and
re-asks serve both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.tools.specs import to_openai_tools, tool_names

_PURPOSE = "Gives the final answer, in this form."


@dataclass(frozen=True, slots=True)
class ResponseForm:
    """The demanded form of an answer, as a tool that is never run.

    Attributes:
        name: The schema's name.
        schema: Its JSON schema.
    """

    name: str
    schema: Mapping[str, Any]

    def tool(self) -> dict[str, Any]:
        """The tool whose call is the answer."""
        said = str(self.schema.get("description") or "")
        function = {
            "name": self.name,
            "description": f"{said} {_PURPOSE}".strip(),
            "parameters": {key: self.schema[key] for key in self.schema if key != "description"},
        }
        return {"type": "function", "function": function}

    def response_format(self) -> dict[str, Any]:
        """The form as OpenAI's API takes it."""
        described = {"name": self.name, "schema": dict(self.schema)}
        return {"type": "json_schema", "json_schema": described}


def read_form(response_format: Any, tools: Sequence[Mapping[str, Any]] = ()) -> ResponseForm | None:
    """The form that a `response_format` demands; `None` if it demands no schema.

    Args:
        response_format: OpenAI's dict, or a schema of any kind that can be bound as a tool.
        tools: The bound tools, whose names the form must not take.

    Raises:
        ToolSpecError: A schema that cannot be described.

    Example:
        ```python
        read_form({"type": "json_schema", "json_schema": {"name": "Person", "schema": {...}}})
        ```
    """
    if response_format is None or _is_free(response_format):
        return None
    name, schema = _named_schema(response_format)
    return ResponseForm(name if name not in tool_names(tools) else f"{name}_answer", schema)


def _is_free(response_format: Any) -> bool:
    return isinstance(response_format, Mapping) and response_format.get("type") in (
        "text",
        "json_object",
    )


def _is_nameless_schema(described: Mapping[str, Any]) -> bool:
    """Whether a dict is the JSON schema of an object that has no title to be called by."""
    is_object = described.get("type") == "object" or "properties" in described
    return is_object and not described.get("title")


def _named_schema(response_format: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(response_format, Mapping):
        described = response_format.get("json_schema", response_format)
        if isinstance(described, Mapping) and isinstance(described.get("schema"), Mapping):
            schema = described["schema"]
            return str(described.get("name") or schema.get("title") or "answer"), schema
        if _is_nameless_schema(response_format):
            return "answer", response_format
    (tool,) = to_openai_tools([response_format])
    function = tool["function"]
    said = {"description": function["description"]} if function.get("description") else {}
    return function["name"], {**said, **function["parameters"]}
