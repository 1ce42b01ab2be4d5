"""English."""

from langchain_toolemu.language._old_policy import english_intent
from langchain_toolemu.language._old_policy.language import (
    Language,
    any_form,
    any_of,
    form_label,
    near,
)

_NOT = r"do not\b|don't\b|cannot\b|can't\b|can not\b|unable to\b|not able to\b|not capable of\b|have no\b|lack\b|not have\b|there (?:is|are) no\b|no\b"
_POWERS = (
    r"\baccess|\babilit|\bcapabilit|\bbrows(?:e|ing)|\binternet|\bthe web|\breal[- ]time|\blive|\bup-to-date|\bexternal|\btools?\b|\bfunctions?\b|\bapis?\b|\bexecut|\brun (?:code|commands|programs)|\bperform|\binteract|\bretriev|\bfetch"
    r"|\blook up|\bcheck (?:the|current)|\bdirectly"
)
_AHEAD = r"(?:'ll|(?: first| now| also| still| just)?(?: will| shall| must| should| need to| have to| plan to))"
_ABOUT_TO = r"i(?:'m| am) (?:just |now |also |first |still )?(?:going to|gonna|about to)"
_LET_ME = any_of("let me, let us, let's, allow me to, my next step is to")
_INTENT = (
    rf"\b(?:(?:i|we){_AHEAD}|{_ABOUT_TO}|i(?:'ve| have) got to|we(?:'re| are) going to|{_LET_ME}) "
)
_ELIDED = r"^(?:(?:so|now|next|then|first|ok|okay|alright|sure|great),? )*"
_NOW = r"(?:(?:now|first|next|then|just|quickly|also|simply|directly|immediately|again|therefore|actually|go ahead and|proceed to|start by|begin by|continue by|proceed by|proceed with|try to|try|be|need to|have to),? )*"
_CALL = (
    r"(?:call(?:ing)?|us(?:e|ing)|run(?:ning)?|invok(?:e|ing)|execut(?:e|ing)|try(?:ing)?|query(?:ing)?|trigger(?:ing)?|retry(?:ing)?|re-?run(?:ning)?|(?:hand|pass|send|forward|delegate|submit) (?:this|that|it)(?: over| on)? to"
    r"|utili[sz](?:e|ing)|(?:double-|re-?)?check(?:ing)?|consult(?:ing)?|ask|switch to|turn to|start with|make (?:use of|(?:\w+ ){0,3}calls? to|an?)) "
)
_CALLING = r"(?:calling|using|running|invoking|executing|querying|trying|triggering|making (?:a|the) call to) "
_THE = r"(?:(?:the|my|our|a|an|both|available|provided|following|appropriate|relevant|right|correct|same|different|another|other|weather|search|file|tools?|functions?|command|called|named)[,:]? )*"
_DO = (
    r"(?!(?:explain|describe|show|tell|summar|outline|demonstrat|teach|walk|clarif|wait|stop|avoid|leave|hold|replac|compar|combin|suggest|recommend|assum|mention|implement|refactor)\w*|(?:not|never|only|let|be|have|give|go|help|agree"
    r"|stick|deal|end|finish|keep|know|need)\b|(?:write|make) (?:an? |some |the )?(?:script|code|program|tests?|function|example|snippet))\w{2,20}\b"
)
_WITH = r"\b(?:using|with|via|through|by (?:calling|using|running|invoking|querying|executing)|with a call to|(?:and|then) (?:then )?(?:call|use|run|invoke|execute)) "
_TOOL = r"@(?!,? (?:results?|outputs?|responses?|data|documentation|docs|schema|parameters?|arguments?|example|code|method|endpoint)\b)"
_REST = r"(?:\([^)]*\))?(?: (?:tool|function))?(?=\W*$|[,:.…]| (?:for|with|on|to|in|now|again|at|from|and|next|first)\b)"
_STATES = any_of("""
    is, are, was, were, be, return, returns, give, gives, take, takes, require, requires, can, will, may, should, fail, fails, raise, raises,
    work, works, does, has, need, needs, means, make, makes, help, helps, show, shows, let, lets, allow, allows, result, results, did, returned,
    gave, failed, throw, throws, produce, produces, yield, yields, cause, causes, provide, provides
""")
_STEPS = any_of(r"""
    (?:re-?|double[- ]?|cross[- ]?)?check, (?:re-?)?read, look, search, scan, open, view, inspect, examine, investigate, explore, analyze, analyse, review, verify, validate, test, debug, diagnose,
    troubleshoot, trace, find, locate, identify, determine, figure out, work out, fetch, retrieve, grab, pull, get, gather, collect, load,
    download, install, query, browse, navigate, visit, grep, research, dig, dive, list, (?:re-?)?run, execute, try, retry, create, write,
    edit, modify, update, change, adjust, fix, patch, correct, repair, refactor, implement, wire, add, append, insert, remove, delete, rename,
    replace, copy, save, store, build, compile, deploy, restart, configure, set up, format, commit, push, send, post, book, reserve, schedule,
    cancel, order, calculate, recalculate, compute, recompute, convert, compare,
    consider the file, consider the code, consider the data, delegate, handle, scroll, click, type, press, select, fill, take a screenshot, ask the,
    connect, log in, understand the, understand how, understand what, understand why, understand which, count, measure, see what, see if,
    see how, see whether, see which, see where, see the, make sure, do that, do this, do it, do so, move on, proceed, continue, go ahead, go through,
    keep looking, keep searching, keep reading, keep going, keep digging,
    (?:pass|forward|hand) (?:this|that|it)(?: over| on)? to the,
    call (?:the |a |an )?(?:\w+ ){0\,3}(?:tools?|functions?|api|endpoint|service),
    take (?:a|an|another)(?: \w+){0\,2} (?:look|peek),
    make (?:\w+ ){1\,4}?(?:changes?|edits?|fix|updates?|calls?|requests?|quer(?:y|ies)|reservation|booking),
    do an? (?:\w+ )?(?:search|lookup|check),
    put (?:\w+ ){1\,4}?in(?:to)? (?:your|the|my),
    set (?:an?|the|your) (?:\w+ )?(?:reminder|alarm|timer),
    (?:start|begin)(?= by | with | now|\W*$),
    use (?:\w+ ){1\,4}?(?:tools?|functions?|commands?|terminal|shell|api|browser|search|calculator|interpreter|debugger|database|editor)
""")
_NO_STEPS = any_of(r"""
    (?:re-?|double[- ]?|cross[- ]?)?check (?:back|in|with), (?:re-?)?read you, look forward, review what, find out (?:what|which|where) you, get back, get you, get to know,
    get this straight, get it right, (?:re-?)?run (?:through|you), try my, try to help, try to be, write back, write in, write short\w*, write more,
    write less, update you, add that, count on, make sure to, make sure you, make sure i,
    list (?:\w+ ){0\,3}(?:points|reasons|options|advantages|benefits|steps|examples|ways|things),
    move on to (?:the next|another) (?:topic|question|subject),
    continue to (?:be|learn|help|support|improve|assist|monitor),
    (?:start|begin) by (?:saying|explain|noting|introduc|thank)\w*,
    (?:start|begin) with (?!the |an? ), (?:start|begin) with the (?:basics|beginning)\w*
""")
_DOING = any_of("""
    checking, reading, searching, opening, running, fetching, loading, querying, testing, scanning, inspecting, retrieving, updating, installing
""")
_STEP_AHEAD = (
    rf"(?:\b(?:i{_AHEAD}|{_ABOUT_TO}|{_LET_ME}|we'll|i'd better|^time to) {_NOW}(?!{_NO_STEPS}\b){_STEPS}\b"
    rf"|\bi(?:'m| am) (?:now |just |currently |already )?(?:(?:double-)?{_DOING}|looking (?:up|at|into|for|through))\b"
    rf"|{_ELIDED}(?:{_DOING}|looking)\b(?=.*(?:\.\.\.|…|:|\bnow\.)\W*$))"
)

