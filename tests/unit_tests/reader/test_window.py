import re

from langchain_toolemu.reader.window import Window

WORD = re.compile(r"\w+")


def run(step, window, pieces):
    """What a step returns when pieces are fed to it."""
    try:
        next(step)
        for piece in pieces:
            window.feed(piece)
            next(step)
        window.ended = True
        next(step)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("it still waits")


def test_consumed_text_leaves_the_window():
    """The window holds only what is not consumed, and `take` gives what was."""
    window = Window("abc")
    window.pos = 2
    window.feed("def")
    assert (window.text, window.pos) == ("cdef", 0)
    window.pos = 1
    assert window.take() == "abc"
    assert window.take() == ""


def test_ahead_says_whether_waiting_would_change_it():
    """What comes next is certain if it is long enough or the reply has ended."""
    window = Window("abc")
    assert window.ahead(2) == ("ab", True)
    assert window.ahead(5) == ("abc", False)
    window.ended = True
    assert window.ahead(5) == ("abc", True)


def test_peek_waits_and_ends_in_nothing():
    """A character is waited for; at the end there is none."""
    window = Window()
    assert run(window.peek(), window, ["x"]) == "x"
    window = Window()
    assert run(window.peek(), window, []) == ""


def test_run_goes_on_across_pieces():
    """A run of characters is one, however it is cut."""
    window = Window()
    assert run(window.run(WORD), window, ["ab", "cd", " e"]) == "abcd"
    window = Window()
    assert run(window.run(WORD), window, ["ab"]) == "ab"


def test_a_name_begins_with_a_letter():
    """A digit or a sign begins no name."""
    window = Window()
    assert run(window.name(WORD), window, ["1a "]) == ""
    window = Window()
    assert run(window.name(WORD), window, ["_a1 "]) == "_a1"


def test_until_stops_before_a_match_or_at_the_end():
    """Text is consumed up to a character, or all of it."""
    window = Window()
    assert run(window.until(re.compile("<")), window, ["ab", "c<d"]) == "abc"
    window = Window()
    assert run(window.until(re.compile("<")), window, ["ab", "c"]) == "abc"
