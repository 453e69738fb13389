"""Average accuracies of matrices that do not fit in memory: `make bench-scale`, minutes.

Each size runs in a process of its own, so that its peak memory is its own. Times are of the
processor, one thread. `python benchmarks/timings/bench_scale.py 25000 50000` makes one size,
N = 2 K.
"""

import json
import sys

from rich.console import Console
from rich.table import Table

from benching import exponent, in_a_child, write_record

SIZES = (25_000, 50_000, 100_000)
DIMENSION = 16

STREAMED = """
import json, resource, time
import numpy as np
from accuracy_curves import DistanceMatrix, average_accuracy
rng = np.random.default_rng(0)
centres = rng.normal(size=({k}, {d}))
labels = np.arange(2 * {k}) % {k}
points = centres[labels] + 0.7 * rng.normal(size=(2 * {k}, {d}))
matrix = DistanceMatrix(points, centres, labels)
started = time.process_time(), time.perf_counter()
curve = average_accuracy(matrix, np.unique(np.geomspace(2, {k}, 200).astype(int)))
print(json.dumps({{
    "cpu": time.process_time() - started[0], "wall": time.perf_counter() - started[1],
    "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "last": curve[-1],
}}))
"""

MAPPED = """
import json, tempfile, time, tracemalloc
from pathlib import Path
import numpy as np
from accuracy_curves import average_accuracy, load_scores
n, k = {n}, {k}
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    file = np.lib.format.open_memmap(folder / "scores.npy", "w+", np.float32, (n, k))
    rng = np.random.default_rng(0)
    for start in range(0, n, 500):
        file[start : start + 500] = rng.random((500, k), dtype=np.float32)
    file.flush()
    del file
    np.save(folder / "labels.npy", np.arange(n) % k)
    (folder / "meta.json").write_text(json.dumps({{"higher_is_better": True}}))
    tracemalloc.start()
    started = time.process_time()
    average_accuracy(load_scores(folder), np.arange(2, k + 1))
    seconds, peak = time.process_time() - started, tracemalloc.get_traced_memory()[1]
print(json.dumps({{"cpu": seconds, "peak": peak, "size": 4 * n * k}}))
"""


def main() -> None:
    """Run the sizes, print the table and the exponent, write the numbers."""
    console = Console()
    table = Table("K x N", "as float32", "processor time", "peak memory")
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    found = []
    for k in sizes:
        ran = json.loads(in_a_child(STREAMED.format(k=k, d=DIMENSION)))
        found.append({"K": k, "N": 2 * k, **ran})
        entries = 2 * k * k
        table.add_row(
            f"{k} x {2 * k}, d = {DIMENSION}",
            f"{4 * entries / 1e9:.1f} GB",
            f"{ran['cpu']:.1f} s, {1e9 * ran['cpu'] / entries:.2f} ns an entry",
            f"{ran['peak'] / 1e9:.2f} GB",
        )
    mapped = json.loads(in_a_child(MAPPED.format(n=20_000, k=10_000)))
    table.add_row(
        "10000 x 20000, a file",
        f"{mapped['size'] / 1e9:.1f} GB",
        f"{mapped['cpu']:.1f} s",
        f"{mapped['peak'] / 1e9:.3f} GB beside the file",
    )
    console.print(table)
    record = {"streamed": found, "mapped": mapped}
    if len(found) > 1:
        entries = [float(row["K"] * row["N"]) for row in found]
        record["exponent"] = exponent(entries, [row["cpu"] for row in found])
        console.print(f"Time grows as (N K)^{record['exponent']:.2f}")
    write_record("bench_scale", record)


if __name__ == "__main__":
    main()
