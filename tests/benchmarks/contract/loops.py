"""Loops over fixed results: several calls made one after the other, and a conversation of ten turns."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from tests.benchmarks.contract.case import Case, Model, Outcome, asking, written
from tests.benchmarks.contract.padding import distinct_tools
from tests.benchmarks.contract.public_cases import PublicCase, public_cases
from tests.benchmarks.contract.truth import Truth, are_right

_RESULT = "ok"
_FURTHER_STEPS = 3  # beyond one for each call: the answer, and two of doubt
_CONVERSATIONS, _TURNS, _TOOLS = 2, 10, 60


def looping(
    messages: Sequence[BaseMessage], tools: Sequence[Any], truths: Sequence[Truth]
) -> Callable[[Model], Outcome]:
    """An agent's loop in which every result is the same; right if all the right calls and no others were made by its end.

    A call that is made again is none of the others: its result said nothing.
    """

    def run(model: Model) -> Outcome:
        replies = loop(model.bind_tools(list(tools)), messages, len(truths) + _FURTHER_STEPS)
        calls = [call for reply in replies for call in reply.tool_calls]
        did = "\n".join(map(written, replies))
        return Outcome(are_right(distinct_calls(calls), truths), bool(calls), did)

    return run


def distinct_calls(calls: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The calls without those that came before."""
    found: list[Mapping[str, Any]] = []
    for call in calls:
        if not any((call["name"], call["args"]) == (one["name"], one["args"]) for one in found):
            found.append(call)
    return found


def loop(model: Model, messages: Sequence[BaseMessage], max_steps: int) -> list[AIMessage]:
    """What a model replies until it makes no call any more."""
    said, replies = list(messages), list[AIMessage]()
    while len(replies) < max_steps:
        replies.append(model.invoke(said))
        said += [replies[-1], *_results(replies[-1])]
        if not replies[-1].tool_calls:
            break
    return replies


def _results(message: AIMessage) -> list[ToolMessage]:
    return [
        ToolMessage(_RESULT, name=call["name"], tool_call_id=call["id"] or "")
        for call in message.tool_calls
    ]


def conversation_cases() -> list[Case]:
    """Turns of conversations over sixty tools, in order: what a server's prompt cache can keep of each.

    Each turn goes on from the right calls, whatever the model did, so that all contestants see the same conversation.
    """
    cases, asked = list[Case](), public_cases("multiple")
    others = [tool for case in public_cases("padding") for tool in case.tools]
    for number in range(_CONVERSATIONS):
        turns = asked[number * _TURNS : (number + 1) * _TURNS]
        own = distinct_tools(tool for case in turns for tool in case.tools)
        tools = distinct_tools([*own, *others])[:_TOOLS]
        said = list[BaseMessage]()
        for case in turns:
            messages = [*said, *case.messages]
            cases.append(Case(case.id, asking(messages, tools, case.is_right)))
            said = [*messages, *_right_turn(case)]
    return cases


def _right_turn(case: PublicCase) -> list[BaseMessage]:
    """The right calls of a turn, their results, and an answer."""
    calls: list[Any] = [
        {"name": truth.name, "args": _first(truth), "id": f"{case.id}-{number}"}
        for number, truth in enumerate(case.truths)
    ]
    message = AIMessage("", tool_calls=calls)
    return [message, *_results(message), AIMessage("Done.")]


def _first(truth: Truth) -> dict[str, Any]:
    return {key: right[0] for key, right in truth.args.items() if right and right[0] != ""}
