"""Every recipe of the cookbook solves its problem, whichever way the model writes its calls, and is short."""

import contextlib
import io
import json
import os
import re
import runpy
import subprocess
import sys
from argparse import Namespace

import pytest

from langchain_toolemu import forget_tool_support
from tests.benchmarks.cookbook import COOKBOOK, RIGHT, ROOT, run_on
from tests.scripted_server import Reply, ScriptedServer, without_tools
from tests.tables import every_row
from tests.two_voices import Formed, playing

# It keeps the standard error of its first import for good, which must not be that of one captured test.
with contextlib.suppress(ImportError):
    import mcp.client.stdio  # noqa: F401

RECIPES = sorted(path.stem for path in COOKBOOK.glob("[0-9]*.py"))
MAX_LINES = 100
NEEDS = {"04_files_through_mcp": "langchain_mcp_adapters", "09_coding_agent": "uvicorn"}
"""What a recipe imports besides this package and LangChain's agents."""

PAGE = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")


def invoice(number, supplier, total, *items):
    """An invoice as the model fills it in."""
    described = [{"description": d, "quantity": q, "unit_price": p} for d, q, p in items]
    return Formed(
        "Invoice", {"number": number, "supplier": supplier, "items": described, "total": total}
    )


SPENT = (
    "SELECT c.name, SUM(o.quantity * p.price) AS total FROM orders o JOIN customers c ON o.customer_id = c.id "
    "JOIN products p ON o.product_id = p.id GROUP BY c.name ORDER BY total DESC LIMIT 1"
)
FIXED = "def discounted(price, percent):\n    return price * (1 - percent / 100)\n"
TODO = "Ann: order the new tents\nBob: call the insurance\nEve: book the hall"
EVENING = [
    ("set_light", {"room": "kitchen", "state": "off"}),
    ("set_light", {"room": "living room", "state": "off"}),
    ("set_heating", {"room": "bedroom", "degrees": 17}),
    ("set_blinds", {"room": "bedroom", "state": "closed"}),
]
MOVES = {
    "01_sql_agent": {
        "": (
            [("run_sql", {"query": "SELECT name, spent FROM customers"})],
            [("run_sql", {"query": SPENT})],
            "Eve spent the most, 182.0 in total.",
        )
    },
    "02_rag": {
        "": (
            [("search_handbook", {"query": "e-bike battery warranty months"})],
            "The battery has a warranty of 30 months [warranty.md].",
        )
    },
    "03_home_controller": {"": (EVENING, *["Good night, all is done."] * 4)},
    "04_files_through_mcp": {
        "": (
            [("read_file", {"name": "minutes.txt"})],
            [("read_file", {"name": "meeting.txt"})],
            [("write_file", {"name": "todo.txt", "text": TODO})],
            "I have written todo.txt.",
        )
    },
    "05_hand_off": {
        "4417": (
            [("transfer_to_billing", {})],
            [("get_balance", {"customer": 4417})],
            "You still have to pay 38.50 euros.",
        ),
        "2310": (
            [("transfer_to_support", {})],
            [("restart_modem", {"customer": 2310})],
            "Your modem is on again.",
        ),
    },
    "06_invoices": {
        "Nordic": (
            invoice("NP-2041", "Nordic Paper AS", 269, ("paper", 10, 24.5), ("stapler", 3, 8)),
        ),
        "Ortiz": (
            invoice("778/26", "Ortiz Catering", 255, ("menu", 14, 16.5), ("water", 20, 1.2)),
        ),
        "Keller": (
            invoice("2026-0093", "Keller Elektro", 249.8, ("panel", 2, 59.9), ("work", 1, 120)),
        ),
    },
    "07_support_with_a_person": {
        "Not done": ("I am sorry: so large a refund is made at the counter.",),
        "order 1002": ([("refund_order", {"order": 1002})], "You get your money back."),
        "order 1003": ([("refund_order", {"order": 1003})], "It is refunded."),
    },
    "08_many_tools": {
        "Ada Lovelace": (
            [("create_contact", {"name": "Ada Lovelace", "phone_number": "555-0100"})],
            "Ada is a contact now.",
        ),
        "Call the bank": ([("delete_task", {"name": "Call the bank"})], "It is deleted."),
        "INV-7": ([("get_invoice", {"name": "INV-7"})], "The amount is 420 euros."),
    },
    "09_coding_agent": {
        "": (
            [("run_test", {})],
            [("read_file", {"path": "missing.py"})],
            [("read_file", {"path": "prices.py"})],
            [("write_file", {"path": "prices.py", "content": FIXED})],
            [("run_test", {})],
            "The discount is subtracted now, and the test passes.",
        )
    },
    "10_own_dialect": {
        "": ("[[move pallet=P-17 shelf=B4]]", "P-17 is on shelf B4."),
    },
}
"""What a model does in each recipe, by a word of the question."""


