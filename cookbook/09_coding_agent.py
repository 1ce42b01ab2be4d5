"""A coding agent on OpenAI's SDK gets its tool calls from the gateway, and edits a file until its test passes.

pip install ".[serve]"
"""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import uvicorn
from any_model import any_model
from langchain_core.utils.function_calling import convert_to_openai_tool
from openai import OpenAI
from progress import PROGRESS

from langchain_toolemu.serve import create_app

CODE = "def discounted(price, percent):\n    return price * (1 + percent / 100)\n"
TEST = "from prices import discounted\n\nassert discounted(200, 10) == 180, discounted(200, 10)\n"
ROLE = "You are a coding agent. Work with the tools, one step at a time."
TASK = "The test of prices.py fails. Read prices.py, fix it with write_file, then run the test."


def start_gateway() -> str:
    """Run the gateway in a thread, on any free port. Usually it is a process of its own, `toolemu serve`."""
    server = uvicorn.Server(
        uvicorn.Config(create_app(any_model(embedded_can=False)), port=0, log_level="error")
    )
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"


class Folder:
    """The tools of the agent. Only a path's last part counts, so that none leads out of the folder."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.write_file("prices.py", CODE)

    def read_file(self, path: str) -> str:
        """Read a file."""
        return (self.path / Path(path).name).read_text()

    def write_file(self, path: str, content: str) -> str:
        """Replace the whole content of a file."""
        return f"{(self.path / Path(path).name).write_text(content)} characters written"

    def run_test(self) -> str:
        """Run the test."""
        # This runs what the model wrote, on your machine. -B: two edits in one second must not share a compiled file.
        command = [sys.executable, "-B", "-c", TEST]
        done = subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=20)
        return f"failed: {done.stderr[-500:]}" if done.returncode else "passed"


def work(client: OpenAI, folder: Folder) -> str:
    """The loop of every coding agent: ask, run the calls, hand back the results."""
    tools = {tool.__name__: tool for tool in (folder.read_file, folder.write_file, folder.run_test)}
    described = [convert_to_openai_tool(tool) for tool in tools.values()]
    messages = [{"role": "system", "content": ROLE}, {"role": "user", "content": TASK}]
    for _ in range(8):
        reply = client.chat.completions.create(model="any", messages=messages, tools=described)
        message = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls or ():
            try:
                args = json.loads(call.function.arguments)
                PROGRESS.call(call.function.name, args)
                result = tools[call.function.name](**args)
            except Exception as error:  # noqa: BLE001 - the model reads it and can try again
                result = f"Error: {error!r}"
            PROGRESS.say("result", result)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        if not message.tool_calls:
            return message.content
    return "stopped: too many rounds"


def main() -> dict:
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(name)
        PROGRESS.say("user", TASK)
        PROGRESS.say("answer", work(OpenAI(base_url=start_gateway(), api_key="none"), folder))
        result = {"test": folder.run_test(), "code": folder.read_file("prices.py")}
    PROGRESS.say("code", result["code"])
    PROGRESS.say("test", result["test"])
    return result


if __name__ == "__main__":
    main()
