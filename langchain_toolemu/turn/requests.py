"""The requests of a turn: a pure function of the input, the settings and the stage.

Whatever is asked, it is asked of the whole history: a decision that cannot see past results repeats its call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from langchain_toolemu.contract import history, size
from langchain_toolemu.contract.examples import PLAIN_EXAMPLES, Example
from langchain_toolemu.contract.grammar import Quotations, quotations, write_grammar, write_schema
from langchain_toolemu.contract.rules import (
    Contract,
    write_closing,
    write_decision,
    write_form,
    write_rounds_over,
)
from langchain_toolemu.contract.shortlist import choose_tools
from langchain_toolemu.contract.tool_list import Shortening, write_described
from langchain_toolemu.messages.past_calls import calls_of, speaks, without_invalid_calls
from langchain_toolemu.messages.past_reasoning import prepare_reasoning
from langchain_toolemu.tools import ANY, ToolChoice, ToolSet
from langchain_toolemu.turn.forms import in_forms
from langchain_toolemu.turn.progress import progress_at
from langchain_toolemu.turn.reasks import FailedMessage, Reask
from langchain_toolemu.turn.stages import Stage
from langchain_toolemu.turn.turn_input import Request, Settings, TurnInput


def write_request(turn_input: TurnInput, settings: Settings, stage: Stage) -> Request:
    """What is sent at this stage; `turn_input` is in the form in which it is sent."""
    if stage.phase == "native":
        request = _native_request(turn_input, stage)
    else:
        request = _InText(turn_input, settings, stage).request()
    if stage.in_pieces:
        request = replace(request, kwargs={**request.kwargs, "stream": True})
    return in_forms(request, stage.forms) if stage.forms else request


def _native_request(turn_input: TurnInput, stage: Stage) -> Request:
    messages = without_invalid_calls(turn_input.messages)
    if stage.reasks:
        messages = _with_reask(messages, stage.reasks[-1])
    messages = prepare_reasoning(messages, stage.reasoning)
    sent = {**turn_input.kwargs, **(turn_input.native or {})}
    sends, stop = stage.sends_reasoning, turn_input.stop
    return Request(messages, stop, sent, whole=stage.whole, sends_reasoning=sends)


def _with_reask(messages: list[BaseMessage], reask: Reask) -> list[BaseMessage]:
    """A native conversation that goes on with a reply that failed, and with what is wrong with it, or with each of its calls."""
    reply, faults = reask.message or FailedMessage(None)
    calls = calls_of(reply) if reply and faults else ()
    answers: list[BaseMessage] = [
        ToolMessage(fault, tool_call_id=call.id, status="error")
        for call, fault in zip(calls, faults, strict=True)
    ]
    answers = answers or [HumanMessage(reask.correction)]
    return history.continue_natively(messages, [reply, *answers] if reply else answers)


def opening_of(messages: Sequence[BaseMessage]) -> tuple[list[str], str]:
    """What is said up to the user's first words, with those; and those, if there are any."""
    before = [*takewhile(lambda message: not speaks(message), messages)]
    opening: list[str] = [message.text for message in messages[: len(before) + 1]]
    return opening, opening[-1] if len(opening) > len(before) else ""


def tools_to_steer_to(turn_input: TurnInput, settings: Settings, stage: Stage) -> tuple[str, ...]:
    """The tools that the user's last words mention, if a call of them can be held to what was said."""
    last = next(reversed(turn_input.messages), None)
    if not (last and speaks(last)) or not _InText(turn_input, settings, stage).only_quotes:
        return ()
    return size.tools_mentioned_in(last.text, turn_input.toolset)


def closing_contract(turn_input: TurnInput, settings: Settings, stage: Stage) -> Contract | None:
    """What the model is told where it must not call any more: that all is done, or that the limit of rounds is reached."""
    if stage.closes:
        return write_closing(has_results=turn_input.conversation.has_result)
    rounds = turn_input.conversation.rounds
    return write_rounds_over(rounds) if rounds and rounds >= settings.max_tool_rounds else None


