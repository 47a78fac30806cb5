"""A server on this computer that gives the replies of a recording again."""

import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from lms_tui.qa.replay import Replay, ReplayError, read_har

_LARGEST: Final = 16 * 1024 * 1024
_IDLE_SECONDS: Final = 60
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def run_replay(file: Path, port: int) -> int:
    """Serve a HAR file until a signal. Return 1 if a request was not in the recording. Raises AdvisedError."""
    replay = Replay(read_har(file))
    try:
        server = _Server(("127.0.0.1", port), replay)
    except OSError as error:
        words = f"The server cannot listen on port {port}: {error.strerror}."
        raise ReplayError(words, "Give a free port with --port, or 0 for any.") from error
    with server:
        for number in _SIGNALS:
            # shutdown() waits for the loop that the signal has interrupted.
            signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
        _tell(f"Listening on http://127.0.0.1:{server.server_port}")
        _tell(f"{replay.size} recorded replies")
        server.serve_forever()
    _tell(f"{replay.given} replies given, {replay.missing.total()} requests not recorded")
    for name, count in replay.missing.most_common():
        _tell(f"not recorded: {name}{f' ({count} times)' if count > 1 else ''}")
    return 1 if replay.missing else 0


def _tell(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


class _Server(ThreadingHTTPServer):
    def __init__(self, address: tuple[str, int], replay: Replay) -> None:
        super().__init__(address, _Handler)
        self.replay = replay
        self.lock = threading.Lock()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    server: _Server

    def _answer(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > _LARGEST or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # the body stays unread
            self.send_error(413)
            return
        body = self.rfile.read(int(length))
        origin = f"http://{self.headers.get('Host') or f'127.0.0.1:{self.server.server_port}'}"
        with self.server.lock:
            reply = self.server.replay.reply(self.command, self.path, body, origin)
        if reply.missing:
            _tell(f"not recorded: {reply.missing}")
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _answer  # noqa: N815 - the names of http.server

    def log_message(self, *_: object) -> None:
        """Log nothing: the report at the end names what matters."""
