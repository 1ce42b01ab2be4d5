"""A hand-off: the front desk passes a customer on to the agent who can help. A middleware gives each agent tool calling."""

from any_model import any_model
from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.messages import ToolMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command
from progress import PROGRESS

from langchain_toolemu import ToolEmuMiddleware

BALANCES = {4417: "38.50 euros, due on 1 June", 2310: "nothing"}
QUESTIONS = (
    "I am customer 4417. How much do I still have to pay?",
    "I am customer 2310 and my internet is down. Please restart my modem.",
)


def hand_off(agent: str, when: str):
    """A tool that leaves this agent and goes on in another, with the whole conversation."""

    @tool(f"transfer_to_{agent}", description=f"Transfer the customer to {agent}: {when}.")
    def transfer(runtime: ToolRuntime) -> Command:
        told = f"The customer is with {agent} now, and waits for help."
        done = ToolMessage(told, tool_call_id=runtime.tool_call_id)
        update = {"messages": [*runtime.state["messages"], done]}
        return Command(goto=agent, graph=Command.PARENT, update=update)

    return transfer


class Provider:
    """What the two specialists can do."""

    def __init__(self) -> None:
        self.restarted: list[int] = []

    def get_balance(self, customer: int) -> str:
        """Look up what a customer still has to pay, by the customer's number."""
        return f"Customer {customer} owes {BALANCES.get(customer, 'nothing: there is no such number')}."

    def restart_modem(self, customer: int) -> str:
        """Restart the modem of a customer, by the customer's number."""
        self.restarted.append(customer)
        return f"The modem of customer {customer} is on again."


def build(provider: Provider):
    model = any_model(embedded_can=False)  # it could be another one for each agent
    transfers = [
        hand_off("billing", "invoices and payments"),
        hand_off("support", "modem and internet"),
    ]
    roles = {
        "front_desk": (transfers, "You are the front desk. Transfer each customer."),
        "billing": ([provider.get_balance], "You are billing. Look up what the customer asks."),
        "support": (
            [provider.restart_modem],
            "You are technical support. Do what the customer asks.",
        ),
    }
    graph = StateGraph(MessagesState)
    for name, (tools, prompt) in roles.items():
        emulated = ToolEmuMiddleware(max_tool_rounds=3)
        agent = create_agent(model, tools, system_prompt=prompt, middleware=[emulated], name=name)
        graph.add_node(name, agent)
    return graph.add_edge(START, "front_desk").compile()


def main() -> dict:
    provider, answers = Provider(), []
    graph = build(provider)
    for question in QUESTIONS:
        PROGRESS.say("user", question)
        state = graph.invoke({"messages": [("user", question)]}, {"callbacks": [PROGRESS]})
        last = state["messages"][-1]
        PROGRESS.say(last.name, last.text)
        answers.append({"agent": last.name, "answer": last.text})
    PROGRESS.say("restarts", provider.restarted or "none")
    return {"answers": answers, "restarted": provider.restarted}


if __name__ == "__main__":
    main()
