import pytest

from tests.unit_tests.reader.reading import NOW, said

CALL_OF_NOW = '{"name": "now", "arguments": {}}'
TAG = f"<tool_call>{CALL_OF_NOW}</tool_call>"
ASKED_AGAIN = ("now", "possible")


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("I will not call ", " since it is late."),
        ("Instead of calling ", ", I rest."),
        ("Earlier I called ", " and the result was 3."),
        ("Sure, I call ", "   to see."),
        ("payload = ", ""),
        ("print(json.dumps(", "))"),
        ("> ", ""),
        ("So he wrote:\n> I send ", "."),
        ("<!-- ", " -->"),
    ],
)
@pytest.mark.parametrize("call", [CALL_OF_NOW, f"[{CALL_OF_NOW}]", "[now()]"])
def test_what_speaks_of_a_call_is_asked_for_again(before, call, behind):
    """A call inside a sentence, code or a quotation may be meant or not: it stays where it is, and is asked about."""
    outcome = said(before + call + behind)
    assert ASKED_AGAIN in outcome
    assert "".join(part for part in outcome if part != ASKED_AGAIN) == before + call + behind


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("Sure, ", ""),
        ("Sure! ", " Hope that helps."),
        ("Sure, ", " Hope that helps."),
        ("I call: ", " and wait."),
        ("", " is what I call"),
        ("", ", and so on"),
        ("I call ", "."),
        ("I call ", "\nto see"),
        ("<!-- so --> ", ""),
        (">>> ", ""),
    ],
)
def test_what_announces_a_call_is_followed(before, behind):
    """A call that ends its line, or stands behind the end of a sentence, is meant."""
    outcome = [*([before] if before else []), NOW, *([behind] if behind else [])]
    assert said(before + CALL_OF_NOW + behind) == outcome


def test_an_object_in_code_inside_a_sentence():
    """Marks around it do not make more of it."""
    text = f"I will not call `{CALL_OF_NOW}` since it is late."
    assert said(text) == [text[:-18], ASKED_AGAIN, " since it is late."]


def test_an_element_inside_a_sentence():
    """A tag that is named after a tool may be a component of a page."""
    text = 'Use the component <Search query="tea" /> in your page.'
    assert said(text) == [text[:-13], ("search", "possible"), "in your page."]


@pytest.mark.parametrize("explicit_only", [True, False])
def test_a_tag_between_quotes(explicit_only):
    """Quotes inside a sentence make a tag a word of it; around the whole reply they mean nothing."""
    text = f'For example, "{TAG}" would do.'
    assert said(text, explicit_only=explicit_only) == [text]
    assert said(f'"{TAG}"', explicit_only=explicit_only) == ['"', NOW, '"']
    half = f'For example, "{TAG} would do.'
    assert said(half, explicit_only=explicit_only) == ['For example, "', NOW, " would do."]


def test_a_tag_inside_a_sentence():
    """A tag that can only mean a call means it in a sentence, too."""
    assert said(f"I call {TAG} now") == ["I call ", NOW, " now"]


def test_a_reply_is_asked_about_once():
    """However many calls it speaks of, nothing of it is lost."""
    calls = ", ".join([CALL_OF_NOW] * 3)
    text = f"I do not call [{calls}] since I called {CALL_OF_NOW} before."
    outcome = said(text)
    assert [part for part in outcome if not isinstance(part, str)] == [ASKED_AGAIN]
    assert "".join(part for part in outcome if isinstance(part, str)) == text
