"""Plays a model that insists on the right call over every source, and prints what was made."""

import argparse
import time
import warnings
from collections.abc import Sequence
from itertools import product
from typing import Any

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.trust.imports import add_folder
from tests.benchmarks.trust.insisting import SIZES, WAYS, InsistingAgent
from tests.benchmarks.trust.report import failures, header, row, tally
from tests.benchmarks.trust.sources import SOURCES, available, valid_turns
from tests.benchmarks.trust.turns import DataTurn

POLICIES = ("auto", "trust", "default", "careful", "strict")


def main() -> None:
    """Play what the command line asks for."""
    warnings.simplefilter("ignore")
    options = _parser().parse_args()
    add_folder(options.data)
    print(header(["source", "way", "policy", "size"]))
    for name in _found(options.sources):
        began = time.perf_counter()
        turns = list(SOURCES[name].load())
        valid = list(valid_turns(turns))[:: options.every]
        for way, policy, size in product(options.ways, options.policy, options.sizes):
            _play(name, valid, (way, policy, size), show=options.show)
        left_out = len(turns) - len(list(valid_turns(turns)))
        seconds = time.perf_counter() - began
        print(f"<!-- {name}: {left_out} turns whose calls do not fit left out, {seconds:.0f} s -->")


def _play(name: str, turns: Sequence[DataTurn], how: tuple[str, str, str], *, show: bool) -> None:
    way, policy, size = how
    agent = InsistingAgent(size, way, **_policy(policy))
    counted = tally(agent.play(turn) for turn in turns)
    print(row([name, *how], counted), flush=True)
    for line in failures(counted) if show else ():
        print(line)


def _policy(name: str) -> dict[str, Any]:
    """The option that sets a policy; none for a version that has no policies, where only `auto` can be measured."""
    if "policy" in ChatToolEmu.model_fields:
        return {"policy": name}
    if name != "auto":
        raise SystemExit(f"this version has no policy={name!r}")
    return {}


def _found(names: Sequence[str]) -> list[str]:
    found = available(names)
    for name in set(names) - set(found):
        print(f"<!-- {name}: {SOURCES[name].package} is missing, see --data -->")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.benchmarks.trust", description=__doc__)
    parser.add_argument("--data", help="a folder with bfcl_eval, inspect_evals and agentdojo")
    parser.add_argument("--policy", nargs="+", default=["auto"], choices=POLICIES)
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--ways", nargs="+", default=["force"], choices=list(WAYS))
    parser.add_argument("--sources", nargs="+", default=list(SOURCES), choices=list(SOURCES))
    parser.add_argument("--every", type=int, default=1, help="play every so many turns only")
    parser.add_argument("--show", action="store_true", help="list the turns that failed")
    return parser


if __name__ == "__main__":
    main()
