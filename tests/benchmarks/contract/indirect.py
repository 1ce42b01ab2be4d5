"""Thirty requests that name no tool and often not even the value: what is needed has to be understood.

A call is right if it is of the right tool and each argument that can be judged holds one of the right values: a text
holds it among its words, anything else is equal to it. An argument that is not listed is not judged.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.benchmarks.contract.everyday import (
    ALARM,
    BLINDS,
    CALENDAR,
    CUSTOMERS,
    DELETE,
    DOOR,
    FLIGHT,
    LIGHT,
    LOCAL_TIME,
    MONEY,
    MUSIC,
    NEWS,
    PARCEL,
    PIZZA,
    READ,
    REFUND,
    SHARES,
    SHOPPING,
    TAXI,
    TESTS,
    TEXTING,
    THERMOSTAT,
    TICKET,
    TIMER,
    TRAINS,
    TRANSLATE,
    VACUUM,
    VOLUME,
    WEATHER,
)
from tests.benchmarks.contract.truth import are_matched


class Needed(NamedTuple):
    """A call that is needed: its tool, and the right values of the arguments that can be judged."""

    name: str
    args: Mapping[str, Sequence[Any]]


class Request(NamedTuple):
    """What is asked, the tools beside it, and the calls that it needs."""

    text: str
    tools: Sequence[dict[str, Any]]
    needed: Sequence[Needed]


def _one(text: str, tools: Sequence[dict[str, Any]], name: str, /, **args: Any) -> Request:
    return Request(text, tools, [Needed(name, args)])


def are_needed(calls: Sequence[Mapping[str, Any]], needed: Sequence[Needed]) -> bool:
    """Whether exactly the needed calls were made, in any order."""
    return are_matched(calls, needed, _fits)


def _fits(args: Mapping[str, Any], needed: Needed) -> bool:
    return all(
        any(_holds(args.get(key), one) for one in right) for key, right in needed.args.items()
    )


def _holds(value: Any, right: Any) -> bool:
    if isinstance(value, str) and isinstance(right, str):
        return bool(re.search(rf"(?<!\w){re.escape(right)}(?!\w)", value, re.IGNORECASE))
    return bool(value == right)


REQUESTS = [
    _one("How warm is it in the capital of Italy?", [WEATHER], "get_weather", city=["Rome", "Roma"]),
    _one("I'm freezing in here.", [MUSIC, THERMOSTAT, LIGHT], "set_thermostat"),
    _one("Put my flight in the calendar: 3 March 2027, half past six.", [CALENDAR, FLIGHT], "add_to_calendar", title=["flight"], date=["2027-03-03"], time=["06:30", "6:30", "18:30"]),
    _one("We're out of oat milk again.", [PIZZA, SHOPPING, TEXTING], "add_to_shopping_list", item=["milk"]),
    _one("It's pitch dark in the cellar, I can't see a thing.", [LIGHT, BLINDS], "set_light", room=["cellar"], state=["on"]),
    _one("I have to be up at a quarter to six tomorrow.", [TIMER, ALARM, CALENDAR], "set_alarm", time=["05:45", "5:45"]),
    _one("What would a Spaniard say for 'the bill, please'?", [TRANSLATE, WEATHER], "translate", text=["the bill, please", "the bill please"], language=["Spanish", "es", "Español"]),
    _one("These eggs want to boil for seven minutes.", [ALARM, TIMER], "start_timer", minutes=[7]),
    _one("I can hardly hear the radio.", [VOLUME, MUSIC], "change_volume", direction=["up"]),
    _one("Where did my parcel get to? The slip says 4471-QX.", [FLIGHT, PARCEL], "track_parcel", tracking_number=["4471-QX", "4471QX"]),
    _one("Will I want sunglasses in the city of the Eiffel Tower right now?", [WEATHER, LOCAL_TIME], "get_weather", city=["Paris"]),
    _one("My wife comes in on LH438. Is she running late?", [TRAINS, FLIGHT, PARCEL], "get_flight_status", flight_number=["LH438", "LH 438"]),
    _one("Twelve hundred euros, what does that make in American money?", [MONEY, SHARES], "convert_money", amount=[1200], source=["EUR", "euro", "euros"], target=["USD", "dollar", "dollars"]),
    _one("Somebody should tell Priya that the meeting has moved to three o'clock.", [TEXTING, CALENDAR], "text_contact", contact=["Priya"], message=["three", "3", "3pm", "15:00"]),
    _one("The crumbs in the dining room are driving me mad.", [LIGHT, VACUUM, THERMOSTAT], "start_vacuum", room=["dining room", "dining_room", "dining"]),
    _one("Did anything in the folder payments break with my last change?", [READ, TESTS], "run_tests", folder=["payments"]),
    _one("What is in config/settings.toml again?", [DELETE, READ], "read_file", path=["config/settings.toml"]),
    _one("How much is a slice of the company with the bitten apple on its phones?", [NEWS, SHARES], "get_share_price", company=["Apple", "AAPL"]),
    _one("I'm in the mood for some Miles Davis.", [VOLUME, NEWS, MUSIC], "play_music", artist=["Miles Davis"]),
    _one("Can I still ring my sister in Sydney, or is it the middle of the night there?", [LOCAL_TIME, TEXTING], "get_local_time", city=["Sydney"]),
    _one("The sun is right in my eyes here in the study.", [LIGHT, THERMOSTAT, BLINDS], "move_blinds", room=["study"], position=["closed"]),
    _one("On 2 May 2027 I have to get from Hamburg to Munich by rail.", [TRAINS, TAXI, WEATHER], "find_trains", origin=["Hamburg"], destination=["Munich", "München"], date=["2027-05-02"]),
    _one("I'm going to bed and anybody could walk in at the front.", [DOOR, ALARM, LIGHT, MUSIC], "lock_door", door=["front"]),
    _one("The mug of order 50812 came in three pieces and I want my money back.", [PARCEL, TICKET, REFUND], "refund_order", order_number=["50812"]),
    _one("How many people buy from us in the land of the maple leaf?", [CUSTOMERS, NEWS], "count_customers", country=["Canada", "CA"]),
    _one("The printer on the third floor gave up the ghost, and the contract has to be out within the hour.", [TEXTING, TICKET], "open_ticket", subject=["printer"], priority=["high"]),
    _one("Il fait combien à Marseille en ce moment ?", [LOCAL_TIME, WEATHER], "get_weather", city=["Marseille"]),
    _one("Ich muss vom Bahnhof zum Stadttheater, und mein Fuß tut weh.", [TAXI, TRAINS], "order_taxi", pickup=["Bahnhof", "station"], destination=["Stadttheater", "theatre", "theater"]),
    Request("I'm off now. The hall needs no light, and nobody should get in at the back door.", [LIGHT, DOOR, MUSIC, ALARM], [Needed("set_light", {"room": ["hall", "hallway"], "state": ["off"]}), Needed("lock_door", {"door": ["back", "back door"]})]),
    Request("Is it nicer outside in Lisbon or in Porto at the moment?", [WEATHER, LOCAL_TIME], [Needed("get_weather", {"city": ["Lisbon", "Lisboa"]}), Needed("get_weather", {"city": ["Porto"]})]),
]  # fmt: skip
