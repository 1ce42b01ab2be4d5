"""Literals as models write them: JSON, Python and JavaScript values, read leniently and as they come."""
