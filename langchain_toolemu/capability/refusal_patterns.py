r"""How providers say no: data, each wording with where it was seen.

The rules of this room:

- A wording names what is refused as a whole. One field of one tool, parallel calls or a bad schema is no refusal.
- It is matched against a folded text (see `folded`): lower case, no quotation marks, no contractions.
- Gaps are bounded, and no repetition stands inside another: an error's text is anybody's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from langchain_toolemu.capability.support import Axis


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to say that something is not supported."""

    axis: Axis
    pattern: re.Pattern[str]


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
    r"(?<![\w.\]/-])(?:tools|tool[ -](?:calls?|calling|use|usage)|functions?[ -]call(?:s|ing)?|functions)"
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
_NOT_PERMITTED = "extra inputs are not permitted"


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
    yield _DOES_NOT_SUPPORT + r"(?:\w+ ){0,3}grammars?\b"
    yield r"\bgrammars? (?:is|are) (?:currently )?not (?:yet )?supported\b"


WORDINGS: tuple[Wording, ...] = (
    *(Wording("tools", re.compile(pattern)) for pattern in _tools()),
    *(Wording("tool_choice", re.compile(pattern)) for pattern in _tool_choice()),
    *(Wording("response_format", re.compile(pattern)) for pattern in _response_format()),
    *(Wording("system_role", re.compile(pattern)) for pattern in _system_role()),
    *(Wording("grammar", re.compile(pattern)) for pattern in _grammar()),
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
