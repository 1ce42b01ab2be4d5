"""Headless Chromium, driven over a pipe.

No further package is needed, and the browser has no network but loopback.

    with Browser() as browser:
        page = browser.open("file:///tmp/site/index.html")
        page.click("#list button")
        assert "Paris" in page.text("#detail")
        assert page.requests  # every address that the page asked for
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typing_extensions import Self

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-proxy-server",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    # No name is resolved: what is not on this machine fails, and is seen to fail.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


class Browser:
    """One Chromium with a profile of its own, which is thrown away."""

    def __init__(self) -> None:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._serial = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # Chromium reads commands from descriptor 3 and writes replies to 4.
        command = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        arguments = [str(CHROMIUM), *_FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", command, "bash", *arguments],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._replies = os.fdopen(self._read, "rb")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._write)
        self._replies.close()
        self._profile.cleanup()

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result; events that come before it are kept."""
        self._serial += 1
        command = {"id": self._serial, "method": method, "params": params}
        if session:
            command["sessionId"] = session
        os.write(self._write, json.dumps(command).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == self._serial:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def _next(self) -> dict[str, Any]:
        read = bytearray()
        while (byte := self._replies.read(1)) != b"\0":
            assert byte, "the browser has ended"
            read += byte
        return json.loads(read)

    def open(self, url: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> "Page":
        """Open an address in a tab of its own, and wait until it is loaded."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        for domain in ("Page", "Network", "Runtime", "Log"):
            page.send(f"{domain}.enable")
        page.resize(width, height, dark=dark)
        page.send("Page.navigate", url=url)
        page.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")
        return page


class Page:
    """One tab."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command to this tab."""
        return self._browser.send(method, self._session, **params)

    # --- what a person does ---

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
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def type(self, selector: str, text: str) -> None:
        """Write into a field."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")
        self.send("Input.insertText", text=text)

    def text(self, selector: str) -> str:
        """What an element shows."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText"))

    # --- what a test does ---

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; of a promise, what it is resolved to."""
        result = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 60) -> Any:
        """Wait until an expression is true, and return its value."""
        return _until(lambda: self.evaluate(expression), expression, seconds)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write a picture of what is seen, or of the whole page."""
        picture = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(picture))

    def close(self) -> None:
        """Close the tab."""
        self._browser.send("Target.closeTarget", targetId=self._target)

    def _events(self, method: str) -> list[dict[str, Any]]:
        self.evaluate("0")  # what has happened so far comes before the answer
        return [
            event["params"]
            for event in self._browser.events
            if event.get("method") == method and event.get("sessionId") == self._session
        ]

    @property
    def requests(self) -> list[str]:
        """Every address that was asked for."""
        return [event["request"]["url"] for event in self._events("Network.requestWillBeSent")]

    @property
    def failures(self) -> list[str]:
        """Requests that failed, responses with an error status, exceptions and errors in the console."""
        responses = [event["response"] for event in self._events("Network.responseReceived")]
        thrown = [event["exceptionDetails"] for event in self._events("Runtime.exceptionThrown")]
        logged = [event["entry"] for event in self._events("Log.entryAdded")]
        return [
            *(event["errorText"] for event in self._events("Network.loadingFailed")),
            *(f"{said['status']} {said['url']}" for said in responses if said["status"] >= 400),
            *(details["text"] for details in thrown),
            *(entry["text"] for entry in logged if entry["level"] == "error"),
        ]


def _until(ask: Callable[[], Any], what: str, seconds: float) -> Any:
    end = time.monotonic() + seconds
    while not (value := ask()):
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.05)
    return value
