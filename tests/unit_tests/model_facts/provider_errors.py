"""What providers answer: refusals in their own bodies and statuses, and what only looks like one.

The numbers are those of the list this package was built from, which has the texts and most statuses; where it shows no
body, the shape is the provider's usual one. A later entry names the issue thread its text was read in; one without a
thread is from memory, or made up to be near a refusal. "After" marks a measured answer that was changed.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """An HTTP answer, and the axis it refuses (`None`: it refuses none)."""

    name: str
    status: int
    body: Any
    axis: str | None
    lasting: bool = True


def openai(message, kind="invalid_request_error", param=None, code=None):
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def vllm(message, kind="BadRequestError", code=400):
    return {"object": "error", "message": message, "type": kind, "param": None, "code": code}


def fastapi(*entries):
    return {"detail": list(entries)}


# The 21, with 8, 14b and 21 refusing only a choice.
REFUSALS = [
    Answer("01 Ollama", 400, openai("registry.ollama.ai/library/deepseek-r1:latest does not support tools", "api_error"), "tools"),
    Answer("02 Ollama native", 400, {"error": "hf.co/empower-dev/llama3-empower-functions-small-gguf-v1.1 does not support tools"}, "tools"),
    Answer("03 Ollama as Anthropic", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "gemma2:2b does not support tools"}}, "tools"),
    Answer("04 vLLM", 400, vllm('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'), "tools"),
    Answer("05 llama-server without jinja", 500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}, "tools"),
    Answer("06 llama-server, old", 500, {"error": {"code": 500, "message": "Unsupported param: tools", "type": "server_error"}}, "tools"),
    Answer("07 OpenRouter", 404, {"error": {"message": "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing", "code": 404}}, "tools"),
    Answer("07b OpenRouter", 404, {"error": {"message": 'No endpoints found that support tool use. Try disabling "question". To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing', "code": 404}}, "tools"),
    Answer("08 OpenRouter, choice", 404, {"error": {"message": "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing", "code": 404}}, "tool_choice"),
    Answer("09 DeepSeek", 400, openai("deepseek-reasoner does not support Function Calling"), "tools"),
    Answer("10 xAI", 400, {"code": "Client specified an invalid argument", "error": "Invalid request content: The model does not support tool use or function calling but tools or tool_choice have been specified on the request."}, "tools"),
    Answer("11 Google", 400, [{"error": {"code": 400, "message": "Function calling is not enabled for models/gemma-3-12b-it", "status": "INVALID_ARGUMENT"}}], "tools"),
    Answer("12 OpenAI", 400, openai("tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.", param="tools"), "tools"),
    Answer("13 Azure OpenAI, old", 404, openai("Unrecognized request argument supplied: tools"), "tools"),
    Answer("13b Azure OpenAI, old", 404, openai("Unrecognized request arguments supplied: tool_choice, tools"), "tools"),
    Answer("14 Bedrock", 400, {"__type": "ValidationException", "message": "This model doesn't support tool use."}, "tools"),
    Answer("14b Bedrock, choice", 400, {"__type": "ValidationException", "message": "This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any and try again."}, "tool_choice"),
    Answer("15 DashScope", 400, openai("<400> InternalError.Algo.InvalidParameter: The tool call is not supported.", code="invalid_parameter_error"), "tools"),
    Answer("16 FastGPT's upstream", 400, openai("Function call is not supported for this model."), "tools"),
    Answer("17 DeepInfra by a gateway", 405, {"status": "failure", "message": "deepinfra error: Tool calling is not supported for model: NousResearch/Hermes-3-Llama-3.1-70B", "error": {"message": "deepinfra error: Tool calling is not supported for model: NousResearch/Hermes-3-Llama-3.1-70B", "type": "APIError", "code": "405"}, "provider": "deepinfra"}, "tools"),
    Answer("18 Perplexity", 400, {"error": {"message": "Tool calling is not supported for this model", "type": "tool_calling_not_supported", "code": 400}}, "tools"),
    Answer("18b Perplexity, a tool's result", 400, {"error": {"message": "[\"At body -> messages -> 2 -> role: Input should be 'system', 'user' or 'assistant'\"]", "type": "bad_request", "code": 400}}, "tools"),
    Answer("19 Mistral", 422, fastapi({"type": "extra_forbidden", "loc": ["body", "tools"], "msg": "Extra inputs are not permitted", "input": [{"type": "function"}]}), "tools"),
    Answer("20 LiteLLM's proxy", 400, openai("litellm.UnsupportedParamsError: nvidia_nim does not support parameters: {'tools': [{'type': 'function', 'function': {'name': 'get_weather'}}]}, for model=x. To drop these, set `litellm.drop_params=True`", code="400"), "tools"),
    Answer("21 SiliconFlow, choice", 400, {"code": 20015, "message": "Value error, The `required` option for tool_choice is not yet supported.", "data": None}, "tool_choice"),
    # Others, as found in issue threads.
    Answer("Groq (langflow 11120)", 400, openai("tool calling is not supported with this model", param="tool calling"), "tools"),
    Answer("Novita by OpenRouter (aider-desk 86)", 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": '{"code":400, "reason":"INVALID_REQUEST_BODY", "message":"model features function calling not support", "metadata":{}}', "provider_name": "Novita"}}}, "tools"),
    Answer("SGLang (sglang 10184)", 500, vllm("Internal server error: Unsupported tool_call_parser: None", "InternalServerError", 500), "tools"),
    Answer("Xinference (inference 976)", 400, {"detail": "Only ['chatglm3', 'gorilla-openfunctions-v1', 'qwen-chat'] support tool calls"}, "tools"),
    Answer("Bedrock, streamed (langchain-aws 140)", 400, {"__type": "ValidationException", "message": "This model doesn't support tool use in streaming mode."}, "tools", lasting=False),
    Answer("llama-server of early 2025, streamed", 500, {"error": {"code": 500, "message": "Cannot use tools with stream", "type": "server_error"}}, "tools", lasting=False),
    Answer("jsonschema, of two fields", 400, openai("Additional properties are not allowed ('tools', 'tool_choice' were unexpected) - 'tools'"), "tools"),
    Answer("Anthropic, thinking (mastra 7507)", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "Thinking may not be enabled when tool_choice forces tool use."}}, "tool_choice"),
    Answer("Anthropic, model (opencode 46735)", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": 'tool_choice: type "tool" and "any" are not supported for this model.'}}, "tool_choice"),
    Answer("DashScope, thinking (eino 994)", 400, openai("<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode", code="invalid_parameter_error"), "tool_choice"),
    Answer("DeepSeek, choice (awesome-deepseek 598)", 400, openai("deepseek-reasoner does not support this tool_choice"), "tool_choice"),
    Answer("DeepSeek, thinking (DeepSeek-V3 1376)", 400, openai("Thinking mode does not support this tool_choice"), "tool_choice"),
    Answer("Moonshot (AstrBot 7805)", 400, openai("tool_choice 'required' is incompatible with thinking enabled"), "tool_choice"),
    Answer("DeepInfra by LiteLLM (litellm 4655)", 400, openai("litellm.BadRequestError: DeepinfraException - Deepinfra doesn't support tool_choice={'type': 'function', 'function': {'name': 'AnswerWithSource'}}. To drop unsupported deepinfra params from the call, set `litellm.drop_params = True`"), "tool_choice"),
    Answer("vLLM of 2024, choice", 400, vllm('[{\'type\': \'value_error\', \'loc\': (\'body\',), \'msg\': \'Value error, `tool_choice` must either be a named tool, "auto", or "none".\', \'input\': {\'messages\': []}}]'), "tool_choice"),
    Answer("choice in a schema", 422, fastapi({"type": "literal_error", "loc": ["body", "tool_choice"], "msg": "Input should be 'auto' or 'none'", "input": "required"}), "tool_choice"),
    Answer("OpenAI, schema", 400, openai("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide.", param=None), "response_format"),
    Answer("DeepSeek, schema", 400, openai("This response_format type is unavailable now"), "response_format"),
    Answer("Volcengine, schema (nanobrowser 47)", 400, openai("The parameter `response_format.type` specified in the request are not valid: invalid value: `json_schema`, supported values are: `json_object` and `text`."), "response_format"),
    Answer("CLIProxyAPI, schema (2352)", 400, {"detail": "Unsupported parameter: response_format"}, "response_format"),
    Answer("Google, schema", 400, [{"error": {"code": 400, "message": "JSON mode is not enabled for models/gemma-3-12b-it", "status": "INVALID_ARGUMENT"}}], "response_format"),
    Answer("Gemma on vLLM (vllm 2964)", 400, vllm("System role not supported"), "system_role"),
    Answer("system role on llama-server, after its measured template error", 500, {"error": {"code": 500, "message": "\n------------\nWhile executing CallExpression at line 1, column 207 in source:\n...{{ raise_exception('System role not supp...\n   ^\nError: Jinja Exception: System role not supported", "type": "server_error"}}, "system_role"),
    Answer("Mistral on LM Studio (lmstudio 1054)", 400, {"error": 'Error rendering prompt with jinja template: "Only user and assistant roles are supported!".'}, "system_role"),
    Answer("Google, Gemma (rig 788)", 400, [{"error": {"code": 400, "message": "Developer instruction is not enabled for models/gemma-3-27b-it", "status": "INVALID_ARGUMENT"}}], "system_role"),
    Answer("OpenAI, o1-mini (openai4j 62)", 400, openai("Unsupported value: 'messages[0].role' does not support 'system' with this model.", param="messages[0].role", code="unsupported_value"), "system_role"),
    Answer("role in a schema (free-claude-code 1041)", 422, fastapi({"type": "literal_error", "loc": ["body", "messages", 1, "role"], "msg": "Input should be 'user' or 'assistant'", "input": "system", "ctx": {"expected": "'user' or 'assistant'"}}), "system_role"),
    Answer("a template that wants it first (Eta 59)", 400, openai("System message must be at the beginning."), "system_role"),
    Answer("FastAPI with pydantic 1", 422, fastapi({"loc": ["body", "tools"], "msg": "extra fields not permitted", "type": "value_error.extra"}), "tools"),
    Answer("a model without the capability", 400, openai("Model does not have tool calling capabilities"), "tools"),
    Answer("tool use that was not enabled", 400, openai("Tool use has not been enabled, because it is unsupported by llama-2-7b."), "tools"),
    Answer("tool_use as one word", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "tool_use is not supported by this model"}}, "tools"),
    Answer("type of a format in a schema", 422, fastapi({"type": "literal_error", "loc": ["body", "response_format", "type"], "msg": "Input should be 'text' or 'json_object'", "input": "json_schema", "ctx": {"expected": "'text' or 'json_object'"}}), "response_format"),
    Answer("OpenAI, a value of the format's type", 400, openai("Invalid value: 'json_schema'. Supported values are: 'json_object' and 'text'.", param="response_format.type", code="invalid_value"), "response_format"),
    Answer("ik_llama.cpp (ik_llama.cpp 778)", 500, {"error": {"code": 500, "message": 'response_format type must be one of "text" or "json_object", but got: json_schema', "type": "server_error"}}, "response_format"),
    Answer("LM Studio, JSON mode (webai-at-home 221)", 400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}, "response_format", lasting=False),
    Answer("a server that takes schemas only", 400, {"error": "'response_format.type' must be 'json_schema'"}, "response_format", lasting=False),
    Answer("format with pydantic 1", 422, fastapi({"loc": ["body", "response_format"], "msg": "extra fields not permitted", "type": "value_error.extra"}), "response_format"),
    Answer("guided decoding, disabled", 400, vllm("guided decoding is disabled"), "response_format"),
    # the role of a tool's result
    Answer("a role, Anthropic (mcphost 36)", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": 'messages: Unexpected role "tool". Allowed roles are "user" or "assistant". For instructions on how to use tools, see https://docs.anthropic.com/en/docs/tool-use'}}, "tools"),
    Answer("a role (cursor2api-go 15)", 500, {"error": "Unsupported role: tool"}, "tools"),
    Answer("a role, invalid", 400, openai("Invalid role: tool"), "tools"),
    Answer("the system's role, by a later template (opencode 5034)", 500, {"error": {"code": 500, "message": "Only user, assistant and tool roles are supported, got system", "type": "server_error"}}, "system_role"),
    # a code and the parameter that it is about
    Answer("a code for tools", 400, openai("Bad request.", param="tools", code="unsupported_parameter"), "tools"),
    Answer("a code for parallel calls", 400, openai("Bad request.", param="parallel_tool_calls", code="unsupported_parameter"), "parallel_tool_calls"),
    Answer("a code for functions", 400, openai("Bad request.", param="functions", code="parameter_not_supported"), "tools"),
    Answer("a code for a choice", 400, openai("Bad request.", param="tool_choice", code="unsupported_parameter"), "tool_choice"),
    Answer("a code for a format", 400, openai("Bad request.", param="response_format", code="unknown_parameter"), "response_format"),
    Answer("parallel calls (fast-agent 279)", 400, openai("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", param="parallel_tool_calls", code="unsupported_parameter"), "parallel_tool_calls"),
    Answer("parallel calls, Cerebras (agno 4508)", 400, {"message": "parallel_tool_calls=False is not supported by this model.", "type": "invalid_request_error", "param": "parallel_tool_calls", "code": "wrong_api_format"}, "parallel_tool_calls"),
    Answer("parallel calls in words", 400, openai("This model does not support parallel tool calls. Parallel function calling is not supported."), "parallel_tool_calls"),
]  # fmt: skip

# What is found out by experiment: refused with 400 or 422, and taken in text. Other languages are mostly as gateways and clients
# put it for their users.
BY_EXPERIMENT = [
    Answer("a role (EchoBird 125)", 400, openai("Failed to deserialize the JSON body into the target type: messages[62].role: unknown variant `tool`, expected `user` or `assistant` at line 1 column 64329"), None),
    Answer("a role, by a list", 422, openai("messages[2].role must be one of: system, user, assistant"), None),
    Answer("a role, by a template", 500, {"error": {"code": 500, "message": "Only user, assistant and system roles are supported!", "type": "server_error"}}, None),
    Answer("a role that is not supported", 400, openai("This model does not support the tool role"), None),
    Answer("a role that is not allowed", 400, openai("role 'tool' is not allowed"), None),
    Answer("a role, by OpenAI's list of values", 400, openai("Invalid value: 'tool'. Supported values are: 'system', 'assistant', and 'user'.", param="messages[2].role", code="invalid_value"), None),
    Answer("a role, by a schema's list", 400, openai("'tool' is not one of ['system', 'assistant', 'user'] - 'messages.2.role'"), None),
    Answer("a role in Chinese", 400, openai("不支持的角色: tool"), None),
    Answer("Chinese", 400, openai("该模型不支持工具调用"), None),
    Answer("Chinese, a client's text", 400, openai("当前模型不支持工具调用，请更换支持 tool calling 的模型"), None),  # noqa: RUF001
    Answer("Chinese, a client's text of an API", 400, openai("当前 API 源不支持工具调用，请换用支持 tools 的渠道模型或改用其他应答格式"), None),  # noqa: RUF001
    Answer("Chinese, a gateway's text", 400, openai("音频/语音模型不支持工具调用 (tools not supported for TTS)"), None),
    Answer("Chinese, with an English word", 400, openai("该模型暂不支持 function call"), None),
    Answer("Chinese, the parameter", 400, openai("模型不支持 tools 参数"), None),
    Answer("Chinese, turned round", 400, openai("工具调用功能暂不支持"), None),
    Answer("Chinese of Taiwan, a client's text", 400, openai("目前模型不支援「工具呼叫」，勾了也不會生效。"), None),  # noqa: RUF001
    Answer("Japanese", 400, openai("このモデルはツール呼び出しに対応していません"), None),
    Answer("Japanese, a client's text", 400, openai("現在のモデルはツール呼び出しに対応していないため、選択しても効果がありません。"), None),
    Answer("Japanese, supported", 400, openai("指定されたモデルはツールの使用をサポートしていません。"), None),
    Answer("German, a client's text", 400, openai("Das gewählte Modell unterstützt keine Tools. Bitte ein Anthropic- oder Groq-Modell wählen."), None),
    Answer("German", 400, openai("Dieses Modell unterstützt keine Werkzeugaufrufe."), None),
    Answer("German, turned round", 400, openai("Tool-Aufrufe werden von diesem Modell nicht unterstützt."), None),
    Answer("French, a client's text", 400, openai("Ce modèle ne prend pas en charge les outils (tools). Cette commande est indisponible pour ce modèle."), None),
    Answer("French", 400, openai("Ce modèle ne prend pas en charge les appels d'outils."), None),
    Answer("French, supported", 400, openai("Le modèle ne supporte pas l'appel de fonctions."), None),
    Answer("French, turned round", 400, openai("L'utilisation d'outils n'est pas prise en charge par ce modèle."), None),
]  # fmt: skip

# What refuses one schema, one grammar or one order of messages: the caller's to see, unless we made it.
OURS = [
    Answer("grammar in a schema", 422, fastapi({"type": "extra_forbidden", "loc": ["body", "grammar"], "msg": "Extra inputs are not permitted", "input": "root ::= x"}), "grammar"),
    Answer("grammar in a schema, 400", 400, fastapi({"type": "extra_forbidden", "loc": ["body", "grammar"], "msg": "Extra inputs are not permitted", "input": "root ::= x"}), "grammar"),
    Answer("bad schema of a response", 400, openai("Invalid schema for response_format 'Person': In context=(), 'default' is not supported.", param="response_format"), "response_format", lasting=False),
    Answer("bad schema of a response (ag2 1990)", 400, openai("Invalid schema for response_format 'response_format': 'json_object' is not valid under any of the given schemas.", param="response_format"), "response_format", lasting=False),
    Answer("a schema that llama.cpp cannot convert (BrowserOS 255)", 400, {"error": {"code": 400, "message": 'JSON schema conversion failed:\nUnrecognized schema: {"description":"Arguments for the tool (JSON object)"}', "type": "invalid_request_error"}}, "response_format", lasting=False),
    Answer("a schema that xgrammar cannot convert (club-3090 45)", 400, vllm("The provided JSON schema contains features not supported by xgrammar."), "response_format", lasting=False),
    Answer("a schema beside a grammar (llama.cpp 11847)", 400, {"error": {"code": 400, "message": 'Either "json_schema" or "grammar" can be specified, but not both', "type": "invalid_request_error"}}, "grammar", lasting=False),
    Answer("a grammar that llama.cpp cannot parse (llama.cpp 24144)", 400, {"error": {"code": 400, "message": "Failed to parse grammar", "type": "invalid_request_error"}}, "grammar", lasting=False),
    Answer("the same, by its sampler (jenny-android-ai-agent 2)", 400, {"error": {"code": 400, "message": "Failed to initialize samplers: failed to parse grammar", "type": "invalid_request_error"}}, "grammar", lasting=False),
    Answer("a grammar that guidance cannot take (club-3090 45)", 500, vllm('Grammar error: Unimplemented keys: ["propertyNames"]', "InternalServerError", 500), "grammar", lasting=False),
    Answer("roles alternate", 400, vllm("Conversation roles must alternate user/assistant/user/assistant/..."), "system_role", lasting=False),
    Answer("roles alternate (autogen 1037)", 400, {"object": "error", "message": "Conversation roles must alternate user/assistant/user/assistant/...", "type": "invalid_request_error", "param": None, "code": None}, "system_role", lasting=False),
    Answer("roles alternate, llama-server, after a measured answer", 400, {"error": {"code": 400, "message": "Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 1, column 207 in source:\n...raise_exception('System role not supported') }}{% endif %}{{ raise_exception('Conversation roles must alternate user...\n   ^\nError: Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...", "type": "invalid_request_error"}}, "system_role", lasting=False),
    Answer("roles alternate, Perplexity", 400, openai("After the (optional) system message(s), user and assistant roles should be alternating.", "invalid_message"), "system_role", lasting=False),
]  # fmt: skip

ECHO = "Why does Ollama say that gemma2 does not support tools, and what is a system role not supported?"

# What must not count. Statuses that never do carry a refusal's words on purpose.
LOOK_ALIKES = [
    Answer("rate limit", 429, openai("Rate limit reached. The free tier does not support tools.", "rate_limit_error"), None),
    Answer("rate limit inside status 200", 200, {"error": {"message": "Upstream is busy; tools are not supported", "code": 429}}, None),
    Answer("bad key", 401, openai("Incorrect API key for a model that does not support tools"), None),
    Answer("forbidden", 403, openai("Your plan does not support tools"), None),
    Answer("proxy", 407, "tools are not supported", None),
    Answer("timeout", 408, openai("This model does not support tools"), None),
    Answer("conflict", 409, openai("This model does not support tools"), None),
    Answer("internal error", 500, openai("The server had an error while processing your request", "server_error"), None),
    Answer("bad gateway", 502, "<html>502 Bad Gateway: tools not supported</html>", None),
    Answer("loading", 503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}, None),
    Answer("overloaded", 529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, None),
    Answer("Fireworks, one field", 400, openai("Extra inputs are not permitted, field: 'tools[0].eager_input_streaming'"), None),
    Answer("Anthropic, one field", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "tools.0.custom.defer_loading: Extra inputs are not permitted"}}, None),
    Answer("one field in a schema", 422, fastapi({"type": "extra_forbidden", "loc": ["body", "tools", 0, "strict"], "msg": "Extra inputs are not permitted", "input": True}), None),
    Answer("OpenAI, one field", 400, openai("Unknown parameter: 'tools[0].function.strict'.", param="tools[0].function.strict", code="unknown_parameter"), None),
    Answer("one kind of tool", 400, openai("Tools of type 'custom' are not supported by this model; custom tools are not supported."), None),
    Answer("bad schema", 400, openai("Invalid schema for function 'get_weather': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'; functions not supported", code="invalid_function_parameters"), None),
    Answer("a type of format that nobody has (deep-research-py 19)", 400, openai("Invalid value: 'object'. Supported values are: 'json_object', 'json_schema', and 'text'.", param="response_format.type", code="invalid_value"), None),
    Answer("a type of format in a schema that takes all", 422, fastapi({"type": "literal_error", "loc": ["body", "response_format", "type"], "msg": "Input should be 'text', 'json_object' or 'json_schema'", "input": "object"}), None),
    Answer("a schema without its body (receipt-ocr 20)", 400, {"error": "'response_format.json_schema.schema' must be an object"}, None),
    Answer("tool use that an account lacks", 400, openai("Tool use has not been enabled for your organization. Contact sales."), None),
    Answer("a block of another's message", 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1"}}, None),
    Answer("a field of a tool, pydantic 1", 422, fastapi({"loc": ["body", "tools", 0, "strict"], "msg": "extra fields not permitted", "type": "value_error.extra"}), None),
    Answer("bad name", 400, openai("Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", param="tools[0].function.name", code="invalid_value"), None),
    Answer("long name", 400, openai("Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.", code="string_above_max_length"), None),
    Answer("too many tools", 400, openai("Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.", param="tools", code="array_above_max_length"), None),
    Answer("no tools in the list", 400, openai("[] is too short - 'tools'"), None),
    Answer("tools that are no list, llama-server, measured", 500, {"error": {"code": 500, "message": "Failed to parse tools: Expected 'tools' to be an array, got \"x\"; tools = \"x\"", "type": "server_error"}}, None),
    Answer("choice without tools", 400, openai("'tool_choice' is only allowed when 'tools' are specified."), None),
    Answer("result without a call", 400, openai("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."), None),
    Answer("one property of a message (julep 885)", 400, openai("'messages.1' : for 'role:user' the following must be satisfied[('messages.1' : property 'tool_calls' is unsupported, did you mean 'tool_call_id'?)]"), None),
    Answer("no chat (watsonx, litellm 7213)", 400, {"errors": [{"code": "model_no_support_for_function", "message": "Model 'ibm/granite-13b-chat-v2' does not support function 'function_text_chat'"}]}, None),
    Answer("no chat (Groq)", 400, openai("The model canopylabs/orpheus-arabic-saudi does not support chat completions"), None),
    Answer("no thinking (Ollama)", 400, {"error": '"llama3.2:latest" does not support thinking'}, None),
    Answer("context", 400, openai("This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens; longer prompts with tools are not supported.", code="context_length_exceeded"), None),
    Answer("content filter", 400, openai(f"The response was filtered due to the prompt triggering content management policy: {ECHO}", code="content_filter"), None),
    Answer("no such model", 404, openai("The model `tools` does not exist or you do not have access to it.", code="model_not_found"), None),
    Answer("roles of a later Mistral template", 400, openai("Only user and assistant roles are supported, with the exception of an initial optional system message!"), None),
    Answer("a schema that repeats the prompt", 422, fastapi({"type": "string_too_long", "loc": ["body", "messages", 0, "content"], "msg": "String should have at most 20 characters", "input": ECHO}), None),
    Answer("a message that quotes the prompt", 400, openai(f'Your prompt was flagged: "{ECHO}"'), None),
    Answer("a message that quotes the prompt singly", 400, openai(f"Invalid value for 'content': '{ECHO}' is too long."), None),
    Answer("a validation error that repeats the prompt", 400, openai(f"1 validation error for Message\ncontent\n  Input should be a valid list [type=list_type, input_value='{ECHO}', input_type=str]"), None),
    Answer("a page of HTML", 400, "<html><body>Bad Request</body></html>", None),
    Answer("nothing", 400, "", None),
    # the role of a tool's result, in a wrong place or beside others
    Answer("a result in a wrong place (ai-platform 414)", 400, {"object": "error", "message": "Unexpected role 'user' after role 'tool'", "type": "invalid_request_error", "param": None, "code": None}, None),
    Answer("a result in a wrong place, the other way", 400, {"object": "error", "message": "Unexpected role 'tool' after role 'system'", "type": "invalid_request_error", "param": None, "code": None}, None),
    Answer("a result without a call (nanobot 2007)", 400, {"object": "error", "message": "Message has tool role, but there was no previous assistant message with a tool call!", "type": "BadRequest", "param": None, "code": 400}, None),
    Answer("a role among those of tools (nocobase 8837)", 400, openai("null is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['1].role'"), None),
    Answer("a role that is missing, tools among the others", 400, openai("messages[1].role must be one of system, user, assistant, tool"), None),
    Answer("another role (pix 34)", 400, openai("Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`, `latest_reminder` at line 1 column 60"), None),
    # a code that refuses something else
    Answer("a code for one field of a tool", 400, openai("Bad request.", param="tools[0].function.strict", code="unsupported_parameter"), None),
    Answer("a code that is about the value", 400, openai("Bad request.", param="tools", code="invalid_value"), None),
    # other languages
    Answer("one kind of tools in Chinese", 400, openai("不支持工具类型 custom"), None),
    Answer("parallel calls in Chinese", 400, openai("该模型不支持并行工具调用"), None),
    Answer("one kind of tools in German", 400, openai("Dieses Modell unterstützt keine Tools vom Typ custom."), None),
    Answer("one kind of tools in French (Dify)", 400, openai("La version actuelle du plugin ne prend pas en charge les outils MCP."), None),
    Answer("images in Japanese", 400, openai("このモデルは画像に対応していません"), None),
]  # fmt: skip

# What refuses nothing either, and says that a parser failed.
FAILED_CALLS = [
    Answer("Groq, a failed call", 400, {"error": {"message": "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": "I do not support tools. This model does not support tools."}}, None),
    Answer("Groq, a call that does not fit", 400, openai("tool call validation failed: parameters for tool HassTurnOff did not match schema: errors: [`/domain`: expected array, but got string]", code="tool_use_failed"), None),
]  # fmt: skip
