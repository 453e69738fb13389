"""What can go wrong, in one sentence each: what, where, and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager


class AccuracyCurvesError(Exception):
    """Base of every error that this library raises on purpose.

    Parameters
    ----------
    message : str
        One sentence.
    reason : str
        Names the kind of error where a caller can add what mends it, such as ``"no_points"``;
        most errors have none.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> try:
    ...     ac.load_scores("absent.npz")
    ... except ac.AccuracyCurvesError as error:
    ...     print(error)
    there is no file or folder absent.npz: check its name
    """

    def __init__(self, *message: object, reason: str = "") -> None:
        super().__init__(*message)
        self.reason = reason

    def __str__(self) -> str:
        """Escape what no terminal should get raw, such as control characters of a damaged file."""
        text = super().__str__().replace("\n", " ")
        return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class InputError(AccuracyCurvesError, ValueError):
    """The user's data, options or files cannot be used as they are.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> ac.ScoreMatrix([[0.9, 0.1, 0.3]], labels=[3])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    accuracy_curves.exceptions.InputError: the label in row 0 is 3, which is not a column: ...
    """


@contextmanager
def located(where: object) -> Iterator[None]:
    """Put where a fault is, such as the name of a file, before what is wrong."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}: {error}", reason=error.reason) from error


class FitError(AccuracyCurvesError, RuntimeError):
    """A method could not be fitted to a sample.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> ac.Auto().predict(100)
    Traceback (most recent call last):
        ...
    accuracy_curves.exceptions.FitError: Auto must be fitted before it can predict
    """


class MissingDependencyError(AccuracyCurvesError, ImportError):
    """A program or package that the chosen method needs is absent or does not load.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> issubclass(ac.MissingDependencyError, ImportError)
    True
    """


class AccuracyWarning(UserWarning):
    """What makes a prediction doubtful.

    Parameters
    ----------
    message : str
        One sentence, without a capital at its start or a point at its end.
    reason : str
        Names the kind of warning, such as ``"probabilities"``.
    weight : str
        What it says of the whole answer, such as ``"Do not use this answer"``; empty where it says
        nothing.
    values : dict, optional
        The numbers and names in the sentence.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> similarities = ac.ScoreMatrix(-np.eye(6), labels=np.arange(6))  # The wrong direction.
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     curve = ac.extrapolate(similarities, 12, method="empirical_bayes")
    >>> caught[0].message.reason
    'wrong_direction'
    """

    def __init__(
        self, message: str, reason: str, weight: str = "", values: dict[str, object] | None = None
    ) -> None:
        super().__init__(message, reason, weight, values)
        self.reason, self.weight, self.values = reason, weight, values or {}

    def __str__(self) -> str:
        return str(self.args[0])
