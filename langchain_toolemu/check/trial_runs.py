"""Puts a chat model through the trials, once for each way of asking, and records every request and reply."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel

from langchain_toolemu.capability import Capability, Support, probe_tool_support
from langchain_toolemu.capability.endpoints import address_of
from langchain_toolemu.capability.support import UNKNOWN
from langchain_toolemu.chat_models.recording import SentRequest, TurnRecording, current_recording
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.agent_run import TASK, AgentRun, run_agent
from langchain_toolemu.check.server_identity import ServerIdentity, identify_server
from langchain_toolemu.check.trials import TOOLS, Trial
from langchain_toolemu.contract.dialects import DIALECTS
from langchain_toolemu.contract.rules import Template, template_for
from langchain_toolemu.model_facts import Verdict

NATIVE, DEFAULT, FORCE = "native", "default", "force"
# How a model can be asked: alone, as `ChatToolEmu` does if nothing is set, and always in text.
MEANS = (NATIVE, DEFAULT, FORCE)  # in the order of a table that compares models
_NATIVELY = {NATIVE: {"mode": "off"}}
WaySettings: TypeAlias = Mapping[str, Any]
# Called before each step: what it is, how many came before it or were skipped, and how many there are at most.
ShowStep: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trial in one way: its outcome and its requests."""

    trial: Trial
    passed: bool
    outcome: str
    requests: Sequence[SentRequest]


@dataclass(frozen=True, slots=True)
class Result:
    """How one way of asking did; trials in `remaining` could not have made it the best, or the check was stopped."""

    name: str
    settings: WaySettings | None  # of `ChatToolEmu`, all of them; `None`: only to compare with
    attempts: list[Attempt] = field(default_factory=list)
    remaining: list[Trial] = field(default_factory=list)

    @property
    def calls(self) -> tuple[int, int]:
        """How many of the wanted calls were right, and of how many."""
        return self._count(wanted=True)

    @property
    def silences(self) -> tuple[int, int]:
        """How many trials that want no call got none, and of how many."""
        return self._count(wanted=False)

    def _count(self, *, wanted: bool) -> tuple[int, int]:
        counted = [each for each in self.attempts if (each.trial.call is not None) is wanted]
        return sum(attempt.passed for attempt in counted), len(counted)

    @property
    def share(self) -> float:
        """The share of passed trials, of those that want a call or of the others, whichever is less."""
        # A model that never calls passes half of all trials, and is useless.
        return self.share_at_best(())

    def share_at_best(self, left: Sequence[Trial]) -> float:
        """The share if all trials that are left passed."""
        calling = sum(trial.call is not None for trial in left)
        counts = zip((self.calls, self.silences), (calling, len(left) - calling), strict=True)
        return min((good + n) / (of + n) if of + n else 1.0 for (good, of), n in counts)

    @property
    def rank(self) -> tuple[int, float, int]:
        """How good it is."""
        return len(self.attempts), self.share, sum(attempt.passed for attempt in self.attempts)

    @property
    def requests(self) -> list[SentRequest]:
        """All requests that it took."""
        return [request for attempt in self.attempts for request in attempt.requests]

    @property
    def tokens(self) -> int:
        """The tokens of all prompts and replies, as far as the provider counts them."""
        usages = (request.usage or {} for request in self.requests)
        return sum(usage.get("input_tokens", 0) + usage.get("output_tokens", 0) for usage in usages)


@dataclass(slots=True)
class Findings:
    """What a check has found out so far."""

    model: str  # its name in the tables
    support: Support = UNKNOWN  # of native tool calling, once it was probed
    begun: list[Result] = field(default_factory=list)  # of each way, and of other means to compare
    recipe: str = ""  # of the contract if nothing is set, and its dialect
    address: str = ""
    server: ServerIdentity = field(default_factory=ServerIdentity)
    size: float | None = None  # in billions of parameters
    agent: AgentRun | None = None  # of the task of two steps, in the best way
    stopped: bool = True  # until the check is complete

    @property
    def all(self) -> list[Result]:
        """The results with at least one trial."""
        return [result for result in self.begun if result.attempts]

    @property
    def results(self) -> list[Result]:
        """Those of `ChatToolEmu`."""
        return [result for result in self.all if result.settings is not None]

    @property
    def best(self) -> Result:
        """The best way; of equal ones that with fewer requests, then the first, which changes less."""
        # A way that was not tried to its end could only win by luck.
        return max(self.results, key=lambda result: (*result.rank, -len(result.requests)))


