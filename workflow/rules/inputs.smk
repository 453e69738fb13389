# What jobs read.
from itertools import product

from experiments.datasets.downloads.sources import input_files, originals_of
from experiments.figures import make_figure
from experiments.published import Published


def data_files(experiment):
    """Files of a data set; of public ones only the checksum counts, and not their age."""
    dataset = preset.datasets[experiment]
    public = originals_of(dataset)
    # They are where the preset says, also in a module with a prefix.
    return [
        ancient(local(str(path))) if path in public else local(str(path))
        for path in input_files(dataset)
    ]


def scored_files(wildcards):
    """What the scores of an experiment are made of: its files, or their embeddings."""
    embedded = preset.embedded_by(wildcards.experiment)
    if embedded:
        return f"{RESULTS}/embeddings/{embedded}.npz"
    return data_files(wildcards.experiment)


def scores(repetitions):
    """The scores of all classes, or those of each repetition's own classifier."""

    def found(wildcards):
        if wildcards.experiment not in preset.trained:
            return [f"{RESULTS}/scores/{wildcards.experiment}.npz"]
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


def of_chunks(kind, settings, methods=preset.computed):
    """The files of a kind of result of the methods that this run computes, one a chunk."""
    return [
        f"{RESULTS}/{kind}/{each.path}/{key}/{chunk}.parquet"
        for each, key in computed(product(settings, methods))
        for chunk in preset.chunks(each, key)
    ]


def predicted(settings, methods=None):
    """Whole predicted curves, computed or published."""
    pairs = product(settings, methods or config["methods"])
    return [path for each in pairs for path in preset.curves(*each)]


def curves(settings, methods=None):
    """True, observed and predicted curves of settings, computed or published."""
    own = [each for each in settings if not preset.beside.gives(each, "curves")]
    return [
        *[f"{RESULTS}/true/{name}.parquet" for name in unique(own)],
        *of_settings("observed", own),
        *predicted(settings, methods),
        *[path for each in settings for path in preset.beside.thinned_curves(each)],
    ]


PUBLISHED_ROWS = preset.beside.rows()


def published(table, presets=PUBLISHED_ROWS):
    """The published tables of presets, by default of all that give rows."""
    return [path for name in presets for path in Published(name).files(table)]


def class_draw(settings):
    """Noise of the draw of the classes, one file per setting, or published."""
    own = [each for each in settings if not preset.beside.gives(each, "class_draw")]
    known = published("draws.csv") if len(own) < len(settings) else []
    return of_settings("class_draw", own) + known


def intervals(drawn):
    """Intervals that this run finds, of the settings and methods that a figure judges."""
    return of_methods("intervals", computed(drawn.judged(preset)))


def computed(pairs):
    """Settings and methods that this run computes."""
    return [pair for pair in pairs if pair[1] in preset.computed]


def figure(kind, name):
    return make_figure(kind, config["figures"][kind][name])


def figure_rows(wildcards):
    """Rows of a figure's table that published presets may give."""
    return preset.beside.rows(vars(figure(wildcards.kind, wildcards.name)))


def rate_intervals(wildcards):
    """In how many repetitions intervals are judged, which a figure of coverage shows, and how."""
    pair = setting(wildcards), wildcards.method
    drawn = [
        figure("rate_coverage", each) for each in config["figures"]["rate_coverage"]
    ]
    shown = any(pair in each.judged(preset) for each in drawn)
    return {
        "judged": preset.interval_repetitions(*pair) if shown else 0,
        "splits": config["intervals"]["splits"],
        "of_population": preset.has_closed_form(wildcards.experiment),
    }


# Intervals of all figures of coverage, each once.
INTERVALS = dict.fromkeys(
    path
    for name in config["figures"]["coverage"]
    for path in intervals(figure("coverage", name))
)
# Those with something to show.
DRAWN = [
    (kind, name)
    for kind, entries in config["figures"].items()
    for name in entries
    if figure(kind, name).shows_anything(preset)
]


def files_of(drawn, kinds):
    """What a figure is drawn from, or its table made of."""
    shown, methods = drawn.shown_settings(preset), drawn.shown_methods(preset)
    read = {
        "errors": lambda: of_settings("errors", shown),
        "class_draw": lambda: class_draw(shown),
        "scores": lambda: [f"{RESULTS}/scores/{name}.npz" for name in unique(shown)],
        "curves": lambda: curves(shown, methods),
        "intervals": lambda: intervals(drawn),
        "rates": lambda: of_methods("rates", computed(product(shown, methods))),
        "choices": lambda: [f"{RESULTS}/choices.csv"],
        "rate_errors": lambda: [f"{RESULTS}/rate_errors.csv"],
    }
    return {each: read[each]() for each in kinds if each in read}


def tabulated_from(wildcards):
    """What the table of the wildcards' figure is made of."""
    drawn = figure(wildcards.kind, wildcards.name)
    files = files_of(drawn, drawn.tabulates)
    if "curves" in files:
        shown = drawn.shown_settings(preset)
        whole = of_chunks("predicted", shown, drawn.shown_methods(preset))
        names = unique(shown) if whole else []
        files["curves"] = [f"{RESULTS}/true/{name}.parquet" for name in names] + whole
    name = f"{wildcards.kind}/{wildcards.name}.csv"
    return {**files, "published": published(name, figure_rows(wildcards))}


def drawn_from(wildcards):
    """What the wildcards' figure is drawn from."""
    drawn = figure(wildcards.kind, wildcards.name)
    own = {"table": [f"{RESULTS}/{wildcards.kind}/{wildcards.name}.csv"]}
    return files_of(drawn, drawn.reads) | (own if drawn.tabulates else {})


def unique(settings):
    """The experiments of settings."""
    return dict.fromkeys(each.experiment for each in settings)
