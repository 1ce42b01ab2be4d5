"""What protects an agent's acts, turn by turn: a scripted model's calls wait, are done once, are asked about, or close the run.

Each turn is played whole and in pieces, awaited or not, emulated from the start and read out of a native reply.
"""

import asyncio
import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.types import Command
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import forget
from langchain_toolemu.serve import create_app
from langchain_toolemu.tools import to_openai_tools
from tests.essence import calls, essence
from tests.integration_tests.serve.wires import CHAT, MESSAGES, RESPONSES, events_of
from tests.integration_tests.serve.wires import ask as ask_gateway
from tests.thoroughness import share
from tests.toy_models import Binding
from tests.ways import WAYS, ask

pytestmark = pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")
SMALL, LARGE, TINY = "qwen2.5-1.5b", "mistral-7b", "qwen2.5-0.5b"
MODES = ("force", "fallback")


class Scripted(Binding):
    """Says one reply after the other as text, whether it is asked natively or not."""

    model_name: str = SMALL


def find_order(customer: str) -> str:
    """Find the id of a customer's latest order."""


def get_order(order: str) -> str:
    """Get the price of an order."""


def cancel_order(order_id: str) -> str:
    """Cancel an order by its id."""


def refund(amount: float) -> str:
    """Refund an amount."""


def pay_bill(bill: str) -> str:
    """Pay a bill."""


def send_email(address: str, text: str) -> str:
    """Send an email to an address."""


def get_weather(city: str) -> str:
    """Get the weather of a city."""


def get_time() -> str:
    """Get the time."""


class Price(BaseModel):
    """What a product costs."""

    product: str
    euros: float


def get_price(product: str) -> str:
    """Get the price of a product in euros."""


def call(name, /, **args):
    return json.dumps({"name": name, "arguments": args})


def lines(*written):
    return "\n".join(written)


def talk(question, *steps):
    """A question, and calls with their results."""
    messages = [HumanMessage(question)]
    for number, (name, args, result) in enumerate(steps):
        made = {"name": name, "args": args, "id": f"call_{number}"}
        messages += [AIMessage("", tool_calls=[made]), ToolMessage(result, tool_call_id=made["id"])]
    return messages


@dataclass(frozen=True)
class Turn:
    """A turn: what is asked, what the model says, and what comes of it.

    Attributes:
        asked: The messages.
        replies: What the model says, the last one over and over.
        tools: The bound tools.
        made: The names of the calls that are made.
        doubted: The reason and whether it was made, of each doubted call.
        requests: How many there are.
        content: The words of the message.
        codes: Codes of warnings that begin with `closed`.
        invalid: The names of the invalid calls.
        model: The model's name.
        options: How the wrapper is set up.
        binding: How the tools are bound.
    """

    asked: Any
    replies: list[Any]
    tools: list[Any]
    made: list[str]
    doubted: list[tuple[str, bool]]
    requests: int
    content: str = ""
    codes: list[str] = field(default_factory=list)
    invalid: list[str] = field(default_factory=list)
    model: str = SMALL
    options: dict[str, Any] = field(default_factory=dict)
    binding: dict[str, Any] = field(default_factory=dict)

    def play(self, mode, way):
        forget()
        llm = Scripted(said=self.replies, model_name=self.model)
        bound = ChatToolEmu(llm, mode=mode, **self.options).bind_tools(self.tools, **self.binding)
        return ask(bound, self.asked, way), llm


FIND, CANCEL = call("find_order", customer="Ana"), call("cancel_order", order_id="A-1")
ORDERS = [find_order, cancel_order]
ANA = talk("Cancel Ana's order.")
WAITS = [("out_of_order", False)]
DOWN = ("find_order", {"customer": "Ana"}, "Error: offline")
WAITING = {
    "an id waits for the look-up before it": Turn(ANA, [lines(FIND, CANCEL)], ORDERS, ["find_order"], WAITS, 1),
    "by a larger model, too": Turn(ANA, [lines(FIND, CANCEL)], ORDERS, ["find_order"], WAITS, 1, model=LARGE),
    "a placeholder waits": Turn(ANA, [lines(FIND, call("cancel_order", order_id="<order_id>"))], ORDERS, ["find_order"], WAITS, 1, model=LARGE),
    "a small model's number waits": Turn(
        talk("Refund Ana's order."),
        [lines(call("get_order", order="Ana"), call("refund", amount=100))], [get_order, refund], ["get_order"], WAITS, 1,
    ),
    "a larger model's number does not": Turn(
        talk("Refund Ana's order."),
        [lines(call("get_order", order="Ana"), call("refund", amount=100))], [get_order, refund], ["get_order", "refund"], [], 1, model=LARGE,
    ),
    "an act after it waits, too": Turn(
        talk("Cancel Ana's order and write Hi to a@b.org."),
        [lines(FIND, CANCEL, call("send_email", address="a@b.org", text="Hi"))], [*ORDERS, send_email],
        ["find_order"], WAITS * 2, 1,
    ),
    "not where several calls at once are wanted": Turn(
        ANA, [lines(FIND, CANCEL)], ORDERS, ["find_order", "cancel_order"], [], 1, binding={"parallel_tool_calls": True}, model=LARGE,
    ),
    "but an unknown id is not acted on beside another call": Turn(
        ANA, [lines(FIND, CANCEL)], ORDERS, ["find_order"], [("value_not_given", False)], 1, binding={"parallel_tool_calls": True},
    ),
    "not with a policy that trusts": Turn(
        ANA, [lines(FIND, CANCEL)], ORDERS, ["find_order", "cancel_order"], [], 1, options={"policy": "trust"},
    ),
    "again if the look-up failed once": Turn(
        talk("Cancel Ana's order.", DOWN), [lines(FIND, CANCEL)], ORDERS, ["find_order"], WAITS, 1, model=LARGE,
    ),
    "not for ever if the look-up fails": Turn(
        talk("Cancel Ana's order.", DOWN, DOWN), [lines(FIND, CANCEL)], ORDERS, ["find_order", "cancel_order"], [], 1, model=LARGE,
    ),
    "not after the result": Turn(
        talk("Cancel Ana's order.", ("find_order", {"customer": "Ana"}, "A-1")), [CANCEL], ORDERS, ["cancel_order"], [], 1,
    ),
}  # fmt: skip

