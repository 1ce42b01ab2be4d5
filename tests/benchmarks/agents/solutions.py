"""What the policy says of right and of wrong calls, without a model: `python -m tests.benchmarks.agents.solutions`.

The tasks' own solutions are played.

- right: every call of theirs, so a doubt costs a request, and perhaps the act.
- early: the acts that are still to come, proposed before somebody told one of their values.
- unwanted: after the last call, each other act of the domain, with values of the calls before.
- repeated: after the last call, each act again.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, CallPolicy, Conversation
from langchain_toolemu.policy.checks import resolve_policy
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec
from tests.benchmarks.agents.judge import is_made_up
from tests.benchmarks.agents.world import FOLDER, World, load, parameters_of


def count(
    tasks: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], policy: CallPolicy
) -> Counter[str]:
    """How many calls of each kind there are, and how many of them the policy doubts."""
    counts: Counter[str] = Counter()
    for domain, task in tasks:
        for kind, is_doubted in _reviews(domain, task, policy):
            counts[kind] += 1
            counts[f"{kind}, doubted"] += is_doubted
    return counts


def _reviews(domain: Mapping[str, Any], task: Mapping[str, Any], policy: CallPolicy) -> Any:
    specs = {
        tool["name"]: ToolSpec(tool["name"], tool["description"], parameters_of(tool))
        for tool in domain["tools"]
    }
    world = World.of(domain)
    messages: list[BaseMessage] = [HumanMessage(task["ask"])]

    def doubts(name: str, args: Mapping[str, Any]) -> bool:
        context = CallContext(specs[name], [*specs.values()], Conversation(messages))
        call = Call(name, args, raw="", envelope="json", explicit=True)
        return policy.review(call, context).outcome != "accept"

    for number, step in enumerate(task["solution"]):
        name, args = step["tool"], step["args"]
        yield "right", doubts(name, args)
        known = "\n".join(message.text for message in messages)
        for later in task["solution"][number + 1 :]:
            acts_early = world.kind_of(later["tool"]) == "acts" and is_made_up(later["args"], known)
            if acts_early:
                yield "early", doubts(later["tool"], later["args"])
        made = world.call(name, args)
        call = {"name": name, "args": args, "id": str(number)}
        status = "error" if made.failed else "success"
        result = ToolMessage(made.result, tool_call_id=str(number), status=status)
        messages += [AIMessage("", tool_calls=[call]), result]
    wanted = {step["tool"] for step in task["solution"]}
    acts = [name for name in specs if world.kind_of(name) == "acts"]
    given = [pair for made in world.log for pair in made.args.items()]
    for name in acts:
        if name not in wanted and (args := _filled(specs[name], given)):
            yield "unwanted", doubts(name, args)
    if task["kind"] != "repeat":
        for made in world.log:
            if made.name in acts and not made.failed:
                yield "repeated", doubts(made.name, made.args)


def _filled(tool: ToolSpec, given: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A call's arguments, from the values of other calls: of the same name, else of the same type; empty if there are none."""
    args: dict[str, Any] = {}
    for name in tool.required:
        is_text = tool.properties[name].get("type") == "string"
        fitting = [value for key, value in given if key == name]
        fitting = fitting or [value for _, value in given if isinstance(value, str) == is_text]
        if not fitting:
            return {}
        args[name] = fitting[-1]
    return args


def main() -> None:
    """Print the counts for each author."""
    parser = argparse.ArgumentParser(
        "python -m tests.benchmarks.agents.solutions", description=__doc__
    )
    parser.add_argument("--size", type=float, default=1.5, help="billions of parameters")
    authors = sorted(path.stem for path in FOLDER.glob("*.json"))
    parser.add_argument("--authors", nargs="+", default=authors, choices=authors)
    options = parser.parse_args()
    name, policy = resolve_policy("auto", options.size)
    total: Counter[str] = Counter()
    for author in options.authors:
        counts = count(load(FOLDER / f"{author}.json"), policy)
        total += counts
        print(f"{author}: {_told(counts)}")
    print(f"all, policy {name!r}: {_told(total)}")


def _told(counts: Mapping[str, int]) -> str:
    kinds = ("right", "early", "unwanted", "repeated")
    return ", ".join(f"{kind} {counts.get(f'{kind}, doubted', 0)} of {counts[kind]} doubted" for kind in kinds)  # fmt: skip


if __name__ == "__main__":
    main()
