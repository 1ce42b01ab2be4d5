"""Coding agents through the gateway, set up as docs/coding-agents.md says: each writes a file.

The model is scripted: its server ignores tools, and takes no content but strings. It writes each
call as text, in a fence.
"""

import json
import math
import re
import sys
from dataclasses import dataclass

import pytest

from tests.clients import ROOT, npm_program, output_of, python_program
from tests.scripted_server import Reply, without_tools

pytestmark = pytest.mark.more("needs coding agents that are installed apart")

EDIT = "Replace hello by goodbye in greeting.txt."
WRITE = "Write a greeting to new.txt."
GREETING = "hello from an agent\n"
NOTES = [str(ROOT / "tests" / "notes_mcp_server.py")]
PAGE = (ROOT / "docs" / "coding-agents.md").read_text(encoding="utf-8")


@dataclass
class Script:
    """Writes calls one after the other where the tools are on offer, then says that all is done.

    A text in place of arguments is said to a request that holds the words in place of the name.
    What is longer than the window, in characters, is refused.
    """

    calls: list
    window: float = math.inf
    refused: int = 0

    def __call__(self, request):
        contents = [message["content"] for message in request["messages"]]
        if not all(isinstance(content or "", str) for content in contents):
            return Reply(status=422, body={"detail": "content must be a string"})
        text = json.dumps([request["messages"], request.get("tools")])
        if len(text) > self.window:
            self.refused += 1
            limit, given = f"{self.window // 4} tokens", f"{len(text) // 4} tokens"
            message = f"This model's maximum context length is {limit}."
            message += f" Your messages resulted in {given}."
            error = {"message": message, "code": "context_length_exceeded"}
            return Reply(status=400, body={"error": error})
        if not self.calls or self.calls[0][0] not in text:  # side requests offer no tools
            return "Done."
        name, given = self.calls.pop(0)
        if isinstance(given, str):
            return given
        return f"```json\n{json.dumps({'name': name, 'arguments': given})}\n```"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "greeting.txt").write_text("hello world\n")
    return tmp_path


def play(text_only, *calls, **window):
    script = Script(list(calls), **window)
    # Where sizes count, there is one request a turn: the server refuses tools instead.
    text_only.upstream.play(without_tools(script) if window else script)
    return script


def edited(folder, script):
    """The file is as it was asked for, by calls of which each was made."""
    assert not script.calls
    return (folder / "greeting.txt").read_text() == "goodbye world\n"


def written(folder, script):
    assert not script.calls
    return (folder / "new.txt").read_text() == GREETING


