"""`with_structured_output`: what binds a schema to a model, and what parses the reply.

Where the wrapped model has a way of its own, what it binds is sent natively, and its parser reads all replies. A chain that
cannot be taken apart is run as it is in mode fallback, and what it does not answer is emulated.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from langchain_core.exceptions import OutputParserException
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

from langchain_toolemu.chat_models.bindings import ON_FAILURE, binding_kwargs, drop_none
from langchain_toolemu.chat_models.constructor import refuse_near
from langchain_toolemu.chat_models.setup import TurnSetup
from langchain_toolemu.contract.response_format import demands_object, read_form
from langchain_toolemu.errors import ToolChoiceError, ToolSpecError
from langchain_toolemu.tools import ToolChoice, to_openai_choice, to_openai_tools, tool_names
from langchain_toolemu.turn.reasks import label_of

Chain: TypeAlias = Runnable[Any, Any]

# For LangSmith: LangChain takes it out of the arguments of the model that is called, which is not this one.
_TRACED = "ls_structured_output_format"

JSON_MODE = {"response_format": {"type": "json_object"}}
"""How a server is told to write JSON, whatever its form: all that `method="json_mode"` asks of it."""


def structured_output(model: TurnSetup, schema: Any, *, include_raw: bool, **options: Any) -> Chain:
    """A chain that answers in the form of a schema, as `ChatToolEmu.with_structured_output` describes it."""
    refuse_near("with_structured_output", options, ("include_raw", "method", "strict", "tools"))
    chain = own_chain(model.llm, schema, **options)
    native = native_structured_output(model.llm, chain) if chain is not None else None
    followed = _followed_chain(model, schema, native, include_raw=include_raw, **options)
    inherited = type(model.llm).with_structured_output is BaseChatModel.with_structured_output
    # A method of the wrapped model's own cannot be handed any settings.
    if native or inherited or model.bound_kwargs or model.mode != "fallback":
        return followed
    if include_raw:
        chain = own_chain(model.llm, schema, include_raw=True, **options)
    if chain is None:
        return followed
    return (chain | RunnableLambda(_require_answer)).with_fallbacks([followed])


def _followed_chain(
    model: TurnSetup,
    schema: Any,
    native: "NativeStructuredOutput | None",
    *,
    include_raw: bool,
    **options: Any,
) -> Chain:
    """The chain of which every request is a turn: natively where that can be done, else emulated."""
    method = options.get("method")
    # An answer that is no object cannot be the arguments of a call.
    may_call = method in (None, "function_calling") and demands_object(schema)
    by_call = native.by_call if native else may_call
    parser = reply_parser(schema, native, by_call=by_call)
    terms = call_terms(schema, options) if by_call else text_terms(schema, options)
    if by_call and include_raw:
        terms[ON_FAILURE] = "continue"
        parser = _raise_missing_call(parser, terms["tool_choice"]["function"]["name"])
    bound = native.kwargs if native else JSON_MODE if method == "json_mode" else None
    described = {"kwargs": {"method": method or "function_calling"}, "schema": schema}
    traced = {_TRACED: (native.traced if native else None) or described}
    llm = model.bind(**traced, **binding_kwargs(terms, bound))
    return parse_chain(llm, parser, include_raw=include_raw)


@dataclass(frozen=True, slots=True)
class NativeStructuredOutput:
    """A chat model's own way of structured output."""

    kwargs: dict[str, Any]  # that it binds to itself
    traced: Any  # what it tells LangSmith
    parser: Chain

    @property
    def by_call(self) -> bool:
        """Whether the reply is a call of a tool, and no text."""
        return "tools" in self.kwargs and "response_format" not in self.kwargs


def own_chain(llm: BaseChatModel, schema: Any, **options: Any) -> Chain | None:
    """What a chat model's own method returns for a schema; `None` if it has none for it."""
    if not demands_object(schema):
        return None
    try:
        return llm.with_structured_output(schema, **options)
    except (NotImplementedError, KeyError, TypeError):
        # OpenAI's looks for the properties of a schema, which a map or a reference has not; LangChain's passes on a choice that
        # not every `bind_tools` takes.
        return None
    except ValueError as error:
        raise ToolSpecError(
            f"with_structured_output cannot use this: {' '.join(str(error).split()):.300} Pass a pydantic class, a TypedDict "
            "or a JSON schema with a `title`, and as method 'function_calling', 'json_schema' or 'json_mode'.",
            code="bad_schema",
        ) from error


def native_structured_output(llm: BaseChatModel, chain: Chain) -> NativeStructuredOutput | None:
    """A chat model's own chain taken apart; `None` if it is more than a binding of that model with a parser."""
    if not (isinstance(chain, RunnableSequence) and isinstance(chain.first, RunnableBinding)):
        return None
    if chain.first.bound is not llm:
        return None
    kwargs = dict(chain.first.kwargs)
    traced = kwargs.pop(_TRACED, None)
    parser = chain.last if not chain.middle else RunnableSequence(*chain.steps[1:])
    return NativeStructuredOutput(kwargs, traced, parser)


