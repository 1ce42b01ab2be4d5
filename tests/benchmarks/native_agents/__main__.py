"""`python -m tests.benchmarks.native_agents --base-url http://127.0.0.1:9001/v1 --model NAME`: what users of a real server see.

200 turns with 20 tools and a long system prompt, every second with `tool_choice="any"`, 8 at once, every second streamed. The
server's errors are counted by a hook of the HTTP client, everything else is read off the message's report. Each of the 8 wants
some 10,000 tokens of context. Without `--base-url` the embedded model is asked, one at a time.
"""

import argparse
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import httpx
from langchain_openai import ChatOpenAI

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.local import LocalServer
from tests.benchmarks.native_agents.work import TOOLS, Request, requests

SETTINGS: dict[str, dict[str, Any]] = {
    "auto": {},
    "force": {"mode": "force"},
    "off": {"mode": "off"},
}


class Errors:
    """The server's errors, by thread: a turn runs in one."""

    def __init__(self) -> None:
        self._own = threading.local()

    def begin(self) -> list[tuple[int, str]]:
        """Start a turn, and give the list of its errors."""
        self._own.seen = []
        return self._own.seen

    def note(self, response: httpx.Response) -> None:
        """Keep an error; it is read here, since nobody else may read a streamed one."""
        if response.status_code >= 400:
            response.read()
            self._own.seen.append((response.status_code, response.text[:2000]))


def main() -> None:
    """Run, print, and keep every turn."""
    options = _options()
    errors = Errors()
    kept: dict[str, list[dict[str, Any]]] = {}
    with _model(options, errors) as llm:
        for name in options.settings.split(","):
            model = ChatToolEmu(llm=llm, **SETTINGS[name])
            work = list(enumerate(requests(options.turns)))
            with ThreadPoolExecutor(options.parallel) as pool:
                rows = list(pool.map(lambda one: _turn(model, errors, *one), work))  # noqa: B023
            kept[name] = rows
            print(f"{name}: {_summary(rows)}", flush=True)
            if options.json:
                options.json.write_text(json.dumps(kept, indent=1))


@contextmanager
def _model(options: argparse.Namespace, errors: Errors) -> Iterator[ChatOpenAI]:
    client = httpx.Client(
        event_hooks={"response": [errors.note]}, timeout=options.timeout, trust_env=False
    )
    asked = {"temperature": 0, "max_tokens": 256, "max_retries": 0, "http_client": client}
    if options.base_url:
        yield ChatOpenAI(model=options.model, base_url=options.base_url, api_key="none", **asked)
        return
    options.parallel = 1
    with LocalServer(context=16384) as server:
        yield server.chat_model(**asked)


def _turn(model: ChatToolEmu, errors: Errors, number: int, request: Request) -> dict[str, Any]:
    """One turn: what came, what was done for it, and what the server said."""
    seen = errors.begin()
    choice = {"tool_choice": request.choice} if request.choice else {}
    bound = model.bind_tools(TOOLS, **choice)
    start, streamed, raised, message = time.perf_counter(), bool(number // 2 % 2), "", None
    try:
        if streamed:
            message = reduce(add, bound.stream(request.messages))
        else:
            message = bound.invoke(request.messages)
    except Exception as error:  # noqa: BLE001 - an error is what the user sees
        raised = f"{type(error).__name__}: {error}"[:500]
    report = {} if message is None else message.response_metadata.get("toolemu", {})
    return {
        "number": number,
        "asked": request.messages[-1].content,
        "choice": request.choice,
        "streamed": streamed,
        "wanted": request.call,
        "saw": _saw(request, message),
        "calls": [(call["name"], call["args"]) for call in message.tool_calls] if message else [],
        "invalid": len(message.invalid_tool_calls) if message else 0,
        "words": str(message.content)[:300] if message else "",
        "raised": raised,
        "errors": seen,
        "report": report,
        "seconds": round(time.perf_counter() - start, 2),
    }


def _saw(request: Request, message: Any) -> str:
    """What the user saw."""
    if message is None:
        return "error"
    calls = message.tool_calls
    if not calls:
        if not message.content:
            return "nothing"
        return "right words" if request.call is None else "words for a call"
    if request.call is None:
        return "call for words"
    name, values = request.call
    if len(calls) > 1 or calls[0]["name"] != name:
        return "wrong tool" if len(calls) == 1 else "several calls"
    args = calls[0]["args"]
    fits = all(str(args.get(key)) == str(value) for key, value in values.items())
    return "right call" if fits else "wrong arguments"


def _summary(rows: Sequence[dict[str, Any]]) -> str:
    """What the turns came to."""
    reports = [row["report"] for row in rows]
    parts = {
        "saw": Counter(row["saw"] for row in rows),
        "saw, call demanded": Counter(row["saw"] for row in rows if row["choice"]),
        "the server's errors": Counter(status for row in rows for status, _ in row["errors"]),
        "turns with one": sum(bool(row["errors"]) for row in rows),
        "of them without an error for the user": sum(
            bool(row["errors"]) and not row["raised"] for row in rows
        ),
        "of them in one request": sum(
            bool(row["errors"]) and row["report"].get("requests") == 1 for row in rows
        ),
        "errors' texts": Counter(_short(text) for row in rows for _, text in row["errors"]),
        "path": Counter(str(report.get("path")) for report in reports),
        "requests": sum(report.get("requests", 1) for report in reports),
        "re-asks": Counter(_short(one) for report in reports for one in report.get("reasks", ())),
        "repairs": Counter(_short(one) for report in reports for one in report.get("repairs", ())),
        "warnings": Counter(
            _short(one) for report in reports for one in report.get("warnings", ())
        ),
        "seconds a turn": round(sum(row["seconds"] for row in rows) / len(rows), 2),
    }
    return "\n" + "\n".join(
        f"  {name}: {dict(told.most_common()) if isinstance(told, Counter) else told}"
        for name, told in parts.items()
    )


def _short(text: Any) -> str:
    return str(text)[:100]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--base-url", help="an OpenAI-compatible server; default: the embedded model"
    )
    parser.add_argument("--model", default="model", help="the model's name on that server")
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--parallel", type=int, default=8)
    parser.add_argument("--timeout", type=float, default=300, help="seconds of one request")
    parser.add_argument(
        "--settings", default="auto", help=f"with commas, of: {', '.join(SETTINGS)}"
    )
    parser.add_argument("--json", type=Path, help="where every turn is kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
