"""The very first turn on a server that only claims tools: `python -m tests.benchmarks.agents.first_turn --model ... --json FILE`.

Everything learned of the model is forgotten before each turn. Counted: first calls that are right, plain questions that are
answered in words, and requests.
"""

import argparse
import json
import warnings
from pathlib import Path
from typing import Any

from langchain_toolemu import ChatToolEmu, forget_tool_support
from tests.benchmarks.agents.playing import tools_of
from tests.benchmarks.agents.world import FOLDER, World, load
from tests.benchmarks.contract.plain import SMALL_TALK
from tests.benchmarks.models import add_model_options, chat_model


def main() -> None:
    """Ask each question as the first one, and print what came of it."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--mode", default="fallback")
    add_model_options(parser)
    options = parser.parse_args()
    tasks = load(*(FOLDER / f"{name}.json" for name in ("ann", "bo", "cem", "dee")))
    with chat_model(options, max_tokens=200) as asked:
        llm = ChatToolEmu(llm=asked, mode=options.mode)
        rows = [_first(llm, *one) for one in tasks[:: options.every]]
        idle = [_idle(llm, tasks[0][0], one) for one in SMALL_TALK[:20]]
    for name, found in (("needed", rows), ("idle", idle)):
        good, requests = sum(one["good"] for one in found), sum(one["requests"] for one in found)
        print(f"{name}: {good} of {len(found)} right, {requests} requests")
    if options.json:
        options.json.write_text(json.dumps({"needed": rows, "idle": idle}, ensure_ascii=False))


def _first(llm: ChatToolEmu, domain: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    message = _ask(llm, domain, task["ask"])
    names = [call["name"] for call in message.tool_calls]
    return {"task": task["name"], "good": task["solution"][0]["tool"] in names, **_report(message)}


def _idle(llm: ChatToolEmu, domain: dict[str, Any], question: str) -> dict[str, Any]:
    message = _ask(llm, domain, question)
    return {"task": question, "good": not message.tool_calls, **_report(message)}


def _ask(llm: ChatToolEmu, domain: dict[str, Any], question: str) -> Any:
    forget_tool_support()
    return llm.bind_tools(tools_of(World.of(domain))).invoke(question)


def _report(message: Any) -> dict[str, Any]:
    report = message.response_metadata["toolemu"]
    return {key: report[key] for key in ("path", "requests", "reasks")} | {
        "text": message.text[:200]
    }


if __name__ == "__main__":
    main()
