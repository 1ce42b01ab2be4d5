"""BFCL's own code, as installed: its prompt, its decoder of replies and its checker of calls.

What that code imports of providers' clients and parsers of other languages has stand-ins: only Python is asked for here.
"""

import importlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache
from types import SimpleNamespace
from typing import Any

from tests.benchmarks.bfcl.cases import data_folder
from tests.benchmarks.trust.imports import enter, stand_in

# Names have no dots where tools are declared; in BFCL's own prompt they keep them.
_DECLARED, _PROMPTED = "declared", "prompted"


def entries(category: str) -> list[dict[str, Any]]:
    """The questions of a category, each with its right answer where it has one."""
    file = f"BFCL_v4_{category}.json"
    rows = _lines(data_folder() / file)
    if "irrelevance" not in category:
        answers = _lines(data_folder() / "possible_answer" / file)
        rows = [
            {**row, "truth": answer["ground_truth"]}
            for row, answer in zip(rows, answers, strict=True)
        ]
    return list(_package().add_language_specific_hint_to_function_doc(rows))


def declared(docs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Functions as tools of an OpenAI-compatible request."""
    kinds = importlib.import_module("bfcl_eval.constants.type_mappings").GORILLA_TO_OPENAPI
    style = importlib.import_module("bfcl_eval.constants.enums").ModelStyle.OPENAI_COMPLETIONS
    return list(_handler().convert_to_tool(list(docs), kinds, style))


def prompted(messages: list[dict[str, Any]], docs: Sequence[Any]) -> list[dict[str, Any]]:
    """The messages with BFCL's own system prompt, which describes the functions."""
    return list(
        _handler().system_prompt_pre_processing_chat_model(messages, deepcopy(list(docs)), "simple")
    )


def decoded(reply: str) -> list[dict[str, Any]]:
    """The calls that BFCL reads in a reply to its prompt: none if the reply cannot be decoded."""
    try:
        return list(_handler().default_decode_ast_prompting(reply))
    except Exception:  # noqa: BLE001 - whatever the decoder raises, BFCL takes the reply for words
        return []


def written(calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """Calls as Python, as BFCL names them beside their results."""
    made = [{call["name"]: call["args"]} for call in calls]
    return list(_handler().decoded_output_to_execution_list(made))


def is_right(row: Mapping[str, Any], calls: Sequence[Mapping[str, Any]], *, dots: bool) -> bool:
    """The verdict of BFCL's checker; for questions that no function fits, whether nothing was called."""
    if "truth" not in row:
        return not calls
    made = [{call["name"]: call["args"]} for call in calls]
    language = importlib.import_module("bfcl_eval.constants.enums").Language.PYTHON
    category = row["id"].rpartition("_")[0]
    verdict = _checker().ast_checker(
        row["function"], made, row["truth"], language, category, _PROMPTED if dots else _DECLARED
    )
    return bool(verdict["valid"])


@cache
def _checker() -> Any:
    config = {
        _DECLARED: SimpleNamespace(underscore_to_dot=True),
        _PROMPTED: SimpleNamespace(underscore_to_dot=False),
    }
    stand_in("bfcl_eval.constants.model_config", MODEL_CONFIG_MAPPING=config)
    enter("bfcl_eval.eval_checker.ast_eval")
    return importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")


@cache
def _handler() -> Any:
    _package()
    parsers = "bfcl_eval.model_handler.parser"
    enter(parsers)
    stand_in(f"{parsers}.java_parser", parse_java_function_call=None)
    stand_in(f"{parsers}.js_parser", parse_javascript_function_call=None)
    return importlib.import_module("bfcl_eval.model_handler.utils")


@cache
def _package() -> Any:
    stand_in("filelock", FileLock=object)
    stand_in("bfcl_eval.constants.eval_config")  # it makes folders
    return importlib.import_module("bfcl_eval.utils")


def _lines(path: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