def settings(client, gateway):
    """The settings that the page has for a client: a file's text, or lines for a shell."""
    (section,) = re.findall(rf"^## {client}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    (block,) = re.findall(r"^```\w+\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    return block.replace("http://localhost:8787", gateway.url)


def exported(client, gateway):
    """The environment that the page sets for a client."""
    return dict(re.findall(r"^export (\w+)=(.*)$", settings(client, gateway), re.MULTILINE))


def configure(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


# --- Claude Code ---


def run_claude(text_only, folder, *options, **environment):
    command = [npm_program("claude"), "--model", "gemma2", *options]
    environment["DISABLE_AUTOUPDATER"] = "1"
    return output_of(command, folder, exported("Claude Code", text_only.gateway) | environment)


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
    configure(folder / "mcp.json", json.dumps({"mcpServers": {"notes": server}}))
    allowed = "mcp__notes__write_note ToolSearch"
    options = ("-p", WRITE, "--allowedTools", allowed, "--mcp-config", "mcp.json")
    assert "Done." in run_claude(text_only, folder, *options, ENABLE_TOOL_SEARCH=search)
    assert written(folder, script)


LONG = "The quick brown fox jumps over the lazy dog. " * 1200
SUMMARY = "<summary>\nlong.txt was read. Now write new.txt.\n</summary>"


def test_claude_code_compacts_what_is_too_long(text_only, folder):
    """An overflow comes in the words that it looks for: it asks for a summary, and goes on."""
    (folder / "long.txt").write_text(LONG)
    script = play(
        text_only,
        ("Read", {"file_path": str(folder / "long.txt")}),
        ("Do NOT call any tools", SUMMARY),
        ("Write", {"file_path": str(folder / "new.txt"), "content": GREETING}),
        window=105_000,
    )
    said = run_claude(text_only, folder, "-p", WRITE, "--allowedTools", "Read Write")
    assert "Done." in said
    assert script.refused
    assert written(folder, script)


# --- Codex ---


def run_codex(text_only, folder, *task, model="gemma2", more="", code=0):
    config = settings("Codex", text_only.gateway).replace("gemma2", model) + more
    configure(folder / ".codex" / "config.toml", config)
    options = ["--skip-git-repo-check", "--sandbox", "danger-full-access"]
    return output_of([npm_program("codex"), "exec", *options, *task], folder, code=code)


def test_codex_edits_a_file(text_only, folder):
    """Responses, streamed: a command, its output, the answer."""
    script = play(text_only, ("exec_command", {"cmd": "sed -i s/hello/goodbye/ greeting.txt"}))
    assert "Done." in run_codex(text_only, folder, EDIT)
    assert edited(folder, script)


PATCH = f"*** Begin Patch\n*** Add File: new.txt\n+{GREETING}*** End Patch\n"
CODE = f"await tools.exec_command({{cmd: 'echo {GREETING.strip()} > new.txt'}})"
# For models that it knows, it sends other tools.
CODEX = {
    "an MCP server": ("gemma2", [NOTE]),
    "a search of an MCP server's tools": ("gpt-5.5", [("tool_search", {"query": "note"}), NOTE]),
    "a patch": ("gpt-5.5", [("apply_patch", {"input": PATCH})]),
    "code": ("gpt-6.1-sol", [("functions__exec", {"input": CODE})]),
}


@pytest.mark.parametrize("more", ["", "supports_websockets = true\n"], ids=["HTTP", "after a 426"])
@pytest.mark.parametrize("case", CODEX)
def test_codex_writes_a_file(text_only, folder, case, more):
    """By tools in namespaces, searched for, that take a text, or that an item adds."""
    model, calls = CODEX[case]
    script = play(text_only, *calls)
    arguments = json.dumps([*NOTES, str(folder)])
    more += f'[mcp_servers.notes]\ncommand = "{sys.executable}"\nargs = {arguments}\n'
    assert "Done." in run_codex(text_only, folder, WRITE, model=model, more=more)
    assert written(folder, script)


@pytest.mark.parametrize("more", ["", "supports_websockets = true\n"], ids=["HTTP", "after a 426"])
def test_codex_compacts_what_is_too_long(text_only, folder, more):
    """It recognises an overflow: the turn ends, and the next one begins with a summary."""
    (folder / "long.txt").write_text(LONG)
    write = f"echo {GREETING.strip()} > new.txt"
    script = play(
        text_only,
        ("exec_command", {"cmd": "cat long.txt"}),
        ("CONTEXT CHECKPOINT", SUMMARY),
        ("exec_command", {"cmd": write}),
        window=44_000,
    )
    run_codex(text_only, folder, WRITE, code=1, more=more)
    assert "Done." in run_codex(text_only, folder, "resume", "--last", "Go on.", more=more)
    assert script.refused
    assert written(folder, script)


# --- Copilot CLI ---

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
    environment = exported("Copilot CLI", text_only.gateway)
    environment |= {"COPILOT_PROVIDER_WIRE_MODEL": "gemma2", **COPILOT[case]}
    if case == "messages":
        environment["COPILOT_PROVIDER_BASE_URL"] = text_only.gateway.url
    command = [copilot, "-p", WRITE, "--allow-all-tools"]
    assert "Done." in output_of(command, folder, environment)
    assert written(folder, script)


# --- others, by Chat Completions ---


def test_opencode_writes_a_file(text_only, folder):
    """By the AI SDK's provider for compatible servers."""
    opencode = npm_program("opencode")
    script = play(text_only, ("write", {"filePath": str(folder / "new.txt"), "content": GREETING}))
    configure(folder / "opencode.json", settings("opencode", text_only.gateway))
    said = output_of([opencode, "run", "--model", "toolemu/gemma2", WRITE], folder)
    assert "Done." in said
    assert written(folder, script)


def test_continue_writes_a_file(text_only, folder):
    """Its command `cn`, without an account."""
    cn = npm_program("cn")
    script = play(text_only, ("Write", {"filepath": str(folder / "new.txt"), "content": GREETING}))
    configure(folder / "config.yaml", settings("Continue CLI", text_only.gateway))
    command = [cn, "-p", WRITE, "--config", "config.yaml", "--auto"]
    assert "Done." in output_of(command, folder, {"CONTINUE_TELEMETRY_ENABLED": "0"})
    assert written(folder, script)


def test_qwen_code_writes_a_file(text_only, folder):
    """It sends every content as a list of parts."""
    qwen = npm_program("qwen")
    script = play(
        text_only, ("write_file", {"file_path": str(folder / "new.txt"), "content": GREETING})
    )
    command = [qwen, "--auth-type", "openai", "--yolo", "-p", WRITE]
    assert "Done." in output_of(command, folder, exported("qwen-code", text_only.gateway))
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
    configure(folder / ".pi" / "agent" / "models.json", settings("pi", text_only.gateway))
    command = [pi, "-p", "--provider", "toolemu", "--model", "gemma2", EDIT]
    assert "Done." in output_of(command, folder, {"PI_OFFLINE": "1"})
    assert edited(folder, script)


def test_cline_writes_a_file(text_only, folder):
    """Set up by its own command, streamed."""
    cline = npm_program("cline")
    file = {"path": str(folder / "new.txt"), "new_text": GREETING}
    script = play(text_only, ("editor", file))
    _, *login = settings("Cline", text_only.gateway).split()
    output_of([cline, *login], folder)
    assert "Done." in output_of([cline, WRITE], folder)
    assert written(folder, script)


def test_aider_writes_a_file(text_only, folder):
    """It offers no tools, and reads changes from the text: nothing of it is touched."""
    aider = python_program("aider")
    script = play(text_only, (WRITE, f"new.txt\n```\n{GREETING}```\n"))
    options = ["--edit-format", "whole", "--yes-always", "--no-git", "--no-show-model-warnings"]
    command = [
        aider,
        "--model",
        "openai/gemma2",
        *options,
        "--analytics-disable",
        "--no-check-update",
    ]
    environment = exported("aider", text_only.gateway)
    assert "new.txt" in output_of([*command, "--message", WRITE], folder, environment)
    assert written(folder, script)
