"""What the report says of the calls of a turn that were doubted, and whether they were made."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_toolemu.reader.events import Call
from langchain_toolemu.tools.redaction import redacted
from langchain_toolemu.turn.reading import Reading

_LONGEST = 80  # characters of a value that is shown
_MOST = 20  # entries


class DoubtedCalls:
    """Collects the doubted calls of a turn's replies, each once."""

    def __init__(self) -> None:
        self._found: list[tuple[str | None, Mapping[str, Any], str]] = []

    def note(self, reading: Reading) -> None:
        """Take in what the policy, or the words around a call, said against the calls of one reply."""
        reviewed = ((one.call.name, one.call.args, str(one.review)) for one in reading.reviewed)
        possible = ((one.name, one.args, f"unclear: {one.detail}") for one in reading.possible)
        declined = ((one.name, one.args, f"declined: {one.detail}") for one in reading.declined)
        for name, args, reason in (*reviewed, *possible, *declined):
            known = any((name, args) == (past, given) for past, given, _ in self._found)
            if not known and len(self._found) < _MOST:
                self._found.append((name, args, reason))

    def entries(self, made: Sequence[Call]) -> list[dict[str, Any]]:
        """The entries of the report, given the calls that the turn made."""
        return [
            {
                "name": name,
                "args": _shortened(redacted(dict(args))),
                "reason": reason,
                "made": any((call.name, call.args) == (name, args) for call in made),
            }
            for name, args, reason in self._found
        ]


def _shortened(value: Any) -> Any:
    """A value with its long texts cut."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}..."
    if isinstance(value, Mapping):
        return {key: _shortened(inner) for key, inner in value.items()}
    return [_shortened(inner) for inner in value] if isinstance(value, list) else value