def moves_of(recipe):
    """A script of a recipe's moves."""
    scripts = {word: playing(*moves) for word, moves in MOVES[recipe].items()}

    def play(request):
        asked = json.dumps(request["messages"])
        return next(script for word, script in scripts.items() if word in asked)(request)

    return play


def written(script):
    """A script behind a server that accepts tools, on a model that writes its calls as fenced JSON."""

    def play(request):
        reply = script(request)
        calls = [{"name": name, "arguments": args} for name, args in reply.tool_calls]
        if calls:
            return Reply("\n".join(f"```json\n{json.dumps(call)}\n```" for call in calls))
        text = "".join(reply.text)
        return Reply(f"```json\n{text}\n```" if text.startswith("{") else text)

    return play


SERVERS = {"refuses tools": without_tools, "calls in the text": written}


def run(recipe, script, monkeypatch, stdin="y\ny\n"):
    """What a recipe's `main` returns on a scripted server, as JSON would keep it."""
    if recipe in NEEDS:
        pytest.importorskip(NEEDS[recipe], reason=f"{recipe} needs {NEEDS[recipe]}")
    monkeypatch.syspath_prepend(COOKBOOK)
    monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.delenv("TOOLEMU_MODE", raising=False)
    forget_tool_support()
    with ScriptedServer(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        result = runpy.run_path(str(COOKBOOK / f"{recipe}.py"))["main"]()
    return json.loads(json.dumps(result))


ROWS = [(recipe, server) for server in SERVERS for recipe in RECIPES]
ROWS.remove(("04_files_through_mcp", "refuses tools"))  # its server takes seconds to start


@pytest.mark.parametrize(("recipe", "server"), ROWS)
@pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")
def test_a_recipe_solves_its_problem(recipe, server, monkeypatch, capfd):
    """The result is right, and what the model did was shown on the way."""
    result = run(recipe, SERVERS[server](moves_of(recipe)), monkeypatch)
    shown = capfd.readouterr().out
    assert RIGHT[recipe](result), (result, shown)
    assert re.search(r" (call|total) ", shown)
    assert "Command(" not in shown


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.filterwarnings("ignore::langchain_toolemu.ToolEmuWarning")
def test_a_model_that_never_calls_ends_in_words(recipe, monkeypatch, capfd):
    """No recipe ends in a traceback because a model is too weak for it; the result is not right."""
    result = run(recipe, lambda _: "That is a good question.", monkeypatch)
    assert not RIGHT[recipe](result)
    assert "That is a good question." in capfd.readouterr().out or recipe == "06_invoices"


def test_an_invoice_that_cannot_be_read_does_not_stop_the_others(monkeypatch, capfd):
    """A reply that never ends is a line of the report."""
    script, endless = moves_of("06_invoices"), Reply('{"number": "', finish_reason="length")
    results = run(
        "06_invoices",
        lambda request: endless if "Ortiz" in str(request["messages"]) else script(request),
        monkeypatch,
    )
    assert [one["number"] for one in results] == ["NP-2041", "2026-0093"]
    assert "2 of 3 invoices extracted" in capfd.readouterr().out


def test_the_policy_refuses_a_large_refund(monkeypatch, capfd):
    """It is not made, though the person would allow it, and the model tells the customer why."""
    recipe = "07_support_with_a_person"
    assert run(recipe, moves_of(recipe), monkeypatch)["refused"] == [{"order": 1003}]
    assert "answer  I am sorry: so large a refund is made at the counter." in capfd.readouterr().out


def test_a_person_may_say_no(monkeypatch):
    """A refund that the person declines is not made."""
    recipe = "07_support_with_a_person"
    assert run(recipe, moves_of(recipe), monkeypatch, stdin="n\n")["refunds"] == []


@pytest.fixture
def recipe_names(monkeypatch):
    """Load what a recipe defines, without running it."""
    monkeypatch.syspath_prepend(COOKBOOK)
    return lambda name: runpy.run_path(str(COOKBOOK / f"{name}.py"))


@every_row(
    "query",
    [
        "DELETE FROM orders",
        "drop table orders",
        "INSERT INTO orders VALUES (9, 1, 1, 1)",
        "update products set price = 0",
        "WITH old AS (SELECT 1) DELETE FROM orders",
        "SELECT 1; DELETE FROM orders",
        "PRAGMA writable_schema = 1",
        "ATTACH DATABASE 'other.db' AS other",
        "VACUUM INTO 'copy.db'",
        "EXPLAIN DELETE FROM orders",
        "CREATE TEMP TABLE t (a)",
    ],
)
def test_the_sql_tool_only_selects(query, recipe_names):
    """Whatever is not one SELECT is an error that the model can read, and changes nothing."""
    shop = recipe_names("01_sql_agent")["Shop"]()
    assert shop.run_sql(query).startswith("Error: ")
    assert shop.run_sql("select count(*) from orders") == "[6]"


@every_row(
    ("query", "source"),
    [
        ("battery warranty", "warranty.md"),
        ("e-bike price per day", "rental.md"),
        ("return a helmet", "returns.md"),
        ("opening hours on Sunday", "opening-hours.md"),
        ("puncture repair cost", "repairs.md"),
    ],
)
def test_the_search_finds_the_page(query, source, recipe_names):
    """A few words of a question lead to the page that answers it."""
    names = recipe_names("02_rag")
    assert f"[{source}]" in names["Search"](names["HANDBOOK"]).search_handbook(query)


@every_row("name", ["../secret.txt", "/etc/passwd", "a/../../secret.txt"])
def test_the_files_server_stays_in_its_folder(name, monkeypatch, tmp_path):
    """A path that leads out of the folder is refused."""
    pytest.importorskip("mcp")
    monkeypatch.setattr("sys.argv", ["files_server.py", str(tmp_path)])
    server = runpy.run_path(str(COOKBOOK / "files_server.py"))
    with pytest.raises(ValueError, match="outside"):
        server["read_file"](name)


def test_the_run_script_judges_a_recipe():
    """It runs a recipe in a process of its own, and says whether the result is right and what it took."""
    recipe = "10_own_dialect"
    with ScriptedServer(moves_of(recipe)) as server:
        options = Namespace(base_url=server.base_url, model="scripted", seconds=60)
        row = run_on(recipe, options)
    assert (row["right"], row["requests"], row["calls"]) == (True, 2, 1), row
    assert row["result"] == {"P-17": "B4", "P-18": "A2"}


@pytest.mark.model
@pytest.mark.more("time: every recipe on the model")
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_ends_well_on_the_embedded_model(recipe):
    """Whoever has no server sees a program that ends without a traceback, right or wrong."""
    if recipe in NEEDS:
        pytest.importorskip(NEEDS[recipe], reason=f"{recipe} needs {NEEDS[recipe]}")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(COOKBOOK / f"{recipe}.py")],
        input="y\n" * 20,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "OPENAI_BASE_URL"},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_recipe_is_short_and_judged():
    """A recipe fits on two pages, at most ten of them, and each has a right answer."""
    lengths = {name: len((COOKBOOK / f"{name}.py").read_text().splitlines()) for name in RECIPES}
    assert max(lengths.values()) < MAX_LINES, lengths
    assert list(RIGHT) == RECIPES
    assert len(RECIPES) <= 10


def test_every_recipe_is_in_the_docs():
    """The cookbook's page names all recipes, and none that is not there."""
    assert re.findall(r"^\| \[`(\d.*?)\.py`", PAGE, re.MULTILINE) == RECIPES


def test_a_recipe_says_when_the_embedded_model_is_too_small_for_it(recipe_names, monkeypatch, capsys):  # fmt: skip
    """The page marks the same recipes, and the line names how to use a larger model."""
    marked = {recipe for recipe in RECIPES if "embedded_can=False" in (COOKBOOK / f"{recipe}.py").read_text()}  # fmt: skip
    rows = dict(re.findall(r"^\| \[`(\w+)\.py`\].*\| (yes|no) \|$", PAGE, re.MULTILINE))
    assert rows == {recipe: "no" if recipe in marked else "yes" for recipe in RECIPES}
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    names = recipe_names("any_model")
    names["any_model"].__globals__["LocalServer"] = lambda: Namespace(chat_model=lambda **_: None)
    names["any_model"]()
    assert capsys.readouterr().out == ""
    names["any_model"](embedded_can=False)
    assert "too small for this recipe" in capsys.readouterr().out
