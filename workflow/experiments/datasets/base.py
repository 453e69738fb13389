"""The base of all data sets: options that are checked, files that it reads, a score matrix."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, dataclass_transform, get_type_hints

from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.validation import check_options


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Dataset(ABC):
    """Base of all data sets.

    A subclass is made a frozen, keyword-only dataclass, whose fields are its options in the
    configuration; those whose type is `Path`, or tuples of them, are its `path_options`. It sets
    `kind` (the key in configurations), and checks in ``__post_init__`` what the ranges in the
    types of its options, which the base checks, do not say, with one sentence each (`InputError`).
    `originals` maps those of these options that may name original files to a data set of the table
    of sources, see `experiments.datasets.downloads.sources`.
    """

    kind: ClassVar[str]
    # The extra of the package that makes its scores.
    extra: ClassVar[str] = "images"
    path_options: ClassVar[tuple[str, ...]]
    originals: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        paths = Path, tuple[Path, ...]
        cls.path_options = tuple(n for n, hint in get_type_hints(cls).items() if hint in paths)

    def __post_init__(self) -> None:
        check_options(self)

    def files(self) -> tuple[Path, ...]:
        """Input files that the data set reads: its options name them."""
        values = [getattr(self, option) for option in self.path_options]
        return tuple(p for v in values for p in ([v] if isinstance(v, Path) else v))

    @abstractmethod
    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Make the score matrix; no other method does work. `seed` decides every random draw."""


class EmbeddedDataset(Dataset):
    """Base of the data sets whose images are embedded once, for all that score the embeddings.

    A subclass names in `embedding_options` those of its options that decide the embeddings, and
    implements `embed` and `score_embedded`.
    """

    embedding_options: ClassVar[tuple[str, ...]]

    @abstractmethod
    def embed(self) -> dict[str, AnyArray]:
        """Embed the images; draws nothing."""

    @abstractmethod
    def score_embedded(self, arrays: Mapping[str, AnyArray]) -> ScoreMatrix:
        """Score what `embed` gave; draws nothing."""

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Embed the images, and score them; draws nothing."""
        return self.score_embedded(self.embed())
