"""Whether a line is one of a program, and a name in it a program's: `client.search(query="x")`.

The rule of this module: after a namespace that was not announced a name may as well be a method, so the call must fit
its tool to the letter, and neither the line before it nor the one after may be code. A plain name is a program's only
below a line that can be nothing else.
"""

import re

from langchain_toolemu.reader.call_arguments import FoundCall, fits
from langchain_toolemu.reader.context import Context
from langchain_toolemu.reader.vocabulary import PLAIN_NAME
from langchain_toolemu.reader.window import Waiting
from langchain_toolemu.tools import fold_name

ANNOUNCED = frozenset({"functions", "function", "tools", "tool", "api", "default_api"})

_LOOKAHEAD = 160
_CODE = re.compile(
    r"[ \t]{0,40}(?:(?:import|from|def|class|for|while|if|elif|else|with|try|except|return|print"
    r"|async|await|assert|const|var|let|function|package|using|public)\b[^.]*\Z"
    r"|[\w.\[\]'\", ]{1,80}[-+*/|&]?=(?!=)|[\w.]{1,80}\(|[#@}\])]|//|/\*|>>>|\$ )"
)
_MENTION = re.compile(r"[^\w\n]{0,8}([\w.\-\\]{1,128})\(")
# What no sentence begins with, so that even a bound tool's plain name below it is a program's.
_PROGRAM = re.compile(
    r"[ \t]{0,40}(?:import \w{1,80}|from [\w.]{1,80} import\b|def \w{1,80}\(|class \w{1,80}[(:]"
    r"|(?:for|while|if|with|elif|try|else|except)\b.{0,120}:\Z|[\w.]{1,80} = [\w.]{1,80}\()"
)


def is_foreign(context: Context, word: str) -> bool:
    """Whether a tool's name comes after a namespace of unknown origin."""
    first, dot, _ = word.strip("*").partition(".")
    spec = context.resolve(word) if dot and first.lower() not in ANNOUNCED else None
    return spec is not None and not fold_name(word).startswith(fold_name(spec.name))


def follows_code(context: Context) -> bool:
    """Whether the line before is one of a program."""
    return bool(_CODE.match(context.prose.line_before))


def follows_program(context: Context) -> bool:
    """Whether the line before can only be one of a program. Sample program-without-a-fence."""
    return bool(_PROGRAM.match(context.prose.line_before))


def follows_mention(context: Context) -> bool:
    """Whether the line before speaks of a call, as one of a list does. Sample hi-json-warm."""
    found = _MENTION.match(context.prose.line_before)
    return found is not None and context.resolve(found[1]) is not None


def fits_alone(found: FoundCall) -> bool:
    """Whether a call leaves nothing to be wished for."""
    return found.spec is not None and not found.fault and fits(found.args, found.spec)


def precedes_code(context: Context) -> Waiting[bool]:
    """Whether the next line is one of a program, and not a call of its own."""
    line = yield from context.window.ask(_LOOKAHEAD, _next_line)
    name = PLAIN_NAME.match(line)
    return bool(_CODE.match(line)) and not (name and context.resolve(name.group()))


def _next_line(ahead: str, final: bool) -> str | None:
    line, newline, _ = ahead.lstrip().partition("\n")
    return line if newline or final else None
