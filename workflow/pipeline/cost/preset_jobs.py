"""The jobs of a preset, with what each is expected to cost and which it waits for."""

from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.cost.benchmarks import Cost, work_of
from pipeline.cost.schedule import Job
from pipeline.preset import original_files as originals
from pipeline.preset.chunks import chunk_repetitions, chunks, repetitions_of
from pipeline.preset.figure_plans import figure_methods, figure_settings, figures, judged
from pipeline.preset.settings import Config, Setting, method_of, settings, trained_anew


def preset_jobs(
    config: Config, costs: Mapping[str, Cost], overhead: float = 0.0
) -> tuple[dict[str, Job], list[str]]:
    """Estimate every job of a preset.

    Parameters
    ----------
    config : dict
        A checked preset.
    costs : mapping
        As `pipeline.cost.benchmarks.read_benchmarks` returns.
    overhead : float
        Seconds that Snakemake and a scheduler add to a job.

    Returns
    -------
    jobs : dict of str to Job
        Each job after those it waits for. Its name is its rule and wildcards.
    unknown : list of str
        Kinds of jobs that were not measured; they are taken to cost `overhead` alone.
    """
    plan = _Plan(config, costs, overhead)
    plan.add_scores()
    for setting in settings(config):
        plan.add_setting(setting)
    plan.add_intervals()
    plan.add_tables_and_figures()
    return plan.jobs, list(plan.unknown)


class _Plan:
    """Jobs so far, and the names of those that later ones wait for."""

    def __init__(self, config: Config, costs: Mapping[str, Cost], overhead: float) -> None:
        self.config, self.costs, self.overhead = config, costs, overhead
        self.jobs: dict[str, Job] = {}
        self.unknown: dict[str, None] = {}
        self.curves: dict[Setting, dict[str, list[str]]] = {}
        self.evaluated: dict[Setting, str] = {}
        self.draws: dict[Setting, str] = {}

    def add(self, *parts: str, after: Iterable[str] = (), threads: int = 1, rule: str = "") -> str:
        """Add a job, named by its rule and wildcards; return its name."""
        kind, work = work_of(parts, self.config)
        cost = self.costs.get(kind)
        if cost is None and not _beside(kind):
            self.unknown[kind] = None
        seconds = cost.seconds(work) if cost else 0.0
        name = " ".join([rule or parts[0], *parts[1:]])
        self.jobs[name] = Job(self.overhead + seconds, threads, tuple(dict.fromkeys(after)))
        return name

    def add_scores(self) -> None:
        """Add what makes score matrices and true curves."""
        fetched = [
            self.add(f"download_{download.name}") for download in originals.downloads(self.config)
        ]
        for name in originals.embeddings(self.config):
            self.add("embed", name, after=fetched)
        for experiment in self.config["experiments"]:
            embedding = originals.embedding_of(self.config, experiment)
            self.add("scores", experiment, after=[f"embed {embedding}"] if embedding else [])
            self.add("true_curve", experiment, after=[f"scores {experiment}"])

    def add_setting(self, setting: Setting) -> None:
        """Add the curves of a setting, their errors, and the noise of the draw of its classes."""
        experiment, k1 = setting.experiment, f"k1_{setting.k1}"
        curves = self.curves[setting] = self._add_curves(experiment, k1, setting)
        predicted = [name for method in self.config["methods"] for name in curves[method]]
        after = [f"true_curve {experiment}", *predicted]
        self.evaluated[setting] = self.add("evaluate", experiment, k1, after=after)
        scores = [f"scores {experiment}"]
        self.draws[setting] = self.add("class_draw", experiment, k1, after=scores)

    def _add_curves(self, experiment: str, k1: str, setting: Setting) -> dict[str, list[str]]:
        """Add the jobs of a setting's observed and predicted curves; their names by method."""
        config = self.config
        repetitions = range(repetitions_of(config, experiment))
        trained = experiment in trained_anew(config)
        suffix = "_trained" if trained else ""
        train = [
            self.add("train", experiment, k1, f"{each:04d}")
            for each in (repetitions if trained else ())
        ]

        def scores(used: Iterable[int]) -> list[str]:
            return [train[each] for each in used] if trained else [f"scores {experiment}"]

        observed = ("observe", experiment, k1)
        names = {
            "observed": [self.add(*observed, after=scores(repetitions), rule=f"observe{suffix}")]
        }
        for method in config["methods"]:
            names[method] = [
                self.add(
                    *("extrapolate", experiment, k1, method, chunk),
                    after=scores(chunk_repetitions(chunk)),
                    threads=self._threads(method),
                    rule=f"extrapolate{suffix}",
                )
                for chunk in chunks(config, setting, method)
            ]
        return names

    def add_intervals(self) -> None:
        """Add the intervals that the figures of coverage judge."""
        drawn = self.config["figures"]["coverage"].values()
        pairs = dict.fromkeys(pair for figure in drawn for pair in judged(self.config, figure))
        for (experiment, k1), method in pairs:
            self.add(
                *("intervals", experiment, f"k1_{k1}", method),
                after=[f"scores {experiment}"],
                threads=self._threads(method),
            )

    def add_tables_and_figures(self) -> None:
        """Add what a reader opens."""
        config = self.config
        summary = self.add("summary", "summary", after=self.evaluated.values())
        draws = [*self.evaluated.values(), *self.draws.values()]
        last = [summary, self.add("class_draws", "class_draws", after=draws)]
        for name, table in config["tables"].items():
            last.append(self.add("accuracies", name, after=self._wanted("accuracies", table)))
        for kind, name in figures(config):
            after = self._wanted(kind, config["figures"][kind][name])
            last.append(self.add(kind, name, after=after))
        if config["claims"]:
            last.append(self.add("claims", after=[summary]))
        if config["standings"]["groups"]:
            last.append(self.add("standings", after=[summary]))
        self.add("provenance", after=last)

    def _wanted(self, rule: str, drawn: Mapping[str, Any]) -> list[str]:
        """List what a table or figure is made from."""
        config = self.config
        if rule == "bivariate_normal":
            return []
        if rule == "coverage":
            pairs = judged(config, drawn)
            return [f"intervals {name} k1_{k1} {method}" for (name, k1), method in pairs]
        shown = [] if "experiment" in drawn else figure_settings(config, drawn)
        if rule in ("reversed_roc", "distributions"):
            names = [drawn["experiment"]] if "experiment" in drawn else [e for e, _ in shown]
            return [f"scores {name}" for name in names]
        errors = [self.evaluated[setting] for setting in shown]
        noise = [self.draws[setting] for setting in shown]
        if rule == "matrix":
            return errors
        if rule == "boxplots":
            return errors + noise
        methods = ["observed", *figure_methods(config, drawn)]
        curves = [
            name
            for setting in shown
            for name in (
                f"true_curve {setting.experiment}",
                *(each for method in methods for each in self.curves[setting][method]),
            )
        ]
        if rule == "comparison":
            return curves + errors + noise
        return curves if rule in ("accuracies", "sweep") else curves + errors

    def _threads(self, method: str) -> int:
        return int(method_of(self.config, method)[1].get("threads", 1))


def _beside(kind: str) -> bool:
    """Say whether Snakemake does it itself, so that no benchmark tells its time."""
    return kind == "provenance" or kind.startswith("download_")
