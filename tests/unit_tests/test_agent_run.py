"""The agent task of `toolemu check`: what a run is said to have done."""

import json

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.check.agent_run import run_agent
from tests.tables import every_row


def call(name, /, **args):
    return json.dumps({"name": name, "arguments": args})


FIND = call("find_price", order_id="K-2093", item="lamp")
RIGHT = call("refund_order", order_id="K-2093", amount=38.7)
WRONG = call("refund_order", order_id="K-2093", amount=100)
RUNS = [
    ("the right act, once", [FIND, RIGHT, "Refunded."], "right: it looked the price up and refunded it once"),
    ("no end", [FIND, RIGHT, *[FIND] * 4], "right: it looked the price up and refunded it once, but did not end"),
    ("a made-up value", [WRONG, "Refunded."], "wrong: it made the call refund_order({'order_id': 'K-2093', 'amount': 100}), but the price is 38.70"),
    ("twice", [FIND, RIGHT, RIGHT, "Refunded."], "wrong: it made the same refund 2 times"),
    ("no act", [FIND, "It cost 38.70."], "not done: it never called refund_order"),
    ("an error", [], "failed with "),
]  # fmt: skip


@every_row(("case", "replies", "said"), RUNS)
def test_what_a_run_did_is_said(case, replies, said):
    """The first thing that is wrong with it, or that nothing is."""
    model = GenericFakeChatModel(messages=iter(map(AIMessage, replies)))
    llm = ChatToolEmu(llm=model, mode="force", policy="trust")
    assert run_agent(llm).startswith(said)


def test_the_policy_keeps_a_small_model_from_the_wrong_act():
    """Asked about the made-up amount, the model looks it up; asked about the repeat, it ends."""
    replies = [WRONG, FIND, RIGHT, RIGHT, "Refunded."]
    model = GenericFakeChatModel(messages=iter(map(AIMessage, replies)))
    llm = ChatToolEmu(llm=model, mode="force", model_size=1.5)
    assert run_agent(llm) == "right: it looked the price up and refunded it once"
