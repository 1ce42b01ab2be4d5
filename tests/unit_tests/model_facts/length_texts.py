"""What providers answer to a request that is too long for the model's window, and what only looks like it.

The texts follow the wording of the providers' errors as it was known when they were written, with other numbers; the
look-alikes do, too, or are made up to be near.
"""

from tests.unit_tests.model_facts.provider_errors import Answer, openai, vllm


def llama(message, kind="exceed_context_size_error", code=400):
    return {
        "error": {
            "code": code,
            "message": message,
            "type": kind,
            "n_prompt_tokens": 2500,
            "n_ctx": 2048,
        }
    }


def anthropic(message, kind="invalid_request_error"):
    return {"type": "error", "error": {"type": kind, "message": message}}


def google(message, status="INVALID_ARGUMENT", code=400):
    return {"error": {"code": code, "message": message, "status": status}}


TOO_LONG = [
    Answer("llama.cpp", 400, llama("request (2500 tokens) exceeds the available context size (2048 tokens), try increasing it"), None),
    Answer("llama.cpp, older", 400, llama("the request exceeds the available context size, try increasing it"), None),
    Answer("llama.cpp, oldest", 400, llama("the request exceeds the available context size. try increasing the context size or enable context shift", "invalid_request_error"), None),
    Answer("llama.cpp, while it writes", 500, llama("Context size has been exceeded.", "server_error", 500), None),
    Answer("llama-cpp-python", 400, openai("Requested tokens (2500) exceed context window of 2048", code="context_length_exceeded"), None),
    Answer("llama-cpp-python, without a code", 400, {"error": {"message": "Requested tokens (2500) exceed context window of 2048"}}, None),
    Answer("Ollama", 400, {"error": "the input length exceeds the context length"}, None),
    Answer("Ollama, as a prompt", 400, {"error": "the prompt is too long; exceeded max context length by 452 tokens"}, None),
    Answer("Ollama as OpenAI", 400, openai("input length exceeds maximum context length", "api_error"), None),
    Answer("OpenAI", 400, openai("This model's maximum context length is 8192 tokens. However, your messages resulted in 9012 tokens. Please reduce the length of the messages.", code="context_length_exceeded"), None),
    Answer("OpenAI, without a code", 400, openai("This model's maximum context length is 8192 tokens, however you requested 9012 tokens (8500 in your prompt; 512 for the completion). Please reduce your prompt; or completion length."), None),
    Answer("OpenAI, Responses", 400, openai("Your input exceeds the context window of this model. Please adjust your input and try again.", code="context_length_exceeded"), None),
    Answer("vLLM", 400, vllm("This model's maximum context length is 2048 tokens. However, you requested 2612 tokens (2100 in the messages, 512 in the completion). Please reduce the length of the messages or completion."), None),
    Answer("vLLM, the engine", 400, vllm("The decoder prompt (length 2100) is longer than the maximum model length of 2048. Make sure that `max_model_len` is no smaller than the number of text tokens."), None),
    Answer("vLLM, of the reply", 400, vllm("'max_tokens' or 'max_completion_tokens' is too large: 512. This model's maximum context length is 2048 tokens and your request has 1900 input tokens (512 > 2048 - 1900)."), None),
    Answer("vLLM, nothing left", 400, vllm("max_tokens must be at least 1, got -52."), None),
    Answer("SGLang", 400, {"object": "error", "message": "Requested token count exceeds the model's maximum context length of 2048 tokens. You requested a total of 2612 tokens", "type": "BadRequest", "code": 400}, None),
    Answer("SGLang, input", 400, {"object": "error", "message": "The input (2500 tokens) is longer than the model's context length (2048 tokens).", "type": "BadRequest", "code": 400}, None),
    Answer("LM Studio", 400, {"error": "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input"}, None),
    Answer("LM Studio, older", 400, {"error": "Trying to keep the first 5012 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}, None),
    Answer("TGI", 422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1900 `inputs` tokens and 512 `max_new_tokens`", "error_type": "validation"}, None),
    Answer("TGI, inputs", 422, {"error": "Input validation error: `inputs` must have less than 1024 tokens. Given: 3000", "error_type": "validation"}, None),
    Answer("Anthropic", 400, anthropic("prompt is too long: 210345 tokens > 200000 maximum"), None),
    Answer("Anthropic, with the reply", 400, anthropic("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"), None),
    Answer("Google", 400, google("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."), None),
    Answer("Bedrock", 400, {"__type": "ValidationException", "message": "Input is too long for requested model."}, None),
    Answer("Cohere", 400, {"message": "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4500. Try using a shorter prompt"}, None),
    Answer("Mistral", 400, {"object": "error", "message": "Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length", "type": "invalid_request_prompt", "code": "3051"}, None),
    Answer("DeepSeek", 400, openai("This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion."), None),
    Answer("Groq", 400, openai("Please reduce the length of the messages or completion.", code="context_length_exceeded"), None),
    Answer("OpenRouter", 400, {"error": {"message": "This endpoint's maximum context length is 8192 tokens. However, you requested about 9012 tokens (8500 of text input, 512 in the output). Please reduce the length of either one.", "code": 400}}, None),
    Answer("xAI", 400, {"code": "Client specified an invalid argument", "error": "This model's maximum prompt length is 131072 but the request contains 537812 tokens."}, None),
    Answer("Fireworks", 400, openai("The prompt is too long: 10012, model maximum context length: 8191"), None),
    Answer("watsonx", 400, {"errors": [{"code": "invalid_input_argument", "message": "the number of input tokens 9012 cannot exceed the total tokens limit 8192 for this model"}]}, None),
    Answer("DashScope", 400, openai("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]", code="invalid_parameter_error"), None),
    Answer("Zhipu", 400, {"error": {"code": "1261", "message": "Prompt 超长"}}, None),
    Answer("Moonshot", 400, openai("Invalid request: Your request exceeded model token limit: 8192"), None),
    Answer("MiniMax", 400, openai("invalid params, context window exceeds limit (2013)"), None),
    Answer("GitHub Models", 413, openai("Request body too large for gpt-4o model. Max size: 8000 tokens.", code="tokens_limit_reached"), None),
    Answer("TabbyAPI", 400, {"detail": "Prompt length 9120 is greater than max_seq_len 8192"}, None),
    Answer("Cohere, by so many", 422, {"message": "too many tokens: size limit exceeded by 912 tokens. Try using shorter or fewer inputs."}, None),
    Answer("a cache", 400, openai("The prompt (9120 tokens) does not fit into the KV cache of this slot (8192 tokens)"), None),
    Answer("a body", 413, openai("Request too large for model: prompt has 9120 tokens, the context window is 8192.", "tokens"), None),
    Answer("Chinese", 400, openai("输入内容过长:当前 9120 个 token,超过模型最大上下文 8192"), None),
    Answer("German", 500, openai("Der Prompt ist mit 9120 Token länger als das Kontextfenster (8192 Token)."), None),
    Answer("Russian", 400, openai("Длина запроса 9120 токенов превышает максимальную длину контекста модели 8192"), None),
    Answer("a deployment", 400, {"message": "Input tokens (9120) exceeded the limit of 8192 for this deployment"}, None),
    Answer("a length", 400, {"error": "prompt exceeds max length: 9120 > 8192"}, None),
    Answer("a full window", 500, {"error": "failed to decode: context window full (n_past=8192)"}, None),
    Answer("room", 400, openai("Not enough room in the context: 9120 tokens needed, 8192 available"), None),
    Answer("Spanish", 400, openai("El mensaje tiene 9120 tokens y excede la ventana de contexto de 8192"), None),
    Answer("French", 400, openai("La requête (9120 jetons) dépasse la fenêtre de contexte du modèle (8192)."), None),
    Answer("Korean", 400, openai("입력 토큰 9120개가 모델의 최대 컨텍스트 길이 8192를 초과했습니다"), None),
    Answer("Italian", 400, openai("Il prompt supera la lunghezza massima del contesto (8192 token)"), None),
    Answer("Japanese", 400, openai("プロンプトのトークン数(9120)がモデルの最大コンテキスト長(8192)を超えています"), None),
]  # fmt: skip

OTHER_LENGTHS = [
    Answer("OpenAI, tokens per minute", 429, openai("Request too large for gpt-4 in organization org-x on tokens per min (TPM): Limit 10000, Requested 12012.", "tokens", code="rate_limit_exceeded"), None),
    Answer("Groq, tokens per minute", 413, openai("Request too large for model `llama3-8b` on tokens per minute (TPM): Limit 6000, Requested 9012, please reduce your message size and try again.", "tokens", code="rate_limit_exceeded"), None),
    Answer("OpenAI, the reply alone", 400, openai("max_tokens is too large: 9000. This model supports at most 4096 completion tokens, whereas you provided 9000.", param="max_tokens"), None),
    Answer("vLLM, a wrong number", 400, vllm("max_tokens must be at least 1, got 0."), None),
    Answer("OpenAI, one string", 400, openai("Invalid 'messages[0].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2000000 instead.", code="string_above_max_length"), None),
    Answer("OpenAI, a description", 400, openai("Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1500 instead.", code="string_above_max_length"), None),
    Answer("OpenAI, too many tools", 400, openai("Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.", code="array_above_max_length"), None),
    Answer("Anthropic, a large body", 413, anthropic("Request exceeds the maximum size", "request_too_large"), None),
    Answer("Anthropic, a name", 400, anthropic("tools.0.custom.name: String should have at most 128 characters"), None),
    Answer("nginx", 413, "<html><head><title>413 Request Entity Too Large</title></head></html>", None),
    Answer("Ollama, tools", 400, {"error": "gemma2 does not support tools"}, None),
    Answer("a timeout", 504, openai("The request took too long: the context length may be large"), None),
    Answer("a queue", 503, openai("Requests in the queue exceed the limit"), None),
    Answer("an echo of the user's words", 400, {"detail": [{"loc": ["body", "messages", 0], "msg": "Field required", "input": {"content": "prompt is too long: why?"}}]}, None),
    Answer("a wrong setting", 400, openai("context_length must be a positive integer", param="context_length"), None),
    Answer("a quota", 400, google("Quota exceeded for input tokens per minute: the input token count exceeds the maximum number of tokens"), None),
    Answer("a prompt of characters", 400, openai("The prompt is too long: at most 4000 characters for an image"), None),
    Answer("a picture's size", 400, openai("Input image exceeds the allowed size of 20000000 bytes"), None),
    Answer("a cache of the context", 400, openai("The TTL of the context cache exceeds 3600 seconds"), None),
    Answer("a bad key", 401, openai("Incorrect API key provided"), None),
    Answer("a missing model", 404, openai("The model `gpt-5-long-context` does not exist"), None),
]  # fmt: skip
