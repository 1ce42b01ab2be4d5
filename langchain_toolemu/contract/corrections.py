"""What a model is told when its reply failed: the texts of re-asks, and nothing that decides on one.

Without a dialect the model is asked natively.
"""

from collections.abc import Sequence

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.reader.events import Call

STRICTER = " Write nothing else: no explanation, no other words."
"""Added to every correction after the first."""

# Without the form: a model that ran on in a value knows it, and a small one would copy it.
CUT_CALL = "Your call was cut off before its end. Write it again, with shorter values."
IMITATED_CALL = "No tools can be called now. Answer the user in plain words, from what is above."
EMPTY_ANSWER = "Your reply was empty. Answer the user in plain words."  # where no tool is offered

TEXT = "TEXT"
"""What a model answers whose call was only a part of a text."""

_MOST_NAMES = 30


def unknown_tool(name: str | None, tools: Sequence[str], dialect: Dialect | None) -> str:
    """A call of a tool that is not bound."""
    return (
        f"{name!r} cannot be called, only these tools can: {list_names(tools)}. "
        f"If one of them does what the user asked for, call it {_form(dialect)}\n"
        "If none does, answer the user's question yourself in plain words, without a word about tools."
    )


def unreadable_call(detail: str, dialect: Dialect | None) -> str:
    """A call that cannot be read."""
    return f"Your call could not be read: {detail}. Write it again {_form(dialect)}"


def unclear_call(name: str | None, dialect: Dialect | None) -> str:
    """A call of which the words around it leave open whether it is meant: the model must be free to say no."""
    return _question(
        f"The reply holds a call of {name}, and it is not clear whether it is to be made now.",
        f"If it is, reply with the call and nothing else, {_form(dialect)}\nIf it is only spoken of, say so in plain words.",
    )


def bad_arguments(call: Call, dialect: Dialect | None, takes: str = "") -> str:
    """A call whose arguments do not fit; two cities for one are two calls. `takes`: what the model was not told before."""
    listed = [key for key, value in call.args.items() if isinstance(value, list) and len(value) > 1]
    several = [key for key in listed if f"\n{key}: expected " in "\n".join(["", *call.errors])]
    each = f" {several[0]} takes one value: make one call for each." if several else ""
    description = f"This is the tool:\n{takes}\n" if takes else ""
    return (
        f"Your call of {call.name} does not fit: {'; '.join(call.errors)}.{each} {description}"
        f"Write it again with the arguments corrected, {_form(dialect)}"
    )


def placeholder(name: str, argument: str, value: str) -> str:
    """A call with a placeholder in the place of a value."""
    return _question(
        f"In the call of {name}, {value!r} for {argument} stands in the place of a value.",
        "Call again with the value itself. If it is not known yet, call the tool that tells it first, or ask for it.",
    )


def repeated_call(name: str) -> str:
    """A call whose result is the last thing that the model was told."""
    return _question(
        f"{name} was just called with these arguments, and its result is above.",
        "Answer from it in plain words, or call with other arguments if something is still missing.",
    )


def repeated_act(name: str) -> str:
    """An act that was done already since the user spoke."""
    return _question(
        f"{name} was already done with these arguments: its result is above, and it is not done twice.",
        "If something else that the user asked for is still missing, call the tool for that. If all is done, answer in plain words.",
    )


def quoted_call(name: str) -> str:
    """A call that a text holds; a model that only quoted it must find it easy to say so."""
    return _question(
        f"Is {name} to be run now, or was it only text?",
        f"Answer with one of these two and nothing else: that call, or the word {TEXT}.",
    )


def listed_calls(names: Sequence[str]) -> str:
    """Calls of several tools, each under its tool's name."""
    return _question(
        f"Are {' and '.join(names[:_MOST_NAMES])} to be run now, or were they only examples?",
        f"Answer with one of these two and nothing else: those calls, or the word {TEXT}.",
    )


def _question(doubt: str, advice: str) -> str:
    """A question about a call: not the user's, it confirms nothing, and does no harm if a model repeats it."""
    return f"(An automatic check, not the user's words; it confirms nothing.) {doubt} {advice}"


def wrong_tool(called: str, wanted: str, dialect: Dialect | None) -> str:
    """A call of another tool than the one that was demanded."""
    return f"You called {called}. Call {wanted} instead, {_form(dialect)}"


def missing_call(wanted: str, dialect: Dialect | None) -> str:
    """A demanded call that did not come."""
    return f"Your reply held no call, and one is required. Call {wanted} now, {_form(dialect)}"


def refusal(tools: Sequence[str], dialect: Dialect | None) -> str:
    """A reply that denies that there are tools."""
    return (
        f"You do have tools: {list_names(tools)}. A call is run for you and its result comes in the next "
        f"message. If one of them helps, call it now, {_form(dialect)}\nOtherwise answer in plain words."
    )


def empty_reply(dialect: Dialect | None) -> str:
    """An empty reply where tools are offered."""
    return f"Your reply was empty. Answer in plain words, or call a tool {_form(dialect)}"


def announced_call(dialect: Dialect | None) -> str:
    """A reply that ends by saying that a call will be made now."""
    return f"You said what you will do, and did not do it. If a tool is needed, call it now, {_form(dialect)}"


def list_names(tools: Sequence[str]) -> str:
    """The names of the tools, or of some where there are many: the contract lists all."""
    more = len(tools) - _MOST_NAMES
    named = ", ".join(tools[:_MOST_NAMES])
    return f"{named} and {more} others that were listed" if more > 0 else named


def _form(dialect: Dialect | None) -> str:
    form = "in this form, with nothing after it:\n"
    return f"{form}{dialect.form()}" if dialect else "as a tool call."
