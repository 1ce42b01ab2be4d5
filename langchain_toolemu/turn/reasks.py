"""A further request because of a reply that failed: why, and what such a request is like. One table says it for each reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from langchain_core.messages import BaseMessage

from langchain_toolemu.messages.content import Part
from langchain_toolemu.policy.review import ACCEPT, Review
from langchain_toolemu.reader.events import Call

ReaskReason: TypeAlias = Literal[
    "cut_call", "unreadable_call", "unclear_call", "unknown_tool", "bad_arguments", "wrong_tool", "missing_call",
    "doubted_call", "imitated_call", "refusal", "empty_reply", "announced_call",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReaskKind:
    """What a re-ask is like."""

    concerns: Literal["reader", "validation", "contract", "policy"]
    """Where to look: at what could not be read, at the arguments, at what the model was told, or at what it chose to do."""

    # The model is free to answer in words; those before the call stand.
    asks_about_call: bool = False
    nudges: bool = False  # asks a model to go on that stopped short
    once: bool = False  # in a turn: a refusal that is repeated is an answer, and a call that comes again is meant
    is_unread: bool = False  # a call came and cannot be read
    only_call: bool = False  # nothing but a call will do, so no words are to come with it


REASKS: Mapping[ReaskReason, ReaskKind] = {
    "cut_call": ReaskKind("reader", is_unread=True, only_call=True),
    "unreadable_call": ReaskKind("reader", is_unread=True, only_call=True),
    "unclear_call": ReaskKind("reader", asks_about_call=True, once=True),
    "unknown_tool": ReaskKind("validation"),
    "bad_arguments": ReaskKind("validation", only_call=True),
    "wrong_tool": ReaskKind("policy", only_call=True),
    "doubted_call": ReaskKind("policy", asks_about_call=True, once=True),
    "missing_call": ReaskKind("contract", only_call=True),
    "imitated_call": ReaskKind("contract", once=True),
    "refusal": ReaskKind("contract", once=True),
    "empty_reply": ReaskKind("contract", nudges=True),
    "announced_call": ReaskKind("contract", nudges=True, once=True),
}


def label_of(reason: ReaskReason) -> str:
    """A reason with the part of the package it concerns, so that a user knows what to change."""
    return f"{REASKS[reason].concerns}: {reason}"


class FailedMessage(NamedTuple):
    """A provider's own message, and what is wrong with each of its calls."""

    reply: BaseMessage | None  # none if it said nothing
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reask:
    """A further request because of a reply that failed. How it is sent, natively or in text, is the request's matter."""

    reason: ReaskReason
    failed: str  # the reply's text, which the model is shown again
    correction: str  # what the model is told; empty if it was asked afresh since
    # What the reply said and was not shown: a refusal, or what surrounds a doubted call, is the answer if no call follows.
    words: tuple[Part, ...] = ()
    stands: bool = False  # whether words of it were shown: it is the answer if no call follows
    calls: tuple[Call, ...] = ()  # doubted ones, made if the model says nothing to the question
    review: Review = ACCEPT  # of the doubted call
    about: str = ""  # its tool
    # If the provider's conversation can go on with it.
    message: FailedMessage | None = None

    @property
    def kind(self) -> ReaskKind:
        """What it is like."""
        return REASKS[self.reason]
