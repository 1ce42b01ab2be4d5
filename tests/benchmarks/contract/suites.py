"""The suites, where each comes from, and which half it belongs to.

Variants are chosen on `tune` and reported on both. The halves are apart by source: what decides was written by others,
or for another purpose, than what was tuned on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from tests.benchmarks.contract import agent_cases, errands, languages, own_cases
from tests.benchmarks.contract.case import Case, asking
from tests.benchmarks.contract.loops import conversation_cases, looping
from tests.benchmarks.contract.padding import COUNTS, padded_cases
from tests.benchmarks.contract.public_cases import PublicCase, public_cases, spread

Half: TypeAlias = Literal["tune", "held"]
Kind: TypeAlias = Literal[
    "needed", "restraint", "agents", "parallel", "parallel loop", "tools", "other"
]

HALVES: Mapping[str, Half] = {
    "ours": "tune",
    "BFCL": "tune",
    "ours, second": "held",
    "BFCL live": "held",
    "BFCL multi-turn": "held",
    "tau2": "held",
    "AgentDojo": "held",
}
"""The half of each source."""

_SHORT, _LONG = 96, 320
"""Tokens of a reply: no single call here is longer than the first, nor are several than the second."""


@dataclass(frozen=True)
class Suite:
    """Cases of one kind and one source.

    Attributes:
        load: Gives the cases.
        max_tokens: Of a reply.
        in_order: Whether a case goes on from the one before it, so that they cannot be run at once.
    """

    name: str
    source: str
    kind: Kind
    load: Callable[[], Sequence[Case]]
    max_tokens: int = _SHORT
    in_order: bool = False

    @property
    def half(self) -> Half:
        """The half that it belongs to."""
        return HALVES[self.source]

    @property
    def wanted(self) -> bool:
        """Whether its cases want calls."""
        return self.kind != "restraint"

    def cases(self, limit: int | None = None) -> list[Case]:
        """The cases, at most so many: spread over all, which go from subject to subject."""
        found = list(self.load())
        if self.in_order:
            return found[:limit]
        return spread(found, limit or len(found))


def _public(name: str) -> Callable[[], list[Case]]:
    return lambda: _turns(public_cases(name))


def _padded(count: int) -> Callable[[], list[Case]]:
    return lambda: _turns(padded_cases(count))


def _turns(cases: Sequence[PublicCase]) -> list[Case]:
    return [Case(one.id, asking(one.messages, one.tools, one.is_right)) for one in cases]


def _loops(name: str) -> Callable[[], list[Case]]:
    return lambda: [
        Case(one.id, looping(one.messages, one.tools, one.truths)) for one in public_cases(name)
    ]


SUITES = {
    suite.name: suite
    for suite in (
        Suite("plain", "ours", "needed", own_cases.plain_cases),
        Suite("errands", "ours", "needed", own_cases.errand_cases),
        Suite("simple", "BFCL", "needed", _public("simple")),
        Suite("multiple", "BFCL", "needed", _public("multiple")),
        Suite("idle", "ours", "restraint", own_cases.small_talk_cases),
        Suite("errands idle", "ours", "restraint", partial(own_cases.idle_cases, errands.IDLE)),
        Suite("irrelevance", "BFCL", "restraint", _public("irrelevance")),
        Suite("agents", "ours", "agents", agent_cases.task_cases),
        Suite("several", "ours", "parallel", own_cases.several_cases, _LONG),
        Suite("several loop", "ours", "parallel loop", own_cases.several_loop_cases, _LONG),
        Suite("parallel", "BFCL", "parallel", _public("parallel"), _LONG),
        Suite("parallel loop", "BFCL", "parallel loop", _loops("parallel"), _LONG),
        Suite("structured", "ours", "other", own_cases.form_cases),
        *(Suite(f"tools {count}", "BFCL", "tools", _padded(count)) for count in COUNTS),
        Suite("conversation", "BFCL", "tools", conversation_cases, in_order=True),
        Suite("indirect", "ours, second", "needed", own_cases.indirect_cases),
        Suite("languages", "ours, second", "needed", own_cases.language_cases),
        Suite("live simple", "BFCL live", "needed", _public("live simple")),
        Suite("live multiple", "BFCL live", "needed", _public("live multiple")),
        Suite("live relevance", "BFCL live", "needed", _public("live relevance")),
        Suite("turns first", "BFCL multi-turn", "needed", _public("turns first")),
        Suite("dojo first", "AgentDojo", "needed", _public("dojo first")),
        Suite("tau2 first", "tau2", "needed", _public("tau2 first")),
        Suite("near", "ours, second", "restraint", own_cases.near_cases),
        Suite("languages idle", "ours, second", "restraint", partial(own_cases.idle_cases, languages.IDLE)),
        Suite("recall", "ours, second", "other", own_cases.recall_cases),
        Suite("live irrelevance", "BFCL live", "restraint", _public("live irrelevance")),
        Suite("chains", "ours, second", "agents", agent_cases.chain_cases),
        Suite("turns later", "BFCL multi-turn", "agents", _public("turns later")),
        Suite("turns done", "BFCL multi-turn", "agents", _public("turns done")),
        Suite("dojo later", "AgentDojo", "agents", _public("dojo later")),
        Suite("tau2 later", "tau2", "agents", _public("tau2 later")),
        Suite("live parallel", "BFCL live", "parallel", _public("live parallel"), _LONG),
        Suite("live parallel loop", "BFCL live", "parallel loop", _loops("live parallel"), _LONG),
    )
}  # fmt: skip
