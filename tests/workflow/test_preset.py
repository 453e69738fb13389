"""What a preset says, and the one sentence for what is wrong in it."""

import numpy as np
import pandas as pd
import pytest
import yaml

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from experiments.checks import claim_files, read_preset, replace_datasets
from experiments.figures import FIGURES
from experiments.published import Published, Setting, configuration_of
from presets import checked, read, shipped

TINY = read(ROOT / ".test/config/config.yaml")
VERIFY = shipped("verify")
ONE = TINY["experiments"]["one"]
ONE_AT_20 = Setting("one", 20)
CHARACTERS = {"kind": "glyph_images", "classifier": "logistic", "n_classes": 40, "size": 16}
SHIPPED = sorted(path.stem for path in (ROOT / "config").glob("*.yaml"))


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_presets_are_valid_and_absent_files_leave_experiments_out(name, tmp_path):
    preset = shipped("demo" if name == "config" else name)
    assert preset["preset"] in (name, "demo", "mine")
    found = checked(preset, data_dir=str(tmp_path))
    assert not found.missing
    assert all("is not in" in why for why in found.left_out.values())
    for experiment in preset.get("experiments", {}).values():
        dataset, k2 = experiment["dataset"], experiment["k2"]
        labels = {dataset.get("labels_key", "labels"): np.repeat(np.arange(k2), 2)}
        arrays = {
            "embeddings": {"embeddings": np.zeros(2 * k2), **labels},
            "scores": {"scores": np.zeros((1, k2))},
        }.get(dataset["kind"], {})
        for file in [dataset.get("path"), *dataset.get("paths", [])]:
            with (tmp_path / (file or "none")).open("wb") as written:
                np.savez(written, **arrays)
    whole = checked(preset, data_dir=str(tmp_path))
    assert not whole.left_out
    assert len(whole.settings) == sum(len(e["k1"]) for e in whole.config["experiments"].values())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: {c: 1}\na: 2\n", "line 3: the key a stands twice"),
        ("a:\n- {b: 1, b: 2}\n", "line 2: the key b stands twice"),
        ("a:\n  no: 1\n", "line 2: the key no is no text for YAML: write it in quotes"),
        ("a: {1: 1}\n", "line 1: the key 1 is no text for YAML: write it in quotes"),
    ],
)
def test_a_key_stands_once_and_is_a_text(text, said, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_preset(path)


def test_the_paper_preset_has_the_settings_and_experiments_of_iclr_2021():
    paper = checked(shipped("paper"))
    simulated = [s for s in paper.settings if paper.experiments[s.experiment]["k2"] == 2000]
    assert len(simulated) == len(set(simulated)) == 32
    assert sum(setting.k1 == 100 for setting in simulated) == 8
    assert {paper.repetitions(name) for name in paper.experiments} == {50}
    assert paper.method("cleanex")[1]["steps"] == 10_000
    shown = paper.shown_settings(paper.config["figures"]["comparison"]["figure3"])
    assert [(*setting, paper.experiments[setting.experiment]["k2"]) for setting in shown] == [
        ("cifar100", 10, 100),
        ("cifar100_nearest", 10, 100),
        ("lfw", 200, 1672),
        ("kay", 200, 1000),
    ]
    made = {setting.experiment: vars(paper.datasets[setting.experiment]) for setting in shown}
    assert made["cifar100"]["preprocessing"] == made["cifar100_nearest"]["preprocessing"] == "raw"
    assert [made[n]["gallery"] for n in ("cifar100", "cifar100_nearest")] == ["centroid", "nearest"]
    assert made["lfw"]["n_people"] == 1672
    assert (made["kay"]["n_training"], made["kay"]["n_voxels"]) == (750, 1250)


def test_zhengs_preset_has_the_papers_bases_and_noises():
    zheng = checked(shipped("zheng"))
    named = (zheng.method(key) for key in zheng.methods)
    bases = {(o["knots"], o["spacing"]) for method, o in named if method == "spline"}
    assert bases == {(m, s) for m in (100, 1000, 10_000) for s in ("linear", "quadratic")}
    for name in set(zheng.experiments) - {"lfw"}:
        assert float(name.split("_")[1]) ** 2 == pytest.approx(zheng.datasets[name].variance)


def test_a_data_set_of_another_kind_replaces_that_of_an_earlier_file():
    mine = {"kind": "embeddings", "path": "faces.npz", "gallery": "random"}
    second = {"experiments": {"lfw": {"dataset": mine, "k2": 300}, "kay": {"dataset": {"seed": 1}}}}
    paper = shipped("paper")["experiments"]
    merged = {name: dict(paper[name]["dataset"]) for name in ("lfw", "kay")}
    for name, entry in second["experiments"].items():
        merged[name].update(entry["dataset"])
    config = {"experiments": {name: {"dataset": dataset} for name, dataset in merged.items()}}
    replace_datasets(config, [shipped("paper"), second])
    assert config["experiments"]["lfw"]["dataset"] == mine
    assert config["experiments"]["kay"]["dataset"] == {**paper["kay"]["dataset"], "seed": 1}


def test_simulations_are_every_combination_of_a_grid():
    drawn = {"classes": ["normal", "uniform"], "points": ["normal"], "variance": [0.1, 2]}
    grid = {"dataset": {**drawn, "dimension": 3, "n_classes": 40}, "k1": [20], "k2": 40}
    found = checked(TINY, simulations=[grid])
    assert list(found.experiments) == [
        *("one", "normal_normal_d3_v0.1", "normal_normal_d3_v2"),
        *("uniform_normal_d3_v0.1", "uniform_normal_d3_v2"),
    ]
    made = found.datasets["uniform_normal_d3_v2"]
    assert (made.classes, made.points, made.variance) == ("uniform", "normal", 2)
    with pytest.raises(InputError, match="uniform_normal_d3_v2 is among the simulations too"):
        checked(TINY, simulations=[grid], experiments={"one": ONE, "uniform_normal_d3_v2": ONE})


def test_chunks_cover_every_repetition_once_and_more_repetitions_keep_them():
    few, many = (
        checked(TINY, repetitions=n, chunk=5).chunks(ONE_AT_20, "kde_ucv") for n in (10, 23)
    )
    assert many == ["0000-0004", "0005-0009", "0010-0014", "0015-0019", "0020-0022"]
    assert few == many[:2]


def test_experiments_methods_and_exceptions_have_repetitions_and_chunks_of_their_own():
    methods = {
        "cleanex": {"repetitions": 5},
        "regression": {"chunk": 6},
        "kde_ucv": {"method": "kde", "chunk": 6},
    }
    exceptions = [
        {"methods": ["cleanex"], "k1": [20], "repetitions": 4, "chunk": 3, "intervals": 2},
        {"methods": ["regression"], "experiments": ["one"], "k1": [10], "repetitions": 1},
        {"methods": ["kde_ucv"], "k1": [10], "repetitions": 0},
        {"experiments": ["two"], "repetitions": 100},
    ]
    two = {"one": {**ONE, "k1": [10, 20]}, "two": {**ONE, "repetitions": 3}}
    changes = {"methods": methods, "experiments": two, "exceptions": exceptions}
    found = checked(TINY, repetitions=6, chunk=2, figures={}, **changes)
    at_10 = Setting("one", 10)
    for setting, method, chunks in (
        (ONE_AT_20, "kde_ucv", ["0000-0005"]),
        (ONE_AT_20, "cleanex", ["0000-0002", "0003-0003"]),
        (at_10, "cleanex", ["0000-0001", "0002-0003", "0004-0004"]),
        (at_10, "regression", ["0000-0000"]),
        (at_10, "kde_ucv", []),
        # No more than the experiment has.
        (Setting("two", 20), "regression", ["0000-0002"]),
    ):
        assert found.chunks(setting, method) == chunks, (setting, method)
    assert found.interval_repetitions(ONE_AT_20, "cleanex") == 2
    # Tiny's own number; of an experiment with fewer repetitions, those.
    assert found.interval_repetitions(ONE_AT_20, "regression") == 2


def test_a_key_of_methods_may_stand_for_another_class():
    found = checked(TINY)
    name, options = found.method("kde_ucv")
    assert (name, options["bandwidth"]) == ("kde", "ucv")
    assert found.method("regression") == ("regression", {})
    assert found.config["reference"] == "cleanex"


def test_a_figure_of_coverage_leaves_out_what_cannot_be_judged():
    methods = {"cleanex": {}, "kde": {}, "auto": {}, "own": {"method": "spline"}}
    parts = {
        "methods": methods,
        "experiments": {
            "one": {**ONE, "k1": [8, 20, 30]},
            "trained": {"dataset": CHARACTERS, "k1": [10], "k2": 40},
        },
        "intervals": {"splits": 20},
        "claims": [],
        "figures": {"coverage": {"f": {}}},
    }
    found = checked(TINY, **parts)

    def judged(preset):
        shown = FIGURES["coverage"](**preset.config["figures"]["coverage"]["f"]).judged(preset)
        return {(*setting, key) for setting, key in shown}

    # Half of 8 classes is too few for auto; CleaneX takes minutes.
    kept = {("one", k1, key) for k1 in (8, 20) for key in ("kde", "auto", "own")}
    assert judged(found) == kept - {("one", 8, "auto")}
    assert [found.splits(key) for key in ("kde", "own")] == [10, 20]
    more = checked(TINY, **parts, exceptions=[{"methods": ["cleanex"], "intervals": 2}])
    assert judged(more) - judged(found) == {("one", 8, "cleanex"), ("one", 20, "cleanex")}


@pytest.fixture
def beside():
    """The preset `verify` with one more method, beside its published rows."""
    more = {**VERIFY, "preset": "mine", "methods": {"log_linear": {}}}
    return lambda **changes: checked(more, beside="verify", **changes)


def test_a_new_method_is_computed_beside_published_rows(beside):
    found = beside()
    setting, *others = found.settings
    assert found.computed == ["log_linear"]
    assert set(found.methods) == {*VERIFY["methods"], "log_linear"}
    assert found.beside.source(setting, "log_linear") is None
    assert not found.missing
    assert {key for *_, key in found.beside.rows()["verify"]} == {*VERIFY["methods"]}
    assert len(found.beside.rows()["verify"]) == 6 * (1 + len(others))
    assert found.beside.rows({"methods": ["log_linear"]}) == {}
    (chunk, _) = found.curves(setting, "log_linear")
    assert chunk == f"results/mine/predicted/{setting.path}/log_linear/0000-0000.parquet"
    for each in found.settings:
        for key in VERIFY["methods"]:
            paths = found.curves(each, key)
            assert all("/published/verify/predicted/" in path for path in paths)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"seed": 1}, "seed = 2021 and not 1"),
        (
            {"methods": {"log_linear": {}, "kde": {"options": {"bandwidth": "ucv"}}}},
            "kde.bandwidth",
        ),
    ],
)
def test_rows_that_were_made_otherwise_are_refused(beside, changes, word):
    with pytest.raises(InputError, match=word):
        beside(compute=["log_linear"], **changes)


