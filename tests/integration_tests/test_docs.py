"""Every snippet of the README, the docs and the docstrings works as it stands."""

import ast
import contextlib
import inspect
import logging
import pkgutil
import re
import textwrap
import warnings
from importlib import import_module
from pathlib import Path

import pytest

import langchain_toolemu
from langchain_toolemu import Dialect
from langchain_toolemu.turn.reasks import REASKS, label_of
from tests import reference
from tests.playground import playground
from tests.tables import every_row

# It keeps the standard error of its first import for good, which must not be that of one captured test.
with contextlib.suppress(ImportError):
    import mcp.client.stdio  # noqa: F401


ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "internals").glob("*.md")),
]
NEEDS = {
    "langgraph.md": "langgraph.checkpoint.sqlite",
    "mcp.md": "langchain_mcp_adapters",
    "user-interfaces.md": "fastapi",
}
"""What a page's snippets import besides LangChain and its models."""
ELSEWHERE = {"hosted.md"}
"""Each of its snippets needs another package: test_hosted.py."""
_BLOCK = re.compile(
    r"^( *)(?:```python[^\n]*\n(.*?)^\1```|<!-- check\n(.*?)^\1-->)", re.MULTILINE | re.DOTALL
)


def snippets(text):
    """The Python blocks of a text and its hidden checks (`<!-- check` ... `-->`), each with its first line's number."""
    for block in _BLOCK.finditer(text):
        group = block.lastindex
        yield text.count("\n", 0, block.start(group)) + 1, textwrap.dedent(block.group(group))


def with_snippets(page):
    return page.name not in ELSEWHERE and any(snippets(page.read_text(encoding="utf-8")))


@pytest.fixture(autouse=True)
def _quiet_again():
    """A page that teaches logging must not teach it to the next test."""
    yield
    logging.getLogger("langchain_toolemu").setLevel(logging.NOTSET)


def marked(page):
    """A page; one whose snippets run the embedded model waits until it has the cores for itself."""
    on_the_model = (pytest.mark.model, pytest.mark.more("time: a call on the model"))
    marks = on_the_model if page.name == "embedded-model.md" else ()
    return pytest.param(page, marks=marks, id=page.name)


@pytest.mark.parametrize("page", [*map(marked, filter(with_snippets, PAGES))])
def test_the_snippets_of_a_page_run(page, tmp_path, monkeypatch):
    """Whoever copies a page's snippets one after the other gets a program that runs."""
    if page.name in NEEDS:
        pytest.importorskip(NEEDS[page.name], reason=f"{page.name} needs {NEEDS[page.name]}")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    before = set(namespace)
    with playground() as ground, warnings.catch_warnings():
        warnings.simplefilter("ignore", langchain_toolemu.ToolEmuWarning)
        for line, source in snippets(page.read_text(encoding="utf-8")):
            # The lines of an error are those of the page.
            lines = "\n" * (line - 1) + ground.at_home(source)
            exec(compile(lines, page, "exec", dont_inherit=True), namespace)
    assert set(namespace) > before, "no snippet did anything"


def documented():
    """Every public name and every public method of a public class, with its docstring."""
    homes = ("rounds", "local")
    modules = [import_module(f"langchain_toolemu.{home}") for home in homes]
    public = [getattr(langchain_toolemu, name) for name in langchain_toolemu.__all__]
    for module in modules:
        public += [value for value in vars(module).values() if _is_of(value, module)]
    for value in public:
        if isinstance(value, str | Dialect):
            continue
        yield value.__qualname__, value.__doc__
        for name, member in vars(value).items() if inspect.isclass(value) else ():
            if not name.startswith("_") and inspect.getdoc(member):
                yield f"{value.__qualname__}.{name}", member.__doc__


def _is_of(value, module):
    home = getattr(value, "__module__", "")
    return home.startswith(module.__name__) and not value.__name__.startswith("_")


