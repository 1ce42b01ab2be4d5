"""A script that makes the same moves in two voices: native calls where tools are offered, else calls in text.

A move is a list of calls, an answer in words, or an answer in a form. Which one is made depends on how many results
the conversation shows, so that a program and its resumption make the same ones.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from langchain_toolemu.contract.example_values import PLACEHOLDERS
from tests.scripted_server import Reply


@dataclass(frozen=True)
class Formed:
    """An answer in the form of a schema: by a call of it where that is offered, else as JSON."""

    name: str
    args: Mapping[str, Any]


Calls: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
Move: TypeAlias = Calls | str | Formed


def playing(*moves: Move, otherwise: str = "Hello.") -> Callable[[dict[str, Any]], Reply]:
    """A script that makes these moves, the last one over and over, and says `otherwise` where no tool is offered."""

    def play(request: dict[str, Any]) -> Reply:
        talk = [message for message in request["messages"] if not _is_example(message)]
        move = moves[min(sum(map(_results, talk)), len(moves) - 1)]
        if "tools" in request:
            return _natively(move, request)
        lesson = str(request["messages"][0]["content"])
        if "call tools" in lesson:
            return Reply(text=_pieces(_in_text(move, lesson)))
        if "response_format" in request and isinstance(move, Formed):
            return Reply(text=_pieces(json.dumps(move.args)))
        # A conversation that ends in an answer may go on without tools.
        return Reply(text=_pieces(otherwise if isinstance(move, list | tuple) else _words(move)))

    return play


def _is_example(message: Mapping[str, Any]) -> bool:
    return any(word in str(message["content"]) for word in ("example", *PLACEHOLDERS))


def _results(message: Mapping[str, Any]) -> int:
    return 1 if message["role"] == "tool" else str(message["content"]).count("<tool_response")


def _natively(move: Move, request: Mapping[str, Any]) -> Reply:
    if isinstance(move, Formed):
        offered = [tool["function"]["name"] for tool in request["tools"]]
        if move.name in offered:
            return Reply(tool_calls=[(move.name, move.args)])
    return (
        Reply(text=_pieces(_words(move)))
        if not isinstance(move, list | tuple)
        else Reply(tool_calls=move)
    )


def _words(move: str | Formed) -> str:
    return move if isinstance(move, str) else json.dumps(move.args)


def _in_text(move: Move, lesson: str) -> str:
    if isinstance(move, str) or (isinstance(move, Formed) and move.name not in lesson):
        return _words(move)
    calls = [(move.name, move.args)] if isinstance(move, Formed) else move
    return "\n".join(json.dumps({"name": name, "arguments": args}) for name, args in calls)


def _pieces(text: str) -> list[str]:
    return [text[start : start + 6] for start in range(0, len(text), 6)]
