"""Who wants the reasoning of past messages back: by an error's text, by the host, by the model's name."""

import openai
import pytest
from langchain_openai import ChatOpenAI

from langchain_toolemu.capability import Capability, diagnose, override_tool_support
from langchain_toolemu.model_facts import Trouble
from tests.tables import every_row
from tests.unit_tests.model_facts.test_error_text import answer, httpx2

# The text, where it was read, and whether it demands reasoning (`None`: it says nothing of it).
TEXTS = [
    ("Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls", "dify-official-plugins 2306", True),
    ("Missing reasoning_content field in the assistant message at message index 5.", "claude-code-router 1041", True),
    ("Missing `reasoning_content` field in the assistant message at message index 3; thinking mode with tools is not supported without it", "made up of the first", True),
    ("The `reasoning_content` in the thinking mode must be passed back to the API.", "claude-code 399", True),
    ("The reasoning_content in the thinking mode must be passed back to the API.", "free-claude-code 152", True),
    ("Error from provider (Console Go): Upstream request failed: [invalid_request_error] The reasoning_content in the thinking mode must be passed back to the API.", "cursor-byok 268", True),
    ("The content[].thinking in the thinking mode must be passed back to the API.", "cursor-byok 268", True),
    ("thinking is enabled but reasoning_content is missing in assistant tool call message at index 7", "new-api 3121", True),
    ("'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]", "jan 8136", False),
    ("messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported", "chatwise-releases 1442", False),
    ("`messages[3].reasoning`: reasoning is not supported with this model", "vercel/ai 8056", False),
    ("body.messages.2.assistant.reasoning_content: Extra inputs are not permitted", "litellm 30835", False),
    ("Unknown parameter: 'messages[1].reasoning_content'.", "made up of OpenAI's wording", False),
    ("Additional properties are not allowed ('reasoning_content' was unexpected)", "made up of jsonschema's wording", False),
    ("This model does not support reasoning_effort", "near it", None),
    ("Unsupported parameter: 'reasoning' is not supported with this model.", "a parameter of the request", None),
    ("reasoning is enabled by default", "near it", None),
]  # fmt: skip


def refusal(text, status=400):
    body = {"error": {"message": text, "type": "invalid_request_error"}}
    error = openai.BadRequestError(
        f"Error code: {status}", response=answer(httpx2, body), body=body
    )
    error.status_code = status
    return error


@every_row(("text", "source", "demands"), TEXTS)
def test_an_error_says_whether_reasoning_is_wanted(text, source, demands):
    """A demand and a refusal are told apart, and neither is taken for a refusal of tools."""
    found = diagnose(refusal(text))
    assert found == (None if demands is None else Trouble("reasoning", text, demanded=demands))


def test_a_schema_error_names_the_field_by_its_place():
    """Mistral's servers list the fields that they do not know, each with its place."""
    entry = {"type": "extra_forbidden", "loc": ["body", "messages", 2, "assistant", "reasoning_content"], "msg": "Extra inputs are not permitted", "input": "\n"}  # fmt: skip
    error = openai.BadRequestError("422", response=answer(httpx2, {}), body={"detail": [entry]})
    found = diagnose(error)
    assert (found.axis, found.demanded) == ("reasoning", False)


def test_a_rate_limit_says_nothing_of_reasoning():
    """Other matters are never evidence, whatever words come with them."""
    assert diagnose(refusal("Missing reasoning_content field; rate limit", 429)) is None


# The address, the model, and how reasoning is sent.
ENDPOINTS = [
    ("https://api.deepseek.com", "deepseek-v4-flash", "send"),
    ("https://api.deepseek.com/v1", "some-alias", "send"),
    ("https://api.deepseek.com", "deepseek-chat", "as_is"),
    ("https://api.moonshot.ai/v1", "kimi-k2.5", "send"),
    ("https://api.moonshot.cn/v1", "moonshot-v1-8k", "as_is"),
    ("https://api.moonshot.cn/v1", "kimi-k2-0905-preview", "as_is"),
    ("https://api.kimi.com/coding/v1", "kimi-for-coding", "send"),
    ("https://api.z.ai/api/paas/v4", "glm-4.7", "send"),
    ("https://open.bigmodel.cn/api/paas/v4", "glm-5", "send"),
    ("https://api.minimax.io/v1", "MiniMax-M2.1", "send"),
    ("https://openrouter.ai/api/v1", "moonshotai/kimi-k2-thinking", "send"),
    ("http://127.0.0.1:8000/v1", "MiniMaxAI/MiniMax-M2", "send"),
    ("http://127.0.0.1:8000/v1", "zai-org/GLM-4.6-FP8", "send"),
    ("http://127.0.0.1:8000/v1", "deepseek-ai/DeepSeek-V3.2", "send"),
    ("http://127.0.0.1:8000/v1", "deepseek-ai/DeepSeek-R1", "as_is"),
    ("http://127.0.0.1:8000/v1", "qwen3", "as_is"),
    ("http://127.0.0.1:8000/v1", "glm-4-9b-chat", "as_is"),
    ("https://api.groq.com/openai/v1", "moonshotai/kimi-k2-thinking", "leave_out"),
    ("https://api.cerebras.ai/v1", "zai-glm-4.7", "leave_out"),
    ("https://api.mistral.ai/v1", "magistral-medium", "leave_out"),
    ("https://api.openai.com/v1", "gpt-5", "as_is"),
]


@every_row(("address", "model", "treatment"), ENDPOINTS)
def test_hosts_and_names_are_known(address, model, treatment):
    """A vendor's own host comes first, and elsewhere the model's name counts."""
    known = Capability(ChatOpenAI(model=model, base_url=address, api_key="k"))
    assert known.known.past_reasoning == treatment


def test_what_a_server_says_outranks_the_table():
    """A demand fills every message from then on, and a refusal takes the reasoning out."""
    known = Capability(ChatOpenAI(model="glm-4.6", base_url="http://127.0.0.1:9/v1", api_key="k"))
    for demanded, treatment in ((True, "fill"), (False, "leave_out")):
        known.learn_from(Trouble("reasoning", "said", demanded=demanded))
        assert known.known.past_reasoning == treatment


def test_the_user_outranks_the_server():
    """An override holds over what was learned."""
    known = Capability(ChatOpenAI(model="m", base_url="http://127.0.0.1:8/v1", api_key="k"))
    known.learn_from(Trouble("reasoning", "said", demanded=True))
    with override_tool_support("openai", "none", axis="reasoning"):
        assert known.known.past_reasoning == "leave_out"


@pytest.mark.parametrize("kind", ["ChatOpenAI", "a subclass"])
def test_only_chat_openai_itself_is_warned_of(kind, recwarn):
    """A subclass may carry the reasoning, so nothing is said of it."""
    cls = ChatOpenAI if kind == "ChatOpenAI" else type("Own", (ChatOpenAI,), {})
    known = Capability(
        cls(model="kimi-k2.5", base_url=f"http://127.0.0.1:7/{kind[:1]}", api_key="k")
    )
    for _ in range(2):
        known.warn_of_lost_reasoning(known.known)
    told = [str(one.message) for one in recwarn if "ToolEmuChatOpenAI" in str(one.message)]
    assert len(told) == (kind == "ChatOpenAI")
