"""Fetch what the site serves and git does not keep: mermaid, two fonts, and a shim for search from file://.

Everything comes from npm, in the versions below, into docs/vendor/. Without npm, or without a network, it says so and
ends well: the site is then built with the reader's own fonts and with diagrams as text.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VENDOR = Path(__file__).parent / "vendor"

WANTED = {
    "mermaid.min.js": ("mermaid@11.17.2", "dist/mermaid.min.js"),
    "iframe-worker.js": ("iframe-worker@1.0.4", "shim/index.js"),
    "inter.woff2": ("@fontsource-variable/inter@5.3.0", "files/inter-latin-wght-normal.woff2"),
    "jetbrains-mono.woff2": (
        "@fontsource-variable/jetbrains-mono@5.3.0",
        "files/jetbrains-mono-latin-wght-normal.woff2",
    ),
}
"""The name of a file here, the package that has it, and its path there."""

FONTS = """\
@font-face {
  font-family: "Inter";
  font-weight: 100 900;
  font-display: swap;
  src: url("inter.woff2") format("woff2");
}
@font-face {
  font-family: "JetBrains Mono";
  font-weight: 100 800;
  font-display: swap;
  src: url("jetbrains-mono.woff2") format("woff2");
}
:root {
  --md-text-font: "Inter";
  --md-code-font: "JetBrains Mono";
}
"""


def main() -> None:
    """Fetch what is missing, all of it or nothing."""
    missing = [name for name in WANTED if not (VENDOR / name).is_file()]
    if not missing:
        return
    npm = shutil.which("npm")
    if npm is None:
        _do_without("npm is not installed")
        return
    VENDOR.mkdir(exist_ok=True)
    try:
        for name in missing:
            _fetch(npm, name)
    except (OSError, subprocess.SubprocessError, tarfile.TarError) as error:
        _do_without(f"npm could not fetch {name} ({type(error).__name__})")
        return
    (VENDOR / "fonts.css").write_text(FONTS, encoding="utf-8")


def _fetch(npm: str, name: str) -> None:
    package, path = WANTED[name]
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", "--pack-destination", folder, package]
        subprocess.run(command, check=True, timeout=300, capture_output=True)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as packed:
            source = packed.extractfile(f"package/{path}")
            if source is None:
                raise FileNotFoundError(path)
            (VENDOR / name).write_bytes(source.read())


def _do_without(reason: str) -> None:
    shutil.rmtree(VENDOR, ignore_errors=True)
    print(
        f"docs: {reason}. The site is built without its fonts, with diagrams as text, and without search from file://.",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
