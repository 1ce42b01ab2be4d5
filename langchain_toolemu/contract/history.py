"""History as plain messages: any LangChain conversation, written so that a model without tools follows it.

One system message at the start, if any, then users and assistants in turn; a later system message
is told where it stands. A message that needs no change is passed on as the object it came as;
nothing that came in is ever mutated.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeAlias

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    SystemMessage,
)

from langchain_toolemu.contract.dialects import Dialect, write_result
from langchain_toolemu.contract.examples import fill_in
from langchain_toolemu.contract.rules import Contract
from langchain_toolemu.messages.content import (
    REASONING,
    blocks_of,
    simplest,
    with_one_text,
    words_of,
)
from langchain_toolemu.messages.past_calls import (
    PastCall,
    PastResult,
    calls_of,
    result_in,
    results_of,
    speaks,
)
from langchain_toolemu.messages.past_reasoning import (
    DETAILS,
    REASONING_KEYS,
    reasoning_in,
    reasoning_of,
    without_thoughts,
)
from langchain_toolemu.messages.tool_calls import own_text

Messages: TypeAlias = Sequence[BaseMessage]

# Strict chat templates want the user to speak first; a history whose start was trimmed away does not.
_CUT_HISTORY = "(The conversation starts earlier than this.)"
# Next to the content. Models are not sent their earlier thoughts again, and some clients would.
_THOUGHTS = frozenset({*REASONING_KEYS, DETAILS})
_SPEAKERS = (SystemMessage, AIMessage, HumanMessage)
_RELAYED = "[System message]", "[End of the system message]"


def has_tool_history(messages: Messages) -> bool:
    """Whether a conversation holds calls or results, which a plain chat model cannot be sent."""
    return any(calls_of(message) or results_of(message) for message in messages)


@dataclass(frozen=True, slots=True)
class Style:
    """How a history is written."""

    dialect: Dialect
    max_result_chars: int | None = None  # longer results are cut, and the text says by how much
    reasoning: bool = False  # whether thoughts next to the content are kept there
    called: Mapping[str | None, str] = field(default_factory=dict)  # the tools' names by call id


def project(
    messages: Messages, style: Style, contract: Contract | None = None
) -> list[BaseMessage]:
    """The conversation as plain messages, with the contract placed in it."""
    called: dict[str | None, str] = {}
    style, plain = replace(style, called=called), []
    for message in messages:  # some servers give the calls of every round the same ids
        called |= {call.id: call.name for call in calls_of(message)}
        plain.append(_plain(message, style))
    for number, tools in contract.descriptions if contract is not None else ():
        plain[number] = join_two(HumanMessage(content=tools), plain[number])
    if contract is not None and contract.continuation and any(map(results_of, messages)):
        plain = _with_continuation(messages, plain, contract)
    system: list[BaseMessage] = []
    talk: list[BaseMessage] = []
    for message in plain:
        if not isinstance(message, SystemMessage):
            talk.append(message)
        elif talk:  # templates refuse it; moved to the start, it would be new in every request
            talk.append(relayed(message))
        else:
            system.append(message)
    if contract is not None and contract.system:
        system.append(SystemMessage(content=contract.system))
    system = _merge(system)
    talk = _merge(talk) if contract is None else _with_contract(talk, contract)
    return [*system, *talk]


def relayed(message: SystemMessage) -> HumanMessage:
    """A later system message as the user passes it on: framed, since more words may follow."""
    opening, end = map(blocks_of, _RELAYED)
    return HumanMessage(simplest([*opening, *blocks_of(message.content), *end]))


def _with_contract(talk: list[BaseMessage], contract: Contract) -> list[BaseMessage]:
    """The talk with the contract's parts: examples before it, a reminder at its end."""
    if talk and isinstance(talk[0], AIMessage):
        talk = [HumanMessage(content=_CUT_HISTORY), *talk]
    # Where small models still know it.
    ending = (HumanMessage(content=text) for text in (contract.ending, contract.reminder) if text)
    talk = _merge([*talk, *ending])
    if not talk:
        return []
    examples: list[BaseMessage] = []
    for request, answered in contract.examples:
        examples += [HumanMessage(content=request), AIMessage(content=answered)]
    return [*examples, *talk]


