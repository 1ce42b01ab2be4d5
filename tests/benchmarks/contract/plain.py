"""Thirty-six plain requests for three tools, and fifty turns of small talk beside the same tools."""

from typing import Any

WEATHER = "get_weather"
SUM = "add"
MESSAGE = "send_message"


def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return city


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def send_message(to: str, text: str) -> str:
    """Send a message to a person."""
    return f"{to} {text}"


TOOLS = (get_weather, add, send_message)

_WEATHER = [
    ("What is the weather in Paris?", "Paris"),
    ("How is the weather in Tokyo right now?", "Tokyo"),
    ("Tell me the weather in Oslo.", "Oslo"),
    ("What's the weather like in Rome today?", "Rome"),
    ("Is it raining in London?", "London"),
    ("Check the weather in Madrid.", "Madrid"),
    ("I need the current weather for Cairo.", "Cairo"),
    ("Do I need an umbrella in Lima?", "Lima"),
    ("Get the weather in Berlin please.", "Berlin"),
    ("How warm is it in Athens?", "Athens"),
    ("Weather in Dublin?", "Dublin"),
    ("Could you look up the weather in Vienna?", "Vienna"),
]
_SUMS = [
    ("Add 17 and 25.", 17, 25),
    ("What is 120 plus 30?", 120, 30),
    ("Please add 5 and 9.", 5, 9),
    ("Calculate 40 + 2.", 40, 2),
    ("What is the sum of 300 and 33?", 300, 33),
    ("Can you add 64 and 8 for me?", 64, 8),
    ("How much is 71 plus 19?", 71, 19),
    ("Add the numbers 250 and 250.", 250, 250),
    ("I have 13 apples and get 14 more. Add them up.", 13, 14),
    ("Compute 90 + 45.", 90, 45),
    ("Sum 8 and 77.", 8, 77),
    ("What do you get when you add 6 to 31?", 31, 6),
]
_MESSAGES = [
    ("Send a message to Ann that says: dinner is ready", "Ann", "dinner is ready"),
    ("Send Bob the message 'I am late'.", "Bob", "I am late"),
    ("Tell Eve by message: the door is open", "Eve", "the door is open"),
    ("Please send a message to Max saying good luck", "Max", "good luck"),
    ("Message Zoe: call me back", "Zoe", "call me back"),
    ("Send the text 'happy birthday' to Tom.", "Tom", "happy birthday"),
    ("Write a message to Lea: the train leaves at nine", "Lea", "the train leaves at nine"),
    ("Send a message to Ben with the text hello", "Ben", "hello"),
    ("Let Mia know by message: I passed the exam", "Mia", "I passed the exam"),
    ("Send Kim this message: see you tomorrow", "Kim", "see you tomorrow"),
    ("Text Joe: buy milk", "Joe", "buy milk"),
    ("Send a message to Sam that says thank you", "Sam", "thank you"),
]

REQUESTS: list[tuple[str, str, dict[str, Any]]] = [
    request
    for weather, total, message in zip(_WEATHER, _SUMS, _MESSAGES, strict=True)
    for request in (
        (weather[0], WEATHER, {"city": weather[1]}),
        (total[0], SUM, {"a": total[1], "b": total[2]}),
        (message[0], MESSAGE, {"to": message[1], "text": message[2]}),
    )
]
"""What is asked, the tool that does it, and its arguments; the tools take turns."""

SMALL_TALK = [
    "Hi!",
    "Good morning, how are you?",
    "Tell me a joke.",
    "Thank you so much.",
    "What is your name?",
    "I had a long day.",
    "What is the meaning of life?",
    "Bye!",
    "Do you like music?",
    "What is the capital of France?",
    "I feel a bit sad today.",
    "Who wrote Romeo and Juliet?",
    "That was very helpful, thanks.",
    "Can you help me?",
    "What is your favourite colour?",
    "Explain photosynthesis in one sentence.",
    "Good night!",
    "You are funny.",
    "What does the word serendipity mean?",
    "I love pizza.",
    "How do airplanes fly?",
    "Never mind.",
    "Are you a robot?",
    "Give me a synonym for happy.",
    "What is the largest ocean?",
    "My dog is called Rex.",
    "Write a haiku about the sea.",
    "Okay.",
    "Why is the sky blue?",
    "I am learning to cook.",
    "Who was Albert Einstein?",
    "What should I read next?",
    "Hello there, nice to meet you.",
    "Tell me a fun fact.",
    "How many days are in a week?",
    "I am bored.",
    "What is gravity?",
    "Sorry, I was away.",
    "Translate good morning into French.",
    "Is chess hard to learn?",
    "Congratulations!",
    "What language is spoken in Brazil?",
    "I don't understand.",
    "What makes a good friend?",
    "Name three fruits.",
    "How old is the universe?",
    "See you later.",
    "Do you dream?",
    "What is a prime number?",
    "Happy new year!",
]
"""What no tool is wanted for."""
