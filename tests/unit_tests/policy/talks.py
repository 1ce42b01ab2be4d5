"""Conversations and reviews of single calls, for the tables of the policy."""

from itertools import count

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from langchain_toolemu.policy import CallContext, Conversation, Review
from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools import ToolSpec

_IDS = count()


def each(names: str, rows: list[tuple]) -> pytest.MarkDecorator:
    """Run a test with each row of a table, whose first column says what is the case."""
    values = [row[1:] for row in rows]
    return pytest.mark.parametrize(names.split(), values, ids=[row[0] for row in rows])


def spec(name: str, *required: str, about: str = "", **properties: dict) -> ToolSpec:
    """A tool with these required arguments, whose schemas may be given."""
    schemas = {argument: properties.get(argument, {}) for argument in required}
    return ToolSpec(name, about, {"properties": schemas, "required": [*required]})


def call(name: str, /, **args: object) -> Call:
    """A call as a reply in text has it."""
    return Call(name, args, "{call}", "json", explicit=False)


def rounds(*made: tuple[Call, object]) -> list:
    """A round for each call and its result; an exception is a failure. Ids differ."""
    messages: list = []
    for one, result in made:
        id_ = f"call_{next(_IDS)}"
        status = "error" if isinstance(result, Exception) else "success"
        asked = {"name": one.name, "args": one.args, "id": id_}
        messages.append(AIMessage("", tool_calls=[asked]))
        messages.append(ToolMessage(str(result), tool_call_id=id_, status=status))
    return messages


def review(check, made: Call, tools: list[ToolSpec], *said, **facts) -> Review:
    """What a check says of a call of one of these tools, after what was said."""
    talk = [HumanMessage(one) if isinstance(one, str) else one for one in said]
    [tool] = [one for one in tools if one.name == made.name]
    return check.review(made, CallContext(tool, tools, Conversation(talk), **facts))


def verdict(found: Review) -> str:
    """A review in a word: a question that cannot be insisted on is a refusal."""
    return "refuse" if found.outcome == "ask" and found.final else found.outcome
