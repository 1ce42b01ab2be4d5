"""What becomes of a call in a reply, and of an opening: counted over phrasings, whole turns and default settings.

A reply is played as a native one of an endpoint that nothing is known of. The model insists: whatever it is
asked, it makes the call. Two sets: `held_out`, in this folder, whose authors saw no cues, and the tests' own
`samples`, which the cues may be tuned on.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_toolemu.language.announcements import announces_call
from langchain_toolemu.turn.suspicion import suspicion
from tests.unit_tests.samples import load_phrasings
from tests.unit_tests.turn import announcement_sentences, refusal_sentences, stopped_short
from tests.unit_tests.turn.playing import Known, order, play

FOLDER = Path(__file__).parent
CALL = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
FORMS = {
    "bare": CALL,
    "fenced": f"\n```json\n{CALL}\n```\n",
    "tagged": f"<tool_call>\n{CALL}\n</tool_call>",
}


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply with a call, the call, and what kind of reply it is."""

    text: str
    kind: str
    name: str = "get_weather"
    args: Mapping[str, Any] | None = None

    def outcome(self) -> str:
        """`at once`, `asked` (made when the model insists) or `text`."""
        args = self.args if self.args is not None else {"city": "Paris"}
        call = json.dumps({"name": self.name, "arguments": args}, ensure_ascii=False)
        asked = order(f"{self.name}: {' '.join(_values(args))}", tools=[_tool(self.name, args)])
        known = Known("unknown", wants_check=False)
        one = play(self.text, call, order=asked, known=known, mode="fallback")
        if not (one.message and one.message.tool_calls):
            return "text"
        return "at once" if len(one.requests) == 1 else "asked"


def _values(value: Any) -> Iterator[str]:
    """The leaves of a value, as words of the user."""
    if isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _values(item)
    else:
        yield str(value)


def _tool(name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """A tool that takes whatever these arguments are."""
    parameters = {"type": "object", "properties": {key: {} for key in args}}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def load(name: str) -> list[dict[str, Any]]:
    """A file of this folder."""
    rows: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text())
    return rows


def held_out(name: str) -> list[Spoken]:
    """The replies of a file of this folder."""
    return [
        Spoken(row["reply"], row.get("why", "lead"), row["name"], row["args"]) for row in load(name)
    ]


def sampled(name: str) -> list[Spoken]:
    """The tests' own phrasings; their forms take turns."""
    forms = [*FORMS.values()]
    rows = enumerate(load_phrasings(name))
    return [_sample(row, forms[number % 3]) for number, row in rows]


def _sample(row: Mapping[str, str], form: str) -> Spoken:
    kind = row.get("kind", "lead")
    if kind == "lead":
        return Spoken(f"{row['words']}\n{form.strip()}", kind)
    return Spoken(row["words"].replace("{call}", CALL if kind == "quoted" else form).strip(), kind)


def outcomes(replies: Iterable[Spoken]) -> Counter[str]:
    """How many calls were made at once, asked about, and never made."""
    return Counter(reply.outcome() for reply in replies)


def openings_held_out() -> list[tuple[str, bool]]:
    """Each opening, and whether it is a refusal."""
    return [(row["text"], row["refusal"]) for row in load("openings")]


def openings_sampled() -> list[tuple[str, bool]]:
    """Those of the tests."""
    found = [(text, True) for texts in refusal_sentences.DENIALS.values() for text in texts]
    others = refusal_sentences.OTHERS.values()
    return found + [(text, False) for texts in others for text in texts]


def refusals(openings: Iterable[tuple[str, bool]]) -> Counter[str]:
    """How many refusals are `found`, and how many other openings are taken for one, `false`."""
    taken = (is_refusal for text, is_refusal in openings if _is_refusal(text))
    return Counter("found" if is_refusal else "false" for is_refusal in taken)


def _is_refusal(text: str) -> bool:
    return suspicion(text, ended=True) == "refusal"


def announcements() -> Counter[str]:
    """How many of the tests' announcements are `found`, and how many answers are taken for one, `false`."""
    tables = (
        (announcement_sentences.ANNOUNCEMENTS, "found", False),
        (announcement_sentences.ANSWERS, "false", False),
        (announcement_sentences.ELSEWHERE, "false", False),
        (stopped_short.STOPPED, "unnamed found", True),
        (stopped_short.ANSWERED, "unnamed false", True),
    )
    counted: Counter[str] = Counter()
    for sentences, label, unnamed in tables:
        texts = [text for of_language in sentences.values() for text in of_language]
        names = announcement_sentences.NAMES
        taken = sum(announces_call(text, names, unnamed=unnamed) for text in texts)
        counted.update({label: taken, f"{label} of": len(texts)})
    return counted