PAY, PAYING = call("pay_bill", bill="7"), [pay_bill, get_weather]
PAID = ("pay_bill", {"bill": "7"}, "paid, receipt 88")
DONE = talk("Pay bill 7.", PAID)
REPEATED, INSISTED = [("repeated_call", False)], [("repeated_call", True)]
ONCE = {
    "words after the question are the answer": Turn(DONE, [PAY, "It is paid."], PAYING, [], REPEATED, 2, "It is paid."),
    "a larger model may insist": Turn(DONE, [PAY], PAYING, ["pay_bill"], INSISTED, 2, model=LARGE),
    "the user's words allow it": Turn(talk("Pay bill 7 twice.", PAID), [PAY], PAYING, ["pay_bill"], [], 1),
    "a failed act is done again": Turn(talk("Pay bill 7.", ("pay_bill", {"bill": "7"}, "Error: offline")), [PAY], PAYING, ["pay_bill"], [], 1),
    "another act is made after the question": Turn(
        talk("Pay bill 7 and bill 8.", PAID), [PAY, call("pay_bill", bill="8")], PAYING, ["pay_bill"], REPEATED, 2,
    ),
    "another tool's act is made": Turn(
        talk("Pay bill 7 of a@b.org.", PAID), [call("send_email", address="a@b.org", text="It is paid.")], [pay_bill, send_email],
        ["send_email"], [], 1,
    ),
    "without questions it is not made either": Turn(DONE, [PAY], PAYING, [], REPEATED, 1, invalid=["pay_bill"], options={"max_reasks": 0}),
    "a third identical look-up is not made": Turn(
        talk("Weather in Rome?", *[("get_weather", {"city": "Rome"}, "sunny")] * 2),
        [call("get_weather", city="Rome"), "It is sunny."], PAYING, [], REPEATED, 2, "It is sunny.",
    ),
}  # fmt: skip

UNANSWERED = ["closed_without_answer"]
CLOSED = {
    "by words": Turn(DONE, [PAY, PAY, "All is paid."], PAYING, [], REPEATED, 3, "All is paid."),
    "without an answer": Turn(DONE, [PAY, PAY, ""], PAYING, [], REPEATED, 3, "", UNANSWERED),
    "without an answer if nothing comes after the question": Turn(DONE, [PAY, ""], PAYING, [], REPEATED, 3, "", UNANSWERED),
    "by a thought, which is no answer": Turn(
        DONE, [PAY, PAY, "<think>All is paid.</think>"], PAYING, [], REPEATED, 3, "<think>All is paid.</think>", UNANSWERED,
    ),
    "without an answer if only calls come": Turn(DONE, [PAY], PAYING, [], REPEATED, 3, "", UNANSWERED),
    "without an answer if only unknown tools are called": Turn(
        DONE, [PAY, call("pay_it"), call("pay_it"), call("pay_it")], PAYING, [], REPEATED, 4, "", UNANSWERED,
    ),
    "of a larger model, too, that writes placeholders": Turn(
        ANA, [call("cancel_order", order_id="<order_id>")], ORDERS, [], [("placeholder", False)], 3, "", UNANSWERED, model=LARGE,
    ),
}  # fmt: skip

