"""What providers say: data, each wording with where it was seen. A new error text of a provider goes here.

A refusal names what is refused as a whole: one field of one tool is no refusal, and one schema only if we made it. Wordings
match a folded text (`fold_sentence`), with bounded gaps and no nested repetition: an error's text is anybody's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from langchain_toolemu.model_facts import Axis


class Wording(NamedTuple):
    """One way to say that something is not supported."""

    axis: Axis
    text: str  # a regular expression
    lasting: bool = True  # it is refused always, and not only this time
    only_ours: bool = False  # counts only where we added the thing ourselves
    demands: bool = False  # it is missing, and not refused


def fold_sentence(text: str) -> str:
    """A text as the wordings expect it."""
    text = text.lower().replace("\u2019", "'")
    for short, long in _CONTRACTIONS:
        text = text.replace(short, long)
    return " ".join(_QUOTATION_MARKS.sub("", text).split())


_CONTRACTIONS = (("can't", "can not"), ("cannot", "can not"), ("n't", " not"))
_QUOTATION_MARKS = re.compile(r"""["'`“”„«»「」『』\\]""")

# --- what is refused ---

_WHOLE = r"(?!\w|\[|\.\w)"  # `tools`, not `tools[0].strict` or `tools.0.name`
_FIELD = "(?:tools|functions)" + _WHOLE
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
_GUIDED = r"(?:guided|constrained|structured)[ _](?:decoding|generation)"
_THINGS: Mapping[Axis, tuple[str, int]] = {
    "tool_choice": (r"tool[_ ]?choice|forced (?:function|tool)[ -](?:calling|calls?|use)", 80),
    "response_format": (
        r"(?:response|output)[_ ]format(?!\.(?:json_)?schema)|structured[_ ]outputs?|json[_ ](?:schema(?!\.| (?:keyword|of|for|in|type)\b)|mode|object)"
        rf"|response mime type|{_GUIDED}", 60,
    ),
    "system_role": (
        r"(?:system|developer)[ _](?:role|message|prompt|instruction)s?|role\W{1,3}(?:system|developer)\b"
        r"|(?:system|developer) with this model", 12,
    ),
    "grammar": (rf"\bgrammars?\b|\bstructured_outputs\b|\bextra_body\b|{_GUIDED}", 30),
    "parallel_tool_calls": (r"parallel[_ -](?:tool|function)[_ -](?:calls?|calling|use)\b", 30),
}  # fmt: skip
"""By what is refused, its names, and how many characters after them it is said to be."""

# --- how it is refused ---

