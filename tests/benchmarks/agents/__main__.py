"""Run the tasks and count what happened: `python -m tests.benchmarks.agents [--cases N] [--flow decision] [--json FILE]`."""

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.errors import GraphRecursionError
from rich.console import Console
from rich.progress import track
from rich.table import Table

from langchain_toolemu import ChatToolEmu
from tests.benchmarks.agents.tasks import TASKS, Task, World
from tests.benchmarks.models import add_model_options, chat_model


def run(task: Task, llm: Any) -> dict[str, Any]:
    """One task to its end: what was done, what it cost, which rules fired and what followed."""
    world = World()
    agent = create_agent(llm, world.tools(), system_prompt="You are a helpful assistant.")
    seen: list[Any] = []
    start, ended = time.perf_counter(), "answer"
    try:
        for state in agent.stream(
            {"messages": [("user", task.question)]}, {"recursion_limit": 16}, stream_mode="values"
        ):
            seen = state["messages"]
    except GraphRecursionError:
        ended = "recursion limit"
    said = [message for message in seen if isinstance(message, AIMessage)]
    reports = [message.response_metadata["toolemu"] for message in said]
    calls = [call["id"] for message in said for call in message.tool_calls]
    answered = {message.tool_call_id for message in seen if isinstance(message, ToolMessage)}
    return {
        "question": task.question,
        "done": task.done(world),
        "ended": ended,
        "calls": len(calls),
        "unpaired": 0 if ended != "answer" else len(set(calls) - answered),
        "requests": sum(report["requests"] for report in reports),
        "rules": [
            (reason, "call" if message.tool_calls else "words")
            for message, report in zip(said, reports, strict=True)
            for reason in report["reasks"]
        ],
        "tokens": sum(message.usage_metadata["total_tokens"] for message in said),
        "seconds": round(time.perf_counter() - start, 1),
    }


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=len(TASKS))
    parser.add_argument("--flow", default="inline")
    parser.add_argument("--json", type=Path)
    add_model_options(parser)
    options = parser.parse_args()
    console = Console(width=None if Console().is_terminal else 160)
    with chat_model(options, max_tokens=96) as asked:
        llm = ChatToolEmu(llm=asked, mode="force", flow=options.flow)
        rows: list[dict[str, Any]] = []
        for task in track(TASKS[: options.cases], console=console):
            rows.append(run(task, llm))
            if options.json:
                options.json.write_text(json.dumps(rows, indent=1))
    table = Table("task", "done", "ended by", "calls", "requests", "tokens", "seconds", "rules")
    for row in rows:
        fired = Counter(f"{reason} -> {then}" for reason, then in row["rules"])
        rules = ", ".join(f"{count} x {rule}" for rule, count in fired.items())
        table.add_row(
            row["question"][:50],
            str(row["done"]),
            row["ended"],
            str(row["calls"]),
            str(row["requests"]),
            str(row["tokens"]),
            str(row["seconds"]),
            rules,
        )
    console.print(table)
    fired = Counter(f"{reason} -> {then}" for row in rows for reason, then in row["rules"])
    console.print(
        f"done {sum(row['done'] for row in rows)} of {len(rows)}; unpaired ids {sum(row['unpaired'] for row in rows)}; {dict(fired)}"
    )


if __name__ == "__main__":
    main()
