"""Acts and values in histories of every form: blocks, nested JSON, echoes, cycles, and words that forbid a repeat."""

import pytest
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.policy import CallContext, Conversation, KnownIds, NotRepeated
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec, read_tools, to_openai_tools
from tests.tables import every_row
from tests.toy_models import Toy


def pay(name: str) -> str:
    """Pay somebody."""


def book(room: str) -> str:
    """Book a room."""


def find_email(name: str) -> str:
    """Find an e-mail address."""


def send_email(to: str) -> str:
    """Send an e-mail."""


TOOLS = read_tools(to_openai_tools([pay, book, find_email, send_email]))
ANN = {"name": "Ann"}


def step(name, args, result):
    call = {"name": name, "args": args, "id": f"{name}{result}"}
    return [AIMessage("", tool_calls=[call]), ToolMessage(result, tool_call_id=call["id"])]


def review(check, name, args, *messages):
    call = Call(name, args, "{call}", "json", explicit=False)
    context = CallContext(TOOLS.exact(name), TOOLS.specs, Conversation(messages), is_small=True)
    return check.review(call, context).outcome


def again(asked, *messages, name="pay", args=ANN):
    return review(NotRepeated(), name, args, HumanMessage(asked), *messages)


FAILED = [
    [{"type": "text", "text": "Error: timeout"}],
    "402 Payment Required",
    '{"error": "no money"}',
]
WORKED = [
    [{"type": "text", "text": "paid"}],
    "Error-free run: paid",
    '{"error": "none", "ok": true}',
    '{"a":' + "[" * 1900 + "]" * 1900 + "}",
]


@pytest.mark.parametrize("result", FAILED)
def test_an_act_that_failed_may_be_tried_again(result):
    """Whether the failure is told in a block, a status or JSON."""
    assert again("Pay Ann.", *step("pay", ANN, result)) == "accept"


@pytest.mark.parametrize("result", WORKED)
def test_an_act_that_worked_is_asked_about(result):
    """Whatever its result looks like."""
    assert again("Pay Ann.", *step("pay", ANN, result)) == "ask"


NOT_MORE = ["Pay Ann, but not twice.", "Do not pay Ann again.", "Paie Ann une fois.", "请给Ann支付一次", "请回复Ann", "주문번호 A-12 결제해줘"]  # fmt: skip


@every_row("asked", NOT_MORE)
def test_words_that_forbid_a_repeat_do_not_allow_it(asked):
    """Nor does "once", nor a word that only looks like "times"."""
    assert again(asked, *step("pay", ANN, "paid")) == "ask"


TWICE = [
    "Pay Ann twice.", "付给Ann两次", "Bezahle Ann zweimal.", "Paie Ann deux fois.", "Paga a Ann dos veces.", "Pague a Ann duas vezes.", "Paga Ann due volte.",
    "Заплати Энн дважды.", "Annに2回支払って", "Ann에게 두 번 지불해", "ادفع لآن مرتين", "Ann को दो बार भुगतान करो",
]  # fmt: skip


@every_row("asked", TWICE)
def test_words_that_ask_for_a_repeat_allow_one(asked):
    """In any language that is known."""
    assert again(asked, *step("pay", ANN, "paid")) == "accept"


def test_a_cycle_ends_where_the_count_is_reached():
    """Pay and book three times means three payments, not one more after each booking."""
    once = [*step("pay", ANN, "paid"), *step("book", {"room": "R"}, "booked")]
    assert again("Pay Ann and book R, 3 times.", *once * 2) == "accept"
    assert again("Pay Ann and book R, 3 times.", *once * 3) == "ask"
    assert again("Bezahle Ann und buche R, drei Mal.", *once * 2) == "accept"
    assert again("Bezahle Ann und buche R, drei Mal.", *once * 3) == "ask"


def test_a_message_with_the_role_of_a_user_is_the_users():
    """What was done before it was done for another question."""
    talk = [*step("pay", ANN, "paid"), ChatMessage(role="user", content="Pay Ann, please.")]
    assert again("Pay Ann.", *talk) == "accept"


FOUND = ["anna@example.com", [{"type": "text", "text": "Found:\nanna@example.com"}]]


@pytest.mark.parametrize("result", FOUND)
def test_an_address_that_holds_what_was_searched_for_is_known(result):
    """Only the searched word itself is no news, and a line in a block is a line."""
    asked = HumanMessage("Write to Anna.")
    found = step("find_email", {"name": "anna"}, result)
    assert review(KnownIds(), "send_email", {"to": "anna@example.com"}, asked, *found) == "accept"


@pytest.mark.parametrize(("name", "kind"), [("is_open", "tells"), ("hasStock", "tells"), ("find_and_delete", "acts")])  # fmt: skip
def test_what_names_of_several_words_say(name, kind):
    """A question tells, and what also acts, acts."""
    assert kind_of(ToolSpec(name, "", {})) == kind


def test_a_tool_whose_metadata_is_no_mapping_can_be_bound():
    """Whatever else an object calls its metadata."""
    pay.metadata = "v1"
    try:
        assert "acts" not in to_openai_tools([pay])[0]
    finally:
        del pay.metadata


def test_a_native_call_that_is_made_although_it_is_doubted_is_reported():
    """As one in text is: with its reason, and that it was made."""

    class Native(Toy):
        def bind_tools(self, tools, **_):
            return self

        def _generate(self, *_, **__):
            call = {"name": "pay", "args": {"name": "Roberta"}, "id": "1"}
            return ChatResult(
                generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))]
            )

    llm = ChatToolEmu(llm=Native(said=[""]), policy="careful", max_reasks=0, model_size=1.5)
    message = llm.bind_tools([pay]).invoke("Good evening!")
    (doubt,) = message.response_metadata["toolemu"]["doubted"]
    assert (doubt["name"], doubt["reason"].split(":")[0], doubt["made"]) == (
        "pay",
        "ungrounded_value",
        True,
    )
    assert [one["name"] for one in message.tool_calls] == ["pay"]
