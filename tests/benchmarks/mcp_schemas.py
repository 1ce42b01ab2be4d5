"""The tools of public MCP servers through the strictest of the refusing servers: can each be called natively?

    python -m tests.benchmarks.mcp_schemas FOLDER            # install the servers there and ask each for its tools
    python -m tests.benchmarks.mcp_schemas FOLDER --replay   # only replay what was fetched before

Each server is installed from npm or PyPI below FOLDER and asked `tools/list` over stdio, without a key that is worth anything; what
it says stays in FOLDER. Then all its tools are bound at once. A server that refuses whatever any real one refuses calls each of them,
with arguments that fit the tool's own schema, and the call must come back under the tool's own name.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_toolemu import ChatToolEmu
from tests.refusing_servers import strictest
from tests.scripted_server import Reply, ScriptedServer

SECONDS = 60


@dataclass(frozen=True)
class Source:
    """A public MCP server."""

    package: str
    arguments: Sequence[str] = ()
    keys: Sequence[str] = ()  # variables that it wants to be set before it lists its tools
    module: str = ""  # of PyPI; else the package is npm's

    @property
    def name(self) -> str:
        """A name for its files."""
        return self.package.replace("@", "").replace("/", "-")


SOURCES = [
    Source("@modelcontextprotocol/server-filesystem", ["."]),
    Source("@modelcontextprotocol/server-memory"),
    Source("@modelcontextprotocol/server-everything"),
    Source("@modelcontextprotocol/server-sequential-thinking"),
    Source("@modelcontextprotocol/server-github"),
    Source("@modelcontextprotocol/server-gitlab", keys=["GITLAB_PERSONAL_ACCESS_TOKEN"]),
    Source("@modelcontextprotocol/server-slack", keys=["SLACK_BOT_TOKEN", "SLACK_TEAM_ID"]),
    Source("@modelcontextprotocol/server-puppeteer"),
    Source("@modelcontextprotocol/server-postgres", ["postgresql://localhost/none"]),
    Source("@modelcontextprotocol/server-brave-search", keys=["BRAVE_API_KEY"]),
    Source("@modelcontextprotocol/server-google-maps", keys=["GOOGLE_MAPS_API_KEY"]),
    Source("@playwright/mcp"),
    Source("@notionhq/notion-mcp-server", keys=["NOTION_TOKEN"]),
    Source("chrome-devtools-mcp"),
    Source("@upstash/context7-mcp"),
    Source("firecrawl-mcp", keys=["FIRECRAWL_API_KEY"]),
    Source("tavily-mcp", keys=["TAVILY_API_KEY"]),
    Source("mongodb-mcp-server"),
    Source("@supabase/mcp-server-supabase", ["--access-token", "sbp_0000000000000000000000000000000000000000"]),
    Source("@sentry/mcp-server", ["--access-token", "none"]),
    Source("mcp-server-fetch", module="mcp_server_fetch"),
    Source("mcp-server-git", module="mcp_server_git"),
    Source("mcp-server-time", module="mcp_server_time"),
    Source("mcp-server-sqlite", ["--db-path", "none.db"], module="mcp_server_sqlite"),
]  # fmt: skip


# --- fetching ---


def fetch(source: Source, folder: Path) -> list[dict[str, Any]]:
    """The tools that a server lists."""
    home = folder / source.name
    home.mkdir(parents=True, exist_ok=True)
    given = dict.fromkeys(source.keys, "none")
    environment = {**os.environ, **given, "PUPPETEER_SKIP_DOWNLOAD": "1", "PYTHONPATH": str(home)}
    command = _installed(source, home, environment)
    return _list_tools([*command, *source.arguments], environment, home)


def _installed(source: Source, home: Path, environment: Mapping[str, str]) -> list[str]:
    if source.module:
        if not (home / source.module).exists():
            _run(
                [
                    sys.executable,
                    "-m",
                    "pip",
                    "install",
                    "-q",
                    "--target",
                    str(home),
                    source.package,
                ],
                environment,
            )
        return [sys.executable, "-m", source.module]
    root = home / "node_modules" / source.package
    if not root.exists():
        _run(
            ["npm", "install", "--silent", "--no-audit", "--prefix", str(home), source.package],
            environment,
        )
    commands = json.loads((root / "package.json").read_text())["bin"]
    script = commands if isinstance(commands, str) else next(iter(commands.values()))
    return ["node", str(root / script)]


def _run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    subprocess.run(command, env=environment, check=True, timeout=5 * SECONDS, capture_output=True)


def _list_tools(
    command: Sequence[str], environment: Mapping[str, str], home: Path
) -> list[dict[str, Any]]:
    about = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    pipe = subprocess.PIPE
    server = subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        cwd=home,
    )
    timer = threading.Timer(SECONDS, server.kill)
    timer.start()
    try:
        _say(server, {"id": 1, "method": "initialize", "params": about})
        _answer(server, 1)
        _say(server, {"method": "notifications/initialized"})
        tools: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        while True:
            _say(server, {"id": 2, "method": "tools/list", "params": params})
            result = _answer(server, 2)
            tools += result["tools"]
            if not (cursor := result.get("nextCursor")):
                return tools
            params = {"cursor": cursor}
    finally:
        timer.cancel()
        server.kill()
        server.wait()


def _say(server: Any, message: Mapping[str, Any]) -> None:
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


def _answer(server: Any, id_: int) -> dict[str, Any]:
    for line in server.stdout:
        if (
            line.lstrip().startswith("{")
            and (said := json.loads(line)).get("id") == id_
            and "method" not in said
        ):
            result: dict[str, Any] = said["result"]
            return result
    raise RuntimeError("it ended without an answer")


# --- arguments that fit ---


def sample(schema: Any, root: Any, depth: int = 0) -> Any:
    """The least value that fits a schema."""
    if not isinstance(schema, dict) or depth > 12:
        return "x"
    if "$ref" in schema:
        found = root
        for step in schema["$ref"].removeprefix("#").strip("/").split("/"):
            found = found[step] if step else found
        return sample(found, root, depth + 1)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if schema.get("enum"):
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key) and "properties" not in schema:
            return sample(schema[key][0], root, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema or not depth else "string")
    return _of_type(kind[0] if isinstance(kind, list) else kind, schema, root, depth)


_TEXTS = {
    "uri": "https://example.com",
    "date-time": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "email": "a@example.com",
}
_TEXTS |= {"uuid": "00000000-0000-4000-8000-000000000000"}


def _of_type(kind: str, schema: dict[str, Any], root: Any, depth: int) -> Any:
    least = schema.get(
        "minimum", schema.get("exclusiveMinimum", 0) + ("exclusiveMinimum" in schema)
    )
    match kind:
        case "object":
            named = schema.get("properties", {})
            return {
                key: sample(named.get(key), root, depth + 1) for key in schema.get("required", ())
            }
        case "array":
            return [sample(schema.get("items"), root, depth + 1)] * schema.get("minItems", 0)
        case "integer" | "number":
            return max(least, 1) if schema.get("maximum", 1) >= 1 else least
        case "boolean":
            return True
        case "null":
            return None
    text = _TEXTS.get(schema.get("format", ""), "x" * max(1, schema.get("minLength", 1)))
    return text[: schema.get("maxLength", len(text))]


# --- replaying ---


@dataclass
class Outcome:
    """How the tools of one server fared."""

    tools: int
    refused: bool  # whether the strict server refuses them as they are
    called: int = 0
    native: int = 0
    first: int = 0  # requests of the first turn
    second: int = 0  # and of the second
    lost: list[str] = field(default_factory=list)


def replay(listed: Sequence[dict[str, Any]]) -> Outcome:
    """Call each tool once, all of them bound."""
    tools = [
        {"type": "function", "function": {"name": one["name"], "description": one.get("description") or "", "parameters": one["inputSchema"]}}
        for one in listed
    ]  # fmt: skip
    wanted = 0

    def answer(request: dict[str, Any]) -> Reply:
        function = listed[wanted]
        args = sample(function["inputSchema"], function["inputSchema"])
        if refused := strictest(request):
            return refused
        if "tools" not in request:
            return Reply(json.dumps({"name": function["name"], "arguments": args}))
        return Reply(tool_calls=[(request["tools"][wanted]["function"]["name"], args)])

    plain = {"messages": [], "tools": tools}
    outcome = Outcome(len(tools), refused=strictest(plain) is not None)
    with ScriptedServer(answer) as server:
        model = ChatToolEmu(server.chat_model(), policy="trust").bind_tools(tools)
        for wanted, function in enumerate(listed):
            before = len(server.requests)
            said = model.invoke("Go on.")
            requests = len(server.requests) - before
            outcome.first, outcome.second = (
                (requests, 0) if not wanted else (outcome.first, max(outcome.second, requests))
            )
            meant = sample(function["inputSchema"], function["inputSchema"])
            right = [(call["name"], call["args"]) for call in said.tool_calls] == [
                (function["name"], meant)
            ]
            outcome.called += right
            outcome.native += right and said.response_metadata["toolemu"]["path"] == "native"
            outcome.lost += [] if right else [function["name"]]
    return outcome


def main() -> None:
    """Fetch, replay and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--replay", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    total = Outcome(0, refused=False)
    servers = 0
    print(
        "| server | tools | refused as they are | called | natively | requests, first and later turns |\n|---|---|---|---|---|---|"
    )
    for source in SOURCES:
        kept = options.folder.resolve() / f"{source.name}.json"
        try:
            if not options.replay and not kept.exists():
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(fetch(source, options.folder.resolve())))
            one = replay(json.loads(kept.read_text()))
        except (OSError, subprocess.SubprocessError, RuntimeError, KeyError, ValueError) as error:
            print(
                f"| {source.package} | not fetched: {type(error).__name__} {str(error)[:80]} |",
                flush=True,
            )
            continue
        servers += 1
        total.tools, total.called, total.native = (
            total.tools + one.tools,
            total.called + one.called,
            total.native + one.native,
        )
        refused = "yes" if one.refused else "no"
        print(
            f"| {source.package} | {one.tools} | {refused} | {one.called} | {one.native} | {one.first}, {one.second} | {', '.join(one.lost)}",
            flush=True,
        )
    print(f"{servers} servers, {total.tools} tools, {total.called} called, {total.native} natively")


if __name__ == "__main__":
    main()
