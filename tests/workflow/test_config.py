import copy
import json
from pathlib import Path

import pytest
import yaml

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from pipeline.preset import figure_plans
from pipeline.preset.choices import claims_of_choices, errors_beside
from pipeline.preset.chunks import (
    chunk_repetitions,
    chunks,
    interval_repetitions,
    method_repetitions,
    repetitions_of,
)
from pipeline.preset.configuration import check_config
from pipeline.preset.figure_plans import figure_plan, figure_settings, figures, sweep_plan
from pipeline.preset.settings import Setting, dataset_of, method_of, settings, trained_anew

TINY = yaml.safe_load((ROOT / "tests/workflow/presets/tiny.yaml").read_text())
ONE_AT_20 = Setting("one", 20)


def changed(**parts):
    config = copy.deepcopy(TINY)
    config.update(parts)
    return config


@pytest.mark.parametrize("name", ["config.yaml", "paper.yaml", "characters.yaml", "glyphs.yaml"])
def test_shipped_presets_are_valid(name):
    checked = check_config(yaml.safe_load((ROOT / "config" / name).read_text()))
    assert settings(checked)
    assert list(figures(checked))


def test_the_paper_preset_has_the_32_settings_of_iclr_2021():
    paper = check_config(yaml.safe_load((ROOT / "config/paper.yaml").read_text()))
    simulated = {
        name: experiment
        for name, experiment in paper["experiments"].items()
        if experiment["dataset"]["kind"] == "simulation"
    }
    found = [setting for setting in settings(paper) if setting.experiment in simulated]
    assert len(found) == len(set(found)) == 32
    assert sum(k1 == 100 for _, k1 in found) == 8
    assert {e["k2"] for e in simulated.values()} == {2000}
    assert paper["repetitions"] == 50
    assert paper["methods"]["cleanex"]["steps"] == 10_000


def test_the_paper_presets_simulations_are_those_of_the_committed_results():
    paper = check_config(yaml.safe_load((ROOT / "config/paper.yaml").read_text()))
    record = json.loads((ROOT / "results/paper/provenance.json").read_text())
    recorded = record["config"]["experiments"]
    for name, experiment in recorded.items():
        assert paper["experiments"][name] == experiment
    assert "simulations" not in paper


def test_simulations_are_every_combination_of_a_grid():
    grid = {
        "dataset": {
            "classes": ["normal", "uniform"],
            "points": ["normal"],
            "dimension": 3,
            "variance": [0.1, 2],
            "n_classes": 40,
        },
        "k1": [20],
        "k2": 40,
    }
    checked = check_config(changed(simulations=[grid]))
    assert list(checked["experiments"]) == [
        "one",
        "normal_normal_d3_v0.1",
        "normal_normal_d3_v2",
        "uniform_normal_d3_v0.1",
        "uniform_normal_d3_v2",
    ]
    made = dataset_of(checked, "uniform_normal_d3_v2")
    assert (made.classes, made.points, made.variance) == ("uniform", "normal", 2)
    wrong = {**grid, "dataset": {**grid["dataset"], "classes": ["magic"]}}
    with pytest.raises(InputError, match=r"experiments\.magic_normal_d3_v0\.1\.dataset: .*'magic'"):
        check_config(changed(simulations=[wrong]))
    twice = {"one": ONE, "uniform_normal_d3_v2": ONE}
    with pytest.raises(InputError, match="uniform_normal_d3_v2 is among the simulations too"):
        check_config(changed(simulations=[grid], experiments=twice))
    with pytest.raises(InputError, match="the top level: there are no experiments"):
        check_config({"preset": "empty"})


