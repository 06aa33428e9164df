"""The HTTP server of a player: receives the messages of game managers.

Python's own threaded server is fast enough: managers send one message at a time, except ABORT and
INFO.
"""

import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any
from urllib.parse import unquote_plus

from ..._version import __version__
from ...runtime.errors import AspgamesError, BadRequest, one_line
from .ggp_player import GgpPlayer
from .messages import Abort, Stop, StopSeen, read_message

MOST_BYTES = 4_000_000  # bytes of a message
CONTENT_TYPE = "text/acl"

_PATIENCE_SECONDS = 30.0  # seconds for the next piece of a message
_LOOK_SECONDS = 0.5  # seconds between two checks of the match


class PlayerServer(ThreadingTCPServer):
    """Listens for the messages to a player."""

    allow_reuse_address = True
    daemon_threads = True
    timeout = _LOOK_SECONDS

    def __init__(self, host: str, port: int, player: GgpPlayer) -> None:
        """Begin to listen. Raises ``BadRequest`` if the port can't be used."""
        self.player = player
        self.ended = 0
        """The number of matches that have ended."""
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise BadRequest(f"can't listen on port {port} of {host}: {why}") from None

    def run(self, matches: int | None = None) -> None:
        """Answer messages until ``matches`` matches have ended; None for no limit."""
        while matches is None or self.ended < matches:
            self.handle_request()
            self.player.forget()

    def handle_error(self, _request: Any, _client_address: Any) -> None:
        """Ignore a lost connection; anything else is a defect."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            self.player.log(f"a defect of aspgames: {error!r}")


class _Handler(BaseHTTPRequestHandler):
    server: PlayerServer
    timeout = _PATIENCE_SECONDS
    server_version = f"aspgames/{__version__}"

    def do_POST(self) -> None:
        self._answer(self._body)

    def do_GET(self) -> None:
        """Answer a message in the address: some managers send messages by GET."""
        self._answer(lambda: unquote_plus(self.path.removeprefix("/")))

    def do_OPTIONS(self) -> None:
        """Allow web pages to send messages (CORS)."""
        self._send(HTTPStatus.OK, "")

    def _answer(self, read_text: Callable[[], str]) -> None:
        arrived = time.monotonic()
        try:
            text = read_text()
            if "\0" in text:
                raise BadRequest("there is a NUL character in the message")
            message = read_message(text)
        except AspgamesError as error:
            self._send(HTTPStatus.BAD_REQUEST, one_line(str(error)) + "\n")
            return
        answer = self.server.player.answer(message, arrived)
        self._send(HTTPStatus.OK, answer)
        if isinstance(message, Abort | Stop | StopSeen) and answer != "BUSY":
            self.server.ended += 1

    def _body(self) -> str:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > 20:
            raise BadRequest("the message has no Content-Length")
        if int(length) > MOST_BYTES:
            raise BadRequest(f"the message is longer than {MOST_BYTES:,} bytes")
        try:
            return self.rfile.read(int(length)).decode()
        except UnicodeDecodeError:
            raise BadRequest("the message is not UTF-8 text") from None

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer malformed or unsupported HTTP with a one-line error."""
        del explain
        self.request_version = "HTTP/1.0"  # the answer to HTTP/0.9 has no status line
        self._send(HTTPStatus(code), one_line(message or HTTPStatus(code).phrase) + "\n")

    def _send(self, status: HTTPStatus, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", CONTENT_TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Methods", "POST, GET, OPTIONS")
        self.send_header("Access-Control-Allow-Headers", "Content-Type")
        self.send_header("Access-Control-Max-Age", "86400")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """Log nothing: the player logs problems."""
