"""What we promise the model and ask of it: the rules, the tool list, the examples, the closing reminder.

The rules and the tool list depend on the bound tools alone, so that the prefix of a conversation stays
the same from turn to turn and servers' prompt caches work. What changes from turn to turn, the tool
choice, is said in the reminder at the end of the last message.
"""

from dataclasses import dataclass
from typing import TypedDict

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.examples import Example
from langchain_toolemu.contract.recipe import STANDARD, Recipe
from langchain_toolemu.contract.shortened_tools import WHOLE, Shortening
from langchain_toolemu.tools import ToolChoice, ToolSet

CONTRACT_VERSION = 2
"""Part of the cache key: a reply to an older wording is not a reply to this one."""

NO_TOOL = "none"
"""What a decision calls when there is nothing to call."""

_DECISION = """\
Decide whether a tool must be called to answer the user. Do not answer. If one must be called, reply with only this:
{form}
{several} If what you were told already is enough, reply with only this:
{none}

Tools:
{tools}"""

_FORM = """\
Answer with one JSON object and nothing else. Its keys are the arguments listed here, its values what you know of them:
{form}"""

_TOLD = (
    "Examples of how to reply. They are not part of the conversation, and their values are made up:"
)
_SEVERAL = "For several calls, write one below the other."
_ONE_ONLY = "Make one call at a time."


@dataclass(frozen=True, slots=True)
class Contract:
    """What is added to a conversation to ask for calls in text.

    Attributes:
        system: The rules and the tool list.
        examples: Turns that show how it is done.
        heading: Said at the head of the last message, where a recipe has the rules there.
        reminder: Said at the end of the last message: what must come now.
        continuation: Said after each result: what may follow.
        shows_examples: Whether there are examples, as turns or told in the rules.
    """

    system: str
    examples: tuple[Example, ...]
    reminder: str
    continuation: str = ""
    heading: str = ""
    shows_examples: bool = False


class ContractOptions(TypedDict, total=False):
    """What `write_contract` can be told besides the tools, the choice and the dialect."""

    parallel: bool
    examples: bool | tuple[Example, ...]
    recipe: Recipe
    answer: str | None
    shortening: Shortening


def write_contract(
    tools: ToolSet,
    choice: ToolChoice,
    dialect: Dialect,
    *,
    parallel: bool = True,
    examples: bool | tuple[Example, ...] = True,
    recipe: Recipe = STANDARD,
    answer: str | None = None,
    shortening: Shortening = WHOLE,
) -> Contract:
    """The contract for these tools and this choice, without what is left out to make it fit a window.

    Where a call of one of the tools is the final answer, `answer` is its name; else answers are in plain words.
    """
    shown = (examples or ()) if shortening.examples else ()
    if shown is True:
        shown = recipe.examples(tools, dialect, recipe.continuation)
    rules = recipe.rules.format(
        form=dialect.form(),
        several=_SEVERAL if parallel else _ONE_ONLY,
        answer=f"give your answer by calling {answer}" if answer else "answer in plain words",
        tools=recipe.render(shortening.of(tools)),
    )
    told = "" if recipe.examples_as_turns else _told(shown)
    return Contract(
        system=f"{rules}{told}" if recipe.placement == "system" else "",
        heading=f"{rules}{told}" if recipe.placement == "question" else "",
        examples=() if told else shown,
        reminder=_reminder(choice, answer),
        continuation=recipe.continuation,
        shows_examples=bool(shown),
    )


def _told(examples: tuple[Example, ...]) -> str:
    """The examples as part of the rules: nothing of them can be taken for what the user said."""
    turns = (f"User: {asked}\nAssistant: {answered}" for asked, answered in examples)
    return "\n\n" + "\n".join([_TOLD, *turns]) if examples else ""


def write_decision(
    tools: ToolSet,
    choice: ToolChoice,
    dialect: Dialect,
    *,
    parallel: bool = True,
    recipe: Recipe = STANDARD,
) -> Contract:
    """The contract of a request that only decides whether a tool is called: no prose is asked for."""
    return Contract(
        system=_DECISION.format(
            form=dialect.form(),
            several=_SEVERAL if parallel else _ONE_ONLY,
            none=dialect.write(NO_TOOL, {}),
            tools=recipe.render(tools),
        ),
        examples=(),
        reminder=_reminder(choice) or "(Decide now: a call, or none.)",
    )


def write_form(form: ToolSet, *, recipe: Recipe = STANDARD) -> Contract:
    """The contract of an answer that the server holds to its form: there is no call to be written around it."""
    return Contract(system=_FORM.format(form=recipe.render(form)), examples=(), reminder="")


def write_closing(rounds: int) -> Contract:
    """The contract of a request that ends a long row of calls: no tools, and the answer is asked for."""
    return Contract(
        system="",
        examples=(),
        reminder=f"(You have called tools in {rounds} rounds, and no more calls can be made. "
        "Answer the user now in plain words, from the results above; say what is missing.)",
    )


def _reminder(choice: ToolChoice, answer: str | None = None) -> str:
    match choice.kind:
        case "any" if answer:
            return f"(Reply with one call and nothing else: of a tool, or of {answer} for the final answer.)"
        case "named":
            return f"(Reply with a call of {choice.name} and nothing else.)"
        case "any":
            return "(Reply with a call of one of the tools and nothing else.)"
    return ""
