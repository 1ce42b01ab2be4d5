import pytest

from tests.unit_tests.reader.reading import said


@pytest.mark.parametrize(
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
