"""What the words in tags mean. Data only; one line covers every spelling of a tag.

`toolcall` is `<tool_call>`, `<|tool_call|>`, `<TOOL-CALL>`, `[TOOL_CALL]` and `&lt;tool_call&gt;`.
"""

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
