"""Packages that only gather names, in 500 modules, or that few turns need: loaded when a name is asked for.

A turn asks for almost none. So with validators: pydantic builds those of a class when it is used. It is for a process that
only serves: elsewhere imports stay what they are.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from pydantic import BaseModel
from typing_extensions import override

_PACKAGES = frozenset({
    "charset_normalizer", "distro", "idna", "jsonpatch", "langchain_openai", "langchain_openai.chat_models", "langsmith.types",
    "openai.types", "openai.types.chat", "openai.types.graders", "openai.types.responses", "openai.types.shared", "tiktoken",
    "tomllib", "truststore", "uvicorn", "yaml",
})  # fmt: skip


def defer_packages() -> None:
    """Load these packages on first use from now on, in this process."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        BaseModel.model_config["defer_build"] = True


class _Finder(MetaPathFinder):
    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in _PACKAGES:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in found if spec and spec.loader), None)
        if spec and spec.loader:
            spec.loader = _DeferringLoader(spec.loader)
        return spec


class _DeferringLoader(Loader):
    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    @override
    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code when a name is missing in it, unless the module of that name has it, such as `config`."""

        def find_name(name: str) -> Any:
            with suppress(ImportError, AttributeError):
                inner = f"{module.__name__}.{name.strip('_').lower()}"
                return getattr(import_module(inner), name)
            if name.startswith("__") or "__getattr__" not in vars(module):
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            del vars(module)["__getattr__"]
            self._loader.exec_module(module)
            return getattr(module, name)

        vars(module)["__getattr__"] = find_name
