"""Which calls are taken for made up: a table of the calls that people mean, and of those that nobody asked for."""

from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from langchain_toolemu.policy.conversation import Conversation
from langchain_toolemu.policy.conversation_index import ConversationIndex
from langchain_toolemu.policy.grounding import ungrounded_value
from langchain_toolemu.tools import read_tools, to_openai_tools
from tests.tables import every_row

# A tool's name, its description, and its required arguments: texts, but for those that are listed as another type.
TOOLS = [
    ("tavily_search_results_json", "A search engine optimized for comprehensive, accurate, and trusted results. Useful for when you need to answer questions about current events.", "query", {}),
    ("wikipedia", "A wrapper around Wikipedia.", "query", {}),
    ("search", "Search the web.", "query", {}),
    ("retrieve_docs", "Search and return information from the company handbook.", "query", {}),
    ("calculator", "Evaluate a mathematical expression.", "expression", {}),
    ("python_repl", "A Python shell. Use this to execute python commands.", "code", {}),
    ("sql_db_query", "Input is a detailed and correct SQL query, output is a result from the database.", "query", {}),
    ("sql_db_schema", "Input is a comma-separated list of tables, output is their schema.", "table_names", {}),
    ("terminal", "Run shell commands on this machine.", "commands", {}),
    ("list_directory", "List files and directories in a specified folder.", "dir_path", {}),
    ("read_file", "Read file from disk", "file_path", {}),
    ("requests_get", "A portal to the internet.", "url", {}),
    ("get_current_time", "Get the current time in a timezone.", "timezone", {}),
    ("multiply", "Multiply two integers.", "a b", {"a": "integer", "b": "integer"}),
    ("add", "Add a and b.", "a b", {"a": "integer", "b": "integer"}),
    ("divide", "Divide a by b.", "a b", {"a": "integer", "b": "integer"}),
    ("magic_function", "Applies a magic function to an input.", "input", {"input": "integer"}),
    ("create_todo", "Create a to-do item.", "title", {}),
    ("remember", "Store a fact for later.", "fact", {}),
    ("send_email", "Send an email.", "to subject body", {}),
    ("translate", "Translate a text.", "text target_language", {}),
    ("play_music", "Play music.", "song", {}),
    ("get_stock_price", "Get the latest price of a stock.", "ticker", {}),
    ("turn_on_light", "Switch a lamp on.", "room", {}),
    ("convert", "Convert an amount.", "amount from_currency to_currency", {"amount": "number"}),
    ("set_alarm", "Set an alarm.", "time", {}),
    ("ask_expert", "Hand the question to a human.", "question", {}),
    ("transfer_to_billing", "Hand over.", "reason", {}),
    ("think", "Think about something.", "thought", {}),
    ("generate_image", "Draw a picture.", "prompt", {}),
    ("reverse_text", "Reverse.", "text", {}),
    ("count_letter", "Count.", "word letter", {}),
    ("get_weather", "Get the current weather in a city.", "city", {}),
    ("send_message", "Send a message to a person.", "to text", {}),
    ("order_food", "Put food into the basket.", "item quantity", {"quantity": "integer"}),
    ("boiling_point", "The boiling point of a substance.", "substance pressure", {"pressure": "number"}),
    ("get_news", "", "company", {}),
    ("append_blocks", "", "children", {"children": "array"}),
    ("find_cleaner", "Find a cleaner.", "province", {"province": "integer"}),
]  # fmt: skip
PROVINCES = "1 for Bangkok, 2 for Phuket"


def schema(argument, types):
    """An argument's schema."""
    described = {"description": PROVINCES} if argument == "province" else {}
    return {"type": types.get(argument, "string"), **described}


BOUND = read_tools(
    [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": {
                    "type": "object",
                    "properties": {one: schema(one, types) for one in arguments.split()},
                    "required": arguments.split(),
                },
            },
        }
        for name, description, arguments, types in TOOLS
    ]
)

