"""RAG: the model searches a folder of documents and answers from what it finds. The search is BM25, in twenty lines."""

import math
import re
from collections import Counter
from pathlib import Path

from any_model import any_model
from langchain.agents import create_agent
from progress import PROGRESS

from langchain_toolemu import ChatToolEmu

HANDBOOK = Path(__file__).with_name("handbook")
QUESTION = "How many months of warranty does our handbook give on the battery of an e-bike?"
FOUND = 2
"""How many passages a search returns: a small model reads few well."""


def words(text: str) -> list[str]:
    """Lower-case words without a plural s."""
    return [word.rstrip("s") for word in re.findall(r"[a-z0-9]+", text.lower())]


class Search:
    """BM25 over the paragraphs of a folder's Markdown files."""

    def __init__(self, folder: Path) -> None:
        self.sources: list[str] = []
        self._passages = [
            (path.name, passage.strip())
            for path in sorted(folder.glob("*.md"))
            for passage in path.read_text(encoding="utf-8").split("\n\n")
            if not passage.startswith("#")
        ]
        self._counts = [Counter(words(f"{name} {text}")) for name, text in self._passages]
        self._spread = Counter(word for count in self._counts for word in count)
        self._length = sum(count.total() for count in self._counts) / len(self._counts)

    def _score(self, count: Counter, query: list[str]) -> float:
        score = 0.0
        for word in query:
            rare = math.log(1 + (len(self._counts) + 0.5) / (self._spread[word] + 0.5))
            often = count[word] / (count[word] + 0.4 + 1.1 * count.total() / self._length)
            score += rare * often
        return score

    def search_handbook(self, query: str) -> str:
        """Search the company's handbook and return the passages that fit best.

        Args:
            query: words to look for
        """
        asked = words(query)
        ranked = sorted(
            range(len(self._counts)), key=lambda at: -self._score(self._counts[at], asked)
        )
        found = [
            self._passages[at] for at in ranked[:FOUND] if self._score(self._counts[at], asked)
        ]
        self.sources += sorted({name for name, _ in found} - {*self.sources})
        return "\n\n".join(f"[{name}] {text}" for name, text in found) or "nothing found"


def main() -> dict:
    search = Search(HANDBOOK)
    agent = create_agent(
        ChatToolEmu(llm=any_model(), max_tool_rounds=3),
        [search.search_handbook],
        system_prompt="You answer questions on the company's handbook. Look everything up with search_handbook.",
    )
    PROGRESS.say("user", QUESTION)
    state = agent.invoke({"messages": [("user", QUESTION)]}, {"callbacks": [PROGRESS]})
    answer = state["messages"][-1].text
    PROGRESS.say("answer", answer)
    PROGRESS.say("sources", ", ".join(search.sources) or "none: the model did not search")
    return {"answer": answer, "sources": search.sources}


if __name__ == "__main__":
    main()
