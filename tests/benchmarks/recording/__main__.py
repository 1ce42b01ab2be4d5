"""Write down replies: `python -m tests.benchmarks.recording OUT.json [--per-setting N]`.

Questions that want a tool, questions that want none, and small talk, over dialects, temperatures, with and without
examples. Each reply is kept with how it came about; what a reader should make of it is decided by hand afterwards.
"""

import argparse
import itertools
import json
from pathlib import Path

from rich.progress import track

from langchain_toolemu import ChatToolEmu, Recipe
from langchain_toolemu.local import LocalServer

QUESTIONS = [
    "What is the weather in Paris?",
    "Add 17 and 25.",
    'Save a note titled Milk that says: buy milk, eggs and "good" bread.',
    "Write a file hello.py that prints hello.",
    "Search for cheap flights to Rome, at most 3 results.",
    "Get the weather in Oslo and in Rome.",
    "Hi there!",
    "What is the capital of France?",
    "Thank you, that was very helpful.",
    "How do I call the function add?",
]


def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return city


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def write_file(path: str, content: str) -> str:
    """Write a text file."""
    return path


def search(query: str, limit: int = 5) -> str:
    """Search the web."""
    return query


TOOLS = [get_weather, add, write_file, search]


def main() -> None:
    """Ask, and write the replies down as they come."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--per-setting", type=int, default=len(QUESTIONS))
    options = parser.parse_args()
    settings = list(itertools.product(["json", "fenced", "tagged"], [0.0, 0.8], [True, False]))
    records = []
    with LocalServer() as server:
        for dialect, temperature, examples in track(settings):
            model = server.chat_model(temperature=temperature, seed=7, max_tokens=96)
            emulated = ChatToolEmu(
                llm=model, mode="force", contract=Recipe(dialect=dialect, examples=examples)
            )
            for question in QUESTIONS[: options.per_setting]:
                text = model.invoke(emulated.preview(question, tools=TOOLS)).content
                records.append(
                    {
                        "question": question,
                        "dialect": dialect,
                        "temperature": temperature,
                        "examples": examples,
                        "text": text,
                    }
                )
                options.out.write_text(json.dumps(records, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
