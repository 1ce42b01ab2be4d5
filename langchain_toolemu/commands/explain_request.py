"""What the gateway changes of one request, on its way up and down: `toolemu serve --explain-request FILE`.

The file holds the body that a client sends. It is sent through the gateway once, without a server, to the model.
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_toolemu.serve.settings import ProcessSettings

_KEY = "toolemu-explain"  # the only client


def explain_request(file: Path, settings: "ProcessSettings") -> None:
    """Print it, or raise a `SettingsError` for a file that cannot be read."""
    from langchain_toolemu.errors import reason_of
    from langchain_toolemu.serve.settings import SettingsError

    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        path = _path_of(body)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        message = (
            f"{file} cannot be read: {reason_of(error)}. Write the body of a request, as JSON."
        )
        raise SettingsError(message) from error
    sys.stdout.write("\n".join(_lines(path, body, settings)) + "\n")


def _path_of(body: dict[str, Any]) -> str:
    """The endpoint whose clients send such a body."""
    tools = [tool for tool in body.get("tools") or () if isinstance(tool, dict)]
    if "input" in body:
        return "/v1/responses"
    if "system" in body or any("input_schema" in tool for tool in tools):
        return "/v1/messages"
    is_ollama = not {"options", "think", "keep_alive", "format"}.isdisjoint(body)
    return "/api/chat" if is_ollama else "/v1/chat/completions"


def _lines(path: str, body: dict[str, Any], settings: "ProcessSettings") -> list[str]:
    from starlette.testclient import TestClient

    from langchain_toolemu.serve import create_app

    app = create_app(settings, inspect=True, api_keys=(_KEY,))
    headers = {"authorization": f"Bearer {_KEY}"}
    with TestClient(app, base_url="http://localhost", headers=headers) as client:
        response = client.post(path, json={**body, "stream": False})
    lines = ["# The client sends", f"POST {path}", _json(body)]
    recordings, owner = app.state.gateway.recordings, app.state.gateway.access.owner_of(headers)
    for turn in recordings.summaries(owner):
        recording = recordings.find(turn["id"], owner).to_json()
        for number, request in enumerate(recording["sent"], 1):
            address = recording["address"]
            lines += ["", f"# Request {number} to the model at {address}", request["reason"]]
            lines += [_json(request["settings"])]
            lines += [f"[{message['role']}]\n{_words(message)}" for message in request["messages"]]
            reply = request["reply"] or _json(request["error"] or request["calls"])
            lines += ["", f"# Reply {number}", reply]
            lines += [f"Then: {request['outcome']}"]
    about = [f"{name}: {value}" for name, value in response.headers.items() if "toolemu" in name]
    lines += ["", "# The client gets", f"status {response.status_code}", *about]
    return [*lines, _json(response.json())]


def _words(message: dict[str, Any]) -> str:
    content = message.get("content")
    others = {key: value for key, value in message.items() if key not in ("role", "content")}
    rest = {key: value for key, value in others.items() if value}
    text = content if isinstance(content, str) else _json(content)
    return "\n".join([text, *([_json(rest)] if rest else [])])


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str)
