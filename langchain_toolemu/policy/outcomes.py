"""What became of a call: its result, unless it failed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.messages.content import words_of
from langchain_toolemu.messages.past_calls import PastCall, PastResult
from langchain_toolemu.reader.events import Call
from langchain_toolemu.validation import read_json

_FAILURE = re.compile(
    r"[\s*(\[]{0,4}(?:(?:\w{1,30} ){0,2}\w{0,30}(?:error|exception)\b ?(?:[:('\"\[]|-?\d|\Z)"
    r"|error\b|traceback\b|failed (?:to|with)\b|[45]\d\d:? (?:bad|unauthorized|forbidden|not|method"
    r"|too many|conflict|gone|internal|service|gateway|client|server)\b)",
    re.IGNORECASE,
)
"""How a result begins that reports a failure."""

_LONGEST_FAILURE = 4000  # characters of a result that is read as JSON


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """A call since the user last spoke, and its result, `None` if it failed or has none."""

    call: PastCall
    result: str | None

    def is_of(self, call: Call | PastCall) -> bool:
        """Whether it is exactly this call."""
        return (self.call.name, self.call.args) == (call.name, call.args)


def outcome_of(call: PastCall, results: Sequence[PastResult]) -> CallOutcome:
    """What became of a call, by the results of its round."""
    found = next((result for result in results if result.answers(call)), None)
    is_answered = found is not None and not has_failed(found)
    return CallOutcome(call, str(found.content) if found and is_answered else None)


def has_failed(result: PastResult) -> bool:
    """Whether a result reports a failure, by its status, its beginning or a field of it."""
    text = words_of(result.content) if isinstance(result.content, str | list) else ""
    if result.failed or _FAILURE.match(text):
        return True
    if not text.lstrip().startswith("{") or len(text) > _LONGEST_FAILURE:
        return False
    data = read_json(text)
    return isinstance(data, dict) and _says_failure(data)


def _says_failure(data: dict[str, Any]) -> bool:
    if any(data.get(name) is True for name in ("ok", "success")):
        return False
    named = any(data.get(name) for name in ("error", "errors", "isError"))
    return named or any(data.get(name) is False for name in ("ok", "success"))
