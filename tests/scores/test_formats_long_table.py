"""Long tables against the dictionary of their rows."""

import gzip
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import accuracy_curves as ac
from accuracy_curves import InputError, read_long_table

HEAD = "probe,identity,score,mate\n"
PEOPLE = ["ann", "ben", "cat", "10", "9"]


def rows(n_probes=8, seed=0):
    """Shuffled rows of a table; the last two probes are of nobody enrolled."""
    rng = np.random.default_rng(seed)
    found = []
    for j in range(n_probes):
        own = PEOPLE[j % len(PEOPLE)] if j < n_probes - 2 else f"stranger{j}"
        found += [(f"p{j}", who, float(rng.normal()), own) for who in PEOPLE]
    return [found[i] for i in rng.permutation(len(found))]


def frame(table):
    data = pd.DataFrame(table, columns=["probe", "identity", "score", "probe_identity"])
    return data.assign(mate=data["identity"] == data["probe_identity"])


def check(found, table):
    """Compare with the rows, one by one."""
    probes = list(dict.fromkeys(row[0] for row in table))
    assert found.identities.tolist() == sorted(PEOPLE)
    assert found.scores.shape == (len(probes), len(PEOPLE))
    for probe, who, score, own in table:
        i, j = probes.index(probe), found.identities.tolist().index(who)
        assert found.scores[i, j] == score
        label = found.labels[i]
        assert label == -1 if own not in PEOPLE else found.identities[label] == own


@pytest.mark.parametrize("column", ["mate", "probe_identity"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "parquet"])
def test_rows_in_any_order_and_any_kind_of_file(tmp_path, column, kind):
    table, path = rows(), tmp_path / f"scores.{kind}"
    data = frame(table).drop(columns={"mate", "probe_identity"} - {column})
    data = data.assign(device="a camera, new")
    if kind == "parquet":
        data.to_parquet(path)
    else:
        data.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")
    found = read_long_table(path, higher_is_better=False)
    check(found, table)
    assert found.higher_is_better is False


def test_names_are_mapped_and_whole_numbers_are_names(tmp_path):
    table = frame([(j, who, 1.0 + j * who, j % 3) for j in range(4) for who in range(3)])
    table.loc[table["probe"] == 3, "probe_identity"] = np.nan  # No mate; the column is now float.
    renamed = table.rename(columns={"probe": "q", "identity": "id", "score": "s"})
    names = {"probe": "q", "identity": "id", "score": "s", "probe_identity": "probe_identity"}
    renamed.to_parquet(tmp_path / "a.parquet")
    found = read_long_table(tmp_path / "a.parquet", **names)
    assert found.labels.tolist() == [0, 1, 2, -1]
    assert found.scores.tolist() == [[1.0 + j * who for who in range(3)] for j in range(4)]


