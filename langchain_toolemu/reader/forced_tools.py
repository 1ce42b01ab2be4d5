"""Where a call is forced, an object that names no tool may be the arguments of one.

The rule of this module: the tool's schema decides. An object of names that the schema declares is the tool's, were some
of them missing or their values wrong; one with other names is, if it fits as it is. Of several tools only one may take it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from langchain_toolemu.reader.call_arguments import is_schema
from langchain_toolemu.tools import ToolSpec
from langchain_toolemu.validation import fit
from langchain_toolemu.validation.schema import Shape


class ForcedTools:
    """The tools of which one must be called; none where no call is forced."""

    def __init__(self, specs: Sequence[ToolSpec] = ()) -> None:
        self.specs = specs
        self.only = specs[0] if len(specs) == 1 else None

    @cached_property
    def _takers(self) -> Sequence["_Taker"]:
        return [_Taker(spec) for spec in self.specs]

    def find_declaring(self, args: Mapping[str, Any]) -> ToolSpec | None:
        """The one tool that declares all these names; of several tools it must be one that takes the values, too."""
        if self.only:
            return self.only if self._takers[0].declares(args) else None
        found = [one for one in self._takers if args and one.declares(args) and one.fits(args)]
        return found[0].spec if len(found) == 1 else None

    def find_taking(self, args: Mapping[str, Any]) -> ToolSpec | None:
        """The one tool that takes these arguments, though it does not declare all their names; of several, most of them."""
        if self.only:
            return self.only if self._takers[0].takes(args) else None
        most = max((one.count(args) for one in self._takers), default=0)
        best = [one for one in self._takers if most and one.count(args) == most and one.fits(args)]
        return best[0].spec if len(best) == 1 else None

    def fits(self, args: Mapping[str, Any], spec: ToolSpec) -> bool:
        """Whether these arguments fit one of the forced tools."""
        return any(one.spec is spec and one.fits(args) for one in self._takers)

    def may_hold(self, names: Iterable[str]) -> bool:
        """Whether an object of these names, which is not whole, can only be the arguments of the one forced tool."""
        return self.only is not None and self._takers[0].may_hold(set(names))


NONE_FORCED = ForcedTools()


class _Taker:
    """A tool, and which names its schema speaks of in any of the ways through it."""

    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec
        shapes = spec.schema.shapes(spec.parameters)
        self._names = {name for shape in shapes for name in shape.properties or ()}
        self._is_open = any(map(_is_open, shapes))

    def declares(self, args: Mapping[str, Any]) -> bool:
        if not args:
            return self.fits(args)
        return self._names.issuperset(args) and not is_schema(args, self.spec)

    def count(self, args: Mapping[str, Any]) -> int:
        """How many of the names it declares."""
        return len(self._names.intersection(args))

    def fits(self, args: Mapping[str, Any]) -> bool:
        return not (is_schema(args, self.spec) or fit(args, self.spec.schema).errors)

    def takes(self, args: Mapping[str, Any]) -> bool:
        """Whether an object is its arguments: it fits, or can be nothing else, since any name may be one."""
        if self._is_open:
            return not is_schema(args, self.spec)
        return bool(self.count(args)) and self.fits(args)

    def may_hold(self, names: set[str]) -> bool:
        return bool(names) and (self._is_open or names <= self._names)


def _is_open(shape: Shape) -> bool:
    """Whether any name may be an argument's: the schema says so, or names nothing at all."""
    if shape.type not in (None, "object") or shape.additional is False:
        return False
    return shape.properties is None or shape.additional is not None or bool(shape.patterns)
