"""The contestants: our settings, variants with one thing changed at a time, and rivals. Each is made of a plain chat model."""

import os
from collections.abc import Callable
from threading import Lock
from typing import Any
from unittest import mock

from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatResult

from langchain_toolemu import ChatToolEmu, Recipe
from langchain_toolemu.turn import after_reply
from tests.benchmarks.contract.rivals import AdHoc, Elsewhere, FewShot


def _ours(**settings: Any) -> Callable[[BaseChatModel], Any]:
    return lambda llm: ChatToolEmu(llm=llm, **{"mode": "force", "cache": False, **settings})


_ONE_AT_A_TIME = Lock()  # the rules are the module's


class WithoutRule(ChatToolEmu):
    """Ours with one rule switched off."""

    rule: str

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        kept = tuple(one for one in after_reply.RULES if one[1].__name__ != self.rule)
        with _ONE_AT_A_TIME, mock.patch.object(after_reply, "RULES", kept):
            return super()._generate(*args, **kwargs)


def _without(rule: str) -> Callable[[BaseChatModel], Any]:
    return lambda llm: WithoutRule(llm=llm, mode="force", cache=False, rule=rule)


def _set(**settings: Any) -> Callable[[BaseChatModel], Any]:
    """The default mode, and these settings."""
    return lambda llm: ChatToolEmu(llm=llm, **{"cache": False, **settings})


RULES = (
    "_bad_call",
    "_bad_arguments",
    "_refusal",
    "_empty_reply",
)

VARIANTS: dict[str, Callable[[BaseChatModel], Any]] = {
    "auto": _set(),
    "nothing set": _set(),
    "inline": _set(flow="inline"),
    "decision": _set(flow="decision"),
    "force": _ours(),
    "quotes": _ours(contract=Recipe(constraint="quotes")),
    "no grammar": _ours(contract=Recipe(constraint="never")),
    "fenced": _ours(contract=Recipe(dialect="fenced")),
    "tagged": _ours(contract=Recipe(dialect="tagged")),
    "no examples": _ours(contract=Recipe(examples=False)),
    "no re-asks": _ours(max_reasks=0),
    "shortlist off": _ours(contract=Recipe(tools_shown="all")),
    **{f"shortlist {most}": _ours(contract=Recipe(tools_shown=most)) for most in (4, 8, 16)},
    **{f"policy {name}": _set(policy=name) for name in ("trust", "default", "careful", "strict")},
    **{f"without {rule.strip('_')}": _without(rule) for rule in RULES},
    "native": lambda llm: llm,
    "ad hoc": lambda llm: AdHoc(llm=llm, cache=False),
    "few-shot": lambda llm: FewShot(llm=llm, cache=False),
    # Run by the interpreter that RIVAL_PYTHON names: see elsewhere.py.
    "tool-calling-llm": lambda llm: Elsewhere(
        llm=llm, python=os.environ.get("RIVAL_PYTHON", "python"), cache=False
    ),
}