@dataclass(frozen=True, slots=True)
class _InText:
    turn_input: TurnInput
    settings: Settings
    stage: Stage

    def request(self) -> Request:
        stage, turn_input, settings = self.stage, self.turn_input, self.settings
        sized = self._sized_contract() if stage.phase != "answer" else None
        contract = sized.contract if sized else closing_contract(turn_input, settings, stage)
        talk = turn_input.conversation
        has_history = history.has_tool_history(turn_input.messages)
        if contract and contract.continuation and settings.is_small and has_history:
            own, tools = settings.contract, tuple(turn_input.toolset)
            contract = replace(
                contract,
                unfinished=own.unfinished,
                finished=own.finished,
                progress_at=progress_at(turn_input.messages, talk, tools),
            )
        sends = stage.sends_reasoning
        style = history.Style(settings.dialect, settings.max_tool_result_chars, sends)
        messages, again = history.project(turn_input.messages, style, contract), stage.current_reask
        if again:
            messages = history.with_correction(messages, again.failed, again.correction)
        if sends:
            messages = prepare_reasoning(messages, stage.reasoning)
        # A caller's stop sequence may have cut a call, or a grammar under which a small model ran on.
        is_unread = again and again.kind.is_unread
        stop, kwargs = (None, turn_input.kwargs) if is_unread else (turn_input.stop, self._kwargs())
        measures = sized.size if sized else None
        return Request(messages, stop, kwargs, contract=measures, sends_reasoning=sends)

    def _sized_contract(self) -> size.SizedContract:
        """The contract where a call is asked for, as much of it as fits the window."""
        is_led = self.stage.steered_to or self.stage.offers
        tools, space = self._callable() if is_led else self.turn_input.toolset, size.Space()
        if self.settings.window is not None:
            # The same in every turn of a conversation.
            form, (opening, question) = self.turn_input.form, opening_of(self.turn_input.messages)
            always = (form.name,) if form else ()
            space = size.Space(self.settings.window, opening, question, always)
        whole = Shortening(limit=self.settings.tools_shown)
        return size.fit_contract(partial(self._contract, tools), tools, space, whole)

    def _contract(self, tools: ToolSet, shortening: Shortening) -> Contract:
        """The contract, with the tools that are described next to the messages that may need them."""
        turn_input, form = self.turn_input, self.turn_input.form
        always, demanded = form.name if form else None, turn_input.demanded_tool
        chosen = choose_tools(tools, turn_input.messages, shortening.limit, always, demanded)
        if chosen is None:
            return self._write_contract(tools, shortening)
        write = partial(write_described, tools, self.settings.contract.render, shortening)
        if self.settings.window is not None:
            chosen = size.within_window(chosen, write, self.settings.window)
        contract = self._write_contract(tools, replace(shortening, in_list=chosen.in_list))
        descriptions = tuple((number, write(names)) for number, names in chosen.by_message)
        ending = write(chosen.at_end) if chosen.at_end else ""
        described = replace(contract, descriptions=descriptions, ending=ending)
        return replace(described, described_tools=chosen.names)

    def _write_contract(self, tools: ToolSet, shortening: Shortening) -> Contract:
        form, dialect, template = (
            self.turn_input.form,
            self.settings.dialect,
            self.settings.contract,
        )
        if self.stage.decoding == "form":
            return write_form(shortening.of(tools), template=template)
        shared: Any = {"parallel": self._parallel, "template": template, "shortening": shortening}
        if self.stage.phase == "decision":
            return write_decision(tools, dialect, **shared)
        answer = form.name if form else None
        write = partial(self.settings.contracts.write, examples=self._examples, answer=answer)
        return write(tools, self._choice, dialect, **shared)

    @property
    def _examples(self) -> bool | tuple[Example, ...]:
        """The examples that the contract shows, none of them to a model that might copy; true: those made from the tools."""
        stage, examples = self.stage, self.settings.examples
        if stage.steered_to and not self.only_quotes:
            return ()
        if stage.demanded:
            # The smallest models copy the form where nothing shows a call of an offered tool; larger ones copy the example.
            return examples if self.settings.contract.examples_as_turns else ()
        if stage.decoding in ("schema", "grammar") and self.turn_input.choice.kind == "named":
            return ()  # the server writes the call but for its values: examples teach nothing, and are copied
        for reask in stage.reasks if examples is True else ():
            if reask.reason == "doubted_call" and not reask.correction:
                return PLAIN_EXAMPLES  # asked afresh: the model sees neither its call nor examples of calls
        return examples

    @property
    def _choice(self) -> ToolChoice:
        """The caller's choice, or the demand by which a model is steered."""
        demanded = self.stage.demanded
        if self.turn_input.choice.forced or not demanded:
            return self.turn_input.choice
        return ToolChoice("named", demanded[0]) if len(demanded) == 1 else ANY

    @property
    def _parallel(self) -> bool:
        """Whether several calls may be made; a small model writes the second before it has the first one's result."""
        return self.turn_input.parallel is not False and not (self.stage.demanded or self._is_led)

    def _kwargs(self) -> dict[str, Any]:
        kwargs, stage = self.turn_input.kwargs, self.stage
        match stage.decoding:
            case "form":
                return {**kwargs, **self.turn_input.constraint}
            # A schema leaves no place for words.
            case "schema" if stage.phase == "decision" or self.turn_input.choice.forced:
                return {**kwargs, **self._schema()}
            case "grammar":
                grammar = self._grammar()
                fields: dict[str, Any] = {"grammar": grammar}  # llama.cpp's
                if self.settings.constraint is not None:
                    # The server may be vLLM. Both ignore a field that they do not know.
                    fields |= {"structured_outputs": {"grammar": grammar}}
                # A grammar of the caller's own stays.
                return {**kwargs, "extra_body": {**fields, **(kwargs.get("extra_body") or {})}}
        return kwargs

    def _schema(self) -> dict[str, Any]:
        none = self.stage.phase == "decision"
        schema = write_schema(self._callable(), self.settings.dialect, none=none)
        if self.settings.is_chat_ollama:
            return {"format": schema}
        described = {"name": "call", "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": described}}

    def _callable(self) -> ToolSet:
        name, tools = self.turn_input.choice.name, self.turn_input.toolset
        stage = self.stage
        wanted = stage.steered_to or stage.offers or ((name,) if name else tools.names)
        return ToolSet([tool for tool in tools if tool.name in wanted])

    def _grammar(self) -> str:
        choice, forced, phase = self._choice, self._choice.forced, self.stage.phase
        # Only one call of a named tool is made; a model that may write more runs on.
        parallel = self._parallel and (choice.kind != "named" or self.turn_input.parallel is True)
        return write_grammar(
            self._callable(),
            self.settings.dialect,
            parallel=parallel,
            words=phase == "call" and not forced,
            none=phase == "decision",
            quoted=self._quotable() if self._is_led else None,
            copied=self.settings.examples is True and not forced,
        )

    @property
    def _is_led(self) -> bool:
        """Whether the grammar holds values to what was said: larger models want values that were not."""
        constraint = self.settings.constraint
        quotes = self.settings.contract.quotes if constraint is None else constraint == "quotes"
        return self.stage.decoding == "grammar" and quotes

    @property
    def only_quotes(self) -> bool:
        """Whether values can only be quoted."""
        return self._is_led and self._quotable() is not None

    def _quotable(self) -> Quotations | None:
        form = self.turn_input.form
        texts = [message.text for message in self.turn_input.messages]
        return quotations(texts, answer=form.name if form else None)
