"""An HTTP server on this machine, for the scripted ones: any free port, a thread a request, and not a word of its own."""

import socketserver
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class LoopbackServer(ThreadingHTTPServer):
    """Listens on loopback as soon as it is made."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    def server_bind(self) -> None:
        """Bind as HTTPServer does, but without the reverse DNS query."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that went away is counted where it is noticed, if at all."""
