"""Plays all cases on the tree that is imported, and writes what came of them: a line of JSON for each.

`python -m tests.benchmarks.compare.recording` is run by the comparison, once for each tree.
"""

import argparse
import json
import logging
from collections.abc import Iterator
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import langchain_toolemu
from tests.benchmarks.compare.cases import Case, random_case, reading_cases
from tests.benchmarks.compare.playing import Outcome, play


@cache
def _reading(seed: int) -> list[Case]:
    return list(reading_cases(seed))


def numbers(seed: int, turns: int, every: int = 1) -> Iterator[str]:
    """The names of all cases: `text 12`, `turn 7`; only of every so many texts."""
    yield from (f"text {number}" for number in range(0, len(_reading(seed)), every))
    yield from (f"turn {number}" for number in range(turns))


def case_of(seed: int, name: str) -> Case:
    """The case of a name."""
    half, number = name.split()
    return _reading(seed)[int(number)] if half == "text" else random_case(seed, int(number))


def _record(named: tuple[int, str]) -> str:
    """What came of a case; the ways that came to the same as the first are only named."""
    seed, name = named
    outcomes = play(case_of(seed, name))
    first = next(iter(outcomes.values()))
    others = {way: None if one == first else one for way, one in outcomes.items()}
    return json.dumps({"name": name, "first": first, "ways": others}, ensure_ascii=False)


def read_record(line: str) -> tuple[str, dict[str, Outcome]]:
    """The name of a case, and what came of it in each way."""
    record: dict[str, Any] = json.loads(line)
    ways = record["ways"].items()
    return record["name"], {way: record["first"] if one is None else one for way, one in ways}


def main() -> None:
    """Write the records, after a line that says whose they are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--turns", type=int, required=True)
    parser.add_argument("--processes", type=int, required=True)
    parser.add_argument("--every", type=int, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    names = numbers(options.seed, options.turns, options.every)
    wanted = [(options.seed, name) for name in ([options.only] if options.only else names)]
    with options.to.open("w", encoding="utf-8") as file, Pool(options.processes) as pool:
        file.write(f"{Path(langchain_toolemu.__file__).resolve().parents[1]}\n")
        for line in pool.imap(_record, wanted, chunksize=25):
            file.write(f"{line}\n")


if __name__ == "__main__":
    main()
