"""The requests of a turn: what is sent natively, for a call, for a decision, for an answer without tools.

Whatever is asked, it is asked of the whole history: a decision that cannot see past results repeats its call.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from langchain_toolemu.contract import (
    Contract,
    Example,
    write_closing,
    write_contract,
    write_decision,
    write_form,
)
from langchain_toolemu.contract.grammar import write_grammar, write_schema
from langchain_toolemu.contract.history import Style, corrected, project
from langchain_toolemu.contract.small_models.mentions import tools_spoken_of
from langchain_toolemu.contract.small_models.quoting import Quotations, quotations
from langchain_toolemu.tools import ANY, ToolChoice, ToolSet, ToolSpec, read_tools
from langchain_toolemu.turn.order import Order, Request, Settings

Phase: TypeAlias = Literal["call", "decision", "answer"]
"""What an emulated request asks for: an answer or calls; calls or nothing; an answer only."""

Under: TypeAlias = Literal["nothing", "form", "schema", "grammar"]
"""What a server is to decode under: the schema of the answer's form, that of a call, or a grammar of both words and calls."""


def asks_for_json(messages: Sequence[BaseMessage]) -> bool:
    """Whether somebody may want an answer in JSON, which a grammar would turn into a call."""
    spoken = [one for one in messages if isinstance(one, HumanMessage | SystemMessage)]
    return any("{" in one.text or "json" in one.text.lower() for one in spoken)


