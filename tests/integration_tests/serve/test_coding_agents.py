"""Coding agents through the gateway: each writes a file in a temporary folder, on a scripted model that is only text.

Its server has no tools, and takes no content but strings.
"""

import json
import sys
from dataclasses import dataclass, field

import pytest

from tests.clients import ROOT, npm_program, output_of
from tests.scripted_server import Reply, without_tools

pytestmark = pytest.mark.more("needs coding agents that are installed apart")

EDIT = "Replace hello by goodbye in greeting.txt."
WRITE = "Write a greeting to new.txt."
GREETING = "hello from an agent\n"
NOTES = [str(ROOT / "tests" / "notes_mcp_server.py")]


@dataclass
class Script:
    """Writes calls one after the other where the tools are on offer, and then says that all is done."""

    calls: list
    made: list = field(default_factory=list)

    def __call__(self, request):
        if not all(isinstance(message["content"], str) for message in request["messages"]):
            return Reply(status=422, body={"detail": "content must be a string"})
        text = json.dumps(request["messages"])
        if not self.calls or self.calls[0][0] not in text:  # side requests offer no tools
            return "Done."
        self.made.append(self.calls.pop(0))
        name, arguments = self.made[-1]
        return json.dumps({"name": name, "arguments": arguments})


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "greeting.txt").write_text("hello world\n")
    return tmp_path


def play(text_only, *calls):
    script = Script(list(calls))
    text_only.upstream.play(without_tools(script))
    return script


def edited(folder, script):
    """The file is as it was asked for, by calls of which each was made."""
    assert not script.calls
    return (folder / "greeting.txt").read_text() == "goodbye world\n"


def written(folder, script):
    assert not script.calls
    return (folder / "new.txt").read_text() == GREETING


def configure(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text if isinstance(text, str) else json.dumps(text))


# --- Claude Code ---


def run_claude(text_only, folder, *options, **environment):
    given = {
        "ANTHROPIC_BASE_URL": text_only.gateway.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        **environment,
    }
    command = [npm_program("claude"), "--model", "gemma2", *options]
    return output_of(command, folder, given)


def test_claude_code_edits_a_file(text_only, folder):
    """Messages, streamed: read, edit, answer."""
    file = str(folder / "greeting.txt")
    script = play(
        text_only,
        ("Read", {"file_path": file}),
        ("Edit", {"file_path": file, "old_string": "hello", "new_string": "goodbye"}),
    )
    said = run_claude(text_only, folder, "-p", EDIT, "--allowedTools", "Read Edit")
    assert "Done." in said
    assert edited(folder, script)


NOTE = ("mcp__notes__write_note", {"title": "new.txt", "text": GREETING})
SEARCH = ("ToolSearch", {"query": "select:mcp__notes__write_note", "max_results": 5})


@pytest.mark.parametrize(
    ("search", "calls"),
    [
        ("false", [NOTE]),
        ("true", [SEARCH, NOTE]),
    ],
    ids=["24 tools", "found by a search"],
)
def test_claude_code_calls_a_tool_of_an_mcp_server(text_only, folder, search, calls):
    """With its own 21 tools next to the server's three, or with those that it searches for."""
    script = play(text_only, *calls)
    server = {"command": sys.executable, "args": [*NOTES, str(folder)]}
    configure(folder / "mcp.json", {"mcpServers": {"notes": server}})
    allowed = "mcp__notes__write_note ToolSearch"
    options = ("-p", WRITE, "--allowedTools", allowed, "--mcp-config", "mcp.json")
    assert "Done." in run_claude(text_only, folder, *options, ENABLE_TOOL_SEARCH=search)
    assert written(folder, script)


# --- Codex ---


def run_codex(text_only, folder, task, more=""):
    provider = (
        'model = "gemma2"\nmodel_provider = "toolemu"\n[model_providers.toolemu]\nname = "toolemu"\n'
        f'base_url = "{text_only.gateway.v1}"\nwire_api = "responses"\n'
    )
    configure(folder / ".codex" / "config.toml", provider + more)
    options = ["--skip-git-repo-check", "--sandbox", "danger-full-access"]
    return output_of([npm_program("codex"), "exec", *options, task], folder)


def test_codex_edits_a_file(text_only, folder):
    """Responses, streamed: a command, its output, the answer."""
    script = play(text_only, ("exec_command", {"cmd": "sed -i s/hello/goodbye/ greeting.txt"}))
    assert "Done." in run_codex(text_only, folder, EDIT)
    assert edited(folder, script)