_DOES_NOT_SUPPORT = (
    r"(?:does|do|did|can|will) not (?:currently |yet |natively )?(?:support|accept|implement) "
)
_NOT_SUPPORTED = (
    r"(?:not (?:yet |currently )?(?:support(?:ed)?|available|enabled|implemented|accepted|configured)|"
    r"unsupported|disabled)\b"
)
_REFUSED = (
    r"(?:not (?:\w+ ){0,2}?(?:support(?:ed)?|accept(?:ed)?|implement(?:ed)?|allowed|available|enabled|permitted|compatible|combined|used|valid)"
    r"|un(?:supported|known|recogni[sz]ed|expected|available)|incompatible|disabled|only (?:supports?|supported|accepts?|auto)"
    r"|no endpoints found that support)\b"
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


def _refusals(thing: str, gap: int) -> tuple[str, str]:
    """A thing and that it is refused, in either order; another role between them is another matter."""
    before = rf"{_REFUSED}(?:(?!\brole\b).){{0,30}}?(?:{thing})"
    return rf"(?:{thing}).{{0,{gap}}}?{_REFUSED}", before


_NO_TOOLS = (
    # Ollama, DeepSeek, xAI, Bedrock
    _DOES_NOT_SUPPORT + r"(?:the |any |native |using |use of ){0,2}" + _TOOLS,
    # OpenAI, Google, Groq, DashScope, DeepInfra, Perplexity, FastGPT, Novita
    rf"{_OPENING}{_TOOLS}{_THING}(?: (?:is|are|was|were))? (?:currently |also )?{_NOT_SUPPORTED}",
    # LM Studio and others, of a model
    rf"(?:does|do) not have (?:the |any |native ){{0,2}}{_TOOLS} (?:capabilit|support|abilit)",
    _OPENING + _TOOLS + r" has not been enabled,? because it is unsupported\b",
    # a request field that a server's schema does not know
    _UNKNOWN_FIELD + rf"(?:\w+, ?){{0,4}}{_FIELD}",
    rf"(?<![\w.])(?:body\.)?{_FIELD}: {_NOT_PERMITTED}",
    _NOT_PERMITTED + rf"\W{{0,3}}(?:field|loc|param)?\W{{0,3}}(?:body\W{{1,3}})?{_FIELD}",
    rf"additional properties are not allowed \((?:\w+, ?){{0,4}}{_FIELD}(?:, ?\w+){{0,4}} (?:was|were)\b",
    # LiteLLM, before it sends anything; in brackets whatever was passed.
    rf"does not support parameters: [\[{{][^\[\]]{{0,80}}?\b{_FIELD}",
    r"requires --(?:enable-auto-tool-choice|tool-call-parser)",  # vLLM, NIM, Azure's Phi-4
    r"unsupported tool_call_parser: none",  # SGLang
    r"tools? param requires --jinja|can not use tools(?= with stream)",  # llama-server
    r"no endpoints found that support tool use",  # OpenRouter
    r"only [^.]{0,300}? support tool calls?\b",  # Xinference
    # a tool's result: Perplexity, Anthropic, Cursor's API
    r"input should be system, user,? or assistant(?!, got (?!tool))",
    r"(?:unsupported|unexpected|unknown|invalid) role\W{1,3}tool\b(?! (?:after|before))",
)

_KIND_OF_FORMAT = r"(?:text|json_object)"
_OTHER_REFUSALS: Mapping[Axis, Sequence[str]] = {
    # DashScope and vLLM of 2024, FastAPI's check of the type
    "tool_choice": (
        r"tool_choice (?:is one of the strings that should be|must either be)",
        r"(?<![\w.])(?:body\.)?tool_choice(?:\.\w+){0,4}: (?:input should be|value error)",
    ),
    # FastAPI's check of the type, OpenAI, llama.cpp before it knew schemas
    "response_format": (
        rf"(?:input should|must) be (?:one of )?{_KIND_OF_FORMAT}(?:, | or |, or ){_KIND_OF_FORMAT}\b(?!(?:, | or |, or |, and | and )json_schema)",
        r"invalid value:? json_schema\b",
    ),
    # Mistral's templates, of which a later one allows a first system message; a schema's list of roles
    "system_role": (
        r"system messages? (?:must|should|can only) (?:be|appear|come) (?:at the (?:beginning|start)|(?:the )?first)",
        r"only user (?:and|or) (?:assistant|model) (?:roles|messages) are (?:supported|allowed)(?!.{0,3}with the exception)",
        r"only [a-z, ]{4,40} roles are supported, got (?:system|developer)\b",
        r"input should be user or (?:assistant|model)\b(?!, got (?!system|developer))",
        # LangChain's clients of Anthropic and Google
        r"multiple (?:non-consecutive )?system messages",
        r"unexpected message with type .{0,60}\.systemmessage\b",
    ),
}
_REASONING = r"(?:reasoning_content|\bmessages\W\d{1,5}\W{1,2}(?:assistant\W)?reasoning)\b"
_REASONING_DEMANDS = (
    # DeepSeek, before V4 and since; its Anthropic protocol speaks of `content[].thinking`
    r"\bmissing (?:the |a )?(?:required )?(?:field )?reasoning_content\b",
    r"\breasoning_content\b.{0,60}?\b(?:must|should|has to|have to|needs? to) be (?:passed|sent|provided|included|returned|given)\b",
    r"\bcontent\[\]\.thinking\b.{0,40}?\bmust be passed back\b",
    # Moonshot
    r"\breasoning_content (?:field )?(?:is|was) (?:missing|required|not (?:provided|found|set))\b",
)
_NO_REASONING = (
    # Groq and Cerebras; Groq of models that do not think
    _REASONING + r"(?:: reasoning)? (?:is|are) (?:currently )?" + _NOT_SUPPORTED,
    # Mistral, and whoever checks with pydantic
    _UNKNOWN_FIELD + r"(?:[\w.\[\]]{0,40}[.\]])?reasoning_content\b",
    r"additional properties are not allowed \((?:\w+, ?){0,4}reasoning_content (?:was|were)\b",
    # DeepSeek R1, before thoughts came with tools
    r"\breasoning_content\b.{0,60}?\b(?:(?:must|should|can|may) not be (?:included|passed|sent|present)|not (?:allowed|permitted))\b",
)
_ONE_SCHEMA = (
    "invalid schema for response_format",  # OpenAI
    # llama.cpp
    "json schema conversion failed",
    "failed to parse grammar",
    "json_schema or grammar can be specified, but not both",
    # vLLM, with its guidance and its xgrammar backend
    r"\bgrammar error\b",
    r"schema contains features not supported by \w+",
)
"""What is wrong with one schema or one grammar, which servers make of each other."""

WORDINGS: tuple[Wording, ...] = (
    *(Wording("reasoning", text, demands=True) for text in _REASONING_DEMANDS),
    *(Wording("reasoning", text) for text in _NO_REASONING),
    *(Wording("tools", text) for text in _NO_TOOLS),
    # JSON of any form is refused, which says nothing of schemas: LM Studio.
    Wording("response_format", r"response_format\.type must be (?:json_schema|text)\b", lasting=False),
    *(Wording(axis, text, lasting=False, only_ours=True) for axis in ("response_format", "grammar") for text in _ONE_SCHEMA),
    # Templates without a system role that count it among the turns
    Wording("system_role", r"roles (?:must|should|have to) (?:be )?alternat(?:e|ing)\b", lasting=False, only_ours=True),
    *(Wording(axis, text) for axis, texts in _OTHER_REFUSALS.items() for text in texts),
    *(Wording(axis, text, only_ours=axis == "grammar") for axis, named in _THINGS.items() for text in _refusals(*named)),
)  # fmt: skip

REFUSAL_CODE = (
    r"^(?:un(?:supported|known|recogni[sz]ed|expected)_(?:request_)?(?:param(?:eter)?|argument|field|feature)s?"
    r"|(?:param(?:eter)?|argument|field|feature)s?_(?:is_)?(?:not_(?:supported|allowed|available)|unsupported))$"
)
"""The codes of errors that refuse the parameter that they name in `param`."""

# --- what narrows a refusal down to one kind of request ---

_CIRCUMSTANCE = (
    r"(?:stream(?:ing|ed|s)?|json[ _]mode|response[_ ]format|structured outputs?|logprobs|images?|"
    r"audio|batch)"
)
NARROWED_BEFORE = (
    rf"\b(?:{_CIRCUMSTANCE}|tool use|search|grounding|code execution) (?:mode )?(?:and |when using )?$"
    # Anything with tools is a combination, but a request.
    r"|(?<!\brequest )(?<!\brequests )with $"
)
NARROWED_AFTER = (
    rf"^\W{{0,2}}(?:in|with|when|while|if|during|together|alongside)\b.{{0,30}}?\b{_CIRCUMSTANCE}\b"
)

# --- too long for the window ---

_EXCEEDS = r"(?:exceed(?:s|ed|ing)?|(?:is |are )?(?:larger|longer|greater|more) than|overflow(?:s|ed)?|is over)"
_WINDOW = (
    r"(?:\bcontext (?:length|window|size|limit)|\bin the context\b|kontext|\bconte(?:xte|xto|sto)\b|\bkontekst|\bbağlam|контекст|上下文|コンテキスト|컨텍스트|السياق"
    r"|\bmax_(?:seq|model)_len\b|\bkv cache\b|\bn_ctx\b)"
)
_PAST_IT = (
    rf"(?:{_EXCEEDS}|too (?:large|long|big)|not fit|\bfull\b|not enough (?:room|space)|überschr|länger als|zu (?:lang|groß)|dépass|trop long|\bsupera|\bexced|demasiado|troppo lung"
    r"|przekr|za dług|\baş\w{0,4}yor|превы|超|초과|تجاوز)"
)
TOO_LONG = (
    r"\b(?:prompt|input(?: tokens?| length)?)(?: \([^)]{0,40}\))? exceed(?:s|ed)? (?:the |its )?(?:max|limit|allowed)",
    # In any language and order: the window, that it is exceeded, and a number.
    rf"^(?=.{{0,1500}}?{_WINDOW})(?=.{{0,1500}}?{_PAST_IT})(?=.{{0,1500}}?\d{{3}})",
    # Most servers: something exceeds the window, or the window is exceeded
    rf"\b(?:{_EXCEEDS}|too (?:large|long) for)(?: \S+){{0,5}}? (?:context (?:length|window|size|limit)|model length|number of tokens|tokens? limit)\b",
    r"\bcontext (?:size|window|length|limit) (?:has been |was |is )?exceed(?:ed|s)",
    # OpenAI, Azure, vLLM, DeepSeek, OpenRouter, Fireworks, Mistral, xAI
    r"\bmodels? maximum context length\b",
    r"\bmaximum (?:context|model|prompt|input) length (?:is|of) [\d,]{2,}.{0,40}?(?:however|but|and your|tokens? and)",
    # Anthropic, Bedrock, Fireworks, Ollama
    r"\b(?:prompt|input|conversation|request) is too long\b(?!.{0,40}characters)",
    r"\breduce the length of the (?:messages|prompt|input)\b",  # Groq
    r"\btoo many (?:input )?tokens\b.{0,80}?(?:prompt|total|model|input|context|can not)",  # Cohere
    r"\binputs (?:tokens \+ max_new_tokens must be <=|must have less than) ?[\d,]+",  # TGI, Together
    r"\bmax_tokens must be at least 1, got -\d",  # vLLM, of what is left for the reply
    # DashScope, Zhipu
    r"\brange of input length should be \[\d",
    r"\bprompt 超长|上下文.{0,10}超",
    r"\brequest body too large for .{0,60}?\bmax size: [\d,]+ tokens\b",  # GitHub Models
)
"""How servers say that a request does not fit the window."""

# --- what an error is about, by its status, its codes or its class ---


@dataclass(frozen=True, slots=True)
class Matter:
    """What errors are about, whatever words come with them."""

    statuses: frozenset[int] = frozenset()
    codes: frozenset[str] = frozenset()  # in their bodies
    classes: tuple[str, ...] = ()  # what the name of their class contains

    def __or__(self, other: "Matter") -> "Matter":
        """Either of them."""
        statuses, codes = self.statuses | other.statuses, self.codes | other.codes
        return Matter(statuses, codes, (*self.classes, *other.classes))


LENGTH = Matter(
    codes=frozenset({
        "context_length_exceeded", "exceed_context_size_error", "context_window_exceeded",
        "tokens_limit_reached", "model_context_window_exceeded",
    }),
    classes=("contextoverflow", "contextwindowexceeded", "contextlengthexceeded"),
)  # fmt: skip
_ACCESS = Matter(
    frozenset({401, 402, 403, 407, 408, 425, 429}),
    frozenset({
        "rate_limit_exceeded", "rate_limit_error", "insufficient_quota", "invalid_api_key", "content_filter",
        "content_policy_violation", "authentication_error", "permission_error", "overloaded_error", "model_not_found",
    }),
    ("timeout", "connect", "ratelimit", "authentication", "permission", "cancel", "contentpolicy"),
)  # fmt: skip
"""A timeout, a rate limit, a refused key or a content policy is never evidence."""

_UNAVAILABLE = Matter(frozenset({409, *range(502, 600)}))
NO_REFUSAL = _ACCESS | LENGTH | _UNAVAILABLE | Matter(
    codes=frozenset({
        "tool_use_failed", "invalid_prompt", "string_above_max_length", "array_above_max_length", "invalid_function_parameters",
    })
)  # fmt: skip
"""Status 500 and 501 are evidence by their words: llama-server refuses tools with 500."""

NO_REFUSED_FORM = _ACCESS | LENGTH | Matter(
    frozenset(range(501, 600)), frozenset({"tool_use_failed", "output_parse_failed"})
)  # fmt: skip
OTHER_THAN_PARSING = _ACCESS | LENGTH | Matter(frozenset({404, 409, 413}))
"""What is never about a reply that a server could not parse."""

NOT_TOO_LONG = _ACCESS | _UNAVAILABLE | Matter(frozenset({404}))

NO_REFUSAL_WORDS = (
    "invalid schema", "schema contains features", "schema conversion", "reasoning_content", "context length", "content filter",
)  # fmt: skip
NOT_TOO_LONG_WORDS = (
    r"\bper (?:minute|min|day|hour|second)\b|\b[tr]pm\b|\brate limit|\bquota\b|\btimed? ?out\b"
)
CALLERS_MATTER = (
    r"context (?:length|size|window)|too (?:long|large|many tokens)|maximum (?:context|length|number)|max_tokens|token limit"
    r"|api key|credential|unauthori[sz]ed|permission|quota|billing|credit|balance|rate limit"
    r"|content (?:policy|filter|management)|safety|moderation|flagged|overload|try again later"
    r"|\b(?:location|region|country|territory)\b.{0,40}\bnot (?:supported|available|allowed)"
    r"|model\b.{0,60}(?:not found|not exist|unknown|invalid\b|no longer|deprecated|not available)|(?:unknown|invalid|no such) model"
)
"""What our additions have nothing to do with."""

# --- the same words in other languages ---

NAME_ABROAD = r"\bno(?:m|me|mbre)\b|\bnazw|\bимя\b|名称|名前|이름"
EMPTY_ABROAD = r"不能为空|пуст|vac[ií]|\bvide\b|\bleer\b|空です|비어"
MESSAGE_ABROAD = r"消息|сообщени|mensaje|nachricht|メッセージ|메시지"
CALLERS_MATTER_ABROAD = (
    r"余额|欠费|充值|稍后|审核|违规|不合规|敏感|saldo|guthaben|solde|баланс|средств|残高|잔액|no healthy upstream|\bstill loading"
    r"|(?:mod[eè]l|модел|模型|モデル|모델)(?:\w|\W){0,60}?(?:no est[áa] disponible|nicht (?:gefunden|verfügbar)|не (?:найден|доступ)|недоступ"
    r"|introuvable|indispon[ií]ve?l|non disponibile|不存在|不可用|存在しません|찾을 수 없)"
)
"""What is the caller's in other languages: a balance, a content policy, a model that is not there."""
