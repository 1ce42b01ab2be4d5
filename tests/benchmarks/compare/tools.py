"""The tools of the random turns, with questions that want them and arguments that fit, or do not."""

from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

Args: TypeAlias = dict[str, Any]
Call: TypeAlias = tuple[str, Any]
"""A name and arguments; a string where they are no JSON object."""

STRING, INTEGER = {"type": "string"}, {"type": "integer"}
STRINGS = {"type": "array", "items": STRING}
PLACE = {"type": "object", "properties": {"name": STRING, "city": STRING}, "required": ["name"]}


@dataclass(frozen=True)
class Tool:
    """One tool: what is bound, and what a model may write for it."""

    name: str
    description: str
    properties: dict[str, Any]
    required: tuple[str, ...]
    asked: tuple[tuple[str, Args], ...]  # a question, and the arguments that it gives
    bad: tuple[Args, ...]  # arguments that do not fit
    doubtful: tuple[Args, ...]  # that fit, with what nobody said, or placeholders

    def bound(self) -> dict[str, Any]:
        """The tool as `bind_tools` takes it."""
        schema = {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
        }
        function = {"name": self.name, "description": self.description, "parameters": schema}
        return {"type": "function", "function": function}


TOOLS = (
    Tool(
        "get_weather",
        "Get the weather of a city.",
        {"city": STRING, "unit": {"type": "string", "enum": ["c", "f"]}},
        ("city",),
        (
            ("What is the weather in Paris?", {"city": "Paris"}),
            ("Wie ist das Wetter in Köln in Celsius?", {"city": "Köln", "unit": "c"}),
        ),
        ({"town": "Paris"}, {"city": ["Paris"]}, {"city": "Paris", "unit": "kelvin"}, {}),
        ({"city": "<city>"}, {"city": "your_city"}, {"city": "Oslo"}, {"city": ""}),
    ),
    Tool(
        "search",
        "Search the web.",
        {"query": STRING, "tags": STRINGS, "limit": {"type": "integer", "minimum": 1}},
        ("query",),
        (
            ("Find three pages about green tea.", {"query": "green tea", "limit": 3}),
            ("Search for tea tagged news and food.", {"query": "tea", "tags": ["news", "food"]}),
        ),
        ({"query": 1, "limit": "many"}, {"query": "tea", "limit": 0}, {"tags": "news"}),
        ({"query": "example query"}, {"query": "..."}, {"query": "tea", "limit": 77}),
    ),
    Tool(
        "get_order",
        "Look up an order by its id.",
        {"order_id": STRING},
        ("order_id",),
        (("Where is my order A-1234?", {"order_id": "A-1234"}), ("Where is order 77?", {"order_id": "77"})),
        ({"order_id": None}, {"id": "A-1234"}),
        ({"order_id": "12345"}, {"order_id": "ORDER_ID"}, {"order_id": "abc-xyz"}),
    ),
    Tool(
        "list_files",
        "List the files of the current folder.",
        {},
        (),
        (("Which files are here?", {}),),
        ({"folder": "/tmp"},),
        ({},),
    ),
    Tool(
        "add",
        "Add two numbers.",
        {"a": INTEGER, "b": INTEGER},
        ("a", "b"),
        (("What is 17 plus 25?", {"a": 17, "b": 25}),),
        ({"a": "17", "b": "x"}, {"a": 1}, {"a": 1.5, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 17, "b": 0}),
    ),
    Tool(
        "send_mail",
        "Send a mail to some addresses.",
        {"to": STRINGS, "subject": STRING, "body": STRING},
        ("to", "subject"),
        (
            (
                "Send a mail to ann@example.org with the subject Lunch.",
                {"to": ["ann@example.org"], "subject": "Lunch"},
            ),
        ),
        ({"to": "ann@example.org", "subject": 5}, {"subject": "Lunch"}),
        (
            {"to": ["user@example.com"], "subject": "Lunch"},
            {"to": ["bob@example.org"], "subject": "[subject]"},
        ),
    ),
    Tool(
        "delete_file",
        "Delete a file for good.",
        {"path": STRING},
        ("path",),
        (("Delete the file notes.txt.", {"path": "notes.txt"}),),
        ({"path": {"name": "notes.txt"}}, {"file": "notes.txt"}),
        ({"path": "path/to/file"}, {"path": "report.txt"}),
    ),
    Tool(
        "book_table",
        "Book a table at a restaurant.",
        {"place": PLACE, "people": {"type": "integer", "minimum": 1}, "time": STRING},
        ("place", "people"),
        (
            (
                "Book a table for four at Roma in Bonn at 19:30.",
                {"place": {"name": "Roma", "city": "Bonn"}, "people": 4, "time": "19:30"},
            ),
        ),
        ({"place": "Roma", "people": 4}, {"place": {"city": "Bonn"}, "people": 0}),
        ({"place": {"name": "Restaurant"}, "people": 2}, {"place": {"name": "Roma"}, "people": 100}),
    ),
    Tool(
        "pay_invoice",
        "Pay an invoice.",
        {
            "invoice_id": {"type": "string", "pattern": "^INV-[0-9]+$"},
            "amount": {"type": "number"},
            "currency": {"type": "string", "enum": ["EUR", "USD"]},
        },
        ("invoice_id", "amount"),
        (
            (
                "Pay invoice INV-77 over 12.50 euros.",
                {"invoice_id": "INV-77", "amount": 12.5, "currency": "EUR"},
            ),
        ),
        ({"invoice_id": "77", "amount": "much"}, {"invoice_id": "INV-77", "amount": "12.50"}),
        ({"invoice_id": "INV-12345", "amount": 100}, {"invoice_id": "INV-77", "amount": 0}),
    ),
    Tool(
        "configure",
        "Change settings.",
        {"debug": {"type": "boolean"}, "level": {"type": ["integer", "null"]}},
        (),
        (("Switch debugging on, at level 2.", {"debug": True, "level": 2}),),
        ({"debug": "perhaps"}, {"level": "high"}),
        ({"debug": False}, {"level": None}),
    ),
)  # fmt: skip


def asked_call(random: Random, tools: list[Tool]) -> tuple[str, Call]:
    """A question, and the call that answers it."""
    tool = random.choice(tools)
    question, args = random.choice(tool.asked)
    return question, (tool.name, args)


def any_call(random: Random, tools: list[Tool], wanted: Call) -> Call:
    """A call as a model may make it: mostly the one that is wanted."""
    roll = random.random()
    if roll < 0.5:
        return wanted
    tool = random.choice(tools)
    if roll < 0.65:
        return tool.name, random.choice(tool.asked)[1]
    if roll < 0.78:
        return tool.name, random.choice(tool.bad)
    if roll < 0.92:
        return tool.name, random.choice(tool.doubtful)
    other = random.choice(
        ["get_wether", "getWeather", "functions.search", "final_answer", "python"]
    )
    return other, wanted[1]
