"""Scores for every class.

`.npz` with `scores` (points x classes), `labels` (the column of the right class, or its name),
`higher_is_better` and, where labels are names, `classes`. A folder with `scores.npy`, `labels.npy`
and `meta.json`. Or a table whose first line is `label,CLASS,CLASS,...`.
"""

import os
from pathlib import Path

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.formats.base import DIRECTION, FOLDER_FILES, Given, GivenScores, Source
from accuracy_curves.scores.formats.columns import LABEL, is_table
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import NO_MATE, Searches
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.files import save_arrays

_SAVED = "np.savez('scores.npz', scores=np.asarray(d['scores']), labels=np.asarray(d['labels']))"
_IN_PYTHON = f'; python -c "import numpy as np; {{}}; {_SAVED}" makes one of its two arrays'
_READ = {
    (".pt", ".pth"): "import torch; d = torch.load('{}', map_location='cpu')",
    (".pkl", ".pickle", ".joblib"): "import pandas; d = pandas.read_pickle('{}')",
    (".h5", ".hdf5"): "import h5py; d = h5py.File('{}')",
}
_AS_CSV = (
    "; python -c \"import pandas; pandas.{}('{{}}').to_csv('scores.csv', index=False)\" makes one"
)
# What turns other files, by their extension; {} is the file.
TURNED = {
    ".npy": "; python -c \"import numpy as np; np.savez('faces.npz', embeddings=np.load('{}'), "
    "labels=np.load('labels.npy'))\" makes one of embeddings and their labels",
    **{end: _IN_PYTHON.format(how) for ends, how in _READ.items() for end in ends},
    **dict.fromkeys((".xlsx", ".xls", ".ods"), _AS_CSV.format("read_excel")),
    **dict.fromkeys((".feather", ".arrow"), _AS_CSV.format("read_feather")),
    ".parquet": _AS_CSV.format("read_parquet"),
    ".rds": '; Rscript -e \'write.csv(readRDS("{}"), "scores.csv", row.names = FALSE)\' makes one',
}


def recognises(source: Source) -> bool:
    """Whether it has the array ``scores``, is a folder, or has a first column ``label``."""
    return source.has("scores") or source.columns[:1] == [LABEL]


def read(source: Source) -> Given:
    """Read the fields of a score matrix."""
    return Given(scores=read_fields(source))


def read_fields(source: Source) -> GivenScores:
    """Read arrays of these names, or columns: class names are then texts, and 1 is not 1.0."""
    path = source.path
    classes: AnyArray | None = None
    if source.arrays is not None:
        scores, labels = source.load("scores", "labels")
        if source.has("classes"):
            (classes,) = source.load("classes")
        elif path.suffix.lower() == ".mat" and labels[labels != NO_MATE].min(initial=1) > 0:
            classes = np.arange(1, scores.shape[-1] + 1)
    elif (path.suffix.lower() != ".txt" and is_table(path)) or len(source.columns) > 1:
        there, names = source.columns, source.columns[1:]
        if there[0] != LABEL or not names:
            raise InputError(
                f"the first line of {path} must be label,<class name>,<class name>,... with commas "
                f"between: it is {','.join(there)[:60]!r}. A file of pairs has the columns "
                "probe, identity, score and mate, and one of embeddings a column of labels beside "
                "numbers"
            )
        table = source.table(*there, scores=names)
        scores, classes = table[names].to_numpy(), np.array(names)
        labels = table[LABEL].to_numpy().astype(np.str_)
    else:
        raise InputError(
            f"{path} is not a score matrix by its name: give an .npz file, a .csv file, "
            f"or a folder with {', '.join(FOLDER_FILES)}"
            + TURNED.get(path.suffix.lower(), "").format(path.name)
        )
    return GivenScores(scores, labels, source.better, classes)


def save_scores(
    matrix: ScoreMatrix | Searches,
    path: str | os.PathLike[str],
    provenance: str | None = None,
) -> None:
    """Save a score matrix as an uncompressed ``.npz``: the same matrix gives the same bytes.

    Parameters
    ----------
    matrix : ScoreMatrix or Searches
        N points, K classes. Labels are saved as names if the columns have names.
    path : path-like
        Name of the file, which ends in ``.npz``; its folders are made.
    provenance : str, optional
        Origin of the scores, kept as the array ``provenance``.

    Raises
    ------
    InputError
        If the name does not end in ``.npz`` or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import accuracy_curves as ac
    >>> matrix = ac.ScoreMatrix([[3.0, 1.0, 2.0], [1.0, 2.0, 5.0]], labels=[0, 2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ac.save_scores(matrix, f"{folder}/scores.npz")
    ...     ac.load_scores(f"{folder}/scores.npz").labels
    array([0, 2])
    """
    if Path(path).suffix.lower() != ".npz":
        raise InputError(f"score matrices are saved as .npz files: {path} must end in .npz")
    given = Searches.of(matrix)
    if isinstance(matrix, ScoreMatrix) and (
        matrix.design.rivals is not None or matrix.design.own_rivals
    ):
        raise InputError(
            "a file of scores cannot say which rivals stay: save the scores as they were given, "
            "beside their groups, right answers or candidates"
        )
    arrays: dict[str, AnyArray] = {"scores": given.scores, "labels": given.labels}
    if given.classes is not None:
        # As the type of the names, -1 too: no mate.
        none = np.array([NO_MATE]).astype(given.classes.dtype.kind)
        arrays["labels"] = np.append(given.classes, none)[given.labels]
        arrays["classes"] = given.classes
    arrays[DIRECTION] = np.array(given.higher_is_better, dtype=bool)
    save_arrays(arrays, path, provenance)
