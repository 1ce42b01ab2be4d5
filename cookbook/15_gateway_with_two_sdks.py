"""One model, two protocols: OpenAI's and Anthropic's SDKs get tool calls from a model that has none.

    pip install ".[serve]" anthropic

In earnest the gateway is a process of its own, `toolemu serve`. Here it is a thread, to have all in one file.
"""

import threading
import time

import uvicorn
from anthropic import Anthropic
from any_model import any_model
from openai import OpenAI

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.serve import create_app

QUESTION = {"role": "user", "content": "Add 1234 and 4321."}
NUMBER = {"type": "integer"}
SCHEMA = {"type": "object", "properties": {"a": NUMBER, "b": NUMBER}, "required": ["a", "b"]}
ADD = {"name": "add", "description": "Add two numbers."}


def start(app) -> tuple[uvicorn.Server, str]:
    """A server on any free port, and its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    return server, f"http://127.0.0.1:{port}"


def ask_openai(url: str) -> None:
    client = OpenAI(base_url=f"{url}/v1", api_key="none")
    tools = [{"type": "function", "function": {**ADD, "parameters": SCHEMA}}]
    said = client.chat.completions.create(model="any", messages=[QUESTION], tools=tools)
    for call in said.choices[0].message.tool_calls or []:
        print("OpenAI's SDK:   ", call.function.name, call.function.arguments)


def ask_anthropic(url: str) -> None:
    client = Anthropic(base_url=url, api_key="none")
    tools = [{**ADD, "input_schema": SCHEMA}]
    said = client.messages.create(model="any", max_tokens=200, messages=[QUESTION], tools=tools)
    for block in said.content:
        if block.type == "tool_use":
            print("Anthropic's SDK:", block.name, block.input)


if __name__ == "__main__":
    server, url = start(create_app(ChatToolEmu(llm=any_model(), mode="force")))
    ask_openai(url)
    ask_anthropic(url)
    server.should_exit = True
