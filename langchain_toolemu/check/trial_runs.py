"""Puts a chat model through the trials, once for each way of asking, and writes down every request and reply."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_core.caches import BaseCache
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.utils.function_calling import convert_to_openai_tool

from langchain_toolemu.capability import Capability, Support, probe_tool_support
from langchain_toolemu.capability.endpoints import address_of
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.trials import TOOLS, Trial

# What is tried: the settings of `ChatToolEmu` by the name that the tables have for them.
WAYS: Mapping[str, Mapping[str, Any]] = {
    "json": {},
    "json, grammar": {"constrain": "grammar"},
    "json, quotes": {"constrain": "quotes"},
    "json, decision": {"flow": "decision"},
    "fenced": {"dialect": "fenced"},
    "tagged": {"dialect": "tagged"},
}
NATIVE, NAIVE, FALLBACK, FORCE = "native", "naive prompt", "fallback", "json"
# How else a model can be asked: alone, by a few words in the prompt, and as `ChatToolEmu` does by default.
COMPARED = (NATIVE, NAIVE, FALLBACK)
MEANS = (*COMPARED, FORCE)  # in the order of a table that compares models
AskModel: TypeAlias = Callable[[str], AIMessage]
# Told before each step what it is, and how many were done or left out before it.
ShowStep: TypeAlias = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request, as roles and texts, and its reply; the tokens of both, 0 where the provider does not say."""

    sent: Sequence[tuple[str, str]]
    reply: str
    tokens: tuple[int, int]
    seconds: float


class _Recorder(BaseCache):
    """Writes down what a chat model is sent and what it replies: a cache for LangChain that never has anything."""

    def __init__(self) -> None:
        self._asked_at = 0.0
        self._requests: list[RecordedRequest] = []

    def take(self) -> list[RecordedRequest]:
        taken, self._requests = self._requests, []
        return taken

    def lookup(self, prompt: str, llm_string: str) -> None:  # noqa: ARG002 - LangChain's signature
        self._asked_at = time.perf_counter()

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Any]) -> None:  # noqa: ARG002
        seconds = time.perf_counter() - self._asked_at
        message = return_val[0].message
        usage = message.usage_metadata if isinstance(message, AIMessage) else None
        tokens = (usage["input_tokens"], usage["output_tokens"]) if usage else (0, 0)
        # LangChain writes the messages of a prompt for its caches.
        written = [one["kwargs"] for one in json.loads(prompt)]
        sent = [(str(one.get("type")), _text(one.get("content"))) for one in written]
        self._requests.append(RecordedRequest(sent, message.text, tokens, seconds))

    def clear(self, **_: Any) -> None:
        self._requests = []


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trial in one way: what was asked and answered, and what came of it."""

    trial: Trial
    passed: bool
    outcome: str
    requests: Sequence[RecordedRequest]


@dataclass(frozen=True, slots=True)
class Result:
    """How one way of asking did; trials in `remaining` could not have made it the best, or the check was stopped."""

    name: str
    settings: Mapping[str, Any]
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
        passed = [one.passed for one in self.attempts if (one.trial.call is not None) is wanted]
        return sum(passed), len(passed)

    @property
    def share(self) -> float:
        """The share of trials that went well, of those that want a call or of the others, whichever is less."""
        # A model that never calls does well in half of all trials, and is of no use.
        return self.share_at_best(())

    def share_at_best(self, left: Sequence[Trial]) -> float:
        """The share if all trials that are left went well."""
        calling = sum(one.call is not None for one in left)
        counts = zip((self.calls, self.silences), (calling, len(left) - calling), strict=True)
        return min((good + n) / (of + n) if of + n else 1.0 for (good, of), n in counts)

    @property
    def requests(self) -> list[RecordedRequest]:
        """All requests that it took."""
        return [request for one in self.attempts for request in one.requests]

    @property
    def tokens(self) -> int:
        """The tokens of all prompts and replies."""
        return sum(sum(request.tokens) for request in self.requests)


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a check found out."""

    model: str  # what the tables call it
    support: Support  # what is known of its own tool calling
    all: Sequence[Result]  # of each way of asking, and of other means if they were compared
    address: str = ""  # where it was asked
    stopped: bool = False  # whether the user ended the check before it was complete

    @property
    def results(self) -> list[Result]:
        """How each way of asking through `ChatToolEmu` did."""
        return [one for one in self.all if one.name not in COMPARED]