def test_a_name_like_a_missing_value_is_a_name(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text('probe,identity,score,mate\n"a, b",NA,1e-3,TRUE\n\n"a, b",null,2,0\n\n')
    found = read_long_table(path)
    assert (found.identities.tolist(), found.labels.tolist()) == (["NA", "null"], [0])
    assert found.scores.tolist() == [[0.001, 2.0]]


def test_scores_are_exact_with_and_without_empty_lines(tmp_path):
    scores = np.random.default_rng(3).normal(size=300) * 10.0 ** np.arange(-150, 150)
    lines = [f"p,i{j},{score!r},{int(j == 0)}" for j, score in enumerate(scores.tolist())]
    for end in ("\n", "\n\n"):
        (tmp_path / "scores.csv").write_text(HEAD + end.join(lines) + end)
        found = read_long_table(tmp_path / "scores.csv")
        by_name = dict(zip(found.identities, found.scores[0], strict=True))
        assert [by_name[f"i{j}"] for j in range(300)] == scores.tolist()


@pytest.mark.parametrize(("several", "higher"), [("best", True), ("best", False), ("mean", True)])
def test_several_scores_of_a_pair(tmp_path, several, higher):
    table = rows() + rows(seed=1) + rows(seed=2)[:11]
    frame(table).drop(columns="mate").to_csv(tmp_path / "scores.csv", index=False)
    found = read_long_table(tmp_path / "scores.csv", several=several, higher_is_better=higher)
    probes = list(dict.fromkeys(row[0] for row in table))
    for i, probe in enumerate(probes):
        for j, who in enumerate(found.identities):
            scores = [row[2] for row in table if row[:2] == (probe, who)]
            one = (max if higher else min)(scores) if several == "best" else np.mean(scores)
            assert found.scores[i, j] == pytest.approx(one, rel=1e-14)


def test_identification_takes_what_was_read_and_accuracy_only_mated_probes(tmp_path):
    rng = np.random.default_rng(0)
    people = [f"i{j:02d}" for j in range(20)]
    table = [
        (f"p{j}", who, rng.normal() + 3 * (who == own), own)
        for j, own in enumerate([*people, "x", "y"])
        for who in people
    ]
    frame(table).drop(columns="mate").to_csv(tmp_path / "scores.csv", index=False)
    found = read_long_table(tmp_path / "scores.csv")
    scores = np.array([row[2] for row in table]).reshape(22, 20)
    expected = ac.Searches(scores, np.r_[np.arange(20), -1, -1])
    rates = [
        ac.Identification(each, "binomial").observed_fpir(20, 2.0) for each in (found, expected)
    ]
    assert rates[0] == rates[1]
    with pytest.raises(InputError, match=r"^2 of 22 probes have no mate among the identities"):
        found.matrix()
    frame(table[: 20 * 20]).drop(columns="mate").to_csv(tmp_path / "mated.csv", index=False)
    np.testing.assert_array_equal(
        read_long_table(tmp_path / "mated.csv").matrix().scores, scores[:20]
    )


BOTH = "probe,identity,score,mate,probe_identity\np,a,1,true,a\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{HEAD}p,a,1,true\np,b,two,false\n", r"line 3: score is 'two': every score must be a fi"),
        (f"{HEAD}p,a,1,true\n\np,b,,false\n", r"line 4: score is empty: every score must be a fin"),
        (f"{HEAD}p,a,1,true\np,b,inf,false\n", r"line 3: score is 'inf': every score must be a fi"),
        (f"{HEAD}p,a,1,true\np,,1,false\n", r"line 3: identity is empty"),
        (f"{HEAD}p,a,1,true\np,b,1,maybe\n", r"line 3: mate is 'maybe': it must be true or false"),
        (f"{HEAD}p,a,1,true\np,b,1\n", r"line 3: mate is '': it must be true or false"),
        (f"{HEAD}p,a,1,true\np,b,1,true\n", r"line 2: the probe 'p' has two mates: at most one id"),
        (f"{HEAD}p,a,1,true\nq,b,1,true\n", r"the probe 'p' has no score for the identity 'b': 2 "
         r"of 4 pairs are there, and a score matrix needs all"),
        (f"{HEAD}p,a,1,true\nq,a,1,true\nq,b,1,false\np,b,1,false\nq,b,2,false\n",
         r"line 6: the probe 'q' has a second score for the identity 'b': keep one, or choose"),
        (f"{HEAD}p,a,1,false\np,b,1,false\n", r"no probe has a mate among the identities, such as"),
        ("probe,identity,score,probe_identity\np,a,1,a\np,b,1,c\n", r"line 3: the probe 'p' has "),
        (f"{HEAD}p,a,0,9,true\np,b,0,1,false\n", r"is not a table: Expected 4 fields in line 2"),
        (f"{HEAD}p,a,1,true\np,b,0,1,false\n", r"is not a table: Expected 4 fields in line 3"),
        (f"{HEAD}\np,b,0,1,false\n", r"is not a table: Expected 4 fields in line 3, saw 5"),
        (BOTH, r"has both 'mate' and 'probe_identity': say which of its columns tells the mates"),
        ("probe,identity,score\np,a,1\n", r"has neither 'mate' nor 'probe_identity': say which"),
        ("query,identity,score,mate\np,a,1,true\n", r"has no column 'probe': it has query, ident"),
        (HEAD, r"has no rows: at least one score is needed"),
        ("", r"is empty"),
        (f"{HEAD}p,\xe4,1,true\n".encode("latin-1"), r"is not a text in UTF-8: save it as such"),
    ],
)  # fmt: skip
def test_each_fault_is_one_sentence_with_its_place(tmp_path, text, sentence):
    path = tmp_path / "scores.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=sentence) as caught:
        read_long_table(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_faults_of_files_and_options(tmp_path):
    with pytest.raises(InputError, match=r"there is no file .*absent.csv: check its name"):
        read_long_table(tmp_path / "absent.csv")
    (tmp_path / "scores.xls").write_text("x")
    with pytest.raises(InputError, match=r"is not a long table by its name: give a .csv"):
        read_long_table(tmp_path / "scores.xls")
    path = tmp_path / "scores.csv"
    path.write_text(BOTH)
    assert read_long_table(path, mate="mate").labels.tolist() == [0]
    with pytest.raises(InputError, match="give one of them"):
        read_long_table(path, mate="mate", probe_identity="probe_identity")
    with pytest.raises(InputError, match="must be different columns"):
        read_long_table(path, probe="identity", mate="mate")
    with pytest.raises(InputError, match="several is 'worst': it must be one of best, mean"):
        read_long_table(path, mate="mate", several="worst")
    whole = gzip.compress(BOTH.encode())
    for damaged in (whole[:-12], whole[:20] + b"\xff" + whole[21:]):
        (tmp_path / "damaged.csv.gz").write_bytes(damaged)
        with pytest.raises(InputError, match=r"cannot read .*damaged.csv.gz"):
            read_long_table(tmp_path / "damaged.csv.gz", mate="mate")


def test_faults_of_parquet(tmp_path, monkeypatch):
    path = tmp_path / "scores.parquet"
    table = frame(rows())
    table.loc[5, "score"] = np.nan
    table.to_parquet(path)
    with pytest.raises(InputError, match="row 5: score is 'nan': every score must be a finite"):
        read_long_table(path, mate="mate")
    texts = pa.array([b"ann", b"\xff\xfe"]).view(pa.string())
    columns = {"probe": ["p", "q"], "identity": texts, "score": [0.1, 0.2], "mate": [True, False]}
    pq.write_table(pa.table(columns), path)
    with pytest.raises(InputError, match="is not a whole Parquet file: write it again"):
        read_long_table(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="is not a whole Parquet file: write it again"):
        read_long_table(path)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ac.MissingDependencyError, match="a Parquet file needs pyarrow"):
        read_long_table(path)
