import json

import pytest

from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.tables import every_row
from tests.unit_tests.reader.reading import said


@every_row(
    ("text", "expected"),
    [
        (
            '{"name": "search", "arguments": {"query": "x", "tags": ["a", {"b": 1}}',
            [("search", "unreadable")],
        ),
        (
            '{"name": "search", "arguments": {"query": "x", "tags": [["a"], [["b"]]}',
            [("search", "unreadable")],
        ),
        (
            '{"name": "search", "arguments": {"query": {"a": [{"limit": 1}]}}',
            [("search", "unreadable")],
        ),
        ('{"name": "search", "arguments": {"query": "x", "mood": 1}', [("search", "unreadable")]),
        (
            '{"name": "search", "arguments": {"query": "x", "tags": [["a"], ["b"]]}',
            [("search", {"query": "x", "tags": [["a"], ["b"]]})],
        ),
        (
            '{"name": "search", "arguments": {"query": {"deep": {"er": 1}}}',
            [("search", {"query": {"deep": {"er": 1}}})],
        ),
        ('[{"name": "now"}, {"x": {"y": 1]', [("now", "unreadable")]),
        (
            '<tool_call>{"name": "nope", "arguments": {"x": [1}}</tool_call>',
            [("nope", "unknown_tool")],
        ),
    ],
)
def test_a_missing_bracket_is_mended_only_if_it_does_not_matter_which(text, expected):
    """Where a value may have slid into its neighbour, the call is refused."""
    assert said(text) == expected


@pytest.mark.parametrize("key", ["arguments", "parameters", "args", "params", "input", "name"])
def test_a_parameter_may_be_called_as_the_arguments_are(key):
    """Arguments are never nested in the one of them that has the name of their place."""
    text = {"type": "string"}
    schema = {"properties": {"command": text, key: text}, "required": ["command"]}
    tools = ToolSet([ToolSpec("run", "", {"type": "object", **schema})])
    for args in ({"command": "ls", key: "x"}, {key: "x", "command": "ls"}, {"command": "ls"}):
        written = json.dumps(args)
        elements = "".join(f"<{name}>{value}</{name}>" for name, value in args.items())
        for reply in (
            f'{{"name": "run", "arguments": {written}}}',
            f'{{"tool": "run", "parameters": {written}}}',
            f'{{"name": "run", "input": {json.dumps(written)}}}',
            json.dumps({"tool": "run", **args}),
            f"<tool_call><name>run</name><arguments>{written}</arguments></tool_call>",
            f"<tool_use><name>run</name><parameters>{elements}</parameters></tool_use>",
            f"<run>{elements}</run>",
            f"Action: run\nAction Input: {written}",
        ):
            assert said(reply, tools=tools) == [("run", args)], reply


@pytest.mark.parametrize("described", [{"type": "object"}, {"description": "Any data."}])
def test_an_echoed_schema_is_no_call_whatever_its_tool_takes(described):
    """A description of an argument that may be an object is not its value; a value in the schema's place is."""
    properties = {"data": described, "limit": {"type": "integer"}}
    schema = {"type": "object", "properties": properties, "required": ["data"]}
    tools = ToolSet([ToolSpec("train", "", schema)])
    call = {"name": "train", "description": "Trains.", "parameters": schema}
    assert not any(isinstance(part[1], dict) for part in said(json.dumps(call), tools=tools))
    values = {"type": "object", "properties": {"data": {"x": 1}, "limit": 2}}
    call = {"name": "train", "arguments": values}
    assert said(json.dumps(call), tools=tools) == [("train", values["properties"])]
