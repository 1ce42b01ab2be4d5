"""Headless Chromium, driven over a pipe: nothing to install but the browser.

with Browser(tmp_path) as browser:
    browser.open("http://127.0.0.1:8787/")
    browser.click("#list button")
    assert "Paris" in browser.text("#detail")
"""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from typing_extensions import Self

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_PATIENCE = 60
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-proxy-server",
    "--remote-debugging-pipe",
)


class Browser:
    """A browser with one page.

    Attributes:
        errors: What the page's console complained of, and what it could not load.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.errors: list[str] = []
        self._number = 0
        self._heard = b""

    def __enter__(self) -> Self:
        to_browser, self._in = os.pipe()
        self._out, from_browser = os.pipe()
        # The browser reads its orders from file 3 and writes to file 4.
        command = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, "-", str(CHROMIUM), *_OPTIONS, f"--user-data-dir={self._folder}"],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for end in (to_browser, from_browser):
            os.close(end)
        self._session: str | None = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._session = None
        with contextlib.suppress(OSError, AssertionError):
            self.send("Browser.close")
        self._process.wait(_PATIENCE)
        for end in (self._in, self._out):
            os.close(end)

    # --- what a person does ---

    def open(self, url: str) -> None:
        """Go to a page."""
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def resize(self, width: int, height: int, *, dark: bool = False) -> None:
        """Look at it on a screen of this size, by day or by night."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def type(self, selector: str, text: str) -> None:
        """Write into a field."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.send("Input.insertText", text=text)

    def text(self, selector: str) -> str:
        """What an element shows."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def picture(self, path: Path) -> None:
        """Take a picture of what is seen."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    # --- what a test does ---

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression holds."""
        deadline = time.monotonic() + _PATIENCE
        while not self.run(script):
            assert time.monotonic() < deadline, f"never came: {script}"
            time.sleep(0.05)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Give an order, and wait for what comes of it."""
        self._number += 1
        order = {"id": self._number, "method": method, "params": params}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._in, json.dumps(order).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                return dict(message["result"])
            self._note(message)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._heard:
            piece = os.read(self._out, 65536)
            assert piece, "the browser is gone"
            self._heard += piece
        message, _, self._heard = self._heard.partition(b"\0")
        return dict(json.loads(message))

    def _note(self, message: dict[str, Any]) -> None:
        match message:
            case {
                "method": "Log.entryAdded",
                "params": {"entry": {"level": "error", "text": text}},
            }:
                self.errors.append(text)
            case {"method": "Runtime.exceptionThrown", "params": params}:
                self.errors.append(str(params["exceptionDetails"]))
