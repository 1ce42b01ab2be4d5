"""A support agent: a policy of your own refuses large refunds, a person is asked before every other one, and each case is stored."""

from any_model import any_model
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from progress import PROGRESS

from langchain_toolemu import ChatToolEmu, Checks, Review
from langchain_toolemu.policy import DEFAULT
from langchain_toolemu.rounds import Rounds, to_rounds

PRICES = {1002: 49.90, 1003: 780.00}
LIMIT = 100
REQUESTS = (
    "My lamp arrived broken. Please refund order 1002.",
    "I do not like the sofa. Please refund order 1003.",
)


class RefundLimit:
    """Refuses the refund of an order that costs more than the limit, and tells the model what to say instead."""

    def review(self, call, context):
        price = PRICES.get(call.args.get("order"), 0)
        if context.tool.name == "refund_order" and price > LIMIT:
            reason = f"refunds above {LIMIT} euros are made at the counter"
            return Review.ask(reason, f"Not done: {reason}. Tell the customer.", final=True)
        return Review.accept()


class Shop:
    """The tools, and what was paid back."""

    def __init__(self) -> None:
        self.refunds: list[int] = []

    def find_order(self, order: int) -> str:
        """Look up the price of an order."""
        return f"Order {order} costs {PRICES[order]:.2f} euros." if order in PRICES else "not found"

    def refund_order(self, order: int) -> str:
        """Refund an order: the customer gets the money back."""
        self.refunds.append(order)
        return f"Order {order} is refunded."


def ask_person(action: dict) -> dict:
    """Approve or reject a call at the keyboard."""
    yes = input(f"Allow {action['name']} with {action['args']}? [y/n] ").strip().lower()
    if yes.startswith("y"):
        return {"type": "approve"}
    return {"type": "reject", "message": "A colleague has declined the refund."}


def record_of(stored: str) -> str:
    """A stored case for people to read: a line for each round, with its calls and results."""
    rounds = Rounds.model_validate_json(stored).rounds
    told = ([call.name for call in one.calls] + [r.text for r in one.results] for one in rounds)
    return "\n".join(" -> ".join(line) for line in told) or "no call"


def main() -> dict:
    shop, refused = Shop(), []
    # With force, every call is read from text, so the policy reviews all of them on any provider.
    llm = ChatToolEmu(
        any_model(), mode="force", policy=DEFAULT + Checks(RefundLimit()), max_tool_rounds=3
    )
    agent = create_agent(
        llm,
        [shop.find_order, shop.refund_order],
        system_prompt="You are the support of a shop. Do what the customer asks.",
        middleware=[HumanInTheLoopMiddleware(interrupt_on={"refund_order": True})],
        checkpointer=InMemorySaver(),
    )
    for number, request in enumerate(REQUESTS):
        PROGRESS.say("user", request)
        thread = {"configurable": {"thread_id": str(number)}, "callbacks": [PROGRESS]}
        state = agent.invoke({"messages": [("user", request)]}, thread)
        # The agent has stopped before the tool. The checkpointer keeps the conversation until the person has decided.
        while "__interrupt__" in state:
            actions = state["__interrupt__"][0].value["action_requests"]
            decisions = {"decisions": [ask_person(action) for action in actions]}
            state = agent.invoke(Command(resume=decisions), thread)
        for message in state["messages"]:
            for call in message.response_metadata.get("toolemu", {}).get("doubted", ()):
                PROGRESS.say("policy", f"{call['name']}({call['args']}): {call['reason']}")
                refused += [] if call["made"] else [call["args"]]
        PROGRESS.say("answer", state["messages"][-1].text or "none")
        stored = to_rounds(state["messages"]).model_dump_json()  # JSON for a column of a table
        PROGRESS.say("record", record_of(stored))
    PROGRESS.say("refunds", shop.refunds or "none")
    return {"refunds": shop.refunds, "refused": refused}


if __name__ == "__main__":
    main()
