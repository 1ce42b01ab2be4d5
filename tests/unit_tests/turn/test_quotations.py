"""Which texts a user quotes, and what becomes of an argument that is one of them."""

import pytest

from langchain_toolemu.turn.quotations import as_quoted, quoted_texts

QUOTED = [
    ("Send 'happy birthday' to Tom.", ["happy birthday"]),
    ('Send "happy birthday" to Tom.', ["happy birthday"]),
    ("Send “happy birthday” to Tom.", ["happy birthday"]),
    ("Send \u2018happy birthday\u2019 to Tom.", ["happy birthday"]),
    ("Send «happy birthday» to Tom.", ["happy birthday"]),
    ("Send `happy birthday` to Tom.", ["happy birthday"]),
    ("Send 'I don't know' to Tom.", ["I don't know"]),
    ("Send 'one' and 'two'.", ["one", "two"]),
    ("Don't send Tom's text.", []),
    ("The boys' shoes and the girls' shoes.", []),
    ("Send '!' to Tom.", []),
    ("Send 'hi' or 'Hi' to Tom.", []),  # it has two spellings
    ("Send happy birthday to Tom.", []),
    (f"Send '{'long ' * 200}' to Tom.", []),
]


@pytest.mark.parametrize(("message", "texts"), QUOTED)
def test_what_is_quoted(message, texts):
    """A text in quotation marks of any kind, and no apostrophe."""
    assert list(quoted_texts(message).values()) == texts


SPELT = [
    ("Happy birthday!", "happy birthday"),
    ("HAPPY BIRTHDAY", "happy birthday"),
    ("happy birthday.", "happy birthday"),
    ("happy birthday", None),
    ("Happy birthday, Tom!", None),
    ("birthday", None),
    (7, None),
]


@pytest.mark.parametrize(("written", "expected"), SPELT)
def test_a_quoted_text_is_spelt_as_it_was_quoted(written, expected):
    """Other capitals and added marks are undone, other words are the model's."""
    quoted = quoted_texts("Send 'happy birthday' to Tom.")
    assert as_quoted({"text": written}, quoted).get("text") == expected


@pytest.mark.parametrize(
    ("written", "expected"), [("python lists", None), ("Python lists", "python lists")]
)
def test_a_full_stop_inside_the_marks_belongs_to_the_sentence(written, expected):
    """It is not added to what the model wrote."""
    quoted = quoted_texts('Search for "python lists."')
    assert as_quoted({"query": written}, quoted).get("query") == expected
