"""Dates in the spelling that a schema asks for."""

import pytest

from langchain_toolemu.validation import fit


def described(text):
    return {"type": "string", "description": text}


# What the model wrote, what the schema says, and what the call has.
DATES = [
    ("July 10, 2022", described("The format is MM-DD-YYYY."), "07-10-2022"),
    ("10 July 2022", described("The day in yyyy-mm-dd format."), "2022-07-10"),
    ("the 10th of July, 2022", described("In yyyy-mm-dd format."), "the 10th of July, 2022"),
    ("10th of July, 2022", described("In yyyy-mm-dd format."), "2022-07-10"),
    ("2022-7-9", described("The day as DD/MM/YYYY"), "09/07/2022"),
    ("Sept. 3rd, 2021", {"type": "string", "format": "date"}, "2021-09-03"),
    ("Sep 3 2021", {"anyOf": [{"type": "string"}, {"type": "null"}], "format": "date"}, "2021-09-03"),
    # It is right already, or may be two days.
    ("07-10-2022", described("The format is MM-DD-YYYY."), "07-10-2022"),
    ("07/10/2022", described("The format is MM-DD-YYYY."), "07/10/2022"),
    # No such day, no day at all, or more than a day.
    ("June 31, 2022", described("MM-DD-YYYY"), "June 31, 2022"),
    ("Mark 5, 2020", described("MM-DD-YYYY"), "Mark 5, 2020"),
    ("next Friday", described("MM-DD-YYYY"), "next Friday"),
    ("July 10, 2022 at noon", described("MM-DD-YYYY"), "July 10, 2022 at noon"),
    # Nothing is asked for, or two things are, or a time too.
    ("July 10, 2022", described("The day."), "July 10, 2022"),
    ("July 10, 2022", described("MM-DD-YYYY or YYYY-MM-DD"), "July 10, 2022"),
    ("July 10, 2022", {"type": "string", "format": "date-time"}, "July 10, 2022"),
    ("July 10, 2022", described("YYYY-MM-DDTHH:MM"), "July 10, 2022"),
    # The schema takes it as it is, and no other spelling.
    ("July 10, 2022", {**described("MM-DD-YYYY"), "enum": ["July 10, 2022"]}, "July 10, 2022"),
    ("July 10, 2022", {**described("MM-DD-YYYY"), "pattern": "^July"}, "July 10, 2022"),
]  # fmt: skip


@pytest.mark.parametrize(("wrote", "schema", "has"), DATES)
def test_a_date_is_spelt_as_its_schema_asks(wrote, schema, has):
    """The same day in another spelling, with a note; whatever may be another day stays as it is."""
    fitted = fit({"day": wrote}, {"type": "object", "properties": {"day": schema}})
    assert (fitted.args, fitted.errors) == ({"day": has}, ())
    assert bool(fitted.notes) == (wrote != has)


def test_dates_in_lists():
    """Each item has its schema."""
    schema = {"type": "array", "items": {"type": "string", "format": "date"}}
    fitted = fit({"days": ["May 1, 2020", "soon"]}, {"properties": {"days": schema}})
    assert fitted.args == {"days": ["2020-05-01", "soon"]}
