"""The table of options in docs/api.md, written from the table in the package: `python -m tests.unit_tests.options_page`."""

from pathlib import Path

from langchain_toolemu.options import OPTIONS, Option, ValueKind

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
_BEGIN, _END = "<!-- options -->\n", "<!-- end of options -->\n"
_HEAD = "| option | values | default | in `toolemu.toml` | a client of the gateway | sent | what it is for |"


def write_page() -> str:
    """The whole page, with the table as it is to be."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(_BEGIN)
    after = rest.split(_END)[1]
    rows = "\n".join(map(_row, OPTIONS.values()))
    return f"{before}{_BEGIN}\n{_HEAD}\n|{'---|' * 7}\n{rows}\n\n{_END}{after}"


def _row(option: Option) -> str:
    words = [f"`{word!r}`" for word in option.words]
    cells = (
        f"`{option.name}`",
        ", ".join([*words, *(kind.name for kind in option.kinds)]),
        f"`{option.default!r}`",
        _in_file(option),
        _by_client(option),
        "yes" if option.changes_request else "no",
        option.sentence,
    )
    return f"| {' | '.join(cells)} |"


def _in_file(option: Option) -> str:
    if not option.in_config:
        return "no"
    aside = [kind.name for kind in option.kinds if kind.in_python_only]
    return f"yes, but for {' and '.join(aside)}" if aside else "yes"


def _by_client(option: Option) -> str:
    if isinstance(option.client, ValueKind):
        return option.client.name
    if not option.client:
        return "no"
    return "only tighter" if option.allows_client else "any word"


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
