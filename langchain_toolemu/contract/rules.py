"""The contract: what the model is promised and asked, by a template.

Each template is the best that was found on real models of its size (docs/internals/contract.md):
made-up turns double the right calls of the smallest models and harm larger ones. Rules and tool list depend on the bound tools alone, so that servers'
prompt caches work; the tool choice is said in the reminder at the end.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_toolemu.contract.dialects import JSON, MARKDOWN, Dialect
from langchain_toolemu.contract.examples import Example, write_examples, write_four, write_three
from langchain_toolemu.contract.shortlist import FEW_TOOLS, SOME_TOOLS, ToolLimit
from langchain_toolemu.contract.tool_list import WHOLE, Shortening, write_signatures, write_tools
from langchain_toolemu.options import SMALL_BELOW, SMALLEST_BELOW
from langchain_toolemu.tools import ToolChoice, ToolSet
from langchain_toolemu.tools.specs import RecentlyUsed

WriteExamples: TypeAlias = Callable[[ToolSet, Dialect, str], tuple[Example, ...]]

_BRIEF = """\
You can call tools. To call one, reply with only this and nothing after it:
{form}
{several} Then stop: the result comes in the next message. \
Fill in every argument that has no question mark. Never invent a result. \
When no tool is needed, {answer}.

Tools:
{tools}"""

_SAID = """\
You can call tools. To call one, reply with only this and nothing else:
{form}
{several} Then stop: the result comes in the next message.

Call a tool only if its description says that it does what the user's last message asks for; then call it even if you \
think you know the answer. In all other cases, such as small talk, general knowledge, or a task that no tool does, {answer}. \
Take the values from the conversation, written as the tool's description asks for, and leave out arguments with a \
question mark that the user did not mention. If a value depends on a result that you do not have yet, make the first \
call only and wait for its result. Never invent a result.

Tools:
{tools}"""

_DECISION = """\
Decide whether a tool must be called to answer the user. Do not answer. If one must be called, reply with only this:
{form}
{several} If what you were told already is enough, reply with only this:
{none}

Tools:
{tools}"""

CONTINUATION = (
    "Answer the user if you have enough. Call another tool only if something is still missing, "
    "and do not repeat a call whose result you have."
)
"""Said after a result. "Continue with the next action" is known to make models loop."""

CONTINUATION_WITH_QUESTION = (
    "{question}\n(Above are the results so far. Make the next call only if a step of this is still missing. "
    "If all is done, answer in plain words.)"
)
"""Said to capable models, which forget a task's last step otherwise. A model of half a billion parameters gains nothing by it."""


UNFINISHED = (
    "{question}\n(Above are the results so far. Not done yet: {left}. Make the next call now.)"
)
"""Said to small models while the act was not done that they began with: they tell the result and stop."""

FINISHED = (
    "{question}\n(Above are the results so far. {done} is done. Tell the user so in plain words now, "
    "unless the user named a further step.)"
)
"""Said to small models after an act: told no more than the results, they go on with other acts."""


@dataclass(frozen=True, slots=True)
class Template:
    """How a contract is written for models of one size; a user changes parts of it by a `Recipe`.

    Attributes:
        rules: What is promised and asked, with `{form}`, `{several}`, `{answer}` and `{tools}`.
        several: How several calls are asked for, where they may be made.
        render: How the tools are listed.
        examples: Writes the examples, from the tools, the dialect and what is said after a result.
        continuation: What is said after a result.
        unfinished: Said to small models instead while `{left}` is not done, with which they began.
        finished: Said to them instead after `{done}`.
        examples_as_turns: Whether examples are turns of the conversation, else told in the rules.
        name: What the metadata call it.
        dialect: How calls are written.
        shows_examples: Whether examples are shown.
        quotes: Whether values are quoted under a grammar, where the server can decode under one.
        decision: The rules of a request that only decides on a call.
        tools_shown: Above how many tools not all are described, and how many with a message then.
    """

    rules: str = _SAID
    several: str = (
        "If several things that do not depend on each other are asked for, make one call for each, one below the other. "
        "If one needs the result of another, make only the first call."
    )
    render: Callable[[ToolSet], str] = write_signatures
    examples: WriteExamples = write_four
    continuation: str = CONTINUATION_WITH_QUESTION
    unfinished: str = UNFINISHED
    finished: str = FINISHED
    examples_as_turns: bool = False
    name: str = ""
    dialect: Dialect = MARKDOWN
    shows_examples: bool = True
    quotes: bool = False
    decision: str = _DECISION
    tools_shown: ToolLimit | None = SOME_TOOLS


CAPABLE = Template(name="capable")
"""For models of a billion parameters and more, and for those whose size is not known until they fail by it."""

_BRIEFLY = "For several calls, write one below the other."

SMALL = Template(
    name="small",
    several=_BRIEFLY,
    examples=write_three,
    examples_as_turns=True,
    continuation=CONTINUATION,
    dialect=JSON,
    tools_shown=FEW_TOOLS,
)
"""For models below a billion parameters."""

SMALLEST = Template(
    name="smallest",
    several=_BRIEFLY,
    rules=_BRIEF,
    examples=write_examples,
    continuation=CONTINUATION,
    unfinished=CONTINUATION,
    finished=CONTINUATION,
    examples_as_turns=True,
    dialect=JSON,
    quotes=True,
    tools_shown=FEW_TOOLS,
)
"""For models below 300 million parameters."""

STANDARD = CAPABLE
"""What `ChatToolEmu` uses where nothing is known of a model."""

_BORDERS = ((SMALLEST_BELOW, SMALLEST), (SMALL_BELOW, SMALL))  # below each, its template


