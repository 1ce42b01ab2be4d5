"""The contracts that one chat model wrote last: an agent binds the same tools again at every step."""

import marshal
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.examples import Example
from langchain_toolemu.contract.recipe import STANDARD, Recipe
from langchain_toolemu.contract.rules import Contract, write_contract
from langchain_toolemu.contract.shortened_tools import WHOLE, Shortening
from langchain_toolemu.tools import ToolChoice, ToolSet, ToolSpec

_MOST = 32
_MARSHAL_VERSION = (
    2  # of equal values it makes equal bytes: later versions tell apart what is shared
)


class ContractCache:
    """Writes contracts, and remembers a few of them. Safe to share between threads.

    Example:
        ```python
        contracts = ContractCache()
        contracts.write(tools, AUTO, JSON)
        ```
    """

    def __init__(self) -> None:
        self._written: OrderedDict[object, Contract] = OrderedDict()
        self._lock = Lock()

    def __reduce__(self) -> tuple[Callable[[], "ContractCache"], tuple[()]]:
        return ContractCache, ()  # a copy begins anew: a lock cannot be copied

    def write(
        self,
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
        """The contract, as `write_contract` writes it."""
        described = _described(tools.specs)
        key = (described, choice, dialect, parallel, examples, recipe, answer, shortening)
        with self._lock:
            if described and (found := self._written.get(key)):
                self._written.move_to_end(key)
                return found
        contract = write_contract(
            tools,
            choice,
            dialect,
            parallel=parallel,
            examples=examples,
            recipe=recipe,
            answer=answer,
            shortening=shortening,
        )
        if described is None:
            return contract
        with self._lock:
            self._written[key] = contract
            while len(self._written) > _MOST:
                self._written.popitem(last=False)
        return contract


def _described(tools: Sequence[ToolSpec]) -> bytes | None:
    """All that a contract says of tools, as a key; `None` if a schema holds more than JSON."""
    try:
        return marshal.dumps(
            [(tool.name, tool.description, tool.parameters) for tool in tools], _MARSHAL_VERSION
        )
    except ValueError:
        return None
