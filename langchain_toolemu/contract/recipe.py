"""How a contract is written, as data: the wording, the form of the tool list, the examples, and where it all stands.

Each choice was measured on a real model against its neighbours, one at a time: docs/contract.md has the table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.examples import Example, write_examples
from langchain_toolemu.contract.signatures import write_signatures
from langchain_toolemu.tools import ToolSet

Placement: TypeAlias = Literal["system", "question"]
WriteExamples: TypeAlias = Callable[[ToolSet, Dialect, str], tuple[Example, ...]]

_RULES = """\
You can call tools. To call one, reply with only this and nothing after it:
{form}
{several} Then stop: the result comes in the next message. \
Fill in every argument that has no question mark. Never invent a result. \
When no tool is needed, answer in plain words.

Tools:
{tools}"""

CONTINUATION = (
    "Answer the user if you have enough. Call another tool only if something is still missing, "
    "and do not repeat a call whose result you have."
)
"""Said after a result. "Continue with the next action" is known to make models loop."""


ADVICE = """\
Call a function only if it does what the user asks for. For small talk, general knowledge, or anything that none of the \
functions does, answer in plain words and call nothing. Take the values from the conversation. If a value must come from \
another function's result, call that function first and wait for its result."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a contract is written.

    Attributes:
        rules: What is promised and asked, with `{form}`, `{several}` and `{tools}` to be filled in.
        render: How the tools are listed.
        examples: The turns that show how it is done, made from the tools, the dialect and what is said after a result.
        continuation: What is said after a result.
        placement: Where the rules stand: in the system message, or at the head of the last message.
        examples_as_turns: Whether examples are turns of the conversation; else they are told in the rules.
        nudge: Said at the end of the user's last message, with `{names}` for the tools' names.
        advice: Said in the system message of a native request to a model that writes its calls as text.

    Example:
        ```python
        from dataclasses import replace

        ChatToolEmu(llm=llm, contract=replace(STANDARD, continuation="Go on."))
        ```
    """

    rules: str = _RULES
    render: Callable[[ToolSet], str] = write_signatures
    examples: WriteExamples = write_examples
    continuation: str = CONTINUATION
    placement: Placement = "system"
    examples_as_turns: bool = True
    nudge: str = ""
    advice: str = ADVICE

    def __str__(self) -> str:
        return "STANDARD" if self == STANDARD else repr(self)

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells recipes apart, the same in every process: a cache's key."""
        written = (self.render.__qualname__, self.examples.__qualname__)
        return (
            self.rules,
            *written,
            self.continuation,
            self.placement,
            str(self.examples_as_turns),
            self.nudge,
            self.advice,
        )


STANDARD = Recipe()
"""What `ChatToolEmu` uses."""
