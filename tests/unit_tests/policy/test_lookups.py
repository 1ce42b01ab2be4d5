"""A look-up that found nothing, an act that failed for its values: what a small model may look up instead."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation, KnownIds, NotRepeated
from langchain_toolemu.policy.lookups import fillable
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row


def tool(name, *arguments):
    properties = {name: {"type": "string"} for name in arguments}
    return ToolSpec(name, "", {"properties": properties, "required": [*properties]})


SEARCH = tool("search_books", "query")
ORDERS = tool("list_orders", "customer")
STOCK = tool("check_stock", "book_id")
BUY = tool("buy_book", "book_id")
TOOLS = [SEARCH, ORDERS, STOCK, BUY]


def steps(asked, *made):
    """What the user asked, and calls with their results."""
    messages = [HumanMessage(asked)]
    for number, (name, args, result) in enumerate(made):
        messages += [
            AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(number)}]),
            ToolMessage(result, tool_call_id=str(number)),
        ]
    return Conversation(messages)


ROSE = 'Ordina due copie di "Il nome della rosa" per Giulia Conti, grazie!'
LONG = {"query": "Il nome della rosa Giulia Conti"}


def review(args, talk, *, is_small=True, tools=TOOLS):
    call = Call("search_books", args, "", "json", explicit=False)
    return NotRepeated().review(call, CallContext(SEARCH, tools, talk, is_small=is_small))


@pytest.mark.parametrize("result", ["[]", "No books found.", "Error: unknown title"])
def test_another_look_up_is_asked_for_where_one_found_nothing(result):
    """Neither the same one nor one that needs an id while nobody gave any."""
    found = review(LONG, steps(ROSE, ("search_books", LONG, result)))
    assert (found.outcome, found.demands, found.final) == ("ask", True, False)
    assert found.offers == ("list_orders",)


def test_another_look_up_is_asked_for_twice_at_most():
    """Then it is a repeated call as any other, as it is by a larger model; with other values it is made."""
    once = ("search_books", LONG, "[]")
    assert review({"query": "rosa"}, steps(ROSE, once)).outcome == "accept"
    assert not review(LONG, steps(ROSE, once), is_small=False).demands
    assert review(LONG, steps(ROSE, *[once] * 2)).demands
    assert not review(LONG, steps(ROSE, *[once] * 3)).demands


RESTART = tool("restart_server", "server")
SERVERS = tool("list_servers")
RUNNING = """[{"name": "web-1", "runs": ["search"]}, {"name": "app-3", "runs": ["billing"]}]"""
BOX = "restart the box billing is running on"
FAILED = ("restart_server", {"server": "box billing"}, "Error: unknown server")
LISTED = ("list_servers", {}, RUNNING)


def review_restart(*made, is_small=True):
    call = Call("restart_server", {"server": "box billing"}, "", "json", explicit=False)
    context = CallContext(RESTART, [SERVERS, RESTART], steps(BOX, *made), is_small=is_small)
    return NotRepeated().review(call, context)


def test_what_failed_for_its_values_is_looked_up_first():
    """By a small model, a larger one may know better; once something was told, the act may be tried again."""
    first = review_restart(FAILED)
    assert (first.offers, first.demands, first.final) == (("list_servers",), True, False)
    assert review_restart(FAILED, is_small=False).outcome == "accept"
    assert review_restart(FAILED, LISTED).outcome == "accept"


def test_an_id_that_was_looked_up_in_vain_is_not_made_up():
    """After two look-ups that found nothing the user is told so; after one there is another try."""
    find = ToolSpec("find_book", "Finds the book_id of a book.", SEARCH.parameters)
    call = Call("buy_book", {"book_id": "B-1"}, "", "json", explicit=False)

    def review_buying(*queries, is_small=True):
        made = [("find_book", {"query": query}, "[]") for query in queries]
        context = CallContext(BUY, [find, BUY], steps(ROSE, *made), is_small=is_small)
        return KnownIds().review(call, context)

    once, twice = review_buying("x"), review_buying("x", "y")
    assert (once.offers, once.demands) == (("find_book",), True)
    assert (twice.offers, twice.demands, twice.final) == ((), False, True)
    assert "not found" in twice.correction
    assert not review_buying("x", "y", is_small=False).final


FLIGHTS = tool("search_flights", "origin", "destination", "date")
BOOKING = tool("get_booking", "booking_id")
SEATS = tool("get_seats", "flight")
CHOICES = [
    ("no day was named", "Mail Priya the seat that she has on VD2SHJ.", ["get_booking", "get_seats"]),
    ("a day was named", "Mail Priya the seat on VD2SHJ for tomorrow.", ["search_flights", "get_booking", "get_seats"]),
    ("no code was given", "Mail Priya her seat on tomorrow's flight.", ["search_flights", "get_seats"]),
    ("an address may be one", "Mail the seat of tomorrow to priya@mail.example.", ["search_flights", "get_booking", "get_seats"]),
    ("a number may be one", "Mail Priya her seat of booking 4521 tomorrow.", ["search_flights", "get_booking", "get_seats"]),
    ("a number of telephone is none", "Text +447700900471 the seat of tomorrow.", ["search_flights", "get_seats"]),
]  # fmt: skip


@every_row(("case", "asked", "expected"), CHOICES)
def test_what_needs_a_value_that_nobody_gave_is_not_demanded(case, asked, expected):
    """Neither a day nor a code is made up for a look-up, as long as another one needs none."""
    tools = [FLIGHTS, BOOKING, SEATS]
    context = CallContext(BUY, tools, steps(asked), is_small=True)
    assert [*fillable(tuple(spec.name for spec in tools), context)] == expected
    assert fillable(("get_booking",), context) == ("get_booking",)
