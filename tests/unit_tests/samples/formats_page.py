"""docs/generated/formats.md, the families of models and how each writes a call: `python -m tests.reference`.

A row names samples; what the page says of reading, streaming and thoughts is found out by reading them.
"""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from langchain_toolemu.reader.events import Call, CallStarted, Text
from tests.benchmarks.conformance import PUBLISHED
from tests.unit_tests.reader.families import FAMILIES as WRITERS
from tests.unit_tests.reader.reading import read
from tests.unit_tests.samples import load

PAGE = Path(__file__).parents[3] / "docs" / "generated" / "formats.md"
THINK = "<think>…</think>"
LONG = "long text " * 200


@dataclass(frozen=True)
class Family:
    """One way of writing calls.

    Attributes:
        models: Which write so.
        samples: How the ids of its samples begin.
        thoughts: The marks of its thoughts, if it has any.
    """

    models: str
    samples: str
    thoughts: str = ""


FAMILIES = (
    Family("Hermes, Qwen 2.5 and 3, EXAONE 4, Trinity", "tool_call tag", THINK),
    Family("Qwen3-Coder, Qwen 3.5, MiMo, Nanbeige, Nemotron 3, Ornith, Step 3.5 and 5", "Qwen3-Coder", THINK),
    Family("Llama 3", "Llama 3.1"),
    Family("Llama 4", "Llama 4"),
    Family("LFM2, LFM2.5", "LFM2", THINK),
    Family("OLMo 3", "OLMo 3", THINK),
    Family("Mistral, Ministral, Magistral, Devstral", "Mistral", "[THINK]…[/THINK]"),
    Family("DeepSeek V3, R1, Cogito", "DeepSeek V3,", THINK),
    Family("DeepSeek V3.1", "DeepSeek V3.1", THINK),
    Family("DeepSeek V3.2", "DeepSeek V3.2", THINK),
    Family("DeepSeek V4", "DeepSeek V4", THINK),
    Family("DeepSeek V4.1", "DeepSeek V4.1", THINK),
    Family("GigaChat 3", "GigaChat 3"),
    Family("GigaChat 3.5", "GigaChat 3.5"),
    Family("Kimi K2", "Kimi K2", THINK),
    Family("Kimi K3", "Kimi K3", "<|open|>think<|sep|>…<|close|>think<|sep|>"),
    Family("GLM 4.5 to 5, Poolside, Spark 2.5", "GLM-4", THINK),
    Family("Ling 3", "Ling 3", THINK),
    Family("Hy 3", "Hy 3", "<think:opensource>…</think:opensource>"),
    Family("Hy 4", "Hy 4", "<think:6124c78e>…</think:6124c78e>"),
    Family("gpt-oss, LLM-jp 4.1", "gpt-oss", "<|channel|>analysis<|message|>…<|end|>"),
    Family("Beam", "Beam", "<|channel|>analysis<|message|>…<|end|><|start|>assistant"),
    Family("Gemma 4", "Gemma 4", "<|channel>thought\n…<channel|>"),
    Family("FunctionGemma", "FunctionGemma"),
    Family("MiniMax M2", "MiniMax M2", THINK),
    Family("MiniMax M3", "MiniMax M3", "<mm:think>…</mm:think>"),
    Family("Command R, R7B, A, A+", "Command R", "<|START_THINKING|>…<|END_THINKING|>"),
    Family("Cohere Command 5", "Cohere", "<|START_THINKING|>…<|END_THINKING|>"),
    Family("Granite 3 and 4", "Granite", THINK),
    Family("Phi 4 mini", "Phi-4-mini"),
    Family("Jamba", "Jamba"),
    Family("InternLM 2, Intern-S1", "InternLM", THINK),
    Family("Hunyuan A13B", "Hunyuan", THINK),
    Family("Seed-OSS", "Seed-OSS", "<seed:think>…</seed:think>"),
    Family("Step 3", "Step-3"),
    Family("ERNIE 4.5", "ERNIE", THINK),
    Family("LongCat", "LongCat", "<longcat_think>…</longcat_think>"),
    Family("xLAM", "xLAM", THINK),
    Family("Apertus 1.0 to 1.5", "Apertus", "<|inner_prefix|>…<|inner_suffix|>"),
    Family("MiniCPM 5", "MiniCPM 5", THINK),
    Family("dots", "dots"),
    Family("Inkling", "Inkling"),
    Family("Muse Glimmer, Muse Spark", "Muse Glimmer"),
    Family("Solar Open", "Solar Open 1"),
    Family("Solar Open 2", "Solar Open 2"),
    Family("IQuest Q1", "IQuest Q1"),
    Family("K2 Horizon", "K2 Horizon", "<ifm|think>…</ifm|think>"),
    Family("Functionary 3.2", "Functionary v3.2"),
    Family("NexusRaven", "NexusRaven"),
    Family("Gorilla OpenFunctions", "Gorilla"),
    Family("PLaMo 2 and 3", "PLaMo", "<|plamo:begin_think:plamo|>…<|plamo:end_think:plamo|>"),
    Family("Doubao", "Doubao"),
    Family("Nemotron", "Nemotron"),
    Family("AutoGPT", "AutoGPT"),
    Family("Qwen-Agent", "Qwen-Agent"),
)  # fmt: skip
PARSERS: dict[str, dict[str, list[str] | str]] = json.loads(
    (Path(__file__).parent / "parsers.json").read_text(encoding="utf-8")
)
"""Of each engine, its parsers: how the samples of the families begin that each reads, or why there are none."""


