"""How a notebook shows a model."""

from collections.abc import Mapping
from html import escape


def as_table(title: str, rows: Mapping[str, str]) -> str:
    """A heading and a line for each thing that there is to say."""
    lines = (
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in rows.items()
        if value
    )
    return f"<table><caption><b>{escape(title)}</b></caption>{''.join(lines)}</table>"
