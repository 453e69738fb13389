"""Data sets of texts, on files of their formats."""

import json

import numpy as np
import pytest
import yaml

from accuracy_curves.exceptions import InputError
from experiments.datasets import make_dataset

WORDS = ["river", "mountain", "eagle", "harbour", "lantern", "copper", "willow", "thunder"]


def sentences(n, rng):
    return [" ".join(rng.choice(WORDS, rng.integers(4, 9))) for _ in range(n)]


def bm25(documents, query, k1=1.5, b=0.75):
    """Lucene's formula, term by term."""
    split = [text.split() for text in documents]
    mean = np.mean([len(each) for each in split])
    score = np.zeros(len(split))
    for word in query.split():
        df = sum(word in each for each in split)
        idf = np.log(1 + (len(split) - df + 0.5) / (df + 0.5))
        for place, each in enumerate(split):
            tf = each.count(word)
            score[place] += idf * tf / (tf + k1 * (1 - b + b * len(each) / mean))
    return score


@pytest.fixture
def verses(tmp_path):
    texts = sentences(30, np.random.default_rng(0))
    for place, name in enumerate(("Ruth", "Acts")):
        own = [{"verse": "1", "text": text} for text in texts[15 * place :][:15]]
        chapters = [{"chapter": "1", "verses": own[:9]}, {"chapter": "2", "verses": own[9:]}]
        (tmp_path / f"{name}.json").write_text(json.dumps({"book": name, "chapters": chapters}))
    return tmp_path, [*texts[15:], *texts[:15]]


def test_scores_are_those_of_bm25(verses):
    path, texts = verses
    dataset = make_dataset("verses", path=path, words=3, n_documents=30)
    queries = [query for _, query in dataset.pairs(np.random.default_rng(7))]
    assert [text for text, _ in dataset.pairs(np.random.default_rng(7))] == texts
    for text, query in zip(texts, queries, strict=True):
        assert len(query.split()) == 3
        assert not {*query.split()} - {*text.split()}
    matrix = dataset.score_matrix(1)
    assert matrix.labels.tolist() == list(range(30))
    # Which words the seed drew cannot be seen, but the scores of one query say it.
    best = matrix.scores[np.arange(30), matrix.labels]
    every = {tuple(np.round(bm25(texts, q), 4)) for text in texts for q in triples(text)}
    assert all(tuple(np.round(row.astype(float), 4)) in every for row in matrix.scores)
    assert (best > 0).all()
    np.testing.assert_array_equal(dataset.score_matrix(1).scores, matrix.scores)


def triples(text):
    words = text.split()
    n = range(len(words))
    return {f"{words[i]} {words[j]} {words[k]}" for i in n for j in n for k in n if i < j < k}


def test_wordnet_asks_by_the_first_example(tmp_path):
    synsets = {
        "1-v": {"members": ["move", "go"], "definition": ["change position"],
                "example": ["He moved his hand", "not this"]},
        "2-v": {"members": ["lie"], "definition": ["be located"]},
        "3-v": {"members": ["hide"], "definition": ["make invisible"],
                "example": [{"text": "She hid", "source": "somebody"}]},
    }  # fmt: skip
    (tmp_path / "verb.motion.yaml").write_text(yaml.safe_dump(synsets))
    dataset = make_dataset("wordnet", path=tmp_path)
    assert list(dataset.pairs(np.random.default_rng(0))) == [
        ("move go change position", "He moved his hand"),
        ("hide make invisible", "She hid"),
    ]
    with pytest.raises(InputError, match="10,000, but there are 2"):
        dataset.score_matrix(0)
