"""Check files of tasks: `python -m tests.benchmarks.agents.check_tasks FILE...`. Each solution must do its task."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.benchmarks.agents.judge import verdict
from tests.benchmarks.agents.world import World, load, parameters_of

KINDS = (
    "explicit",
    "implicit",
    "three",
    "independent",
    "distractor",
    "fails",
    "repeat",
    "computed",
    "single",
)


def faults(domain: dict[str, Any], task: dict[str, Any]) -> list[str]:
    """What is wrong with a task."""
    found = []
    if task["kind"] not in KINDS:
        found.append(f"kind {task['kind']!r} is none of {KINDS}")
    world = World.of(domain)
    before, given = task["ask"], []
    for step in task["solution"]:
        tool = world.tools.get(step["tool"])
        if tool is None:
            return [*found, f"no tool {step['tool']}"]
        schema = parameters_of(tool)
        missing = [name for name in schema["required"] if name not in step["args"]]
        unknown = [name for name in step["args"] if name not in schema["properties"]]
        if missing or unknown:
            found.append(f"{step['tool']}: missing {missing}, unknown {unknown}")
        given.append(before)
        made = world.call(step["tool"], step["args"])
        before += "\n" + made.result
    judged = verdict(task, world, given)
    if not judged["done"]:
        found.append(
            f"the solution does not do it; its log: {[(one.name, dict(one.args), one.result) for one in world.log]}"
        )
    if judged["twice"]:
        found.append("the solution does the same act too often")
    return found


def main() -> None:
    """Check the files that are named, and print what is wrong."""
    tasks = load(*map(Path, sys.argv[1:]))
    wrong = 0
    for domain, task in tasks:
        for fault in faults(domain, task):
            wrong += 1
            print(f"{task['name']}: {fault}")
    print(
        f"{len(tasks)} tasks, {wrong} faults;",
        dict(Counter(task["kind"] for _, task in tasks)),
        dict(Counter(task.get("lang", "en") for _, task in tasks)),
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
