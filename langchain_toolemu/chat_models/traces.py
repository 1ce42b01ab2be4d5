"""What a trace says of a turn: in the metadata of its run, where LangSmith shows it and OpenTelemetry exporters take it.

A tracer is told the metadata when a run starts, and what a turn does is known only later. So it is entered in the
tracer's own record of the run, as LangChain does with the usage; a tracer sends that record when the run ends.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.outputs import ChatResult
from langchain_core.tracers.base import AsyncBaseTracer, BaseTracer
from langchain_core.tracers.schemas import Run

RunManager: TypeAlias = CallbackManagerForLLMRun | AsyncCallbackManagerForLLMRun

_NOTED = ("path", "requests", "reasks")


def note(run_manager: RunManager | None, result: ChatResult) -> None:
    """Enter what a message says of its turn in every trace of the run; in mode off it says nothing."""
    report = _report(result)
    for run in _traced(run_manager) if run_manager and report else ():
        noted = {f"toolemu_{name}": report[name] for name in _NOTED}
        # A new dict: tracers share the one that the run started with.
        run.extra["metadata"] = {**run.metadata, **noted}


def _report(result: ChatResult) -> Mapping[str, Any]:
    said = [generation.message.response_metadata for generation in result.generations[:1]]
    return next((metadata.get("toolemu", {}) for metadata in said), {})


def _traced(run_manager: RunManager) -> Iterator[Run]:
    """The records that tracers keep of a run."""
    for handler in run_manager.handlers:
        if isinstance(handler, BaseTracer | AsyncBaseTracer):
            run = handler.run_map.get(str(run_manager.run_id))
            if run is not None:
                yield run
