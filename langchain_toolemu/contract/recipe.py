"""How a contract is written, as data: the wording, the tool list, the examples, and where it all goes.

Each recipe is the best that was found on real models of its size; docs/contract.md has what was tried. Examples decide most on
the smallest models, where made-up turns double the right calls. They harm larger ones, which answer in the examples' manner.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.contract.dialects import JSON, MARKDOWN, Dialect
from langchain_toolemu.contract.examples import Example, write_examples, write_three
from langchain_toolemu.contract.signatures import write_signatures
from langchain_toolemu.tools import ToolSet

Placement: TypeAlias = Literal["system", "question"]
WriteExamples: TypeAlias = Callable[[ToolSet, Dialect, str], tuple[Example, ...]]
AfterRescues: TypeAlias = Literal["native", "advised", "text"]

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

ADVICE = """\
Call a function only if it does what the user asks for. For small talk, general knowledge, or anything that none of the \
functions does, answer in plain words and call nothing. Take the values from the conversation. If a value must come from \
another function's result, call that function first and wait for its result."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a contract is written.

    Attributes:
        rules: What is promised and asked, with `{form}`, `{several}`, `{answer}` and `{tools}` to be filled in.
        render: How the tools are listed.
        examples: The turns that show how it is done, made from the tools, the dialect and what is said after a result.
        continuation: What is said after a result.
        placement: Where the rules go: in the system message, or at the head of the last message.
        examples_as_turns: Whether examples are turns of the conversation; else they are told in the rules.
        name: What the metadata call it.
        dialect: How calls are written, where the user did not choose a dialect.
        shows_examples: Whether examples are shown, where the user did not say.
        quotes: Whether the smallest models' grammar is used, where the user did not say and the server can decode under one.
        after_rescues: How a model is asked that is known to write its calls as text, though its server claims tools:
            natively, natively with advice on when to call, or in text.
        advice: That advice.

    Example:
        ```python
        from dataclasses import replace

        ChatToolEmu(llm=llm, contract=replace(CAPABLE, continuation="Go on."))
        ```
    """

    rules: str = _SAID
    render: Callable[[ToolSet], str] = write_signatures
    examples: WriteExamples = write_three
    continuation: str = CONTINUATION_WITH_QUESTION
    placement: Placement = "system"
    examples_as_turns: bool = False
    name: str = "custom"
    dialect: Dialect = MARKDOWN
    shows_examples: bool = True
    quotes: bool = False
    after_rescues: AfterRescues = "text"
    advice: str = ADVICE

    def __str__(self) -> str:
        return repr(self) if self.name == "custom" else self.name

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells recipes apart, the same in every process: a cache's key."""
        return (
            self.rules,
            self.render.__qualname__,
            self.examples.__qualname__,
            self.continuation,
            self.placement,
            str(self.examples_as_turns),
            repr(self.dialect),
            str((self.shows_examples, self.quotes, self.after_rescues)),
            self.advice,
        )


CAPABLE = Recipe(name="capable")
"""For models of a billion parameters and more, and for all whose size is not known."""

SMALL = Recipe(
    name="small",
    examples_as_turns=True,
    continuation=CONTINUATION,
    dialect=JSON,
    after_rescues="native",
)
"""For models below a billion parameters."""

SMALLEST = Recipe(
    name="smallest",
    rules=_BRIEF,
    examples=write_examples,
    continuation=CONTINUATION,
    examples_as_turns=True,
    dialect=JSON,
    quotes=True,
)
"""For models below 300 million parameters."""

STANDARD = CAPABLE
"""What `ChatToolEmu` uses where nothing is known of a model."""

_BORDERS = ((0.3, SMALLEST), (1.0, SMALL))
"""In billions of parameters: below each, its recipe."""


def recipe_for(billions: float | None) -> Recipe:
    """The recipe for a model of this size.

    Example:
        ```python
        recipe_for(0.135).name  # "smallest"
        ```
    """
    if billions is None:
        return CAPABLE
    return next((recipe for border, recipe in _BORDERS if billions < border), CAPABLE)
