"""A call that is shown while it is still being written: its arguments as JSON, in pieces that add up.

The rule here: every piece ends between two characters of a string, so that the pieces of a call that
never ends can be told from those of a whole one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_toolemu.reader.events import BadCall, Call, CallStarted


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a call's arguments.

    Attributes:
        name: The tool's name.
        args: The piece of JSON.
        opens: Whether it is the first.
        ends: With the last piece, what the call became.
    """

    name: str
    args: str
    opens: bool = False
    ends: Call | BadCall | None = None


def joined(deltas: Sequence[Delta]) -> list[Delta]:
    """Neighbouring pieces of one call as one."""
    if not deltas:
        return []
    args = "".join(delta.args for delta in deltas)
    return [replace(deltas[0], args=args, ends=deltas[-1].ends)]


def write_json(value: Any) -> str:
    """Arguments, or an answer in its form, as the JSON that a message carries."""
    return json.dumps(value, ensure_ascii=False)


class PartialCall:
    """Writes the arguments of one call from its beginning on.

    Args:
        begun: The beginning, as it was read.
        args: The arguments before the one that is being written, as they are after validation.
    """

    def __init__(self, begun: CallStarted, args: Mapping[str, Any]) -> None:
        self._name = begun.name
        self._shown = [write_json({**args, begun.key: ""}).removesuffix('"}')]

    def opening(self) -> Delta:
        """Everything up to the string that is being written."""
        return Delta(self._name, self._shown[0], opens=True)

    def more(self, text: str) -> Delta:
        """A further piece of the string."""
        self._shown.append(json.dumps(text, ensure_ascii=False)[1:-1])
        return Delta(self._name, self._shown[-1])

    def end(self, became: Call | BadCall) -> Delta:
        """What is left of the call. One that cannot be run, or went on otherwise than it began, is left unended."""
        shown = "".join(self._shown)
        if isinstance(became, Call) and became.name == self._name:
            whole = write_json(became.args)
            if whole.startswith(shown):
                return Delta(self._name, whole[len(shown) :], ends=became)
        return Delta(self._name, "", ends=_bad(became))


def _bad(became: Call | BadCall) -> BadCall:
    if isinstance(became, BadCall):
        return became
    detail = "it went on otherwise than it began"
    return BadCall(became.name, became.raw, became.envelope, became.explicit, "unreadable", detail)