REFUND, REFUNDING = call("refund", amount=100), [get_order, get_time, refund]
KETTLE = talk("Refund the kettle.")
TWO_ORDERS = '[{"order_id": "A-1", "customer": "Bo"}, {"order_id": "A-2", "customer": "Ana"}]'
FOUND = talk("Cancel Ana's order.", ("find_order", {"customer": "A"}, TWO_ORDERS))
NOT_GIVEN, GIVEN_UP = [("value_not_given", False)], [("value_not_given", True)]
GIVEN = {
    "the look-up that follows is made": Turn(KETTLE, [REFUND, call("get_order", order="kettle")], REFUNDING, ["get_order"], NOT_GIVEN, 2),
    "words are the answer if nothing is looked up": Turn(KETTLE, [REFUND, "I do not know the price."], REFUNDING, [], NOT_GIVEN, 2, "I do not know the price."),
    "an act that is insisted on is made": Turn(KETTLE, [REFUND], REFUNDING, ["refund"], GIVEN_UP, 2),
    "a value that was given is not asked about": Turn(talk("Refund 100 euros."), [REFUND], REFUNDING, ["refund"], [], 1),
    "a larger model is not asked": Turn(KETTLE, [REFUND], REFUNDING, ["refund"], [], 1, model=LARGE),
    "another value is made after the question": Turn(
        KETTLE, [REFUND, call("refund", amount=200)], REFUNDING, ["refund"], NOT_GIVEN + GIVEN_UP, 2,
    ),
    "what a result told is not asked about": Turn(FOUND, [CANCEL], ORDERS, ["cancel_order"], [], 1),
    "an id is asked about as well": Turn(ANA, [CANCEL, FIND], ORDERS, ["find_order"], [("value_not_given", False)], 2),
    "words are the answer where an id is unknown": Turn(ANA, [CANCEL, "Which order?"], ORDERS, [], [("value_not_given", False)], 2, "Which order?"),
    "without questions the act is made": Turn(KETTLE, [REFUND], REFUNDING, ["refund"], GIVEN_UP, 1, options={"max_reasks": 0}),
    "an act that lacks an argument is made at last, for the tool to complain": Turn(
        talk("Refund 7."), [call("refund", sum=7)], [refund, get_weather], ["refund"], [], 3,
    ),
    "by a larger model, too": Turn(
        talk("Refund it."), [call("refund", sum=7)], [refund, get_weather], ["refund"], [], 3, model=LARGE,
    ),
    "without questions it is made at once": Turn(
        talk("Refund 7."), [call("refund", sum=7)], [refund, get_weather], ["refund"], [], 1, options={"max_reasks": 0},
    ),
    "an act whose text has a gap is done once all the same": Turn(
        talk("Email a@b.org: It is paid.", ("send_email", {"address": "a@b.org", "text": "It is paid. [Your Name]"}, "sent")),
        [call("send_email", address="a@b.org", text="It is paid. [Your Name]")] * 2 + ["It is sent."], [send_email],
        [], REPEATED, 3, "It is sent.",
    ),
}  # fmt: skip

ROME = call("get_weather", city="Rome")
BESIDE = {
    "a repeated act is not made": Turn(talk("Pay bill 7. Weather in Rome?", PAID), [lines(PAY, ROME)], PAYING, ["get_weather"], REPEATED, 1),
    "nor behind the other call": Turn(talk("Pay bill 7. Weather in Rome?", PAID), [lines(ROME, PAY)], PAYING, ["get_weather"], REPEATED, 1),
    "a placeholder is not made": Turn(
        talk("Cancel my order. Weather in Rome?"), [lines(call("cancel_order", order_id="<order_id>"), ROME)], [cancel_order, get_weather],
        ["get_weather"], [("placeholder", False)], 1, model=LARGE,
    ),
    "an unknown id is not made": Turn(ANA, [lines(CANCEL, FIND)], ORDERS, ["find_order"], [("value_not_given", False)], 1),
    "an unknown value is not made": Turn(KETTLE, [lines(REFUND, call("get_time"))], REFUNDING, ["get_time"], NOT_GIVEN, 1),
}  # fmt: skip

GUESSED, TOLD = (call("Price", product="tea", euros=euros) for euros in (3.0, 12.5))
PRICE, PRICING, TEA = (
    call("get_price", product="tea"),
    [get_price, get_time, pay_bill, Price],
    "What does tea cost?",
)
ANY, AFTER = {"tool_choice": "any"}, talk(TEA, ("get_price", {"product": "tea"}, "12.5 euros"))
ANSWERS = {
    f"{case}, {model}": replace(turn, model=model, binding=ANY)
    for model in (SMALL, LARGE)
    for case, turn in {
        "it waits for a look-up before it": Turn(talk(TEA), [lines(PRICE, GUESSED)], PRICING, ["get_price"], WAITS, 1),
        "and for one behind it": Turn(talk(TEA), [lines(GUESSED, PRICE)], PRICING, ["get_price"], WAITS, 1),
        "whatever stands between them": Turn(
            talk("Pay bill 7. What does tea cost?"), [lines(GUESSED, PAY, PRICE)], PRICING, ["pay_bill", "get_price"], WAITS, 1,
        ),
        "alone it is the answer": Turn(talk(TEA), [GUESSED], PRICING, ["Price"], [], 1),
        "an act behind it is no look-up": Turn(talk("Pay bill 7."), [lines(GUESSED, PAY)], PRICING, ["Price", "pay_bill"], [], 1),
        "what was told does not wait": Turn(AFTER, [lines(TOLD, call("get_time"))], PRICING, ["Price", "get_time"], [], 1),
        "nor for what was answered": Turn(
            AFTER, [lines(call("Price", product="tea", euros=12.6), PRICE)], PRICING, ["Price", "get_price"], [], 1,
        ),
    }.items()
}  # fmt: skip