def _with_continuation(
    messages: Messages, plain: Messages, contract: Contract
) -> list[BaseMessage]:
    """Adds the continuation after all results, not only the last: so each request begins as the one before it ended."""
    extended: list[BaseMessage] = []
    question = ""
    holds = [*(bool(results_of(message)) for message in messages), False]
    for number, (message, written) in enumerate(zip(messages, plain, strict=True)):
        extended.append(written)
        if isinstance(written, HumanMessage) and (speaks(message) or not holds[number]):
            if isinstance(message.content, str):
                question = message.content
            else:  # block by block: Anthropic writes results next to the words
                texts = [words_of([block]) for block in message.content if not result_in(block)]
                question = "\n".join(filter(None, texts))
        if holds[number] and not holds[number + 1]:
            left, done = contract.progress_at.get(number, ("", ""))
            text = contract.continuation
            if left:
                text = contract.unfinished.replace("{left}", left)
            elif done:
                text = contract.finished.replace("{done}", done)
            extended.append(HumanMessage(content=fill_in(text, question)))
    return extended


def continue_natively(messages: Messages, added: Messages) -> list[BaseMessage]:
    """A conversation as it is, continued by more messages; a user who speaks twice in a row speaks once."""
    last, first = messages[-1] if messages else None, added[0]
    if isinstance(last, HumanMessage) and isinstance(first, HumanMessage):
        return [*messages[:-1], join_two(last, first), *added[1:]]
    return [*messages, *added]


def with_correction(messages: Messages, failed: str, correction: str) -> list[BaseMessage]:
    """A projected conversation, continued by a reply that failed and by what is wrong with it."""
    # Some servers refuse an empty assistant message.
    reply = [AIMessage(content=failed)] if failed.strip() else []
    return _merge([*messages, *reply, HumanMessage(content=correction)])


def _plain(message: BaseMessage, style: Style) -> BaseMessage:
    results = results_of(message)
    if results and not isinstance(message, HumanMessage | ChatMessage):
        return _result_message(results[0], style)
    match message:
        case AIMessage():
            return _plain_ai(message, style)
        case HumanMessage():
            blocks = (block for block in blocks_of(message.content) if isinstance(block, dict))
            untyped = any("type" not in block for block in blocks)
            return _plain_human(message, style) if results or untyped else with_one_text(message)
        case ChatMessage():
            return _plain_chat(message, style)
    # A type of message this module does not know: what it says is passed on as the user's words.
    if isinstance(message, SystemMessage):
        return with_one_text(message)
    return HumanMessage(content=message.content)


def _plain_chat(message: ChatMessage, style: Style) -> BaseMessage:
    if message.role in ("tool", "function"):
        return _result_message(results_of(message)[0], style)
    fields: Any = {"content": message.content, "additional_kwargs": message.additional_kwargs}
    return _plain(_ROLES.get(message.role, HumanMessage)(**fields), style)


_ROLES: Mapping[str, type[BaseMessage]] = {
    **dict.fromkeys(("system", "developer"), SystemMessage),
    **dict.fromkeys(("assistant", "ai", "model"), AIMessage),  # "model" is Gemini's
}


def _plain_ai(message: AIMessage, style: Style) -> BaseMessage:
    """The assistant's words and calls without its thoughts, unless those next to the content are wanted."""
    calls, kwargs = calls_of(message), message.additional_kwargs
    text = words_of(message.content)
    words = without_thoughts(text)
    apart = not style.reasoning and not _THOUGHTS.isdisjoint(kwargs)
    if not calls and isinstance(message.content, str) and words == text and not apart:
        return message
    written = [words, *_calls_text(calls, style.dialect)]
    content = "\n".join(part for part in written if part) or text
    thought = reasoning_of(message) if style.reasoning else {}
    return AIMessage(content=content, name=message.name, additional_kwargs=thought)


