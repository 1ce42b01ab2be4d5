"""The results: one file for each model and way, a line of JSON for each case, so that a run that was broken off can go on."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

FOLDER = Path(__file__).parents[1] / "results"


@dataclass
class Row:
    """A model asked in one way: how it was run, and what came of each case.

    Attributes:
        head: `model`, `way`, `command`, `commit`, `max_tokens`.
        cases: For each case its `suite`, `category`, `case`, whether it was `good`, the `requests`, tokens `sent` and
            `written`, and the `error` that ended it, if one did.
    """

    head: Mapping[str, Any]
    cases: list[dict[str, Any]] = field(default_factory=list)

    @property
    def known(self) -> set[tuple[str, str]]:
        """The cases that were run."""
        return {(one["suite"], one["case"]) for one in self.cases}


class ResultFile:
    """A row on disk, to which cases are appended."""

    def __init__(self, folder: Path, head: Mapping[str, Any]) -> None:
        self._path = folder / f"{_plain(head['model'])}_{_plain(head['way'])}.jsonl"
        self._lock = Lock()
        if not self._path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            self._write(head)
        else:
            self._drop_cut_line()
        self.row = read(self._path)

    def add(self, case: dict[str, Any]) -> None:
        """Keep what came of a case."""
        with self._lock:
            self.row.cases.append(case)
            self._write(case)

    def _drop_cut_line(self) -> None:
        text = self._path.read_text(encoding="utf-8")
        if not text.endswith("\n"):
            self._path.write_text(text[: text.rindex("\n") + 1], encoding="utf-8")

    def _write(self, line: Mapping[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read(path: Path) -> Row:
    """A row from its file."""
    head, *cases = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return Row(head, cases)


def read_all(folder: Path = FOLDER) -> Sequence[Row]:
    """All rows of a folder."""
    return [read(path) for path in sorted(folder.glob("*.jsonl"))]


def _plain(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name).strip("-").lower()
