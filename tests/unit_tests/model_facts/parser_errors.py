"""Errors by which servers say that they could not parse their own model's calls, and errors that say something else.

Each has the thread or the source file that its text was read in; long texts are shortened within the model's words, and names
of people and machines are left out. Where the thread shows no body, the shape is the server's usual one.
"""

from typing import Any, NamedTuple


class Failure(NamedTuple):
    """An answer by which a server says so: whose it is, which of its words are the model's, and whether it names a call."""

    source: str
    status: int
    body: Any
    server: str
    words: str = ""
    is_call: bool = False


class OtherError(NamedTuple):
    """An answer that says something else."""

    source: str
    status: int
    body: Any


def llama(message):
    return {"error": {"code": 500, "message": message, "type": "server_error"}}


def groq(message, words=None, code="tool_use_failed"):
    field = {} if words is None else {"failed_generation": words}
    return {"error": {"message": message, "type": "invalid_request_error", "code": code, **field}}


def openai(message, kind="invalid_request_error", param=None, code=None):
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def at(position, words):
    return llama(f"Failed to parse input at pos {position}: {words}")


def raw(words, why):
    return {"error": f"error parsing tool call: raw='{words}', err={why}"}


BASH = "<tool_call>\n<function=bash>\n<parameter=command>\ncd /work && git status\n</parameter>\n<parameter=description>\nCheck git status\n</parameter>\n</function>\n</tool_call>"
WRITE = '<tool_call>\n<function=write>\n<parameter=content>\n{\n  "a": 1\n}\n\n</parameter>\n<parameter=path>\na.json\n</parameter>\n</function>\n</tool_call>'
READS = "<tool_call>\n<function=read>\n<parameter=filePath>\nSTATE.md\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=read>\n<parameter=filePath>\nROADMAP.md\n</parameter>\n</function>\n</tool_call>"
MINIMAX = '<minimax:tool_call>\n<invoke name="Edit">\n<parameter name="replace_all">false</parameter>\n<parameter name="file_path">/projects/values.yaml</parameter>\n</invoke>\n</minimax:tool_call>'
LFM = "<|tool_call_start|>[web_search_exa(query='current temperature in Mexico City', numResults=5)]<|tool_call_end|>"
CHANNEL = '<|channel>thought planning<channel|><tool_use>{"name":"read_file","arguments":{"path":"pubspec.yaml"}}</tool_use>'
NATIVE = "The model produced output that does not match the expected peg-native format"
NO_JSON = "Failed to parse tool call arguments as JSON"
CUT_JSON = f"{NO_JSON}: [json.exception.parse_error.101] parse error at line 1, column 131: syntax error while parsing value - unexpected end of input; expected '[', '{{', or a literal"
FAILED = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details."
PATCH = '{"input":"*** Begin Patch\\n*** Update File: f.php\\n@@\\n-    public function total(float $rate): float\\n*** End Patch"}]'
REFLECTION = '{"reflection":"After the first search for \\"task decomposition\\", I received a generic response."]}'
SEARCH = 'web_search{"query": "SPFMV and SPCSV in the Pearl Of Africa 2016", "filter_year": 2016}</function>'
NESTED = '<tool_call>\n{"name": "transfer_task_to_member", "arguments": "{\\"agent_name\\": \\"Knowledge Agent\\"}"}\n</tool_call>'
FENCED = '```\n{\n  "tool_calls": [\n    {"id": "pending", "type": "function", "function": {"name": "getName"}, "parameters": {}}\n  ]\n}\n```'
PYTHON = '{"name": "run_python", "arguments": import numpy as np\nmm = np.array([659.8, 615.3])\nnp.mean(mm)\n"}'
OPENS = '{"name": "repo_browser.open_file", "arguments": {\n  "path": "analysis",\n  "line_start": 1,\n  "line_end": 200\n}}'
HARMONY = "unexpected tokens remaining in message header"
NOVA = "Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide."
MODEL_OUTPUT = '<|start|>assistant<|channel|>commentary to=functions.get_ecs_instructions<|constrain|>json<|message|>{"data":{"envs":{"sd":'
QUERY = '{"function": {"_name": "get_weather", "location": "Paris'

