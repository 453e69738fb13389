"""How embeddings become scores: who is gallery, and which metric."""

from dataclasses import dataclass

from accuracy_curves.distances import METRICS
from accuracy_curves.errors import InputError
from accuracy_curves.options import check_choice, check_number, check_whole

GALLERIES = ("first", "random", "centroid", "nearest")


@dataclass(frozen=True, kw_only=True)
class GalleryRule:
    """How embeddings become scores.

    A photo is any labelled embedding. Some photos of a class are its gallery, others are data
    points; the score of a point for a class is a distance to the class's gallery.

    Parameters
    ----------
    gallery : {"first", "random", "centroid", "nearest"}
        "first": the class's first photo. "random": a random one. "centroid": the mean of its
        gallery photos. "nearest": the nearest of its gallery photos.
    gallery_size : int or float
        For centroid and nearest alone: how many photos, drawn at random, are a class's gallery.
        Below 1 it is a fraction of the class's photos, rounded; one photo at least is gallery,
        and one at least is left as a point.
    points_per_class : int, optional
        How many of the other photos, drawn at random, are points; by default all.
    metric : {"euclidean", "sqeuclidean", "cosine", "mahalanobis"}
        The distance.
    pca : int, optional
        Number of principal components to reduce the embeddings to; by default none.
    """

    gallery: str = "random"
    gallery_size: float = 0.5
    points_per_class: int | None = None
    metric: str = "euclidean"
    pca: int | None = None

    def __post_init__(self) -> None:
        check_choice("gallery", self.gallery, GALLERIES)
        check_number("gallery_size", self.gallery_size, 0, above=True)
        if self.gallery_size > 1 and self.gallery_size != int(self.gallery_size):
            raise InputError(
                f"gallery_size is {self.gallery_size}: it must be a whole number of photos, or a "
                "fraction below 1 of them"
            )
        if self.points_per_class is not None:
            check_whole("points_per_class", self.points_per_class, 1)
        check_choice("metric", self.metric, METRICS)
        if self.pca is not None:
            check_whole("pca", self.pca, 1)

    def described(self) -> str:
        """Say how photos become scores.

        Returns
        -------
        str
            Without a full stop.
        """
        size = (
            f"{self.gallery_size:g}" if self.gallery_size >= 1 else f"{100 * self.gallery_size:g} %"
        )
        what = {
            "first": "the first photo of a class",
            "random": "one random photo of a class",
            "centroid": f"the mean of {size} of the photos of a class, drawn at random",
            "nearest": f"the nearest of {size} of the photos of a class, drawn at random",
        }[self.gallery]
        said = f"scores are {self.metric} distances from {what}"
        if self.pca is not None:
            said += f", after a PCA to {self.pca} dimensions"
        if self.points_per_class is not None:
            said += f"; at most {self.points_per_class} of the others are data points"
        return said

    def gallery_photos(self, n_photos: int) -> int:
        """Count the gallery photos of a class.

        Parameters
        ----------
        n_photos : int
            Number of the class's photos.

        Returns
        -------
        int
            At least 1; the class must be left out if that leaves no photo as a point.
        """
        if self.gallery in ("first", "random"):
            return 1
        if self.gallery_size >= 1:
            return int(self.gallery_size)
        return max(1, min(n_photos - 1, int(self.gallery_size * n_photos + 0.5)))
