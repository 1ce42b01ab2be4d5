r"""How providers say no: data, each wording with where it was seen.

The rules of this module:

- A wording names what is refused as a whole. One field of one tool, parallel calls or a bad schema is no refusal.
- What concerns one schema, one grammar or one order of messages is a refusal only if we made it: a caller's own is the
  caller's to see.
- It is matched against a folded text (see `folded`): lower case, no quotation marks, no contractions.
- Gaps are bounded, and no repetition is inside another: an error's text is anybody's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from langchain_toolemu.model_facts import Axis


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to say that something is not supported.

    Attributes:
        axis: What is refused.
        pattern: How it is said.
        lasting: Whether it is refused always, and not only this time.
        only_ours: Whether it counts only where we added the thing ourselves.
    """

    axis: Axis
    pattern: re.Pattern[str]
    lasting: bool = True
    only_ours: bool = False


def folded(text: str) -> str:
    """A text as the wordings expect it."""
    text = text.lower().replace("\u2019", "'")
    for short, long in _CONTRACTIONS:
        text = text.replace(short, long)
    return " ".join(_QUOTATION_MARKS.sub("", text).split())


_CONTRACTIONS = (("can't", "can not"), ("cannot", "can not"), ("n't", " not"))
_QUOTATION_MARKS = re.compile(r"""["'`“”«»\\]""")

# --- what is refused ---

_WHOLE = r"(?!\w|\[|\.\w)"  # `tools`, not `tools[0].strict` or `tools.0.name`
_TOOLS = (
    r"(?<![\w.\]/-])(?:tools|tool[ -](?:calls?|calling|use|usage)|tool_use|functions?[ -]call(?:s|ing)?|functions)"
    + _WHOLE
    # Tools of one kind are not tools as such.
    + r"(?! of (?:type|this|that)| named | such as | like | that | whose | without | containing "
    r"| with (?!this |the |your |stream|json|response|thinking))"
)
# What may stand before them. After any other word, as in "parallel tool calls", one kind of them is meant.
_OPENING = (
    r"(?P<opening>^|[^\w\s-] ?|\b(?:the|and|or|nor|that|as|but|because|since|however|currently|with|using|use of|for|native"
    r"|openai|request|parameter|param|property|field|argument|features?|stream(?:ing)?|[45]\d\d) )"
)
_CHOICE = r"tool[_ ]?choice"
_FORMAT = (
    r"(?:response[_ ]format|structured[_ ]outputs?|json[_ ]schema|json[_ ]mode|json[_ ]object|"
    r"output[_ ]format)"
)
_SYSTEM = r"system[ _](?:role|message|prompt|instruction)s?"

# --- how it is refused ---

_DOES_NOT_SUPPORT = (
    r"(?:does|do|did|can|will) not (?:currently |yet |natively )?(?:support|accept|implement) "
)
_NOT_SUPPORTED = (
    r"(?:not (?:yet |currently )?(?:support(?:ed)?|available|enabled|implemented|accepted|configured)|"
    r"unsupported|disabled)\b"
)
_THING = (
    r"(?: parameters?| params?| fields?| arguments?| features?| options?| capability| functionality"
    r"| support| api)?"
)
_UNKNOWN_FIELD = (
    r"(?:unsupported|unknown|unrecogni[sz]ed|unexpected|extra)"
    r"(?: (?:request|body|json|keyword|query|api|parameters?|params?|arguments?|fields?|keys?|key\(s\)|"
    r"property|properties|options?|supplied|provided|found|passed|in|object)){1,5}\W{1,3}"
)
_NOT_PERMITTED = "extra (?:inputs are|fields) not permitted"  # pydantic 2 and 1
_KIND_OF_FORMAT = r"(?:text|json_object)"
_LISTED = rf"{_KIND_OF_FORMAT}(?:, | or |, or ){_KIND_OF_FORMAT}\b(?!(?:, | or |, or |, and | and )json_schema)"
_GUIDED = r"(?:guided|constrained|structured)[ _](?:decoding|generation)"


def _field_refusals(field: str) -> Iterator[str]:
    """A request field that a server's schema does not know."""
    yield _UNKNOWN_FIELD + r"(?:\w+, ?){0,4}" + field + _WHOLE
    yield rf"(?<![\w.])(?:body\.)?{field}: {_NOT_PERMITTED}"
    yield _NOT_PERMITTED + r"\W{0,3}(?:field|loc|param)?\W{0,3}(?:body\W{1,3})?" + field + _WHOLE
    yield rf"additional properties are not allowed \((?:\w+, ?){{0,4}}{field} (?:was|were)\b"
    # LiteLLM, before it sends anything; in brackets whatever was passed.
    yield r"does not support parameters: [\[{][^\[\]]{0,80}?\b" + field + r"\b(?!\[|\.)"


