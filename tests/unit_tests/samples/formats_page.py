"""docs/generated/formats.md, the families of models and how each writes a call: `python -m tests.reference`.

A row names samples; what the page says of reading, streaming and thoughts is found out by reading them.
"""

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
ENGINES = ("xgrammar", "vLLM", "SGLang", "llama.cpp", "Ollama")
THINK = "<think>…</think>"
LONG = "long text " * 200


@dataclass(frozen=True)
class Family:
    """One way of writing calls.

    Attributes:
        models: Which write so.
        samples: How the ids of its samples begin.
        thoughts: The marks of its thoughts, if it has any.
        parsers: Of each of `ENGINES`, the parsers that read it.
    """

    models: str
    samples: str
    thoughts: str = ""
    parsers: tuple[str, ...] = ()


FAMILIES = (
    Family("Hermes, Qwen 2.5 and 3, EXAONE 4, Trinity", "tool_call tag", THINK, ("qwen_3 exaone", "hermes", "hermes qwen qwen25 trinity", "from the template", "qwen3 qwen3-thinking qwen3-vl")),
    Family("Qwen3-Coder, Qwen 3.5, MiMo, Nemotron 3, Step 3.5", "Qwen3-Coder", THINK, ("qwen_3_coder qwen_3_5 mimo", "qwen3_coder qwen3_xml mimo step3p5", "qwen3_coder mimo step3p5", "Qwen3-Coder", "qwen3-coder qwen3.5 nemotron-3-nano")),
    Family("Llama 3", "Llama 3.1", "", ("llama", "llama3_json llama4_json", "llama3", "from the template", "")),
    Family("Llama 4", "Llama 4", "", ("", "llama4_pythonic pythonic", "pythonic", "from the template", "")),
    Family("LFM2, LFM2.5", "LFM2", THINK, ("", "lfm2", "lfm2", "LFM2 LFM2.5", "lfm2")),
    Family("OLMo 3", "OLMo 3", THINK, ("", "olmo3", "", "", "olmo3 olmo3-think")),
    Family("Mistral, Ministral, Magistral, Devstral", "Mistral", "[THINK]…[/THINK]", ("", "mistral", "mistral", "Ministral", "ministral")),
    Family("DeepSeek V3, R1, Cogito", "DeepSeek V3,", THINK, ("deepseek_r1", "deepseek_v3", "deepseekv3", "from the template", "deepseek3 cogito")),
    Family("DeepSeek V3.1", "DeepSeek V3.1", THINK, ("deepseek_v3_1", "deepseek_v31", "deepseekv31", "from the template", "deepseek3")),
    Family("DeepSeek V3.2", "DeepSeek V3.2", THINK, ("deepseek_v3_2", "deepseek_v32", "deepseekv32", "DeepSeek V3.2", "")),
    Family("DeepSeek V4", "DeepSeek V4", THINK, ("deepseek_v4", "deepseek_v4", "deepseekv4", "DeepSeek V4", "")),
    Family("DeepSeek V4.1", "DeepSeek V4.1", THINK, ("deepseek_v4_1", "deepseek_v41", "", "", "")),
    Family("GigaChat 3", "GigaChat 3", "", ("", "gigachat3", "gigachat3", "GigaChat 3", "")),
    Family("GigaChat 3.5", "GigaChat 3.5", "", ("", "", "gigachat35", "", "")),
    Family("Kimi K2", "Kimi K2", THINK, ("kimi", "kimi_k2", "kimi_k2", "Kimi K2", "")),
    Family("Kimi K3", "Kimi K3", "<|open|>think<|sep|>…<|close|>think<|sep|>", ("kimi_k3", "kimi_k3", "kimi_k3", "Kimi K3", "")),
    Family("GLM 4.5 to 5, Poolside, Spark 2.5", "GLM-4", THINK, ("glm_4_7", "glm45 glm47 poolside_v1", "glm glm45 glm47 poolside_v1 spark25", "from the template", "glm-4.6 glm-4.7 laguna")),
    Family("Ling 3", "Ling 3", THINK, ("", "", "ling3", "", "")),
    Family("Hy 3", "Hy 3", THINK, ("", "hy_v3", "", "", "")),
    Family("Hy 4", "Hy 4", "<think:6124c78e>…</think:6124c78e>", ("", "hy_v4", "", "", "")),
    Family("gpt-oss", "gpt-oss", "<|channel|>analysis<|message|>…<|end|>", ("harmony", "openai", "gpt-oss", "GPT-OSS", "harmony")),
    Family("Gemma 4", "Gemma 4", "<|channel>thought\n…<channel|>", ("gemma_4", "gemma4", "gemma4", "Gemma 4", "gemma4")),
    Family("FunctionGemma", "FunctionGemma", "", ("", "functiongemma", "", "", "functiongemma")),
    Family("MiniMax M2", "MiniMax M2", THINK, ("minimax", "minimax_m2", "minimax-m2", "from the template", "")),
    Family("MiniMax M3", "MiniMax M3", "<mm:think>…</mm:think>", ("minimax_m3", "minimax_m3", "minimax-m3", "MiniMax M3", "")),
    Family("Command R, R7B, A", "Command R", "<|START_THINKING|>…<|END_THINKING|>", ("", "cohere_command3", "", "Cohere2", "cohere")),
    Family("Cohere Command 4", "Cohere", "<|START_THINKING|>…<|END_THINKING|>", ("cohere", "cohere_command4", "cohere_command4", "", "")),
    Family("Granite 3 and 4", "Granite", THINK, ("", "granite granite4 granite-20b-fc", "", "from the template", "")),
    Family("Phi 4 mini", "Phi-4-mini", "", ("", "phi4_mini_json", "", "from the template", "")),
    Family("Jamba", "Jamba", "", ("", "jamba", "", "", "")),
    Family("InternLM 2, Intern-S1", "InternLM", THINK, ("", "internlm", "interns1", "", "")),
    Family("Hunyuan A13B", "Hunyuan", THINK, ("", "hunyuan_a13b", "hunyuan", "", "")),
    Family("Seed-OSS", "Seed-OSS", "<seed:think>…</seed:think>", ("", "seed_oss", "", "from the template", "")),
    Family("Step 3", "Step-3", "", ("", "step3", "step3", "", "")),
    Family("ERNIE 4.5", "ERNIE", THINK, ("", "ernie45", "", "", "")),
    Family("LongCat", "LongCat", "<longcat_think>…</longcat_think>", ("", "longcat", "", "", "")),
    Family("xLAM", "xLAM", THINK, ("", "xlam", "", "", "")),
    Family("Apertus", "Apertus", "<|inner_prefix|>…<|inner_suffix|>", ("", "apertus", "apertus2509", "from the template", "")),
    Family("MiniCPM 5", "MiniCPM 5", THINK, ("", "minicpm5", "minicpm5", "MiniCPM 5", "")),
    Family("dots", "dots", "", ("", "", "dots", "", "")),
    Family("Inkling", "Inkling", "", ("", "inkling", "inkling", "", "")),
    Family("Muse Glimmer", "Muse Glimmer", "", ("", "", "muse", "Muse Glimmer", "glimmer")),
    Family("Solar Open 2", "Solar Open 2", "", ("", "solar_open2", "", "", "")),
    Family("IQuest Q1", "IQuest Q1", "", ("", "", "iquest_q1", "", "")),
    Family("K2 Horizon", "K2 Horizon", "<ifm|think>…</ifm|think>", ("", "", "k2_horizon", "", "")),
    Family("Functionary 3.2", "Functionary v3.2", "", ("", "", "", "Functionary 3.2", "")),
    Family("NexusRaven", "NexusRaven"),
    Family("Gorilla OpenFunctions", "Gorilla"),
    Family("PLaMo", "PLaMo"),
    Family("Doubao", "Doubao"),
    Family("Nemotron", "Nemotron"),
    Family("AutoGPT", "AutoGPT"),
    Family("Qwen-Agent", "Qwen-Agent"),
)  # fmt: skip
KNOWN_PARSERS = {
    "xgrammar": """cohere deepseek_r1 deepseek_v3_1 deepseek_v3_2 deepseek_v4 deepseek_v4_1 exaone gemma_4 glm_4_7 harmony kimi kimi_k3
        llama mimo minimax minimax_m3 qwen_3 qwen_3_5 qwen_3_coder""",
    "vLLM": """apertus cohere_command3 cohere_command4 deepseek_v3 deepseek_v31 deepseek_v32 deepseek_v4 deepseek_v41 ernie45 functiongemma
        gemma4 gigachat3 glm45 glm47 granite granite-20b-fc granite4 hermes hunyuan_a13b hy_v3 hy_v4 inkling internlm jamba kimi_k2 kimi_k3
        lfm2 llama3_json llama4_json llama4_pythonic longcat mimo minicpm5 minimax_m2 minimax_m3 mistral olmo3 openai phi4_mini_json
        poolside_v1 pythonic qwen3_coder qwen3_xml seed_oss solar_open2 step3 step3p5 xlam""",
    "SGLang": """apertus2509 cohere_command4 deepseekv3 deepseekv31 deepseekv32 deepseekv4 dots gemma4 gigachat3 gigachat35 glm glm45 glm47
        gpt-oss hermes hunyuan inkling interns1 iquest_q1 k2_horizon kimi_k2 kimi_k3 lfm2 ling3 llama3 mimo minicpm5 minimax-m2 minimax-m3 mistral
        muse poolside_v1 pythonic qwen qwen25 qwen3_coder spark25 step3 step3p5 trinity""",
    "Ollama": """cogito cohere deepseek3 functiongemma gemma4 glimmer glm-4.6 glm-4.7 glm-ocr harmony laguna lfm2 ministral nemotron-3-nano
        olmo3 olmo3-think passthrough qwen3 qwen3-coder qwen3-thinking qwen3-vl qwen3.5""",
}
"""xgrammar 0.2.8, and the sources of the others in autumn 2026. llama.cpp makes most parsers from the template."""
NOT_READ = {
    "passthrough glm-ocr": "No calls.",
}
"""Parsers without a family here, and why."""


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


