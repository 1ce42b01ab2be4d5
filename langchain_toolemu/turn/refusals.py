"""Replies in which a model denies that it has tools, told apart from answers and from refusals on principle.

Only the opening of a reply is looked at, 160 characters at most: that much may be held back in a stream while
it could still become a refusal. "I can't help with that" is never argued with.
"""

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

MAX_OPENING = 160

Suspicion: TypeAlias = Literal["none", "possible", "refusal"]
Detector: TypeAlias = Callable[[str], bool]

# How a denial begins, in English and Chinese. A reply that begins otherwise is released at its first letters.
_OPENERS = (
    "i'm sorry", "i am sorry", "sorry", "apologies", "i apologi", "my apologies", "unfortunately", "regrettably",
    "as an ai", "as an artificial", "as a language", "as a large language", "as a text", "as an assistant",
    "i'm an ai", "i am an ai", "i'm a language", "i am a language", "i'm a text", "i am a text", "i'm just", "i am just",
    "i don't", "i do not", "i cannot", "i can't", "i can not", "i'm unable", "i am unable", "i'm not", "i am not",
    "i have no", "i lack", "i currently", "currently, i", "currently i", "at the moment, i", "at this time, i",
    "there is no tool", "there are no tools", "no tool", "it seems i", "it looks like i",
    "抱歉", "很抱歉", "非常抱歉", "对不起", "對不起", "不好意思", "我无法", "我無法", "我不能", "我没有", "我沒有", "我目前",
    "我暂时", "目前我", "作为", "作為", "由于", "由於", "当前", "當前", "无法", "無法", "没有工具", "沒有工具",
)  # fmt: skip
_LONGEST_OPENER = max(map(len, _OPENERS))

_DENIAL = re.compile(
    r"(?:do not|don't|cannot|can't|can not|unable to|not able to|not capable of|have no|lack|not have|there (?:is|are) no|no)\b"
    r".{0,60}?"
    r"\b(?:access|abilit|capabilit|browse|browsing|internet|the web|real[- ]time|live|up-to-date|external|tools?\b|"
    r"functions?\b|apis?\b|execut|run (?:code|commands|programs)|perform|interact|retriev|fetch|look up|"
    r"check (?:the|current)|directly)"
    r"|(?:无法|無法|不能|没有|沒有|不具备|不具備).{0,16}?"
    r"(?:访问|訪問|获取|獲取|工具|函数|函數|实时|實時|互联网|網路|网络|浏览|瀏覽|执行|執行|调用|調用|查询|查詢|能力|权限|權限)"
)
_ON_PRINCIPLE = re.compile(
    r"(?:help|assist)(?: you)? with (?:that|this|such)|comply|against my|inappropriate|not appropriate|harmful|illegal|"
    r"unethical|guidelines|polic(?:y|ies)|违法|違法|有害|不适当|不適當|不合适|不合適|违反|違反"
)
_MARKUP = " \t\r\n*_>#\"'`\u201c\u201d"


def suspicion(text: str, detector: Detector | None = None, *, ended: bool = False) -> Suspicion:
    """Whether a reply that opens like this is a refusal, is none, or may still become one."""
    opening = text[:MAX_OPENING]
    decided = ended or len(text) >= MAX_OPENING
    if detector is not None:
        return ("refusal" if detector(opening) else "none") if decided else "possible"
    said = _folded(opening)
    if not _may_open(said):
        return "none" if said or decided else "possible"
    if _ON_PRINCIPLE.search(said):
        return "none"
    # A denial may still turn out to be one on principle, so it counts once the opening is whole.
    if decided:
        return "refusal" if _DENIAL.search(said) else "none"
    return "possible"


def _folded(text: str) -> str:
    return text.lstrip(_MARKUP).replace("\u2019", "'").lower()


def _may_open(said: str) -> bool:
    start = said[:_LONGEST_OPENER]
    return bool(start) and any(
        start.startswith(opener) or opener.startswith(start) for opener in _OPENERS
    )
