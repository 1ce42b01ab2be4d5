"""Compare this tree with another one, and print what differs."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.compare.cases import Case
from tests.benchmarks.compare.differences import Differences, described, listed, unequal_parts
from tests.benchmarks.compare.playing import Outcome
from tests.benchmarks.compare.recording import case_of, read_record

HERE = Path(__file__).resolve().parents[3]
_NOT_SUMMED = ("response_metadata",)  # LangChain's sum of what the wrapped model sent


def record(tree: Path, to: Path, options: argparse.Namespace) -> None:
    """Play the cases on a tree: its package first in the path, and this tree's tests after it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "langchain_toolemu").symlink_to(tree.resolve() / "langchain_toolemu")
        command = [sys.executable, "-m", "tests.benchmarks.compare.recording", "--to", str(to)]
        for name in ("seed", "turns", "every", "processes", "only"):
            command += [f"--{name}", str(getattr(options, name))]
        path = os.pathsep.join([folder, str(HERE)])
        subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True)


def records(path: Path, tree: Path) -> Iterator[tuple[str, dict[str, Outcome]]]:
    """What was recorded, case by case."""
    with path.open(encoding="utf-8") as lines:
        assert Path(next(lines).strip()) == tree.resolve(), "another tree was imported"
        yield from map(read_record, lines)


def unlike_ways(case: Case, outcomes: dict[str, Outcome]) -> dict[str, tuple[Outcome, Outcome]]:
    """The pairs of ways that must come to the same: all with the first, save where the wrapped model's own do not."""
    breaks_off = any(
        one.error and one.error.in_stream for turn in case.turns for one in turn.replies
    )
    if case.options["mode"] == "off":
        return {}
    first = next(iter(outcomes))
    pairs = {way: "stream" if breaks_off and "stream" in way else first for way in outcomes}
    return {way: (_summed(outcomes[like]), _summed(outcomes[way])) for way, like in pairs.items() if way != like}  # fmt: skip


def _summed(outcome: Outcome) -> Outcome:
    """An outcome without what LangChain's sum of chunks has in a form of its own."""
    kept = {name: one for name, one in outcome.items() if not name.startswith(_NOT_SUMMED)}
    return {name: _unnumbered(one) if name.startswith("content") else one for name, one in kept.items()}  # fmt: skip


def _unnumbered(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return [{key: value for key, value in block.items() if key != "index"} if isinstance(block, dict) else block for block in content]  # fmt: skip


def main() -> int:
    """Print the comparison; 1 if anything differs."""
    options = _options().parse_args()
    find = partial(case_of, options.seed)
    trees, between, within, start = (
        [HERE, options.against],
        Differences(),
        Differences(),
        time.time(),
    )
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.jsonl" for number in range(2)]
        for tree, file in zip(trees, files, strict=True):
            record(tree, file, options)
        for (name, here), (_, there) in zip(*map(records, files, trees), strict=True):
            between.compare(name, {way: (here[way], there[way]) for way in here})
            within.compare(name, unlike_ways(find(name), here))
            if options.only:
                _show_in_full(find(name), here, there)
    told = "turns, whole or streamed" if not options.only else "turns"
    print(f"{between.compared:,} {told}, compared in {time.time() - start:.0f} s")
    for differences, title in (
        (between, "Differences between the trees"),
        (within, "Ways to ask this tree that differ"),
    ):
        print(f"\n{title}: {differences.cases} cases")
        print(*listed(differences, find), sep="\n")
    return int(bool(between.cases or within.cases))  # fmt: skip


def _show_in_full(case: Case, here: dict[str, Outcome], there: dict[str, Outcome]) -> None:
    print(*described(case), sep="\n")
    for way in here:
        for name, value in here[way].items():
            print(f"{way} {name}: {value}")
        for name, (_, other) in unequal_parts(here[way], there[way]).items():
            print(f"{way} {name}, there: {other}")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.compare", description=__doc__)
    parser.add_argument("--against", type=Path, required=True, help="the other checkout")
    parser.add_argument("--turns", type=int, default=5_000, help="random ones, beside the samples")
    parser.add_argument("--every", type=int, default=1, help="read only every so many texts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="one case, as 'turn 12' or 'text 7'")
    return parser


if __name__ == "__main__":
    sys.exit(main())