ENGLISH = Language(
    "English",
    openers=(
        "i'm sorry|i am sorry|sorry|apologies|i apologi|my apologies|unfortunately|regrettably|as an ai|as an artificial|as a language|as a large language|as a text|as an assistant|i'm an ai|i am an ai|i'm a language|i am a language"
        "|i'm a text|i am a text|i'm just|i am just|i don't|i do not|i cannot|i can't|i can not|i'm unable|i am unable|i'm not|i am not|i have no|i lack|i currently|currently, i|currently i|at the moment, i|at this time, i"
        "|there is no tool|there are no tools|no tool|it seems i|it looks like i"
    ),
    denials=near(_NOT, _POWERS),
    principles="(?:help|assist)(?: you)? with (?:that|this|such)|comply|against my|inappropriate|not appropriate|harmful|illegal|unethical|guidelines|polic(?:y|ies)",
    announcements=any_form(
        f"(?:{_INTENT}|{_ELIDED}(?:need to|going to|will) ){_NOW}(?:{_CALL}{_THE}|{_DO}.{{0,90}}?{_WITH}{_THE}){_TOOL}",
        rf"\b(?:a (?:sec|second|moment|minute)\b.{{0,12}}while i|let(?:'s| me) see what) (?:{_CALL})?{_THE}{_TOOL}",
        rf"\b{_CALL}{_THE}{_TOOL}.{{0,40}}\bi(?:'ll| will) do (?:that|it|so|this)\b",
        rf"\bi(?:'m| am) {_NOW}{_CALLING}{_THE}{_TOOL}",
        rf"{_ELIDED}{_CALLING}{_THE}{_TOOL}{_REST}(?!.*\b{_STATES}\b)",
    ),
    conditions=(
        r"(?<!see )(?<!check )(?<!verify )(?<!out )(?<!determine )(?<!know )\bif\b|\b(?:once|when|whenever|unless|until)\b|(?<!see )(?<!check )(?<!verify )(?<!determine )\bwhether\b|\bas soon as\b|\bwait for (?:you|the user)|\b(?:after"
        r"|before) (?:you|your)\b|\bin case\b|\b(?:would|could|might)\b|\b(?:upon|pending|with) (?:your|the user's) (?:ok|okay|permission|approval|confirmation|consent|go-ahead)\b|(?<!moment )(?<!moment, )\bplease\b(?! wait| hold| stand"
        r"| bear)|\b(?:let me know|tell me|give me(?! a (?:sec|moment|minute))|send me|provide me)\b|\b(?:need|require)s? (?:your|you|to know|to ask)\b|\byou (?:confirm|approve|agree|say|provide|want|can|need|may)\b|^(?:just |simply "
        r"|then )*(?:send|give(?! me a (?:sec|moment|minute))|share|specify|provide|upload|enter|type|choose|pick|say|reply|confirm|tell|name)\b|@.*\b(?:but|however|although|though)\b|\b(?:always|never|later|by default|example|e\.g"
        r"|for instance)\b|\b(?:every|each) (?:time|day|hour|minute|morning|week|turn|request)\b|\bfrom now on\b|\bfuture\b|\bgoing forward\b|\b(?:keep|continue|start|begin|stop|avoid) using\b|\bnext time\b|\b(?:as|where|if) (?:needed"
        r"|necessary|required)\b|@(?: again)? tomorrow\b|\b(?:questions|requests|queries)\b|(?<!@ )\b(?:says?|said|saying|writes|wrote|replie[sd]|responds?|responded|like this)\b|\b(?:agent|assistant|model|bot|llm|user|it|he|she"
        r"|they) (?:thinks?|decides?|announces?|prints?|outputs?|emits?)\b|@.*\bin (?:the|this|my|your|our) (?:code|script|snippet|program|app|implementation|tests?)\b"
    ),
    next_step=_STEP_AHEAD,
    waiting=(
        r"\bplease\b(?! (?:wait|hold|stand|bear))|\blet me know\b|\b(?:send|share|give|tell|provide|upload|paste|specify)\b.{0,24}\b(?:me|your?)\b|\b(?:from|with|back to|update) you\b|\bto you\b|\byou (?:mean|want|prefer|confirm|approve|have in mind)\b"
        r"|\byour (?:confirmation|approval|answer|reply|response|permission|input|decision|feedback|go-ahead)\b|\b(?:tomorrow|tonight|next (?:week|month)|every (?:day|morning))\b|^(?:\w+,? )?upload\b|\bbut i (?:need|have no|do not|don't|can't|cannot)\b"
    ),
    commit=english_intent.COMMIT,
    negation=r"not|never|nobody|no one|cannot|no longer|\w+n't|nor|instead of|rather than|no|nothing|none|neither",
    without=r"without",
    stop=r"and|but|so|yet|until|unless|before|till|because|since",
    act=r"run|running|execut\w*|call|calling|called|invok\w*|follow\w*|obey\w*|comply\w*|perform\w*|send|sending|sent|act on|acting on|carry|trigger\w*|honou?r\w*|launch\w*|proceed\w*|go ahead|us(?:e|ing|ed) (?:it|this|that|the)|mak(?:e|ing) (?:it|this|that|the|such|any)(?! up)|submit\w*|issue",
    refuse=english_intent.REFUSE,
    limit=r"until|before|unless|till|yet|again|any(?:thing)? (?:else|other)",
    consent=english_intent.CONSENT,
    ask=english_intent.ASK,
    hypothesis=english_intent.HYPOTHESIS,
    report=english_intent.REPORT,
    no_report=english_intent.NO_REPORT,
    suspect=r"suspicious\w*|malicious\w*|injection\w*|untrusted|phishing|harmful|unauthori[sz]ed|attack\w*|dangerous|risky",
    whether=r"if|whether",
    example=english_intent.EXAMPLE,
    examples=r"examples|samples|(?:some|several|many|various|different|a few|two|three) (?:\w+ )?(?:ways|forms|formats|variants)",
    advice=english_intent.ADVICE,
    manner=any_form(
        r"like (?:this|so)|as follows|(?:an?|any|every|each|all|such an?|tool|function) (?:\w+ ){0,2}(?:calls?|requests?|invocations?) (?:has|have|consists?|takes?|follows?|begins?|starts?|contains?|comprises?|(?:is|are) (?:written|made up|made of|formatted|structured|composed))|something like|along the lines of|expected (?:output|result|call|answer)(?=\W*\Z)|specimen(?=\W*\Z)|documentation(?=\W*\Z)",
        form_label(
            r"the|an?|its|this|here is|here's|expected|required|general|basic|standard|exact|following|tool|function|calls?|calling|requests?|input|output|response|arguments?|parameters?|json|object",
            r"(?<!json )format|syntax|schema|template|structure|skeleton|pattern|notation|signature|layout|shape|(?:general|basic) form",
            r"(?:of|for) [^:.!?]{0,24}(?:calls?|calling|requests?|tools?|functions?)|is|is this",
        ),
    ),
    result="outputs?|results?|responses?|answers?|repl(?:y|ies)|solution|commands?",
    first_person=r"i|i'\w+|we|me",
    past=r"(?:did|has|had|was|were|could)(?: not|n't)",
    retold=r"(?:that|this|it|which) (?:was|returned|gave|failed|worked)",
    known=r"the|is|are|to|you|i|it|this|that|for|and|of|in|on|my|your",
    pointer=r"this|these|the following|as follows|below|like so",
    clause=r"so|but|therefore|hence|however|and(?= (?:now |so |then )?(?:i|let|we)\b)",
    tool=r"tools?|functions?",
    call="(?<!to )calls?",
    embedded_question=r"(?:tell|know|knows|clue|forgot|forget|forgotten|asks|asked|asking|wonder\w*|sure|idea|remember\w*|find out|curious|let|inform|text|write|message|send|email|mail|say|ask|note|post|notify|remind|report|explain|show|give|reply|answer|comment|announce)(?:ing|s)?\b(?:(?!\b(?:that|(?:i|we)(?:'(?:m|ll|ve|d|re)| (?:am|are|will|have|was|were|can|cannot))|not to)\b(?![^.!?\n]{0,80}\band (?!that\b)))(?:[^.!?:\n]|[.:]\b)){0,60}\b(?:how|what|when|where|which|who|whether|why)",
    ask_somebody=r"ask|(?<!is )(?<!are )(?<!was )(?<!keeps )(?<!been )asking|question",
    depends=r"if(?! (?:possible|you (?:can|could|would|please|like|do not mind|don't mind)))|unless|otherwise|else|provided|in case|as long as|only when",
    no_request=(
        r"(?:how|what|when|where|which|who|whose|whether|why)\b(?!')[^.!?,;\n]*?(?=\band\b|[.!?,;\n]|\Z)|(?:is|are|was|were|do|does|did|has|am|(?:can|could|may|should) i)\b[^.!?\n]{0,200}\?|(?<!you )(?:will|already) \w+"
    ),
    tell=r"text|sms|mail|e-?mail|message|notify|inform|tell|write(?: to)?|let",
    people="customer client guest user member patient student person team",
    still_wanted="only|just|later|more|forget|worry",
    past_times=r"(?:has|have|had|'ve) (?:\w+ ){0,2}?(?:\w+ed|been|done|sent|told|said|paid|rung)|(?:i|he|she|it|we|you|they|who) (?:\w{3,}ed|went|sent|paid|told|said|rang|came|did|got)", each="one (?:for|per) (?:each|every)|one each", until="until|till|as soon as|keep (?:checking|watching|polling|an eye)", times=r"times(?! \d)", twice="twice|(?:and|plus|then) (?:another|one more)", thrice="thrice", then="and|then", again="again|once more", several="several many few couple more some multiple numerous",
    small_words=(
        "the an is am are of to and for what how you my it on with that do can this please from who when where why will be at not your have has was me we his her they our there their which"
        " should would could about into than then"
    ),
    common_words=(
        "the and for are you your yours with from that this these those what which who whom how when where why can could would should will shall may might must not please tell give find get set show make"
        " need want take let know into about using use used user users function tool tools given return returns value values type string number integer list name names optional required default specific"
        " specified based such like any all some one two have has had was were been being does did its they them their there here also very much more most many other others same just only than then yes our she him still too"
        " out over under after before between each every new gives finds gets sets shows makes needs wants takes uses returned types strings numbers lists"
    ),
    numbers={
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
        "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
        "thousand": 1000, "million": 1_000_000, "half": 0.5, "quarter": 0.25, "dozen": 12, "couple": 2, "pair": 2, "both": 2, "single": 1, "double": 2, "triple": 3, "once": 1, "twice": 2, "first": 1,
        "second": 2, "third": 3, "tomorrow": 1, "day": 1, "week": 1, "fortnight": 14, "month": 1, "year": 1, "hour": 1, "minute": 1, "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6,
        "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
    },
    money="dollars?|euros?|pounds?|quid|bucks?|francs?",
    parts_of_day="morning afternoon evening tonight night now",
    hours="noon midday midnight morning afternoon evening tonight night lunch now oclock half quarter one two three four five six seven eight nine ten eleven twelve",
    days=(
        "today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday weekend next january february march april may june july august september october november december"
        " christmas easter"
    ),
    in_progress=r"pending|running|queued?|compiling|building|deploying|installing|(?:up|down)?loading|waiting|processing|progress|starting|busy|not (?:yet|ready)|unread|no new|try again|\d+ ?%(?! (?:off|chance|humidity))",
    failure="error",
)  # fmt: skip