@dataclass
class Check:
    """A check of a plain chat model that can be stopped at any time, with what it has found out until then.

    `compare` asks the model by other means, too; `full` finishes a way even if it can no longer be the best.
    """

    llm: BaseChatModel
    name: str
    trials: Sequence[Trial]
    settings: WaySettings = field(default_factory=dict)  # of `ChatToolEmu`, in every way
    compare: bool = False
    full: bool = False

    def __post_init__(self) -> None:
        self._capability = Capability(self.llm, model_size=self.settings.get("model_size"))
        self._capability.consult()
        recipe = ChatToolEmu(self.llm, **self.settings).tool_support.recipe
        self.findings = Findings(
            self.name,
            recipe=f"{recipe}; dialect {self._template.dialect.name}",
            address=address_of(self.llm),
            server=identify_server(self.llm),
            size=self._capability.known.size.billions,
        )
        self.ways = self._ways_to_try("unknown")

    @property
    def steps(self) -> int:
        """How many steps there are at most: the probe, the trials in each way, and the agent's task."""
        return 2 + len(self.ways) * len(self.trials)

    def run(self, show_step: ShowStep) -> None:
        """Probe the model's own tool calling, then try every way of asking."""
        show_step("native tool calling", 0, self.steps)
        self.findings.support = probe_tool_support(self.llm)
        self.ways = self._ways_to_try(self.findings.support.verdict)
        for way, settings in self.ways.items():
            self.findings.begun.append(Result(way, settings, remaining=[*self.trials]))
            self._try(self.findings.begun[-1], show_step)
        best = self.findings.best
        show_step(f"{best.name}, as an agent: {TASK}", self.steps - 1, self.steps)
        self.findings.agent = run_agent(ChatToolEmu(self.llm, cache=False, **(best.settings or {})))
        self.findings.stopped = False

    @property
    def _template(self) -> Template:
        return template_for(self._capability.known.size.billions)

    def _ways_to_try(self, verdict: Verdict) -> dict[str, WaySettings | None]:
        """The ways worth trying, each by what it changes; no two of them are the same."""
        known, template = self._capability.known, self._template
        changes: dict[str, WaySettings] = {"": {}}
        if hasattr(self.llm, "extra_body"):  # as OpenAI's client has it
            changes["grammar"] = {"contract": {"constraint": "grammar"}}
            if not (known.knows_grammar and template.quotes):
                changes["quotes"] = {"contract": {"constraint": "quotes"}}
        changes["decision"] = {"flow": "decision"}
        own = template.dialect.name
        changes |= {name: {"contract": {"dialect": name}} for name in DIALECTS if name != own}
        ways: dict[str, WaySettings | None] = {
            " + ".join(filter(None, (FORCE, name))): {"mode": "force", **self.settings, **change}
            for name, change in changes.items()
        }
        # Without native tools it is asked as with "force", but for the requests that find that out.
        if verdict != "none":
            ways = {DEFAULT: self.settings, **ways}
        return ways | {way: None for way in MEANS if self.compare and way not in ways}

    def _try(self, result: Result, show_step: ShowStep) -> None:
        how = self.settings if result.settings is None else result.settings
        llm = ChatToolEmu(self.llm, cache=False, **{**how, **_NATIVELY.get(result.name, {})})
        while self._is_open(result):
            trial = result.remaining[0]
            before = 1 + (len(self.findings.begun) - 1) * len(self.trials) + len(result.attempts)
            show_step(f"{result.name}: {trial.question}", before, self.steps)
            result.attempts.append(_attempt(llm, trial))
            result.remaining.pop(0)

    def _is_open(self, result: Result) -> bool:
        """Whether trials are left, and the way can still be the best."""
        if not result.remaining or self.full or (self.compare and result.name in MEANS):
            return bool(result.remaining)
        complete = (other.share for other in self.findings.results if not other.remaining)
        return result.share_at_best(result.remaining) >= max(complete, default=0.0)


def _attempt(llm: ChatToolEmu, trial: Trial) -> Attempt:
    """One trial; a server that refuses one way of asking fails in that way only."""
    turn = TurnRecording("", "check", "", {})
    current_recording.set(turn)
    try:
        # Not every chat model can bind tools, which is what is to be found out.
        message = llm.bind_tools(list(TOOLS)).invoke(trial.question)
    except Exception as error:  # noqa: BLE001 - whatever a provider raises is a finding
        return Attempt(trial, False, f"{type(error).__name__}: {error}", turn.sent)
    finally:
        current_recording.set(None)
    calls = ", ".join(f"{call['name']}({call['args']})" for call in message.tool_calls)
    return Attempt(trial, trial.passed(message), calls or message.text, turn.sent)
