"""Clients that are installed apart, by `make clients` into `.clients/`: they pin what we do not.

`TOOLEMU_CLIENTS` names another folder; it holds a virtual environment, and `node_modules`.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOME = Path(os.environ.get("TOOLEMU_CLIENTS") or ROOT / ".clients")
_PATIENCE = 300


def python_with(package: str) -> Path:
    """The Python that has a package, or skips the test; some have an environment of their own."""
    own = HOME / package / "bin" / "python"
    python = own if own.exists() else HOME / "bin" / "python"
    if not python.exists() or _run([python, "-c", f"import {package}"], {}, HOME).returncode:
        pytest.skip(f"{package} is not installed; `make clients` does it")
    return python


def python_program(name: str) -> Path:
    """The executable of a package with an environment of its own, or skips the test."""
    program = HOME / name / "bin" / name
    if not program.exists():
        pytest.skip(f"{name} is not installed; `make clients` does it")
    return program


def npm_program(name: str) -> Path:
    """An executable of an npm package; skips the test where there is none."""
    program = HOME / "node_modules" / ".bin" / name
    if not program.exists():
        pytest.skip(f"{name} is not installed; `make clients` does it")
    return program


def node_with(package: str) -> str:
    """The node that finds a package in the folder of clients, or skips the test."""
    node = shutil.which("node", path=_path())
    if not node or not (HOME / "node_modules" / package).exists():
        pytest.skip(f"{package} is not installed; `make clients` does it")
    return node


def output_of(
    command: Sequence[str | Path],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    code: int = 0,
) -> str:
    """What a program prints, in a folder that is its home, and without anybody's keys.

    `code` is how it must end.
    """
    ended = _run(command, environment or {}, folder)
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stdout


def _path() -> str:
    """The clients' own node comes first."""
    return os.pathsep.join([str(HOME / "node_modules" / ".bin"), os.environ["PATH"]])


def _run(
    command: Sequence[str | Path], environment: Mapping[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    own = {"PATH": _path(), "HOME": str(folder), "NO_PROXY": "127.0.0.1"}
    own["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # it would fetch a list of prices
    return subprocess.run(
        [str(word) for word in command],
        env={**own, **environment},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