DOCSTRINGS = {name: doc for name, doc in documented() if doc and "```python" in doc}


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_an_example_of_a_docstring_compiles(name):
    """An example is Python, and what it imports is there."""
    for _, source in snippets(inspect.cleandoc(DOCSTRINGS[name])):
        tree = ast.parse(source)
        assert tree.body, "an example without a line of code"
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        exec(compile(ast.Module(imports, []), name, "exec"), {})


def test_the_examples_of_the_chat_model_run_as_they_stand():
    """Its docstring has the sections of LangChain's own chat models, and is a program from its first line to its last."""
    doc = inspect.cleandoc(langchain_toolemu.ChatToolEmu.__doc__)
    sections = re.findall(r"^(\w[\w ]+):$", doc, re.MULTILINE)
    assert sections == ["Setup", "Instantiate", "Invoke", "Stream", "Async", "Tool calling", "Structured output", "Response metadata", "Args"]  # fmt: skip
    namespace = {}
    with playground() as ground, warnings.catch_warnings():
        warnings.simplefilter("ignore", langchain_toolemu.ToolEmuWarning)
        for _, source in snippets(doc):
            exec(compile(ground.at_home(source), "docstring", "exec", dont_inherit=True), namespace)
    assert [call["name"] for call in namespace["message"].tool_calls] == ["get_weather"]


def test_every_public_name_has_an_example():
    """Nothing is exported without showing how it is used."""
    public = set(langchain_toolemu.__all__) - {
        "__version__",
        "FENCED",
        "JSON",
        "MARKDOWN",
        "TAGGED",
    }
    assert public <= DOCSTRINGS.keys()


def text_of(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["agents.md", "troubleshooting.md"])
def test_every_reason_that_is_named_exists(name):
    """What a page tells people to look for in `reasks` is what stands there."""
    stages = "|".join({kind.concerns for kind in REASKS.values()})
    named = set(re.findall(rf"`((?:{stages}): \w+)`", text_of(name)))
    known = set(map(label_of, REASKS))
    assert named
    assert named <= known
    if name == "agents.md":
        assert named == known


PUBLISHED = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def without_code(page):
    """A page's text with its fragments in place, and without its blocks of code."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(
        r'^--8<-- "(.+)"$', lambda name: text_of(name[1]).rstrip(), text, flags=re.MULTILINE
    )
    return re.sub(r"^( *)(```+|~~~+).*?^\1\2", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """The names of a page's headings, as MkDocs and GitHub make them."""
    headings = re.findall(r"^#+ (.+)$", without_code(page), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", name).strip().lower()) for name in plain}


@pytest.mark.parametrize("page", PUBLISHED, ids=[str(page.relative_to(ROOT)) for page in PUBLISHED])
def test_links_lead_somewhere(page):
    """Every link to a file has its file, and every link to a heading its heading."""
    broken = []
    for link in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", without_code(page)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        root_page = (
            ROOT / f"{Path(path).stem.upper()}.md"
        )  # changelog.md of the site is CHANGELOG.md
        target = target if target.exists() else root_page
        known = anchor.startswith("langchain_toolemu") or not anchor
        if not target.exists() or not (known or anchor in anchors(target)):
            broken.append(link)
    assert broken == []


@every_row("name", re.findall(r"^::: (\S+)$", reference.page("api*.md"), re.MULTILINE))
def test_what_the_reference_names_is_there(name):
    """Each name of the API pages can be imported, so that the site can be built."""
    assert pkgutil.resolve_name(name) is not None


OVERFITTED = {"640": "fixed against", "of 648": "fixed against", "648 runs": "fixed against"}
"""Figures of suites that this package was fixed against, and the words without which no page may show them."""
HELD_OUT = (
    "indirect",
    "languages",
    "BFCL live simple",
    "BFCL live multiple",
    "BFCL live relevance",
)
LEFT_ALONE = ("near", "languages idle", "BFCL live irrelevance")


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_no_figure_of_a_suite_that_was_fixed_against_stands_alone(page):
    """Beside a rival stand held-out figures; others have their caveat in the same section."""
    for section in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        for figure, caveat in OVERFITTED.items():
            if re.search(rf"\b{figure}\b", section):
                assert caveat in section, figure


