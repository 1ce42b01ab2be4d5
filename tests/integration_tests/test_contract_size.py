"""What the contract costs: ten real tools, counted by the embedded model's own tokenizer."""

import json
from pathlib import Path

import httpx

from langchain_toolemu.contract import write_contract
from langchain_toolemu.contract.dialects import JSON, MARKDOWN
from langchain_toolemu.local import LocalServer
from langchain_toolemu.tools import AUTO, read_tools

# As public servers of the Model Context Protocol describe them.
TOOLS = json.loads((Path(__file__).parents[1] / "real_tools.json").read_text())


def tokens(text: str, server: LocalServer) -> int:
    root = server.base_url.removesuffix("/v1")
    asked = httpx.post(f"{root}/tokenize", json={"content": text}, trust_env=False, timeout=60)
    return len(asked.json()["tokens"])


def test_ten_real_tools_cost_less_than_their_json(embedded_server: LocalServer):
    """All that a capable model is told, rules, tools and examples, takes at most 76 % of the tools as OpenAI's JSON."""
    contract = write_contract(read_tools(TOOLS), AUTO, MARKDOWN)
    ours, raw = tokens(contract.system, embedded_server), tokens(json.dumps(TOOLS), embedded_server)
    assert contract.examples == ()
    assert ours <= 0.76 * raw


def test_nothing_is_left_out():
    """Every name, type, enumerated value, default and description of the ten tools is in the contract."""
    system = write_contract(read_tools(TOOLS), AUTO, JSON).system
    missing = [said for tool in TOOLS for said in _said(tool["function"]) if said not in system]
    assert missing == []


def _said(part):
    """All that a tool says: names, descriptions, and how its arguments are written."""
    yield from (part["name"], part["description"])
    required = part["parameters"].get("required", [])
    for name, schema in part["parameters"]["properties"].items():
        mark = "" if name in required else "?"
        kinds = [json.dumps(one) for one in schema.get("enum", [])]
        yield f"{name}{mark}: {kinds[0] if kinds else ''}"
        yield from kinds
        yield schema.get("description", "")
        if schema["type"] != "array" and not kinds:
            yield f"{name}{mark}: {schema['type']}"
        if "default" in schema:
            yield f"= {json.dumps(schema['default'])}"
