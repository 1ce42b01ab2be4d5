"""The wrapped model's own structured output, taken apart. No network."""

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import JsonOutputParser, PydanticOutputParser
from langchain_core.output_parsers.openai_tools import JsonOutputKeyToolsParser, PydanticToolsParser
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.chat_models.structured_output import (
    native_structured_output,
    own_chain,
    parse_chain,
    reply_parser,
)

LLM = ChatOpenAI(model="m", api_key="k", base_url="http://127.0.0.1:1/v1")


class City(BaseModel):
    """A city."""

    name: str


SCHEMA = {"title": "City", "type": "object", "properties": {"name": {"type": "string"}}}
WAYS = {
    "function_calling": (True, {"tools", "tool_choice", "parallel_tool_calls"}),
    "json_schema": (False, {"response_format"}),
    "json_mode": (False, {"response_format"}),
}


@pytest.mark.parametrize("method", WAYS)
def test_a_models_own_way_is_what_it_binds(method):
    """The arguments it binds are known, LangSmith's apart from them, and whether a call is the reply."""
    own = native_structured_output(LLM, own_chain(LLM, City, method=method))
    by_call, names = WAYS[method]
    assert (own.by_call, set(own.kwargs)) == (by_call, names)
    assert own.traced["kwargs"]["method"] == method


def test_a_model_without_a_way_of_its_own_has_none():
    """A model that cannot bind tools has no way; neither has one whose chain cannot be taken apart."""
    odd = _Odd(responses=[])
    assert own_chain(FakeListChatModel(responses=[]), City) is None
    assert native_structured_output(odd, own_chain(odd, City)) is None
    bound = ChatToolEmu(odd, mode="force").with_structured_output(City).first
    assert bound.kwargs["ls_structured_output_format"]["schema"] is City


class _Odd(FakeListChatModel):
    def with_structured_output(self, schema, **kwargs):
        return RunnableLambda(str)


PARSERS = {
    ("class", True): PydanticToolsParser,
    ("class", False): PydanticOutputParser,
    ("schema", True): JsonOutputKeyToolsParser,
    ("schema", False): JsonOutputParser,
}


@pytest.mark.parametrize(("kind", "by_call"), PARSERS)
def test_the_parser_fits_the_schema_and_the_reply(kind, by_call):
    """A class gives objects, a schema gives dicts, out of calls or out of text."""
    schema = City if kind == "class" else SCHEMA
    assert isinstance(reply_parser(schema, None, by_call=by_call), PARSERS[kind, by_call])


def test_a_providers_parser_reads_native_replies_only():
    """ChatOpenAI's parser looks for what only its own replies carry; emulated text is read as text."""
    parser = reply_parser(
        City,
        native_structured_output(LLM, own_chain(LLM, City, method="json_schema")),
        by_call=False,
    )
    emulated = AIMessage('{"name": "Rome"}', response_metadata={"toolemu": {"path": "emulated"}})
    native = AIMessage("", additional_kwargs={"parsed": City(name="Bonn")})
    assert parser.invoke(emulated) == City(name="Rome")
    assert parser.invoke(native) == City(name="Bonn")


def test_an_error_of_the_parser_is_a_value_where_the_message_is_wanted():
    """`include_raw` gives the message, and the error instead of raising it."""
    said = RunnableLambda(lambda _: AIMessage("no JSON"))
    whole = parse_chain(said, JsonOutputParser(), include_raw=True).invoke("?")
    assert (whole["raw"].content, whole["parsed"]) == ("no JSON", None)
    assert "Invalid json" in str(whole["parsing_error"])


@pytest.mark.parametrize("mode", ["off", "fallback", "force"])
@pytest.mark.parametrize("method", WAYS)
@pytest.mark.parametrize("include_raw", [False, True])
def test_a_chain_says_what_it_returns(mode, method, include_raw):
    """Its output schema is that of the answer, as of the wrapped model's own chain."""
    given = {"method": method, "include_raw": include_raw}
    own, ours = (
        llm.with_structured_output(City, **given).get_output_schema().model_json_schema()
        for llm in (LLM, ChatToolEmu(LLM, mode=mode))
    )
    if not include_raw:
        assert ours == own
        assert method == "function_calling" or own == City.model_json_schema()
    else:
        assert ours["properties"]["parsed"] == own["properties"]["parsed"]
