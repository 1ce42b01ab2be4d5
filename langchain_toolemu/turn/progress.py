"""What an agent has done after each result, and what it began with and did not do.

A small model tells the result of a look-up and stops, though it began with an act that lacked a
value; and after an act it goes on with others. What it began with stands in the report of its
reply.
"""

from collections.abc import Mapping, Sequence

from langchain_core.messages import BaseMessage

from langchain_toolemu.messages.past_calls import calls_of, results_of
from langchain_toolemu.policy import Conversation
from langchain_toolemu.policy.outcomes import has_failed
from langchain_toolemu.policy.tool_kinds import kind_of
from langchain_toolemu.tools import ToolSpec

_LACKS_VALUE = ("copied_value:", "out_of_order:", "placeholder:", "value_not_given:")
"""How the reasons begin for which a call is doubted that lacks a value."""


def progress_at(
    messages: Sequence[BaseMessage], talk: Conversation, tools: Sequence[ToolSpec]
) -> dict[int, tuple[str, str]]:
    """After each result, the act that is left, if any, and those that are done since the user spoke."""
    changing = {tool.name for tool in tools if kind_of(tool) != "tells"}
    acts = {tool.name for tool in tools if kind_of(tool) == "acts"}
    left, done, called = "", dict[str, None](), dict[str | None, str]()
    progress: dict[int, tuple[str, str]] = {}
    spoken = frozenset(talk.user_spoke_at)
    for place, message in enumerate(messages):
        if place in spoken:
            left, done = "", {}
        begun = _lacking(message).intersection(changing).difference(done)
        left = left or (begun.pop() if len(begun) == 1 else "")
        called |= {call.id: call.name for call in calls_of(message)}
        results = results_of(message)
        finished = [called.get(result.id, "") for result in results if not has_failed(result)]
        done |= dict.fromkeys(name for name in finished if name in acts)
        left = "" if left in finished else left
        if results:
            progress[place] = (left, " and ".join(done))
    return progress


def _lacking(message: BaseMessage) -> set[str]:
    """The tools whose calls a reply did not make, since they lacked a value."""
    report = message.response_metadata.get("toolemu")
    doubted = report.get("doubted") if isinstance(report, Mapping) else ()
    return {
        str(call.get("name"))
        for call in doubted or ()
        if not call.get("made") and str(call.get("reason")).startswith(_LACKS_VALUE)
    }
