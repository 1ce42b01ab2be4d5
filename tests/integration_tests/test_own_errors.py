"""An error of this package, or of what its user gave it, is raised as it is: it says nothing of the provider."""

import pytest

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.turn.reply import Reply as ReplyReader
from tests.scripted_server import Reply, ScriptedServer
from tests.ways import WAYS, ask
from tests.weather import get_weather

WORDS = (
    "I do not know the weather, since I have no tools for that. " * 40
)  # the opening is judged while the rest comes


@pytest.mark.parametrize("way", WAYS)
def test_a_fault_of_our_own_is_not_swallowed_as_a_failed_check(way, monkeypatch):
    """In the second request of a turn, too, which may fail without harm if the provider is to blame."""
    feed, fed = ReplyReader.feed, []

    def broken(self, said):
        fed.append(self)
        if self is not fed[0]:
            raise AttributeError("a fault")
        return feed(self, said)

    monkeypatch.setattr(ReplyReader, "feed", broken)
    with ScriptedServer(lambda _: Reply("Good day!")) as server:
        llm = ChatToolEmu(llm=server.chat_model()).bind_tools([get_weather])
        with pytest.raises(AttributeError, match="a fault"):
            ask(llm, "What is the weather in Oslo?", way)
        assert len(server.requests) == 2
