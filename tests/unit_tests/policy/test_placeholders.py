"""Which values only say where a value should come from."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation, NotPlaceholder
from langchain_toolemu.policy.checks import resolve_policy
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row

FINAL = [
    "<the id>", "<ID>", "{id}",
    "<order_id>", "<result of find_order>", "{{order_id}}", "{order_id}", "[order id]", "$order_id", "${result}",
    "result of find_order", "the result of the first call", "previous result", "the previous output", "ORDER_ID",
    "ORDER_ID_FROM_ABOVE", "the order id from the previous step", "example result", "your_order_id", "insert_id_here",
    "<path/to/order>", "<customer>", "<unknown>", "{{total}}",
]  # fmt: skip
ASKED = [
    "...",
    "\u2026",
    "TBD",
    "tbd",
    "N/A",
    "TODO",
    "the result",
    "First call with Bob",
    "Last Call",
]
VALUES = [
    "A-7731", "Paris", "The result is fine.", "The result of adding 120 and 30 is 150.", "the first call was missed", "<b>bold</b> text", "</b>", "max_size", "WRONG_SIZE", "OK", "insert_row",
    "I will be late, see you at the result party", '{"a": 1, "b": 2}', "[1, 2, 3] are numbers", "$5 off", "resultant", 3,
    None, True, "", "first of May", "Total", "actual_cost", "x" * 300,
]  # fmt: skip


def review(value, argument="order_id", said="Cancel it.", schema=None, **facts):
    tool = ToolSpec("cancel", "", {"properties": {argument: schema or {"type": "string"}}})
    context = CallContext(tool, [tool], Conversation([HumanMessage(said)]), **facts)
    return NotPlaceholder().review(Call("cancel", {argument: value}, "", "json", False), context)


@every_row("value", FINAL)
def test_a_placeholder_is_final(value):
    """Nobody means it, so it is asked about and never made."""
    found = review(value)
    assert (found.outcome, found.final, found.code) == ("ask", True, "placeholder")


@every_row("value", ASKED)
def test_some_words_may_be_meant(value):
    """People write them, too, so the model may insist."""
    assert (review(value).outcome, review(value).final) == ("ask", False)


@every_row("value", VALUES)
def test_a_value_is_not_a_placeholder(value):
    """Words, code, prices and constants are values."""
    assert review(value).outcome == "accept"


@every_row(
    ("argument", "value", "expected"),
    [
        ("role", "ROLE_EDITOR", "accept"),
        ("priority", "PRIORITY_HIGH", "accept"),
        ("room", "ROOM_A", "accept"),
        ("room", "ROOM_NAME", "ask"),
        ("role", "YOUR_ROLE", "ask"),
    ],
)
def test_a_name_in_capitals_that_says_more_is_a_value(argument, value, expected):
    """Many interfaces name their values after the argument."""
    assert review(value, argument).outcome == expected


@pytest.mark.parametrize("argument", ["text", "file_content", "query", "message"])
def test_in_a_text_of_its_own_the_model_may_insist(argument):
    """A page may begin with a tag."""
    assert (review("<html>", argument).outcome, review("<html>", argument).final) == ("ask", False)


@pytest.mark.parametrize("value", ["<order_id>", "ORDER_ID", "N/A", "..."])
@pytest.mark.parametrize("word", ["enum", "examples"])
def test_what_the_schema_offers_is_a_value(value, word):
    """Whatever it looks like; so is a constant and a default, at any depth."""
    assert review(value, schema={"type": "string", word: [value, "x"]}).outcome == "accept"
    assert review(value, schema={"anyOf": [{"const": value}]}).outcome == "accept"
    assert review(value, schema={"type": "string", "default": value}).outcome == "accept"


@pytest.mark.parametrize("value", ["<order_id>", "$order_id", "TBD", "N/A"])
def test_what_was_said_is_a_value(value):
    """Whoever says it wants it."""
    assert review(value, said=f"Replace it by {value}, please.").outcome == "accept"


def test_what_only_the_model_wrote_stays_a_placeholder():
    """It does not become a value by an earlier call with it."""
    tool = ToolSpec("ping", "", {"properties": {"server": {"type": "string"}}})
    made = {"name": "ping", "args": {"server": "the result"}, "id": "1"}
    talk = [
        HumanMessage("Which one is down?"),
        AIMessage("", tool_calls=[made]),
        ToolMessage("Error: unknown server", tool_call_id="1"),
    ]
    again = Call("ping", made["args"], "", "json", False)
    found = NotPlaceholder().review(again, CallContext(tool, [tool], Conversation(talk)))
    assert (found.outcome, found.code) == ("ask", "placeholder")


def test_in_the_answer_what_may_be_meant_is_a_value():
    """An extraction writes N/A where a document says nothing; a placeholder is none."""
    assert review("N/A", is_answer=True).outcome == "accept"
    assert review("<order_id>", is_answer=True).final


def test_a_placeholder_deep_in_a_value_is_found():
    """In lists and objects."""
    schema = {"type": "object"}
    assert review({"orders": [{"id": "<order_id>"}]}, schema=schema).outcome == "ask"


@pytest.mark.parametrize(
    ("argument", "key", "final"), [("files", "content", False), ("request", "order_id", True)]
)
def test_inside_an_object_its_own_key_says_what_a_value_is(argument, key, final):
    """A template is a text wherever it is, and an id is none because it is part of a request."""
    found = review([{key: "{{order_id}}"}], argument, schema={"type": "array"})
    assert (found.outcome, found.final) == ("ask", final)


@every_row("value", ["13:25+40", "3 * 23.15", "1+1+1"])
def test_a_calculation_is_asked_about(value):
    """The model is told to work it out; no look-up could."""
    found = review(value, "new_start", is_small=True)
    assert (found.code, found.final, found.offers) == ("placeholder", False, ())
    assert "Work it out" in found.correction
    assert review(value, "formula").outcome == "accept"


@every_row("value", ["2026-03-14", "+49 170 1234567", "3/4", "a+b@mail.com", "C++17", "1-800-555"])
def test_a_date_or_a_number_with_marks_is_no_calculation(value):
    """So it is a value."""
    assert review(value, "new_start").outcome == "accept"


GAPS = ["Your code is [insert code here].", "Dear [Your Manager], I am ill.", "Hi <enter name>!"]
NO_GAPS = ["SELECT [name] FROM [your_table]", "rows[your] = 1", "See [1] and [the manual]."]


@pytest.mark.parametrize("text", GAPS)
def test_a_gap_in_a_text_is_asked_about(text):
    """A mail that leaves a gap for somebody else is not sent at once; the model may insist."""
    found = review(text, "message")
    assert (found.outcome, found.final, found.code) == ("ask", False, "placeholder")
    assert review(text, "message", said=f"Write: {text}").outcome == "accept"


WAITING = [
    ("an act", "send_text", "to", "the result", True, True, True),
    ("a text of the model's own", "send_text", "message", "Your code is [insert code here].", True, True, False),
    ("of a larger model", "send_text", "to", "the result", False, False, False),
    ("no act", "run_text", "to", "the result", True, True, False),
]  # fmt: skip


@pytest.mark.parametrize(("case", "name", "argument", "value", "is_small", "offered", "final"), WAITING, ids=[row[0] for row in WAITING])  # fmt: skip
def test_a_small_model_s_act_waits_for_a_look_up(case, name, argument, value, is_small, offered, final):  # fmt: skip
    """Where a tool could look something up, it is offered that instead; a text of its own, and what is no act, is made if it comes again."""
    tool = ToolSpec(name, "", {"properties": {argument: {"type": "string"}}})
    tools = [tool, ToolSpec("find_order", "", {})]
    context = CallContext(tool, tools, Conversation([HumanMessage("Text it.")]), is_small=is_small)
    found = NotPlaceholder().review(Call(name, {argument: value}, "", "json", False), context)
    insists = offered and not final
    assert (found.outcome, found.final, found.must_insist) == ("ask", final, insists)
    assert (found.offers, not found.correction) == (("find_order",) if offered else (), offered)


@pytest.mark.parametrize("text", NO_GAPS)
def test_brackets_alone_are_no_gap(text):
    """Code, references and columns have brackets, too."""
    assert review(text, "message").outcome == "accept"


def test_a_gap_in_a_text_is_asked_about_after_all_else():
    """Asked about the gap first, a small model insists, and so would do an act again that was done."""
    args = {"to": "ana@mail.com", "body": "Dear Ana, it is fine. [Your Name]"}
    call = Call("send_mail", args, "", "json", False)
    specs = [ToolSpec("send_mail", "", {"required": ["to", "body"]}), ToolSpec("find_mail", "", {})]
    made = {"name": "send_mail", "args": args, "id": "1"}
    asked = HumanMessage("Mail ana@mail.com that it is fine.")
    done = [AIMessage("", tool_calls=[made]), ToolMessage("sent", tool_call_id="1")]
    _, policy = resolve_policy("auto", 1.5)

    def code(*messages):
        facts = CallContext(specs[0], specs, Conversation(messages), is_small=True)
        return policy.review(call, facts).code

    assert (code(asked), code(asked, *done)) == ("placeholder", "repeated_call")


def test_a_gap_in_a_text_is_looked_up_by_a_tool_that_was_not_called():
    """The writer's own name no look-up tells; of that the model is told."""
    specs = [ToolSpec("send_mail", "", {}), ToolSpec("find_mail", "", {})]
    looked_up = {"name": "find_mail", "args": {}, "id": "1"}
    talk = [AIMessage("", tool_calls=[looked_up]), ToolMessage("a@b.c", tool_call_id="1")]
    code, name = "The code is [insert code here].", "Fine. [Your Name]"
    for body, messages, offers in ((code, [], ("find_mail",)), (code, talk, ()), (name, [], ())):
        call = Call("send_mail", {"body": body}, "", "json", False)
        facts = CallContext(specs[0], specs, Conversation(messages), is_small=True)
        found = NotPlaceholder().review(call, facts)
        assert (found.offers, found.demands, bool(found.correction)) == (offers, bool(offers), not offers)  # fmt: skip