MISSPELT = call("search_order", customer="Ana")
UNKNOWN = {
    f"{case}, {model}": replace(turn, model=model)
    for model in (TINY, SMALL, LARGE, "unknown")
    for case, turn in {
        "an act waits for it": Turn(ANA, [lines(MISSPELT, CANCEL), FIND], ORDERS, ["find_order"], WAITS, 2),
        "no act waits for it with what the user gave": Turn(
            talk("Cancel A-1."), [lines(MISSPELT, CANCEL)], ORDERS, ["cancel_order"], [], 1, invalid=["search_order"],
        ),
        # A small model is asked for the answer after the second, a larger one after the third.
        "what is insisted on is no answer": Turn(
            ANA, [MISSPELT], ORDERS, [], [], 3 if model in (TINY, SMALL) else 4, invalid=["search_order"],
        ),
        "words are the answer": Turn(ANA, [MISSPELT, MISSPELT, "I found none."], ORDERS, [], [], 3, "I found none."),
    }.items()
}  # fmt: skip


def natively(text, *made):
    """A reply with native calls beside its text."""
    calls = [{"name": name, "args": args, "id": f"call_{number}"} for number, (name, args) in enumerate(made)]  # fmt: skip
    return AIMessage(text, tool_calls=calls)


FINDS, ACTS = ("find_order", {"customer": "Ana"}), ("cancel_order", {"order_id": "A-1"})
TALKING = "I look it up.\n"
BESIDE_NATIVE = {
    f"{case}, {model}": replace(turn, model=model)
    for model in (SMALL, LARGE, "unknown")
    for case, turn in {
        "an act in text waits for a native look-up": Turn(ANA, [natively(CANCEL, FINDS)], ORDERS, ["find_order"], WAITS, 1),
        "the words before it stand": Turn(ANA, [natively(TALKING + CANCEL, FINDS)], ORDERS, ["find_order"], WAITS, 1, TALKING),
        "it waits once, if the look-up is in the text, too": Turn(ANA, [natively(lines(FIND, CANCEL), FINDS)], ORDERS, ["find_order"], WAITS, 1),
        "an act in text waits for one of an unknown name": Turn(
            ANA, [natively(CANCEL, ("search_order", {"customer": "Ana"})), FIND], ORDERS, ["find_order"], WAITS, 2,
        ),
        **{
            f"{case}, {policy}": replace(turn, options={"policy": policy})
            for policy in ("careful", "strict")
            for case, turn in {
                "a native act waits for a native look-up": Turn(ANA, [natively("", FINDS, ACTS)], ORDERS, ["find_order"], WAITS, 1),
                "one that comes first is left out": Turn(ANA, [natively("", ACTS, FINDS)], ORDERS, ["find_order"], [("value_not_given", False)], 1),
                "beside a call in text, too": Turn(
                    talk("Cancel Ana's order. Weather in Rome?"), [natively(ROME, FINDS, ACTS)], [*ORDERS, get_weather],
                    ["find_order", "get_weather"], WAITS, 1,
                ),
            }.items()
        },
        "not with a policy that trusts": Turn(
            ANA, [natively(CANCEL, FINDS)], ORDERS, ["find_order", "cancel_order"], [], 1, options={"policy": "trust"},
        ),
        "an id that the user gave does not": Turn(
            talk("Find Ana's order, and cancel A-1."), [natively(CANCEL, FINDS)], ORDERS, ["find_order", "cancel_order"], [], 1,
        ),
    }.items()
}  # fmt: skip

TURNS = {
    f"{rule}: {case}": turn
    for rule, table in {"wait": WAITING, "once": ONCE, "close": CLOSED, "given": GIVEN, "beside": BESIDE, "unknown tool": UNKNOWN, "answer": ANSWERS}.items()
    for case, turn in table.items()
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TURNS)
def test_a_turn_comes_to_the_same_in_every_way(name, mode):
    """What is made, what is doubted, what is said and how often the model is asked; streamed as whole."""
    comes_to_the_same(TURNS[name], mode, ("invoke", *share(WAYS[1:], [*TURNS].index(name), 3)))