def test_codex_calls_a_tool_of_an_mcp_server(text_only, folder):
    """Which it sends in a namespace."""
    script = play(text_only, NOTE)
    arguments = json.dumps([*NOTES, str(folder)])
    server = f'[mcp_servers.notes]\ncommand = "{sys.executable}"\nargs = {arguments}\n'
    assert "Done." in run_codex(text_only, folder, WRITE, server)
    assert written(folder, script)


# --- Copilot CLI ---

PATCH = f"*** Begin Patch\n*** Add File: new.txt\n+{GREETING}*** End Patch\n"
COPILOT = {
    "chat": {},
    "chat, a tool that takes a text": {"COPILOT_MODEL": "gpt-5.3-codex"},
    "responses, a tool that takes a text": {
        "COPILOT_MODEL": "gpt-5.3-codex",
        "COPILOT_PROVIDER_WIRE_API": "responses",
    },
    "messages": {"COPILOT_PROVIDER_TYPE": "anthropic"},
}


@pytest.mark.parametrize("case", COPILOT)
def test_copilot_writes_a_file(text_only, folder, case):
    """All three protocols, streamed; a model that it knows to patch is offered a custom tool."""
    copilot = npm_program("copilot")
    file = {"path": str(folder / "new.txt"), "file_text": GREETING}
    takes_text = "COPILOT_MODEL" in COPILOT[case]
    call = ("apply_patch", {"input": PATCH}) if takes_text else ("create", file)
    script = play(text_only, call)
    base_url = text_only.gateway.url if case == "messages" else text_only.gateway.v1
    environment = {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": base_url,
        "COPILOT_PROVIDER_WIRE_MODEL": "gemma2",
        "COPILOT_MODEL": "gemma2",
        **COPILOT[case],
    }
    command = [copilot, "-p", WRITE, "--allow-all-tools"]
    assert "Done." in output_of(command, folder, environment)
    assert written(folder, script)


# --- others, by Chat Completions ---


def test_opencode_writes_a_file(text_only, folder):
    """By the AI SDK's provider for compatible servers."""
    opencode = npm_program("opencode")
    script = play(text_only, ("write", {"filePath": str(folder / "new.txt"), "content": GREETING}))
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": text_only.gateway.v1},
        "models": {"gemma2": {}},
    }
    configure(folder / "opencode.json", {"provider": {"toolemu": provider}})
    said = output_of([opencode, "run", "--model", "toolemu/gemma2", WRITE], folder)
    assert "Done." in said
    assert written(folder, script)


def test_continue_writes_a_file(text_only, folder):
    """Its command `cn`, without an account."""
    cn = npm_program("cn")
    script = play(text_only, ("Write", {"filepath": str(folder / "new.txt"), "content": GREETING}))
    model = {
        "name": "gemma2",
        "provider": "openai",
        "model": "gemma2",
        "apiBase": text_only.gateway.v1,
        "apiKey": "none",
        "capabilities": ["tool_use"],
    }
    config = {"name": "toolemu", "version": "1.0.0", "schema": "v1", "models": [model]}
    configure(folder / "config.yaml", config)  # JSON is YAML
    command = [cn, "-p", WRITE, "--config", "config.yaml", "--auto"]
    assert "Done." in output_of(command, folder, {"CONTINUE_TELEMETRY_ENABLED": "0"})
    assert written(folder, script)


def test_qwen_code_writes_a_file(text_only, folder):
    """It sends every content as a list of parts."""
    qwen = npm_program("qwen")
    script = play(
        text_only, ("write_file", {"file_path": str(folder / "new.txt"), "content": GREETING})
    )
    environment = {
        "OPENAI_BASE_URL": text_only.gateway.v1,
        "OPENAI_API_KEY": "none",
        "OPENAI_MODEL": "gemma2",
    }
    command = [qwen, "--auth-type", "openai", "--yolo", "-p", WRITE]
    assert "Done." in output_of(command, folder, environment)
    assert written(folder, script)


def test_pi_edits_a_file(text_only, folder):
    """Read, edit, answer."""
    pi = npm_program("pi")
    change = {"oldText": "hello", "newText": "goodbye"}
    script = play(
        text_only,
        ("read", {"path": "greeting.txt"}),
        ("edit", {"path": "greeting.txt", "edits": [change]}),
    )
    provider = {
        "baseUrl": text_only.gateway.v1,
        "api": "openai-completions",
        "apiKey": "none",
        "models": [{"id": "gemma2"}],
    }
    configure(folder / ".pi" / "agent" / "models.json", {"providers": {"toolemu": provider}})
    command = [pi, "-p", "--provider", "toolemu", "--model", "gemma2", EDIT]
    assert "Done." in output_of(command, folder, {"PI_OFFLINE": "1"})
    assert edited(folder, script)