@cache
def _samples() -> tuple[dict[str, Any], ...]:
    return tuple(one for group in load().values() for one in group)


def samples_of(family: Family) -> list[dict[str, Any]]:
    """The samples of a family that hold calls."""
    named = [one for one in _samples() if one["id"].startswith(family.samples)]
    return [one for one in named if one["calls"]]


def streams(family: Family) -> bool:
    """Whether a long argument of such a call comes piece by piece."""
    writers = [write for name, write in WRITERS.items() if name.startswith(family.samples)]
    texts = [write("write_file", {"path": "a", "content": LONG}) for write in writers]
    for sample in samples_of(family):
        values = [one for one in sample["calls"][0][1].values() if isinstance(one, str)]
        texts += [sample["text"].replace(max(values, key=len), LONG)] if values else []
    return any(isinstance(event, CallStarted) for text in texts for event in read(text, size=40))


def tells_thoughts(family: Family) -> bool:
    """Whether a thought before a call is told from the answer."""
    return any(_tells_thought(family, sample) for sample in samples_of(family))


def _tells_thought(family: Family, sample: dict[str, Any]) -> bool:
    text = family.thoughts.replace("…", "Let me see.") + sample["text"]
    events = read(text, tells_thoughts=True)
    thoughts = [one.text for one in events if isinstance(one, Text) and one.kind == "thought"]
    return "Let me see." in "".join(thoughts) and any(isinstance(one, Call) for one in events)


def parsers_of(family: Family, engine: str) -> list[str]:
    """The parsers of an engine that read a family."""
    return [name for name, read_ in PARSERS[engine].items() if family.samples in read_]


def reasons() -> list[tuple[str, str, str]]:
    """The parsers that read no family: engine, name and why."""
    rows = ((engine, name, why) for engine, table in PARSERS.items() for name, why in table.items())
    return [(engine, name, why) for engine, name, why in rows if isinstance(why, str)]


def write_page() -> str:
    """The table of families, the parsers of each engine, those without a family, and the published figures."""
    heads = f"models | notation | samples | source | streams | thoughts | {' | '.join(PARSERS)}"
    lines = [f"| {heads} |", "|" + "---|" * (heads.count("|") + 1), *map(_row, FAMILIES), ""]
    lines += ["| engine | parsers | with samples here |", "|---|---|---|"]
    left_out = Counter(engine for engine, _, _ in reasons())
    lines += [f"| {one} | {len(table)} | {len(table) - left_out[one]} |" for one, table in PARSERS.items()]  # fmt: skip
    lines += ["", *(f"- `{name}` of {engine}: {why}" for engine, name, why in reasons())]
    lines += ["- `template` of llama.cpp, here that of llama-cpp-python 0.3.36: a parser made from the model's template."]  # fmt: skip
    lines += ["", "| engine | fixtures of canitoolcall 0.1.1 |", "|---|---|"]
    lines += ["| **this package, told nothing** | **466 of 469** |"]
    lines += [f"| {engine} | {passed} of {size} |" for engine, (passed, size) in PUBLISHED.items()]
    return "\n".join([*lines, ""])


def _row(family: Family) -> str:
    samples = samples_of(family)
    first = min(samples, key=lambda one: len(one["text"]))
    write = WRITERS.get(family.samples)
    notation = write("get_weather", {"city": "Paris"}) if write else first["text"]
    source = first["origin"].partition(": ")[2].partition(";")[0].rpartition("/")[2]
    streamed = "yes" if streams(family) else "whole"
    cells = [" ".join(parsers_of(family, engine)) for engine in PARSERS]
    told = [family.models, _code(notation), str(len(samples)), source, streamed]
    return f"| {' | '.join([*told, _code(family.thoughts) if family.thoughts else '', *cells])} |"


def _code(text: str) -> str:
    shown = text if len(text) <= 90 else f"{text[:90]}…"
    for plain, safe in (("&", "&amp;"), ("<", "&lt;"), ("|", "&#124;"), ("`", "&#96;"), ("*", "&#42;"), ("_", "&#95;"), ("][", "]&#91;"), ("{{", "&#123;{"), ("\n", "⏎")):  # fmt: skip
        shown = shown.replace(plain, safe)
    return f"<code>{shown}</code>"