def test_the_paper_preset_has_the_three_experiments_of_iclr_2021():
    paper = check_config(yaml.safe_load((ROOT / "config/paper.yaml").read_text()))
    shown = figure_settings(paper, paper["figures"]["comparison"]["figure3"])
    assert [(name, k1, paper["experiments"][name]["k2"]) for name, k1 in shown] == [
        ("cifar100", 10, 100),
        ("cifar100_nearest", 10, 100),
        ("lfw", 200, 1672),
        ("kay", 200, 1000),
    ]
    made = {name: vars(dataset_of(paper, name)) for name, _ in shown}
    assert made["cifar100"]["preprocessing"] == made["cifar100_nearest"]["preprocessing"] == "raw"
    assert made["cifar100"]["gallery"] == "centroid"
    assert made["cifar100_nearest"]["gallery"] == "nearest"
    assert made["lfw"]["n_people"] == 1672
    assert (made["kay"]["n_training"], made["kay"]["n_voxels"]) == (750, 1250)


def test_the_real_preset_is_valid_where_its_files_are(tmp_path):
    real = yaml.safe_load((ROOT / "config/real.yaml").read_text())
    for experiment in real["experiments"].values():
        options = experiment["dataset"]
        for name in [options.get("path"), *options.get("paths", [])]:
            if name:
                (tmp_path / name).touch()
    checked = check_config({**real, "data_dir": str(tmp_path)})
    assert len(settings(checked)) == 9
    with pytest.raises(InputError, match=r"experiments\.lfw.*lfw_mobilefacenet\.npz"):
        check_config({**real, "absent": "make", "data_dir": str(tmp_path / "nowhere")})


def test_the_zheng_preset_has_the_papers_bases_noises_and_repetitions(tmp_path):
    zheng = yaml.safe_load((ROOT / "config/zheng.yaml").read_text())
    (tmp_path / "lfw_mobilefacenet.npz").touch()
    checked = check_config({**zheng, "data_dir": str(tmp_path)})
    bases = {
        (options["knots"], options["spacing"])
        for method, options in (method_of(checked, key) for key in checked["methods"])
        if method == "spline"
    }
    assert bases == {(m, s) for m in (100, 1000, 10_000) for s in ("linear", "quadratic")}
    assert checked["experiments"]["lfw"]["k1"] == [100, 200, 400, 800]
    assert repetitions_of(checked, "lfw") == 300
    jmlr = sweep_plan(checked, checked["figures"]["sweep"]["jmlr_accuracy"])
    assert jmlr["k2"] == [1000, 2000, 5000, 10_000]
    for name, sigma in jmlr["sigma"].items():
        assert name == f"sigma_{sigma:g}"
    over_sigma = sweep_plan(checked, checked["figures"]["sweep"]["figure10_sigma"])
    assert {0.3, 0.55, 0.7} <= {round(s, 6) for s in over_sigma["sigma"].values()}


def test_the_telugu_preset_is_table_1_of_the_thesis(tmp_path):
    (tmp_path / "telugu48.npz").touch()
    telugu = yaml.safe_load((ROOT / "config/telugu.yaml").read_text())
    checked = check_config({**telugu, "data_dir": str(tmp_path)})
    assert trained_anew(checked) == ["logistic", "svm", "epsilon_nn", "deep_cnn"]
    assert set(checked["tables"]["table1"]["printed"]) == set(checked["experiments"])
    assert len(settings(checked)) == 10


def test_defaults_are_filled_in_and_the_input_is_left_alone():
    config = {"preset": "p", "experiments": copy.deepcopy(TINY["experiments"])}
    before = copy.deepcopy(config)
    checked = check_config(config)
    assert config == before
    assert checked["seed"] == 2021
    assert checked["repetitions"] == 50
    assert list(checked["methods"]) == ["cleanex", "regression", "kde"]
    assert list(figures(checked)) == []