def _tools() -> Iterator[str]:
    # Ollama, DeepSeek, xAI, Bedrock
    yield _DOES_NOT_SUPPORT + r"(?:the |any |native |using |use of ){0,2}" + _TOOLS
    # OpenAI, Google, Groq, DashScope, DeepInfra, Perplexity, FastGPT, Novita
    yield (
        _OPENING
        + _TOOLS
        + _THING
        + r"(?: (?:is|are|was|were))? (?:currently |also )?"
        + _NOT_SUPPORTED
    )
    # LM Studio and others, of a model
    yield (
        r"(?:does|do) not have (?:the |any |native ){0,2}"
        + _TOOLS
        + r" (?:capabilit|support|abilit)"
    )
    yield _OPENING + _TOOLS + r" has not been enabled,? because it is unsupported\b"
    yield from _field_refusals("(?:tools|functions)")
    # vLLM, NIM, Azure's Phi-4
    yield r"requires --(?:enable-auto-tool-choice|tool-call-parser)"
    # SGLang
    yield r"unsupported tool_call_parser: none"
    # llama-server
    yield r"tools? param requires --jinja"
    # OpenRouter
    yield r"no endpoints found that support tool use"
    # Xinference
    yield r"only [^.]{0,300}? support tool calls?\b"
    # Perplexity, of a tool's result: the request has no place for one
    yield r"input should be (?:system, )?user,? or assistant, got (?:tool|function)\b"
    yield r"input should be system, user,? or assistant(?!, got)"
    yield r"(?:unsupported|unexpected|unknown) (?:message )?role\W{1,3}tool\b"


def _tool_choice() -> Iterator[str]:
    # OpenRouter
    yield r"no endpoints found that support.{0,40}" + _CHOICE
    # DeepSeek, Bedrock, DeepInfra by LiteLLM
    yield _DOES_NOT_SUPPORT + r"(?:\w+ ){0,3}(?:toolconfig\.)?" + _CHOICE
    # SiliconFlow, DashScope, Anthropic, Moonshot
    yield (
        _CHOICE
        + r".{0,80}?(?:not (?:yet |currently )?(?:supported|allowed|available|accepted|implemented|compatible)|"
        r"unsupported|does not support|incompatible)\b"
    )
    # Anthropic
    yield r"thinking (?:mode )?(?:may|can) not be (?:enabled|used).{0,40}" + _CHOICE
    # Zhipu and others
    yield _CHOICE + r".{0,40}?\bonly (?:supports?|accepts?|allows?|auto)\b"
    # DashScope and vLLM of 2024
    yield (
        _CHOICE
        + r" (?:is one of the strings that should be|must either be a named tool, auto, or none)"
    )
    # Google, of 2024
    yield r"forced (?:function|tool)[ -](?:calling|calls?|use|choice).{0,40}?(?:not|only) supported"
    yield from _field_refusals("tool_choice")
    yield r"(?<![\w.])(?:body\.)?tool_choice(?:\.\w+){0,4}: (?:input should be|value error)"


def _response_format() -> Iterator[str]:
    yield r"no endpoints found that support.{0,40}" + _FORMAT
    yield _DOES_NOT_SUPPORT + r"(?:\w+ ){0,3}" + _FORMAT
    # OpenAI, DeepSeek, Volcengine, Google, Groq, Novita
    yield (
        _FORMAT
        + r".{0,60}?(?:not (?:yet )?(?:support(?:ed)?|available|enabled|valid)|unsupported|unavailable|"
        r"incompatible|can not be (?:combined|used))\b"
    )
    yield r"response mime type.{0,40}?unsupported"
    # FastAPI's check of the type, OpenAI, llama.cpp before it knew schemas
    yield r"input should be " + _LISTED
    yield r"invalid value:? json_schema\b"
    yield r"must be one of " + _LISTED
    yield _GUIDED + r" (?:is |has been )?(?:currently )?" + _NOT_SUPPORTED
    yield from _field_refusals("response_format")


