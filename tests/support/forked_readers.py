"""Isolated readers, each in a fork of one process that has imported what they need: .01 s each."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

SERVER = """
import json, os, resource, sys
import h5py, scipy.io
import experiments.datasets.embeddings.vgg16, experiments.datasets.readers.matlab
from experiments.datasets.readers.isolated import answer

for line in sys.stdin:
    said, *arguments = json.loads(line)
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (3, 3))
        os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        status = 0
        try:
            answer(*arguments)
        except SystemExit as left:
            status = left.code
        sys.stdout.flush()
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@contextmanager
def forked_readers(folder):
    """Yield what does the work of `run_child`: a reader may take 3 seconds of the processor."""
    said = folder / "said"
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SERVER],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as server:

        def run_child(*arguments):
            server.stdin.write(json.dumps([str(said), *map(str, arguments)]) + "\n")
            status = int(server.stdout.readline())
            if status in (-signal.SIGXCPU, -signal.SIGKILL):
                raise subprocess.TimeoutExpired("a reader", 3)
            text = said.read_text(encoding="utf-8", errors="backslashreplace")
            return subprocess.CompletedProcess(arguments, status, text)

        yield run_child
        server.stdin.close()