def parsers() -> dict[str, set[str]]:
    """The parsers of each engine that a family names."""
    cells = ((engine, cell) for one in FAMILIES for engine, cell in zip(ENGINES, one.parsers, strict=False))  # fmt: skip
    named: dict[str, set[str]] = {engine: set() for engine in ENGINES}
    for engine, cell in cells:
        named[engine] |= set(cell.split())
    return named


def write_page() -> str:
    """The table of families, the parsers without one, and the published figures."""
    heads = f"models | notation | samples | source | streams | thoughts | {' | '.join(ENGINES)}"
    lines = [f"| {heads} |", "|" + "---|" * (heads.count("|") + 1), *map(_row, FAMILIES), ""]
    lines += [f"- `{names}`: {why}" for names, why in NOT_READ.items()]
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
    cells = [*family.parsers, *[""] * (len(ENGINES) - len(family.parsers))]
    told = [family.models, _code(notation), str(len(samples)), source, streamed]
    return f"| {' | '.join([*told, _code(family.thoughts) if family.thoughts else '', *cells])} |"


def _code(text: str) -> str:
    shown = text if len(text) <= 90 else f"{text[:90]}…"
    for plain, safe in (("&", "&amp;"), ("<", "&lt;"), ("|", "&#124;"), ("`", "&#96;"), ("*", "&#42;"), ("_", "&#95;"), ("][", "]&#91;"), ("{{", "&#123;{"), ("\n", "⏎")):  # fmt: skip
        shown = shown.replace(plain, safe)
    return f"<code>{shown}</code>"
