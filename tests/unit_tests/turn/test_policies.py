"""`policy="trust"` is a turn without checks, and each policy gives the same in all four ways."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.capability import forget
from langchain_toolemu.contract.rules import ContractCache
from langchain_toolemu.policy import TRUST, Review
from langchain_toolemu.tools import to_openai_tools
from tests.essence import calls, essence
from tests.piecewise_model import PiecewiseModel
from tests.thoroughness import TEST_ALL, examples
from tests.unit_tests.turn import playing
from tests.unit_tests.turn.playing import Known, called, order, play
from tests.ways import WAYS, ask


def weather(city):
    return f'{{"name": "get_weather", "arguments": {{"city": "{city}"}}}}'


PARIS, GUESS, COPY, GAP = (weather(city) for city in ("Paris", "Oslo", "Zorbel", "<city>"))
SUM = '{"name": "sum_up", "arguments": {"a": 1, "b": 2}}'
LONG = f'{{"name": "write_file", "arguments": {{"path": "a.txt", "content": "{"word " * 150}"}}}}'
HISTORY = called("What is the weather in Paris?", ("get_weather", {"city": "Paris"}, "rain"))
POLICIES = ("trust", "default", "careful", "strict", "auto")
CONTRACTS, TOOLS = ContractCache(), to_openai_tools(playing.TOOLS)
ORDERS = {"asked": order(), "repeated": order(HISTORY), "greeted": order("Hello!")}


class AcceptsAll:
    """A policy that doubts nothing."""

    def review(self, call, context):
        return Review.accept()


PARTS = st.sampled_from(
    [PARIS, GUESS, COPY, GAP, SUM, LONG]
    + [f"<tool_call>{call}</tool_call>" for call in (PARIS, GUESS, GAP)]
    + [f"```json\n{call}\n```" for call in (PARIS, COPY)]
    + ['{"name": "get_weather", "arguments": {}}', '{"name": "nothing", "arguments": {}}']
    + ["Let me see:", "Should I run this?", "I will not run this:", "It rains.", "Hello!"]
)
REPLIES = st.lists(st.lists(PARTS, min_size=1, max_size=4).map("\n".join), min_size=1, max_size=3)


@settings(max_examples=examples(300), deadline=None)
@given(REPLIES, st.sampled_from(sorted(ORDERS)), st.sampled_from(["force", "fallback"]))
def test_trust_is_a_turn_without_checks(replies, asked, mode):
    """The same message as with a policy that always accepts, whole and streamed."""
    for size in (None, 5):
        given = {"order": ORDERS[asked], "mode": mode, "size": size, "contracts": CONTRACTS}
        trusted, accepted = (
            play(*replies, known=Known(), policy=policy, **given)
            for policy in (TRUST, AcceptsAll())
        )
        assert trusted.essence == accepted.essence
        assert len(trusted.requests) == len(accepted.requests)
        doubted = trusted.report["doubted"] if trusted.message else []
        assert all(one["reason"].startswith(("unclear", "declined")) for one in doubted)


# --- four ways ---


def four_ways(replies, messages, bind, **options):
    """What each way gives, with a model that begins its script anew."""
    outcomes = []
    for way in WAYS:
        forget()
        model = PiecewiseModel(replies=[(reply, "stop") for reply in replies], size=9)
        llm = ChatToolEmu(model, mode="force", **options)
        try:
            outcomes.append(essence(ask(bind(llm), messages, way)))
        except Exception as error:  # noqa: BLE001 - an error is an outcome too
            outcomes.append(repr(error))
    return outcomes


ASKED = [HumanMessage("What is the weather in Paris?")]
TABLE = {
    "accepted": (ASKED, [PARIS]),
    "guessed, insisted on": ([HumanMessage("Hello!")], [GUESS, GUESS]),
    "copied": (ASKED, [COPY, COPY]),
    "placeholder": (ASKED, [GAP, GAP]),
    "repeated": (HISTORY, [PARIS, PARIS]),
    "beside others": (ASKED, [f"{PARIS}\n{GUESS}\n{GAP}"]),
    "declined": (ASKED, [f"I will not run this:\n{PARIS}"]),
}


class Answer(BaseModel):
    """An answer."""

    city: str
    degrees: int


BINDINGS = {
    "tools": lambda llm: llm.bind_tools(TOOLS),
    "a forced tool": lambda llm: llm.bind_tools(TOOLS, tool_choice="get_weather"),
    "tools and a form": lambda llm: llm.bind_tools(TOOLS, response_format=Answer),
}


@pytest.mark.parametrize("policy", POLICIES)
def test_the_four_ways_agree(policy):
    """Whatever is doubted of a reply, with tools, a forced one, and a form next to them."""
    cases = list(product(TABLE.values(), BINDINGS.items()))
    for (messages, replies), (name, bind) in (
        cases if TEST_ALL else cases[POLICIES.index(policy) :: 5]
    ):
        first, *others = four_ways(replies, messages, bind, policy=policy)
        assert others == [first] * 3, replies
        # Only a call or a form that was demanded and never came is an error.
        assert isinstance(first, dict) or ("ToolChoiceError" in first and name != "tools")


@pytest.mark.parametrize(
    ("policy", "made"),
    [("trust", "111"), ("default", "101"), ("careful", "101"), ("strict", "100")],
)
def test_what_each_policy_makes_of_a_model_that_insists(policy, made):
    """A look-up's guess, a copied value and a repeat: strict makes nothing doubted."""
    for name, digit in zip(("guessed, insisted on", "copied", "repeated"), made, strict=True):
        messages, replies = TABLE[name]
        model = PiecewiseModel(replies=[(reply, "stop") for reply in replies])
        llm = ChatToolEmu(model, mode="force", policy=policy)
        message = llm.bind_tools(TOOLS).invoke(messages)
        assert bool(calls(message)) == (digit == "1"), name
        assert message.response_metadata["toolemu"]["policy"] == policy
