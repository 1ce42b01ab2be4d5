"""llama.cpp's own server refuses schemas that it makes no grammar of: natively the call comes, in another form."""

import warnings

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

import langchain_toolemu.local
from langchain_toolemu import ChatToolEmu
from tests.refusing_servers import tool
from tests.tables import every_row
from tests.thoroughness import FULL_PRODUCTS

# A template in which llama.cpp finds calls, since SmolLM2's own has none.
TEMPLATE = (
    "{%- if tools %}{{- '<|im_start|>system\n# Tools\n<tools>' }}{%- for tool in tools %}{{- '\n' }}{{- tool | tojson }}{%- endfor %}"
    '{{- \'\n</tools>\nFor each call return JSON in tags:\n<tool_call>\n{"name": <name>, "arguments": <arguments>}\n</tool_call><|im_end|>\n\' }}'
    "{%- endif %}{%- for message in messages %}{{- '<|im_start|>' + message.role + '\n' }}{%- if message.content %}{{- message.content }}"
    '{%- endif %}{%- for call in message.tool_calls or [] %}{{- \'\n<tool_call>\n{"name": "\' + call.function.name + \'", "arguments": \' }}'
    "{{- call.function.arguments | tojson }}{{- '}\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}"
)
REFUSED = {
    "a long text": {"type": "string", "minLength": 5000},
    "a long list": {"type": "array", "items": {"type": "string"}, "minItems": 5000},
    "numbers without end": {"type": "integer", "minimum": -1e30, "maximum": 1e30},
    "a reference to elsewhere": {"$ref": "https://example.com/schema.json"},
    "a reference to nothing": {"$ref": "#/$defs/Missing"},
    "an invented type": {"type": "any"},
    "another": {"type": "file"},
    "nothing to choose from": {"enum": []},
    "no way at all": {"oneOf": []},
    "a list of nothing": {"type": "array", "items": False},
}


@pytest.fixture(scope="module")
def server():
    """The embedded model, as one that has tools."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(langchain_toolemu.local, "_SMOLLM2_TEMPLATE", TEMPLATE)
        with langchain_toolemu.local.LocalServer() as running:
            yield running


def booked(city):
    """A round that shows a model of this size what a call is."""
    call = {"name": "book", "args": {"city": city}, "id": city}
    result = ToolMessage("Booked.", tool_call_id=city)
    asked = HumanMessage(f"Book a room in {city}.")
    return [asked, AIMessage("", tool_calls=[call]), result, AIMessage("It is booked.")]


ASKED = [*booked("Rome"), *booked("Oslo"), HumanMessage("Book a room in Paris.")]


@pytest.mark.model
@pytest.mark.skipif(not FULL_PRODUCTS, reason="time: CI runs it")
@every_row("odd", REFUSED.values())
def test_the_call_comes_natively(odd, server):
    """The bare client gets an error, ChatToolEmu the call, within four requests."""
    tools = [tool(properties={"extra": odd})]
    llm = server.chat_model(max_tokens=40)
    with pytest.raises(openai.BadRequestError):
        llm.bind_tools(tools).invoke(ASKED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        message = ChatToolEmu(llm).bind_tools(tools).invoke(ASKED)
    report = message.response_metadata["toolemu"]
    assert [call["args"] for call in message.tool_calls] == [{"city": "Paris"}]
    assert report["path"] == "native"
    assert report["requests"] <= 4
