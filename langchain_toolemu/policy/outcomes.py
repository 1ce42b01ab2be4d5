"""What became of a call: it failed, found nothing, or told something."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_toolemu.language.phrases import FAILURE_WORDS
from langchain_toolemu.messages.content import words_of
from langchain_toolemu.messages.past_calls import PastCall, PastResult
from langchain_toolemu.reader.events import Call
from langchain_toolemu.validation import read_json

_STATUS = r"(?i:HTTP(?:/\d(?:\.\d)?)?|status|code)\W{1,3}(?i:(?:status|response|error|code)\W{1,3}){0,2}[45]\d\d\b"
_PHRASES = (
    r"Bad (?:Request|Gateway)|Unauthorized|Payment Required|Forbidden|Not (?:Found|Acceptable|Implemented)|Method Not|Request (?:Time|Entity|Header)"
    r"|Conflict|Gone|Too Many|Unprocessable|Internal|Service Unavailable|Gateway Time|(?:Client|Server) Error"
)
_NOT_DONE = r"(?:Could not|Couldn't|Unable to) (?!find)[a-z]|(?i:timed out|timeout (?:after|while|waiting)|temporarily unavailable)\b"
_FAILURE = re.compile(
    rf"[\s*\[(]*(?:(?:[Ee]rror|ERROR)\b(?!-)|Traceback \(|\w*(?:Error|Exception)\b: |(?:[Cc]lient|[Ss]erver) [Ee]rror\b(?: ?['\"(:]|\Z)"
    rf"|(?!(?i:code)){_STATUS}|(?:[Tt]he |HTTP )?(?:[Rr]equest|[Cc]all|[Oo]peration) failed with {_STATUS}|[45]\d\d:? (?:{_PHRASES})\b"
    rf"|\w+ failed: |Failed to |{_NOT_DONE}|MCP error|Access denied|(?i:{FAILURE_WORDS}) ?[:\uff1a])"
)
"""How a result begins that says in words that the call failed; HTTP clients write so, too."""

_REAL_STATUSES = frozenset({*range(400, 432), 451, *range(500, 512)})
_STATUSES = ("status", "statusCode", "status_code", "http_status")
_LONGEST_FAILURE = 4000  # characters of a result that is read as JSON

_ABOUT_VALUES = re.compile(
    r"(?i)\b(?:unknown|invalid|no such|(?<!404 )(?<!404: )not found|(?:does not|doesn't) exist|not (?:a )?valid|not recogni[sz]ed)\b"
)
"""What a failure says if the call's values are wrong; "404 Not Found" may be of the service."""

_NO_VALUES: tuple[Any, ...] = (None, "", [], {})
_EMPTY = re.compile(r"\s*(?:\[\s*\]|\{\s*\}|null|None|\"\")?\s*")
_NOTHING = re.compile(
    r"""(?ix)\s*(?:
        (?:\[\s*\] | null | no | nothing | unknown | zero | 0 | there\ (?:is|are)\ no)(?![\w,.:])[^\n]{0,160}
        | [^\n.:]{0,60}\bnot\ found\b[^\n]{0,120}
    )"""
)
"""How a result says in words that there is nothing: the tools that were seen say so in English."""


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """A call since the user last spoke, and its result, `None` if it failed or has none; or how it failed."""

    call: PastCall
    result: str | None
    failure: str = ""

    @property
    def tells(self) -> bool:
        """Whether its result says more than that nothing was found."""
        return self.result is not None and not found_nothing(self.result)

    @property
    def is_fruitless(self) -> bool:
        """Whether it found nothing, or failed for its values: with them it does so again."""
        return not self.tells and (self.result is not None or is_about_values(self.failure))

    def is_of(self, call: Call | PastCall) -> bool:
        """Whether it is exactly this call."""
        return (self.call.name, self.call.args) == (call.name, call.args)


def outcome_of(call: PastCall, results: Sequence[PastResult]) -> CallOutcome:
    """What became of a call, by the results of its round."""
    found = next((result for result in results if result.answers(call)), None)
    if found is None:
        return CallOutcome(call, None)
    if has_failed(found):
        return CallOutcome(call, None, result_words(found) or "it failed")
    return CallOutcome(call, str(found.content))


def found_nothing(result: str) -> bool:
    """Whether a result is empty, or says that there is nothing, in words or in JSON: `{"customer": null}`."""
    if _EMPTY.fullmatch(result) or _NOTHING.fullmatch(result):
        return True
    data = _object_in(result)
    return data is not None and all(value in _NO_VALUES for value in data.values())


def is_about_values(failure: str) -> bool:
    """Whether a call failed for its values, so that it fails again with them."""
    return bool(_ABOUT_VALUES.search(failure))


def has_failed(result: PastResult) -> bool:
    """Whether a result reports a failure, by its status or in its text."""
    text = result_words(result)
    if result.failed or _FAILURE.match(text):
        return True
    data = _object_in(text)
    if data is None or data.get("ok") is True or data.get("success") is True:
        return False
    if data.get("error") or data.get("errors") or data.get("isError") is True:
        return True
    if data.get("ok") is False or data.get("success") is False:
        return True
    return any(_is_status_of_failure(data.get(name)) for name in _STATUSES)


def _object_in(result: str) -> dict[str, Any] | None:
    """The object that a short result is."""
    if not result.lstrip().startswith("{") or len(result) > _LONGEST_FAILURE:
        return None
    data = read_json(result)
    return data if isinstance(data, dict) else None


def _is_status_of_failure(value: Any) -> bool:
    """Whether a value is the HTTP status of a failure, such as `503`, or says `failed`."""
    if isinstance(value, str) and not value.isdecimal():
        return value.lower() in ("error", "failed")
    return isinstance(value, str | int) and int(value) in _REAL_STATUSES


def result_words(result: PastResult) -> str:
    """The words of a result; none if it is a picture, or a value that is no text."""
    return words_of(result.content) if isinstance(result.content, str | list) else ""
