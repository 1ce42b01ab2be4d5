"""The contracts that one chat model wrote last: an agent binds the same tools again at every step."""

import marshal
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

from typing_extensions import Unpack

from langchain_toolemu.contract.dialects import Dialect
from langchain_toolemu.contract.rules import Contract, ContractOptions, write_contract
from langchain_toolemu.tools import ToolChoice, ToolSet, ToolSpec

_MOST = 32
_MARSHAL_VERSION = 2
"""It makes equal bytes of equal values; later versions tell apart what is shared."""


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
        **options: Unpack[ContractOptions],
    ) -> Contract:
        """The contract, as `write_contract` writes it."""
        described = _described(tools.specs)
        if described is None:
            return write_contract(tools, choice, dialect, **options)
        told = {**(write_contract.__kwdefaults__ or {}), **options}
        key = (described, choice, dialect, *sorted(told.items()))
        with self._lock:
            if found := self._written.get(key):
                self._written.move_to_end(key)
                return found
        contract = write_contract(tools, choice, dialect, **options)
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
