"""A second set of tools: thirty requests for them, thirty turns that want none, and requests for several things at once."""

from typing import Any


def set_timer(minutes: int, label: str = "") -> str:
    """Set a kitchen timer."""
    return f"{minutes} {label}"


def play_song(title: str, artist: str | None = None) -> str:
    """Play a song on the living room speaker."""
    return f"{title} {artist}"


def book_table(restaurant: str, people: int, time: str) -> str:
    """Book a table at a restaurant."""
    return f"{restaurant} {people} {time}"


def convert_currency(amount: float, from_currency: str, to_currency: str) -> str:
    """Convert an amount of money. Currencies are three-letter codes such as EUR."""
    return f"{amount} {from_currency} {to_currency}"


def translate(text: str, language: str) -> str:
    """Translate a text into another language."""
    return f"{text} {language}"


def create_event(title: str, date: str, location: str | None = None) -> str:
    """Create an event in the calendar. The date is written YYYY-MM-DD."""
    return f"{title} {date} {location}"


def switch_light(room: str, on: bool) -> str:
    """Switch the light of a room on or off."""
    return f"{room} {on}"


def search_files(query: str, folder: str | None = None) -> str:
    """Search the user's files for words."""
    return f"{query} {folder}"


def email(to: str, subject: str, body: str) -> str:
    """Write an email to a person."""
    return f"{to} {subject} {body}"


def stock_price(symbol: str) -> str:
    """Get the current price of a share by its ticker symbol."""
    return symbol


TOOLS = (
    set_timer,
    play_song,
    book_table,
    convert_currency,
    translate,
    create_event,
    switch_light,
    search_files,
    email,
    stock_price,
)

REQUESTS: list[tuple[str, str, dict[str, Any]]] = [
    ("Set a timer for 12 minutes.", "set_timer", {"minutes": 12}),
    ("Play Yellow Submarine.", "play_song", {"title": "Yellow Submarine"}),
    ("Book a table for four at Luigi's at 19:30.", "book_table", {"restaurant": "Luigi's", "people": 4, "time": ["19:30", "7:30 PM"]}),
    ("How much is 250 EUR in USD?", "convert_currency", {"amount": 250, "from_currency": "EUR", "to_currency": "USD"}),
    ("Translate 'where is the station' into Spanish.", "translate", {"text": "where is the station", "language": ["Spanish", "es"]}),
    ("Put 'dentist' into my calendar for 2025-03-14.", "create_event", {"title": "dentist", "date": "2025-03-14"}),
    ("Turn off the light in the kitchen.", "switch_light", {"room": "kitchen", "on": False}),
    ("Find the files about the tax return.", "search_files", {"query": ["tax return", "the tax return"]}),
    ("What is the share price of AAPL?", "stock_price", {"symbol": "AAPL"}),
    ("I want to hear Hurt by Johnny Cash.", "play_song", {"title": "Hurt", "artist": "Johnny Cash"}),
    ("Remind me in 45 minutes with a timer called laundry.", "set_timer", {"minutes": 45, "label": "laundry"}),
    ("Please switch on the bedroom light.", "switch_light", {"room": ["bedroom", "the bedroom"], "on": True}),
    ("Convert 80 GBP to CHF.", "convert_currency", {"amount": 80, "from_currency": "GBP", "to_currency": "CHF"}),
    ("We are six people, get us a table at the Golden Dragon for 8 pm.", "book_table", {"restaurant": ["Golden Dragon", "the Golden Dragon"], "people": 6, "time": ["8 pm", "20:00", "8:00 pm"]}),
    ("How do you say 'good night' in Italian?", "translate", {"text": "good night", "language": ["Italian", "it"]}),
    ("Look for 'invoice 2023' in the folder work.", "search_files", {"query": "invoice 2023", "folder": "work"}),
    ("Add an event 'team lunch' on 2025-06-02 at the Riverside Cafe.", "create_event", {"title": "team lunch", "date": "2025-06-02", "location": ["Riverside Cafe", "the Riverside Cafe"]}),
    ("How is MSFT doing on the stock market?", "stock_price", {"symbol": "MSFT"}),
    ("Give me 5 minutes on the timer for the tea.", "set_timer", {"minutes": 5, "label": ["tea", "", "the tea"]}),
    ("Lights out in the garage!", "switch_light", {"room": ["garage", "the garage"], "on": False}),
    ("Play something: Bohemian Rhapsody by Queen, please.", "play_song", {"title": "Bohemian Rhapsody", "artist": "Queen"}),
    ("What would 1000 JPY be in EUR?", "convert_currency", {"amount": 1000, "from_currency": "JPY", "to_currency": "EUR"}),
    ("Translate I love you into German.", "translate", {"text": "I love you", "language": ["German", "de"]}),
    ("Reserve a table for two at Chez Marie, 18:00.", "book_table", {"restaurant": "Chez Marie", "people": 2, "time": ["18:00", "6:00 PM", "6 pm"]}),
    ("Which of my files mention Barcelona?", "search_files", {"query": "Barcelona"}),
    ("Schedule 'call the bank' for 2025-01-09.", "create_event", {"title": "call the bank", "date": "2025-01-09"}),
    ("What does one share of TSLA cost right now?", "stock_price", {"symbol": "TSLA"}),
    ("It is too dark in the hallway, switch the light on.", "switch_light", {"room": ["hallway", "the hallway"], "on": True}),
    ("Start a 90 minute timer.", "set_timer", {"minutes": 90}),
    ("I'd like to know 'thank you very much' in Japanese.", "translate", {"text": "thank you very much", "language": ["Japanese", "ja"]}),
]  # fmt: skip
"""What is asked, the tool that does it, and its arguments: a list holds every spelling that is right."""