def call_terms(schema: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """What binds a schema as the one tool to call."""
    described = to_openai_tools([schema], strict=options.get("strict"))
    (name,) = tool_names(described)
    if isinstance(schema, Mapping) and "parameters" not in described[0]["function"]:
        # LangChain describes a schema by its properties, and drops one that has none.
        described = [form.tool()] if (form := read_form(schema)) else described
    choice = to_openai_choice(ToolChoice("named", name))
    return {"tools": described, "tool_choice": choice, "parallel_tool_calls": False}


def text_terms(schema: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """What binds a schema as the form of the answer; without one, any JSON will do."""
    form = read_form(schema)
    demanded = {"response_format": form.response_format()} if form else JSON_MODE
    return {**demanded, **drop_none(tools=to_openai_tools(options.get("tools") or ()) or None)}


def reply_parser(schema: Any, native: NativeStructuredOutput | None, *, by_call: bool) -> Chain:
    """What parses a reply, be it native or emulated."""
    plain = _plain_parser(schema, by_call=by_call)
    if native is None or type(native.parser) in (PydanticOutputParser, JsonOutputParser):
        return plain
    if isinstance(native.parser, BaseOutputParser):
        return native.parser

    def parse(message: AIMessage) -> Any:
        """A provider's parser may look for what only its own replies carry."""
        path = message.response_metadata.get("toolemu", {}).get("path")
        return (plain if path in ("emulated", "rescued") else native.parser).invoke(message)

    return RunnableLambda(parse).with_types(output_type=native.parser.OutputType)


def _require_answer(output: Any) -> Any:
    """The answer of the wrapped model's own chain; an error if it is empty, so that it is emulated."""
    raw = isinstance(output, Mapping) and {"raw", "parsed", "parsing_error"} <= output.keys()
    if (output["parsed"] if raw else output) is None:
        why = output["parsing_error"] if raw else None
        raise OutputParserException("The wrapped model's own structured output is empty.") from why
    return output


def _raise_missing_call(parser: Chain, name: str) -> Chain:
    """A parser that raises the error which the turn did not: the demanded call never came."""

    def parse(message: AIMessage) -> Any:
        report = message.response_metadata.get("toolemu", {})
        if report.get("gave_up") and not message.tool_calls:
            raise ToolChoiceError(
                f"The model had to call {name}, but did not in {report['requests']} requests "
                f"(last: {report['gave_up']}). Simplify the schema, or use a more capable model."
            )
        return parser.invoke(message)

    return RunnableLambda(parse).with_types(output_type=parser.OutputType)


def _plain_parser(schema: Any, *, by_call: bool) -> Chain:
    if isinstance(schema, type) and is_basemodel_subclass(schema):
        if by_call:
            return PydanticToolsParser(tools=[schema], first_tool_only=True)
        return _PydanticAnswer(pydantic_object=schema)
    if not by_call:
        return _JsonAnswer()
    (name,) = tool_names(to_openai_tools([schema]))
    return JsonOutputKeyToolsParser(key_name=name, first_tool_only=True)


class _WholeAnswer:
    """A parser that takes no half answer: LangChain's complete JSON that was cut off."""

    def parse_result(self, result: list[Any], *, partial: bool = False) -> Any:
        """The answer; an error if the model's last reply ends inside it."""
        message = getattr(result[0], "message", None)  # a parser takes a mere text, too
        report = message.response_metadata.get("toolemu", {}) if message else {}
        if message and report.get("gave_up") == label_of("cut_call"):
            why = f"The answer was cut off in the last of {report['requests']} requests. Raise max_tokens, or ask for less."
            raise OutputParserException(why, llm_output=message.text)
        return super().parse_result(result, partial=partial)  # type: ignore[misc]


class _PydanticAnswer(_WholeAnswer, PydanticOutputParser): ...  # type: ignore[type-arg]


class _JsonAnswer(_WholeAnswer, JsonOutputParser): ...


def parse_chain(llm: Chain, parser: Chain, *, include_raw: bool) -> Chain:
    """A model, then its parser; with `include_raw`, a parser's error is a value next to the message."""
    if not include_raw:
        return llm | parser

    def parse(message: AIMessage, config: RunnableConfig) -> Any:
        with suppress(Exception):
            return parser.invoke(message, config)
        return None

    def fail(message: AIMessage) -> Any:  # an exception, which no JSON schema describes
        try:
            parser.invoke(message, {"callbacks": []})  # traces show it parse once
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the caller's value
            return error
        return None

    # No fallback, as LangChain has one here: in a stream it would come too late, after the message.
    return RunnableMap(raw=llm) | RunnablePassthrough.assign(
        parsed=itemgetter("raw") | RunnableLambda(parse).with_types(output_type=parser.OutputType),
        parsing_error=itemgetter("raw") | RunnableLambda(fail),
    )
