"""Calls in notations that nobody has written down: nothing is read from them, and the model is asked."""

from langchain_toolemu.turn.unread_calls import unread_call
from tests.tables import every_row

REQUIRED = {"get_weather": ["city"], "delete_file": ["path"], "set_timer": ["minutes"], "search": ["query"]}  # fmt: skip

NOTATIONS = [
    'Sure, one moment. <call fn="get_weather"><arg k="city">Oslo</arg></call>',
    "[[get_weather | city = Oslo]]",
    '@get_weather{city: "Oslo"}',
    '→ get_weather(city="Oslo")',
    'get_weather --city "Oslo"',
    "/get_weather city=Oslo",
    'TOOL get_weather WITH {"city": "Oslo"}',
    '{"do": "get_weather", "with": {"city": "Oslo"}}',
    '```toml\n[get_weather]\ncity = "Oslo"\n```',
    '(get_weather :city "Oslo")',
    'get_weather <<< {"city": "Oslo"}',
    '#!tool get_weather\n{"city":"Oslo"}',
    'Voici l\'appel :\n<appel nom="get_weather">{"city":"Oslo"}</appel>',
    'CALL::get_weather::{"city":"Oslo"}::END',
    "const r = get_weather({city: 'Oslo'});",
    'result = client.call_tool("get_weather", {"city": "Oslo"})',
    'curl -X POST http://localhost/tools/get_weather -d \'{"city":"Oslo"}\'',
    'Action → get_weather\nInput → {"city": "Oslo"}',
    "**Tool:** get_weather\n**Arguments:**\n- city: Oslo",
    '{"type":"invoke","target":"get_weather","payload":{"city":"Oslo"}}',
]
ANSWERS = [
    "The tool get_weather takes one argument, city.",
    "get_weather needs: city",
    "`get_weather(city)`: the weather of a city",
    "Available tools: get_weather(city), delete_file(path)",
    "You can use get_weather(city) for that.",
    "Use get_weather(city: str).",
    "def get_weather(city: str) -> str:\n    ...",
    "I used get_weather before; the city was Oslo.",
    "city: Oslo\nweather: sunny",
    "To get the weather of a city, the function get_weather is called with the parameter `city`.",
    "get_weather ist ein Werkzeug mit dem Argument city.",
    "Do you want me to run get_weather with city=Oslo?",
    "`set_timer` starts a timer; `minutes` is required.",
    'The file says "get_weather(city=Oslo)" and nothing more.',
    "The best search query: weather Oslo",
    "You asked for get_weather, whose only argument is the city.",
    '{"temperature": 22, "city": "Oslo"}',
    "",
]


@every_row("text", NOTATIONS)
def test_a_name_and_its_arguments_may_be_a_call(text):
    """In whatever brackets, marks and words around them."""
    assert unread_call(text, REQUIRED) == "get_weather"


@every_row("text", ANSWERS)
def test_what_describes_a_tool_is_none(text):
    """Nor is a signature, a question, an answer in the same words, or a call that its sentence goes on after."""
    assert unread_call(text, REQUIRED) is None
