"""The tables of docs/capability.md, written from the answers in the tests: `python -m tests.unit_tests.capability.page`."""

import json
import re
from pathlib import Path

from tests.unit_tests.capability.provider_errors import LOOK_ALIKES, OURS, REFUSALS, Answer

PAGE = Path(__file__).parents[3] / "docs" / "capability.md"
_LONGEST = 110


def write_page(page: str) -> str:
    """The page with its tables as the tests have them."""
    page = _between(page, "providers", _table(REFUSALS, "refuses"))
    page = _between(page, "ours", _table(OURS, "refuses"))
    names = "; ".join(sorted(answer.name for answer in LOOK_ALIKES))
    return _between(page, "look-alikes", f"{names}.")


def _between(page: str, marker: str, text: str) -> str:
    opening = f"<!-- {marker} -->\n"
    start = page.index(opening) + len(opening)
    return page[:start] + text + "\n" + page[page.index("<!-- end -->", start) :]


def _table(answers: list[Answer], title: str) -> str:
    rows = [
        f"| {answer.name} | {answer.status} | {answer.axis} | `{_words(answer)}` |"
        for answer in answers
    ]
    return "\n".join([f"| provider | status | {title} | it says |", "|---|---|---|---|", *rows])


def _words(answer: Answer) -> str:
    """The longest string of a body, which is the message, cut to a line."""
    body = json.dumps(answer.body, ensure_ascii=False).replace('"invalid_request_error"', "")
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', body)
    words = " ".join(json.loads(f'"{max(strings, key=len)}"').split()).replace("|", "\\|").replace("`", "'")  # fmt: skip
    return words if len(words) <= _LONGEST else words[:_LONGEST] + "…"


if __name__ == "__main__":
    PAGE.write_text(write_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
