"""Calls and results of past messages, in every provider's way of writing them."""

from langchain_core.messages import (
    AIMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from langchain_toolemu.messages.past_calls import (
    PastCall,
    PastResult,
    calls_of,
    results_of,
    speaks,
)
from tests.tables import every_row

PARIS = {"city": "Paris"}
CALL = {"name": "get_weather", "args": PARIS, "id": "c1"}
BAD = {"name": "get_weather", "args": '{"ci', "id": "c2", "error": None, "type": "invalid_tool_call"}  # fmt: skip
TOOL_USE = {"type": "tool_use", "id": "c1", "name": "get_weather", "input": PARIS}
TEXT = {"type": "text", "text": "Well."}
IMAGE = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
LEGACY = {"function_call": {"name": "get_weather", "arguments": '{"city": "Paris"}'}}
GEMINI = {"name": "get_weather", "args": PARIS}
CALLS = {
    "Gemini": (AIMessage([{"text": "Well."}, {"functionCall": GEMINI}]), [PastCall("get_weather", PARIS)]),
    "Gemini, in Python": (AIMessage([{"function_call": {**GEMINI, "id": "c1"}}]), [PastCall("get_weather", PARIS, "c1")]),
    "Gemini, signed": (AIMessage([{"functionCall": GEMINI, "thoughtSignature": "abc"}]), [PastCall("get_weather", PARIS)]),
    "Gemini, with a type": (AIMessage([{"type": "function_call", "function_call": GEMINI}]), [PastCall("get_weather", PARIS)]),
    "Gemini, flat": (AIMessage([{"type": "functionCall", **GEMINI}]), [PastCall("get_weather", PARIS)]),
    "Gemini, no arguments": (AIMessage([{"functionCall": {"name": "now"}}]), [PastCall("now", {})]),
    "Gemini, two": (AIMessage([{"functionCall": GEMINI}, {"functionCall": {"name": "now", "args": {}}}]), [PastCall("get_weather", PARIS), PastCall("now", {})]),
    "Gemini, by its role": (ChatMessage([{"functionCall": GEMINI}], role="model"), [PastCall("get_weather", PARIS)]),
    "Gemini, beside LangChain's": (AIMessage([{"functionCall": GEMINI}], tool_calls=[CALL]), [PastCall("get_weather", PARIS, "c1")]),
    "Gemini, without a name": (AIMessage([{"functionCall": {"args": PARIS}}]), []),
    "LangChain": (AIMessage("", tool_calls=[CALL]), [PastCall("get_weather", PARIS, "c1")]),
    "one that could not run": (
        AIMessage("", tool_calls=[CALL], invalid_tool_calls=[BAD]),
        [PastCall("get_weather", PARIS, "c1"), PastCall("get_weather", '{"ci', "c2")],
    ),
    "Anthropic": (AIMessage([TEXT, TOOL_USE]), [PastCall("get_weather", PARIS, "c1")]),
    "Anthropic, in JSON": (
        AIMessage([{**TOOL_USE, "input": '{"city": "Paris"}'}]),
        [PastCall("get_weather", PARIS, "c1")],
    ),
    "Anthropic, cut": (
        AIMessage([{**TOOL_USE, "input": '{"ci'}]),
        [PastCall("get_weather", '{"ci', "c1")],
    ),
    "Anthropic, no arguments": (
        AIMessage([{**TOOL_USE, "input": {}}]),
        [PastCall("get_weather", {}, "c1")],
    ),
    "Anthropic, streamed": (
        AIMessage([{**TOOL_USE, "input": {}, "partial_json": '{"city": "Paris"}', "index": 0}]),
        [PastCall("get_weather", PARIS, "c1")],
    ),
    "Anthropic, streamed and cut": (
        AIMessage([{**TOOL_USE, "input": {}, "partial_json": '{"ci', "index": 0}]),
        [PastCall("get_weather", '{"ci', "c1")],
    ),
    "Anthropic, beside LangChain's": (
        AIMessage([TOOL_USE], tool_calls=[{**CALL, "args": {"city": "Rome"}}]),
        [PastCall("get_weather", {"city": "Rome"}, "c1")],
    ),
    "standard blocks": (
        AIMessage([{"type": "tool_call", **CALL}]),
        [PastCall("get_weather", PARIS, "c1")],
    ),
    "a standard block that could not run": (AIMessage([BAD]), [PastCall("get_weather", '{"ci', "c2")]),
    "Responses API": (
        AIMessage([{"type": "function_call", "call_id": "c1", "name": "get_weather", "arguments": '{"city": "Paris"}'}]),
        [PastCall("get_weather", PARIS, "c1")],
    ),
    "Bedrock": (
        AIMessage([{"toolUse": {"toolUseId": "c1", "name": "get_weather", "input": PARIS}}]),
        [PastCall("get_weather", PARIS, "c1")],
    ),
    "OpenAI's own, by role": (
        ChatMessage("", role="assistant", additional_kwargs={"tool_calls": [{"id": "c1", "type": "function", "function": LEGACY["function_call"]}]}),
        [PastCall("get_weather", PARIS, "c1")],
    ),
    "a user by role who quotes one": (ChatMessage([TOOL_USE], role="user"), []),
    "before tools": (AIMessage("", additional_kwargs=LEGACY), [PastCall("get_weather", PARIS)]),
    "before tools, by role": (
        ChatMessage("", role="assistant", additional_kwargs=LEGACY),
        [PastCall("get_weather", PARIS)],
    ),
    "before tools, beside LangChain's": (
        AIMessage("", additional_kwargs=LEGACY, tool_calls=[CALL]),
        [PastCall("get_weather", PARIS, "c1")],
    ),
    "words": (AIMessage([TEXT]), []),
    "a server's own tool": (AIMessage([{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]), []),
    "a user who quotes one": (HumanMessage([TOOL_USE]), []),
}  # fmt: skip


@every_row("case", CALLS)
def test_a_call_is_found_however_it_is_written(case):
    """In `tool_calls`, else in blocks of any provider, else as the one function call there was before tools."""
    message, expected = CALLS[case]
    assert calls_of(message) == expected


RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "22"}
ANSWERED = {"name": "get_weather", "response": {"output": "22"}}
RESULTS = {
    "Gemini": (HumanMessage([{"functionResponse": ANSWERED}]), [PastResult("22", name="get_weather")]),
    "Gemini, in Python": (HumanMessage([{"function_response": {**ANSWERED, "id": "c1"}}]), [PastResult("22", "c1", "get_weather")]),
    "Gemini, an object": (HumanMessage([{"functionResponse": {"name": "f", "response": {"degrees": 22, "sky": "blue"}}}]), [PastResult('{"degrees": 22, "sky": "blue"}', name="f")]),
    "Gemini, one key of the tool's own": (HumanMessage([{"functionResponse": {"name": "f", "response": {"degrees": 22}}}]), [PastResult('{"degrees": 22}', name="f")]),
    "Gemini, a list": (HumanMessage([{"functionResponse": {"name": "f", "response": {"result": [1, 2]}}}]), [PastResult("[1, 2]", name="f")]),
    "Gemini, nothing": (HumanMessage([{"functionResponse": {"name": "f"}}]), [PastResult("{}", name="f")]),
    "Gemini, an error": (HumanMessage([{"functionResponse": {"name": "f", "response": {"error": "no"}}}]), [PastResult("no", name="f", failed=True)]),
    "Gemini, with an image": (HumanMessage([{"functionResponse": {**ANSWERED, "parts": [IMAGE]}}]), [PastResult([{"type": "text", "text": "22"}, IMAGE], name="get_weather")]),
    "Gemini, two": (HumanMessage([{"functionResponse": ANSWERED}, {"functionResponse": {"name": "f", "response": {"output": "23"}}}]), [PastResult("22", name="get_weather"), PastResult("23", name="f")]),
    "Gemini, by its role": (ChatMessage([{"functionResponse": ANSWERED}], role="function"), [PastResult([{"type": "text", "text": "22"}], name="get_weather")]),
    "LangChain, around Gemini's": (ToolMessage([{"functionResponse": ANSWERED}], tool_call_id="c1"), [PastResult([{"type": "text", "text": "22"}], "c1", "get_weather")]),
    "LangChain": (ToolMessage("22", tool_call_id="c1", name="f"), [PastResult("22", "c1", "f")]),
    "LangChain, an error": (
        ToolMessage("no", tool_call_id="c1", status="error"),
        [PastResult("no", "c1", failed=True)],
    ),
    "LangChain, around Anthropic's": (
        ToolMessage([RESULT], tool_call_id="c1", name="f"),
        [PastResult([{"type": "text", "text": "22"}], "c1", "f")],
    ),
    "LangChain, around Anthropic's error": (
        ToolMessage([{**RESULT, "content": [TEXT, IMAGE], "is_error": True}], tool_call_id="c1"),
        [PastResult([TEXT, IMAGE], "c1", failed=True)],
    ),
    "LangChain, around Bedrock's": (
        ToolMessage([{"toolResult": {"toolUseId": "c1", "content": [{"text": "22"}]}}], tool_call_id="c1"),
        [PastResult([{"type": "text", "text": "22"}], "c1")],
    ),
    "LangChain, around Anthropic's and more": (
        ToolMessage(["Now:", RESULT, TEXT], tool_call_id="c1"),
        [PastResult(["Now:", {"type": "text", "text": "22"}, TEXT], "c1")],
    ),
    "Anthropic": (HumanMessage([RESULT]), [PastResult("22", "c1")]),
    "Anthropic, an error": (
        HumanMessage([{**RESULT, "is_error": True}]),
        [PastResult("22", "c1", failed=True)],
    ),
    "Anthropic, nothing": (
        HumanMessage([{"type": "tool_result", "tool_use_id": "c1"}]),
        [PastResult("", "c1")],
    ),
    "Responses API": (
        HumanMessage([{"type": "function_call_output", "call_id": "c1", "output": "22"}]),
        [PastResult("22", "c1")],
    ),
    "before tools": (FunctionMessage("22", name="f"), [PastResult("22", name="f")]),
    "Bedrock": (
        HumanMessage([{"toolResult": {"toolUseId": "c1", "status": "error", "content": [{"json": {"t": 22}}, {"text": "C"}]}}]),
        [PastResult([{"type": "text", "text": '{"t": 22}'}, {"type": "text", "text": "C"}], "c1", failed=True)],
    ),
    "by role": (ChatMessage("22", role="tool"), [PastResult("22")]),
    "by role, with an id": (
        ChatMessage("22", role="tool", additional_kwargs={"tool_call_id": "c1"}),
        [PastResult("22", "c1")],
    ),
    "words": (HumanMessage("22"), []),
    "an answer": (AIMessage([RESULT]), []),
}  # fmt: skip


@every_row("case", RESULTS)
def test_a_result_is_found_however_it_is_written(case):
    """As a message of its own, or as a block of a user's."""
    message, expected = RESULTS[case]
    assert results_of(message) == expected


def test_a_result_answers_the_call_of_its_id_else_of_its_name():
    """The API before tools has no ids."""
    call, legacy = PastCall("f", {}, "c1"), PastCall("f", {})
    assert PastResult("", "c1").answers(call)
    assert not PastResult("", "c2", "f").answers(call)
    assert PastResult("", name="f").answers(legacy)
    assert not PastResult("", name="g").answers(legacy)
    assert PastResult("", name="f").answers(call)  # Gemini's result, LangChain's call


@every_row(
    ("message", "expected"),
    [
        (HumanMessage("Hi"), True),
        (HumanMessage(""), True),
        (HumanMessage([TEXT]), True),
        (HumanMessage([RESULT]), False),
        (HumanMessage([RESULT, RESULT]), False),
        (HumanMessage([RESULT, TEXT]), True),
        (HumanMessage([RESULT, "And Rome?"]), True),
        (ToolMessage("22", tool_call_id="c1"), False),
        (SystemMessage("Hi"), False),
    ],
)
def test_a_message_of_nothing_but_results_is_no_users(message, expected):
    """Who only hands on results has not spoken; words beside them are the user's."""
    assert speaks(message) is expected