ONE = TINY["experiments"]["one"]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"repetition": 3}, "'repetition' was unexpected"),
        ({"repetitions": 0}, "repetitions: 0 is less than the minimum of 1"),
        ({"seed": "one"}, "seed: 'one' is not of type 'integer'"),
        ({"preset": "No spaces"}, "preset: 'No spaces' does not match"),
        ({"reference": "oracle"}, "reference: 'oracle' is not among the methods"),
        (
            {"methods": {"cleanex": {}, "oracle": {}}},
            r"methods\.oracle: no method is called 'oracle'",
        ),
        (
            {"reference": "kde", "methods": {"kde": {"width": 1}}},
            r"methods\.kde: kde has no option 'width'",
        ),
        (
            {"reference": "kde", "methods": {"kde": {"bandwidth": "x"}}},
            r"methods\.kde: .*bandwidth",
        ),
        ({"reference": "kde", "methods": {"kde": {"seed": 1}}}, r"methods\.kde: seed is derived"),
        ({"experiments": {"one": {**ONE, "k1": [50]}}}, r"one: k1 = 50 is above k2 = 40"),
        ({"experiments": {"one": {**ONE, "k1": [2]}}}, r"k1\.0: 2 is less than the minimum of 3"),
        ({"experiments": {"one": {**ONE, "k2": 41}}}, r"k2 = 41 is above the data set's 40"),
        (
            {"experiments": {"one": {**ONE, "dataset": {"kind": "magic"}}}},
            r"experiments\.one\.dataset: .*'magic'",
        ),
        (
            {"experiments": {"one": {**ONE, "dataset": {"kind": "simulation", "d": 3}}}},
            r"experiments\.one\.dataset: .*'d'",
        ),
        (
            {"experiments": {"one": {**ONE, "dataset": {"kind": "scores", "path": "no.npz"}}}},
            r"experiments\.one\.dataset: .*no\.npz",
        ),
        ({"figures": {"curves": {"f": {"experiments": ["two"]}}}}, r"curves\.f: 'two' is not"),
        ({"figures": {"curves": {"f": {"k1": [99]}}}}, r"no experiment has a k1 among \[99\]"),
        ({"figures": {"reversed_roc": {"f": {"experiment": "two"}}}}, r"'two' is not among"),
        ({"figures": {"bivariate_normal": {"f": {"part": "x"}}}}, r"f\.part: 'x' is not one of"),
        ({"figures": {"sweep": {"f": {"over": "x"}}}}, r"f\.over: 'x' is not one of"),
        (
            {"figures": {"sweep": {"f": {"over": "accuracy", "k2": [41]}}}},
            "k2 = 41 is above that of one",
        ),
        (
            {"figures": {"curves": {"f": {"k2": 41}}}},
            r"f: k2 = 41 is not from k1 = 20 to the k2 = 40",
        ),
        ({"figures": {"curves": {"f": {"k2": 19}}}}, r"f: k2 = 19 is not from k1 = 20"),
        ({"figures": {"matrix": {"f": {"k2": 30}}}}, r"k2 is for .* curves and sweep, not matrix"),
        (
            {"figures": {"curves": {"f": {"show": "bias"}}}},
            r"curves\.f: show is for .* matrix and sweep and rate_matrix, not curves",
        ),
        ({"figures": {"matrix": {"f": {"hide_above": 0.1}}}}, "hide_above is for .* boxplots, not"),
        (
            {"figures": {"by_k1": {"f": {"absent": {"one": "x"}}}}},
            "absent is for .* comparison, not",
        ),
        ({"experiments": {"one": {**ONE, "repetitions": 0}}}, r"one\.repetitions: 0 is less"),
        (
            {
                "experiments": {"one": {**ONE, "k1": [20, 30]}},
                "figures": {"sweep": {"f": {"over": "sigma"}}},
            },
            "over sigma needs one of k1, it has 2",
        ),
        (
            {
                "experiments": {"one": ONE, "two": ONE},
                "figures": {"sweep": {"f": {"over": "k1"}}},
            },
            "over k1 needs one of experiments, it has 2",
        ),
        (
            {
                "experiments": {"one": {**ONE, "dataset": {"kind": "glyphs", "n_classes": 40}}},
                "figures": {"sweep": {"f": {"over": "sigma"}}},
            },
            "over sigma needs simulations, one is none",
        ),
        ({"figures": {"boxplots": {"f": {"methods": ["x"]}}}}, r"'x' is not among the methods"),
        ({"intervals": {"splits": 2}}, r"intervals\.splits: 2 is less than the minimum of 3"),
        ({"intervals": {"splits": 30, "level": 0.9}}, "'level' was unexpected"),
        (
            {"figures": {"coverage": {"f": {"methods": ["regression", "cleanex"]}}}},
            r"coverage\.f: the intervals of cleanex cannot be judged: fits of cleanex take minutes",
        ),
        (
            {
                "experiments": {"one": {**ONE, "k1": [20, 21]}},
                "figures": {"coverage": {"f": {"k1": [20, 21]}}},
            },
            r"the intervals of k1 = 21 cannot be judged: 2 k1 = 42 is above the 40 classes of one",
        ),
        (
            {
                "experiments": {"one": ONE, "two": {**ONE, "k1": [4]}},
                "figures": {"coverage": {"f": {"experiments": ["one", "two"]}}},
            },
            "intervals of two cannot be judged: .* needs at least 6 classes, not k1 = 4",
        ),
        (
            {"experiments": {"one": {**ONE, "k1": [30]}}, "figures": {"coverage": {"f": {}}}},
            "the intervals of its settings cannot be judged: 2 k1 = 60 is above",
        ),
        ({"jobs": [{"chunk": 1}, {"methods": ["x"]}]}, r"jobs, entry 2: 'x' is not among the"),
        ({"jobs": [{"k1": [3], "chunk": 1}]}, r"jobs, entry 1: no experiment has a k1 among \[3\]"),
        ({"jobs": [{"repetitions": -1}]}, r"jobs.0.repetitions: -1 is less than the minimum of 0"),
    ],
)
def test_a_wrong_key_is_one_sentence(parts, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        check_config(changed(**parts))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("in the configuration, ")


def test_chunks_cover_every_repetition_once():
    config = check_config(changed(repetitions=23, chunk=5))
    covered = [
        i for chunk in chunks(config, ONE_AT_20, "regression") for i in chunk_repetitions(chunk)
    ]
    assert covered == list(range(23))
    assert chunks(config, ONE_AT_20, "regression")[0] == "0000-0004"


def test_more_repetitions_keep_the_finished_chunks():
    few = check_config(changed(repetitions=10, chunk=5))
    many = check_config(changed(repetitions=50, chunk=5))
    assert set(chunks(few, ONE_AT_20, "cleanex")) < set(chunks(many, ONE_AT_20, "cleanex"))


def test_a_method_key_may_stand_for_another_class():
    config = check_config(TINY)
    assert method_of(config, "kde_nrd0") == ("kde", {"bandwidth": "nrd0"})
    assert method_of(config, "regression") == ("regression", {})


def test_figure_plan_chooses_and_orders():
    config = check_config(TINY)
    plan = figure_plan(config, config["figures"]["curves"]["figure4"])
    assert plan["settings"] == [["one", 20]]
    assert list(plan["methods"].items()) == [("kde_nrd0", "kde"), ("cleanex", "cleanex")]
    assert plan["labels"] == {"one": "one"}


def test_a_sweep_knows_its_noises_and_the_smallest_k2():
    noisy = {**ONE, "k2": 30, "dataset": {**ONE["dataset"], "variance": 0.25}}
    sweep = {"over": "sigma", "methods": ["regression"]}
    config = check_config(
        changed(experiments={"one": ONE, "two": noisy}, figures={"sweep": {"f": sweep}})
    )
    plan = sweep_plan(config, config["figures"]["sweep"]["f"])
    assert plan["sigma"] == pytest.approx({"one": 0.2**0.5, "two": 0.5})
    assert plan["k2"] == [30]
    assert plan["show"] == ["bias", "rmse"]
    assert list(plan["methods"]) == ["regression"]


def test_a_figure_of_coverage_leaves_out_what_cannot_be_judged():
    anew = {
        "dataset": {"kind": "glyph_images", "classifier": "logistic", "n_classes": 40, "size": 16},
        "k1": [10],
        "k2": 40,
    }
    config = check_config(
        changed(
            methods={"cleanex": {}, "kde": {}, "auto": {}, "own": {"method": "regression"}},
            experiments={"one": {**ONE, "k1": [8, 20, 30]}, "trained": anew},
            intervals={"repetitions": 5, "splits": 20},
            claims={},
            figures={"coverage": {"f": {}, "g": {"methods": ["own", "kde"], "k1": [20]}}},
        )
    )
    shown = config["figures"]["coverage"]
    at_8, at_20 = Setting("one", 8), Setting("one", 20)
    # Half of 8 classes is too few for auto; CleaneX takes minutes.
    assert figure_plans.judged(config, shown["f"]) == [
        (at_8, "kde"), (at_8, "own"), (at_20, "kde"), (at_20, "auto"), (at_20, "own"),
    ]  # fmt: skip
    assert figure_plans.judged(config, shown["g"]) == [(at_20, "own"), (at_20, "kde")]
    plan = figure_plans.coverage_plan(config, shown["g"])
    assert list(plan["methods"].items()) == [("own", "regression"), ("kde", "kde")]
    assert [figure_plans.interval_splits(config, key) for key in ("kde", "own")] == [10, 20]
    # The experiment has three.
    assert interval_repetitions(config, at_8, "own") == 3
    # A method that takes minutes is judged where its repetitions are said.
    told = check_config({**config, "jobs": [{"methods": ["cleanex"], "intervals": 2}]})
    assert figure_plans.judged(told, {"methods": ["cleanex"]}) == [
        (at_8, "cleanex"), (at_20, "cleanex"),
    ]  # fmt: skip
    assert interval_repetitions(told, at_8, "cleanex") == 2
    assert interval_repetitions(told, at_8, "own") == 3
    with pytest.raises(InputError, match=r"of trained cannot be judged: .* trains its classifier"):
        check_config({**config, "figures": {"coverage": {"f": {"experiments": ["trained"]}}}})


def test_an_experiment_may_have_its_own_repetitions():
    config = changed(
        repetitions=4, chunk=2, experiments={"one": ONE, "two": {**ONE, "repetitions": 5}}
    )
    checked = check_config(config)
    assert chunks(checked, ONE_AT_20, "cleanex") == ["0000-0001", "0002-0003"]
    assert chunks(checked, Setting("two", 20), "cleanex") == ["0000-0001", "0002-0003", "0004-0004"]
    assert repetitions_of(checked, "two") == 5


def test_methods_may_have_repetitions_and_chunks_of_their_own():
    checked = check_config(
        changed(
            repetitions=6,
            chunk=2,
            experiments={"one": {**ONE, "k1": [10, 20]}, "two": {**ONE, "repetitions": 3}},
            figures={},
            jobs=[
                {"methods": ["kde_nrd0", "regression"], "chunk": 6},
                {"methods": ["cleanex"], "k1": [20], "repetitions": 4, "chunk": 3},
                {"methods": ["regression"], "experiments": ["one"], "k1": [10], "repetitions": 1},
                {"experiments": ["two"], "repetitions": 100},
            ],
        )
    )
    assert chunks(checked, ONE_AT_20, "kde_nrd0") == ["0000-0005"]
    assert chunks(checked, ONE_AT_20, "cleanex") == ["0000-0002", "0003-0003"]
    assert chunks(checked, Setting("one", 10), "cleanex") == ["0000-0001", "0002-0003", "0004-0005"]
    assert chunks(checked, Setting("one", 10), "regression") == ["0000-0000"]
    assert chunks(checked, Setting("one", 10), "cleanex", 3) == ["0000-0001", "0002-0003"]
    assert chunks(checked, ONE_AT_20, "cleanex", 3) == ["0000-0002"]
    # No more than the experiment has.
    assert method_repetitions(checked, Setting("two", 20), "cleanex") == 3


@pytest.mark.parametrize("path", sorted(Path(ROOT / "config").glob("*.yaml")), ids=lambda p: p.stem)
def test_presets_can_be_planned(path):
    config = yaml.safe_load(path.read_text())
    assert config["preset"] in {path.stem, "demo"}
    wrong = ""
    try:
        check_config(config)
    except InputError as error:
        wrong = str(error)
    assert not wrong or "which is not there" in wrong  # Data that is not here.


def test_tables_name_experiments_that_are_there():
    bad = {"accuracies": {"experiments": ["two"]}}
    with pytest.raises(InputError, match=r"tables\.accuracies: 'two' is not among the experiments"):
        check_config(changed(tables=bad))
    bad = {"accuracies": {"printed": {"two": {"k1": 20}}}}
    with pytest.raises(InputError, match=r"tables\.accuracies\.printed: 'two' is not among"):
        check_config(changed(tables=bad))
    with pytest.raises(InputError, match="no experiment has a k1 among"):
        check_config(changed(tables={"accuracies": {"k1": [7]}}))


def test_claims_name_what_is_there_and_say_something():
    good = {
        "claim": "words",
        "source": "here",
        "quantity": "median",
        "methods": ["cleanex"],
        "experiments": ["one"],
        "k1": [10],
        "below": 1.0,
    }
    assert check_config(changed(claims={"words": good}))["claims"]["words"] == good
    for wrong, message in (
        ({"experiments": ["two"]}, "claims.words: 'two' is not among the experiments"),
        ({"other_experiments": ["two"]}, "claims.words: 'two' is not among the experiments"),
        ({"against": ["two"]}, "claims.words: 'two' is not among the methods"),
        ({"quantity": "worst"}, "claims.words: quantity is 'worst'"),
        ({"worse": 1}, "claims.words: .*unexpected keyword argument 'worse'"),
    ):
        with pytest.raises(InputError, match=message):
            check_config(changed(claims={"words": good | wrong}))


def test_the_paper_is_judged_alike_in_each_dimension_and_on_each_experiment():
    paper = check_config(yaml.safe_load((ROOT / "config/paper.yaml").read_text()))
    compared = ("quantity", "methods", "against", "above", "below")

    def judged(**where):
        # What is counted, without where it stands in print and in which settings.
        return [
            [claim.get(key) for key in compared]
            for claim in paper["claims"].values()
            if claim["quantity"] in ("bias", "sd", "rising")
            and "other_experiments" not in claim
            and "other_k1" not in claim
            and all(claim[key] == value for key, value in where.items())
        ]

    d5, d3, d10 = (paper["standings"]["groups"][name] for name in ("d5_k500", "d3", "d10"))
    simulations = judged(experiments=d5["experiments"], k1=[100, 500])
    # The regression's rising curves are judged in one dimension.
    assert len(simulations) == 6
    for group in (d3, d10):
        assert judged(experiments=group["experiments"], k1=[500]) == simulations[:-1]
    on_files = [
        judged(experiments=[name], k1=[k1])
        for name, k1 in (("cifar100", 10), ("cifar100_nearest", 10), ("kay", 200), ("lfw", 200))
    ]
    assert on_files[0] == on_files[1] == on_files[2]
    assert len(on_files[0]) == 4
    # KDE's bias is low on LFW only.
    assert on_files[3][:-1] == on_files[0][:-1]
    assert on_files[3][-1] == ["bias", ["cleanex"], ["kde"], None, 1]


@pytest.mark.parametrize("name", ["../x", "a/b", "/tmp/x", "..", ".hidden", "", "x\n", "~", "a\0"])
def test_no_name_of_a_preset_leads_out_of_its_folders(name):
    one = TINY["experiments"]["one"]
    for kind, drawn in TINY["figures"].items():
        figure = next(iter(drawn.values()))
        with pytest.raises(InputError, match=rf"figures\.{kind}: .* does not match"):
            check_config(changed(figures={kind: {name: figure}}))
    with pytest.raises(InputError, match=r"tables: .* does not match"):
        check_config(changed(tables={name: {}}))
    with pytest.raises(InputError, match=r"preset: .* does not match"):
        check_config(changed(preset=name))
    with pytest.raises(InputError, match=r"experiments: .* does not match"):
        check_config(changed(experiments={name: one}, figures={}))
    with pytest.raises(InputError, match=r"methods: .* does not match"):
        check_config(changed(methods={name: {"method": "kde"}}, figures={}, reference=name))


@pytest.mark.parametrize("path", ["../s.npz", "a/../../s.npz", "./../s.npz", ".."])
def test_a_relative_path_stays_in_the_data_folder(path, tmp_path):
    (tmp_path / "data/a").mkdir(parents=True)
    (tmp_path / "s.npz").touch()

    def reading(path):
        dataset = {"kind": "scores", "path": path}
        return changed(
            experiments={"one": {"dataset": dataset, "k1": [20], "k2": 40}},
            data_dir=str(tmp_path / "data"),
        )

    with pytest.raises(InputError, match=r"experiments\.one\.dataset: path is .*leaves the data"):
        check_config(reading(path))
    # Said in full, or within the folder, it may be anywhere.
    check_config(reading(str(tmp_path / "s.npz")))
    (tmp_path / "data/s.npz").touch()
    check_config(reading("a/../s.npz"))


def test_standings_name_groups_of_settings():
    assert check_config(TINY)["standings"]["published"] == list(TINY["methods"])
    for wrong, message in (
        ({"groups": {"half": {"experiments": ["two"]}}}, "standings.groups.half: 'two' is not"),
        ({"groups": {"half": {"k1": [7]}}}, "standings.groups.half: no experiment has a k1"),
        ({"groups": {"half": {"methods": ["kde_nrd0"]}}}, "half: methods lacks the reference 'cle"),
        ({"published": ["two"]}, "standings.published: 'two' is not among the methods"),
        ({"mixed": ["three"]}, "standings.mixed: 'three' is not among the methods"),
    ):
        with pytest.raises(InputError, match=message):
            check_config(changed(standings=wrong))


CHOICE = {"group": "KDE", "label": "nrd0", "methods": {"kde": "kde_nrd0"}}
CHOICES = {"claims_of": "paper", "errors_of": ["paper"], "each": {"other": CHOICE}}


def test_choices_have_the_claims_of_another_preset():
    checked = check_config(changed(choices=CHOICES))
    paper = yaml.safe_load((ROOT / "config/paper.yaml").read_text())
    assert claims_of_choices(checked) == paper["claims"]
    assert errors_beside(checked) == [str(ROOT / "results/paper/errors.csv")]
    assert check_config(TINY)["choices"]["each"] == {}


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"claims_of": "nothing"}, "choices.claims_of: .*nothing.yaml is not there"),
        ({"errors_of": ["characters"]}, "choices.errors_of: .*errors.csv is not there"),
        ({"claims": {"one": {"claim": "x"}}}, "the claim one"),
        ({"each": {"a": {**CHOICE, "methods": {"kde": "kdf"}}}}, "'kdf' is not among the methods"),
        ({"each": {"a": {**CHOICE, "experiments": {"x": "y"}}}}, "'y' is not among the exper"),
        ({"each": {"a": {"group": "", "label": ""}}}, "stand in"),
    ],
)
def test_choices_that_cannot_be_made(part, message):
    with pytest.raises(InputError, match=message):
        check_config(changed(choices=CHOICES | part))


def test_a_method_may_be_left_out_of_a_setting():
    checked = check_config(changed(jobs=[{"methods": ["kde_nrd0"], "repetitions": 0}]))
    assert chunks(checked, ONE_AT_20, "kde_nrd0") == []
    assert chunks(checked, ONE_AT_20, "regression")


def test_a_label_that_no_figure_can_hold_is_refused():
    at_most = changed(experiments={"one": {**ONE, "label": "é" * 100}})
    assert check_config(at_most)["experiments"]["one"]["label"] == "é" * 100
    for label in ("é" * 3000, ""):
        with pytest.raises(InputError, match=r"experiments\.one\.label: ") as refused:
            check_config(changed(experiments={"one": {**ONE, "label": label}}))
        assert len(str(refused.value)) < 400