def test_defaults_of_a_class_are_no_other_options(beside):
    kde = {"bandwidth": "bcv", "transformation": "none"}
    assert not beside(
        compute=["log_linear"], methods={"log_linear": {}, "kde": {"options": kde}}
    ).missing


@pytest.fixture
def published_paper():
    """The published results of `paper`, as if they had Experiment 1 from other copies."""
    published = Published("paper")
    published.config["experiments"]["cifar100"]["dataset"] |= {
        "archive": "mine.tar.gz",
        "weights": "mine.weights.h5",
    }
    published.rows = {("cifar100", 10, "auto")}
    return published


def test_where_originals_lie_is_no_other_configuration(published_paper):
    config = checked(shipped("paper"), data_dir="elsewhere").config
    wanted = configuration_of(config, "cifar100", "auto")
    assert published_paper.has(("cifar100", 10), "auto", wanted)
    config["experiments"]["cifar100"]["dataset"]["preprocessing"] = "imagenet"
    with pytest.raises(InputError, match=r"dataset\.preprocessing = raw and not imagenet"):
        published_paper.has(("cifar100", 10), "auto", configuration_of(config, "cifar100", "auto"))


def test_another_data_set_of_the_same_name_is_reported():
    sensitivity = checked(shipped("sensitivity"))
    assert {"lfw", "cifar100"} <= {*sensitivity.beside.other_data("paper")}
    assert sensitivity.beside.other_data("real") == []


