"""Literals as models write them: JSON, Python and JavaScript values."""
