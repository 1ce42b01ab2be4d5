"""Everyday tools: a house, errands, travel, work. The requests of `indirect` and `near` are each made beside a few of them."""

from typing import Any


def _tool(name: str, purpose: str, /, **arguments: Any) -> dict[str, Any]:
    """A tool as OpenAI's API takes it: each argument is a type, its choices, or a type and a description."""
    properties = {key: _schema(about) for key, about in arguments.items()}
    parameters = {"type": "object", "properties": properties, "required": list(arguments)}
    function = {"name": name, "description": purpose, "parameters": parameters}
    return {"type": "function", "function": function}


def _schema(about: Any) -> dict[str, Any]:
    match about:
        case list():
            return {"type": "string", "enum": about}
        case (kind, text):
            return {"type": kind, "description": text}
        case _:
            return {"type": about}


TEXT, WHOLE, NUMBER = "string", "integer", "number"

WEATHER = _tool("get_weather", "Get the current weather in a city.", city=TEXT)
LOCAL_TIME = _tool("get_local_time", "Get the time of day in a city.", city=TEXT)
THERMOSTAT = _tool("set_thermostat", "Set the heating of the home to a temperature.", celsius=WHOLE)
LIGHT = _tool("set_light", "Switch the light of a room on or off.", room=TEXT, state=["on", "off"])
BLINDS = _tool(
    "move_blinds", "Open or close the blinds of a room.", room=TEXT, position=["open", "closed"]
)
DOOR = _tool("lock_door", "Lock a door of the house.", door=TEXT)
VACUUM = _tool("start_vacuum", "Let the robot vacuum clean a room.", room=TEXT)
MUSIC = _tool("play_music", "Play music by an artist.", artist=TEXT)
VOLUME = _tool("change_volume", "Make the speaker louder or quieter.", direction=["up", "down"])
ALARM = _tool("set_alarm", "Set the alarm clock.", time=(TEXT, "HH:MM, 24 hours"))
TIMER = _tool("start_timer", "Start a kitchen timer.", minutes=WHOLE)
CALENDAR = _tool(
    "add_to_calendar",
    "Add an entry to the user's calendar.",
    title=TEXT,
    date=(TEXT, "YYYY-MM-DD"),
    time=(TEXT, "HH:MM, 24 hours"),
)
SHOPPING = _tool("add_to_shopping_list", "Add an item to the shopping list.", item=TEXT)
TEXTING = _tool(
    "text_contact", "Send a text message to one of the user's contacts.", contact=TEXT, message=TEXT
)
TRANSLATE = _tool("translate", "Translate a text into another language.", text=TEXT, language=TEXT)
SHARES = _tool("get_share_price", "Get the current share price of a company.", company=TEXT)
MONEY = _tool(
    "convert_money",
    "Convert an amount of money at today's rate.",
    amount=NUMBER,
    source=(TEXT, "currency code"),
    target=(TEXT, "currency code"),
)
NEWS = _tool("get_headlines", "Get today's headlines on a topic.", topic=TEXT)
TRAINS = _tool(
    "find_trains",
    "Find train connections.",
    origin=TEXT,
    destination=TEXT,
    date=(TEXT, "YYYY-MM-DD"),
)
FLIGHT = _tool("get_flight_status", "Say whether a flight is on time.", flight_number=TEXT)
TAXI = _tool("order_taxi", "Order a taxi.", pickup=TEXT, destination=TEXT)
PARCEL = _tool("track_parcel", "Find out where a parcel is.", tracking_number=TEXT)
PIZZA = _tool(
    "order_pizza", "Order a pizza to the user's home.", kind=TEXT, size=["small", "medium", "large"]
)
APPOINTMENT = _tool(
    "book_appointment",
    "Book an appointment at a doctor's practice.",
    doctor=TEXT,
    date=(TEXT, "YYYY-MM-DD"),
)
REFUND = _tool("refund_order", "Pay back the price of an order.", order_number=TEXT, reason=TEXT)
TICKET = _tool(
    "open_ticket",
    "Open a ticket with IT support.",
    subject=TEXT,
    priority=["low", "normal", "high"],
)
CUSTOMERS = _tool("count_customers", "Count the customers of a country.", country=TEXT)
TESTS = _tool("run_tests", "Run the tests of a folder.", folder=TEXT)
READ = _tool("read_file", "Read a text file.", path=TEXT)
DELETE = _tool("delete_file", "Delete a file.", path=TEXT)
