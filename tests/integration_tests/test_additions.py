"""A server that answers our own additions with an unexplained bad request: they are left out, and from then on for good."""

import pytest

from langchain_toolemu import ChatToolEmu, Recipe
from tests.scripted_server import Reply, ScriptedServer
from tests.weather import CALL, get_weather

BAD = Reply(status=400, body={"error": {"message": "Bad Request"}})
FORM = {
    "title": "Note",
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}


def call_of(llm):
    return llm.bind_tools([get_weather]).invoke("The weather in Paris?").tool_calls[0]["name"]


def note_of(llm):
    return llm.with_structured_output(FORM, method="json_schema").invoke("Note: hi")["text"]


# What the server refuses, what is asked, what comes of it, and the model's settings.
ADDITIONS = [
    ("a system message", lambda sent: sent["messages"][0]["role"] == "system", call_of, CALL, "get_weather", {}),
    ("a grammar", lambda sent: "grammar" in sent, call_of, CALL, "get_weather", {"contract": Recipe(constraint="grammar")}),
    ("the schema of a form", lambda sent: "response_format" in sent, note_of, '{"text": "hi"}', "hi", {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("refused", "ask", "said", "result", "settings"),
    [case[1:] for case in ADDITIONS],
    ids=[case[0] for case in ADDITIONS],
)
def test_what_fails_is_left_out(refused, ask, said, result, settings):
    """A turn of two requests, then turns of one."""
    with ScriptedServer(lambda sent: BAD if refused(sent) else said) as server:
        llm = ChatToolEmu(llm=server.chat_model(), mode="force", **settings)
        counts = []
        for _ in range(3):
            before = len(server.requests)
            assert ask(llm) == result
            counts.append(len(server.requests) - before)
    assert counts == [2, 1, 1]
