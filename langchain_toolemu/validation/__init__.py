"""What a schema allows, and whether a call's arguments fit it; repaired only where nothing is lost."""

from langchain_toolemu.validation.fitting import FitResult, fit, fold_name
from langchain_toolemu.validation.json_values import NOTHING, date_format, read_json
from langchain_toolemu.validation.schema import CompiledSchema, Shape

__all__ = [
    "NOTHING",
    "CompiledSchema",
    "FitResult",
    "Shape",
    "date_format",
    "fit",
    "fold_name",
    "read_json",
]