class Prompts:
    """Writes the requests for one order."""

    def __init__(
        self, order: Order, settings: Settings, *, system_role: bool, under: Under = "nothing"
    ) -> None:
        self._order = order
        self._settings = settings
        self.system_role = system_role
        self.under = under
        self.led_to: Sequence[str] = ()
        """The tools that a model is led to which copied an example: it is asked for one call of them, and cannot copy."""

    @cached_property
    def tools(self) -> ToolSet:
        """The tools on offer.

        Raises:
            ToolSpecError: One of them is a provider's built-in.
        """
        return read_tools(self._order.tools)

    @cached_property
    def functions(self) -> ToolSet:
        """The tools that text can call; a provider's built-ins are beside them in a native turn."""
        offered = self._order.tools
        functions = [tool for tool in offered if tool.get("type") == "function"]
        return self.tools if len(functions) == len(offered) else read_tools(functions)

    @cached_property
    def imitable(self) -> ToolSet:
        """The tools a model may call though none is on offer, because its history shows calls of them."""
        calls = [
            call
            for message in self._order.messages
            if isinstance(message, AIMessage)
            for call in message.tool_calls
        ]
        return ToolSet([*(ToolSpec(call["name"], "", {}) for call in calls), *self.functions])

    @property
    def first_phase(self) -> Phase:
        """What an emulated turn starts by asking for."""
        order = self._order
        closing = self.out_of_rounds and not order.choice.forced
        if not order.tools or order.choice.kind == "none" or closing:
            return "answer"
        return "decision" if self._settings.flow == "decision" else "call"

    @property
    def out_of_rounds(self) -> bool:
        """Whether tools were called as often as they may be."""
        return self._rounds >= self._settings.max_tool_rounds

    @cached_property
    def _rounds(self) -> int:
        """How often tools were called since the user last spoke."""
        return sum(
            isinstance(message, AIMessage) and bool(message.tool_calls)
            for message in self._since_user
        )

    @cached_property
    def _since_user(self) -> Sequence[BaseMessage]:
        messages = self._order.messages
        spoken = [
            number for number, message in enumerate(messages) if isinstance(message, HumanMessage)
        ]
        return messages[spoken[-1] + 1 :] if spoken else messages

    @cached_property
    def has_result(self) -> bool:
        """Whether the model has been given a result since the user last spoke."""
        return any(isinstance(message, ToolMessage) for message in self._since_user)

    @cached_property
    def said(self) -> tuple[str, ...]:
        """All that the model was told or said before."""
        return tuple(str(message.content) for message in self._order.messages)

    def spoken_of(self) -> tuple[str, ...]:
        """The tools that the user's last words speak of, if a call of them can be held to what was said."""
        last = next(reversed(self._order.messages), None)
        if not (self._quotes and isinstance(last, HumanMessage)):
            return ()
        return tools_spoken_of(last.text, self.tools)

    def native(self) -> Request:
        """The order as the caller made it, for the wrapped model's own tool calling."""
        order = self._order
        return Request(list(order.messages), order.stop, {**order.kwargs, **(order.native or {})})

    def emulated(self, phase: Phase) -> Request:
        """The order as a plain chat model understands it."""
        return Request(self.messages(phase), self._order.stop, self._kwargs(phase))

    def again(
        self,
        phase: Phase,
        failed: str,
        correction: str,
        *,
        was_cut: bool = False,
        certain: bool = False,
        without: Sequence[str] = (),
    ) -> Request:
        """The request again, with the failed reply and what is wrong with it.

        Args:
            phase: What is asked for.
            failed: The reply that failed.
            correction: What is wrong with it.
            was_cut: Whether the reply was cut: by a caller's stop sequence, or by its length under a grammar that a
                small model ran on under. It is asked again without either.
            certain: Whether a call is what the model means to write, so that it may be held to a call's schema.
            without: Tools that a grammar leaves out this time.
        """
        messages, order = corrected(self.messages(phase), failed, correction), self._order
        if was_cut:
            return Request(messages, None, order.kwargs)
        return Request(messages, order.stop, self._kwargs(phase, without, certain=certain))

    def _kwargs(
        self, phase: Phase, without: Sequence[str] = (), *, certain: bool = False
    ) -> dict[str, Any]:
        """The keyword arguments for the wrapped model, with what its server is to decode under."""
        kwargs = self._order.kwargs
        match self.under:
            case "form":
                return {**kwargs, **self._order.constraint}
            case "schema" if certain or self._is_call_certain(phase):
                return {**kwargs, **self._schema(phase)}
            case "grammar" if phase != "answer":
                handed = self._handed_over(self._grammar(phase, without))
                # A grammar of the caller's own stands.
                return {**kwargs, "extra_body": {**handed, **(kwargs.get("extra_body") or {})}}
        return kwargs

    @property
    def _only_arguments(self) -> bool:
        """Whether the server spells the call out but for its values: then examples teach nothing, and are copied."""
        return self.under in ("schema", "grammar") and self._order.choice.kind == "named"

    @property
    def _examples(self) -> bool | tuple[Example, ...]:
        """The examples that the contract shows, none of them to a model that might copy; true: those made from the tools."""
        may_copy = bool(self.led_to) and not self._quotes
        return () if may_copy or self._only_arguments else self._settings.examples

    def _is_call_certain(self, phase: Phase) -> bool:
        """Whether the reply must be a call, if only one of nothing: a schema leaves no room for words."""
        return phase == "decision" or (phase == "call" and self._order.choice.forced)

    def _schema(self, phase: Phase) -> dict[str, Any]:
        """The keyword argument that hands the schema of a call to the server."""
        none = phase == "decision" and not self._order.choice.forced
        schema = write_schema(self._callable(), self._settings.dialect, none=none)
        if self._settings.schema_argument == "format":
            return {"format": schema}
        described = {"name": "call", "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": described}}

    def _callable(self, without: Sequence[str] = ()) -> ToolSet:
        """The tools that the choice leaves."""
        name = self._order.choice.name
        wanted = self.led_to or ((name,) if name else self.tools.names)
        return ToolSet(
            [one for one in self.tools if one.name in wanted and one.name not in without]
        )

    @property
    def _choice(self) -> ToolChoice:
        """The caller's choice, or the demand that a model is led by."""
        if self._order.choice.forced or not self.led_to:
            return self._order.choice
        return ToolChoice("named", self.led_to[0]) if len(self.led_to) == 1 else ANY

    def _handed_over(self, grammar: str) -> dict[str, Any]:
        """The fields that hand over a grammar: llama.cpp's, and vLLM's where nobody knows what the server is.

        Both servers pass over a field that they do not know.
        """
        known = self._settings.constrain == "auto"
        others = {} if known else {"structured_outputs": {"grammar": grammar}}
        return {"grammar": grammar, **others}

    def _grammar(self, phase: Phase, without: Sequence[str]) -> str:
        choice, forced = self._choice, self._choice.forced
        return write_grammar(
            self._callable(without if self._by_hand else ()),
            self._settings.dialect,
            # Of a named tool one call is taken: leave to write more is leave to run on.
            parallel=self._parallel and choice.kind != "named",
            words=phase == "call" and not forced,
            none=phase == "decision" and not forced,
            quoted=self._quotable if self._quotes else None,
            copied=self._settings.examples is True and not forced,
        )

    @property
    def _quotes(self) -> bool:
        """Whether values can only be quoted."""
        return self._by_hand and self._quotable is not None

    @cached_property
    def _quotable(self) -> Quotations | None:
        """What can be quoted from the conversation."""
        form = self._order.form
        said = [message.text for message in self._order.messages]
        return quotations(said, answer=form.name if form else None)

    @property
    def _by_hand(self) -> bool:
        """Whether the grammar is to lead by the hand: what larger models want is out of its reach."""
        return self.under == "grammar" and self._settings.constrain == "quotes"

    @property
    def _parallel(self) -> bool:
        """Whether several calls may be made.

        A small model writes the second before it has the first one's result, and without an example it does not know
        where to end.
        """
        return self._order.parallel and not (self.led_to or self._by_hand)

    def messages(self, phase: Phase) -> list[BaseMessage]:
        """The conversation as a phase sends it."""
        settings = self._settings
        style = Style(settings.dialect, settings.max_tool_result_chars, self.system_role)
        return project(self._order.messages, style, self._contract(phase))

    def _contract(self, phase: Phase) -> Contract | None:
        order, settings = self._order, self._settings
        match phase:
            case "call" if self.under == "form":
                return write_form(self.tools, recipe=settings.contract)
            case "call":
                return write_contract(
                    self._callable() if self.led_to else self.tools,
                    self._choice,
                    settings.dialect,
                    parallel=self._parallel,
                    examples=self._examples,
                    recipe=settings.contract,
                )
            case "decision":
                return write_decision(
                    self.tools,
                    order.choice,
                    settings.dialect,
                    parallel=self._parallel,
                    recipe=settings.contract,
                )
        return write_closing(self._rounds) if self.out_of_rounds and self._rounds else None

    @cached_property
    def just_answered(self) -> list[tuple[str, object]]:
        """The calls, name and arguments, whose successful results are the last thing the model was told."""
        messages = self._order.messages
        answered: set[str] = set()
        for message in reversed(messages):
            if isinstance(message, ToolMessage):
                answered |= {message.tool_call_id} if message.status == "success" else set()
            elif isinstance(message, AIMessage) and answered:
                return [
                    (call["name"], call["args"])
                    for call in message.tool_calls
                    if call["id"] in answered
                ]
            else:
                break
        return []
