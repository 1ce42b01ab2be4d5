"""A look-up that found nothing, an act that failed for its values: a small model is held to what was not tried."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation, KnownIds, NotRepeated
from langchain_toolemu.policy.lookups import fillable
from langchain_toolemu.policy.searches import other_searches, other_values
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.tables import every_row


def tool(name, *arguments, **schemas):
    properties = {**{name: {"type": "string"} for name in arguments}, **schemas}
    return ToolSpec(name, "", {"properties": properties, "required": [*properties]})


SEARCH = tool("search_books", "query")
SLOTS = tool("get_slots", "store", "day")
LEVEL = tool("get_level", level={"type": "string", "enum": ["low", "high"]})
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
PHRASES = [
    ("a quotation", ROSE, LONG, ["Il nome della rosa", "Giulia Conti"]),
    ("a name in a sentence", "Buy three tickets for Helsinki Strings in the cheapest section.", LONG, ["Helsinki Strings", "Strings"]),
    ("a name with accents", "Cómprame dos entradas para Rosa Negra, el concierto de Valencia.", LONG, ["Rosa Negra", "Valencia"]),
    ("a word of what was tried", "Move what is left of my travel budget.", {"query": "travel budget"}, ["travel", "budget"]),
    ("a title in Chinese", "请先查一下《三体》的馆藏编号。", LONG, ["三体"]),
    ("a code", "Restart the server of INC-48213.", {"query": "server"}, ["INC-48213"]),
]  # fmt: skip


@every_row(("case", "asked", "tried", "phrases"), PHRASES)
def test_the_users_words_are_searched_for(case, asked, tried, phrases):
    """By names, quotations, codes and words that follow each other; never what was tried."""
    found = other_searches(SEARCH, steps(asked, ("search_books", tried, "[]")))["query"]
    assert {*phrases} <= {*found}
    assert tried["query"] not in found


def test_what_is_not_found_by_fewer_words_is_not_searched_for_by_more():
    """Nor is a small word, though it begins a sentence with a capital."""
    asked = "The lady waits at Northgate for the next train. Text her."
    tried = ("search_books", {"query": "Northgate"}, "[]")
    found = other_searches(SEARCH, steps(asked, tried))["query"]
    assert {"lady", "train"} <= {*found}
    assert not [text for text in found if "Northgate" in text or text.startswith("The")]


NO_PHRASES = [
    ("the verb before a name", "Stell Annegret Sommer bitte um.", "Stell Annegret Sommer", ["Annegret Sommer"], ["Stell", "Stell Annegret"]),
    ("words beside a name", "Hold Middlemarch for card 20077-3 - our copy.", "Hold it", ["Middlemarch", "20077-3"], ["Hold Middlemarch", "Middlemarch for card 20077-3", "-"]),
    ("a request", "It is late. Refund what they paid for the lab fee.", "order", ["lab fee"], ["Refund", "Refund what they paid", "fee for"]),
    ("small words", "So I think she'll take a few of the red ones.", "order", ["red ones"], ["So", "I", "she'll", "a", "few of the red"]),
]  # fmt: skip


@every_row(("case", "asked", "tried", "phrases", "others"), NO_PHRASES)
def test_what_is_no_name_is_not_searched_for(case, asked, tried, phrases, others):
    """A small model held to the words of a request takes the first that it wrote before."""
    talk = steps(asked, ("search_books", {"query": tried}, "[]"))
    found = {*other_searches(SEARCH, talk)["query"]}
    assert {*phrases} <= found
    assert found.isdisjoint(others)


def test_a_blank_value_is_no_phrase():
    """A result may be empty of words."""
    talk = steps("Find 'the list'.", ("search_books", {"query": "the list"}, '{"found": "   "}'))
    assert "" not in other_searches(SEARCH, talk).get("query", ())


def test_what_a_result_names_is_searched_for_as_well():
    """A value of JSON, a code in a text; and of several arguments, one may have been right."""
    asked = "Groceries on Saturday from whichever store has the cheapest oat milk."
    tried = {"store": "any", "day": "Saturday"}
    prices = ("compare_prices", {}, '{"MegaMart": 2.19, "FreshCo": 1.79}')
    found = other_searches(SLOTS, steps(asked, prices, ("get_slots", tried, "No slots.")))
    assert {"FreshCo", "MegaMart"} <= {*found["store"]}
    assert "Saturday" in found["day"]


def test_a_date_stays_as_the_model_wrote_it():
    """It fits the tool's description, which the user's words need not."""
    asked = "Groceries from FreshCo on March 14th."
    tried = {"store": "any", "day": "2026-03-14"}
    found = other_searches(SLOTS, steps(asked, ("get_slots", tried, "No slots.")))
    assert "2026-03-14" in found["day"]
    assert "2026-03-14" not in found["store"]


FREE = [
    ("it found something", SEARCH, [("search_books", LONG, "B20: The Dispossessed")]),
    ("it was not called", SEARCH, [("list_orders", {"customer": "Conti"}, "[]")]),
    ("the service failed", SEARCH, [("search_books", LONG, "Error: timed out, try again")]),
    ("its values are offered", LEVEL, [("get_level", {"level": "low"}, "[]")]),
    ("it acts", BUY, [("buy_book", {"book_id": "x"}, "Error: unknown book")]),
    ("it was tried twice", SEARCH, [("search_books", LONG, "[]")] * 2),
]


@every_row(("case", "spec", "made"), FREE)
def test_other_look_ups_are_not_held_to_anything(case, spec, made):
    """What acts is held to no words: they might be the wrong ones."""
    assert other_searches(spec, steps(ROSE, *made)) == {}


def review(args, talk, *, is_small=True, tools=TOOLS):
    call = Call("search_books", args, "", "json", explicit=False)
    return NotRepeated().review(call, CallContext(SEARCH, tools, talk, is_small=is_small))


@pytest.mark.parametrize("result", ["[]", "No books found.", "Error: unknown title"])
def test_the_same_look_up_is_asked_for_in_other_words(result):
    """Or another look-up, but none that needs an id while nobody gave any."""
    found = review(LONG, steps(ROSE, ("search_books", LONG, result)))
    assert (found.outcome, found.demands, found.final) == ("ask", True, False)
    assert found.offers == ("search_books", "list_orders")


def test_other_words_are_asked_for_twice_at_most():
    """Then it is a repeated call as any other; and so it is with other values, or by a larger model."""
    once = ("search_books", LONG, "[]")
    assert review({"query": "rosa"}, steps(ROSE, once)).outcome == "accept"
    assert not review(LONG, steps(ROSE, once), is_small=False).demands
    assert not review(LONG, steps(ROSE, *[once] * 3)).demands


RESTART = tool("restart_server", "server")
SWITCH = tool("switch_tariff", "contract_no", "tariff_code")
SERVERS = tool("list_servers")
RUNNING = """[{"name": "web-1", "runs": ["search"]}, {"name": "app-3", "runs": ["billing"]}]"""
TARIFFS = "code  name\nOEKO-24  Green power\nHEAT-3  Green power heat pump\nBASIC-1  Basic"
BOX = "restart the box billing is running on"
FAILED = ("restart_server", {"server": "box billing"}, "Error: unknown server")
LISTED = ("list_servers", {}, RUNNING)
PUMPS = "Switch contract EC-7702 to the green tariff for heat pumps."
GREEN = {"contract_no": "EC-7702", "tariff_code": "green"}
NOT_FOUND = "Error: contract or tariff not found"
CODES = [
    ("the entry that names what the user does", RESTART, BOX, [FAILED, LISTED], {"server": ("app-3",)}),
    ("the line that is most like the request; the user's own code stays free", SWITCH, PUMPS, [("switch_tariff", GREEN, NOT_FOUND), ("list_tariffs", {}, TARIFFS)], {"tariff_code": ("HEAT-3",)}),
    ("every one, if none is like it", RESTART, "Neu starten!", [FAILED, LISTED], {"server": ("web-1", "app-3")}),
    ("none that was tried", RESTART, BOX, [("restart_server", {"server": "app-3"}, "Error: unknown server"), LISTED], {}),
    ("none that was only searched for", RESTART, BOX, [FAILED, ("ping", {"host": "db-9"}, "db-9 is up")], {}),
    ("none if a list is long", RESTART, BOX, [FAILED, LISTED, ("list_disks", {}, "disk d-1\n" * 500)], {}),
    ("none if nothing told one", RESTART, BOX, [FAILED, ("list_servers", {}, "[]")], {}),
    ("none if the service failed", RESTART, BOX, [("restart_server", {"server": "box billing"}, "Error: timed out"), LISTED], {}),
]  # fmt: skip


@every_row(("case", "spec", "asked", "made", "expected"), CODES)
def test_an_act_that_failed_for_its_values_is_held_to_told_codes(case, spec, asked, made, expected):
    """To those of the entries that share the most words with the request."""
    assert other_values(spec, steps(asked, *made)) == expected


def review_restart(*made, is_small=True):
    call = Call("restart_server", {"server": "box billing"}, "", "json", explicit=False)
    context = CallContext(RESTART, [SERVERS, RESTART], steps(BOX, *made), is_small=is_small)
    return NotRepeated().review(call, context)


def test_what_failed_for_its_values_is_looked_up_and_then_called_otherwise():
    """A small model that writes the same values again is not let through, a larger one may know better."""
    first, second = review_restart(FAILED), review_restart(FAILED, LISTED)
    assert (first.offers, first.final) == (("list_servers",), False)
    assert (second.offers, second.demands, second.final) == (("restart_server",), True, True)
    assert review_restart(FAILED, LISTED, is_small=False).outcome == "accept"


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
