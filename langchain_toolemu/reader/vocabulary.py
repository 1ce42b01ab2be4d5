"""The words and marks that models write around calls: in tags, as keys, as quotes.

One word covers every spelling of a tag: `toolcall` is `<tool_call>`, `<|tool_call|>`,
`[TOOL_CALL]`, `&lt;tool_call&gt;`.
"""

import re
from functools import lru_cache

import regex

from langchain_toolemu.language.phrases import keys

_LONGEST_KEPT = 64  # of what is kept in mind, a key; those of calls are shorter
_SEPARATORS = re.compile(r"[\s_\-\\]+")


def fold(key: str) -> str:
    """A key without case and separators: `toolName` and `tool_name` are one word."""
    return _folded(key) if len(key) <= _LONGEST_KEPT else _folded.__wrapped__(key)


@lru_cache(maxsize=256)
def _folded(key: str) -> str:
    return _SEPARATORS.sub("", key).lower()


def _ranked(*lines: str) -> dict[str, None]:
    return dict.fromkeys(" ".join(lines).split())


def _words(*lines: str) -> frozenset[str]:
    return frozenset(_ranked(*lines))


# What comes after such a word can only be meant as calls.
OPEN = _words(
    "toolcall toolcalls",  # Hermes, Qwen, Granite, Phi; Mistral, Jamba, Hunyuan
    # Anthropic, OLMo; Doubao; DeepSeek; Qwen
    "functioncall functioncalls functioncallbegin calls functioninvocation",
    "tooluse toolrequest toolcode usetool usemcptool",  # LM Studio, Gemma, Cline
    "toolcallbegin toolcallsbegin toolcallssectionbegin toolcallsectionbegin",  # DeepSeek, Kimi
    "toolcallstart actionstart startaction",  # LFM, InternLM, Command R
    # FunctionGemma, Apertus, Inkling
    "startfunctioncall toolsprefix special71 contentinvoketooljson",
    "pythontag pythonstart begintoolrequest begintoolrequests",  # Llama 3 and 4, PLaMo
)
PRINTING = frozenset({"toolcode"})  # Gemma: `print(f(a=1))` is how it calls
# Words that open calls too, but mean other things as well.
WEAK = _words("tool tools function functions action call invoke")
CLOSE = _words(
    "toolcallend toolcallsend toolcallssectionend toolcallsectionend functioncallend actionend",
    "endaction endfunctioncall endtoolrequest endtoolrequests toolssuffix special68 special72",
    "pythonend",
    "endofsentence endofturn endofturntoken messagesep",  # DeepSeek, Gemma, Command R, GigaChat
    "endofmessage endmessage contentmodelendsampling",  # Inkling
    "eos hyeos endoftext eom eomid eot eotid imend botend",
)
# Between a name and its arguments: DeepSeek, Kimi, Mistral, InternLM, Solar; PLaMo.
SEPARATOR = _words(
    "toolsep toolcallargumentbegin args callid plugin toolcallname toolcallargs",
    "begintoolname endtoolname begintoolarguments endtoolarguments constrain msg",
)
BEFORE_ID = _words("callid constrain")  # Mistral, PLaMo: says which call and how, not what
# Not the model's answer: its thoughts; Command, Apertus, PLaMo.
THOUGHT = _words(
    "think thinking thinkfast thinkfaster thought thoughts reasoning reflection analysis scratchpad"
)
THOUGHT_BEGIN = _words("startthinking beginofthought innerprefix special69 beginthink")
THOUGHT_END = _words("endthinking endofthought innersuffix special70 endthink")
# Nor are results it made up.
RESULT = _words(
    "toolresponse toolresponses tooloutput tooloutputs toolresult toolresults observation",
    "functionresult functionresults functionresponse functionoutput",
)
RESULT_BEGIN = _words("tooloutputbegin tooloutputsbegin starttoolresult")
RESULT_END = _words("tooloutputend tooloutputsend endtoolresult")
THOUGHTS = THOUGHT | THOUGHT_BEGIN | THOUGHT_END
REGION = THOUGHTS | RESULT | RESULT_BEGIN | RESULT_END
# What comes before the text of a message, and says what kind it is: gpt-oss, Functionary, Inkling.
CHANNEL = _words("channel from messagemodel contentthinking contenttext")
# Closers, and tokens of gpt-oss, Muse, Functionary, Inkling and PLaMo, that may be left after a
# call.
LEFT = _words("s turn answer response message end return stop tag")
# Of Kimi K3, between `<|open|>` or `<|close|>` and `<|sep|>`: what it holds is the answer.
SECTION = _words("response message")
MARKS = SECTION | _words("call end return stop endmessage")
ENDING = regex.compile(r"<\|(?:call|end|return|eom|eot|stop|end_message|plamo:tag)\|>")
# The beginning of a message: its author comes next, or is the word itself.
TURN = _words(
    "imstart startheaderid headerstart startofturn turn",  # ChatML, Llama 3 and 4, Gemma, Gemma 4
    "startofrole start extraid1",  # Granite, gpt-oss, Nemotron
)
OTHERS = _words("user human system developer ipython inst usertoken imuser imsystem")
OWN = frozenset({"assistant"})  # GLM-4, Phi
AUTHOR = OTHERS | RESULT | _words("tool function functions environment")
# Inside a call that is written as elements.
NAME = _words("name toolname functionname tool function")
PARAMETER = _words("parameter param argument arg value")
ARGUMENTS = _words("arguments args parameters params input toolinput json")
ITEM = _words("item element entry value li")  # of a list
PAIR = _words("argkey argvalue")  # GLM
PARTICULARS = _words("servername toolcallid argtype")  # Cline, K2: says where and how, not what

