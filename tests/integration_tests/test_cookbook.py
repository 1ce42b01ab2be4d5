"""Every recipe of the cookbook runs, says what it promises, and is short."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPES = sorted(path.name for path in (ROOT / "cookbook").glob("[0-9]*.py"))
MAX_LINES = 80

TELLING = {
    "01_agent_on_a_tool_less_model.py": ("1. ChatOpenAI alone", "tool call", "5555"),
}
"""What the output of each recipe must hold."""


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_runs(recipe):
    """A recipe ends without an error and shows what it is there to show."""
    done = subprocess.run(
        [sys.executable, f"cookbook/{recipe}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    missing = [words for words in TELLING[recipe] if words not in done.stdout]
    assert not missing, done.stdout


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_short(recipe):
    """A recipe fits on a page or two."""
    assert len((ROOT / "cookbook" / recipe).read_text().splitlines()) < MAX_LINES
