"""The words and marks that models write around calls: in tags, as keys, as quotes.

The rule of this module: data, and how a key is compared with it. One line covers every spelling of a tag:
`toolcall` is `<tool_call>`, `<|tool_call|>`, `<TOOL-CALL>`, `[TOOL_CALL]` and `&lt;tool_call&gt;`.
"""

import re
from functools import lru_cache

import regex

# What comes after such a word can only be meant as calls.
OPEN = frozenset(
    {
        "toolcall",  # Hermes, Qwen, Granite, Phi
        "toolcalls",  # Mistral, Jamba, Hunyuan
        "functioncall",
        "functioncalls",  # Anthropic, OLMo
        "functioncallbegin",  # Doubao
        "tooluse",
        "toolrequest",  # LM Studio
        "toolcallbegin",  # DeepSeek, Kimi
        "toolcallsbegin",
        "toolcallssectionbegin",
        "toolcallsectionbegin",
        "toolcallstart",  # LFM
        "actionstart",  # InternLM
        "startaction",  # Command R
        "startfunctioncall",  # FunctionGemma
        "toolsprefix",  # Apertus
        "contentinvoketooljson",  # Inkling
        "pythontag",  # Llama
        "pythonstart",  # Llama 4
        "begintoolrequest",  # PLaMo
        "begintoolrequests",
        "toolcode",
        "usetool",
        "usemcptool",  # Cline
    }
)
PRINTING = frozenset({"toolcode"})  # Gemma: `print(f(a=1))` is how it calls
# Words that open calls too, but mean other things as well.
WEAK = frozenset({"tool", "tools", "function", "functions", "action", "call", "invoke"})
CLOSE = frozenset(
    {
        "toolcallend",
        "toolcallsend",
        "toolcallssectionend",
        "toolcallsectionend",
        "functioncallend",
        "actionend",
        "endaction",
        "endfunctioncall",
        "endtoolrequest",
        "toolssuffix",
        "pythonend",
        "endtoolrequests",
        "endofsentence",  # DeepSeek
        "endofturn",  # Gemma
        "endofturntoken",  # Command R
        "endofmessage",
        "endmessage",  # Inkling
        "contentmodelendsampling",
        "messagesep",  # GigaChat
        "eos",
        "endoftext",
        "eom",
        "eomid",
        "eot",
        "eotid",
        "imend",
    }
)
# Between a name and its arguments.
SEPARATOR = frozenset(
    {
        "toolsep",  # DeepSeek
        "toolcallargumentbegin",  # Kimi
        "args",  # Mistral
        "callid",
        "plugin",  # InternLM
        "begintoolname",  # PLaMo
        "endtoolname",
        "begintoolarguments",
        "endtoolarguments",
    }
)
BEFORE_ID = frozenset({"callid"})  # Mistral: says which call, not what
# Not the model's answer: its thoughts.
THOUGHT = frozenset(
    {
        "think",
        "thinking",
        "thought",
        "thoughts",
        "reasoning",
        "reflection",
        "analysis",
        "scratchpad",
        "longcatthink",
    }
)
THOUGHT_BEGIN = frozenset({"startthinking", "beginofthought", "innerprefix"})  # Command, Apertus
THOUGHT_END = frozenset({"endthinking", "endofthought", "innersuffix"})
# Nor are results it made up.
RESULT = frozenset(
    {
        "toolresponse",
        "toolresponses",
        "tooloutput",
        "tooloutputs",
        "toolresult",
        "toolresults",
        "functionresult",
        "functionresults",
        "functionresponse",
        "functionoutput",
        "observation",
    }
)
RESULT_BEGIN = frozenset({"tooloutputbegin", "tooloutputsbegin", "starttoolresult"})
RESULT_END = frozenset({"tooloutputend", "tooloutputsend", "endtoolresult"})
THOUGHTS = THOUGHT | THOUGHT_BEGIN | THOUGHT_END
ASIDE = THOUGHTS | RESULT | RESULT_BEGIN | RESULT_END
# What comes before the text of a message, and says what kind it is.
CHANNEL = frozenset(
    {
        "channel",  # gpt-oss
        "from",  # Functionary
        "messagemodel",  # Inkling
        "contentthinking",
        "contenttext",
    }
)
# Closers, and tokens of gpt-oss, Muse, Functionary and Inkling, that may be left after a call.
LEFT = frozenset({"s", "turn", "answer", "response", "message", "end", "return", "stop"})
ENDINGS = frozenset(
    {"<|call|>", "<|end|>", "<|return|>", "<|eom|>", "<|eot|>", "<|stop|>", "<|end_message|>"}
)
# The beginning of a message: its author comes next, or is the word itself.
TURN = frozenset(
    {
        "imstart",  # ChatML
        "startheaderid",  # Llama 3
        "headerstart",  # Llama 4
        "startofturn",  # Gemma
        "turn",  # Gemma 4
        "startofrole",  # Granite
        "start",  # gpt-oss
        "extraid1",  # Nemotron
    }
)
OTHERS = frozenset(
    {"user", "human", "system", "developer", "ipython", "inst", "usertoken", "imuser", "imsystem"}
)
OWN = frozenset({"assistant"})  # GLM-4, Phi
AUTHOR = OTHERS | RESULT | {"tool", "function", "functions", "environment"}
# Inside a call that is written as elements.
NAME = frozenset({"name", "toolname", "functionname", "tool", "function"})
PARAMETER = frozenset({"parameter", "param", "argument", "arg"})
ARGUMENTS = frozenset({"arguments", "args", "parameters", "params", "input", "toolinput", "json"})
ITEM = frozenset({"item", "element", "entry", "value", "li"})  # of a list
PAIR = frozenset({"argkey", "argvalue"})  # GLM
PARTICULARS = frozenset({"servername", "toolcallid"})  # Cline: says where, not what

