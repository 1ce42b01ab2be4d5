"""Puts a chat model through the trials, once for each way of asking."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from langchain_toolemu.capability import Capability, Support, probe_tool_support
from langchain_toolemu.capability.endpoints import address_of
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.naive import naive_prompt
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

NATIVE, NAIVE, FALLBACK, FORCE = "native", "naive prompt", "fallback", "json"
COMPARED = (NATIVE, NAIVE, FALLBACK)
"""What else a model can be asked by: alone, by a few words in the prompt, and as `ChatToolEmu` does by default."""

Asked = Callable[[str], AIMessage]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trial in one way: what was asked and answered, and what came of it."""

    trial: Trial
    passed: bool
    outcome: str
    exchanges: Sequence[Exchange]


@dataclass(frozen=True, slots=True)
class Result:
    """How one way of asking did.

    Attributes:
        name: What the tables call it.
        settings: Those of `ChatToolEmu`.
        attempts: What was tried.
        unasked: Trials that were left out: they could not have made it the best, or the check was stopped.
    """

    name: str
    settings: Mapping[str, Any]
    attempts: list[Attempt] = field(default_factory=list)
    unasked: list[Trial] = field(default_factory=list)

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

    def share_at_best(self, left: Sequence[Trial]) -> float:
        """The share if all trials that are left went well."""
        coming = [sum((one.call is not None) is wanted for one in left) for wanted in (True, False)]
        counts = zip((self.calls, self.silences), coming, strict=True)
        return min((good + n) / (of + n) if of + n else 1.0 for (good, of), n in counts)

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
    """All that a check found out.

    Attributes:
        model: What the tables call it.
        support: What is known of its own tool calling.
        results: How each way of asking did.
        compared: How the model did by other means, where that was asked for.
        address: Where it was asked.
        stopped: Whether the user ended the check before it was complete.
    """

    model: str
    support: Support
    results: Sequence[Result]
    compared: Sequence[Result] = ()
    address: str = ""
    stopped: bool = False


class Check:
    """A check that can be stopped at any time, and keeps what it has found out until then.

    Example:
        ```python
        findings = Check(llm, "gemma2", TRIALS).run(print)
        ```
    """

    def __init__(
        self,
        llm: BaseChatModel,
        name: str,
        trials: Sequence[Trial],
        *,
        compare: bool = False,
        full: bool = False,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Ask nothing yet.

        Args:
            llm: A plain chat model.
            name: What the tables call it.
            trials: What is asked.
            compare: Whether the model is also asked by other means.
            full: Whether a way is tried to its end even where it cannot be the best any more.
            settings: Options of the chat model in every way of asking.
        """
        self._llm, self._name, self._trials = llm, name, trials
        self._full = full
        self._recorder = Recorder()
        self._recorded = llm.model_copy(update={"cache": self._recorder})
        self._settings = dict(settings or {})
        self._ways = {way: {**own, **self._settings} for way, own in _ways(llm).items()}
        self._others = COMPARED if compare else ()
        self._results: list[Result] = []
        self._compared: list[Result] = []

    @property
    def steps(self) -> int:
        """How often it advances at most."""
        return 1 + (len(self._ways) + len(self._others)) * len(self._trials)

    def run(self, advance: Callable[[str, int], None]) -> Findings:
        """Probe the model's own tool calling, then try every way of asking in text.

        Args:
            advance: Told before each step what it is, and how many were done or left out before it.

        Raises:
            KeyboardInterrupt: It was stopped before anything was found out.
        """
        advance("native tool calling", 0)
        support = probe_tool_support(self._llm)
        stopped = False
        try:
            self._try_all(advance)
        except KeyboardInterrupt:
            if not any(one.attempts for one in self._results):
                raise
            stopped = True
        results, compared = _begun(self._results), _begun(self._compared)
        return Findings(self._name, support, results, compared, address_of(self._llm), stopped)

    def _try_all(self, advance: Callable[[str, int], None]) -> None:
        for way, settings in self._ways.items():
            model = ChatToolEmu(llm=self._recorded, mode="force", cache=False, **settings)
            result = Result(way, settings, unasked=[*self._trials])
            self._results.append(result)
            self._try(result, model.bind_tools(list(TOOLS)).invoke, advance)
        for way in self._others:
            result = Result(way, {}, unasked=[*self._trials])
            self._compared.append(result)
            self._try(result, self._by_other_means(way), advance)

    def _by_other_means(self, way: str) -> Asked:
        if way == NAIVE:
            return naive_prompt(self._recorded, TOOLS)
        if way == FALLBACK:
            model = ChatToolEmu(self._recorded, **{"cache": False, **self._settings})
            return model.bind_tools(list(TOOLS)).invoke
        # Not every chat model can bind tools, which is what is to be found out.
        return lambda question: self._recorded.bind_tools(list(TOOLS)).invoke(question)

    def _try(self, result: Result, asked: Asked, advance: Callable[[str, int], None]) -> None:
        while result.unasked and not self._is_hopeless(result):
            trial = result.unasked[0]
            advance(f"{result.name}: {trial.question}", self._steps_before(result))
            result.attempts.append(_attempt(asked, trial, self._recorder))
            result.unasked.pop(0)

    def _is_hopeless(self, result: Result) -> bool:
        """Whether a way of asking did worse than another already, whatever would still come."""
        if self._full or result.name in COMPARED:
            return False
        whole = [one.share for one in self._results if not one.unasked]
        return result.share_at_best(result.unasked) < max(whole, default=0.0)

    def _steps_before(self, result: Result) -> int:
        begun = len(self._results) + len(self._compared)
        return 1 + (begun - 1) * len(self._trials) + len(result.attempts)


def _begun(results: Sequence[Result]) -> list[Result]:
    return [one for one in results if one.attempts]


def _ways(llm: BaseChatModel) -> Mapping[str, Mapping[str, Any]]:
    """What is worth trying: no grammar where none can be handed over, nor by name where it is used by default."""
    capability = Capability(llm)
    capability.consult()
    if not capability.hands_over_grammars:
        idle = {"json, grammar", "json, quotes"}
    else:
        idle = {"json, grammar"} if capability.knows_grammar else set()
    return {way: settings for way, settings in WAYS.items() if way not in idle}


def _attempt(asked: Asked, trial: Trial, recorder: Recorder) -> Attempt:
    """One trial; a server that refuses one way of asking fails in that way only."""
    recorder.take()
    try:
        message = asked(trial.question)
    except Exception as error:  # noqa: BLE001 - whatever a provider raises is a finding
        return Attempt(trial, False, f"{type(error).__name__}: {error}", recorder.take())
    calls = ", ".join(f"{call['name']}({call['args']})" for call in message.tool_calls)
    return Attempt(trial, trial.passed(message), calls or message.text, recorder.take())