def test_the_readmes_figures_are_sums_of_held_out_suites():
    """Right calls and turns left alone, on the 1.5B, by a plain prompt and by this package."""
    rows = re.findall(
        r"^\| ([\w ]+) \| (\d+) \| (\d+) \| (\d+) \|", text_of("models.md"), re.MULTILINE
    )
    table = {name: [int(one) for one in figures] for name, *figures in rows}
    needed, plain, ours = (sum(column) for column in zip(*map(table.get, HELD_OUT), strict=True))
    idle, plain_idle, ours_idle = (
        sum(column) for column in zip(*map(table.get, LEFT_ALONE), strict=True)
    )
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"({plain} of {needed}; {ours} with this package)" in readme
    called = f"in {idle - plain_idle} of {idle} turns that need none (here {idle - ours_idle})"
    assert called in readme
    agents = {name: table[name][0] for name in ("default", "ad hoc prompt")}
    done = f"it finished {agents['ad hoc prompt']} of 80 unseen tasks (here {agents['default']})"
    assert done in readme
    bare, full = re.search(r"prompt tokens a turn,.*? \| \| (\d+) \| (\d+) ", text_of("models.md")).groups()  # fmt: skip
    assert f"{full} a turn on the 1.5B, {bare} with a bare prompt" in readme
    (asked,) = re.findall(r"^\| requests a turn,.* \| (\S+) \| (\S+) \|$", text_of("models.md"), re.MULTILINE)  # fmt: skip
    assert "A 0.5B takes {} requests a turn, a 135M {}.".format(*asked) in readme
    figure = (ROOT / "docs" / "figures" / "restraint.svg").read_text(encoding="utf-8")
    for said in (
        f"{plain} of {needed}",
        f"{ours} of {needed}",
        f"{plain_idle} of {idle}",
        f"{ours_idle} of {idle}",
    ):
        assert said in figure
    assert f"{ours_idle}](docs/figures" in readme
    assert f"langchain-toolemu {ours}. " in figure
    assert f'langchain-toolemu {ours_idle}."' in figure


COMPARED = (
    "BFCL live simple",
    "BFCL live multiple",
    "languages",
    "near",
    "BFCL live irrelevance",
)


def test_the_comparisons_figures_are_those_of_models():
    """The row of this package has the figures that docs/models.md has, in the same order."""
    row = re.search(r"^\| this package \| (.*) \|$", text_of("comparison.md"), re.MULTILINE)
    said = [re.findall(r"\d+", cell) for cell in row[1].split(" | ")]
    models = text_of("models.md")
    known = [re.search(rf"^\| {name} \| (\d+) \| \d+ \| (\d+)", models, re.MULTILINE) for name in COMPARED]  # fmt: skip
    assert said == [[found[2], found[1]] for found in known]


RIDDLES = (
    "Neither at first",
    "are twelve",
    "You set nothing for your model",
    "refuses what it asks about",
    "differ by one or two are equals",
    "As the system says",
    "told to reply in JSON calls tools",
)
"""Sentences that readers had to read twice."""


def test_no_page_speaks_in_riddles():
    """What puzzled readers does not come back."""
    told = {page.name: " ".join(page.read_text(encoding="utf-8").split()) for page in PAGES}
    assert [(name, one) for name, text in told.items() for one in RIDDLES if one in text] == []


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_no_snippet_shows_a_check(page):
    """What only the tests want to know stands in a hidden check, below the snippet."""
    shown = re.findall(r"^ *```python.*?^ *```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert not [line for block in shown for line in block.splitlines() if "assert " in line]