def comes_to_the_same(turn, mode, ways):
    """Play a turn in some ways, the first of which is `invoke`."""
    played = {way: turn.play(mode, way) for way in ways}
    message, llm = played["invoke"]
    report = message.response_metadata["toolemu"]
    assert [made for made, _ in calls(message)] == turn.made
    doubted = [(one["reason"].split(":")[0], one["made"]) for one in report["doubted"]]
    assert doubted == turn.doubted
    assert (message.text, len(llm.heard)) == (turn.content, turn.requests)
    codes = [code for code in report["warning_codes"] if code.startswith("closed")]
    assert codes == turn.codes
    assert [one["name"] for one in message.invalid_tool_calls] == turn.invalid
    told = {way: essence(one) for way, (one, _) in played.items()}
    assert all(one == told["invoke"] for one in told.values())
    assert {len(one.heard) for _, one in played.values()} == {turn.requests}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", BESIDE_NATIVE)
def test_beside_native_calls_a_turn_comes_to_the_same_in_every_way(name):
    """A call in the text, and a native one that is doubted, is worth the same as if all were in the text."""
    comes_to_the_same(BESIDE_NATIVE[name], "fallback", WAYS)


def offered(heard, *tools):
    """Which of the tools a request speaks of."""
    messages, _, kwargs = heard
    said = "\n".join([str(kwargs), *(str(message.content) for message in messages)])
    return [one.__name__ for one in tools if one.__name__ in said]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_who_must_look_a_value_up_is_offered_only_what_could_tell_it(mode, way):
    """Asked afresh: neither the act nor the call that was written is in the request."""
    _, llm = GIVEN["the look-up that follows is made"].play(mode, way)
    first, second = (offered(one, *REFUNDING) for one in llm.heard)
    assert first == ["get_order", "get_time", "refund"]
    assert second == ["get_order", "get_time"]
    assert "100" not in str([message.content for message in llm.heard[1][0]])


@pytest.mark.parametrize("model", [SMALL, LARGE])
@pytest.mark.parametrize("way", WAYS)
def test_a_small_model_is_told_which_act_is_done(model, way):
    """After its result; larger ones are told to go on if they must, and all are after a look-up."""
    found, paid = ("find_order", {"customer": "Ana"}, "A-7"), ("cancel_order", {"order_id": "A-7"}, "done")  # fmt: skip
    heard = []
    for steps in ([found], [found, paid]):
        _, llm = Turn(talk("Cancel Ana's order.", *steps), ["Done."], ORDERS, [], [], 1, "Done.", model=model).play("force", way)  # fmt: skip
        heard.append(llm.heard[0][0][-1].text)
    assert ["cancel_order is done." in text for text in heard] == [False, model == SMALL]
    assert not any("Not done yet" in text for text in heard)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_the_act_that_a_small_model_began_with_is_left_to_do(mode, way):
    """Though no word of the user names it: it waited, and is neither forgotten nor asked about after another act."""
    turn = Turn(talk("Ana is not coming."), [lines(FIND, CANCEL)], ORDERS, ["find_order"], WAITS, 1)
    first, _ = turn.play(mode, way)
    found = ToolMessage("A-7", tool_call_id=first.tool_calls[0]["id"])
    asked = [*turn.asked, first, found]
    paid = talk("", PAID)[1:]
    cancelled = call("cancel_order", order_id="A-7")
    for history in (asked, [*asked, *paid]):
        replies = Turn(history, [cancelled], [*ORDERS, pay_bill], ["cancel_order"], [], 1)
        message, llm = replies.play("force", way)
        assert [name for name, _ in calls(message)] == ["cancel_order"]
        assert "Not done yet: cancel_order." in llm.heard[0][0][-1].text
        assert len(llm.heard) == 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_a_run_is_closed_without_tools(mode, way):
    """The last request offers none, and does not show the question about the call."""
    _, llm = CLOSED["by words"].play(mode, way)
    messages, _, kwargs = llm.heard[-1]
    said = "\n".join(str(message.content) for message in messages)
    assert not kwargs.get("tools")
    assert offered(llm.heard[-1], get_weather) == []
    assert "automatic check" not in said
    assert "No more calls are needed" in said


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_a_call_is_never_the_answer_that_closes_a_run(mode, way):
    """A model that is asked for words and writes one more call has said nothing."""
    replies = [call("cancel_order", order_id=f"<order_id_{number}>") for number in range(3)]
    for model in (SMALL, LARGE):
        turn = Turn(ANA, replies, [cancel_order, get_weather], [], [], 3, model=model)
        message, llm = turn.play(mode, way)
        assert (message.text, calls(message), len(llm.heard)) == ("", [], 3)


# --- structured answers of agents ---


STRATEGIES = {"ToolStrategy": ToolStrategy, "ProviderStrategy": ProviderStrategy}


def run(agent, asked, way, *config):
    """The last state of an agent."""
    if way == "invoke":
        return agent.invoke(asked, *config)
    return asyncio.run(agent.ainvoke(asked, *config))


BESIDE_IT = {"behind the look-up": (PRICE, GUESSED), "before it": (GUESSED, PRICE)}


