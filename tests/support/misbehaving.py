"""A real HTTP server on this machine that misbehaves as the address says."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

DATA = bytes(range(256)) * 4096  # 1 MiB
PAGE = b"<!DOCTYPE html>\n<html><body>Please log in</body></html>" + b" " * 4096


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str, str]] = []  # method, path, Range
        self.clients: set[tuple[str, int]] = set()  # One of each connection.
        self.released = threading.Event()
        self.both = threading.Barrier(2)
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
        asked_range = self.headers.get("Range", "")
        self.server.asked.append((self.command, self.path, asked_range))
        self.server.clients.add(self.client_address)
        time_asked = self.server.count(path)
        getattr(self, f"answer_{path.split('/')[0]}")(time_asked, asked_range)

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

    def answer_good(self, *_: object) -> None:
        self.answer(DATA)

    def answer_file(self, *_: object) -> None:
        self.answer(self.server.files[self.path.rsplit("/", 1)[1]])

    def answer_together(self, *_: object) -> None:
        """Two clients are surely downloading at the same time."""
        self.server.both.wait(30)
        self.answer(DATA)

    def answer_page(self, *_: object) -> None:
        self.answer(PAGE)

    def answer_short(self, *_: object) -> None:
        self.answer(DATA[:-1000])

    def answer_long(self, *_: object) -> None:
        self.answer(DATA + b"more")

    def answer_other(self, *_: object) -> None:
        self.answer(DATA[::-1])

    def answer_missing(self, *_: object) -> None:
        self.answer(PAGE, 404)

    def answer_nowhere(self, *_: object) -> None:
        self.answer(b"", 302, Location=self.server.url("nowhere"))

    def answer_moved(self, *_: object) -> None:
        self.answer(b"", 302, Location=self.server.url("good"))

    def answer_busy(self, time_asked: int, _: str) -> None:
        self.answer(b"", 503, Retry_After="0") if time_asked < 3 else self.answer(DATA)

    def answer_stalls(self, *_: object) -> None:
        self.answer(DATA[:5000], Content_Length=str(len(DATA)))
        self.wfile.flush()
        self.server.released.wait(10)
        self.hang_up()

    def answer_silent(self, *_: object) -> None:
        self.server.released.wait(10)
        self.hang_up()

    def answer_refuses(self, *_: object) -> None:
        self.hang_up()

    def answer_drops(self, *_: object) -> None:
        self.answer(DATA[:600_000], Content_Length=str(len(DATA)))
        self.hang_up()

    def answer_drops_unsaid(self, *_: object) -> None:
        self.answer(DATA[:600_000], Content_Length="", Connection="close")
        self.hang_up()

    def answer_resumes(self, time_asked: int, asked_range: str) -> None:
        if time_asked == 1:
            self.answer(DATA[:600_000], Content_Length=str(len(DATA)), ETag='"one"')
            self.hang_up()
        elif asked_range and self.headers["If-Range"] == '"one"':
            start = int(asked_range.removeprefix("bytes=").removesuffix("-"))
            said = f"bytes {start}-{len(DATA) - 1}/{len(DATA)}"
            self.answer(DATA[start:], 206, Content_Range=said, ETag='"one"')

    def answer_replaced(self, time_asked: int, _: str) -> None:
        """The file changes on the host between two attempts: it comes whole."""
        if time_asked == 1:
            self.answer(DATA[::-1][:600_000], Content_Length=str(len(DATA)), ETag='"one"')
            self.hang_up()
        else:
            self.answer(DATA, ETag='"two"')

    def answer_shrinks(self, time_asked: int, _: str) -> None:
        """The same with a shorter one."""
        if time_asked == 1:
            self.answer(DATA[:600_000], Content_Length=str(len(DATA)), ETag='"one"')
            self.hang_up()
        else:
            self.answer(DATA[:1000], ETag='"two"')

    def answer_huge(self, *_: object) -> None:
        self.answer(DATA, Content_Length=str(1 << 60))
        self.hang_up()

    def answer_wrong_part(self, time_asked: int, asked_range: str) -> None:
        if asked_range:
            self.answer(DATA[7:], 206, Content_Range=f"bytes 7-{len(DATA) - 1}/{len(DATA)}")
        elif time_asked == 1:
            self.answer(DATA[:600_000], Content_Length=str(len(DATA)), ETag='"one"')
            self.hang_up()
        else:
            self.answer(DATA)

    def answer_endless(self, *_: object) -> None:
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        for _ in range(64):
            self.wfile.write(DATA)
        self.hang_up()

    def answer_account(self, *_: object) -> None:
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

    def answer_elsewhere(self, *_: object) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"", 307, Location=self.server.url("account"))


@contextmanager
def misbehaving_server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()
