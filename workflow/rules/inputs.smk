# What jobs read.
from itertools import product

from experiments.datasets.downloads.original_files import input_files, originals_of
from experiments.figures import make_figure


def data_files(experiment):
    """Files of a data set; of public ones only the checksum counts, and not their age."""
    dataset = preset.datasets[experiment]
    public = originals_of(dataset)
    return [
        ancient(str(path)) if path in public else str(path)
        for path in input_files(dataset)
    ]


def scores(repetitions):
    """The scores of all classes, or those of each repetition's own classifier."""

    def found(wildcards):
        if wildcards.experiment not in preset.trained:
            return f"{RESULTS}/scores/{wildcards.experiment}.npz"
        folder = f"{RESULTS}/scores/{setting(wildcards).path}"
        return [f"{folder}/{drawn:04d}.npz" for drawn in repetitions(wildcards)]

    return found


def of_chunk(wildcards):
    first, last = map(int, wildcards.chunk.split("-"))
    return list(range(first, last + 1))


def of_setting(wildcards):
    return list(range(repetitions(wildcards)))


def here(wildcards):
    return {"experiments": [wildcards.experiment], "k1": [int(wildcards.k1)]}


def of_settings(kind, settings=preset.settings):
    """The files of a kind of result, one a setting."""
    return [f"{RESULTS}/{kind}/{each.path}.parquet" for each in settings]


def of_methods(kind, pairs):
    """The files of a kind of result, one a setting and method."""
    return [f"{RESULTS}/{kind}/{each.path}/{method}.parquet" for each, method in pairs]


def predicted(settings, methods=None):
    return [
        path
        for each in settings
        for key in methods or config["methods"]
        for path in preset.curves(each, key)
    ]


def curves(settings, methods=None):
    """True, observed and predicted curves of settings; predicted ones may be published."""
    return [
        *[f"{RESULTS}/true/{name}.parquet" for name in unique(settings)],
        *of_settings("observed", settings),
        *predicted(settings, methods),
    ]


def intervals(figure):
    """Intervals that this run finds, of the settings and methods that a figure judges."""
    judged = preset.judged(figure).items()
    return of_methods("intervals", computed(pair for pair, why in judged if not why))


def rate_intervals(figure):
    shown = product(preset.shown_settings(figure), preset.shown_methods(figure))
    return of_methods("rate_intervals", computed(shown))


def computed(pairs):
    """Of settings and methods, those that this run computes."""
    return [pair for pair in pairs if pair[1] in preset.computed]


def figure(kind, name):
    return make_figure(kind, config["figures"][kind][name])


def figure_published_rows(kind, **which):
    """Rows of the table of a kind of figure that published presets give."""
    return lambda w: preset.published_rows(config["figures"][kind][w.name], **which)


def figure_published_tables(kind, **which):
    """The published tables that have these rows."""
    rows = figure_published_rows(kind, **which)
    return lambda w: preset.published_tables(rows(w), f"{kind}/{w.name}.csv")


def drawn_from(wildcards):
    """What a figure of the wildcards' kind is drawn from."""
    drawn = figure(wildcards.kind, wildcards.name)
    shown, methods = drawn.shown_settings(preset), drawn.shown_methods(preset)
    read = {
        "errors": lambda: of_settings("errors", shown),
        "class_draw": lambda: of_settings("class_draw", shown),
        "scores": lambda: [f"{RESULTS}/scores/{name}.npz" for name in unique(shown)],
        "curves": lambda: curves(shown, methods),
    }
    tables = {
        "choices": [f"{RESULTS}/choices.csv"],
        "rate_errors": [f"{RESULTS}/rate_errors.csv"],
        # The figure's own.
        "table": [f"{RESULTS}/{wildcards.kind}/{wildcards.name}.csv"],
    }
    return {
        each: read[each]() if each in read else tables[each] for each in drawn.reads
    }


def unique(settings):
    """The experiments of settings."""
    return dict.fromkeys(each.experiment for each in settings)
