"""An HTTP server on this machine, for the scripted ones: any free port, a thread a request, and not a word of its own."""

import socket
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import Self


class LoopbackServer(ThreadingHTTPServer):
    """Listens on loopback as soon as it is made, and answers for the time of a block."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self._ends = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # A connection wakes the thread at once; `serve_forever` would look for its end now and then.
        self._ends = True
        socket.create_connection(self.server_address).close()
        self._thread.join()
        self.server_close()

    def _serve(self) -> None:
        while not self._ends:
            self.handle_request()

    def verify_request(self, *_: Any) -> bool:
        """Whether a request is answered: not the one that ends the server."""
        return not self._ends

    def server_bind(self) -> None:
        """Bind as HTTPServer does, but without the reverse DNS query."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that went away is counted where it is noticed, if at all."""


class Quiet:
    """A request handler that keeps the test's output clean."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""
