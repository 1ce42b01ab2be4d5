"""Whether a model of unknown size follows the recipe for capable models, by how its turns ended.

After two failures in a row it gets the next smaller recipe. A right call undoes that, each time only after twice as many.
"""

import logging
import time

from langchain_toolemu.capability import verdicts
from langchain_toolemu.capability.endpoints import Endpoint
from langchain_toolemu.capability.entries import EXPIRES_AFTER

FAILURES_UNTIL_SMALLER = 2

_log = logging.getLogger("langchain_toolemu")


def follows_capable(endpoint: Endpoint) -> bool:
    """False after failures in a row, until enough right calls, or until they expire."""
    entry = verdicts.entry_of(endpoint)
    is_recent = time.time() - entry.last("contract_failures") < EXPIRES_AFTER
    return not (is_recent and entry.number("contract_failures") >= FAILURES_UNTIL_SMALLER)


def count_failure(endpoint: Endpoint) -> None:
    """Count a turn that failed. If the server cut off the contract, the model is not to blame."""
    if verdicts.entry_of(endpoint).number("cuts"):
        return
    if verdicts.count(endpoint, "contract_failures") != FAILURES_UNTIL_SMALLER:
        return
    verdicts.count(endpoint, "recipe_drops")
    if verdicts.is_first_notice(endpoint, "recipe"):
        _log.warning(
            "%s: %d turns in a row failed with the recipe for capable models, so the one for smaller models is used. "
            "Pass model_size=7 (billions of parameters) to set the model's size.",
            endpoint,
            FAILURES_UNTIL_SMALLER,
        )


def count_right_call(endpoint: Endpoint) -> None:
    """Count a turn that made a right call."""
    if not follows_capable(endpoint):
        drops = verdicts.entry_of(endpoint).number("recipe_drops")
        if verdicts.count(endpoint, "calls_since_drop") < 2 ** (drops - 1):
            return
        verdicts.reset_count(endpoint, "calls_since_drop")
    verdicts.reset_count(endpoint, "contract_failures")
