"""The tools that most tests bind, and a call of one of them."""

CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
PARIS = [("get_weather", {"city": "Paris"})]


def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


def find_city(person: str) -> str:
    """Find the city a person lives in."""
    return {"Ann": "Paris", "Bob": "Rome"}[person]