def test_a_preset_is_beside_itself_where_it_computes_some_methods():
    found = checked(VERIFY, compute="auto")
    assert [each.name for each in found.beside.published] == ["verify"]
    assert not found.missing


def test_a_new_method_stands_in_the_matrix_that_names_the_others():
    """As `make beside PRESET=glyphs METHODS=mine` runs it."""
    given = shipped("glyphs")
    named = given["figures"]["matrix"]["all"]["methods"]
    given["methods"]["mine"] = {"method": "log_quadratic"}
    matrix = FIGURES["matrix"](methods=named)
    assert matrix.shown_methods(checked(given, compute="mine")) == [*named, "mine"]
    assert matrix.shown_methods(checked(shipped("glyphs"), compute="auto")) == named
    assert matrix.shown_methods(checked(given)) == named
    # Registered, and without an entry in the preset.
    found = checked(shipped("glyphs"), compute="log_quadratic")
    assert matrix.shown_methods(found) == [*named, "log_quadratic"]


def test_files_of_the_project_have_the_same_names_after_it_has_moved(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert claim_files("config/claims/demo.yaml") == ["config/claims/demo.yaml"]
    assert Published("glyphs").files("errors.csv") == ["results/published/glyphs/errors.csv"]
    monkeypatch.chdir(tmp_path)
    assert claim_files("config/claims/demo.yaml") == [str(ROOT / "config/claims/demo.yaml")]


def test_the_preset_to_copy_has_the_methods_and_options_of_the_paper(tmp_path):
    mine, paper = shipped("embeddings"), shipped("paper")
    for key in ("cleanex", "regression", "kde"):
        assert mine["methods"][key]["options"] == paper["methods"][key]["options"]
    people = np.repeat(np.arange(400), 2)
    np.savez(tmp_path / "embeddings.npz", embeddings=np.ones((800, 3)), labels=people)
    found = checked(mine, data_dir=str(tmp_path), compute=["regression"])
    assert found.datasets["mine"].n_classes == 400
    assert (found.computed, found.config["reference"]) == (["regression"], "regression")


def own_file(tmp_path, name):
    """Write files of 20 people, three photos each, and of another kind."""
    rng, people = np.random.default_rng(0), np.repeat([f"p{i}" for i in range(20)], 3)
    photos = rng.normal(size=(60, 6))
    np.savez(tmp_path / "faces.npz", embeddings=photos, labels=people)
    table = pd.DataFrame(photos, columns=[f"x{i}" for i in range(6)])
    table.assign(person=people).to_csv(tmp_path / "faces.csv", index=False)
    scores = pd.DataFrame(rng.normal(size=(60, 20)), columns=np.unique(people))
    scores.insert(0, "label", people)
    scores.to_csv(tmp_path / "scores.csv", index=False)
    np.savez(tmp_path / "scores.npz", scores=scores[scores.columns[1:]], labels=np.arange(60) % 20)
    return {"path": str(tmp_path / name)}


@pytest.mark.parametrize("name", ["faces.npz", "faces.csv", "scores.npz", "scores.csv"])
def test_the_classes_of_ones_own_file_are_counted_when_the_preset_is_read(name, tmp_path):
    dataset = {"kind": "embeddings" if "faces" in name else "scores", **own_file(tmp_path, name)}
    found = checked(TINY, **one(dataset=dataset, k1=[10], k2=20), claims=[], figures={})
    assert found.datasets["one"].n_classes == 20
    with pytest.raises(InputError, match="k2 = 21 is above the data set's 20 classes"):
        checked(TINY, **one(dataset=dataset, k1=[10], k2=21), claims=[], figures={})
    other = "scores" if "faces" in name else "embeddings"
    with pytest.raises(InputError, match=r"experiments\.one\.dataset.* of the kind"):
        checked(TINY, **one(dataset={**dataset, "kind": other}), claims=[], figures={})


def one(**changes):
    return {"experiments": {"one": {**ONE, **changes}}}


def figure(kind, **entry):
    return {"figures": {kind: {"f": entry}}}


SIGMA = {"over": "sigma"}
CHOICE = {"group": "KDE", "label": "nrd0", "methods": {"kde": "kde_ucv"}}
CHOICES = {"errors_of": ["paper"], "each": {"other": CHOICE}}
WRONG = [
    # What the schema knows.
    ({"repetitions": 0}, "repetitions"),
    ({"methods": {}}, "methods"),
    ({"intervals": {"splits": 2}}, "splits"),
    (one(k1=[2]), "k1"),
    (one(label="é" * 101), "label"),
    (figure("bivariate_normal", part="x"), "part"),
    (figure("matrix", hide_above=0.1), "hide_above"),
    (figure("boxplots", hide_above="much"), "hide_above"),
    (figure("bivariate_normal", part="model", rho=1), "rho"),
    (figure("sweep", over="accuracy", k2=[5, 6, 7, 8, 9]), "k2"),
    (figure("nonesuch"), "nonesuch"),
    # Names that lead out of their folders.
    ({"preset": "../x"}, "preset"),
    ({"methods": {"a/b": {"method": "kde"}}}, "a/b"),
    ({"figures": {"matrix": {"/tmp/x": {}}}}, "/tmp/x"),
    ({"tables": {".hidden": {}}}, "hidden"),
    # Methods and data sets.
    ({"methods": {"oracle": {}}}, "oracle"),
    ({"methods": {"kde": {"width": 1}}}, "methods.kde.*width"),
    ({"methods": {"kde": {"options": {"bandwidth": "x"}}}}, "bandwidth"),
    ({"methods": {"kde": {"options": {"seed": 1}}}}, "seed"),
    ({"reference": "oracle"}, "oracle"),
    ({"beside": "nonesuch"}, "nonesuch"),
    ({"compute": "none"}, "nothing is published of 'tiny': there are "),
    (one(dataset={"kind": "magic"}), "magic"),
    (one(dataset={"kind": "simulation", "d": 3}), "'d'"),
    (one(k1=[50]), "k1 = 50"),
    # What exceptions and tables name.
    ({"exceptions": [{"chunk": 1}, {"methods": ["x"]}]}, "entry 2"),
    ({"exceptions": [{"k1": [3], "chunk": 1}]}, "entry 1"),
    ({"tables": {"t": {"experiments": ["two"]}}}, "'two'"),
    ({"tables": {"t": {"k1": [7]}}}, r"\[7\]"),
    ({"claims": "nonesuch.yaml"}, "nonesuch.yaml: check its name"),
    # Choices.
    ({"choices": {**CHOICES, "claims": ["nonesuch.yaml"]}}, "nonesuch.yaml: check its name"),
    ({"choices": {**CHOICES, "each": {"a": {**CHOICE, "methods": {"kde": "kdf"}}}}}, "kdf"),
    ({"choices": {**CHOICES, "each": {"a": {**CHOICE, "experiments": {"x": "y"}}}}}, "'y'"),
    ({"choices": {**CHOICES, "each": {"a": {"group": "", "label": ""}}}}, "choices.each.a"),
    # Figures.
    (figure("curves", k1=[99]), "99"),
    ({**one(k1=[20, 30]), **figure("sweep", **SIGMA)}, "one of k1"),
    ({"experiments": {"one": ONE, "two": ONE}, **figure("sweep", over="k1")}, "of experiments"),
    ({**one(dataset=CHARACTERS), **figure("sweep", **SIGMA)}, "simulations"),
    ({**one(k1=[20, 21]), **figure("coverage", k1=[21])}, "2 k1 = 42"),
    ({**one(k1=[4]), **figure("coverage")}, "4"),
    ({**one(dataset=CHARACTERS), **figure("coverage", experiments=["one"])}, "trains"),
]


@pytest.mark.parametrize(("parts", "word"), WRONG)
def test_what_is_wrong_gets_one_sentence(parts, word):
    with pytest.raises(InputError, match=word) as caught:
        checked(TINY, **parts)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"experiments": ["two"]}, "'two'"),
        ({"other_experiments": ["two"], "against": []}, "'two'"),
        ({"against": ["two"]}, "'two'"),
        ({"quantity": "worst"}, "worst"),
        ({"worse": 1}, "worse"),
    ],
)
def test_a_wrong_claim_gets_one_sentence(changes, word, tmp_path):
    claims = read(ROOT / TINY["claims"])
    claims["kde"].update(changes)
    (tmp_path / "claims.yaml").write_text(yaml.safe_dump(claims))
    with pytest.raises(InputError, match=f"kde.*{word}"):
        checked(TINY, claims=str(tmp_path / "claims.yaml"))
