"""Which texts a user quotes to be passed on, and what becomes of an argument that embellishes one of them."""

import pytest

from langchain_toolemu.turn.quotations import as_quoted, quoted_texts

QUOTED = [
    ("Send 'happy birthday' to Tom.", {"happy birthday"}),
    ('Send "happy birthday" to Tom.', {"happy birthday"}),
    ("Send “happy birthday” to Tom.", {"happy birthday"}),
    ("Send \u2018happy birthday\u2019 to Tom.", {"happy birthday"}),
    ("Send «happy birthday» to Tom.", {"happy birthday"}),
    ("Send `happy birthday` to Tom.", {"happy birthday"}),
    ("Send 'I don't know' to Tom.", {"I don't know"}),
    ("Send 'one' and 'two'.", {"one", "two"}),
    ("Don't send Tom's text.", set()),
    ("The boys' shoes and the girls' shoes.", set()),
    ("Send '!' to Tom.", set()),
    ("Send 'happy birthday!' to Tom.", set()),
    ("Send happy birthday to Tom.", set()),
    (f"Send '{'long ' * 200}' to Tom.", set()),
    ("Send 'hello' in capital letters.", set()),
    ("Add an exclamation mark to 'hello'.", set()),
    ("Correct 'i love paris' and send it.", set()),
]


@pytest.mark.parametrize(("message", "texts"), QUOTED)
def test_what_is_quoted(message, texts):
    """A text in quotation marks of any kind, no apostrophe, and none where the user speaks of spelling."""
    assert set(quoted_texts(message).values()) == texts


SPELT = [
    ("Happy birthday!", "happy birthday"),
    ("happy birthday.", "happy birthday"),
    ("happy birthday!!", "happy birthday"),
    ("Happy birthday", "happy birthday"),
    ("happy birthday", None),
    ("HAPPY BIRTHDAY", None),
    ("Happy Birthday", None),
    (".happy birthday", None),
    ("Happy birthday, Tom!", None),
    ("birthday", None),
    (7, None),
]


@pytest.mark.parametrize(("written", "expected"), SPELT)
def test_an_embellished_text_is_spelt_as_it_was_quoted(written, expected):
    """A first capital and a mark at the end are undone; everything else is the model's."""
    quoted = quoted_texts("Send 'happy birthday' to Tom.")
    assert as_quoted({"text": written}, quoted).get("text") == expected


@pytest.mark.parametrize(
    "said",
    [
        ["The file is Readme.", "Send 'readme' to Tom."],
        ["Send 'readme', or rather: Readme."],
    ],
)
def test_a_spelling_that_was_said_is_left_alone(said):
    """The model took it from the conversation."""
    assert as_quoted({"text": "Readme"}, quoted_texts(said[-1], said)) == {}