def _system_role() -> Iterator[str]:
    # Gemma's template on llama-server, vLLM, SGLang
    yield (
        _SYSTEM
        + r" (?:is |are )?(?:currently )?(?:not (?:yet |currently )?(?:supported|allowed|enabled|permitted)|unsupported)\b"
    )
    # Google, of Gemma
    yield r"developer instructions? (?:is|are) not enabled"
    yield r"system messages? (?:must|should|can only) (?:be|appear|come) (?:at the (?:beginning|start)|(?:the )?first)"
    # Mistral's template; its later one allows a first system message
    yield r"only user (?:and|or) (?:assistant|model) (?:roles|messages) are (?:supported|allowed)(?!.{0,3}with the exception)"
    yield r"input should be user or (?:assistant|model)\b(?!, got (?!system|developer))"
    # OpenAI, of o1-mini
    yield (
        _DOES_NOT_SUPPORT
        + r"(?:the |a |any )?(?:system|developer) (?:role|message|prompt|instruction|with this model)"
    )
    yield r"(?:unsupported|unexpected|unknown) (?:message )?role\W{1,3}(?:system|developer)\b"
    yield r"role\W{1,3}(?:system|developer)\W{0,3} ?is not (?:supported|allowed)"


def _grammar() -> Iterator[str]:
    # Hosted APIs, of a field they do not know; that one grammar cannot be parsed is no refusal of all.
    yield from _field_refusals("grammar")
    yield from _field_refusals("structured_outputs")
    # Clients that take no fields of ours, such as Ollama's
    yield from _field_refusals("extra_body")
    yield _GUIDED + r" (?:is |has been )?(?:currently )?" + _NOT_SUPPORTED
    yield _DOES_NOT_SUPPORT + r"(?:\w+ ){0,3}grammars?\b"
    yield r"\bgrammars? (?:is|are) (?:currently )?not (?:yet )?supported\b"


def _json_object() -> Iterator[str]:
    """JSON of any form is refused, which says nothing of schemas."""
    # LM Studio
    yield r"response_format\.type must be (?:json_schema or text|text or json_schema)\b"
    yield r"invalid value:? json_object\b"


def _one_schema() -> Iterator[str]:
    """What is wrong with one schema or one grammar, which servers make of each other."""
    # llama.cpp
    yield r"json schema conversion failed"
    yield r"failed to parse grammar"
    yield r"json_schema or grammar can be specified, but not both"
    # vLLM, with its guidance and its xgrammar backend
    yield r"\bgrammar error\b"
    yield r"schema contains features not supported by \w+"


def _one_response_schema() -> Iterator[str]:
    # OpenAI
    yield r"invalid schema for response_format"
    yield from _one_schema()


def _order_of_roles() -> Iterator[str]:
    # Templates without a system role that count it among the turns
    yield r"roles (?:must|should|have to) (?:be )?alternat(?:e|ing)\b"


def _ours(axis: Axis, patterns: Iterator[str]) -> Iterator[Wording]:
    for pattern in patterns:
        yield Wording(axis, re.compile(pattern), lasting=False, only_ours=True)


WORDINGS: tuple[Wording, ...] = (
    *(Wording("tools", re.compile(pattern)) for pattern in _tools()),
    *(Wording("tool_choice", re.compile(pattern)) for pattern in _tool_choice()),
    *(Wording("response_format", re.compile(pattern)) for pattern in _response_format()),
    *(Wording("system_role", re.compile(pattern)) for pattern in _system_role()),
    *(Wording("grammar", re.compile(pattern)) for pattern in _grammar()),
    *(Wording("response_format", re.compile(one), lasting=False) for one in _json_object()),
    *_ours("response_format", _one_response_schema()),
    *_ours("grammar", _one_schema()),
    *_ours("system_role", _order_of_roles()),
)

# --- what narrows a refusal down to one kind of request ---

_CIRCUMSTANCE = (
    r"(?:stream(?:ing|ed|s)?|json[ _]mode|response[_ ]format|structured outputs?|logprobs|images?|"
    r"audio|batch)"
)
NARROWED_BEFORE = re.compile(
    rf"\b(?:{_CIRCUMSTANCE}|tool use|search|grounding|code execution) (?:mode )?(?:and |when using )?$"
    # Anything with tools is a combination, but a request.
    r"|(?<!\brequest )(?<!\brequests )with $"
)
NARROWED_AFTER = re.compile(
    rf"^\W{{0,2}}(?:in|with|when|while|if|during|together|alongside)\b.{{0,30}}?\b{_CIRCUMSTANCE}\b"
)
