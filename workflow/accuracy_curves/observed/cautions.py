"""What in a sample makes a prediction doubtful, whoever predicts."""

from typing import Any

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed import label_cautions, list_cautions, score_cautions
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.searches import Searches

OF_SAMPLES = (label_cautions.chance, score_cautions.copied_photos)
OF_LISTS = (
    list_cautions.incomplete_lists,
    list_cautions.cut_ties,
    list_cautions.scores_of_places,
    list_cautions.fewer_searched,
    list_cautions.right_in_order,
)
# Of samples with the scores of all classes.
OF_SCORES = (score_cautions.filled, score_cautions.found_themselves)
# Of samples whose columns are classes.
OF_CLASSES = (
    label_cautions.moved_labels,
    label_cautions.shuffled_labels,
    score_cautions.look_alikes,
    score_cautions.copied_classes,
)
# Of rows, those of searches without a mate as well.
OF_ROWS = (score_cautions.failed_points,)
OF_ROWS_OF_SCORES = (score_cautions.probabilities, score_cautions.marked_cells)
# What looks like another fault where these are found.
EXPLAINED = {
    "shuffled_labels": {"at_chance", "wrong_direction", "moved_labels", "mixed_classes"},
    "winning_classes": {"wrong_direction"},
    "look_alikes": {"copied_classes"},
}


def cautions_of_sample(sample: Sample | Searches) -> list[AccuracyWarning]:
    """Say what in the scores, or distances of embeddings, makes a prediction doubtful.

    Of searches those with a mate are the sample, and conditions of rows look at all.
    """
    points: Any = sample
    rows: Any = sample
    if isinstance(sample, Searches):
        points, rows = sample.mated, sample.as_points()
    elif sample.design.rivals is not None:
        # A query is looked at once, whatever number of right answers it has.
        points = rows = sample.select_points(np.flatnonzero(sample.design.rivals.place == 0))
    cautions = list[AccuracyWarning]()
    for of, has, conditions in (
        (points, True, OF_SAMPLES),
        (points, points.is_listed, OF_LISTS),
        (points, points.is_complete, (label_cautions.mixed_classes,)),
        (points, points.whole, OF_SCORES),
        (points, points.has_classes, OF_CLASSES),
        (rows, True, OF_ROWS),
        (rows, rows.whole, OF_ROWS_OF_SCORES),
        (rows, rows.has_classes, (score_cautions.winning_classes,)),
    ):
        if has:
            cautions += [doubt for find in conditions for doubt in find(of)]
    reasons = {doubt.reason for doubt in cautions}
    return [doubt for doubt in cautions if not reasons & EXPLAINED.get(doubt.reason, set())]
