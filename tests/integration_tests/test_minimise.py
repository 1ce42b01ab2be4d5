"""`toolemu doctor` names what a server refuses, and `--minimise` shrinks a request to the smallest that it still refuses."""

import json

import pytest

from langchain_toolemu.check.minimised import KINDS, minimise
from langchain_toolemu.commands.main import main
from tests import refusing_servers
from tests.obedient_model import obey
from tests.refusing_servers import answering, bare, tool
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def functions(*tools):
    return [{"type": "function", "function": one} for one in tools]


OTHERS = [
    tool(f"other_{n}", properties={"note": {"type": "string", "description": "x" * 80}})
    for n in range(33)
]
CODE = tool(
    "find", properties={"code": {"type": "string", "pattern": "^(?=a)b$", "description": "Which."}}
)
KIND = tool(
    "order", properties={"kind": {"$ref": "#/$defs/K"}}, **{"$defs": {"K": {"type": "string"}}}
)
ROWS = [
    (refusing_servers.grammar, CODE, "find", "pattern at properties.code"),
    (refusing_servers.gemini_keywords, tool("pay", additionalProperties=False), "pay", "additionalProperties at the top level"),
    (refusing_servers.references, KIND, "order", "$defs at the top level"),
    (refusing_servers.plain_names, tool("rooms.book"), "rooms.book", "its name"),
    (refusing_servers.empty_objects, tool("set", properties={"options": {"type": "object"}}), "set", "its schema"),
]  # fmt: skip


def minimised(check, body, tmp_path, capsys, *options):
    file = tmp_path / "request.json"
    file.write_text(json.dumps(body))
    with ScriptedServer(answering(check)) as server:
        given = ["doctor", "--model", "openai:m", "--base-url", server.base_url, *options]
        code = main([*given, "--minimise", str(file)])
        return code, capsys.readouterr().out, len(server.requests)


@every_row(("check", "odd", "name", "what"), ROWS)
def test_one_of_34_tools_is_named_with_its_keyword(check, odd, name, what, tmp_path, capsys):
    """What users find by hand in 34 tools takes a few dozen requests, also where the server does not say why."""
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi. " * 90}],
        "tools": functions(*OTHERS[:20], odd, *OTHERS[20:]),
    }
    for asked in (check, bare(check)):
        code, said, requests = minimised(asked, body, tmp_path, capsys, "--json")
        found = json.loads(said)
        assert code == 0
        assert [one["tool"] for one in found["blamed"]] == [name]
        assert what in found["blamed"][0]["what"]
        assert check({"messages": [], **found["smallest"]}) is not None
        assert len(json.dumps(found["smallest"])) < 420
        assert found["requests"] == requests < 90


def test_the_words_of_the_command(tmp_path, capsys):
    """The error, the tool and the keyword, how many requests it took, and the request itself; a list of tools is enough."""
    listed = {"tools": [{"name": "find", "inputSchema": CODE["parameters"]}]}
    code, said, _ = minimised(refusing_servers.grammar, listed, tmp_path, capsys)
    facts, _, smallest = said.partition("smallest:\n")
    assert code == 0
    assert "failed to parse grammar" in facts
    assert "tool:         find: pattern at properties.code\n" in facts
    (left,) = json.loads(smallest)["tools"]
    assert left["function"]["parameters"]["properties"] == {
        "code": {"type": "string", "pattern": "^(?=a)b$"}
    }


def test_messages_can_be_to_blame(tmp_path, capsys):
    """A thread of many messages shrinks to the call without its result."""
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    thread = [{"role": "user", "content": f"{n}"} for n in range(30)]
    thread[17:17] = [{"role": "assistant", "content": "", "tool_calls": [call]}]
    body = {"messages": thread, "tools": functions(*OTHERS)}
    _, said, _ = minimised(refusing_servers.pairs, body, tmp_path, capsys, "--json")
    found = json.loads(said)
    assert found["blamed"] == []
    assert [one["role"] for one in found["smallest"]["messages"]] == ["assistant"]


def test_a_request_that_is_taken(tmp_path, capsys):
    """There is nothing to shrink."""
    code, said, requests = minimised(lambda _: None, {"tools": functions(CODE)}, tmp_path, capsys)
    assert (code, requests) == (1, 1)
    assert "the server takes this request" in said


@every_row("text", ["", "{", "[1]", '{"tools": 3}', "null", "3"])
def test_a_file_that_is_none(text, tmp_path, capsys):
    """Said in one line."""
    file = tmp_path / "request.json"
    file.write_text(text)
    given = ["doctor", "--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1"]
    assert main([*given, "--minimise", str(file)]) == 1
    assert f"{file} cannot be read" in capsys.readouterr().err


@every_row(("status", "words"), [(401, "refuses the API key"), (503, "server error")])
def test_what_is_no_refusal_ends_it(status, words, tmp_path, capsys):
    """A wrong key is not shrunk."""
    file = tmp_path / "request.json"
    file.write_text("[]")
    with ScriptedServer(
        lambda _: Reply(status=status, body={"error": {"message": "no"}})
    ) as server:
        given = ["doctor", "--model", "openai:m", "--base-url", server.base_url]
        assert main([*given, "--minimise", str(file)]) == 1
        assert len(server.requests) == 1
    assert words in capsys.readouterr().err


def test_another_error_does_not_count():
    """What is left out must not be refused for another reason."""

    def send(body):
        text = (
            "bad schema"
            if "x" in body
            else "messages are missing"
            if not body.get("messages")
            else ""
        )
        return ValueError(text) if text else None

    found = minimise({"messages": ["a", "b"], "x": 1, "y": 2}, send)
    assert found.body == {"messages": [], "x": 1}


def test_plain_doctor_names_the_kinds_of_schemas(capsys):
    """One request where all are taken; else the kinds that are refused, found by halves."""
    for check, refused in (
        (lambda _: None, []),
        (refusing_servers.grammar, ["pattern", "maxLength"]),
    ):
        with ScriptedServer(lambda request, check=check: check(request) or obey(request)) as server:
            assert (
                main(["doctor", "--model", "openai:m-7b", "--base-url", server.base_url, "--json"])
                == 0
            )
            asked = [one for one in server.requests if len(one.get("tools", ())) == len(KINDS)]
        said = json.loads(capsys.readouterr().out)["schemas"]
        assert len(asked) == 1
        assert ("refuses " + ", ".join(refused) in said) == bool(refused)
