"""Parts one after the other: protocols that end a call before the next thing begins cannot have two open.

A call that is still being written holds back whatever comes after it, until its arguments are whole or the turn ends.
"""

from langchain_toolemu.serve.answer import Call, CallBegun, CallPiece, Part


class Sequence:
    """Puts the parts of an answer in sequence."""

    def __init__(self) -> None:
        self._open: Call | None = None
        self._number = -1
        self._held: list[Part] = []

    def feed(self, part: Part) -> list[Part]:
        """The parts that can be shown now."""
        if self._goes_on(part):
            return self._pass(part)
        if self._waits():
            self._held.append(part)
            return []
        return [*self._released(), *self._pass(part)]

    def _waits(self) -> bool:
        """Whether a call is open that has not all of its arguments yet."""
        return self._open is not None and not (self._open.arguments and self._open.complete)

    def end(self) -> list[Part]:
        """What was held back."""
        self._open = None
        return self._released()

    def _goes_on(self, part: Part) -> bool:
        """Whether a part belongs to the call that is open."""
        return isinstance(part, CallPiece) and part.number == self._number

    def _released(self) -> list[Part]:
        """What was held, with the pieces of each call together."""
        held, self._held = self._held, []
        own = [part for part in held if not isinstance(part, CallPiece)]
        pieces = [part for part in held if isinstance(part, CallPiece)]
        shown: list[Part] = []
        for begun in own:
            shown.append(begun)
            if isinstance(begun, CallBegun):
                shown += [piece for piece in pieces if piece.number == begun.number]
        for part in shown:
            self._pass(part)
        return shown

    def _pass(self, part: Part) -> list[Part]:
        match part:
            case CallBegun():
                self._open, self._number = Call(part.id, part.name), part.number
            case CallPiece():
                if self._open is not None:
                    self._open.add(part.text)
            case _:
                self._open, self._number = None, -1
        return [part]
