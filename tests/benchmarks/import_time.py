"""What it costs to import the package and use ChatToolEmu, above what langchain-core's own chat model costs.

`python -m tests.benchmarks.import_time [--against PATH]` prints the best of five processes each, in seconds of CPU.
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[2]
CORE = "from langchain_core.language_models import BaseChatModel"
USED = f"{CORE}; from langchain_toolemu import ChatToolEmu"
TRIES = 5


def seconds(code: str, tree: Path) -> float:
    """The CPU time of a process that runs this code on a tree."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=tree)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(trees: list[Path]) -> list[tuple[float, float]]:
    """Of each tree the least time with langchain-core alone, and with ChatToolEmu."""
    tries = [[(seconds(CORE, tree), seconds(USED, tree)) for tree in trees] for _ in range(TRIES)]
    return [
        (min(core for core, _ in of_one), min(used for _, used in of_one))
        for of_one in zip(*tries, strict=True)
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--against", type=Path, help="the root of another checkout")
    against = parser.parse_args().against
    trees = [HERE, against.resolve()] if against else [HERE]
    for tree, (core, used) in zip(trees, best(trees), strict=True):
        print(f"langchain-core {core:.2f} s, with ChatToolEmu {used:.2f} s, {used - core:.2f} s above ({tree})")  # fmt: skip


if __name__ == "__main__":
    main()