MEANT = [
    ("Who won the 2022 World Cup?", "tavily_search_results_json", {"query": "Who won the 2022 World Cup?"}),
    ("Who won the 2022 World Cup?", "search", {"query": "2022 FIFA World Cup winner"}),
    ("Who is the president of France?", "wikipedia", {"query": "Who is the president of France?"}),
    ("Eiffel tower height", "search", {"query": "Eiffel tower height"}),
    ("How many vacation days do I have?", "retrieve_docs", {"query": "PTO policy"}),
    ("How many vacation days do I have?", "retrieve_docs", {"query": "How many vacation days do I have?"}),
    ("What is 12 times 7?", "calculator", {"expression": "12*7"}),
    ("What is 12 times 7?", "calculator", {"expression": "12 * 7"}),
    ("What's the square root of 144?", "calculator", {"expression": "sqrt(144)"}),
    ("What is 2 to the power of 10?", "calculator", {"expression": "2**10"}),
    ("How much is fifteen percent of 80?", "calculator", {"expression": "80*0.15"}),
    ("What is 12 times 7?", "python_repl", {"code": "print(12*7)"}),
    ("Give me the first ten Fibonacci numbers", "python_repl", {"code": "def fib(n): ..."}),
    ("Who are my best customers?", "sql_db_query", {"query": "SELECT * FROM orders LIMIT 5"}),
    ("Who are my best customers?", "sql_db_schema", {"table_names": "orders"}),
    ("What's in this folder?", "terminal", {"commands": "ls -la"}),
    ("how full is the disk", "terminal", {"commands": "df -h"}),
    ("What's in here?", "list_directory", {"dir_path": "."}),
    ("Show me the readme", "read_file", {"file_path": "README.md"}),
    ("What does the config say?", "read_file", {"file_path": "config.yaml"}),
    ("Open the langchain homepage", "requests_get", {"url": "https://www.langchain.com"}),
    ("What time is it in Germany?", "get_current_time", {"timezone": "Europe/Berlin"}),
    ("What time is it?", "get_current_time", {"timezone": "UTC"}),
    ("What is 3 times 12?", "multiply", {"a": 3, "b": 12}),
    ("what is a dozen times three", "multiply", {"a": 12, "b": 3}),
    ("Double 21", "multiply", {"a": 21, "b": 2}),
    ("What is half of 90?", "divide", {"a": 90, "b": 2}),
    ("Square 9", "multiply", {"a": 9, "b": 9}),
    ("increment 41", "add", {"a": 41, "b": 1}),
    ("what is the value of magic_function(3)?", "magic_function", {"input": 3}),
    ("Remind me to buy milk", "create_todo", {"title": "Buy milk"}),
    ("I must not forget my dentist appointment", "create_todo", {"title": "Dentist appointment"}),
    ("My name is Bob", "remember", {"fact": "The user's name is Bob"}),
    ("I'm vegetarian", "remember", {"fact": "User does not eat meat"}),
    ("Tell ana@x.org that I'm late", "send_email", {"to": "ana@x.org", "subject": "Running late", "body": "I'm late."}),
    ("How do you say good night in Italian?", "translate", {"text": "good night", "target_language": "it"}),
    ("How do you say good night in Italian?", "translate", {"text": "good night", "target_language": "Italian"}),
    ("Put on Yesterday by the Beatles", "play_music", {"song": "Yesterday"}),
    ("What does Apple trade at?", "get_stock_price", {"ticker": "AAPL"}),
    ("What does Microsoft trade at?", "get_stock_price", {"ticker": "MSFT"}),
    ("It's dark in the kitchen", "turn_on_light", {"room": "kitchen"}),
    ("20 bucks in euros", "convert", {"amount": 20, "from_currency": "USD", "to_currency": "EUR"}),
    ("Wake me at half past six", "set_alarm", {"time": "06:30"}),
    ("Wake me at 7", "set_alarm", {"time": "7:00 AM"}),
    ("My invoice is wrong!", "ask_expert", {"question": "My invoice is wrong!"}),
    ("My invoice is wrong!", "transfer_to_billing", {"reason": "Invoice dispute"}),
    ("Why is the sky blue?", "think", {"thought": "I should explain Rayleigh scattering"}),
    ("I want a cat in space", "generate_image", {"prompt": "A cat floating in space"}),
    ("spell hello backwards", "reverse_text", {"text": "hello"}),
    ("How many r's are in strawberry?", "count_letter", {"word": "strawberry", "letter": "r"}),
    # Another language than the tools': nobody can be heard to speak of them.
    ("Wie ist das Wetter in Köln?", "get_weather", {"city": "Cologne"}),
    ("Quel temps fait-il dans la capitale de la France ?", "get_weather", {"city": "Paris"}),
    # A short answer is a value as a whole.
    ("Blue Bottle Coffee", "get_news", {"company": "Blue Bottle Coffee"}),
    # As it was said, or nearly so.
    ("Umbrella in NYC today?", "get_weather", {"city": "New York City"}),
    ("Umbrella in Berkley today?", "get_weather", {"city": "Berkeley"}),
    ("Umbrella in Pleasanton today?", "get_weather", {"city": "Pleasanton, CA"}),
    ("I would like a margherita.", "order_food", {"item": "margherita", "quantity": 1}),
    ("Somebody to help us in Phuket, please.", "find_cleaner", {"province": 2}),
    ("What's the news about Tesla?", "get_news", {"company": "TSLA Inc"}),  # its name is common but for this
    ("Buy milk and eggs.", "append_blocks", {"children": [{"object": "block", "content": "eggs"}]}),
]  # fmt: skip


