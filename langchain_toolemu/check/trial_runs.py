"""Puts a model through the trials, once for each way of asking."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.callbacks import get_toolemu_callback
from langchain_toolemu.capability import Capability, probe_tool_support
from langchain_toolemu.capability.support import UNKNOWN
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.agent_run import TASK, run_agent
from langchain_toolemu.check.trials import TOOLS, Trial
from langchain_toolemu.contract.dialects import DIALECTS
from langchain_toolemu.contract.rules import template_for
from langchain_toolemu.model_facts import Verdict

LEAST = 0.5  # of the trials must pass
WaySettings: TypeAlias = Mapping[str, Any]
# Called before each step: what it is, how many came before or were skipped, how many there are.
ShowStep: TypeAlias = Callable[[str, int, int], None]


@dataclass(slots=True)
class Result:
    """How one way of asking did.

    Trials in `remaining` could not have made it the best, or the check was stopped before them.
    """

    name: str
    settings: WaySettings  # of `ChatToolEmu`, all of them
    remaining: list[Trial]
    attempts: list[tuple[Trial, bool]] = field(default_factory=list)  # and whether they passed
    requests: int = 0
    tokens: int = 0  # of prompts and replies, as far as the provider counts them
    seconds: float = 0.0

    def passed(self, *, wanted: bool) -> tuple[int, int]:
        """How many trials passed that want a call, or that want none, and of how many."""
        passes = [passed for trial, passed in self.attempts if (trial.call is not None) is wanted]
        return sum(passes), len(passes)

    @property
    def share(self) -> float:
        """The share of passed trials if all that remain pass: of those that want a call or not."""
        # The lower of the two: a model that never calls passes half of all trials, and is useless.
        shares = []
        for wanted in (True, False):
            good, of = self.passed(wanted=wanted)
            left = sum((trial.call is not None) is wanted for trial in self.remaining)
            shares.append((good + left) / (of + left) if of + left else 1.0)
        return min(shares)

    @property
    def rank(self) -> tuple[int, float, int, int]:
        """How good it is; a way that was not tried to its end could only win by luck."""
        passes = sum(passed for _, passed in self.attempts)
        return len(self.attempts), self.share, passes, -self.requests

    def attempt(self, llm: ChatToolEmu) -> None:
        """Try the next trial; a server that refuses one way of asking fails in that way only."""
        trial, start = self.remaining[0], time.monotonic()
        with get_toolemu_callback() as counted:
            try:
                passed = trial.passed(llm.bind_tools(list(TOOLS)).invoke(trial.question))
            except Exception:  # noqa: BLE001 - whatever a provider raises is a trial that failed
                passed = False
        self.seconds += time.monotonic() - start
        self.requests += counted.total.requests
        self.tokens += counted.total.input_tokens + counted.total.output_tokens
        self.attempts.append((trial, passed))
        self.remaining.pop(0)


class Check:
    """A check of a plain chat model that can be stopped at any time and keeps what it found out.

    `settings` are those of `ChatToolEmu` in every way.
    """

    def __init__(
        self,
        llm: BaseChatModel,
        name: str,
        trials: Sequence[Trial],
        settings: WaySettings | None = None,
    ) -> None:
        self.name, self._llm, self._trials = name, llm, trials
        self._settings = dict(settings or {})
        capability = Capability(llm, model_size=self._settings.get("model_size"))
        capability.consult()
        self._known = capability.known
        self._template = template_for(self._known.size.billions)
        self.support = UNKNOWN  # of native tool calling, until it is probed
        self.begun: list[Result] = []  # of each way
        self.agent = ""  # how the task of two steps went in the best way
        self.stopped = True  # until the check is complete
        self.ways = self._ways_to_try("unknown")

    @property
    def results(self) -> list[Result]:
        """The results with at least one trial."""
        return [result for result in self.begun if result.attempts]

    @property
    def best(self) -> Result:
        """The best way; of equal ones the first, which changes the least."""
        return max(self.results, key=lambda result: result.rank)

    @property
    def is_usable(self) -> bool:
        """Whether that way is good enough."""
        return self.best.share >= LEAST

    @property
    def steps(self) -> int:
        """How many steps at most: the probe, the trials in each way, the agent's task."""
        return 2 + len(self.ways) * len(self._trials)

    def run(self, show_step: ShowStep) -> None:
        """Probe the model's own tool calling, then try every way of asking."""
        show_step("native tool calling", 0, self.steps)
        self.support = probe_tool_support(self._llm)
        self.ways = self._ways_to_try(self.support.verdict)
        for number, (way, settings) in enumerate(self.ways.items()):
            result = Result(way, settings, [*self._trials])
            self.begun.append(result)
            llm = ChatToolEmu(self._llm, cache=False, **settings)
            while self._can_win(result):
                before = 1 + number * len(self._trials) + len(result.attempts)
                show_step(f"{way}: {result.remaining[0].question}", before, self.steps)
                result.attempt(llm)
        show_step(f"{self.best.name}, as an agent: {TASK}", self.steps - 1, self.steps)
        self.agent = run_agent(ChatToolEmu(self._llm, cache=False, **self.best.settings))
        self.stopped = False

    def _ways_to_try(self, verdict: Verdict) -> dict[str, WaySettings]:
        """The ways worth trying, each by what it changes; no two are the same."""
        changes: list[WaySettings] = [{}]
        if hasattr(self._llm, "extra_body"):  # as OpenAI's client has it
            changes.append({"contract": {"constraint": "grammar"}})
            if not (self._known.knows_grammar and self._template.quotes):
                changes.append({"contract": {"constraint": "quotes"}})
        changes.append({"flow": "decision"})
        own = self._template.dialect.name
        changes += ({"contract": {"dialect": name}} for name in DIALECTS if name != own)
        # Without native tools, nothing set asks as "force" does, after requests that find that out.
        ways: list[WaySettings] = [] if verdict == "none" else [{}]
        ways += ({"mode": "force", **change} for change in changes)
        return {as_arguments(way) or "nothing set": {**self._settings, **way} for way in ways}

    def _can_win(self, result: Result) -> bool:
        """Whether trials are left, and the way can still be the best."""
        complete = (other.share for other in self.results if not other.remaining)
        best = max(complete, default=0.0)
        return bool(result.remaining) and result.share >= best


def as_arguments(settings: WaySettings) -> str:
    """Settings as a program writes them."""
    return ", ".join(f"{name}={value!r}" for name, value in settings.items())