def _calls_text(calls: Sequence[PastCall], dialect: Dialect) -> Iterator[str]:
    """The past calls of one reply, those that could run as the dialect writes several."""
    if dialect.between and (
        ran := [(call.name, call.args) for call in calls if not isinstance(call.args, str)]
    ):
        yield dialect.write_all(ran)
        calls = [call for call in calls if isinstance(call.args, str)]
    yield from (_call_text(call, dialect) for call in calls)


def _call_text(call: PastCall, dialect: Dialect) -> str:
    """A past call as the model wrote it or would have written it; of one that could not run, its own text."""
    if not isinstance(call.args, str):
        return dialect.write(call.name, call.args)
    text = own_text(call.args)
    # A text that names its tool is the whole call; else it is the arguments alone.
    named = not call.name or call.name in text[: len(call.name) + _LONGEST_ENVELOPE]
    return text if named else dialect.write_cut(call.name, text)


_LONGEST_ENVELOPE = 100


def _plain_human(message: HumanMessage, style: Style) -> BaseMessage:
    """A user's message, with results that stand in it as Anthropic writes them framed like others."""
    content: list[str | dict[str, Any]] = []
    for block in message.content:
        result = result_in(block)
        if isinstance(block, dict) and isinstance(block.get("text"), str):
            block = {"type": "text", **block}  # Bedrock's and Gemini's have none
        framed = blocks_of(_result_message(result, style).content) if result else [block]
        content += framed
    return HumanMessage(content=simplest(content))


def _result_message(result: PastResult, style: Style) -> HumanMessage:
    """A tool's result as a user's message: framed text, then what no text can hold (images, files)."""
    name = result.name or style.called.get(result.id) or "tool"
    blocks = blocks_of(result.content)
    lifted = [block for block in blocks if isinstance(block, dict) and block.get("type") != "text"]
    # Each block is a text of its own: run together, "12" and "34" would be 1234.
    texts = [block for block in blocks if isinstance(block, str) or block.get("type") == "text"]
    content = "\n".join(words_of([text]) for text in texts)
    framed = write_result(name, _cut(content, style.max_result_chars), failed=result.failed)
    return HumanMessage(content=simplest([{"type": "text", "text": framed}, *lifted]))


def _cut(text: str, limit: int | None) -> str:
    """A result's text, cut if it is longer, with a note: a model would take it for the whole."""
    if limit is None or len(text) <= limit:
        return text
    return f"{text[:limit]}\n[cut: {limit} of {len(text)} characters are shown]"


def _merge(messages: Messages) -> list[BaseMessage]:
    """Neighbours of one role as one message: strict chat templates demand that roles take turns."""
    merged: list[BaseMessage] = []
    for message in messages:
        if merged and _role(merged[-1]) is _role(message):
            merged[-1] = join_two(merged[-1], message)
        else:
            merged.append(message)
    return merged


def join_two(first: BaseMessage, second: BaseMessage) -> BaseMessage:
    """Two messages as one; where their speakers have different names, each says whose it is."""
    if first.name == second.name:
        content = simplest([*blocks_of(first.content), *blocks_of(second.content)])
        carried = (reasoning_in(message.additional_kwargs).values() for message in (first, second))
        thought = "\n\n".join(chain.from_iterable(carried))
        kept = {REASONING: thought} if thought else {}
        return _role(first)(content=content, name=first.name, additional_kwargs=kept)
    return _role(first)(content=simplest([*_signed_blocks(first), *_signed_blocks(second)]))


def _signed_blocks(message: BaseMessage) -> list[str | dict[str, Any]]:
    if not message.name:
        return blocks_of(message.content)
    if isinstance(message.content, str):
        return blocks_of(f"{message.name}: {message.content}")
    return [{"type": "text", "text": f"{message.name}:"}, *message.content]


def _role(message: BaseMessage) -> type[BaseMessage]:
    """The class of the speaker; chunks and subclasses count as their base."""
    if type(message) in _SPEAKERS:  # nearly always, and much faster
        return type(message)
    return next(role for role in _SPEAKERS if isinstance(message, role))
