"""What a reply amounted to, in the terms that the policies judge by."""

from langchain_toolemu.messages.metadata import Ledger
from langchain_toolemu.messages.parts import Words
from langchain_toolemu.reader.events import BadCall, Call, PossibleCall
from langchain_toolemu.turn.appraisal import Appraisal
from langchain_toolemu.turn.native_policy import NativeOutcome
from langchain_toolemu.turn.order import Bill, Knowledge, Order
from langchain_toolemu.turn.policy import Outcome, Terms
from langchain_toolemu.turn.reply import Reply


def rescued_calls(reply: Reply, knowledge: Knowledge) -> list[Call]:
    """The calls of a native reply that are written as text and count.

    A bare call counts only where it is the whole reply of a model not known to call natively: in the documentation
    a capable model writes, it is an example.
    """
    bare_counts = knowledge.verdict != "native" and reply.only_calls
    return [call for call in reply.calls if call.explicit or bare_counts]


def native_outcome(
    reply: Reply, ledger: Ledger, order: Order, knowledge: Knowledge, *, rescuable: bool
) -> NativeOutcome:
    """What a native reply without a native call was like."""
    return NativeOutcome(
        rescuable=rescuable,
        broken=bool(reply.bad_calls) or ledger.claims_call,
        demanded=order.choice.forced,
        declined=ledger.declined,
        refused=reply.refused,
        empty=not reply.raw.strip(),
        bill=_bill(ledger, order, knowledge),
        trusted=knowledge.verdict == "native",
        wants_check=knowledge.wants_check,
    )


def _bill(ledger: Ledger, order: Order, knowledge: Knowledge) -> Bill:
    usage = ledger.usage
    if usage is None:
        return "unclear"
    cached = usage.get("input_token_details", {}).get("cache_read", 0)
    return knowledge.judge_bill(usage["input_tokens"], order.messages, order.tools, cached=cached)


def emulated_outcome(reply: Reply, asked: Appraisal, *, spoke: bool) -> Outcome:
    """What an emulated reply was like; `spoke` is whether the turn has shown any words."""
    return Outcome(
        calls=[*asked.before, *reply.calls],
        doubtful=reply.doubtful,
        unwanted=reply.unwanted,
        bad_calls=[*reply.bad_calls, *map(_unread, reply.quoted)],
        repeats=any(asked.repeats(call) for call in reply.doubtful),
        refused=reply.refused,
        empty=not reply.raw.strip() or only_unwanted(reply, spoke=spoke),
    )


def _unread(call: PossibleCall) -> BadCall:
    """A call that may only be quoted, as one that must be asked about."""
    return BadCall(call.name, call.raw, call.envelope, False, "unreadable", call.detail)


def only_unwanted(reply: Reply, *, spoke: bool) -> bool:
    """Whether the reply is nothing but calls that nobody asked for, so that it says nothing."""
    words = any(isinstance(part, Words) for part in reply.held)
    return bool(reply.unwanted) and not (spoke or words)


def terms_of(asked: Appraisal) -> Terms:
    """What an emulated request asked of the model."""
    offered = asked.phase != "answer"
    tools = asked.prompts.tools if offered else asked.prompts.imitable
    settings = asked.settings
    return Terms(tools, asked.order.choice, settings.dialect, settings.max_reasks, offered)
