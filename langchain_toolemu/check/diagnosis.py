"""What `toolemu doctor` finds out about a model, fact by fact: its server's pages, a greeting, the probe, one turn in text.

It decides nothing: `ChatToolEmu` itself says what it will do, before and after it has seen what the model does.
"""

import concurrent.futures
import platform
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias, TypeVar

from langchain_core.messages import AIMessage

from langchain_toolemu._version import __version__
from langchain_toolemu.capability import Capability
from langchain_toolemu.capability.endpoints import client_kind, model_name_of
from langchain_toolemu.capability.probe import run_probe, with_short_replies
from langchain_toolemu.chat_models.toolemu import ChatToolEmu
from langchain_toolemu.check.minimised import KINDS, refused_kinds
from langchain_toolemu.check.named_model import NamedModel, problem_and_advice
from langchain_toolemu.check.server_identity import ServerIdentity, identify_server
from langchain_toolemu.check.trials import TOOLS, TRIALS
from langchain_toolemu.messages.metadata import CUT_WORDS, FINISH_KEYS
from langchain_toolemu.model_facts.error_text import links, statuses
from langchain_toolemu.model_facts.refused_forms import refusal_of
from langchain_toolemu.options import auto_policy

Fact: TypeAlias = tuple[str, str]
_Returned = TypeVar("_Returned")

_MAX_QUOTED = 120
_GREETING_TOKENS = 16
_MAX_NAMES = 8
_ANSWERS = {"native": "yes", "none": "no", "unknown": "not clear"}
_FOR_NATIVE_CALLS = {
    "vLLM": "start it with --enable-auto-tool-choice and the --tool-call-parser of the model's family",
    "Ollama": "use a model whose page has the tag 'tools'",
    "llama.cpp": "start it with --jinja and a chat template that has tools",
    "LM Studio": "load a model that it marks as trained for tool use",
}
"""What lets each server call tools by itself."""


class Diagnosis:
    """The facts about a model, whether it can use tools, and what to change; `seconds` limits each request."""

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
        yield "versions", _versions(type(self._llm).__module__.partition(".")[0].replace("_", "-"))
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
        yield "quantisation", server.quantisation or "unknown"
        yield "window", f"{known.window} tokens" if known.window else "unknown"
        if not known.window and client_kind(self._llm) == "ollama":
            self._change("Set num_ctx, such as 8192: Ollama silently truncates longer prompts.")
        yield "claims", f"native tools: {known.support.verdict}, {known.support.reason}"
        first, why = self._plan()
        yield "native call", self._native_call(server)
        if self.is_usable:
            yield "schemas", self._schemas()
        yield "text call", self._text_call()
        later, since = self._plan()
        begins = "" if first == later else f"at first {first} ({why}), then "
        yield "by default", f"{begins}{later} ({since})"
        recipe = ChatToolEmu(self._llm, **self._settings).tool_support.recipe
        yield "in text", f"recipe {recipe}; policy {auto_policy(known.size.billions)}"
        if not self.is_usable:
            self._change("Compare the ways of asking with `toolemu check`, or use a larger model.")
        elif first != later:
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

    def _plan(self) -> tuple[str, str]:
        """What the next turn would do, and why."""
        llm = ChatToolEmu(self._llm, **self._settings)
        if llm.mode == "off":
            return "passed through unchanged", "mode off"
        note = llm.preview(TRIALS[0].question, tools=TOOLS)[0].additional_kwargs.get("toolemu_note")
        how = "asked natively, and in text if that fails" if note else "asked in text"
        return how, "mode force" if llm.mode == "force" else self._capability.known.support.reason

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

    def _schemas(self) -> str:
        """Which kinds of schemas and names the server refuses in native requests."""
        brief = with_short_replies(self._llm, 1)

        def takes(kinds: Sequence[str]) -> bool:
            bound = brief.bind_tools([KINDS[kind] for kind in kinds])
            try:
                call_within(self._seconds, lambda: bound.invoke("Say hello."))
            except Exception as error:
                if refusal_of(error) is None:
                    raise
                return False
            return True

        try:
            refused = refused_kinds(takes)
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is a fact
            return f"not clear: {type(error).__name__}: {error}"
        named = f"refuses {', '.join(refused)}: sent in another form, see --minimise"
        return named if refused else f"takes all of {len(KINDS)} kinds that some servers refuse"

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
    """What a function returns, or a `TimeoutError`: it runs in a thread, which is abandoned if it takes longer."""
    done: concurrent.futures.Future[_Returned] = concurrent.futures.Future()

    def run() -> None:
        try:
            done.set_result(function())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return done.result(seconds)
    except concurrent.futures.TimeoutError:
        raise TimeoutError(f"no answer within {seconds:g} s") from None


def _quoted(reply: AIMessage) -> str:
    """A reply in short."""
    if reply.tool_calls:
        calls = (f"{call['name']}({call['args']})" for call in reply.tool_calls)
        return f"it called {', '.join(calls)}"
    endings = {str(reply.response_metadata.get(key)).lower() for key in FINISH_KEYS}
    cut = "" if endings.isdisjoint(CUT_WORDS) else ", cut off by its token limit"
    return f"it said {' '.join(reply.text.split())[:_MAX_QUOTED]!r}{cut}"


def _versions(package: str) -> str:
    known = [f"langchain-toolemu {__version__}"]
    with suppress(PackageNotFoundError):
        known += [f"{name} {version(name)}" for name in ("langchain-core", package)]
    return ", ".join([*known, f"Python {platform.python_version()}", platform.system()])