class Check:
    """A check of a plain chat model that can be stopped at any time, and keeps what it has found out until then.

    `compare` asks the model by other means, too; `full` tries a way to its end even where it cannot be the best any more.
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
        self._llm, self._name, self._trials = llm, name, trials
        self._full = full
        self._recorder = _Recorder()
        self._recorded = llm.model_copy(update={"cache": self._recorder})
        self._settings = dict(settings or {})
        self._ways = {way: {**own, **self._settings} for way, own in _ways(llm).items()}
        self._ways |= {way: {} for way in COMPARED if compare}
        self._results: list[Result] = []

    @property
    def steps(self) -> int:
        """How many steps there are at most."""
        return 1 + len(self._ways) * len(self._trials)

    def run(self, show_step: ShowStep) -> Findings:
        """Probe the model's own tool calling, then try every way of asking in text."""
        show_step("native tool calling", 0)
        support = probe_tool_support(self._llm)
        stopped = False
        try:
            for way, settings in self._ways.items():
                self._results.append(Result(way, settings, remaining=[*self._trials]))
                self._try(self._results[-1], self._asker(way, settings), show_step)
        except KeyboardInterrupt:
            if not self._results or not self._results[0].attempts:
                raise
            stopped = True
        results = [one for one in self._results if one.attempts]
        return Findings(self._name, support, results, address_of(self._llm), stopped)

    def _asker(self, way: str, settings: Mapping[str, Any]) -> AskModel:
        if way == NAIVE:
            return _naive_prompt(self._recorded, TOOLS)
        if way == NATIVE:
            # Not every chat model can bind tools, which is what is to be found out.
            return lambda question: self._recorded.bind_tools(list(TOOLS)).invoke(question)
        how = self._settings if way == FALLBACK else {"mode": "force", **settings}
        model = ChatToolEmu(self._recorded, **{"cache": False, **how})
        return model.bind_tools(list(TOOLS)).invoke

    def _try(self, result: Result, ask: AskModel, show_step: ShowStep) -> None:
        while result.remaining and not self._is_hopeless(result):
            trial = result.remaining[0]
            before = 1 + (len(self._results) - 1) * len(self._trials) + len(result.attempts)
            show_step(f"{result.name}: {trial.question}", before)
            result.attempts.append(_attempt(ask, trial, self._recorder))
            result.remaining.pop(0)

    def _is_hopeless(self, result: Result) -> bool:
        """Whether a way of asking did worse than another already, whatever would still come."""
        if self._full or result.name in COMPARED:
            return False
        complete = [one.share for one in self._results if not one.remaining]
        return result.share_at_best(result.remaining) < max(complete, default=0.0)


def _ways(llm: BaseChatModel) -> Mapping[str, Mapping[str, Any]]:
    """The ways worth trying: no grammar where the server takes none, and none by name where it is the default."""
    capability = Capability(llm)
    capability.consult()
    if not capability.hands_over_grammars:
        idle = {"json, grammar", "json, quotes"}
    else:
        idle = {"json, grammar"} if capability.knows_grammar else set()
    return {way: settings for way, settings in WAYS.items() if way not in idle}


def _attempt(ask: AskModel, trial: Trial, recorder: _Recorder) -> Attempt:
    """One trial; a server that refuses one way of asking fails in that way only."""
    recorder.take()
    try:
        message = ask(trial.question)
    except Exception as error:  # noqa: BLE001 - whatever a provider raises is a finding
        return Attempt(trial, False, f"{type(error).__name__}: {error}", recorder.take())
    calls = ", ".join(f"{call['name']}({call['args']})" for call in message.tool_calls)
    return Attempt(trial, trial.passed(message), calls or message.text, recorder.take())


# --- what most people write by hand, in the words of LangChain's guide "How to add ad-hoc tool calling capability" ---

NAIVE_PROMPT = """\
You are an assistant that has access to the following set of tools. Here are the names and descriptions for each tool:

{tools}

Given the user input, return the name and input of the tool to use. Return your response as a JSON blob with 'name' and \
'arguments' keys.

The `arguments` should be a dictionary, with keys corresponding to the argument names and the values corresponding to \
the requested values."""


def _naive_prompt(llm: BaseChatModel, tools: Sequence[Any]) -> AskModel:
    """A function that asks a model in this way; a reply that is no call is taken for an answer."""
    functions = [convert_to_openai_tool(tool)["function"] for tool in tools]
    prompt = SystemMessage(NAIVE_PROMPT.format(tools="\n".join(map(describe_tool, functions))))
    names = {function["name"] for function in functions}

    def ask(question: str) -> AIMessage:
        reply = llm.invoke([prompt, HumanMessage(question)])
        return AIMessage(reply.content, tool_calls=naive_calls(reply, names))

    return ask


def describe_tool(function: Mapping[str, Any]) -> str:
    """A tool as LangChain's `render_text_description_and_args` writes it."""
    args = json.dumps(function.get("parameters", {}).get("properties", {}))
    return f"{function['name']} - {function.get('description', '')}, args: {args}"


def naive_calls(reply: AIMessage, names: set[str]) -> list[Any]:
    """The call that a reply is; none if it is not JSON, or names no tool."""
    try:
        read = JsonOutputParser().invoke(reply)
    except ValueError:
        return []
    if not isinstance(read, dict) or read.get("name") not in names:
        return []
    args = read.get("arguments")
    return [{"name": read["name"], "args": args if isinstance(args, dict) else {}, "id": "naive"}]
