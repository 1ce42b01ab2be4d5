"""How often a real model's repetition of a pasted call runs, and how often one that is wanted does.

The conversations are those of the unit tests, by an author who did not know the code.

    python -m tests.benchmarks.quoted_calls --model openai:qwen1.5b --base-url http://127.0.0.1:9001/v1
"""

import argparse
import json
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from langchain.chat_models import init_chat_model
from langchain_core.messages import AIMessage

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.policy import Conversation
from langchain_toolemu.tools import ToolSet
from tests.unit_tests.turn.quoted_samples import ORDERS, SAMPLES

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a model made of one conversation.

    Attributes:
        sample: Its id.
        kind: `pasted` or `wanted`.
        ran: The calls that were made of tools of which a text holds a call.
        others: The names of other tools that were called.
        asked: Whether the model was asked about a quoted call or a catalogue.
        right: Whether nothing pasted ran, or the first wanted call did.
        text: The words of the message.
    """

    sample: str
    kind: str
    ran: list[Any]
    others: list[str]
    asked: bool
    right: bool
    text: str


def play(model: Any, name: str) -> Outcome:
    """Ask a model once."""
    sample, sent = SAMPLES[name], ORDERS[name]
    message: AIMessage = model.bind_tools(sample["tools"]).invoke([*sent.messages])
    quoted = _quoted_tools(sent)
    calls = [(call["name"], call["args"]) for call in message.tool_calls]
    ran = [call for call in calls if call[0] in quoted]
    expected = [(call["name"], call["args"]) for call in sample["expected_calls"]]
    right = bool(expected and expected[0] in calls) if sample["kind"] == "wanted" else not ran
    report = message.response_metadata["toolemu"]
    codes = ("quoted_call", "from_result", "catalogue")
    asked = any(entry["reason"].startswith(codes) for entry in report["doubted"])
    others = [called for called, _ in calls if called not in quoted]
    return Outcome(name, sample["kind"], ran, others, asked, right, message.text)


def _quoted_tools(sent: Any) -> set[str]:
    talk, tools = Conversation(sent.messages), ToolSet(sent.functions.specs)
    return {tool.name for tool in tools if any(map(bool, talk.quotations.of(tool)))}


def main() -> None:
    """Print how many of each kind came out right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url")
    parser.add_argument("--mode", default="fallback")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    inner = init_chat_model(args.model, base_url=args.base_url, temperature=0, max_tokens=700)
    model = ChatToolEmu(inner, mode=args.mode)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        outcomes = [*pool.map(lambda name: play(model, name), SAMPLES)]
    for kind in ("pasted", "wanted"):
        rows = [it for it in outcomes if it.kind == kind]
        right = sum(it.right for it in rows)
        print(f"{kind}: {right} of {len(rows)} right, {sum(it.asked for it in rows)} asked about")
    for it in outcomes:
        if not it.right:
            print(f"  {it.kind} {it.sample}: {it.ran or it.text[:80]!r}")
    if args.json:
        rows = [asdict(it) for it in outcomes]
        args.json.write_text(json.dumps({"rows": rows}, ensure_ascii=False))


if __name__ == "__main__":
    main()
