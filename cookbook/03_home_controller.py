"""A home controller: one sentence, several tool calls in one turn, words and calls shown as they stream in."""

from typing import Literal

from any_model import any_model
from langchain.agents import create_agent
from langchain_core.messages import AIMessageChunk, ToolMessage
from progress import PROGRESS

from langchain_toolemu import ChatToolEmu

Room = Literal["kitchen", "living room", "bedroom"]
REQUEST = (
    "Good night! Turn off the lights in the kitchen and in the living room, "
    "set the heating in the bedroom to 17 degrees and close the blinds in the bedroom."
)


class Home:
    """The state of each room, and the tools that change it."""

    def __init__(self) -> None:
        rooms = ("kitchen", "living room", "bedroom")
        self.rooms = {room: {"light": "on", "heating": 21, "blinds": "open"} for room in rooms}

    def _set(self, room: str, key: str, value: object) -> str:
        self.rooms[room][key] = value
        return f"{room}: {key} {value}"

    def set_light(self, room: Room, state: Literal["on", "off"]) -> str:
        """Turn the light of a room on or off."""
        return self._set(room, "light", state)

    def set_heating(self, room: Room, degrees: int) -> str:
        """Set the temperature of a room in degrees Celsius."""
        return self._set(room, "heating", degrees)

    def set_blinds(self, room: Room, state: Literal["open", "closed"]) -> str:
        """Open or close the blinds of a room."""
        return self._set(room, "blinds", state)


def main() -> dict:
    home = Home()
    agent = create_agent(
        ChatToolEmu(llm=any_model(embedded_can=False), max_tool_rounds=4),
        [home.set_light, home.set_heating, home.set_blinds],
        system_prompt="You control a house. Do all that is asked, then confirm it in one sentence.",
    )
    PROGRESS.say("user", REQUEST)
    steps = agent.stream({"messages": [("user", REQUEST)]}, stream_mode=["messages", "updates"])
    for kind, step in steps:
        if kind == "messages" and isinstance(step[0], AIMessageChunk):
            print(step[0].text, end="", flush=True)
        for update in step.values() if kind == "updates" else ():
            for message in update["messages"]:
                for call in getattr(message, "tool_calls", ()):
                    PROGRESS.call(call["name"], call["args"])
                if isinstance(message, ToolMessage):
                    PROGRESS.say("result", message.text)
    print()
    for room, state in home.rooms.items():
        PROGRESS.say("now", f"{room}: {state}")
    return home.rooms


if __name__ == "__main__":
    main()
