"""All methods, with time and coverage: `python -m pipeline.cost.methods_table RUN`."""

import json
import statistics
from pathlib import Path
from typing import Any

import click
import pandas as pd

from accuracy_curves.evaluation.curve_errors import SETTING
from accuracy_curves.exceptions import AccuracyCurvesError, InputError
from accuracy_curves.utils.files import written_whole
from accuracy_curves.utils.tables import write_csv
from pipeline.cost.benchmark_files import config_of_run
from pipeline.cost.overhead import REPETITION
from pipeline.jobs.checksums import digest
from pipeline.provenance import stamp

ERRORS = ["repetitions", "rmse_curve_median", "bias_at_k2", "sd_at_k2", "compared", "ratio_median"]
LEVEL = 0.9


def methods_table(run: Path) -> pd.DataFrame:
    """Join what a run found of each method in each setting.

    Parameters
    ----------
    run : Path
        ``results/PRESET`` of a finished run, with its logs.

    Returns
    -------
    DataFrame
        A row a setting and method: of the summary, ``repetitions``, ``rmse_curve_median``,
        ``bias_at_k2``, ``sd_at_k2``, ``compared`` and ``ratio_median``; ``seconds``, the median
        wall time of a repetition (draw, fit and predict), which is the machine's and differs from
        run to run; and where intervals were judged, ``covered_M`` and ``width_M`` of the 90 %
        intervals at M times k1.

    Raises
    ------
    InputError
        If there is no summary, or no log of a method.
    """
    try:
        summary = pd.read_csv(run / "summary.csv")
        table = summary[[*SETTING, *ERRORS]]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{run} has no readable summary.csv: run its preset first") from error
    seconds = [_seconds(run, *row) for row in table[SETTING].itertuples(index=False)]
    table = table.assign(seconds=seconds)
    judged = [pd.read_csv(path) for path in sorted((run / "coverage").glob("*.csv"))]
    if judged:
        rows = pd.concat(judged).drop_duplicates([*SETTING, "multiple", "level"])
        wide = rows[rows["level"] == LEVEL].pivot(
            index=SETTING, columns="multiple", values=["covered", "width"]
        )
        wide.columns = pd.Index(["_".join(map(str, column)) for column in wide.columns.to_list()])
        table = table.merge(wide.reset_index(), on=SETTING, how="left")
    return table


def _seconds(run: Path, experiment: str, k1: int, method: str) -> float:
    """Median seconds of a repetition, from the logs."""
    folder = run / "logs/extrapolate" / experiment / f"k1_{k1}" / method
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.log"))]
    found = [float(each) for text in texts for each in REPETITION.findall(text)]
    if not found:
        raise InputError(f"{folder} has no log of a repetition: run the preset again")
    return statistics.median(found)


def methods_provenance(run: Path) -> dict[str, Any]:
    """Say what makes the table here; its seconds are of the machine that provenance.json names.

    Parameters
    ----------
    run : Path
        ``results/PRESET`` of a finished run.

    Returns
    -------
    dict
        ``commit``, ``dirty``, ``config_sha256``, ``versions``.

    Raises
    ------
    InputError
        If the run has no readable provenance.json.
    """
    config = config_of_run(run)
    made: dict[str, Any] = json.loads(stamp(config))
    return made


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", type=click.Path(path_type=Path))
def main(run: Path) -> None:
    """Write RUN/methods.csv (RUN is a folder results/PRESET), and print the median seconds.

    Beside it, methods.provenance.json says which commit and configuration made it.
    """
    try:
        table = methods_table(run)
        made = methods_provenance(run)
        write_csv(table, run / "methods.csv")
        made["sha256"] = {"methods.csv": digest(run / "methods.csv")}
        with written_whole(run / "methods.provenance.json") as beside:
            beside.write_text(json.dumps(made, indent=2, sort_keys=True) + "\n")
    except AccuracyCurvesError as error:
        raise SystemExit(f"Error: {error}") from None
    seconds = table.groupby("method")["seconds"].median().sort_values()
    for method, each in seconds.items():
        click.echo(f"{method:<24}{each:>12.3f} s a repetition")


if __name__ == "__main__":
    main()
