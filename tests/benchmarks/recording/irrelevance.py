"""Replies to questions that no bound tool answers: `python -m tests.benchmarks.recording.irrelevance OUT.json [--cases N]`.

BFCL's irrelevance questions with their tools described in the prompt, and small talk. Every call that is read out of a
reply is printed with the reply, to be looked at by hand: the model may have made it, or the reader.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from rich.progress import track

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.local import LocalServer
from langchain_toolemu.reader import Reader
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import read_tools
from tests.benchmarks.bfcl.cases import data_folder
from tests.benchmarks.contract.plain import SMALL_TALK

_TYPES = {"dict": "object", "float": "number", "tuple": "array"}


def questions(count: int) -> list[tuple[str, list[dict[str, Any]]]]:
    """Questions with the tools they come with; small talk comes with the first questions' tools."""
    lines = (data_folder() / "BFCL_v4_irrelevance.json").read_text().splitlines()[:count]
    cases = [json.loads(line) for line in lines]
    asked = [
        (case["question"][0][0]["content"], [_tool(function) for function in case["function"]])
        for case in cases
    ]
    return asked + [(talk, asked[number][1]) for number, talk in enumerate(SMALL_TALK[:count])]


def _tool(function: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {**function, "parameters": _schema(function["parameters"])},
    }


def _schema(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kind = schema.get("type")
    inner = {key: _schema(value) for key, value in schema.items()}
    return {**inner, "type": _TYPES.get(kind, kind)} if isinstance(kind, str) else inner


def main() -> None:
    """Ask, write down, and show what was read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cases", type=int, default=24)
    options = parser.parse_args()
    records = []
    with LocalServer() as server:
        model = server.chat_model(max_tokens=64)
        emulated = ChatToolEmu(llm=model, mode="force")
        for question, tools in track(questions(options.cases)):
            text = model.invoke(emulated.preview(question, tools=tools)).content
            reader = Reader(read_tools(tools))
            calls = [
                [event.name, dict(event.args)]
                for event in reader.feed(text) + reader.close()
                if isinstance(event, Call)
            ]
            records.append({"question": question, "text": text, "calls": calls})
            options.out.write_text(json.dumps(records, indent=1, ensure_ascii=False))
    called = [record for record in records if record["calls"]]
    print(f"{len(records)} replies, {len(called)} with calls")
    for record in called:
        print(f"\n{record['question']}\n  {record['text']!r}\n  {record['calls']}")


if __name__ == "__main__":
    main()
