"""A dialect of one's own, from the contract to the message. No network."""

import re
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu, Dialect, Recipe
from langchain_toolemu.errors import DialectError
from tests.weather import get_weather

MINE = Dialect("mine", opening="<call>", closing="</call>", name_key="fn", args_key="with")
OSLO = {"name": "get_weather", "args": {"city": "Oslo"}}


class Recorded(FakeListChatModel):
    """Keeps what it was asked with."""

    asked: list[Any]

    def _call(self, messages, stop=None, run_manager=None, **kwargs):
        self.asked.append((messages, kwargs))
        return super()._call(messages, stop, run_manager, **kwargs)


class Pairs(Dialect):
    """`<<get_weather city=Oslo>>`."""

    def write(self, tool, args):
        """One call as text."""
        pairs = "".join(f" {key}={value}" for key, value in args.items())
        return f"<<{tool}{pairs}>>"

    def form(self):
        """A call with blanks."""
        return "<<tool argument=value>>"


def read_pairs(text):
    """The calls of a text in pairs."""
    found = re.findall(r"<<(\w+)((?: \w+=\w+)*)>>", text)
    return [(name, dict(pair.split("=") for pair in rest.split())) for name, rest in found]


PAIRS = Pairs("pairs", "<<", ">>", read=read_pairs)


def emulated(dialect, *replies, **options):
    """A model that is asked for calls in a dialect, and replies so."""
    model = Recorded(responses=list(replies), asked=[])
    options = {"contract": Recipe(dialect=dialect), **options}
    return model, ChatToolEmu(llm=model, mode="force", **options)


def calls_of(message):
    return [{"name": call["name"], "args": call["args"]} for call in message.tool_calls]


@pytest.mark.parametrize("dialect", [MINE, PAIRS], ids=lambda dialect: dialect.name)
def test_a_call_in_the_dialect_is_made(dialect):
    """Invoked and streamed, after words and without them; the contract shows the form."""
    for before in ("", "Let me look.\n"):
        text = before + dialect.write("get_weather", {"city": "Oslo"})
        model, llm = emulated(dialect, text, text)
        bound = llm.bind_tools([get_weather])
        message = bound.invoke("Is it cold in Oslo?")
        assert calls_of(message) == [OSLO]
        assert message.content == before
        whole = None
        for chunk in bound.stream("Is it cold in Oslo?"):
            whole = chunk if whole is None else whole + chunk
        assert calls_of(whole) == [OSLO]
        assert dialect.form() in str(model.asked[0])


@pytest.mark.parametrize("dialect", [MINE, PAIRS], ids=lambda dialect: dialect.name)
def test_past_calls_are_written_in_it(dialect):
    """The model sees its own calls as it was asked to write them."""
    model, llm = emulated(dialect, "It is cold.")
    call = {**OSLO, "id": "1", "type": "tool_call"}
    history = [
        HumanMessage("Is it cold in Oslo?"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("-5", tool_call_id="1"),
    ]
    assert llm.bind_tools([get_weather]).invoke(history).content == "It is cold."
    assert dialect.write("get_weather", {"city": "Oslo"}) in str(model.asked[0][0])


class City(BaseModel):
    """A city."""

    name: str


@pytest.mark.parametrize("dialect", [MINE, PAIRS], ids=lambda dialect: dialect.name)
def test_an_answer_in_its_form_may_be_a_call(dialect):
    """Structured output is read in the dialect, too."""
    _, llm = emulated(dialect, dialect.write("City", {"name": "Oslo"}))
    assert llm.with_structured_output(City).invoke("The capital of Norway?") == City(name="Oslo")


def test_arguments_that_do_not_fit_are_asked_for_again():
    """As in any dialect; so is a tool that is not bound."""
    wrong = [PAIRS.write("get_weather", {"town": "Oslo"}), PAIRS.write("fly", {"to": "Oslo"})]
    for first in wrong:
        _, llm = emulated(PAIRS, first, PAIRS.write("get_weather", {"city": "Oslo"}))
        message = llm.bind_tools([get_weather]).invoke("Is it cold in Oslo?")
        assert calls_of(message) == [OSLO]
        assert message.response_metadata["toolemu"]["requests"] == 2


def test_a_read_that_fails_reaches_the_caller():
    """It is no error of the model's server, and nothing is asked again."""
    odd = Dialect("odd", "<<", ">>", read=lambda text: [text])
    for mode in ("force", "fallback"):
        model = Recorded(responses=["<<now>>"], asked=[])
        llm = ChatToolEmu(llm=model, mode=mode, contract=Recipe(dialect=odd)).bind_tools(
            [get_weather]
        )
        with pytest.raises(DialectError, match="'odd'"):
            llm.invoke("Is it cold in Oslo?")
        with pytest.raises(DialectError, match="'odd'"):
            list(llm.stream("Is it cold in Oslo?"))


def test_what_is_no_json_is_not_decoded_under_a_grammar():
    """A grammar and a schema are for calls in JSON, with the dialect's own marks and keys."""
    for dialect, held in ((PAIRS, False), (MINE, True)):
        recipe = Recipe(dialect=dialect, constraint="grammar")
        model, llm = emulated(
            dialect, dialect.write("get_weather", {"city": "Oslo"}), contract=recipe
        )
        llm.bind_tools([get_weather], tool_choice="any").invoke("Is it cold in Oslo?")
        body = model.asked[0][1].get("extra_body", {})
        assert ("grammar" in body) is held
        if held:
            assert r"{\"fn\": \"get_weather\", \"with\": " in body["grammar"]
            assert '"</call>\\n<call>" call' in body["grammar"]