def priced(strategy, model, mode, way, order="behind the look-up"):
    """The last state of an agent whose model guesses a price beside the look-up, and what was looked up."""
    looked_up = []

    def get_price(product: str) -> str:
        """Get the price of a product in euros."""
        looked_up.append(product)
        return "It costs 12.5 euros."

    forget()
    said = [lines(*BESIDE_IT[order]), TOLD]
    llm = ChatToolEmu(Scripted(said=said, model_name=model), mode=mode)
    agent = create_agent(llm, [get_price], response_format=STRATEGIES[strategy](Price))
    return run(agent, {"messages": "What does tea cost?"}, way), looked_up


@pytest.mark.pairwise
@pytest.mark.parametrize("model", [SMALL, LARGE])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
@pytest.mark.parametrize("order", BESIDE_IT)
def test_an_answer_beside_a_look_up_waits_for_its_result(strategy, model, mode, way, order):
    """The price that an agent gives is the one that the tool told, not the one that was written with the question."""
    state, looked_up = priced(strategy, model, mode, way, order)
    assert state["structured_response"] == Price(product="tea", euros=12.5)
    assert looked_up == ["tea"]
    assert [name for name, _ in calls(state["messages"][1])] == ["get_price"]


@pytest.mark.pairwise
@pytest.mark.parametrize("model", [TINY, SMALL])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_an_agent_whose_answer_has_a_form_acts_once(strategy, model, mode, way):
    """In each of its turns a call must come, and the one that was answered does not come again."""
    paid = []

    def pay_bill(bill: str) -> str:
        """Pay a bill."""
        paid.append(bill)
        return "paid 12.5 euros for tea"

    forget()
    llm = Scripted(said=[PAY, PAY, TOLD], model_name=model)
    form = STRATEGIES[strategy](Price)
    agent = create_agent(ChatToolEmu(llm, mode=mode), [pay_bill], response_format=form)
    state = run(agent, {"messages": "Pay bill 7."}, way, {"recursion_limit": 9})
    assert state["structured_response"] == Price(product="tea", euros=12.5)
    assert paid == ["7"]


