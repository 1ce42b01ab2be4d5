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

How it works. Pieces of a reply go in; text, calls and bad calls come out as soon as they are certain. How the reply was cut
into pieces changes nothing. One search per piece finds where a call may begin, and what comes before that is shown at once.
What begins there is read in one pass, without looking back, by a parser that knows JSON, Python and JavaScript literals and
the faults models make in them. As soon as a key or a name says that this is not a call, the text is let go, so an ordinary
JSON answer streams. Where a text can be read in several ways the bound tools decide, and a tie is not a call.

## What comes out

| event | when | what becomes of it |
|---|---|---|
| `Text` | everything that is not a call, byte for byte; on request with its kind: answer, thought, or mark of a thought | it is shown |
| `Call` | a whole call of a bound tool that the reply makes | it is run |
| `BadCall` | a call that was meant and cannot be run: `cut`, `unreadable` or `unknown_tool` | it is asked for again |
| `PossibleCall` | after the text of a call that the reply only speaks of, once in a reply | it is asked about, never run |
| `DeclinedCall` | after the text of a call that the reply declines, or that stands in a tool result | it is reported, never asked about |
| `MadeUpTurn` | a tool's result or another speaker's turn that the model wrote itself, and all that follows it | it is neither content nor history |
| `CallStarted`, `CallDelta` | a call with a string of 512 characters or more, while it is being written: in JSON, between tags or tokens, and in Python inside an envelope | its arguments stream |
| `CallsDisowned` | the end of a thought whose beginning was not marked | every call before it was only thought |
| `HalfThought` | where kinds are told, a thought that was not opened or not closed | a warning says so |

## Meant, or only spoken of

A call is made unless one of three things holds. They are looked for in English, German, French, Spanish, Italian, Portuguese,
Russian, Chinese, Japanese and Korean.

- **Its form quotes it**: quotation marks, back-ticks inside a sentence, a block quote, a row of a table, a longer fence, one of
  several examples. Then it is text.
- **The reply declines or withdraws it**, in the sentence before it, in the rest of its own or in the next one ("I will not
  run this:", "... is not allowed", "I ignored it"); or it stands in a tool result and nobody else gave it. Then it is
  text, and never asked about.
- **It is conditional on the user, a report, advice, an example or a question** ("Once you confirm, I will send:", "The first
  line is:", "You could write:", "Should I run ...?"). Then it is asked about. So is a call inside a sentence that goes on
  after it, one in a line of code, a tag with words before and after it on its line, and a call between a heading and words
  that say nothing of it. A later clause that commits to the call overrules a report ("The file says 12, so let me
  check:"); nothing overrules a condition.

Everything else is made: after any other words, and after none.

- **A reply that begins with its call has made it**, whatever follows: what was streamed cannot be taken back. The same holds
  after a thought, and at the beginning of a message of its own (gpt-oss, Functionary), unless words report those marks.
- **An envelope of a model's special tokens** (`[TOOL_CALLS]`, `<|python_tag|>`, DeepSeek's and Kimi's) is made wherever it
  stands, glued to words too, unless these words say otherwise.
- **A reply that is one call in back-ticks** makes it, and one in quotes where calls were asked for in text.

## What else it promises

- **Nothing is made up.** A call that was cut off is refused (`cut`): an end inside a string or after a bare number, or any
  end by the length limit. Only closers may be missing, and only if every required argument is there.
- **Nothing is lost.** What is not a call comes out as text, byte for byte; next to a call, white space and the marks of its
  envelope go with it. Code in a string argument arrives byte for byte.
- **A thought is not a decision.** Nothing in a thought is a call, not even before a `</think>` whose opening was in
  the prompt; but see below for a thought that never ends.
- **A tool that is not bound** is reported by name (`unknown_tool`), in JSON, in every envelope and as an action with its input;
  in a native reply only if the reply begins with it. An object that only has a key `name`, or that has a key that calls do
  not have, is an answer.
- **Names** are resolved (case, hyphens, dots, `functions.` in front) only if exactly one bound tool fits.
- **Values** are converted by the tool's schema only without loss: `"5"` to `5`, `"true"` to `true`, a scalar to a list of
  one; what does not fit stays as it is, with the error noted.
- **One pass.** Nothing is read twice, so hostile text, such as a megabyte of braces, backticks or unclosed strings, takes
  time in proportion to its length (tests/benchmarks/test_reader_speed.py).

## Three questions that can be answered in two ways

- **A call inside a thought that is never closed.** If it has a call's own tags and the reply ends with it, it is made: the tag
  ended the thought. llama.cpp and lmdeploy read it so, and a model that went on thinking would have written more. With
  anything after it, without such tags, or if the length limit cut the reply, it is text.
- **A reply that ends after a finished optional argument.** If it ended by itself and only closers are missing, they are added:
  models forget closers, and then nothing else is missing. If the length limit cut it, more arguments may have followed, so
  it is refused as `cut`.
- **Arguments that the schema does not know.** They are passed on. Only the tool knows whether it takes more than it declares,
  and to leave them out would change what the model asked for. A schema that forbids them (`additionalProperties: false`)
  makes them an error of validation.

## The samples

Each says where it is from: *observed* in what a model wrote, *documented* in a model's template or the tests of another reader,
or *invented*. "text" means that no call is made of it; "asked about" and "declined" are calls that are only spoken of.

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
_SOURCES = ("observed", "documented", "invented")

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


if __name__ == "__main__":
    PAGE.write_text(write_page())
