"""The version, kept by hand in this one place."""

__version__ = "0.1.0"
