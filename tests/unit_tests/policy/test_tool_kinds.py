"""What a tool does: by its author's mark, MCP's hints, its name, or its description."""

import pytest
from langchain_core.tools import StructuredTool

from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.tools import ToolSpec, read_tools, to_openai_tools
from tests.tables import every_row

SCHEMA = {"type": "object", "properties": {"minutes": {"type": "integer"}}, "required": ["minutes"]}


def flowers(minutes: int) -> str:
    """The flowers of the garden."""
    return f"{minutes} minutes"


def langchain_tool(metadata, name="flowers"):
    return StructuredTool.from_function(flowers, name=name, metadata=metadata)


def dict_tool(marks, name="flowers"):
    function = {"name": name, "description": "The flowers.", "parameters": SCHEMA}
    return {"type": "function", "function": function, **marks}


MARKS = [
    # the mark, and what it makes of a noun, of send_mail, get_mail and run_mail
    ({"acts": True}, ["acts", "acts", "acts", "acts"]),
    ({"acts": False}, ["tells", "repeatable", "tells", "tells"]),
    ({"acts": None}, ["repeatable", "acts", "tells", "repeatable"]),
    ({"acts": "yes"}, ["repeatable", "acts", "tells", "repeatable"]),
    ({}, ["repeatable", "acts", "tells", "repeatable"]),
    ({"destructiveHint": True}, ["acts", "acts", "acts", "acts"]),
    ({"destructiveHint": False}, ["repeatable", "acts", "tells", "repeatable"]),
    ({"readOnlyHint": True}, ["tells", "repeatable", "tells", "tells"]),
    ({"readOnlyHint": False}, ["repeatable", "acts", "tells", "repeatable"]),
    ({"readOnlyHint": "true"}, ["repeatable", "acts", "tells", "repeatable"]),
    ({"acts": True, "readOnlyHint": True}, ["acts", "acts", "acts", "acts"]),
    ({"acts": False, "destructiveHint": True}, ["tells", "repeatable", "tells", "tells"]),
    ({"idempotentHint": True, "title": "Send"}, ["repeatable", "acts", "tells", "repeatable"]),
]


@pytest.mark.parametrize(("marks", "kinds"), MARKS, ids=[str(row[0]) for row in MARKS])
@pytest.mark.parametrize("form", [langchain_tool, dict_tool])
def test_a_mark_comes_before_hints_and_these_before_the_name(marks, kinds, form):
    """In a LangChain tool's metadata as in a dict; only a plain yes or no says something."""
    names = ["flowers", "send_mail", "get_mail", "run_mail"]
    tools = [read_tools(to_openai_tools([form(marks, name)])).specs[0] for name in names]
    assert [kind_of(tool) for tool in tools] == kinds


NAMES = {
    "acts": """
        pay send_email sendEmail SendEmail send-email gmail_send_email payments.refund file_write
        HassAddItem book_flight order_pizza delete_file update_status
    """,
    "tells": """
        search get_weather getWeather weather_get find_order list_payments check_balance
        file_read find_and_delete HassListAddItem weather what_is_open
    """,
    "repeatable": "run_tests press_key undo undo_transfer next_page sleep_timer flowers nuke_cache",
}


@every_row(("name", "kind"), [(name, kind) for kind, row in NAMES.items() for name in row.split()])
def test_the_first_known_verb_of_the_name_decides(name, kind):
    """In any spelling, wherever in the name it stands; what has none may be repeated."""
    assert kind_of(ToolSpec(name, "", {})) == kind
    if name not in ("flowers", "nuke_cache"):
        assert kind_of(ToolSpec(name, "Send, get and run everything.", {})) == kind


DESCRIPTIONS = [
    ("Water the flowers.", "repeatable"),
    ("Send flowers.", "acts"),
    ("  Sends flowers.", "acts"),
    ("Deletes flowers.", "acts"),
    ("Get the flowers.", "tells"),
    ("Lists flowers.", "tells"),
    ("Run a flower.", "repeatable"),
    ("The flowers to send.", "repeatable"),
    ("", "repeatable"),
    ("Verschickt Blumen.", "repeatable"),
    ("\u652f\u4ed8", "repeatable"),
]


@every_row(("description", "kind"), DESCRIPTIONS)
def test_without_a_verb_in_the_name_the_description_s_first_word_decides(description, kind):
    """With or without an ending; what is unknown may be repeated."""
    assert kind_of(ToolSpec("flowers", description, {})) == kind


def test_a_tool_whose_metadata_is_no_mapping_can_be_bound():
    """Whatever else an object calls its metadata."""
    tool = langchain_tool({})
    object.__setattr__(tool, "metadata", "v1")
    assert "acts" not in to_openai_tools([tool])[0]
