"""Puts a chat model through the trials, once for each way of asking."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability import Capability, Support, probe_tool_support
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.recorder import Exchange, Recorder
from langchain_toolemu.check.trials import TOOLS, Trial

WAYS: Mapping[str, Mapping[str, Any]] = {
    "json": {},
    "json, grammar": {"constrain": "grammar"},
    "json, quotes": {"constrain": "quotes"},
    "json, decision": {"flow": "decision"},
    "fenced": {"dialect": "fenced"},
    "tagged": {"dialect": "tagged"},
}
"""What is tried: the settings of `ChatToolEmu` by the name that the tables have for them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trial in one way: what was asked and answered, and what came of it."""

    trial: Trial
    passed: bool
    outcome: str
    exchanges: Sequence[Exchange]


@dataclass(frozen=True, slots=True)
class Result:
    """How one way of asking did."""

    name: str
    settings: Mapping[str, Any]
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def calls(self) -> tuple[int, int]:
        """How many of the wanted calls were right, and of how many."""
        return self._count(wanted=True)

    @property
    def silences(self) -> tuple[int, int]:
        """How many turns that want no call were left alone, and of how many."""
        return self._count(wanted=False)

    def _count(self, *, wanted: bool) -> tuple[int, int]:
        passed = [one.passed for one in self.attempts if (one.trial.call is not None) is wanted]
        return sum(passed), len(passed)

    @property
    def share(self) -> float:
        """The share of trials that went well, of those that want a call or of the others, whichever is less.

        A model that never calls does well in half of all trials, and is of no use.
        """
        return min(good / of if of else 1.0 for good, of in (self.calls, self.silences))

    @property
    def passed(self) -> int:
        """How many trials went well."""
        return sum(one.passed for one in self.attempts)

    @property
    def requests(self) -> int:
        """How many requests it took."""
        return sum(len(one.exchanges) for one in self.attempts)

    @property
    def seconds(self) -> float:
        """How long all of it took."""
        return sum(exchange.seconds for one in self.attempts for exchange in one.exchanges)

    @property
    def tokens(self) -> int:
        """The tokens of all prompts and replies."""
        return sum(sum(exchange.tokens) for one in self.attempts for exchange in one.exchanges)


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a check found out."""

    model: str
    support: Support
    results: Sequence[Result]


def check(
    llm: BaseChatModel, name: str, trials: Sequence[Trial], advance: Callable[[str], None]
) -> Findings:
    """Probe the model's own tool calling, then try every way of asking in text.

    Args:
        llm: A plain chat model.
        name: What the tables call it.
        trials: What is asked.
        advance: Told before each step what it is.
    """
    recorder = Recorder()
    recorded = llm.model_copy(update={"cache": recorder})
    advance("native tool calling")
    support = probe_tool_support(llm)
    results = []
    for way, settings in _ways(llm).items():
        result = Result(way, settings)
        model = ChatToolEmu(llm=recorded, mode="force", cache=False, **settings)
        for trial in trials:
            advance(f"{way}: {trial.question}")
            result.attempts.append(_attempt(model, trial, recorder))
        results.append(result)
    return Findings(name, support, results)


def steps(llm: BaseChatModel, trials: Sequence[Trial]) -> int:
    """How often a check advances."""
    return 1 + len(_ways(llm)) * len(trials)


def _ways(llm: BaseChatModel) -> Mapping[str, Mapping[str, Any]]:
    """What is worth trying: no grammar where none can be handed over, nor by name where it is used by default."""
    capability = Capability(llm)
    capability.consult()
    if not capability.hands_over_grammars:
        idle = {"json, grammar", "json, quotes"}
    else:
        idle = {"json, grammar"} if capability.knows_grammar else set()
    return {way: settings for way, settings in WAYS.items() if way not in idle}


def _attempt(model: ChatToolEmu, trial: Trial, recorder: Recorder) -> Attempt:
    """One trial; a server that refuses one way of asking fails in that way only."""
    recorder.take()
    try:
        message = model.bind_tools(list(TOOLS)).invoke(trial.question)
    except Exception as error:  # noqa: BLE001 - whatever a provider raises is a finding
        return Attempt(trial, False, f"{type(error).__name__}: {error}", recorder.take())
    calls = ", ".join(f"{call['name']}({call['args']})" for call in message.tool_calls)
    return Attempt(trial, trial.passed(message), calls or message.text, recorder.take())
