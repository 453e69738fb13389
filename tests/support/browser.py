"""Headless Chromium, by default of a phone's width, and a proxy that sees what it asks for."""

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

PHONE = 390
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--enable-logging=stderr",
    "--virtual-time-budget=20000",
]  # fmt: skip
# Asked by Chromium itself, whatever the page; the proxy answers 404.
OWN = re.compile(r"(https?://)?[a-z0-9.-]*\.(google|googleapis)\.com[:/]")
# BokehJS says that it has drawn everything, Chromium that scripts are off.
EXPECTED = re.compile(r"\[bokeh [0-9.]+\] document idle|Blocked script execution")
# Another page around it looks at it, moves its controls in turn, and says what then stands there.
AROUND = """<!DOCTYPE html><link rel="icon" href="data:,"><title></title>
<iframe src="report.html" %(sandbox)s style="width:%(width)dpx;height:900px;border:0"></iframe>
<script>
const pause = () => new Promise(done => setTimeout(done, 100));
const canvases = root => [...root.querySelectorAll("*")].flatMap(each => [
  ...(each.tagName == "CANVAS" ? [each] : []),
  ...(each.shadowRoot ? canvases(each.shadowRoot) : [])]);
const picture = page => canvases(page).map(each => each.toDataURL()).join();
document.querySelector("iframe").onload = async event => {
  const page = event.target.contentDocument, root = page.documentElement;
  const explorer = page.querySelector("#explorer"), moves = %(moves)s, answers = [];
  for (let i = 0; i < 50 && explorer?.hidden && moves.length; i++) await pause();
  for (const move of moves) {
    for (const [id, value] of Object.entries(move)) {
      page.getElementById(id).value = value;
      for (const kind of ["input", "change"])
        page.getElementById(id).dispatchEvent(new Event(kind, {bubbles: true}));
    }
    for (let i = 0; i < 50 && picture(page) == (answers.at(-1)?.drawn ?? ""); i++) await pause();
    answers.push({
      said: page.getElementById("said").textContent,
      cautions: [...page.querySelectorAll("#cautions li")].map(each => each.textContent),
      boxes: Object.fromEntries([...page.querySelectorAll("input[type=number]")].map(
        each => [each.id, [Number(each.value), each.labels[0].textContent]])),
      heard: page.getElementById("size").getAttribute("aria-valuetext"),
      chart: page.getElementById("chart").getAttribute("aria-label"),
      drawn: picture(page),
    });
  }
  const size = each => {
    const box = each.getBoundingClientRect();
    return [box.width, box.height, box.left, box.right];
  };
  const seen = [...page.querySelectorAll("img")].filter(each => each.checkVisibility());
  document.title = JSON.stringify({
    answers,
    explorer: Boolean(explorer?.checkVisibility()),
    chart: size(page.querySelector("#chart")),
    width: root.clientWidth, scroll: root.scrollWidth,
    figures: seen.map(size), pixels: seen.map(each => each.naturalWidth),
    smallest: Math.min(...[...page.querySelectorAll("p, td, li, th, figcaption, label")].map(
      each => parseFloat(getComputedStyle(each).fontSize))),
    focusable: [...page.querySelectorAll("#explorer input, #explorer select")].map(
      each => [each.id, each.tabIndex, each.labels[0]?.innerText ?? ""]),
    text: page.body.innerText,
  });
};
</script>"""


@dataclass
class Seen:
    """What Chromium measured, the addresses that were asked for, and what its console says."""

    page: dict
    asked: list[str]
    console: list[str]


def read_page(
    page: Path, profile: Path, *, moves=(), scripts: bool = True, width: int = PHONE
) -> Seen:
    """Read a page; `moves` are settings of its controls, by id, one after the other."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if browser is None:
        pytest.skip("there is no chromium on this machine (apt install chromium)")
    sandbox = "" if scripts else 'sandbox="allow-same-origin"'
    around = AROUND % {"sandbox": sandbox, "width": width, "moves": json.dumps(list(moves))}
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self):
            if not OWN.match(self.path):
                asked.append(self.path)
            found = {"http://page.test/": around.encode()}
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
    lines = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    console = [line for line in lines if not EXPECTED.search(line)]
    return Seen(json.loads(unescape(title[1])), asked, console)
