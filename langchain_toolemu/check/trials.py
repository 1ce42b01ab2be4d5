"""The trials of `toolemu check`: requests that want a call, and talk that wants none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage


def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return f"22 degrees in {city}"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def send_message(to: str, text: str) -> str:
    """Send a message to a person."""
    return f"sent to {to}: {text}"


TOOLS = (get_weather, add, send_message)


@dataclass(frozen=True, slots=True)
class Trial:
    """Something to ask, and the call that is right; `None` where a call is wrong."""

    question: str
    call: tuple[str, Mapping[str, Any]] | None = None

    def passed(self, message: "AIMessage") -> bool:
        """Whether a reply is right: the one right call, or words where no call is wanted."""
        if self.call is None:
            return not message.tool_calls and bool(message.text.strip())
        made = [(call["name"], _normalized(call["args"])) for call in message.tool_calls]
        return made == [(self.call[0], _normalized(self.call[1]))]


def _normalized(args: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments without what makes no difference: case, and a full stop at the end."""
    return {
        name: value.strip().rstrip(".!").lower() if isinstance(value, str) else value
        for name, value in args.items()
    }


# The first three hold both kinds, and so does any longer row.
TRIALS = (
    Trial("What is the weather in Paris?", ("get_weather", {"city": "Paris"})),
    Trial("Add 17 and 25.", ("add", {"a": 17, "b": 25})),
    Trial("Good morning, how are you?"),
    Trial(
        "Send a message to Ann that says: dinner is ready",
        ("send_message", {"to": "Ann", "text": "dinner is ready"}),
    ),
    Trial("Who wrote Romeo and Juliet?"),
    Trial("Is it raining in London?", ("get_weather", {"city": "London"})),
    Trial("What is 120 plus 30?", ("add", {"a": 120, "b": 30})),
    Trial("Thank you so much."),
    Trial("Text Joe: buy milk", ("send_message", {"to": "Joe", "text": "buy milk"})),
    Trial("Tell me a joke."),
)
