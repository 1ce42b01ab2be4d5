"""The wordings: near variants, near misses, and how long a search may take."""

from langchain_core.messages import SystemMessage

from langchain_toolemu.model_facts.error_text import diagnose
from langchain_toolemu.model_facts.error_wordings import fold_sentence
from tests.tables import every_row

VARIANTS = {
    "tools": [
        "llama3 does not support tools",
        "This model doesn\u2019t support function calling",
        "The model 'x' does not currently support tool calling.",
        "do not support native tool use",
        "tools are not supported",
        "Tools not supported by this backend",
        "`tools` is unsupported",
        "the 'tools' parameter is not supported for this model",
        "Tool-calling is not available on this deployment",
        "Function calling support is not enabled",
        "function calls are not implemented",
        "tool use isn't supported",
        "unknown field: tools",
        "unknown field `tools`",
        "Unrecognized parameter: 'tools'",
        "Unsupported parameter: 'tools' is not supported with this model.",
        "create() got an unexpected keyword argument 'tools'",
        "Unrecognized key(s) in object: 'tools'",
        "Additional properties are not allowed ('tool_choice', 'tools' were unexpected)",
        "tools: Extra inputs are not permitted",
        "Extra inputs are not permitted, field: 'tools'",
        "property 'tools' is unsupported, did you mean 'stop'?",
        'tool_choice="required" requires --tool-call-parser to be set',
        "together_ai does not support parameters: {'tool_choice': 'auto', 'tools': [{'type': 'function'}]}, for model=x",
        "nvidia_nim does not support parameters: ['tools'], for model=x",
        "Unexpected role: tool",
        "400 Function calling is not enabled for models/gemma-3-12b-it",
        "Invalid argument provided to Gemini: 400 Function calling is not enabled for models/gemma-3-12b-it",
        "An error occurred (ValidationException) when calling the Converse operation: This model doesn't support tool use.",
        "Requests with tools are not supported",
        "The use of tools is not supported",
        "I'm sorry, but tools are not supported",
        "does not support tools with this model",
        "This model doesn't have native tool calling support",
        "body.tools: extra fields not permitted",
        "`tool_use` is not supported by this model",
    ],
    "tool_choice": [
        "tool_choice is not supported",
        "'tool_choice' value 'any' is not allowed",
        "Unsupported parameter: tool_choice",
        "tool_choice: Extra inputs are not permitted",
        "tool choice 'required' is currently not supported, only auto",
        "tool_choice only supports auto",
        "Forced function calling (mode = ANY) is only supported for Gemini 1.5 Pro models.",
        "tool_choice is one of the strings that should be ['none', 'auto']",
        "gemini does not support parameters: ['tool_choice'], for model=x",
    ],
    "parallel_tool_calls": [
        "Client.chat() got an unexpected keyword argument 'parallel_tool_calls'",
        "Unrecognized request argument supplied: parallel_tool_calls",
        "body.parallel_tool_calls: Extra inputs are not permitted",
        "Parallel tool calling isn't supported by this model",
        "`parallel_tool_calls` is currently not supported",
        "groq does not support parameters: ['parallel_tool_calls'], for model=x",
    ],
    "response_format": [
        "Guided decoding is currently not supported",
        "structured generation has been disabled",
        "response_format.type: must be one of 'json_object' or 'text'",
        "Input should be 'json_object' or 'text'",
        "This model does not support response_format",
        "does not support structured outputs",
        "json_schema is not supported",
        "Unknown parameter: 'response_format'.",
        "response_format: Extra inputs are not permitted",
        "Function calling with a response mime type: 'application/json' is unsupported",
        "response_format json_schema cannot be combined with tools",
    ],
    "system_role": [
        "System role is not supported",
        "system messages are not allowed",
        "The model does not support system prompts",
        "does not support the system role",
        "System message must be the first message",
        "Unexpected role 'system'",
        "role 'system' is not supported",
        "'messages[0].role' does not support 'developer' with this model.",
        "Only user and model roles are supported",
        "Received multiple non-consecutive system messages.",
        f"Unexpected message with type {SystemMessage} at the position 2.",
    ],
}
MISSES = [
    "tool_use_failed is not supported",
    "tool_use blocks are not supported in user messages",
    "You do not have tools",
    "must be one of 'text', 'json_object' or 'json_schema'",
    "Input should be 'text' or 'image'",
    "JSON schema conversion failed",
    "failed to parse grammar",
    "tools[0] is not supported",
    "tools.0.strict is not supported",
    "The web_search tool is not supported",
    "tools of type computer_use are not supported",
    "The following tools are not supported: web_search",
    "MCP tools are not supported",
    "Some tools are not supported",
    "does not support tools of this type",
    "tool_calls is not supported in user messages",
    "does not support function 'chat'",
    "an unexpected error occurred while calling tools",
    "unknown tool: get_weather",
    "Tool get_weather not found in tools",
    "tools must be a list",
    "Invalid type for 'tools': expected an array of objects",
    "tool calling is temporarily unavailable",
    "Multiple tools are supported only when they are all search tools",
    "tools are supported",
    "Invalid value for tool_choice: 'nope' names no tool",
    "does not support image inputs",
    "Unsupported parameter: 'temperature' is not supported with this model.",
    "my-tools are not supported",
    "/v1/tools is not supported",
    "roles must alternate user/assistant",
    "more than 128 tools are not supported",
    "Duplicate tools are not supported",
    "Computer use tools are not supported on this model",
    "does not support functions with more than 10 parameters",
    "does not support tools that have no description",
    "does not support tools without parameters",
    "Tools with nested schemas are not supported",
    "Multi-turn function calling is not supported",
    "The system prompt you provided contains content that is not allowed by our policy.",
    "output_format.schema: For 'object' type, 'additionalProperties: true' is not supported.",
    "Invalid parameter: response_format.json_schema.schema: 'oneOf' is not permitted",
    "tools.0.function.parameters: json_schema keyword 'pattern' is not supported",
    "The JSON schema of tool book is not supported",
]


@every_row(("axis", "text"), [(axis, text) for axis, texts in VARIANTS.items() for text in texts])
def test_near_variants_are_recognised(axis, text):
    """The same refusal in other words is the same refusal, however it is spelt and quoted."""
    assert diagnose(ValueError(text)).axis == axis
    assert diagnose(ValueError(text.upper())).axis == axis


@every_row("text", MISSES)
def test_near_misses_are_not(text):
    """One tool, one kind of tool, one field or another parameter is not tools as such."""
    assert diagnose(ValueError(text)) is None


@every_row(
    ("text", "lasting"),
    [
        ("does not support tools", True),
        ("llama3.2-vision does not support tools", True),
        ("does not support tools, images or audio", True),
        ("does not support tool use in streaming mode", False),
        ("Streaming with tools is not supported", False),
        ("tools are not supported when response_format is set", False),
        ("Streaming tool calls are not supported", False),
        ("Prompt caching with tools is not supported", False),
        ("Requests with tools are not supported", True),
        ("Tool use with function calling is unsupported", False),
        ("tool calling is not supported with this model", True),
    ],
)
def test_a_refusal_may_be_of_one_kind_of_request(text, lasting):
    """A refusal in streaming mode says nothing of the model otherwise."""
    assert diagnose(ValueError(text)).lasting is lasting


def test_a_folded_text_has_no_quotes_and_no_contractions():
    """Wordings are written once, for one spelling."""
    assert fold_sentence('It CAN\'T,\n  "it" `doesn\u2019t`') == "it can not, it does not"