@every_row(("asked", "name", "args"), MEANT)
def test_a_call_that_is_meant_is_not_ungrounded_value(asked, name, args):
    """Queries, formulas, commands, codes, dates and what follows from what was said are the model's to write."""
    index = ConversationIndex(asked, asked, asked)
    assert ungrounded_value(args, BOUND.exact(name), index) is None


MADE_UP = [
    ("Good evening!", "get_weather", {"city": "New York"}, "city"),
    ("Happy new year!", "get_weather", {"city": "New York"}, "city"),
    ("I am bored.", "get_weather", {"city": "London"}, "city"),
    ("What is the capital of France?", "get_weather", {"city": "Paris"}, "city"),
    ("Tell me a joke", "get_weather", {"city": "Tell me a joke"}, "city"),
    ("How large is a city?", "get_weather", {"city": "Paris"}, "city"),  # only its description is spoken of
    ("I had a long day.", "send_message", {"to": "friend", "text": "I had a long day."}, "to"),
    ("See you later.", "send_message", {"to": "you", "text": "See you later."}, "to"),
    ("How old is the universe?", "add", {"a": 13, "b": 11}, "a"),
    ("Okay.", "add", {"a": 1, "b": 1}, "a"),
    ("How many sides has a hexagon?", "boiling_point", {"substance": "hexagon", "pressure": 1}, "pressure"),
]  # fmt: skip


@every_row(("asked", "name", "args", "argument"), MADE_UP)
def test_a_call_that_nobody_asked_for_is_ungrounded_value(asked, name, args, argument):
    """Its values were not said, and nobody speaks of the tool."""
    found = ungrounded_value(args, BOUND.exact(name), ConversationIndex(asked, asked, asked))
    assert found is not None
    assert found[0] == argument


SYSTEM = SystemMessage("You are a helpful assistant who answers questions about the weather.")


@pytest.mark.parametrize(
    ("messages", "name", "args"),
    [
        ([SYSTEM, HumanMessage("北京怎么样")], "get_weather", {"city": "Beijing"}),
        ([HumanMessage("五加七等于多少")], "add", {"a": 5, "b": 7}),
        (
            [
                HumanMessage("Wie ist das Wetter in Rom?"),
                AIMessage("It is sunny in Rome and the wind is weak."),
                HumanMessage("Und in Wien?"),
            ],
            "set_alarm",
            {"time": "Vienna"},
        ),
    ],
)
def test_the_language_is_the_user_s(messages, name, args):
    """Neither the system message's nor the assistant's."""
    index = Conversation(messages).given()
    assert ungrounded_value(args, BOUND.exact(name), index) is None


@every_row(
    ("text", "expected"),
    [
        ("Wie ist das Wetter in Köln?", True),
        ("¿Qué tiempo hace en Madrid?", True),
        ("Quel temps fait-il à Lyon ?", True),
        ("Che tempo fa a Roma, e come sono i treni?", True),
        ("Jaki jest czas?", True),
        ("What is the weather in Köln?", False),
        ("I am bored.", False),
        ("Tell me a joke about the Louvre.", False),
        ("Hi!", False),
        ("天气怎么样?", True),
        ("Какая погода?", True),
        ("Regnet es in Wien?", True),
        ("Ankara'da hava ne güzel?", True),
        ("Umbrella in São Paulo today, what do you think?", False),
    ],
)
def test_a_foreign_text_is_known_by_its_small_words(text, expected):
    """A name or an accent alone makes none."""
    assert ConversationIndex(text, text).is_foreign == expected


@every_row(
    ("said", "number"),
    [
        ("the points A(3,4) and B(1,2)", 3),
        ("the points A(3,4) and B(1,2)", 4),
        ("the data 3,4,5,2", 2),
        ("1,200 euros", 1200),
        ("for the next week", 7),
        ("for the next month", 1),
        ("in an hour", 60),
        ("until tomorrow", 1),
        ("in a fortnight", 14),
    ],
)
def test_numbers_that_were_said(said, number):
    """In a list, in a group of thousands, or as a stretch of time."""
    assert ConversationIndex(said, said).mentions(number)


def house_price(location: str) -> str:
    """Predict house prices.

    Args:
        location: Where the houses are.
    """


@pytest.mark.parametrize(
    ("schema", "asked"),
    [
        ({"description": "Celsius", "enum": ["Celsius", "Kelvin"]}, "Anything new?"),
        ({"description": "Celsius", "default": "Celsius"}, "Anything new?"),
        ({"description": "Celsius"}, "Anything new?"),
        ({}, "Anything new in Celsius?"),
    ],
)
def test_a_value_that_was_said_or_is_offered_is_grounded(schema, asked):
    """The schema names it, describes itself in its words, or the user says it."""
    tool = read_tools(to_openai_tools([house_price])).exact("house_price")
    described = {**tool.parameters, "properties": {"location": schema}}
    told = ConversationIndex(asked, asked)
    assert (
        ungrounded_value({"location": "Celsius"}, replace(tool, parameters=described), told) is None
    )