def template_for(billions: float | None) -> Template:
    """The template for a model of this size; if that is not known, the one for capable models."""
    if billions is None:
        return CAPABLE
    return next((template for border, template in _BORDERS if billions < border), CAPABLE)


CONTRACT_VERSION = 2
"""Part of the cache key: a reply to an older wording is not a reply to this one."""

NO_TOOL = "none"  # what a decision calls when there is nothing to call

_FORM = """\
Answer with one JSON object and nothing else. Its keys are the arguments listed here, its values what you know of them:
{form}"""

_TOLD = (
    "Examples of how to reply. They are not part of the conversation, and their values are made up:"
)
_ONE_ONLY = "Make one call at a time."


@dataclass(frozen=True, slots=True)
class Contract:
    """What is added to a conversation to ask for calls in text."""

    system: str = ""
    examples: tuple[Example, ...] = ()
    reminder: str = ""  # at the end of the last message: what must come now
    continuation: str = ""  # after each result: what may follow
    unfinished: str = ""  # instead, while an act is left that the model began with
    finished: str = ""  # instead, after an act
    # By the places of the results: the act that is left, and those that are done.
    progress_at: Mapping[int, tuple[str, str]] = field(default_factory=dict, hash=False)
    ending: str = ""  # below the last message: descriptions that were demanded in this turn
    shows_examples: bool = False  # as turns, or told in the rules
    descriptions: tuple[tuple[int, str], ...] = ()  # tools, before the message of this number
    described_tools: tuple[str, ...] | None = None  # that have more than a name; `None`: all


def write_contract(
    tools: ToolSet,
    choice: ToolChoice,
    dialect: Dialect,
    *,
    parallel: bool = True,
    examples: bool | tuple[Example, ...] = True,
    template: Template = STANDARD,
    answer: str | None = None,
    shortening: Shortening = WHOLE,
) -> Contract:
    """The contract for these tools and this choice, without what is left out to make it fit a window.

    Where a call of one of the tools is the final answer, `answer` is its name; else answers are in plain words.
    """
    shown = (examples or ()) if shortening.examples else ()
    if shown is True:
        loaded = ToolSet([tool for tool in tools if not tool.is_deferred]) or tools
        # Where one call is allowed, none of the examples makes two.
        write = (
            write_three if template.examples is write_four and not parallel else template.examples
        )
        shown = write(loaded, dialect, template.continuation)
    rules = template.rules.format(
        form=dialect.form(),
        several=template.several if parallel else _ONE_ONLY,
        answer=f"give your answer by calling {answer}" if answer else "answer in plain words",
        tools=write_tools(tools, template.render, shortening),
    )
    written = ""
    if shown and not template.examples_as_turns:
        # As part of the rules, nothing of them can be taken for what the user said.
        turns = (f"User: {request}\nAssistant: {answered}" for request, answered in shown)
        written = "\n\n" + "\n".join([_TOLD, *turns])
    return Contract(
        system=f"{rules}{written}",
        examples=() if written else shown,
        reminder=_reminder(choice, answer),
        continuation=template.continuation,
        shows_examples=bool(shown),
    )


def write_decision(
    tools: ToolSet,
    dialect: Dialect,
    *,
    parallel: bool = True,
    template: Template = STANDARD,
    shortening: Shortening = WHOLE,
) -> Contract:
    """The contract of a request that only decides whether a tool is called: no prose is asked for."""
    return Contract(
        # At the end, after the history, the same words made a model of 1.5 billion parameters call on all small talk.
        system=template.decision.format(
            form=dialect.form(),
            several=template.several if parallel else _ONE_ONLY,
            none=dialect.write(NO_TOOL, {}),
            tools=write_tools(tools, template.render, shortening),
        ),
        reminder="(Decide now: a call, or none.)",
    )


def write_form(form: ToolSet, *, template: Template = STANDARD) -> Contract:
    """The contract of an answer that the server holds to its form: there is no call to be written around it."""
    return Contract(system=_FORM.format(form=template.render(form)))


def write_rounds_over(rounds: int) -> Contract:
    """The contract of a request that ends a long row of calls: no tools, and the answer is asked for."""
    return Contract(
        reminder=f"(You have called tools in {rounds} rounds, and no more calls can be made. "
        "Answer the user now in plain words, from the results above; say what is missing.)",
    )


def write_closing(*, has_results: bool) -> Contract:
    """The contract of a request that ends a run which leads nowhere."""
    reminder = (
        "(No more calls are needed: their results are above. Answer the user now in plain words, from the results.)"
        if has_results
        else "(Nothing can be called with what is known so far. Tell the user in plain words what is missing.)"
    )
    return Contract(reminder=reminder)


def _reminder(choice: ToolChoice, answer: str | None = None) -> str:
    match choice.kind:
        case "any" if answer:
            return f"(Reply with one call and nothing else: of a tool, or of {answer} for the final answer.)"
        case "named":
            return f"(Reply with a call of {choice.name} and nothing else.)"
        case "any":
            return "(Reply with a call of one of the tools and nothing else.)"
    return ""


class ContractCache(RecentlyUsed[Contract]):
    """Writes contracts, and remembers a few: an agent binds the same tools at every step. Threads may share it."""

    tokens = 0  # about so many in the contract that was sent last

    def write(
        self, tools: ToolSet, choice: ToolChoice, dialect: Dialect, **options: Any
    ) -> Contract:
        """The contract, as `write_contract` writes it."""
        if tools.content is None:
            return write_contract(tools, choice, dialect, **options)
        settings = {**(write_contract.__kwdefaults__ or {}), **options}
        key = (tools.content, choice, dialect, *sorted(settings.items()))
        return self.find_or_make(key, lambda: write_contract(tools, choice, dialect, **options))
