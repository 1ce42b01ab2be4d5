"""`python -m tests.release`: what is in dist/, looked through, and tried on every Python that the package names and this machine has."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.release.contents import look_through
from tests.release.ready import ROOT, named_pythons

CHECK = Path(__file__).with_name("check.py")


def interpreters() -> Iterator[tuple[str, Path]]:
    """One interpreter for each version, with its version."""
    for version in named_pythons():
        for path in _candidates(version):
            if _version_of(path) == version:
                yield version, path
                break
        else:
            print(f"Python {version}: not here")


def _candidates(version: str) -> Iterator[Path]:
    yield Path(sys.executable)
    if found := shutil.which(f"python{version}"):
        yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob(f"versions/{version}*/bin/python"))


def _version_of(python: Path) -> str:
    """What an interpreter says it is; a shim for a version that is not set up says nothing."""
    asked = [str(python), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def try_out(python: Path, package: Path) -> None:
    """Install a package into an empty environment, and see whether it works there."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        inside = Path(folder, "bin", "python")
        subprocess.run([inside, "-m", "pip", "install", "-qq", package], check=True, cwd=folder)
        subprocess.run([inside, "-I", CHECK], check=True, cwd=folder)


def main() -> None:
    """Look both packages through, try the wheel everywhere, and the sdist once."""
    (wheel,), (sdist,) = ROOT.glob("dist/*.whl"), ROOT.glob("dist/*.tar.gz")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, sdist], check=True)
    look_through(wheel, sdist)
    tries = [(version, python, wheel) for version, python in interpreters()]
    tries.append((*tries[-1][:2], sdist))
    for version, python, package in tries:
        start = time.perf_counter()
        try_out(python, package)
        seconds = time.perf_counter() - start
        print(
            f"Python {version}: {package.name} works, installed and tried in {seconds:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
