"""Whether an error refuses a request for its form, before the model has said anything, and which part of it is named.

What is named only decides what is tried first: whether another form helps is found out by sending it. What is certainly the
caller's (a key, a rate, a content policy, a parameter that no form touches) is told at once.
"""

import re
from collections.abc import Mapping

from langchain_toolemu.language.language import fold_letters
from langchain_toolemu.language.phrases import TOOL
from langchain_toolemu.model_facts import Axis, Refusal
from langchain_toolemu.model_facts import error_wordings as wordings
from langchain_toolemu.model_facts.error_text import (
    bodies,
    is_among,
    links,
    statements,
    statuses,
)

_NAME = r"\bnames?\b|" + wordings.NAME_ABROAD
_NOT_A_TEXT = r"must be a string|content is (?:a )?list|array not in string|unmarshal array|sequence, expected a string|content: input should be a valid string"
_NAMED: Mapping[Axis, str] = {
    "call_extras": r"extra_content|provider_specific_fields",
    "call_ids": r"\b(?:tool|call|function|use)[_ .]?(?:call|use)?[_ .]?ids?\b|\.id\b|\bids? (?:must|should|was|has|is)\b",
    "paired_results": (
        r"tool_calls?\b|tool_use|tool_result|tooluse|toolresult|function (?:call|response)|role\W{0,3}(?:tool|function)"
        r"|tool (?:call )?(?:message|role|result|response|"
        + wordings.MESSAGE_ABROAD
        + r")|preceding|followed by|response messages|unexpected role|no result"
    ),
    "result_pictures": r"image|picture|\bfiles?\b|document|audio|multimodal|vision|content (?:type|part|block)|"
    + _NOT_A_TEXT,
    "text_blocks": _NOT_A_TEXT,
    "message_text": (
        r"\bempty\b|\bblank\b|non-(?:empty|whitespace)|\bnull\b|\bnil\b|at least one content|content: input should be a valid (?:string|list)"
        r"|missing field content|\bcontent\b.{0,30}\brequired\b"
        r"|" + wordings.EMPTY_ABROAD
    ),
    "tool_descriptions": r"\bdescriptions?\b.{0,40}\b(?:too long|length|characters|exceed)",
    "speaker_names": _NAME,
    "tool_names": _NAME,
    "parallel_tool_calls": r"parallel",
    # Bare words such as "maximum" are said of any number.
    "schema_keywords": (
        r"schema(?!s? for response)|grammar|\bparameters\b|regex|repetition|\bpattern\b|\b(?:min|max)_?(?:length|items|properties)\b"
        r"|unique_?items|exclusive_?m(?:in|ax)imum|multiple_?of|additional_?properties|property_?names|(?<![a-z])keyword"
    ),
    "schema_unions": r"\$ref|\$defs|definitions|\brefs?\b|any_?of|one_?of|all_?of|union|recursi|non-empty|missing (?:type|properties)|top level",
    "later_system": (
        r"\b(?:system|developer) (?:role|message|instruction)s?\b|\bgot (?:system|developer)\b"
        r"|\broles?\b.{0,30}\b(?:system|developer)\b|\broles are supported|\brole\b.{0,20}\binvalid"
        r"|\b(?:invalid|unexpected|unsupported) (?:message )?role|alternat"
    ),
    "call_signatures": r"signature",
    "stream_options": r"\bstream_options\b(?!.{0,20}\b(?:only|when)\b)",
    "strict": r"\bstrict\b",
    "message_order": (
        r"alternat|consecutive|(?:after|before) role|\bprefill\b|\b(?:start|begin|end)s? with (?:a |an |the )?(?:user|assistant|human|tool|role)"
        r"|(?:first|last|final) (?:message|role|turn)|message_order|order of (?:the )?(?:messages|roles)"
    ),
}
_IN_CONTENT = frozenset({"result_pictures", "text_blocks"})
_TOO_MANY = r"\btoo many (?:tools|functions)|\b(?:max|maximum|at most|limit)\b.{0,30}\b(?:tools|functions)\b|\b(?:tools|functions)\b.{0,60}\b(?:at most|maximum|max|exceed|limit|too long)"
_TOOLS = rf"{TOOL}|\broles?\b"  # in any language; a result has a role of its own
_TEMPLATE = r"\btemplate|roles (?:must|should) alternate|jinja|roles are supported|grammar|json schema|raise_exception|schema conversion"

