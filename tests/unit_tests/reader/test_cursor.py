import re

from langchain_toolemu.reader.cursor import Cursor

WORD = re.compile(r"\w+")


def run(step, cursor, pieces):
    """What a step returns when pieces are fed to it."""
    try:
        next(step)
        for piece in pieces:
            cursor.feed(piece)
            next(step)
        cursor.ended = True
        next(step)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("it still waits")


def test_consumed_text_leaves_the_window():
    """The window holds only what is not consumed, and `take` gives what was."""
    cursor = Cursor("abc")
    cursor.pos = 2
    cursor.feed("def")
    assert (cursor.window, cursor.pos) == ("cdef", 0)
    cursor.pos = 1
    assert cursor.take() == "abc"
    assert cursor.take() == ""


def test_ahead_says_whether_waiting_would_change_it():
    """What comes next is certain if it is long enough or the reply has ended."""
    cursor = Cursor("abc")
    assert cursor.ahead(2) == ("ab", True)
    assert cursor.ahead(5) == ("abc", False)
    cursor.ended = True
    assert cursor.ahead(5) == ("abc", True)


def test_peek_waits_and_ends_in_nothing():
    """A character is waited for; at the end there is none."""
    cursor = Cursor()
    assert run(cursor.peek(), cursor, ["x"]) == "x"
    cursor = Cursor()
    assert run(cursor.peek(), cursor, []) == ""


def test_run_goes_on_across_pieces():
    """A run of characters is one, however it is cut."""
    cursor = Cursor()
    assert run(cursor.run(WORD), cursor, ["ab", "cd", " e"]) == "abcd"
    cursor = Cursor()
    assert run(cursor.run(WORD), cursor, ["ab"]) == "ab"


def test_a_name_begins_with_a_letter():
    """A digit or a sign begins no name."""
    cursor = Cursor()
    assert run(cursor.name(WORD), cursor, ["1a "]) == ""
    cursor = Cursor()
    assert run(cursor.name(WORD), cursor, ["_a1 "]) == "_a1"


def test_until_stops_before_a_match_or_at_the_end():
    """Text is consumed up to a character, or all of it."""
    cursor = Cursor()
    assert run(cursor.until(re.compile("<")), cursor, ["ab", "c<d"]) == "abc"
    cursor = Cursor()
    assert run(cursor.until(re.compile("<")), cursor, ["ab", "c"]) == "abc"