LEFT_AS_TEXT = pytest.mark.xfail(
    strict=True,
    reason="docs/policy.md: what waits is in `doubted`, and not in the history; of a native reply it stays in the content",
)
REPORTED = [
    ("ToolStrategy", "force"),
    ("ToolStrategy", "fallback"),
    ("ProviderStrategy", "force"),
    pytest.param("ProviderStrategy", "fallback", marks=LEFT_AS_TEXT),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(("strategy", "mode"), REPORTED)
@pytest.mark.parametrize("model", [SMALL, LARGE])
def test_an_answer_that_waits_is_reported_and_not_in_the_history(strategy, mode, model):
    """As any other call that waits."""
    state, _ = priced(strategy, model, mode, "invoke")
    first = state["messages"][1]
    doubted = first.response_metadata["toolemu"]["doubted"]
    assert [(one["name"], one["reason"].split(":")[0]) for one in doubted] == [("Price", "out_of_order")]  # fmt: skip
    assert first.text == ""


@pytest.mark.in_turn
@pytest.mark.parametrize("answer", [GUESSED, '{"product": "tea", "euros": 3.0}'])
@pytest.mark.parametrize("model", [SMALL, LARGE])
def test_an_answer_before_a_look_up_is_not_shown(answer, model):
    """As the text of the form, too, it is held back until the reply has ended; alone it is the answer."""
    form = {"name": "Price", "schema": Price.model_json_schema()}
    binding = {"response_format": {"type": "json_schema", "json_schema": form}}
    turn = Turn(talk(TEA), [lines(answer, PRICE)], [get_price], ["get_price"], WAITS, 1, model=model, binding=binding)  # fmt: skip
    comes_to_the_same(turn, "force", WAYS)
    text = '{"product": "tea", "euros": 3.0}'
    comes_to_the_same(replace(turn, replies=[answer], made=[], doubted=[], content=text), "force", WAYS)  # fmt: skip


# --- agents that stop and go on ---


def is_unanswered(message):
    """Whether a run was closed without an answer, and without a call."""
    codes = message.response_metadata["toolemu"]["warning_codes"]
    return (message.text, message.tool_calls) == ("", []) and UNANSWERED[0] in codes


def paying(runs, **options):
    """An agent of a small model that pays again and again, built anew each time, as after a restart."""

    def pay_bill(bill: str) -> str:
        """Pay a bill."""
        runs.append(bill)
        return "paid, receipt 88"

    llm = ChatToolEmu(Scripted(said=[PAY]), mode=options.pop("mode"))
    return create_agent(llm, [pay_bill, get_weather], **options)


THREAD = {"configurable": {"thread_id": "1"}, "recursion_limit": 25}
START = {"messages": "Pay bill 7."}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_a_run_that_a_person_approved_does_not_act_twice(mode, way):
    """The act is approved and done once; the model that goes on with it is closed, and nobody is asked again."""
    forget()
    runs, saver = [], InMemorySaver()
    options = {"mode": mode, "checkpointer": saver, "middleware": [HumanInTheLoopMiddleware(interrupt_on={"pay_bill": True})]}  # fmt: skip
    paused = run(paying(runs, **options), START, way, THREAD)
    assert (len(paused["__interrupt__"]), runs) == (1, [])
    resumed = Command(resume={"decisions": [{"type": "approve"}]})
    state = run(paying(runs, **options), resumed, way, THREAD)
    assert (runs, "__interrupt__" in state) == (["7"], False)
    assert is_unanswered(state["messages"][-1])


@pytest.mark.pairwise
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
@pytest.mark.parametrize("stop", [{"interrupt_before": ["tools"]}, {"interrupt_after": ["tools"]}])
def test_a_run_that_was_stopped_between_two_steps_does_not_act_twice(mode, way, stop):
    """Resumed from its checkpoint by another process, the agent ends without a second payment."""
    forget()
    runs, saver = [], InMemorySaver()
    options = {"mode": mode, "checkpointer": saver, **stop}
    paused = run(paying(runs, **options), START, way, THREAD)
    assert paused["messages"][-1].type == ("ai" if "interrupt_before" in stop else "tool")
    state = run(paying(runs, **options), None, way, THREAD)
    assert (runs, paying(runs, **options).get_state(THREAD).next) == (["7"], ())
    assert is_unanswered(state["messages"][-1])


def test_the_next_request_of_the_user_is_another_matter():
    """In the same thread, who asks to pay again gets another payment."""
    forget()
    runs, saver = [], InMemorySaver()
    for _ in range(2):
        paying(runs, mode="force", checkpointer=saver).invoke(START, THREAD)
    assert runs == ["7", "7"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_a_run_that_was_stopped_knows_what_it_began_with(mode, way):
    """Resumed from its checkpoint by another process, the model that is asked in text is told of the act that waited, which no word of the user names."""
    forget()
    done, saver = [], InMemorySaver()

    def find_order(customer: str) -> str:
        """Find the id of a customer's latest order."""
        return "A-7"

    def cancel_order(order_id: str) -> str:
        """Cancel an order by its id."""
        done.append(order_id)
        return "cancelled"

    def agent(*replies):
        model = Scripted(said=[*replies])
        options = {"checkpointer": saver, "interrupt_before": ["tools"]}
        return model, create_agent(ChatToolEmu(model, mode=mode), [find_order, cancel_order], **options)  # fmt: skip

    _, started = agent(lines(FIND, CANCEL))
    run(started, {"messages": "Ana is not coming."}, way, THREAD)
    model, resumed = agent(call("cancel_order", order_id="A-7"))
    run(resumed, None, way, THREAD)
    assert len(model.heard) == 1
    is_told = "Not done yet: cancel_order." in model.heard[0][0][-1].text
    assert is_told is (mode == "force")
    state = run(resumed, None, way, THREAD)
    assert is_unanswered(state["messages"][-1])
    assert done == ["A-7"]


# --- the last step of an agent ---


def looking_up(replies, *, model=SMALL, **options):
    """An agent that looks orders up and cancels them, of a model that says these replies."""

    def get_order(order: str) -> str:
        """Get the price of an order."""
        return f"order {order}: 12 euros, A-{order}"

    def cancel_order(order_id: str) -> str:
        """Cancel an order by its id."""
        return f"{order_id} is cancelled"

    llm = ChatToolEmu(Scripted(said=replies, model_name=model), mode="force")
    return create_agent(llm, [get_order, cancel_order], **options)


LOOKUPS = [call("get_order", order=str(number)) for number in range(3)]
TWO_ROUNDS = {"recursion_limit": 4}  # the model, its tool, the model, its tool; then an error


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
@pytest.mark.parametrize("calls", [LOOKUPS[:2], LOOKUPS[:1] * 2], ids=["another", "the same again"])
def test_a_look_up_in_the_last_step_is_left_out_for_the_answer(way, calls):
    """Nobody could read its result, and the run would end by an error."""
    forget()
    agent = looking_up([*calls, "Order 0 costs 12 euros."])
    state = run(agent, {"messages": "What do orders 0 and 1 cost?"}, way, TWO_ROUNDS)
    assert state["messages"][-1].text == "Order 0 costs 12 euros."
    (left_out,) = state["messages"][-1].response_metadata["toolemu"]["doubted"]
    assert (left_out["reason"].split(":")[0], left_out["made"]) == ("too_late", False)


@pytest.mark.parametrize(
    ("replies", "model"),
    [([LOOKUPS[0], call("cancel_order", order_id="A-0")], SMALL), (LOOKUPS, LARGE)],
)
def test_an_act_in_the_last_step_is_done_and_a_larger_model_is_let_go_on(replies, model):
    """An act has its effect whether or not its result is read."""
    forget()
    agent = looking_up(replies, model=model)
    with pytest.raises(GraphRecursionError):
        agent.invoke({"messages": "Look order 0 up and cancel it."}, TWO_ROUNDS)


def test_the_steps_of_a_thread_are_counted_for_each_question():
    """The second question has as many as the first."""
    forget()
    answers = ["It costs 12 euros.", "It costs 12 euros, too."]
    agent = looking_up([LOOKUPS[0], answers[0], LOOKUPS[1], answers[1]], checkpointer=InMemorySaver())  # fmt: skip
    for number, answer in enumerate(answers):
        config = {**THREAD, "recursion_limit": 5}
        state = agent.invoke({"messages": f"What does order {number} cost?"}, config)
        assert state["messages"][-1].text == answer
        assert state["messages"][-2].type == "tool"


# --- through the gateway ---


def chat_request(question, steps, tools):
    messages = [{"role": "user", "content": question}]
    for number, (name, args, result) in enumerate(steps):
        made = {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}  # fmt: skip
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [made]},
            {"role": "tool", "tool_call_id": made["id"], "content": result},
        ]
    return {"messages": messages, "tools": to_openai_tools(tools), "parallel_tool_calls": True}


