"""`with_structured_output`: what binds a schema to a model, and what parses the reply.

The wrapped model's own way is taken over where it has one: what it binds is what it is sent natively, and its
parser reads native and emulated replies alike.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from inspect import signature
from operator import itemgetter
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import BaseOutputParser, JsonOutputParser, PydanticOutputParser
from langchain_core.output_parsers.openai_tools import JsonOutputKeyToolsParser, PydanticToolsParser
from langchain_core.runnables import (
    Runnable,
    RunnableBinding,
    RunnableConfig,
    RunnableLambda,
    RunnableMap,
    RunnablePassthrough,
    RunnableSequence,
)
from langchain_core.utils.pydantic import is_basemodel_subclass

from langchain_toolemu.errors import ToolChoiceError
from langchain_toolemu.tools import to_openai_tools, tool_names
from langchain_toolemu.tools.response_format import demands_object

_TRACED = "ls_structured_output_format"
"""For LangSmith: LangChain takes it out of the arguments of the model that is called, which is not this one."""

_UNTRACED: RunnableConfig = {"callbacks": []}


@dataclass(frozen=True, slots=True)
class Own:
    """A chat model's own way of structured output.

    Attributes:
        kwargs: The keyword arguments that it binds to itself.
        traced: What it tells LangSmith.
        parser: What it parses its replies with.
    """

    kwargs: dict[str, Any]
    traced: Any
    parser: Runnable[Any, Any]

    @property
    def by_call(self) -> bool:
        """Whether the reply is a call of a tool, and no text."""
        return "tools" in self.kwargs and "response_format" not in self.kwargs


def own_way(llm: BaseChatModel, schema: Any, **options: Any) -> Own | None:
    """How a chat model makes structured output itself; `None` if it cannot, or not in a way that can be followed."""
    if not (_takes(llm, schema, options) and demands_object(schema)):
        return None
    try:
        chain = llm.with_structured_output(schema, **options)
    except (NotImplementedError, KeyError, TypeError):
        # OpenAI's looks for the properties of a schema, which a map or a reference has not; LangChain's passes on a choice that
        # not every `bind_tools` takes.
        return None
    if not (isinstance(chain, RunnableSequence) and isinstance(chain.first, RunnableBinding)):
        return None
    if chain.first.bound is not llm:
        return None
    kwargs = dict(chain.first.kwargs)
    traced = kwargs.pop(_TRACED, None)
    return Own(
        kwargs, traced, chain.last if not chain.middle else RunnableSequence(*chain.steps[1:])
    )


def _takes(llm: BaseChatModel, schema: Any, options: Mapping[str, Any]) -> bool:
    """Whether a model's own `with_structured_output` has parameters for these arguments."""
    try:
        signature(llm.with_structured_output).bind(schema, **options)
    except TypeError:
        return False
    return True


def traced(schema: Any, own: Own | None, method: str | None) -> dict[str, Any]:
    """The keyword argument that tells LangSmith of the schema."""
    said = own.traced if own else None
    return {_TRACED: said or {"kwargs": {"method": method or "function_calling"}, "schema": schema}}


def parser_of(schema: Any, own: Own | None, *, by_call: bool) -> Runnable[Any, Any]:
    """What parses a reply, be it native or emulated."""
    if own is not None and isinstance(own.parser, BaseOutputParser):
        return own.parser
    plain = _tool_parser(schema) if by_call else _text_parser(schema)
    if own is None:
        return plain
    native = own.parser

    def parse(message: AIMessage) -> Any:
        """A provider's parser may look for what only its own replies carry."""
        path = message.response_metadata.get("toolemu", {}).get("path")
        return (plain if path in ("emulated", "rescued") else native).invoke(message)

    return RunnableLambda(parse)


def missing_call_raised(parser: Runnable[Any, Any], name: str) -> Runnable[Any, Any]:
    """A parser that raises what the turn did not: the demanded call never came."""

    def parse(message: AIMessage) -> Any:
        report = message.response_metadata.get("toolemu", {})
        if report.get("gave_up") and not message.tool_calls:
            raise ToolChoiceError(
                f"A call of {name} was demanded, and the model made none in {report['requests']} requests "
                f"(last: {report['gave_up']})."
            )
        return parser.invoke(message)

    return RunnableLambda(parse)


def _tool_parser(schema: Any) -> Runnable[Any, Any]:
    if _is_pydantic(schema):
        return PydanticToolsParser(tools=[schema], first_tool_only=True)
    (name,) = tool_names(to_openai_tools([schema]))
    return JsonOutputKeyToolsParser(key_name=name, first_tool_only=True)


def _text_parser(schema: Any) -> Runnable[Any, Any]:
    return (
        PydanticOutputParser(pydantic_object=schema) if _is_pydantic(schema) else JsonOutputParser()
    )


def _is_pydantic(schema: Any) -> bool:
    return isinstance(schema, type) and is_basemodel_subclass(schema)


def parsed(
    llm: Runnable[Any, Any], parser: Runnable[Any, Any], *, include_raw: bool
) -> Runnable[Any, Any]:
    """A model, then its parser; with `include_raw`, a parser's error is a value next to the message."""
    if not include_raw:
        return llm | parser
    # No fallback, as LangChain has one here: in a stream it would come too late, after the message.
    reading = RunnablePassthrough.assign(
        parsed=itemgetter("raw") | _parsed_or_none(parser),
        parsing_error=itemgetter("raw") | _error_of(parser),
    )
    return RunnableMap(raw=llm) | reading


def _parsed_or_none(parser: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """A parser that gives `None` where it fails."""

    def parse(message: AIMessage, config: RunnableConfig) -> Any:
        with suppress(Exception):
            return parser.invoke(message, config)
        return None

    async def aparse(message: AIMessage, config: RunnableConfig) -> Any:
        with suppress(Exception):
            return await parser.ainvoke(message, config)
        return None

    return RunnableLambda(parse, aparse)


def _error_of(parser: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """Why a parser fails, if it does; traces show it parse once."""

    def fail(message: AIMessage) -> Exception | None:
        try:
            parser.invoke(message, _UNTRACED)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the caller's value
            return error
        return None

    async def afail(message: AIMessage) -> Exception | None:
        try:
            await parser.ainvoke(message, _UNTRACED)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the caller's value
            return error
        return None

    return RunnableLambda(fail, afail)