ENVELOPES = OPEN | WEAK | CLOSE | SEPARATOR | REGION | CHANNEL
ELEMENTS = NAME | PARAMETER | ARGUMENTS | PAIR | PARTICULARS
EVERY = ENVELOPES | ELEMENTS
IN_PROSE = ENVELOPES | TURN | OTHERS | OWN | MARKS

# Keys of an object, in order of trust: where two are present, the first wins. The last name is
# gemma4:e2b's.
_NAME_KEYS = _ranked(
    "name toolname functionname tool function action recipientname api apiname method toolcall"
)
_ARGUMENT_KEYS = _ranked(
    "arguments args parameters params actioninput toolinput toolargs toolarguments toolparameters",
    "functionarguments functionargs kwargs input inputs",
)
NAME_KEYS = _ranked(*_NAME_KEYS, *keys("name_keys"))
ARGUMENT_KEYS = _ranked(*_ARGUMENT_KEYS, *keys("argument_keys"))
LIST_KEYS = _words("toolcalls tools calls functioncalls functions actions tooluses")
# What `type` says of a call, rather than to it.
KINDS_OF_CALL = _words("function functioncall tool toolcall tooluse call object action")
INNER_KEYS = KINDS_OF_CALL - {"object"} | _words("usetool command ability nextaction")
# What models write next to a call.
_REMARKS = _words("description explanation comment plan step")
_PARTICULARS = _words(
    "thought thoughts thinking reasoning reason rationale"
    " id callid toolcallid type index role jsonrpc"
)
COMPANION_KEYS = _PARTICULARS | _REMARKS
# A name that models trained on OpenAI's wire give to a list of calls, and MCP's. Samples
# parallel-wrapper, mcp-request.
PARALLEL = _words("multi_tool_use.parallel parallel functions.multi_tool_use.parallel tools/call")
# The roles of the model's own messages. A call in a message of another role is not the model's.
OWN_ROLES = _words("assistant ai model bot agent")
# How the `type` of a result ends, and what names the call that a result belongs to.
KINDS_OF_RESULT = ("result", "results", "response", "output")
RESULT_KEYS = _words("toolcallid tooluseid")
# Next to `role`, in a whole message of OpenAI's wire format.
MESSAGE_KEYS = _words("content refusal annotations audio")

_CALL_KEYS = frozenset((*NAME_KEYS, *ARGUMENT_KEYS))
SHAPE_KEYS = _CALL_KEYS | LIST_KEYS | INNER_KEYS | COMPANION_KEYS
# All that an object may hold which states a call of a tool that is not bound. Any other key makes
# it an answer.
UNKNOWN_KEYS = frozenset((*_NAME_KEYS, *_ARGUMENT_KEYS)) | _PARTICULARS
# The keys a YAML body may begin with.
YAML_KEYS = _CALL_KEYS | LIST_KEYS | {"id", "type"}

# Opening quote -> what may close it. Sample smart-quotes: models mix them. A backslash before the
# quote: sample escaped-too-often. The two tokens are FunctionGemma's and Gemma 4's.
_ALIKE = ('"""', "'''", "&quot;", '\\"', "<escape>", '<|"|>', '"', "'", "`")
QUOTES: dict[str, tuple[str, ...]] = {
    **{quote: (quote,) for quote in _ALIKE},
    **dict.fromkeys("“”„", ("”", "“", '"')),
    **dict.fromkeys("\u2018\u2019", ("\u2019", "\u2018", "'")),
}
# Quotes that never are content: nothing between them is an escape, and the first that comes closes.
TOKENS = frozenset({"<escape>", '<|"|>'})
TRIPLE = frozenset({'"""', "'''"})
LONG_QUOTE = regex.compile("|".join(regex.escape(quote) for quote in QUOTES if len(quote) > 1))
QUOTE_STARTS = frozenset(quote[0] for quote in QUOTES)

# What can only come after a call: the closer of its envelope, or of a fence around it.
ENVELOPE_END = regex.compile(
    r"</|<[|\uff5c]|<tool|```|~~~|\[(?:/|END|TOOL_CALLS\]\s?[\w\[])|&lt;(?:/|tool)|JSON_END"
)

# The name of a tool in a program, and in an envelope; what comes before a block of code.
PLAIN_NAME = re.compile(r"[\w.\-\\]+")
WIDE_NAME = re.compile(r"[\w.:/\\-]+")
FENCE_MARKS = re.compile(r"[`~]+")
