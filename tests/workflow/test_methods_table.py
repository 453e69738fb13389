import hashlib
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from accuracy_curves.exceptions import InputError
from pipeline.cost.methods_table import main, methods_table
from pipeline.provenance import config_hash, stamp

CONFIG = {"preset": "made up"}


@pytest.fixture
def run(tmp_path):
    rows = [("one", 20, "auto"), ("one", 20, "kde"), ("two", 30, "auto")]
    summary = pd.DataFrame(rows, columns=["experiment", "k1", "method"])
    names = ("repetitions", "rmse_curve_median", "bias_at_k2", "sd_at_k2", "compared")
    for place, name in enumerate([*names, "ratio_median", "rmse_curve_mean"]):
        summary[name] = [place + 0.5, place + 1.0, place + 2.0]
    summary.to_csv(tmp_path / "summary.csv", index=False)
    for place, (experiment, k1, method) in enumerate(rows):
        for chunk in (0, 1):
            log = tmp_path / f"logs/extrapolate/{experiment}/k1_{k1}/{method}/{chunk}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(f"2026 repetition {chunk}: 60 points, {place + chunk}.000 s\n")
    (tmp_path / "provenance.json").write_text(json.dumps({"config": CONFIG}))
    return tmp_path


def test_errors_time_and_coverage_are_joined(run):
    assert methods_table(run)["seconds"].tolist() == [0.5, 1.5, 2.5]
    (run / "coverage").mkdir()
    judged = pd.DataFrame(
        {
            "experiment": ["one"] * 4 + ["all"],
            "k1": [20] * 4 + [0],
            "method": "auto",
            "multiple": [2, 2, 4, 4, 2],
            "level": [0.8, 0.9, 0.8, 0.9, 0.9],
            "covered": [0.1, 0.2, 0.3, 0.4, 0.5],
            "width": [1, 2, 3, 4, 5],
        }
    )
    # A second figure of the same settings says the same again.
    for name in ("a", "b"):
        judged.to_csv(run / f"coverage/{name}.csv", index=False)
    table = methods_table(run).set_index(["experiment", "method"])
    assert table.loc[("one", "auto"), ["covered_2", "width_2", "covered_4"]].tolist() == [
        0.2,
        2,
        0.4,
    ]
    assert table.loc[[("one", "kde"), ("two", "auto")], "covered_2"].isna().all()
    assert table.loc[("two", "auto"), "rmse_curve_median"] == 3
    assert "rmse_curve_mean" not in table
    said = CliRunner().invoke(main, [str(run)])
    assert said.exit_code == 0
    lines = [line.split()[:2] for line in said.output.splitlines()]
    assert lines == [["auto", "1.500"], ["kde", "1.500"]]
    written = pd.read_csv(run / "methods.csv")
    made = json.loads((run / "methods.provenance.json").read_text())
    found = hashlib.sha256((run / "methods.csv").read_bytes()).hexdigest()
    assert made.pop("sha256") == {"methods.csv": found}
    assert made["config_sha256"] == config_hash(CONFIG)
    assert made == json.loads(stamp(CONFIG))
    pd.testing.assert_frame_equal(written, table.reset_index()[list(written.columns)])


def test_what_is_missing_is_one_sentence(run, tmp_path):
    with pytest.raises(InputError, match="no readable summary"):
        methods_table(tmp_path / "nowhere")
    (run / "provenance.json").rename(run / "elsewhere.json")
    said = CliRunner().invoke(main, [str(run)])
    assert said.exit_code == 1
    assert "has no readable provenance.json" in said.output
    assert not (run / "methods.csv").exists()
    for log in (run / "logs/extrapolate/two/k1_30/auto").iterdir():
        log.write_text("killed")
    said = CliRunner().invoke(main, [str(run)])
    assert said.exit_code == 1
    assert "has no log of a repetition" in said.output
