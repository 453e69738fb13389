"""A real HTTP server on this machine that misbehaves as the address says."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

DATA = bytes(range(256)) * 4096  # 1 MiB
SHA256 = hashlib.sha256(DATA).hexdigest()
PAGE = b"<!DOCTYPE html>\n<html><body>Please log in</body></html>" + b" " * 4096


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str]] = []  # method, path
        self.files: dict[str, bytes] = {}  # Of the addresses file/NAME and account/NAME.

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{path}"

    def count(self, path: str) -> int:
        return sum(asked[1] == f"/{path}" for asked in self.asked)

    def handle_error(self, request, client_address) -> None:
        """A client that hangs up is what these tests are about."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        path = self.path.lstrip("/")
        self.server.asked.append((self.command, self.path))
        getattr(self, f"answer_{path.split('/')[0]}")()

    def do_POST(self) -> None:
        self.do_GET()

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        headers.setdefault("Content_Length", str(len(body)))
        for key, value in headers.items():
            if value:
                self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def hang_up(self) -> None:
        self.wfile.flush()
        self.close_connection = True

    def answer_good(self) -> None:
        self.answer(DATA)

    def answer_file(self) -> None:
        self.answer(self.server.files[self.path.rsplit("/", 1)[1]])

    def answer_page(self) -> None:
        self.answer(PAGE)

    def answer_short(self) -> None:
        self.answer(DATA[:-1000])

    def answer_other(self) -> None:
        self.answer(DATA[::-1])

    def answer_missing(self) -> None:
        self.answer(PAGE, 404)

    def answer_moved(self) -> None:
        self.answer(b"", 302, Location=self.server.url("good"))

    def answer_busy(self) -> None:
        self.answer(DATA) if self.server.count("busy") > 2 else self.answer(b"", 503)

    def answer_refuses(self) -> None:
        self.hang_up()

    def answer_drops(self) -> None:
        self.answer(DATA[:600_000], Content_Length=str(len(DATA)))
        self.hang_up()

    def answer_account(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        wanted = {
            "username": ["ada"],
            "password": ["pa$s w&rd"],
            "fn": ["set/x.mat"],
            "submit": ["Login"],
        }
        if self.path.startswith("/account/"):
            wanted["fn"] = [self.path.removeprefix("/account/")]
            self.answer(self.server.files[wanted["fn"][0]] if sent == wanted else PAGE)
        else:
            self.answer(DATA if sent == wanted else PAGE)

    def answer_elsewhere(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"", 307, Location=self.server.url("account"))


@contextmanager
def misbehaving_server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()
