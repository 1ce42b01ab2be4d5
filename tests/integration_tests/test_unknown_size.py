"""A model of unknown size that cannot follow the recipe for capable models is asked as smaller ones are."""

import logging
from contextlib import suppress

import pytest

from langchain_toolemu import ChatToolEmu, ToolEmuError, ToolEmuWarning
from langchain_toolemu.contract.rules import CAPABLE
from tests.essence import report
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.ways import WAYS, ask
from tests.weather import CALL, get_weather

# What a turn demands, and what the model says to each of its requests.
TURNS = {
    "missed": ("any", "Hello there."),
    "called": (None, CALL),
    "called on demand": ("any", CALL),
    "answered": (None, "Hello there."),
    "empty": (None, ""),
    "parroted": (None, f"Sure. {CAPABLE.rules[120:420]}"),
    "refused": ("any", "I'm sorry, but I can't help with that."),
    "would not": ("any", "No. I will not send threats to anybody."),
    "apologized": ("any", "Es tut mir leid, aber dabei kann ich nicht helfen."),
    "denied tools": ("any", "I'm sorry, I don't have access to any tools."),
    "filtered": ("any", Reply("", finish_reason="content_filter")),
    "cut": ("any", Reply("Well, let me see", finish_reason="length")),
    "cut in a call": ("any", Reply(CALL[:30], finish_reason="length")),
    "thought": (None, "<think>The user greets me.</think>"),
    "misfit": ("any", '{"name": "get_weather", "arguments": {"town": 3}}'),
}


def play(server, llm, turn, way="invoke"):
    """One turn; what it gives, if that is a message."""
    choice, said = TURNS[turn]
    server.play(lambda _: said)
    with suppress(ToolEmuError):
        return ask(llm.bind_tools([get_weather], tool_choice=choice), "The weather in Paris?", way)


def recipe(llm):
    return llm.tool_support.recipe.partition(":")[0]


ENDS = {
    "missed": "capable",
    "missed, missed": "small",
    "empty, empty": "small",
    "parroted, parroted": "small",
    "missed, empty": "small",
    "missed, answered, missed": "small",
    "missed, called, missed": "capable",
    "empty, called on demand, empty": "capable",
    "refused, refused, refused": "capable",
    "would not, apologized": "capable",
    "denied tools, denied tools": "small",
    "filtered, filtered": "capable",
    "cut, cut": "capable",
    "cut in a call, cut in a call": "capable",
    "thought, thought": "capable",
    "misfit, misfit": "capable",
    "answered, answered": "capable",
    "missed, missed, missed, missed": "small",
    "missed, missed, called": "capable",
    "missed, missed, called, missed, missed, called": "small",
    "missed, missed, called, missed, missed, called, called": "capable",
}


@every_row(("turns", "end"), ENDS.items())
def test_what_decides_on_the_recipe(turns, end):
    """Two failures in a row do; a right call undoes that, each time after twice as many; what is not a failure does nothing."""
    with ScriptedServer() as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        for turn in turns.split(", "):
            play(server, llm, turn)
        assert recipe(llm) == end


@pytest.mark.parametrize("way", WAYS)
def test_what_is_told(way, caplog):
    """The metadata name the recipe and why, the log says it once, and the policy stays."""
    with caplog.at_level(logging.WARNING, "langchain_toolemu"), ScriptedServer() as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force")
        messages = [play(server, llm, turn, way) for turn in ("empty", "parroted", "answered")]
        prompt = server.requests[0]["messages"]
        for turn in ("called", "empty", "empty"):
            play(server, llm, turn, way)
    first, _, last = (report(message) for message in messages)
    assert first["recipe"].startswith("capable: size not known")
    assert last["recipe"].startswith("small: size not known")
    assert last["recipe"].endswith("it could not follow the recipe for capable models")
    assert last["dialect"] == "json"
    assert first["policy"] == last["policy"]
    assert len(prompt) > 2  # examples as turns
    (line,) = [record.getMessage() for record in caplog.records]
    assert "2 turns in a row failed with the recipe for capable models" in line


OTHERS = {
    "a size in the name": ({"model": "gemma-7b"}, {}),
    "a size by the user": ({}, {"model_size": 7}),
    "a contract by the user": ({}, {"contract": CAPABLE}),
}


@pytest.mark.parametrize(("model", "options"), OTHERS.values(), ids=OTHERS)
def test_what_is_known_stays(model, options):
    """A known size and the user's own contract are never changed, and teach nothing."""
    with ScriptedServer() as server:
        llm = ChatToolEmu(llm=server.chat_model(**model), mode="force", **options)
        before = recipe(llm)
        for _ in range(3):
            play(server, llm, "missed")
        assert recipe(llm) == before != "small"
        auto = ChatToolEmu(llm=server.chat_model(), mode="force")
        assert recipe(auto) == "capable"


def test_in_fallback():
    """A model that is asked in text after a refusal of its provider is judged the same way."""
    refused = Reply(status=400, body={"error": {"message": "m does not support tools"}})
    with ScriptedServer() as server:
        llm = ChatToolEmu(llm=server.chat_model())
        server.play(lambda request: refused if "tools" in request else "")
        with pytest.warns(ToolEmuWarning, match="does not call tools natively"):
            llm.bind_tools([get_weather]).batch(["Hi", "Hello"])
        assert recipe(llm) == "small"
