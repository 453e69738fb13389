"""What a run found, said from its table."""

import pandas as pd

from experiments.evaluation.findings import write_findings


def test_the_best_method_is_that_of_the_least_mean_where_all_were_run(tmp_path):
    errors = pd.DataFrame(
        [
            *(("a", 10, "one", 0.01), ("a", 10, "two", 0.02), ("a", 10, "partly", 0.001)),
            *(("b", 20, "one", 0.05), ("b", 20, "two", 0.03)),
            *(("c", 30, "one", 0.06), ("c", 30, "two", 0.04)),
        ],
        columns=["experiment", "k1", "method", "rmse"],
    )
    write_findings(tmp_path / "said.rst", errors, ["experiment", "k1"], "rmse", "of x")
    assert (tmp_path / "said.rst").read_text() == (
        "``two`` has the smallest mean RMSE of x: .030 (settings: 3, methods: 2). "
        "Next: ``one`` (.040). It is best in 2 of 3, and its largest RMSE is .040 "
        "(experiment c, k1 30).\n"
    )
    alone = errors[errors["method"] == "one"]
    write_findings(tmp_path / "said.rst", alone, ["experiment", "k1"], "rmse", "of x")
    assert "Next" not in (tmp_path / "said.rst").read_text()
