"""This library as an engine of canitoolcall's own runner, with its default splits.

    PYTHONPATH=FOLDER:. python -m canitoolcall run --engine tests.benchmarks.canitoolcall_engine:Toolemu --python "$(which python)"

`FOLDER` is where canitoolcall was installed with `--target`. Its runner wants a subclass of its own class.
"""

from canitoolcall.adapters.base import Adapter as EngineAdapter

from tests.benchmarks.conformance import Adapter


class Toolemu(Adapter, EngineAdapter):
    """Told nothing but the tools and the model's name."""

    def __init__(self) -> None:
        super().__init__(told_template=False)
