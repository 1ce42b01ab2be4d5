"""What stands in a text, and what does not."""

import pytest

from langchain_toolemu.policy.given import Given

STANDS = {
    "in other letters": ("Book for ANA RÜHL", "ana ruhl", "ana muhl"),
    "in another order of words": ("Park, Jo", "Jo Park", "Jo Parker-Lee"),
    "all words of it, not one": ("Jo is ill", "Jo", "Jo Park"),
    "in a script without blanks": ("请在东京订一张桌子", "东京", "大阪"),
    "its digits": ("call 555 0123", "+5550123", "+5550124"),
    "an id whole": ("order A-1000 please", "A-1000", "A-100"),
    "an id after a sign": ("order_id=A-1000, open", "A-1000", "order_id=A-10"),
    "an id in quotes": ('the id is "evt_7".', "evt_7", "evt_71"),
    "an address whole": ("mail ana@b.org.", "ana@b.org", "ana@b.com"),
    "a number in a text": ("room 12", "12", "13"),
    "a number as written": ("pay 12.50 now", 12.5, 12.6),
    "a thousand by either sign": ("1,200 or 3.400 euros", 1200, 1201),
    "a decimal by either sign": ("1,5 litres", 1.5, 2.5),
    "a thousand with an apostrophe": ("CHF 12'500", 12500, 125000.5),
    "minutes of hours": ("wait 3 hours", 180, 185),
    "cents of euros": ("EUR 12.99", 1299, 1298),
    "kilos of grams": ("2500 g of flour", 2.5, 2.7),
    "seconds of minutes": ("a timer for 10 minutes", 600, 650),
    "days of weeks": ("in 3 weeks", 21, 22),
    "a sum": ("120 and 35", 155, 156),
    "a difference": ("120 and 35", 85, 84),
    "a product": ("68 at 12.5 each", 850, 851),
    "a quotient": ("split 91 among 4", 22.75, 22.5),
    "less than none": ("turn it by 90", -90, -91),
    "the minutes of an hour do not matter": ("at 7 tomorrow", "07:00", "08:00"),
    "an hour by the other clock": ("at 3 pm", "15:00", "16:00"),
    "an hour by this clock": ("at 15:00", "3:30 pm", "4 pm"),
    "nothing in an empty text": ("", "", "a"),
}


@pytest.mark.parametrize(("text", "given", "other"), STANDS.values(), ids=STANDS)
def test_what_stands_and_its_opposite(text, given, other):
    """A value stands in other letters, endings, units and clocks; an id only whole."""
    assert Given(text).has(given)
    assert not Given(text).has(other)


def test_an_address_is_not_made_of_words():
    """That its parts stand somewhere does not give an address or an id."""
    assert not Given("Ana works at example, com").has("ana@example.com")
    assert not Given("order A, evt and 7").has("evt_7")


def test_of_very_many_numbers_the_last_count():
    """A long page takes no quadratic time."""
    numbers = Given(" ".join(map(str, range(1000, 3000)))).numbers
    assert 2999.0 in numbers
    assert 1000.0 not in numbers
