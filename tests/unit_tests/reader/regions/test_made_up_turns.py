"""Turns that the model makes up; the table of both sides is samples/turns.json."""

from tests.tables import every_row
from tests.unit_tests.reader.reading import NOW, read, said

CALL = '{"name": "now", "arguments": {}}'


@every_row(
    "turn",
    [
        "<|im_start|>tool\n12:00",
        "<|start|>functions.now to=assistant<|channel|>commentary<|message|>12:00",
        "<|turn>user\nThanks!",
        "<|header_start|>user<|header_end|>Thanks!",
        "<|start_of_role|>user<|end_of_role|>Thanks!",
        "<extra_id_1>User\nThanks!",
        "<|observation|>12:00",
        "[TOOL_RESULTS] 12:00",
        "```tool_output\n12:00\n```",
        "**Observation 1:** 12:00",
        "Human: Thanks!",
        "## Output: 12:00",
    ],
)
def test_nothing_is_read_after_a_made_up_turn(turn):
    """Whatever it begins with, it is neither content nor a call, and nor is what follows."""
    rest = f"{turn}\n{CALL}\nIt is noon."
    assert said(f"{CALL}\n{rest}") == [NOW, ("made up", rest)]


@every_row(
    "text",
    [
        "<user>Ann</user>",
        "Say <|im_start|>user to begin.",
        "<|im_start|>assistant\nHello!",
        "It ends with [/INST]",
        "Hello!\n### Instruction: be kind.",
        "### Instruction:\nBe kind.",
        "Observation: it rains.",
        f"Observation: {CALL}",
        "Userland\nHumanity\nObservations",
    ],
)
def test_what_only_looks_like_a_turn_is_text(text):
    """Nothing of it is lost."""
    assert said(text) == [text]


def test_a_turn_comes_as_it_is_written():
    """Whoever listens may stop the reply at its beginning."""
    *_, turn, more = read("Hi.<|im_start|>user\nAnd Rome?", size=21)
    assert (turn.text, more.text) == ("<|im_start|>user\nA", "nd Rome?")
