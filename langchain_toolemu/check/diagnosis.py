"""What `toolemu doctor` finds out: the server's pages, a greeting, the probe, and one turn.

It decides nothing: `ChatToolEmu` itself says what it will do, before and after it has seen what the
model does.
"""

import platform
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any, TypeAlias, TypeVar

from langchain_core.messages import AIMessage

from langchain_toolemu._version import __version__
from langchain_toolemu.capability import Capability
from langchain_toolemu.capability.endpoints import client_kind, model_name_of
from langchain_toolemu.capability.probe import run_probe, with_short_replies
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.named_model import NamedModel, problem_and_advice
from langchain_toolemu.check.server_identity import ServerIdentity, identify_server
from langchain_toolemu.check.trials import TOOLS, TRIALS
from langchain_toolemu.model_facts.error_text import links, statuses
from langchain_toolemu.options import auto_policy

Fact: TypeAlias = tuple[str, str]
_Returned = TypeVar("_Returned")

_MAX_QUOTED = 120
_GREETING_TOKENS = 16
_MAX_NAMES = 8
_ANSWERS = {"native": "yes", "none": "no", "unknown": "not clear"}
# What lets each server call tools by itself.
_FOR_NATIVE_CALLS = {
    "vLLM": (
        "start it with --enable-auto-tool-choice and the --tool-call-parser of the model's family"
    ),
    "Ollama": "use a model whose page has the tag 'tools'",
    "llama.cpp": "start it with --jinja and a chat template that has tools",
    "LM Studio": "load a model that it marks as trained for tool use",
}


class Diagnosis:
    """The facts about a model, whether it can use tools, and what to change.

    `seconds` limits each request.
    """

    def __init__(self, named: NamedModel, settings: Mapping[str, Any], seconds: float) -> None:
        self._llm, self._name, self._seconds = named.llm, named.name, seconds
        self._settings = dict(settings)
        self._capability = Capability(named.llm, model_size=self._settings.get("model_size"))
        self.is_usable = self._answered = False
        self.changes: list[str] = []
        self._change = self.changes.append
        self._hints: list[str] = []

    def facts(self) -> Iterator[Fact]:
        """Each fact as soon as it is known."""
        yield "versions", _versions()
        yield "model", f"{self._name}, by {type(self._llm).__name__}"
        yield "address", self._capability.endpoint.address or "the default of its class"
        server = identify_server(self._llm)
        yield "server", str(server)
        yield from self._names(server)
        brief, start = with_short_replies(self._llm, _GREETING_TOKENS), time.monotonic()
        if problem := self._problem(lambda: brief.invoke("Say hello.")):
            yield "reachable", f"yes, but {problem}" if self._answered else f"no: {problem}"
            return
        yield "reachable", f"yes, a short reply took {time.monotonic() - start:.1f} s"
        self._capability.consult()
        known = self._capability.known
        yield "size", known.size.in_words
        yield "window", f"{known.window} tokens" if known.window else "unknown"
        if not known.window and client_kind(self._llm) == "ollama":
            self._change("Set num_ctx, such as 8192: Ollama silently truncates longer prompts.")
        yield "claims", f"native tools: {known.support.verdict}, {known.support.reason}"
        first = self._plan()
        yield "native call", self._native_call(server)
        yield "text call", self._text_call()
        later = self._plan()
        yield "by default", later
        recipe = ChatToolEmu(self._llm, **self._settings).tool_support.recipe
        yield "in text", f"recipe {recipe}; policy {auto_policy(known.size.billions)}"
        if not self.is_usable:
            self._change("Compare the ways of asking with `toolemu check`, or use a larger model.")
        elif first != later and self._capability.known.support.verdict == "none":
            self._change("Nothing needs to change; mode='force' saves the native request.")

    # --- what is known without a request to the model ---

    def _names(self, server: ServerIdentity) -> Iterator[Fact]:
        """Whether the server is where the address says, and has the model."""
        model = (model_name_of(self._llm) or "").removesuffix(":latest")
        if server.address:
            self._hints.append(f"Pass --base-url {server.address}: the server's models are there.")
        if server.models and model in server.models:
            yield "listed", "yes"
        elif server.models:
            yield "listed", f"no: {model} is not one of {', '.join(server.models[:_MAX_NAMES])}"
            near = get_close_matches(model, server.models, 1)
            meant = "".join(f" Did you mean {name}?" for name in near)
            self._hints.append(f"Name a model that the server lists.{meant}")

    def _plan(self) -> str:
        """What the next turn would do, and why."""
        mode, support = (
            ChatToolEmu(self._llm, **self._settings).mode,
            self._capability.known.support,
        )
        if mode == "off":
            return "passed through unchanged (mode off)"
        if mode == "force":
            return "asked in text (mode force)"
        natively = "asked natively, and in text if that fails"
        return f"{'asked in text' if support.verdict == 'none' else natively} ({support.reason})"

    # --- requests ---

    def _native_call(self, server: ServerIdentity) -> str:
        quotes: list[str] = []

        def ask(bound: Any, question: str) -> AIMessage:
            reply: AIMessage = call_within(self._seconds, lambda: bound.invoke(question))
            quotes[:] = [_quoted(reply)]
            return reply

        support = run_probe(self._llm, ask)
        if support.verdict == "none" and (words := _FOR_NATIVE_CALLS.get(server.name)):
            self._change(f"For native calls, {words}.")
        self.is_usable |= support.verdict == "native"
        return "; ".join([f"{_ANSWERS[support.verdict]}, {support.reason}", *quotes])

    def _text_call(self) -> str:
        llm = ChatToolEmu(self._llm, **{**self._settings, "mode": "force", "max_reasks": 0})
        replies: list[AIMessage] = []
        bound = llm.bind_tools(list(TOOLS))
        if problem := self._problem(lambda: replies.append(bound.invoke(TRIALS[0].question))):
            return f"no: {problem}"
        is_right = TRIALS[0].passed(replies[0])
        self.is_usable |= is_right
        return f"{'yes' if is_right else 'no, not the right one'}; {_quoted(replies[0])}"

    def _problem(self, request: Callable[[], object]) -> str:
        """What is wrong if a request fails; advice is added to the changes."""
        try:
            call_within(self._seconds, request)
        except TimeoutError as error:
            self._change("Wait until the model is loaded, or allow more with --timeout.")
            return str(error)
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is a fact
            self._answered = any(map(statuses, links(error)))
            problem, advice = problem_and_advice(error, self._llm)
            self.changes += self._hints or [advice] * bool(advice)
            return problem
        return ""


def call_within(seconds: float, function: Callable[[], _Returned]) -> _Returned:
    """What a function returns, or a `TimeoutError`.

    It runs in a thread, which is abandoned if it takes longer.
    """
    done: futures.Future[_Returned] = futures.Future()

    def run() -> None:
        try:
            done.set_result(function())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return done.result(seconds)
    except futures.TimeoutError:
        raise TimeoutError(f"no answer within {seconds:g} s") from None


def _quoted(reply: AIMessage) -> str:
    """A reply in short."""
    if reply.tool_calls:
        calls = (f"{call['name']}({call['args']})" for call in reply.tool_calls)
        return f"it called {', '.join(calls)}"
    return f"it said {' '.join(reply.text.split())[:_MAX_QUOTED]!r}"


def _versions() -> str:
    ours = f"langchain-toolemu {__version__}, langchain-core {version('langchain-core')}"
    return f"{ours}, Python {platform.python_version()}, {platform.system()}"