_TEMPLATE_FAULT = (
    r"\b(?:dict|list|str|none|undefined)(?: object)? has no attribute\b|\bitem pairs from a mapping\b|\bis undefined\b"
    r"|\btype undefined is not json|\bno (?:filter|test) named\b|\bunknown (?:method|filter|test)\b|\bvalue is not callable\b"
    r"|\bcan only concatenate str\b"
)
"""What Jinja and its copies say of a template that trips over what it is given, such as tools."""

_CALLERS = (
    r"\b(?:temperature|top_?[pk]|min_p|typical_p|stop(?: ?sequences?|words)?|max_(?:completion_|output_|new_)?tokens|num_predict|n|seed"
    r"|logprobs?|top_logprobs|logit_bias|(?:frequency|presence|repetition|repeat)_penalty|penalty|reasoning(?:_effort|_content|_details)?|effort|thinking"
    r"|budget_tokens|verbosity|service_tier|metadata|store|stream_options|modalities|prediction|prompt_cache_key|safety_identifier"
    r"|web_search_options|anthropic-version|beta|api[- ]version|url|host|header|invalid json|malformed json|(?:parameter|argument|field)s?\W{1,3}user)\b"
)
"""Parameters that no form touches, and what is wrong with the request as a whole."""

_BAD = {400, 422}
_REFUSED_BY_NAME = {404, 409, 413}  # mostly something else, unless a part of the request is named


def refusal_of(error: BaseException) -> Refusal | None:
    """What of a request's form an error refuses; `None` if it is about anything else."""
    chain = links(error)
    if any(is_among(wordings.NO_REFUSED_FORM, link) for link in chain):
        return None
    text = " ".join(wordings.fold_sentence(words) for link in chain for words in statements(link))
    named = tuple(axis for axis, words in _NAMED.items() if re.search(words, text))
    too_many = bool(re.search(_TOO_MANY, text))
    # A template trips over what a request in text has not: tools, calls and results.
    is_tripped = bool(re.search(_TEMPLATE_FAULT, text))
    names_tools = is_tripped or bool(re.search(_TOOLS, fold_letters(text)))
    found = {status for link in chain for status in statuses(link)}
    is_named = bool(named or too_many or (names_tools and found <= {200, 500}))
    if not _refuses(found, text, chain, is_named=is_named):
        return None
    return Refusal(
        named,
        names_tools,
        too_many,
        names_format=bool(re.search(r"\bresponse_format\b|\bjson_object\b", text)),
        is_callers=_is_callers(text, named, names_tools=names_tools),
        is_retried=500 in found,
    )


def _is_callers(text: str, named: tuple[Axis, ...], *, names_tools: bool) -> bool:
    """Whether an error names what no form touches; pictures are the user's, unless a result has one."""
    if re.search(f"{_CALLERS}|{wordings.CALLERS_MATTER}", text):
        return True
    is_elsewhere = bool(re.search(wordings.CALLERS_MATTER_ABROAD, text))
    return not names_tools and (is_elsewhere or (bool(named) and _IN_CONTENT.issuperset(named)))


def _refuses(found: set[int], text: str, chain: list[BaseException], *, is_named: bool) -> bool:
    """Whether the server took nothing of the request, by its status, or where it has none, by what it says."""
    if found & _BAD:
        return True
    if 500 in found:
        return is_named and bool(re.search(f"{_TEMPLATE}|{_TEMPLATE_FAULT}", text))
    if found & _REFUSED_BY_NAME:
        return is_named
    # A body under status 200, or in a stream: any other error without a status is hardly a server's.
    has_body = any(isinstance(body, Mapping) for link in chain for body in bodies(link))
    return is_named and (has_body or bool(re.search(_TEMPLATE, text)))
