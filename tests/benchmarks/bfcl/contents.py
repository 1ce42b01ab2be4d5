"""What string arguments are made to say, so that a fault has something to break.

Each text takes the place of a string argument that the schema leaves free; `{}` is what it said before.
"""

# Valid wherever it stands, if it is written without a fault.
TROUBLE = (
    'if (x) { return "}"; }  // {}',
    "```python\nprint('{}')\n```",
    "see </tool_call> and <tool_call> in {}",
    '{"name": "other", "arguments": {"a": 1}}',
    "[f(a=1), g(b=[2])] of {}",
    'a "quoted" word, "another": {x} [{}]',
    "it's {} o'clock",
    "def f(x):\n    return {'{}': [x]}  # comment // no comment\n\nprint(f(1))",
    "Action: stop\nAction Input: none of {}",
    "back\\slash, \\n no line break, {}",
    "{{template}} and ${var} of {}",
    "<b>{}</b> & &lt;b&gt;",
    "<think>{}</think>",
    "x < 5 && y > 3; {}",
    "100%, #1, /* {} */ // all",
    "key: {}",
    "- {}",
    "no",
    "null",
    "1.10",
    "{} ,",
    "{}}",
    "({})",
)
SMART = (
    "\u201c{}\u201d",
    "it\u2019s {}",
    "\u2018{}\u2019 \u2013 \u201cso to speak\u201d",
    "\u201e{}\u201c",
)
LINES = ("{}\nand a second line", "first\n\tindented {}\n\nlast", "{}:\n- one\n- two")
# No escape of JSON or Python among them.
BACKSLASHES = (
    r"\d+\s*{}\w",
    r"snake\_case of {}",
    r"50\% of \$5 \& {}",
    r"C:\Documents\Ω {}",
    r"\(x\)\. {}",
    r"{} \| more \*",
)
# Undoubled, these hold real escapes by accident; what stands beside them shows that they are none.
PATHS = (r"C:\Users\new\{}", r"D:\Games\table\bin\readme.txt", r"C:\Program Files\{}\nodes")
QUOTED = ('the "{}" one', 'a "{}" and a "second" thing', '5" by {}', '"{}" first', 'last "{}"')
# The inner quote stands where a string could end.
QUOTED_LIKE_AN_END = (
    'called "{}", not "other"',
    'set {"key": "{}"} now',
    'f("{}")',
    'either "{}": or "b"',
    '["{}"]',
)
APOSTROPHES = ("it's {}", "don't say {}, I can't", "the dogs' {} house isn't big")
FOREIGN = ("{} Zürich", "{} → 東京", "😀 {} naïve", "„{}“ ½")
