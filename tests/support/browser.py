"""Headless Chromium on a phone's width, and a proxy that sees what it asks for."""

import json
import re
import shutil
import subprocess
import threading
from dataclasses import dataclass
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PHONE = 375
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--enable-logging=stderr",
    "--virtual-time-budget=5000",
]  # fmt: skip
# Asked by Chromium itself, whatever the page; the proxy answers 404.
OWN = re.compile(r"(https?://)?[a-z0-9.]*\.(google|googleapis)\.com[:/]")
# The page may run no script, so another one around it looks at it.
AROUND = f"""<!DOCTYPE html><link rel="icon" href="data:,"><title></title>
<iframe src="report.html" style="width:{PHONE}px;height:900px;border:0"></iframe>
<script>
document.querySelector("iframe").onload = event => {{
  const page = event.target.contentDocument, root = page.documentElement;
  const size = each => {{
    const box = each.getBoundingClientRect();
    return [box.width, box.height, box.left, box.right];
  }};
  document.title = JSON.stringify({{
    width: root.clientWidth, scroll: root.scrollWidth,
    figures: [...page.querySelectorAll("img")].map(size),
    pixels: [...page.querySelectorAll("img")].map(each => each.naturalWidth),
    smallest: Math.min(...[...page.querySelectorAll("p, td, li, th, figcaption")].map(
      each => parseFloat(getComputedStyle(each).fontSize))),
    text: page.body.innerText,
  }});
}};
</script>"""


@dataclass
class Seen:
    """What Chromium measured, the addresses that were asked for, and what its console says."""

    page: dict
    asked: list[str]
    console: list[str]


def read_on_a_phone(page: Path, profile: Path) -> Seen:
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if browser is None:
        pytest.skip("there is no chromium on this machine (apt install chromium)")
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self):
            if not OWN.match(self.path):
                asked.append(self.path)
            found = {"http://page.test/": AROUND.encode()}
            found["http://page.test/report.html"] = page.read_bytes()
            body = found.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body or b"")

        do_HEAD = do_POST = do_CONNECT = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = subprocess.run(
            [browser, *FLAGS, f"--user-data-dir={profile}",
             f"--proxy-server=http://127.0.0.1:{server.server_port}",
             "--dump-dom", "http://page.test/"],
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        server.shutdown()
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return Seen(json.loads(unescape(title[1])), asked, console)