FAILURES = [
    # llama.cpp
    Failure("ggml-org/llama.cpp 24644", 500, at(1360, WRITE), "llama.cpp", WRITE),
    Failure("ggml-org/llama.cpp 20761", 500, at(12, "</tool_call>"), "llama.cpp", "</tool_call>"),
    Failure("pwilkin/llama.cpp 9, cut", 500, at(0, "<tool_call>\n<function=task>\n<"), "llama.cpp", "<tool_call>\n<function=task>\n<"),
    Failure("pwilkin/llama.cpp 9", 500, at(60, BASH), "llama.cpp", BASH),
    Failure("pwilkin/llama.cpp 9, two calls", 500, at(72, READS), "llama.cpp", READS),
    Failure("ggml-org/llama.cpp 22422", 500, at(144, MINIMAX), "llama.cpp", MINIMAX),
    Failure("ggml-org/llama.cpp 23838", 500, at(395, LFM), "llama.cpp", LFM),
    Failure("ggml-org/llama.cpp 24327", 500, llama("Failed to parse input at pos 0"), "llama.cpp"),
    Failure("pwilkin/llama.cpp 5", 500, llama("Failed to parse input at pos 184: ..."), "llama.cpp", "..."),
    Failure("b8559 on Mistral-Small-3.2, a changelog", 500, at(211, "</s>"), "llama.cpp", "</s>"),
    Failure("a chat client's test", 200, f"StreamException: Failed to parse input at pos 13: {CHANNEL}", "llama.cpp", CHANNEL),
    Failure("ggml-org/llama.cpp 27025", 500, llama(NATIVE), "llama.cpp"),
    Failure("ggml-org/llama.cpp 26381", 500, llama(NATIVE), "llama.cpp"),
    Failure("mostlygeek/llama-swap 856", 500, llama(NATIVE), "llama.cpp"),
    Failure("ggml-org/llama.cpp 27733", 500, {"error": {"code": 500, "message": NATIVE}}, "llama.cpp"),
    Failure("ggml-org/llama.cpp 25072", 500, llama(NATIVE.replace("native", "gemma4")), "llama.cpp"),
    Failure("llama-server's log, Content-only", 500, llama(NATIVE.replace("peg-native", "Content-only")), "llama.cpp"),
    Failure("after 27025: peg-simple", 500, llama(NATIVE.replace("native", "simple")), "llama.cpp"),
    Failure("after 27025: peg-constructed", 500, llama(NATIVE.replace("native", "constructed")), "llama.cpp"),
    Failure("ggml-org/llama.cpp 22948", 500, llama(f"{NO_JSON}: [json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing object key - unexpected end of input; expected string literal"), "llama.cpp", is_call=True),
    Failure("ggml-org/llama.cpp 22072", 500, llama(f"{NO_JSON}: parse error at line 1, column 27: invalid string: missing closing quote"), "llama.cpp", is_call=True),
    Failure("noonghunna/club-3090 1195", 500, llama(f"{NO_JSON}: [json.exception.parse_error.101] parse error at line 1, column 74: syntax error while parsing value"), "llama.cpp", is_call=True),
    Failure("ggml-org/llama.cpp 21680", 500, llama(f"{NO_JSON}: invalid literal"), "llama.cpp", is_call=True),
    Failure("vxcontrol/pentagi 313, LiteLLM", 500, openai(f"litellm.InternalServerError: InternalServerError: Custom_openaiException - {CUT_JSON}. Received Model Group=qwen3.6-35b\nAvailable Model Group Fallbacks=None"), "llama.cpp", is_call=True),
    Failure("after pentagi 313, with words", 500, openai(f"litellm.InternalServerError: InternalServerError: Custom_openaiException - Failed to parse input at pos 0: {BASH}. Received Model Group=qwen3.6-35b\nAvailable Model Group Fallbacks=None"), "llama.cpp", BASH),
    Failure("openclaw/openclaw 37658", 500, llama("Invalid diff: now finding less tool calls!"), "llama.cpp", is_call=True),
    Failure("openclaw/openclaw 35347", 200, openai("Invalid diff: now finding less tool calls!", "server_error"), "llama.cpp", is_call=True),
    Failure("ggml-org/llama.cpp 15713", 500, llama("Invalid diff: '<|tool_call|>[\"1025202362\"]' not found at start of '<|tool_call|>[\"1350490027\"]'"), "llama.cpp", is_call=True),
    Failure("ggml-org/llama.cpp 14060", 500, llama("Invalid diff: '<think>Okay, ovs-vsctl get Interface</think>' not found at start of '<think>Okay, ovs-vsctl get Interface <interface'"), "llama.cpp", is_call=True),
    # Ollama
    Failure("ollama/ollama 17638", 500, raw(PATCH, "invalid character ']' after top-level value"), "Ollama", PATCH, True),
    Failure("langchain-ai/langchain 34746", 200, raw(REFLECTION, "invalid character ']' after object key:value pair"), "Ollama", REFLECTION, True),
    Failure("continuedev/continue 10221", 500, raw("ls -R\n", "invalid character 'l' looking for beginning of value"), "Ollama", "ls -R\n", True),
    Failure("continuedev/continue 10221, as shown", 500, "Error parsing Ollama response: Error: error parsing tool call: raw='ls -R\n', err=invalid character 'l' looking for beginning of value", "Ollama", "ls -R\n", True),
    Failure("ollama/ollama 12884", 500, raw('{"name":"Write","parameters":{"file_path":"src/lib/data.ts","content":"// src/lib/data.ts\\n\\n/**', "unexpected end of JSON input"), "Ollama", '{"name":"Write","parameters":{"file_path":"src/lib/data.ts","content":"// src/lib/data.ts\\n\\n/**', True),
    Failure("a local agent's log", 500, raw('{"create_dirs":true,"destination":""/Users/me/file.png"}', "invalid character '/' after object key:value pair"), "Ollama", '{"create_dirs":true,"destination":""/Users/me/file.png"}', True),
    Failure("a coding agent's notes, prose first", 500, raw('We need to understand why. {"query":"insert_batch"}', "invalid character 'W' looking for beginning of value"), "Ollama", 'We need to understand why. {"query":"insert_batch"}', True),
    Failure("a client's test, with a status", 500, "500 error parsing tool call: raw='{\"path\":\"x.md\",\"content\":\"\\$900\"}', err=invalid character '$' in string escape code", "Ollama", '{"path":"x.md","content":"\\$900"}', True),
    Failure("a client's test, after attempts", 500, "Failed after 3 attempts. Last error: AI_APICallError: error parsing tool call: raw='x'", "Ollama", is_call=True),
    Failure("ollama/ollama 12064", 500, {"error": "error parsing tool call: invalid character ']' after object key:value pair"}, "Ollama", is_call=True),
    Failure("ollama/ollama 14834", 500, {"error": "XML syntax error on line 110: unexpected EOF"}, "Ollama", is_call=True),
    Failure("ollama/ollama 12380", 200, {"error": "XML syntax error on line 7: expected element name after <"}, "Ollama", is_call=True),
    Failure("ollama/ollama 18563", 500, {"error": "XML syntax error on line 127: element <parameter> closed by </function>"}, "Ollama", is_call=True),
    Failure("ollama/ollama 16810", 500, {"error": "XML syntax error on line 8: element <function> closed by </parameter>"}, "Ollama", is_call=True),
    Failure("continuedev/continue 10896", 500, {"error": "failed to parse XML: XML syntax error on line 1: element <tool_call> closed by </arg_value>"}, "Ollama", is_call=True),
    Failure("continuedev/continue 10896, another", 500, {"error": "expected element type <function> but have <parameter>"}, "Ollama", is_call=True),
    # Groq and Cerebras
    Failure("huggingface/smolagents 1119, LiteLLM", 400, "litellm.BadRequestError: GroqException - " + '{"error":{"message":"' + FAILED + '","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"web_search{\\"query\\": \\"SPFMV and SPCSV in the Pearl Of Africa 2016\\", \\"filter_year\\": 2016}\\u003c/function\\u003e"}}', "Groq", SEARCH),
    Failure("langchain-ai/langchain 31440", 400, groq(FAILED, '<function=brave_search>{"query": "Hello!"}</function>'), "Groq", '<function=brave_search>{"query": "Hello!"}</function>'),
    Failure("agno-agi/agno 2611", 400, groq(FAILED, NESTED), "Groq", NESTED),
    Failure("agno-agi/agno 4090", 400, groq(FAILED, "### Top Stories from Reddit\nAs the Reddit researcher"), "Groq", "### Top Stories from Reddit\nAs the Reddit researcher"),
    Failure("groq/groq-typescript 28", 400, groq(FAILED, FENCED), "Groq", FENCED),
    Failure("tashfeenahmed/freellmapi 291", 400, groq(FAILED, '<function=read={"file_path": "sample.txt"}</function>'), "Groq", '<function=read={"file_path": "sample.txt"}</function>'),
    Failure("anomalyco/opencode 1018", 200, {"error": {**groq(FAILED, "Tool use failed: JSON does not match the expected schema for tool calls")["error"], "status_code": 400}}, "Groq"),
    Failure("griptape-nodes-engine 1402", 400, openai(FAILED), "Groq"),
    Failure("OpenHands/OpenHands 10187", 400, groq(NO_JSON, "import csv\nmax_country=None\nprint(max_country)\n"), "Groq", "import csv\nmax_country=None\nprint(max_country)\n", True),
    Failure("Rekin226/aquascope 266", 400, groq(NO_JSON, PYTHON), "Groq", PYTHON, True),
    Failure("BerriAI/litellm 21242", 400, groq("Tool choice is none, but model called a tool", OPENS), "Groq", OPENS, True),
    Failure("after litellm 21242, required", 400, groq("Tool choice is required, but model did not call a tool", "Paris is the capital."), "Groq", "Paris is the capital."),
    Failure("laravel/ai 342", 400, groq("Tool call validation failed: tool call validation failed: parameters for tool CreateLeadTool did not match schema: errors: [missing properties: 'schema_definition']", '{"name": "CreateLeadTool", "arguments": {"name": "Ann"}}'), "Groq", '{"name": "CreateLeadTool", "arguments": {"name": "Ann"}}', True),
    Failure("HunorLaczko/ha-groq-cloud-api 20", 400, groq("tool call validation failed: parameters for tool HassTurnOff did not match schema: errors: [`/domain`: expected array, but got string]"), "Groq", is_call=True),
    Failure("mastra-ai/mastra 9688", 400, groq("Tool call validation failed: tool call validation failed: attempted to call tool 'listFiles' which was not in request.tools"), "Groq", is_call=True),
    Failure("from memory: Groq, another code", 400, groq("Parsing failed. The model generated output that could not be parsed. Please adjust your prompt. See 'failed_generation' for more details.", "<|channel|>analysis", "output_parse_failed"), "Groq", "<|channel|>analysis"),
    Failure("a code alone, as Groq's", 400, groq("The model failed.", LFM), "Groq", LFM),
    Failure("Groq by OpenRouter, the shape of diegosouzapw/OmniRoute 3044", 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": '{"error":{"message":"' + FAILED + '","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=add>{\\"a\\": 1}</function>"}}', "provider_name": "Groq"}}}, "Groq", '<function=add>{"a": 1}</function>'),
    Failure("vybestack/llxprt-code 221", 400, openai("Failed to generate tool_calls. Exception: Failed to generate tool call. Tool is not present in the tools list."), "Cerebras"),
    Failure("Cerebras/cerebras-cloud-sdk-node 4", 400, {"message": "Failed to generate tool_calls. Please adjust your prompt. See 'failed_generation' for more details. Exception: No valid function calls generated", "failed_generation": SEARCH}, "Cerebras", SEARCH),
    # vLLM, SGLang, lmdeploy
    Failure("vllm-project/vllm 51977", 500, openai(f'{HARMONY}: Some("to=functions.web-browsing")', "InternalServerError", code=500), "vLLM", is_call=True),
    Failure("openai/harmony 38", 500, openai(f'openai_harmony.HarmonyError: {HARMONY}: ["--commentary"]', "InternalServerError", code=500), "vLLM", is_call=True),
    Failure("ovh/public-cloud-roadmap 993", 500, openai(HARMONY, "InternalServerError", code=500), "vLLM", is_call=True),
    Failure("InternLM/lmdeploy 3962", 500, {"message": f'HarmonyError: {HARMONY}: ["prompt_token_id=[200006,"]'}, "vLLM", is_call=True),
    Failure("vllm-project/vllm 22515", 500, openai("Unexpected token 12606 while expecting start token 200006", "BadRequestError", code=400), "vLLM"),
    Failure("openai/harmony 60, SGLang", 500, openai("openai_harmony.HarmonyError: Unexpected token 12606 while expecting start token 200006"), "vLLM"),
    Failure("from memory: vllm-project/vllm 20470", 500, openai("1 validation error for list[FunctionDefinition]\n  Invalid JSON: EOF while parsing a value at line 1 column 0 [type=json_invalid, input_value='', input_type=str]", "InternalServerError", code=500), "vLLM", is_call=True),
    Failure("sgl-project/sglang 4300", 400, {"object": "error", "message": "Failed to parse fc related info to json format!", "type": "BadRequestError", "param": None, "code": 400}, "SGLang", is_call=True),
    Failure("OpenHands, a comment on SGLang", 400, {"object": "error", "message": "400", "type": "Failed to parse fc related info to json format!", "param": None, "code": 400}, "SGLang", is_call=True),
    # others
    Failure("huggingface/text-generation-inference 2310", 422, {"error": "Tool error: invalid escape at line 3 column 15", "error_type": "tool_error"}, "Text Generation Inference", is_call=True),
    Failure("text-generation-inference's source", 422, {"error": {"message": "Tool error: No function found in generated text", "http_status_code": 422}}, "Text Generation Inference", is_call=True),
    Failure("huggingface/text-generation-inference 2353", 422, {"error": "Tool error: Failed to parse generated text: EOF while parsing a string at line 1 column 56 " + '"{\\"function\\": {\\"_name\\": \\"get_weather\\", \\"location\\": \\"Paris"', "error_type": "tool_error"}, "Text Generation Inference", QUERY),
    Failure("langchain-ai/langchain-aws 567", 424, {"__type": "ModelErrorException", "message": NOVA}, "Amazon Bedrock", is_call=True),
    Failure("strands-agents/harness-sdk 649", 424, f"An error occurred (ModelErrorException) when calling the Converse operation: {NOVA}", "Amazon Bedrock", is_call=True),
    Failure("aws-solutions-library-samples 895", 200, f"An error occurred (modelStreamErrorException) when calling the ConverseStream operation: {NOVA}", "Amazon Bedrock", is_call=True),
    Failure("lmstudio-ai/lmstudio-bug-tracker 1528", 500, {"error": "Failed to parse tool call: Extra content after end of tool call"}, "The server", is_call=True),
    Failure("lmstudio-ai/lmstudio-js 493", 200, {"error": {"message": 'Failed to parse tool call: Expected "<|message|>", but got "to=function" at index 89.'}}, "The server", is_call=True),
    Failure("lmstudio-ai/lmstudio-bug-tracker 942", 500, {"error": f"Failed to parse tool call: Unexpected end of content. \nModel Output:  {MODEL_OUTPUT}"}, "LM Studio", MODEL_OUTPUT, True),
    Failure("after ml-explore/mlx-lm 899", 500, {"error": "Error parsing tool call: Invalid \\escape: line 1 column 12"}, "Ollama", is_call=True),
    Failure("after ollama/ollama 14834, its log", 500, {"error": "qwen tool call parsing failed"}, "The server", is_call=True),
    Failure("made up: after Google's reason to stop", 500, openai("MALFORMED_FUNCTION_CALL"), "The server", is_call=True),
    Failure("made up: a model that is named", 500, openai("The model produced an invalid tool call."), "The server", is_call=True),
    Failure("made up: a type instead of a code", 400, {"error": {"message": "Failed.", "type": "tool_use_failed", "failed_generation": SEARCH}}, "Groq", SEARCH),
    Failure("made up: a string of Go", 502, 'upstream: error="error parsing tool call: raw=\'{\\"city\\":\\"Paris\\"}]\', err=invalid character"', "Ollama", '{"city":"Paris"}]', True),
    Failure("made up: a body cut by a proxy", 502, '{"error":{"code":500,"message":"Failed to parse input at pos 0: <tool_call>\\n<function=ba', "llama.cpp"),
]  # fmt: skip

ECHO = 'Why does llama.cpp say Failed to parse input at pos 0: <tool_call>{"name": "rm", "arguments": {}}</tool_call>?'

OTHERS = [
    # the caller's messages, tools and templates
    OtherError("vllm-project/vllm 43995, past arguments", 400, openai("Expecting ',' delimiter: line 1 column 54 (char 53)", "BadRequestError", code=400)),
    OtherError("spiceai/spiceai 4734, past arguments", 400, {"code": "Client specified an invalid argument", "error": "The arguments to a tool_call with ID 'initial_list_datasets' are not a valid JSON string. Parsing error: Error(\"EOF while parsing a value\", line: 1, column: 0)"}),
    OtherError("microsoft/autogen 5814", 400, openai("<400> InternalError.Algo.InvalidParameter: Empty tool_calls is not supported in message.", code="invalid_parameter_error")),
    OtherError("philschmid/mcp-openai-gemini-llama-example 5", 400, openai('<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding message with "tool_calls".', code="invalid_parameter_error")),
    OtherError("HKUDS/nanobot 2007", 400, {"object": "error", "message": "Message has tool role, but there was no previous assistant message with a tool call!", "type": "BadRequest", "param": None, "code": 400}),
    OtherError("nicholasgriffintn/ai-platform 414", 400, {"object": "error", "message": "Unexpected role 'user' after role 'tool'", "type": "invalid_request_error", "param": None, "code": None}),
    OtherError("anomalyco/opencode 5034", 500, llama("After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results. at row 189, column 164:\n        {%- if (message['role'] == 'user') != (ns.index % 2 == 0) %}\n")),
    OtherError("lmstudio-ai/lmstudio-bug-tracker 2218", 500, {"error": "Engine protocol applyPromptTemplate request returned 500:\nJinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results."}),
    OtherError("lmstudio-ai/lmstudio-bug-tracker 630", 400, {"error": "Error rendering prompt with jinja template: Expected closing statement token. OpenSquareBracket !== CloseStatement."}),
    OtherError("0xku/kon 5", 500, llama("\n------------\nWhile executing CallExpression at line 145, column 28 in source:\n...\nError: Jinja Exception: Unexpected message role.")),
    OtherError("llama-server, a template without a parser", 400, llama("Unable to generate parser for this template. Automatic parser generation failed: unsupported tool format")),
    OtherError("llama-server, tools that are no list, measured", 500, llama("Failed to parse tools: Expected 'tools' to be an array, got \"x\"; tools = \"x\"")),
    OtherError("llama-server, messages that are no list", 500, llama("Failed to parse messages: Expected 'messages' to be an array, got \"x\"; messages = \"x\"")),
    OtherError("llama-server, a part of a message", 500, llama("Failed to parse messages: Missing content part type: {\"text\":\"Hi\"}")),
    OtherError("made up: a past call in a message", 400, openai("Failed to parse tool call in messages[2]: arguments must be a string")),
    OtherError("made up: past calls of the request", 400, openai("Could not parse function calls of the request: name is missing")),
    OtherError("made up: an invalid call of the caller", 400, openai("Invalid tool call id: call_1")),
    OtherError("made up: an id of the caller's", 400, openai("Failed to parse tool call id: call_1")),
    OtherError("made up: a call of the caller's", 400, openai("Invalid tool call")),
    OtherError("made up: a past call of the caller", 400, openai("Malformed function call in messages[3]")),
    OtherError("langchain-ai/langchain 25701", 400, openai("We could not parse the JSON body of your request. The content of 'assistant' should be a string type.", code="invalid_param")),
    OtherError("aattaran/deepclaude 29", 400, openai("Failed to deserialize the JSON body into the target type: messages[1].role: unknown variant `system`, expected `user` or `assistant` at line 1 column 1932")),
    OtherError("huggingface/smolagents 1531, Groq", 400, openai("'messages.0' : for 'role:system' the following must be satisfied[('messages.0.content' : value must be a string)]")),
    OtherError("obsidian-smart-connections 942, Groq", 400, openai("Only allowed string values for 'tool_choice' are none, auto, and required")),
    OtherError("BerriAI/litellm 11001, Groq", 400, openai("requested tool does not exist")),
    OtherError("RooCodeInc/Roo-Code 10334, Cerebras", 422, openai("Tools with mixed values for 'strict' are not allowed. Please set all tools to 'strict: true' or 'strict: false'", code="wrong_api_format")),
    OtherError("livekit/agents 2403, Cerebras", 400, openai("'NoneType' object is not iterable", param="messages", code="wrong_api_format")),
    OtherError("567-labs/instructor 1766, Cerebras", 400, openai("Unsupported tool_choice: type='function' function=ChoiceObjectFunction(name='Steps'). Expected 'auto' or 'none'.", param="tool_choice", code="wrong_api_format")),
    OtherError("vercel/ai 4396, Bedrock", 400, {"__type": "ValidationException", "message": "This model doesn't support the toolConfig.toolChoice.tool field. Remove toolConfig.toolChoice.tool and try again."}),
    OtherError("NousResearch/hermes-agent 97281, Bedrock", 400, {"__type": "ValidationException", "message": "The model returned the following errors: Malformed input request: #/toolConfig/tools/18: extraneous key [cachePoint] is not permitted, please reformat your input and try again."}),
    OtherError("TGI, a tool that is not there", 422, {"error": "Tool error: Tool with name get_time not found", "error_type": "tool_error"}),
    OtherError("xorbitsai/inference 2259", 500, {"detail": "[address=0.0.0.0:37059, pid=3614009] Tool response dicts require a 'name' key indicating the name of the called function!"}),
    OtherError("livekit/agents 3114, xAI", 400, {"code": "Client specified an invalid argument", "error": "Invalid request content: A tool_choice was set on the request but no tools were specified."}),
    OtherError("docker/docker-agent 2804, LiteLLM", 400, openai('litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: tool_choice.type: Field required"}')),
    OtherError("miurla/morphic 136", 400, openai("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (request id: 20240511161009)", param="messages.[3].role")),
    OtherError("num-scope/pix 34", 400, openai("Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`, `latest_reminder` at line 1 column 60")),
    OtherError("mike-nott/mcp-assist 21, vLLM", 400, openai('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "BadRequestError", code=400)),
    OtherError("QwenLM/Qwen 1298", 500, llama("Unsupported param: tools")),
    OtherError("ollama/ollama 6027", 400, openai("stablelm2:latest does not support tools", "api_error")),
    OtherError("Receipt-Wrangler/receipt-wrangler 444, Ollama", 400, {"error": "invalid character 'p' after top-level value"}),
    OtherError("evalstate/fast-agent 279", 400, openai("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", param="parallel_tool_calls", code="unsupported_parameter")),
    OtherError("decolua/9router 536", 400, openai("Unsupported parameter: 'temperature' is not supported with this model.")),
    OtherError("hotovo/aider-desk 86, OpenRouter", 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": '{"code":400, "reason":"INVALID_REQUEST_BODY", "message":"model features function calling not support", "metadata":{}}', "provider_name": "Novita"}}}),
    OtherError("diegosouzapw/OmniRoute 3044, OpenRouter", 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": '{"error":{"type":"invalid_request_error","message":"Model supports at most 1 image per prompt."}}'}}}),
    OtherError("reVrost/go-openrouter 21", 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": '{"error": {"message": "Response input messages must contain the word \'json\' in some form", "param": "input"}}'}}}),
    # grammars: the sampler failed, or the schema cannot be one
    OtherError("ggml-org/llama.cpp 27619", 500, llama("Unexpected empty grammar stack after accepting piece: =list (41213)")),
    OtherError("ggml-org/llama.cpp 13690", 500, llama("Unexpected empty grammar stack after accepting piece: [control_36]")),
    OtherError("ggml-org/llama.cpp 20260, its log", 400, llama("Failed to parse grammar")),
    OtherError("openclaw/openclaw 32916", 400, llama("parse: error parsing grammar: number of repetitions exceeds sane defaults, please reduce the number of repetitions")),
    OtherError("llama-server, a schema, measured", 400, llama("JSON schema conversion failed:\nUnrecognized schema: {\"type\":\"any\"}")),
    # JSON that was asked for and is none: no call
    OtherError("Groq, a response format", 400, groq("Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.", '{"city": ', "json_validate_failed")),
    # the server, the network, the account
    OtherError("langchain-ai/langchain 36602, Ollama", 500, {"error": "Internal Server Error (ref: 3f380fc3-f1b8-4b9e-aa2c-5c4486b28c08)"}),
    OtherError("ollama/ollama 14986", 500, {"error": "EOF"}),
    OtherError("an agent's test, Ollama", 500, {"error": "model requires more system memory (9.1 GiB) than is available"}),
    OtherError("Ollama, its runner", 500, {"error": "llama runner process has terminated: exit status 2"}),
    OtherError("open-webui/computer 293, OpenRouter", 429, {"error": {"message": "Provider returned error", "code": 429, "metadata": {"raw": "z-ai/glm-5.3-flash is temporarily rate-limited upstream. Please retry shortly", "provider_name": "BaseTen"}}}),
    OtherError("OpenRouterTeam/ai-sdk-provider 136", 502, {"error": {"message": "Provider returned error", "code": 502}}),
    OtherError("crmne/ruby_llm 431, OpenRouter", 403, {"error": {"message": "Provider returned error", "code": 403, "metadata": {"raw": '{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}'}}}),
    OtherError("OpenAI, 500", 500, openai("The model produced invalid content. Consider modifying your prompt if you are seeing this error persistently.", "model_error")),
    OtherError("OpenAI, 500, another", 500, openai("The server had an error while processing your request. Sorry about that!", "server_error")),
    OtherError("llama-server, loading", 503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}),
    OtherError("a rate limit with such words", 429, llama(NATIVE)),
    OtherError("a timeout with such words", 408, at(0, BASH)),
    OtherError("a bad key with such words", 401, groq(FAILED, SEARCH)),
    # errors that only quote the prompt
    OtherError("a filter that quotes the prompt", 400, openai(f"The response was filtered due to the prompt triggering content management policy: {ECHO}", code="content_filter")),
    OtherError("a filter without a code", 400, openai(f"Your prompt was flagged: {ECHO}")),
    OtherError("a sentence that begins with the prompt", 400, openai(f"Invalid content: 'error parsing tool call: raw='{BASH}', err=' is too long")),
    OtherError("a schema that repeats the prompt", 422, {"detail": [{"type": "string_too_long", "loc": ["body", "messages", 0, "content"], "msg": "String should have at most 20 characters", "input": at(0, BASH)["error"]["message"]}]}),
    OtherError("a body that repeats the request", 400, {"error": {"message": "Bad request"}, "request": {"messages": [{"role": "user", "content": at(0, BASH)["error"]["message"]}]}}),
    OtherError("a field of the request called so", 400, {"error": {"message": "Unknown field", "type": "invalid_request_error"}, "input": groq(FAILED, SEARCH)}),
    OtherError("a tool's result that failed", 400, openai("Invalid tool result: the tool said: Failed to parse input at pos 3")),
]  # fmt: skip