def message_request(question, steps, tools):
    messages = [{"role": "user", "content": question}]
    for number, (name, args, result) in enumerate(steps):
        used = {"type": "tool_use", "id": f"c{number}", "name": name, "input": args}
        told = {"type": "tool_result", "tool_use_id": f"c{number}", "content": result}
        messages += [{"role": "assistant", "content": [used]}, {"role": "user", "content": [told]}]
    described = [one["function"] for one in to_openai_tools(tools)]
    bound = [{"name": one["name"], "description": one["description"], "input_schema": one["parameters"]} for one in described]  # fmt: skip
    choice = {"type": "auto", "disable_parallel_tool_use": False}
    return {"messages": messages, "tools": bound, "tool_choice": choice}


def response_request(question, steps, tools):
    items = [{"type": "message", "role": "user", "content": question}]
    for number, (name, args, result) in enumerate(steps):
        items += [
            {"type": "function_call", "call_id": f"c{number}", "name": name, "arguments": json.dumps(args)},
            {"type": "function_call_output", "call_id": f"c{number}", "output": result},
        ]  # fmt: skip
    bound = [{"type": "function", **one["function"]} for one in to_openai_tools(tools)]
    return {"input": items, "tools": bound, "parallel_tool_calls": True}


def said_in(whole):
    """The words and the names of the calls of an answer, in any of the protocols."""
    if "message" in whole:
        message = whole["message"]
        return message["content"] or "", [one["name"] for one in message["tool_calls"]]
    blocks = whole["content"] if "content" in whole else whole["output"]
    texts = [one["text"] for one in blocks if one["type"] == "text"]
    texts += [part["text"] for one in blocks if one["type"] == "message" for part in one["content"]]
    return "".join(texts), [one["name"] for one in blocks if one["type"] in ("tool_use", "function_call")]  # fmt: skip


WIRES = {
    "chat": (CHAT, chat_request),
    "messages": (MESSAGES, message_request),
    "responses": (RESPONSES, response_request),
}
SERVED = {
    "a call waits although the client says parallel": (LARGE, "Cancel Ana's order.", [], [lines(FIND, CANCEL)], ORDERS, ("", ["find_order"])),
    "an act waits for a look-up of a misspelt name": (LARGE, "Cancel Ana's order.", [], [lines(MISSPELT, CANCEL), FIND], ORDERS, ("", ["find_order"])),
    "an act is done once": (SMALL, "Pay bill 7.", [PAID], [PAY, "It is paid."], PAYING, ("It is paid.", [])),
    "a run is closed by words": (SMALL, "Pay bill 7.", [PAID], [PAY, PAY, "All is paid."], PAYING, ("All is paid.", [])),
    "a run is closed without an answer": (SMALL, "Pay bill 7.", [PAID], [PAY], PAYING, ("", [])),
    "a code that nobody gave is asked about": (SMALL, "Cancel Ana's order.", [], [CANCEL, "Which one?"], ORDERS, ("Which one?", [])),
    "a larger model pays again": (LARGE, "Pay bill 7.", [PAID], [PAY], PAYING, ("", ["pay_bill"])),
}  # fmt: skip


@pytest.mark.pairwise
@pytest.mark.parametrize("protocol", WIRES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", SERVED)
async def test_the_gateway_protects_acts(case, mode, protocol):
    """In each protocol, whole and streamed, where clients say that calls may be parallel because that is the default."""
    wire, write = WIRES[protocol]
    model, question, steps, replies, tools, expected = SERVED[case]
    answers = []
    for stream in (False, True):
        forget()
        app = create_app({"m": ChatToolEmu(Scripted(said=replies, model_name=model), mode=mode)})
        answer = await ask_gateway(app, wire, **write(question, steps, tools), stream=stream)
        assert answer.status_code == 200, answer.text
        answers.append(wire.add_up(events_of(answer.text)) if stream else wire.essence(answer.json()))  # fmt: skip
    assert [said_in(one) for one in answers] == [expected] * 2
