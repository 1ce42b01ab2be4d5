"""Conversations by five authors who did not know the policy: every call in them is right.

Each reply of the agent is a turn. `retold` says the users' words otherwise, with the same facts; `alone` makes one call per reply.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from tests.benchmarks.trust.turns import Called, DataTurn, called_messages

FOLDER = Path(__file__).parent / "strangers"
AUTHORS = ("one", "two", "three", "four")


def stranger_turns(*authors: str, retold: bool = False, alone: bool = False) -> Iterator[DataTurn]:
    """The replies of each conversation, in order."""
    for author in authors or AUTHORS:
        text = (FOLDER / f"{author}.json").read_text(encoding="utf-8")
        for conversation in json.loads(text):
            yield from _turns(author, conversation, retold=retold, alone=alone)


def _turns(
    author: str, conversation: Mapping[str, Any], *, retold: bool, alone: bool
) -> Iterator[DataTurn]:
    messages: list[BaseMessage] = []
    number = 0
    for turn, words in zip(conversation["turns"], conversation["retelling"], strict=True):
        messages.append(HumanMessage(words if retold else turn["user"]))
        for made in _replies(turn["rounds"], alone=alone):
            number += 1
            calls = [
                (Called(call["name"], call["args"]), call["result"], "success") for call in made
            ]
            id_ = f"{author}/{conversation['id']}/{number}"
            right = tuple(call for call, *_ in calls)
            tools, domain = conversation["tools"], conversation["domain"]
            yield DataTurn(id_, domain, tools, [*messages], right)
            messages += called_messages(calls, number)
        messages.append(AIMessage(turn["answer"]))


def _replies(rounds: Any, *, alone: bool) -> Iterator[Any]:
    for made in rounds:
        yield from ([call] for call in made) if alone else [made]
