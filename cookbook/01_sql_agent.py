"""A SQL agent: the model writes the query, SQLite runs it, and the database allows nothing but SELECT."""

import sqlite3

from any_model import any_model
from langchain.agents import create_agent
from progress import PROGRESS

from langchain_toolemu import ChatToolEmu

SCHEMA = """
create table customers (id integer primary key, name text, city text);
create table products (id integer primary key, name text, price real);
create table orders (id integer primary key, customer_id integer references customers(id),
                     product_id integer references products(id), quantity integer);
"""
ROWS = """
insert into customers values (1, 'Ann', 'Oslo'), (2, 'Bob', 'Lima'), (3, 'Eve', 'Rome'), (4, 'Max', 'Oslo');
insert into products values (1, 'kettle', 40.0), (2, 'lamp', 25.5), (3, 'chair', 120.0);
insert into orders values (1, 1, 1, 2), (2, 2, 3, 1), (3, 3, 2, 4), (4, 1, 2, 1), (5, 3, 1, 2), (6, 4, 3, 1);
"""
QUESTION = "Which customer spent the most money in total, and how much was it?"
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)


def open_shop() -> sqlite3.Connection:
    """A database with rows, which from then on can only be read: SQLite itself refuses the rest."""
    shop = sqlite3.connect(":memory:", check_same_thread=False)
    shop.executescript(SCHEMA + ROWS)
    shop.set_authorizer(
        lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY
    )
    return shop


class Shop:
    """The tool, and what it found last."""

    def __init__(self) -> None:
        self.rows: list[list] = []
        self._shop = open_shop()

    def run_sql(self, query: str) -> str:
        """Run one SQL SELECT statement on the shop's database (SQLite) and return the rows.

        Args:
            query: the SELECT statement
        """
        try:
            self.rows = [list(row) for row in self._shop.execute(query).fetchmany(20)]
        except (sqlite3.Error, sqlite3.Warning) as error:
            # The model reads the error and can try again.
            hint = " Only SELECT is allowed." if "not authorized" in str(error) else ""
            return f"Error: {error}.{hint}"
        return "\n".join(map(str, self.rows)) or "no rows"


def main() -> dict:
    shop = Shop()
    agent = create_agent(
        ChatToolEmu(llm=any_model(embedded_can=False), max_tool_rounds=4),
        [shop.run_sql],
        system_prompt=f"Call run_sql with one SELECT statement, then answer from its rows.\n{SCHEMA}",
    )
    PROGRESS.say("user", QUESTION)
    state = agent.invoke({"messages": [("user", QUESTION)]}, {"callbacks": [PROGRESS]})
    answer = state["messages"][-1].text
    PROGRESS.say("answer", answer)
    PROGRESS.say("rows", shop.rows or "none: the model ran no query that works")
    return {"rows": shop.rows, "answer": answer}


if __name__ == "__main__":
    main()