ENVELOPES = OPEN | WEAK | CLOSE | SEPARATOR | ASIDE | CHANNEL
ELEMENTS = NAME | PARAMETER | ARGUMENTS | PAIR | PARTICULARS
EVERY = ENVELOPES | ELEMENTS


_LONGEST_KEPT = 64  # of what is kept in mind, a key; those of calls are shorter
_SEPARATORS = re.compile(r"[\s_\-\\]+")


def fold(key: str) -> str:
    """A key without case and separators: `toolName` and `tool_name` are one word."""
    return _folded(key) if len(key) <= _LONGEST_KEPT else _folded.__wrapped__(key)


@lru_cache(maxsize=256)
def _folded(key: str) -> str:
    return _SEPARATORS.sub("", key).lower()


# In order of trust: where two are present, the first wins.
NAME_KEYS = (
    "name",
    "toolname",
    "functionname",
    "tool",
    "function",
    "action",
    "recipientname",
    "api",
    "apiname",
    "method",
    "toolcall",  # gemma4:e2b
)
ARGUMENT_KEYS = (
    "arguments",
    "args",
    "parameters",
    "params",
    "actioninput",
    "toolinput",
    "toolargs",
    "toolarguments",
    "toolparameters",
    "functionarguments",
    "functionargs",
    "kwargs",
    "input",
    "inputs",
)
LIST_KEYS = frozenset(
    {"toolcalls", "tools", "calls", "functioncalls", "functions", "actions", "tooluses"}
)
INNER_KEYS = frozenset(
    {"function", "toolcall", "functioncall", "tool", "call", "tooluse", "action"}
)
# What models write next to a call.
COMPANION_KEYS = frozenset(
    {
        "thought",
        "thoughts",
        "thinking",
        "reasoning",
        "reason",
        "rationale",
        "explanation",
        "description",
        "comment",
        "plan",
        "id",
        "callid",
        "toolcallid",
        "type",
        "index",
        "role",
        "step",
    }
)
# A name that models trained on OpenAI's wire give to a list of calls. Sample parallel-wrapper.
PARALLEL = frozenset({"multi_tool_use.parallel", "parallel", "functions.multi_tool_use.parallel"})
# What `type` says of a call, rather than to it.
KINDS_OF_CALL = frozenset(
    {"function", "functioncall", "tool", "toolcall", "tooluse", "call", "object", "action"}
)
# The roles of a message whose writer is the model. A call in any other's is none of the model's own.
OWN_ROLES = frozenset({"assistant", "ai", "model", "bot", "agent"})
# How the `type` of a result ends, and what names the call that a result belongs to.
KINDS_OF_RESULT = ("result", "results", "response", "output")
RESULT_KEYS = frozenset({"toolcallid", "tooluseid"})
# Next to `role`, in a whole message of OpenAI's wire format.
MESSAGE_KEYS = frozenset({"content", "refusal", "annotations", "audio"})

SHAPE_KEYS = (
    frozenset(NAME_KEYS) | frozenset(ARGUMENT_KEYS) | LIST_KEYS | INNER_KEYS | COMPANION_KEYS
)
# All that an object may hold which states a call of a tool that is not bound. Any other key makes it an answer.
UNKNOWN_KEYS = (
    frozenset(NAME_KEYS)
    | frozenset(ARGUMENT_KEYS)
    | COMPANION_KEYS - {"description", "explanation", "comment", "plan", "step"}
)
# The keys a YAML body may begin with.
YAML_KEYS = frozenset(NAME_KEYS) | frozenset(ARGUMENT_KEYS) | LIST_KEYS | {"id", "type"}


# Opening quote -> what may close it. Sample smart-quotes: models mix them.
QUOTES: dict[str, tuple[str, ...]] = {
    '"""': ('"""',),
    "'''": ("'''",),
    "&quot;": ("&quot;",),
    '\\"': ('\\"',),  # sample escaped-too-often
    "<escape>": ("<escape>",),  # FunctionGemma
    '<|"|>': ('<|"|>',),  # Gemma 4
    '"': ('"',),
    "'": ("'",),
    "`": ("`",),
    "“": ("”", "“", '"'),
    "”": ("”", "“", '"'),
    "„": ("”", "“", '"'),
    "\u2018": ("\u2019", "\u2018", "'"),
    "\u2019": ("\u2019", "\u2018", "'"),
}
# Quotes that never are content: nothing between them is an escape, and the first that comes closes.
TOKENS = frozenset({"<escape>", '<|"|>'})
TRIPLE = frozenset({'"""', "'''"})
LONG_QUOTE = regex.compile("|".join(regex.escape(quote) for quote in QUOTES if len(quote) > 1))
QUOTE_STARTS = frozenset(quote[0] for quote in QUOTES)

# The same in prose, where a quotation is somebody else's words.
SPOKEN_QUOTES: dict[str, tuple[str, ...]] = {
    '"': ('"',),
    "'": ("'",),
    "“": ("”", '"'),
    "„": ("“", "”"),
    "\u2018": ("\u2019", "'"),
    "«": ("»",),
    "»": ("«",),
    "「": ("」",),
    "『": ("』",),
    "《": ("》",),
}

# What can only come after a call: the closer of its envelope, or of a fence around it.
ENVELOPE_END = regex.compile(r"</|<[|\uff5c]|<tool|```|~~~|\[/|\[END|&lt;/|&lt;tool|JSON_END")

# The name of a tool in a program, and in an envelope; what comes before a block of code.
PLAIN_NAME = re.compile(r"[\w.\-\\]+")
WIDE_NAME = re.compile(r"[\w.:/\\-]+")
FENCE_MARKS = re.compile(r"[`~]+")
