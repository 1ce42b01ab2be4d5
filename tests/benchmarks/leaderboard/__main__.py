"""Ask one model in every way over every suite: `python -m tests.benchmarks.leaderboard --model NAME --base-url URL --data DIR`.

    pip install --no-deps --target DIR bfcl-eval mpmath

Any OpenAI-compatible server will do; without --model the embedded one is asked. A run that was broken off goes on where it
stopped, with the same command. `python -m tests.benchmarks.leaderboard.page` makes docs/leaderboard.md of all results.
"""

import argparse
import os
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI

from langchain_toolemu import __version__
from langchain_toolemu.local import LocalServer
from tests.benchmarks.contract.meter import Meter
from tests.benchmarks.leaderboard.results import FOLDER, ResultFile
from tests.benchmarks.leaderboard.running import Run, in_turn
from tests.benchmarks.leaderboard.suites import HELD_OUT, SUITES, Case, cases
from tests.benchmarks.leaderboard.ways import WAYS
from tests.benchmarks.trust.imports import add_folder


def main() -> None:
    """Run what was not run before."""
    warnings.simplefilter("ignore")
    options = _parser().parse_args()
    add_folder(options.data)
    meter = Meter()
    with _model(options, meter) as llm:
        name = options.name or getattr(llm, "model_name", "model")
        files = {way: ResultFile(options.out, _head(options, name, way)) for way in options.way}

        def make(way: str, case: Case) -> Any:
            return WAYS[way](llm, case.docs)

        found = [cases(suite, _limit(options, suite), options.authors) for suite in options.suite]
        run = Run(make, files, meter, options.minutes)
        run.run(in_turn(found), options.workers)
    if run.lost:
        sys.exit(f"The server is gone: {run.lost}\nRun the same command again to go on.")


def _limit(options: argparse.Namespace, suite: str) -> int | None:
    limits = dict(_limit_of(one) for one in options.limit)
    return limits.get(suite, limits.get(""))


def _limit_of(text: str) -> tuple[str, int]:
    suite, _, count = text.rpartition("=")
    if not count.isdecimal() or (suite and suite not in SUITES):
        raise SystemExit(f"--limit {text}: write N or SUITE=N with one of {', '.join(SUITES)}")
    return suite, int(count)


@contextmanager
def _model(options: argparse.Namespace, meter: Meter) -> Iterator[BaseChatModel]:
    asked = {"temperature": 0, "max_tokens": options.max_tokens, "cache": meter}
    if not options.model:
        with LocalServer(threads=options.threads) as server:
            yield server.chat_model(**asked)
        return
    key = os.environ.get("OPENAI_API_KEY") or "none"
    yield ChatOpenAI(
        model=options.model, base_url=options.base_url, api_key=key, timeout=300, **asked  # type: ignore[arg-type]
    )  # fmt: skip


def _head(options: argparse.Namespace, name: str, way: str) -> dict[str, Any]:
    told = [("--model", options.model), ("--base-url", "URL" if options.model else None), ("--data", "DIR"), ("--name", options.name), ("--way", way)]  # fmt: skip
    words = [word for flag, value in told if value for word in (flag, value)]
    words += [word for one in options.limit for word in ("--limit", one)]
    command = shlex.join(["python", "-m", "tests.benchmarks.leaderboard", *words])
    return {"model": name, "way": way, "command": command, "commit": _commit(), "max_tokens": options.max_tokens}  # fmt: skip


def _commit() -> str:
    """The commit that is run, or the version where there is no repository."""
    asked = ["git", "rev-parse", "--short", "HEAD"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        told = ""
    return told or __version__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tests.benchmarks.leaderboard",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--model", help="as the server names it")
    parser.add_argument("--base-url", metavar="URL", help="of an OpenAI-compatible server")
    parser.add_argument("--name", help="the model's name on the page; default: --model")
    parser.add_argument("--data", metavar="DIR", help="the folder with bfcl-eval")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="for the results")
    parser.add_argument("--way", nargs="+", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--suite", nargs="+", default=list(SUITES), choices=SUITES)
    parser.add_argument("--authors", nargs="+", default=list(HELD_OUT), help="of agent tasks")
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="[SUITE=]N",
        help="cases of each suite, or of one; taken evenly",
    )
    parser.add_argument("--minutes", type=float, help="begin no case after so many")
    parser.add_argument("--workers", type=int, default=1, help="cases at once")
    parser.add_argument("--max-tokens", type=int, default=400, help="of a reply")
    parser.add_argument("--threads", type=int, default=2, help="of the embedded server")
    return parser


if __name__ == "__main__":
    main()
