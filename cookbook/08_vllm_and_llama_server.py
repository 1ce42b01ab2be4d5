"""vLLM, llama-server and everything else that speaks OpenAI's protocol.

    vllm serve google/gemma-2-2b-it                # http://localhost:8000/v1
    llama-server -m gemma-2-2b-it.gguf             # http://localhost:8080/v1
    OPENAI_BASE_URL=http://localhost:8080/v1 python cookbook/08_vllm_and_llama_server.py

vLLM refuses tools unless it was started with --enable-auto-tool-choice and a parser; llama-server drops
them silently where the model's template has no place for them. You need not care which.
"""

import os

from langchain_core.tools import tool

from langchain_toolemu import ToolEmuChatOpenAI


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


if __name__ == "__main__":
    llm = ToolEmuChatOpenAI(
        model=os.environ.get("MODEL", "google/gemma-2-2b-it"),
        base_url=os.environ.get("OPENAI_BASE_URL", "http://localhost:8000/v1"),
        api_key=os.environ.get("OPENAI_API_KEY", "none"),
        temperature=0,
    )
    bound = llm.bind_tools([get_weather])

    for turn in ("first", "second"):
        message = bound.invoke("What is the weather in Paris?")
        report = message.response_metadata["toolemu"]
        calls = [(call["name"], call["args"]) for call in message.tool_calls]
        print(f"{turn} turn: {calls}, {report['path']}, requests: {report['requests']}")

    print("native tools:", llm.tool_support.verdict)
    print("how we know: ", llm.tool_support.reason)
