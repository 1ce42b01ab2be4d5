"""What is inside the built packages: every file of the package, its metadata, and nothing else."""

import tarfile
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath

from tests.release.ready import ROOT

PACKAGE = "langchain_toolemu"
_AROUND = {"CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"}


def look_through(wheel: Path, sdist: Path) -> None:
    """Raise if a file is missing or too many, and print what is there."""
    expected = package_files()
    with zipfile.ZipFile(wheel) as archive:
        found = {one for one in archive.namelist() if not one.endswith("/")}
    _compare(wheel, expected, {one for one in found if ".dist-info/" not in one})
    with tarfile.open(sdist) as archive:
        inside = (PurePosixPath(one.name) for one in archive.getmembers() if one.isfile())
        found = {"/".join(one.parts[1:]) for one in inside}
    _compare(sdist, expected, found - _AROUND)


def package_files() -> set[str]:
    """The package's files in the repository."""
    paths = (path for path in (ROOT / PACKAGE).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts}


def _compare(archive: Path, expected: set[str], found: set[str]) -> None:
    if found != expected:
        missing, extra = sorted(expected - found), sorted(found - expected)
        raise SystemExit(f"{archive.name}: missing {missing}, not of the package {extra}")
    assert f"{PACKAGE}/py.typed" in found
    kinds = Counter(PurePosixPath(one).suffix or PurePosixPath(one).name for one in found)
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    print(f"{archive.name}: {archive.stat().st_size // 1024} KB, {listed}", flush=True)
