"""Run the cookbook on a server: `python -m tests.benchmarks.cookbook --base-url http://127.0.0.1:9001/v1 --model NAME --json FILE`.

Each recipe runs in a process of its own, 60 seconds at most. Requests are counted by a proxy in front of the server. Without
`--base-url` the recipes ask the embedded model, and nobody counts. A person who is asked says yes.
"""

import argparse
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.loopback import LoopbackServer, Quiet

ROOT = Path(__file__).parents[2]
COOKBOOK = ROOT / "cookbook"
_INVOICES = {
    ("NP-2041", 269.0, (10, 24.5), (3, 8.0)),
    ("778/26", 255.0, (14, 16.5), (20, 1.2)),
    ("2026-0093", 249.8, (2, 59.9), (1, 120.0)),
}


def _sees_evening(rooms: Any) -> bool:
    """The four things that were asked for, and nothing else."""
    day = {"light": "on", "heating": 21, "blinds": "open"}
    changes = {
        "kitchen": {"light": "off"},
        "living room": {"light": "off"},
        "bedroom": {"heating": 17, "blinds": "closed"},
    }
    return bool(rooms == {room: {**day, **change} for room, change in changes.items()})


def _lists_tasks(files: Any) -> bool:
    lines = files.get("todo.txt", "").lower().strip().splitlines()
    wanted = [("ann", "tent"), ("bob", "insurance"), ("eve", "hall")]
    return all(any(who in line and what in line for line in lines) for who, what in wanted)


def _hands_over(result: Any) -> bool:
    first, second = result["answers"]
    agents = (first["agent"], second["agent"])
    return (
        agents == ("billing", "support")
        and "38.5" in first["answer"]
        and result["restarted"] == [2310]
    )


def _reads_invoices(results: Any) -> bool:
    read = {
        (
            one["number"],
            one["total"],
            *((item["quantity"], item["unit_price"]) for item in one["items"]),
        )
        for one in results
    }
    return read == _INVOICES and [one["agrees"] for one in results] == [True, True, False]


def _keeps_records(result: Any) -> bool:
    return bool(
        result["contact"].get("Ada Lovelace") == "555-0100"
        and [*result["task"]] == ["Water the plants"]
        and "420" in result["answers"][2]
    )


RIGHT: Mapping[str, Callable[[Any], bool]] = {
    "01_sql_agent": lambda result: (
        any("Eve" in row and 182.0 in row for row in result["rows"][:1])
        and "182" in result["answer"]
    ),
    "02_rag": lambda result: (
        bool(re.search(r"30.months?", result["answer"])) and "warranty.md" in result["sources"]
    ),
    "03_home_controller": _sees_evening,
    "04_files_through_mcp": _lists_tasks,
    "05_hand_off": _hands_over,
    "06_invoices": _reads_invoices,
    "07_support_with_a_person": lambda result: result["refunds"] == [1002],
    "08_many_tools": _keeps_records,
    "09_coding_agent": lambda result: result["test"] == "passed",
    "10_own_dialect": lambda shelves: shelves == {"P-17": "B4", "P-18": "A2"},
}
"""Whether what a recipe's `main` returns is right, by the recipe's name."""


class CountingProxy(LoopbackServer):
    """Passes every request on to a server, and counts those to the model."""

    def __init__(self, base_url: str) -> None:
        super().__init__(_Forwarding)
        address = urlsplit(base_url)
        self.upstream = f"{address.scheme}://{address.netloc}"
        self.base_url = f"http://127.0.0.1:{self.server_port}{address.path}"
        self.client = httpx.Client(timeout=None, trust_env=False)
        self.requests = 0


class _Forwarding(Quiet, BaseHTTPRequestHandler):
    server: CountingProxy

    def do_POST(self) -> None:
        self.server.requests += self.path.endswith("/chat/completions")
        self._forward(self.rfile.read(int(self.headers["Content-Length"])))

    def do_GET(self) -> None:
        self._forward(b"")

    def _forward(self, body: bytes) -> None:
        kept = {
            name: self.headers[name]
            for name in ("Content-Type", "Authorization")
            if name in self.headers
        }
        url = self.server.upstream + self.path
        with self.server.client.stream(self.command, url, content=body, headers=kept) as reply:
            self.send_response(reply.status_code)
            self.send_header("Content-Type", reply.headers.get("Content-Type", "application/json"))
            self.end_headers()
            for piece in reply.iter_bytes():
                self.wfile.write(piece)


def run_here(name: str) -> dict[str, Any]:
    """Run a recipe in this process."""
    sys.path.insert(0, str(COOKBOOK))
    result = runpy.run_path(str(COOKBOOK / f"{name}.py"))["main"]()
    from progress import PROGRESS

    return {"result": result, "calls": PROGRESS.calls}


def run_apart(name: str, environment: Mapping[str, str], seconds: float) -> dict[str, Any]:
    """Run a recipe in a process of its own, and judge its result."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "result.json"
        command = [sys.executable, "-W", "ignore", "-m", __spec__.name]
        try:
            done = subprocess.run(
                [*command, "--here", name, "--json", str(kept)],
                cwd=ROOT,
                env={**os.environ, **environment},
                input="y\n" * 20,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
            output, errors = done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            output = (late.stdout or b"").decode(errors="replace")
            errors = f"stopped after {seconds:.0f} seconds"
        found = json.loads(kept.read_text()) if kept.exists() else {}
    finished = "result" in found
    return {
        "recipe": name,
        "finished": finished,
        "right": finished and RIGHT[name](found["result"]),
        "result": found.get("result", errors.strip().rpartition("\n")[2]),
        "calls": found.get("calls"),
        "seconds": round(time.perf_counter() - start, 1),
        "output": output,
        "errors": "" if finished else errors,
    }


def run_on(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Run a recipe on the server that the options name, and count its requests."""
    environment = {"MODEL": options.model, "NO_PROXY": "127.0.0.1,localhost"}
    if not options.base_url:
        return {**run_apart(name, environment, options.seconds), "requests": None}
    with CountingProxy(options.base_url) as proxy:
        environment["OPENAI_BASE_URL"] = proxy.base_url
        row = run_apart(name, environment, options.seconds)
        return {**row, "requests": proxy.requests}


def main() -> None:
    """Run, print, and keep what came of it."""
    options = _options()
    if options.here:
        options.json.write_text(json.dumps(run_here(options.here)))
        # The embedded server and the gateway's thread need not be waited for.
        sys.stdout.flush()
        os._exit(0)
    rows = []
    for name in options.recipe or RIGHT:
        row = run_on(name, options)
        rows.append(row)
        told = "right" if row["right"] else "wrong" if row["finished"] else "NOT FINISHED"
        print(
            f"{name}: {told}; {row['requests']} requests, {row['calls']} tool calls, {row['seconds']} s",
            flush=True,
        )
        print(f"    {json.dumps(row['result'], ensure_ascii=False)[:600]}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False))
    print(f"{sum(row['right'] for row in rows)} of {len(rows)} right")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--base-url", help="an OpenAI-compatible server; default: the embedded model"
    )
    parser.add_argument("--model", default="model", help="the model's name on that server")
    parser.add_argument("--json", type=Path, help="where results and output are kept")
    parser.add_argument(
        "--recipe", action="append", choices=RIGHT, help="only this one; repeatable"
    )
    parser.add_argument("--seconds", type=float, default=60, help="time limit of one recipe")
    parser.add_argument("--here", choices=RIGHT, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
