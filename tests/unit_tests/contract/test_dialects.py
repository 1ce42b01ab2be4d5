"""How calls and results are written, and that every dialect is read back."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langchain_toolemu.contract.dialects import DIALECTS, Dialect, find_dialect, write_result
from langchain_toolemu.errors import ToolSpecError
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSet, ToolSpec
from tests.thoroughness import examples

MINE = Dialect("mine", opening="[TOOL_CALLS]", closing="", name_key="tool", args_key="args")
TOOLS = ToolSet([ToolSpec("f", "", {"type": "object", "properties": {"x": {}, "y": {}}})])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("dialect", [*DIALECTS.values(), MINE], ids=lambda dialect: dialect.name)
@given(st.lists(st.dictionaries(st.sampled_from(["x", "y"]), VALUES), min_size=1, max_size=3))
@settings(max_examples=examples(60), deadline=None)
def test_what_is_written_is_read_back(dialect, calls):
    """Render then read is the identity, for any arguments, in every dialect and in one of your own."""
    reader = Reader(TOOLS)
    events = reader.feed(dialect.write_all([("f", args) for args in calls])) + reader.close()
    assert [event.args for event in events if isinstance(event, Call)] == calls


def test_dialects_are_found_by_name():
    """A dialect is chosen by name or brought along; an unknown name lists those there are."""
    assert find_dialect("tagged") is DIALECTS["tagged"]
    assert find_dialect(MINE) is MINE
    with pytest.raises(ToolSpecError, match="'json', 'markdown', 'fenced', 'tagged'"):
        find_dialect("xml")


def test_a_call_keeps_its_letters():
    """Calls are written in the user's own script, not in escapes."""
    assert "Zürich" in DIALECTS["json"].write("f", {"x": "Zürich"})
    assert json.loads(DIALECTS["json"].write("f", {"x": "Zürich"})) == {
        "name": "f",
        "arguments": {"x": "Zürich"},
    }


def test_a_result_says_what_it_answers_and_whether_it_failed():
    """The frame of a result names the tool and marks an error."""
    assert write_result("f", "1") == '<tool_response name="f">\n1\n</tool_response>'
    assert write_result("f", "1", failed=True).startswith('<tool_response name="f" status="error">')
