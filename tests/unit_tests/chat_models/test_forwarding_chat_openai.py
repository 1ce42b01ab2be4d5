"""The gateway's ChatOpenAI writes what ChatOpenAI writes, but for what it keeps."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_openai import ChatOpenAI

from langchain_toolemu.chat_models.forwarding_chat_openai import ForwardingChatOpenAI

CALL = {"name": "f", "args": {"a": 1}, "id": "c", "type": "tool_call"}
MESSAGES = [
    SystemMessage("Be brief."),
    HumanMessage("Hi"),
    AIMessage("Hello. " * 100, name="Al"),
    AIMessage("", tool_calls=[CALL]),
    ToolMessage("1", tool_call_id="c"),
    AIMessage("Look.", tool_calls=[CALL]),
    ToolMessage([{"type": "text", "text": "2"}], tool_call_id="c"),
    AIMessage([{"type": "text", "text": "Done."}]),
    AIMessage(""),
]


@pytest.mark.parametrize("responses", [False, True])
def test_messages_are_written_as_chat_openai_writes_them(responses):
    """Texts of the assistant are put back unread; no message is changed."""
    given = {"model": "m", "api_key": "none", "use_responses_api": responses, "stop": ["x"]}
    before = [message.model_copy(deep=True) for message in MESSAGES]
    ours, own = (
        kind(**given)._get_request_payload(MESSAGES, temperature=0.5)
        for kind in (ForwardingChatOpenAI, ChatOpenAI)
    )
    assert ours == own
    assert before == MESSAGES
