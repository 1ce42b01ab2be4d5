"""Coding agents through the gateway: each edits a file in a temporary folder, on a model that is only text and scripted."""

import json
from dataclasses import dataclass

import pytest

from tests.clients import npm_program, output_of
from tests.scripted_server import without_tools

pytestmark = pytest.mark.more("needs coding agents that are installed apart")

TASK = "Replace hello by goodbye in greeting.txt."


@dataclass
class Script:
    """Writes calls one after the other where the tools are on offer, and then says that all is done."""

    calls: list

    def __call__(self, request):
        text = json.dumps(request["messages"])
        if not self.calls or self.calls[0][0] not in text:  # side requests offer no tools
            return "Done."
        name, arguments = self.calls.pop(0)
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


def test_claude_code_edits_a_file(text_only, folder):
    """Messages, streamed, with a dozen tools: read, edit, answer."""
    claude, file = npm_program("claude"), str(folder / "greeting.txt")
    script = play(
        text_only,
        ("Read", {"file_path": file}),
        ("Edit", {"file_path": file, "old_string": "hello", "new_string": "goodbye"}),
    )
    environment = {
        "ANTHROPIC_BASE_URL": text_only.gateway.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    command = [claude, "-p", TASK, "--model", "gemma2", "--allowedTools", "Read Edit"]
    assert "Done." in output_of(command, folder, environment)
    assert edited(folder, script)


def test_codex_edits_a_file(text_only, folder):
    """Responses, streamed: a command, its output, the answer."""
    codex = npm_program("codex")
    script = play(text_only, ("exec_command", {"cmd": "sed -i s/hello/goodbye/ greeting.txt"}))
    (folder / ".codex").mkdir()
    (folder / ".codex" / "config.toml").write_text(
        'model = "gemma2"\nmodel_provider = "toolemu"\n[model_providers.toolemu]\nname = "toolemu"\n'
        f'base_url = "{text_only.gateway.v1}"\nwire_api = "responses"\n'
    )
    command = [codex, "exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", TASK]
    assert "Done." in output_of(command, folder)
    assert edited(folder, script)


def test_pi_edits_a_file(text_only, folder):
    """Chat Completions, streamed: read, edit, answer."""
    pi, agent = npm_program("pi"), folder / ".pi" / "agent"
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
    agent.mkdir(parents=True)
    (agent / "models.json").write_text(json.dumps({"providers": {"toolemu": provider}}))
    command = [pi, "-p", "--provider", "toolemu", "--model", "gemma2", TASK]
    assert "Done." in output_of(command, folder, {"PI_OFFLINE": "1"})
    assert edited(folder, script)
