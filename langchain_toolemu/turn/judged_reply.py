"""A reply that has ended, and what its calls are worth: which are copied, made up, answered already, or of no tool that there is."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from langchain_toolemu.contract import corrections
from langchain_toolemu.reader.events import BadCall, Call
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.tools.stems import stems
from langchain_toolemu.turn.heard import name_stems, stems_said, telling_stems
from langchain_toolemu.turn.judging import Invented, Judge
from langchain_toolemu.turn.kinds import is_thought
from langchain_toolemu.turn.order import Order, Settings
from langchain_toolemu.turn.reading import Reading

_MOST_CHARS = 10_000  # of the user's last words in which a tool is looked for
_QUESTION = re.compile(
    r"\?|^\s*(?:who|what|when|where|which|how|why|find|look up|search)\b", re.IGNORECASE
)
_OPEN = frozenset(stems("query question search"))
_LONGEST_TOLD = 80  # characters of a value in a warning


@dataclass(frozen=True)
class JudgedReply:
    """A reply that has ended, with what its calls are worth.

    Attributes:
        judge: What its calls are worth.
        reply: What was read of it.
        spoke: Whether the turn has shown words.
        said: Those words.
    """

    judge: Judge
    reply: Reading
    spoke: bool = field(default=False, kw_only=True)
    said: str = field(default="", kw_only=True)

    @property
    def answered(self) -> bool:
        """Whether the words may be an answer: a thought that is shown as it came is none."""
        return self.spoke and not is_thought(self.said)

    @cached_property
    def copied(self) -> list[Call]:
        """The doubtful calls with an example's values."""
        return self.judge.copied_and_meant(self.reply.doubtful)[0]

    @cached_property
    def own(self) -> list[Call]:
        """The doubtful calls with values of the model's own: what is doubted is told below, or in their errors."""
        return self.judge.copied_and_meant(self.reply.doubtful)[1]

    @cached_property
    def invented(self) -> list[tuple[Call, Invented]]:
        """Those with a value that is not from the conversation."""
        found = ((call, self.judge.invented(call)) for call in self.own)
        return [(call, made) for call, made in found if made]

    @cached_property
    def repeated(self) -> list[Call]:
        """Those whose result is there already."""
        return [call for call in self.own if self.judge.repeats(call)]

    @property
    def about_inventing(self) -> str | None:
        """What the model is told of the first made-up value, if another tool could tell it or is spoken of."""
        call, made = self.invented[0]
        if made.source:
            return corrections.made_up_value(call.name, made.argument, made.value, made.source.name)
        others = self.means_another
        return corrections.other_tool(call.name, others, self.settings.dialect) if others else None

    @property
    def means_another(self) -> list[str]:
        """The other tools that may be meant by a made-up call: the user speaks of them, or they take any question.

        None if a tool could tell the value: then that one is to be called first.
        """
        call, made = self.invented[0]
        if made.source:
            return []
        asks = bool(_QUESTION.search(self.order.conversation.last_words[-_MOST_CHARS:]))
        spoken_of, tools = self._spoken_of(), self.order.functions.specs
        meant = (tool.name for tool in tools if tool.name in spoken_of or (asks and _is_open(tool)))
        return [name for name in meant if name != call.name]

    def means_none(self, unknown: BadCall) -> bool:
        """Whether a small model's call of a tool that is not bound stands for none of those that are.

        Nobody speaks of one, the name has no word of theirs, nothing in it was said, and nothing was called before: it is the
        model's way to talk.
        """
        talk = self.order.conversation
        free = self.settings.is_small and not self.order.choice.forced
        if (
            not free
            or talk.heard.is_foreign
            or talk.has_tool_history
            or talk.heard.holds_any(unknown.raw, unknown.name or "")
        ):
            return False
        return not self._spoken_of(unknown.name or "", described=True)

    def _spoken_of(self, more: str = "", *, described: bool = False) -> list[str]:
        """The bound tools of which a word of the name or of an argument's name is in the user's last words or in `more`.

        With `described`, a word of the description is enough.
        """
        said = stems_said(f"{self.order.conversation.last_words[-_MOST_CHARS:]} {more}")
        return [
            tool.name
            for tool in self.order.functions.specs
            if not said.isdisjoint(name_stems(tool.name))
            or not said.isdisjoint(telling_stems(" ".join(tool.properties)))
            or (described and not said.isdisjoint(telling_stems(tool.description)))
        ]

    @property
    def about_repeating(self) -> str:
        """What the model is told of the first call whose result is there already."""
        call = self.repeated[0]
        if self.judge.goes_on(call):
            return corrections.further_step(call.name, self.order.conversation.steps[-1].result)
        return corrections.repeated_call(call.name)

    @property
    def not_meant(self) -> tuple[str, ...]:
        """What is said of both, where they are left out."""
        return (
            *(
                f"left out a call of {call.name}: {_told(made.value)} for {made.argument} is made up"
                for call, made in self.invented
            ),
            *(f"left out a call of {call.name}, which was answered" for call in self.repeated),
        )

    @property
    def none_made(self) -> tuple[str, ...]:
        """What is said of all calls that could not be taken as they came, where the answer is asked for instead."""
        told = [*(call for call, _ in self.invented), *self.repeated]
        misfits = [call for call in self.own if call.errors and call not in told]
        return (
            *(f"left out a call of {call.name}, copied from an example" for call in self.copied),
            *self.not_meant,
            *(f"left out a call of {call.name}: {call.errors[0]}" for call in misfits),
            *map(_said_of_bad, self.reply.bad_calls),
        )

    @property
    def order(self) -> Order:
        """What was asked, as it was sent."""
        return self.judge.order

    @property
    def settings(self) -> Settings:
        """How the wrapper was set up."""
        return self.judge.settings


def _is_open(tool: ToolSpec) -> bool:
    """Whether a tool takes any question: a search, a retriever, an expert."""
    return len(tool.required) == 1 and not _OPEN.isdisjoint(stems(tool.required[0]))


def _told(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= _LONGEST_TOLD else f"{told[:_LONGEST_TOLD]}..."


def _said_of_bad(bad: BadCall) -> str:
    unknown = bad.reason == "unknown_tool"
    return (
        f"left out a call of {bad.name}{', which is not a tool' if unknown else f': {bad.detail}'}"
    )
