"""docs/generated/samples.md, written from the samples: `python -m tests.reference`."""

import json
from pathlib import Path
from typing import Any

from tests.unit_tests.samples import load

PAGE = Path(__file__).parents[3] / "docs" / "generated" / "samples.md"

_HEAD = """\
---
search:
  exclude: true
---
# What the reader reads

[The reader](../internals/reader.md) is tested on each of these texts. This page is written from them by
`python -m tests.reference`, so it cannot go stale.

Each says where it is from: *observed* in what a model wrote, *documented* in a model's template or the tests of another reader,
a *rule* of this reader (nothing is forgiven there), or *invented*. "text" means that no call is made of it; "asked about" and "declined" are calls that are only spoken of.

The bound tools in these samples: `get_weather(city, unit?)`, `add(a, b)`, `write_file(path, content)`,
`search(query, tags?, limit?)`, `configure(debug?, level?)`, `math.factorial(number)`, `run(command)`, `now()`.
"""

_TITLES = {
    "formats": "What each family of models writes",
    "envelopes": "Envelopes",
    "shapes": "Shapes of a call",
    "bodies": "Faults in the body, and what is refused",
    "python_calls": "Python calls",
    "leniencies": "What the code forgives, each pointed at from where it does",
    "no_calls": "What is not a call",
    "reports": "What users reported of other readers",
    "words": "Words around a call",
    "unknown_tools": "Calls of tools that are not bound",
    "turns": "Results and turns that the model makes up",
    "recorded": "What the embedded model wrote",
}


_SPOKEN_OF = {"possible": "asked about", "declined": "declined"}
_SOURCES = ("observed", "documented", "rule", "invented")

# Recorded questions that no bound tool answers.
_IDLE = ("hi-", "thanks-", "capital-", "how-to-call-", "irrelevance-")


def write_page() -> str:
    """The whole page."""
    samples = load()
    parts = [_section(title, samples[name]) for name, title in _TITLES.items()]
    return "\n".join([_HEAD, *parts, _idle_calls(samples["recorded"])])


def _idle_calls(recorded: list[dict[str, Any]]) -> str:
    """What was read where no tool was wanted, each looked at by hand."""
    idle = [sample for sample in recorded if sample["id"].startswith(_IDLE)]
    called = [sample for sample in idle if sample["calls"] or sample.get("bad")]
    lines = [f"- {sample['id']}: {_outcome(sample)}" for sample in called]
    return "\n".join(
        [
            "## Calls where none was wanted\n",
            f"Of the recorded replies, {len(idle)} answer small talk, a question about the tools or one that no tool answers.",
            f"Calls were read out of {len(called)} of them. Looked at by hand, each is one that the model wrote in the",
            "contract's own form, so the error is the model's and not the reader's:\n",
            *lines,
            "",
            "When these replies were first read, the last line of hi-json-warm, one of a list of what could be called, was",
            "also taken for a call. That was the reader's error, and is put right.",
            "",
        ]
    )


def _section(title: str, samples: list[dict[str, Any]]) -> str:
    rows = "\n".join(_row(sample) for sample in samples)
    return f"## {title}\n\n| sample | from | text | read as |\n|---|---|---|---|\n{rows}\n"


def _row(sample: dict[str, Any]) -> str:
    source, _, where = sample["origin"].partition(": ")
    label = sample["id"]
    if source not in _SOURCES:  # recorded: the origin is a model and its task
        source, label = "observed", f"{label}: {sample['origin'].replace('|', '/')}"
    elif where.startswith("https://"):
        source = f"[{source}]({where})"
    elif source in ("documented", "rule") and where:
        source = f"{source}: {where.replace('|', '/')}"
    return f"| {label} | {source} | {_code(sample['text'])} | {_outcome(sample)} |"


def _outcome(sample: dict[str, Any]) -> str:
    read = [
        f"{name}({', '.join(f'{key}={json.dumps(value, ensure_ascii=False)}' for key, value in args.items())})"
        for name, args in sample["calls"]
    ]
    cells = [_code(call) for call in read] + [
        _SPOKEN_OF.get(reason, f"refused: {reason}") for reason in sample.get("bad", [])
    ]
    return "<br>".join(cells) or "text"


def _code(text: str) -> str:
    """Text in a table cell: newlines shown as ⏎, bars and HTML made harmless."""
    shown = text if len(text) <= 220 else f"{text[:220]}…"
    for plain, safe in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        ("|", "&#124;"),
        ("`", "&#96;"),
        ("*", "&#42;"),
        ("_", "&#95;"),
        ("][", "]&#91;"),
        ("] [", "] &#91;"),
        ("{{", "&#123;{"),
        ("\n", "⏎"),
    ):
        shown = shown.replace(plain, safe)
    return f"<code>{shown}</code>"
