"""One more middleware gives tool calling to an agent, whichever model it asks: here the one that stands in for a server that is down."""

import sqlite3

from any_model import any_model
from langchain.agents import create_agent
from langchain.agents.middleware import ModelFallbackMiddleware
from langchain_openai import ChatOpenAI

from langchain_toolemu import ToolEmuMiddleware

SHOP = sqlite3.connect(":memory:", check_same_thread=False)
SHOP.executescript("""
    create table orders (number integer primary key, customer text, item text, state text);
    insert into orders values (6, 'Ann', 'a kettle', 'sent'), (7, 'Ann', 'a lamp', 'open'), (8, 'Bob', 'a chair', 'open');
""")


def find_orders(customer: str) -> str:
    """Find the orders of a customer, by name."""
    rows = SHOP.execute(
        "select number, item, state from orders where customer = ? collate nocase", (customer,)
    )
    found = [f"order {number}: {item}, {state}" for number, item, state in rows]
    return "; ".join(found) or f"{customer} has no orders."


def cancel_order(number: int) -> str:
    """Cancel an order, unless it is sent."""
    with SHOP:
        changed = SHOP.execute(
            "update orders set state = 'cancelled' where number = ? and state = 'open'", (number,)
        )
    return f"order {number} is {'cancelled' if changed.rowcount else 'not open, so it stays'}"


if __name__ == "__main__":
    # Nobody listens on port 1: this one is down.
    down = ChatOpenAI(model="m", base_url="http://127.0.0.1:1/v1", api_key="none", max_retries=0)
    agent = create_agent(
        down,
        [find_orders, cancel_order],
        middleware=[
            ModelFallbackMiddleware(any_model()),
            # Last in the list: it wraps the model that the middleware before it has chosen. A small model calls on
            # and on, so after one round it is asked for the answer.
            ToolEmuMiddleware(mode="force", max_tool_rounds=1),
        ],
    )
    for question in ["Which orders has the customer 'Ann'?", "Please cancel order 7."]:
        print("user:  ", question)
        state = agent.invoke({"messages": [("user", question)]}, {"recursion_limit": 20})
        for message in state["messages"]:
            for call in getattr(message, "tool_calls", ()):
                print("call:  ", call["name"], call["args"])
        last = state["messages"][-1]
        print("answer:", last.text, f"({last.response_metadata['toolemu']['path']})")
    print("shop:  ", SHOP.execute("select number, state from orders").fetchall())
