"""`NotCopied`: a value of the contract's own examples is not the model's."""

from dataclasses import dataclass

from langchain_toolemu.contract.examples import copied_values
from langchain_toolemu.policy.review import ACCEPT, LONG_TEXT, CallContext, Review
from langchain_toolemu.reader.events import Call


@dataclass(frozen=True, slots=True)
class NotCopied:
    """Refuses a call with a value of our own examples that nobody said, or in which a made-up word of theirs is."""

    def review(self, call: Call, context: CallContext) -> Review:
        """Final: such a value is never what the user means."""
        if not context.shows_examples:
            return ACCEPT
        talk = context.conversation
        # A number may have been said as 4,173 or in words.
        said = (*talk.said, talk.index.numbers_written)
        short = {name: value for name, value in call.args.items() if not _is_long(value)}
        copied = next(iter(copied_values(short, said)), None)
        if copied is None:
            return ACCEPT
        argument, value = copied
        return Review.ask(
            f"{value} for {argument} is from the examples",
            final=True,
            code="copied_value",
        )


def _is_long(value: object) -> bool:
    return isinstance(value, str) and len(value) >= LONG_TEXT
