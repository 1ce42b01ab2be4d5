"""docs/reader.md, written from the samples: `python -m tests.unit_tests.samples.page`."""

import json
from pathlib import Path
from typing import Any

from tests.unit_tests.samples import load

PAGE = Path(__file__).parents[3] / "docs" / "reader.md"

_HEAD = """\
# The reader

Text to calls. There is one reader, and it reads everything below, whatever the contract asked for. This page is written
from the samples that the tests hold it to (`python -m tests.unit_tests.samples.page`), so it cannot go stale.

How it works, in five sentences. It is a push reader: pieces of a reply go in, text, calls and bad calls come out as early
as they are certain, and any chunking gives what the whole gives. One search per piece finds where a call may begin; what
comes before that is shown at once. What an opener begins is read by a stack machine that knows JSON, Python and JavaScript
literals and the faults models make in them, in one pass, without looking back. As soon as a key or a name says that this
is no call, the text is released, so an ordinary JSON answer streams. Where a text can be read in several ways the bound
tools decide, and a tie is no call.

What it promises:

- **Nothing is made up.** A call that was cut off is refused (`cut`): an end inside a string or after a bare number, or any
  end by the length limit. Only closers may be missing, and only if every required argument is there.
- **Nothing is lost.** What is no call comes out as text, byte for byte. Code in a string argument arrives byte for byte.
- **A thought is no decision.** Nothing in a thought is a call, not even before a `</think>` whose opening stood in the prompt.
- **A made-up result is nobody's.** What a model writes behind one, or in somebody else's turn, is text.
- **A call that a sentence speaks of** ("I will not call {...} since ...") stays where it is as text, and is asked about once.
- **Names** are resolved (case, hyphens, dots, `functions.` in front) only if exactly one bound tool fits.
- **Values** are converted by the tool's schema only without loss: `"5"` to `5`, `"true"` to `true`, a scalar to a list of
  one; what does not fit stays as it is, with the error noted.
- **One pass.** Nothing is read twice, so hostile text, such as a megabyte of braces, backticks or unclosed strings, takes
  time in proportion to its length (tests/benchmarks/test_reader_speed.py).

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
    "no_calls": "What is no call",
    "reports": "What users reported of other readers",
    "words": "Words around a call",
    "unknown_tools": "Calls of tools that are not bound",
    "turns": "Results and turns that the model makes up",
    "recorded": "What the embedded model wrote",
}


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
            "The count is of the reader as mended: when these replies were first read, it also took the last line of",
            "hi-json-warm, one of a list of what could be called, for a call. That was the reader's error.",
            "",
        ]
    )


def _section(title: str, samples: list[dict[str, Any]]) -> str:
    rows = "\n".join(_row(sample) for sample in samples)
    return f"## {title}\n\n| sample | text | read as |\n|---|---|---|\n{rows}\n"


def _row(sample: dict[str, Any]) -> str:
    label = sample["id"]
    if sample["origin"].startswith("https://"):
        label = f"[{label}]({sample['origin']})"
    elif sample["origin"].startswith("SmolLM2"):
        label = f"{label}: {sample['origin'].replace('|', '/')}"
    return f"| {label} | {_code(sample['text'])} | {_outcome(sample)} |"


def _outcome(sample: dict[str, Any]) -> str:
    read = [
        f"{name}({', '.join(f'{key}={json.dumps(value, ensure_ascii=False)}' for key, value in args.items())})"
        for name, args in sample["calls"]
    ]
    cells = [_code(call) for call in read] + [
        "asked about" if reason == "possible" else f"refused: {reason}"
        for reason in sample.get("bad", [])
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


if __name__ == "__main__":
    PAGE.write_text(write_page())