IDLE = [
    "Hey, how is it going?",
    "What is the tallest mountain on Earth?",
    "Thanks, that is all for now.",
    "Who painted the Mona Lisa?",
    "I just came back from a run.",
    "Can you explain what inflation is?",
    "Write two lines about autumn.",
    "What can you do for me?",
    "Good evening!",
    "How many legs does a spider have?",
    "I think I will go to bed early today.",
    "Which planet is closest to the sun?",
    "Do you prefer tea or coffee?",
    "What is the square root of 144?",
    "Why do cats purr?",
    "Sounds good.",
    "Recommend me a good science fiction novel.",
    "What is the chemical formula of water?",
    "My sister is getting married in June.",
    "How does a microwave oven work?",
    "You were wrong about that.",
    "Is it better to rent or to buy a house?",
    "When did the Second World War end?",
    "What is the difference between a virus and a bacterium?",
    "Ha ha, very funny!",
    "Give me three tips for a job interview.",
    "What is an apple tree?",
    "How was your weekend?",
    "Please order a pizza for me.",
    "Call my mother on the phone.",
]
"""What none of these tools does."""

SEVERAL: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    ("Switch off the lights in the kitchen and in the bathroom.", [("switch_light", {"room": "kitchen", "on": False}), ("switch_light", {"room": "bathroom", "on": False})]),
    ("Set a timer for 10 minutes and play Imagine.", [("set_timer", {"minutes": 10}), ("play_song", {"title": "Imagine"})]),
    ("Get me the prices of AAPL and GOOG.", [("stock_price", {"symbol": "AAPL"}), ("stock_price", {"symbol": "GOOG"})]),
    ("Translate 'hello' into French and into Dutch.", [("translate", {"text": "hello", "language": ["French", "fr"]}), ("translate", {"text": "hello", "language": ["Dutch", "nl"]})]),
    ("Email Ann with the subject Lunch and the text 'See you at noon.', and email Bob with the subject Dinner and the text 'See you at eight.'", [("email", {"to": "Ann", "subject": "Lunch", "body": "See you at noon."}), ("email", {"to": "Bob", "subject": "Dinner", "body": "See you at eight."})]),
    ("Put 'dentist' on 2025-03-14 and 'haircut' on 2025-03-15 into my calendar.", [("create_event", {"title": "dentist", "date": "2025-03-14"}), ("create_event", {"title": "haircut", "date": "2025-03-15"})]),
    ("Convert 100 EUR to USD and 100 EUR to GBP.", [("convert_currency", {"amount": 100, "from_currency": "EUR", "to_currency": "USD"}), ("convert_currency", {"amount": 100, "from_currency": "EUR", "to_currency": "GBP"})]),
    ("Turn on the light in the hallway and set a timer for 3 minutes.", [("switch_light", {"room": "hallway", "on": True}), ("set_timer", {"minutes": 3})]),
    ("Search my files for 'lease' and for 'insurance'.", [("search_files", {"query": "lease"}), ("search_files", {"query": "insurance"})]),
    ("Book a table for 2 at Luigi's at 19:00 and create an event 'dinner' on 2025-05-01.", [("book_table", {"restaurant": "Luigi's", "people": 2, "time": "19:00"}), ("create_event", {"title": "dinner", "date": "2025-05-01"})]),
    ("Play Hurt by Johnny Cash and switch off the bedroom light.", [("play_song", {"title": "Hurt", "artist": "Johnny Cash"}), ("switch_light", {"room": "bedroom", "on": False})]),
    ("What are the prices of TSLA, NVDA and AMZN?", [("stock_price", {"symbol": "TSLA"}), ("stock_price", {"symbol": "NVDA"}), ("stock_price", {"symbol": "AMZN"})]),
]  # fmt: skip
"""Requests for several things that do not depend on one another, and all calls that are wanted."""
