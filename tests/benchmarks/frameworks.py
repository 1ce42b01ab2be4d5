"""`python -m tests.benchmarks.frameworks --rivals DIR`: a model that writes its call as text, in several frameworks.

The server ignores `tools`. The model writes a call of `get_weather`, and answers once it sees the result. Each framework runs
in its own environment: `make rivals` installs them. docs/comparison.md has the table.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tests.loopback import LoopbackServer, Quiet

BARE = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
WRITTEN = {
    "bare": BARE,
    "fenced": f"```json\n{BARE}\n```",
    "tagged": f"<tool_call>\n{BARE}\n</tool_call>",
    "after a sentence": f"Let me look that up.\n{BARE}",
}
RESULT = "22 degrees"
_COMMON = f"""
import sys, warnings
warnings.simplefilter("ignore")
base, question = sys.argv[1], "What is the weather in Paris?"
def get_weather(city: str) -> str:
    '''Get the weather.

    Args:
        city: The city.
    '''
    print("THE TOOL RAN")
    return "{RESULT}"
"""
_LITELLM = """
import litellm
litellm.add_function_to_prompt = True
parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tools = [{"type": "function", "function": {"name": "get_weather", "description": "", "parameters": parameters}}]
reply = litellm.completion(PROVIDER + "m", [{"role": "user", "content": question}], tools=tools, api_base=base + PATH, api_key="none")
for call in reply.choices[0].message.tool_calls or []:
    get_weather("Paris")
"""
_AGENT = """
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
WRAP
agent = create_agent(wrap(ChatOpenAI(model="m", base_url=base + "/v1", api_key="none")), [get_weather], middleware=MIDDLEWARE)
agent.invoke({"messages": [("user", question)]})
"""
_PLAIN_AGENT = _AGENT.replace("WRAP", "wrap = lambda llm: llm")
_WRAPPED_AGENT = _AGENT.replace("WRAP", "from langchain_toolemu import ChatToolEmu as wrap")
PROGRAMS = {
    "langchain-toolemu": _WRAPPED_AGENT.replace("MIDDLEWARE", "[]"),
    "LangChain's agent": _PLAIN_AGENT.replace("MIDDLEWARE", "[]"),
    "langchain-dev-utils": "from langchain_dev_utils.agents.middleware import ToolCallRepairMiddleware"
    + _PLAIN_AGENT.replace("MIDDLEWARE", "[ToolCallRepairMiddleware()]"),
    "smolagents": """
from smolagents import OpenAIModel, ToolCallingAgent, tool
model = OpenAIModel("m", api_base=base + "/v1", api_key="none")
ToolCallingAgent([tool(get_weather)], model, max_steps=2, verbosity_level=0).run(question)
""",
    "pydantic-ai": """
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=base + "/v1", api_key="none"))
Agent(model, tools=[get_weather]).run_sync(question)
""",
    "toolproxy": """
from toolproxy import UniversalAgent, tool
UniversalAgent(model="openai/m", tools=[tool(get_weather)], base_url=base + "/v1", api_key="none").run(question)
""",
    "LiteLLM, openai/": _LITELLM.replace("PROVIDER", "'openai/'").replace("PATH", "'/v1'"),
    "LiteLLM, ollama/": _LITELLM.replace("PROVIDER", "'ollama/'").replace("PATH", "''"),
    "LiteLLM, ollama_chat/": _LITELLM.replace("PROVIDER", "'ollama_chat/'").replace("PATH", "''"),
}


class Handler(Quiet, BaseHTTPRequestHandler):
    """Answers in OpenAI's form, or in Ollama's two."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        way = list(WRITTEN)[int(self.path.split("/")[1])]
        text = "It is warm." if RESULT in body else WRITTEN[way]
        said = {"role": "assistant", "content": text}
        choice = {"index": 0, "finish_reason": "stop", "message": said}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        openai = {"id": "1", "object": "chat.completion", "created": 1, "choices": [choice], "usage": usage}  # fmt: skip
        ollama = {"created_at": "2026-01-01T00:00:00Z", "done": True, "done_reason": "stop", "response": text, "message": said}  # fmt: skip
        payload = json.dumps({"model": "m", **(ollama if "/api/" in self.path else openai)})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload.encode())


def outcome(python: Path, program: str, base: str) -> str:
    """Whether the tool ran, or the last line of the error."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.py")  # some of them read the source of a tool
        file.write_text(_COMMON + program, encoding="utf-8")
        done = subprocess.run([python, file, base], capture_output=True, text=True, check=False)
    if "THE TOOL RAN" in done.stdout:
        return "ran"
    return "error: " + done.stderr.strip().splitlines()[-1][:60] if done.returncode else "no"


def main() -> None:
    """Print one row for each framework."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rivals", type=Path, default=Path(".rivals"), help="where make rivals installed them"
    )
    options = parser.parse_args()
    homes = {
        "langchain-toolemu": Path(sys.executable),
        "LiteLLM": options.rivals / "bin" / "python",
    }
    server = LoopbackServer(Handler)
    with server:
        for name, program in PROGRAMS.items():
            others = options.rivals / "frameworks" / "bin" / "python"
            python = homes.get(name.partition(",")[0], others)
            bases = (f"http://127.0.0.1:{server.server_port}/{way}" for way in range(len(WRITTEN)))
            print(name, *(outcome(python, program, base) for base in bases), sep=" | ", flush=True)


if __name__ == "__main__":
    main()
