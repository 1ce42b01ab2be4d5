"""What a schema allows, and whether a call's arguments fit it; repaired only where nothing is lost."""

from langchain_toolemu.validation.fitting import FitResult, fit, fold_name
from langchain_toolemu.validation.json_values import date_format
from langchain_toolemu.validation.schema import CompiledSchema, Shape

__all__ = ["CompiledSchema", "FitResult", "Shape", "date_format", "fit", "fold_name"]
