"""Why a call cannot be read, in words for the model and the user: those that several rooms say."""

COMPUTED = "its arguments are no plain values"
CUT = "the reply ends inside it"
INCOMPLETE = "it ends before every required argument is there"
TWO_QUOTINGS = "its quotes can be read in two ways"
TWO_BRACKETINGS = "a bracket is missing, and it can be read in two ways"


def given_twice(name: str) -> str:
    """A name with two values, of which one would be lost."""
    return f"{name!r} is given twice"
