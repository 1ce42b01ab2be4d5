"""Facts about a wrapped model: what a turn reads of them, and what it reports back.

`turn` and `capability` share these values, and neither imports the other.
"""

from typing import Literal, TypeAlias

Axis: TypeAlias = Literal["tools", "tool_choice", "response_format", "system_role", "grammar"]
"""What a provider can have or lack, each on its own: a model with tools may refuse a forced choice of one.

The weightiest first: an error that refuses several is taken to refuse that.
"""

Verdict: TypeAlias = Literal["native", "none", "unknown"]
Evidence: TypeAlias = Literal["observed", "claimed", "text"]
TokenCount: TypeAlias = Literal["dropped", "counted", "unclear"]
Lesson: TypeAlias = Literal[
    "native_call",
    "demanded_call",
    "call_in_text",
    "choice_ignored",
    "check_found_call",
    "check_agreed",
    "denied_tools",
    "does_without_grammar",
    "does_without_schema",
    "does_without_system_message",
]
"""What a turn can find out of a model: it made a native call, or one that was demanded; it wrote a call as text; it ignored
a demand; emulation found a call that its reply lacks, or found none either; it denied having tools; a request failed with a
grammar, a schema or a system message of ours, and went well without."""
