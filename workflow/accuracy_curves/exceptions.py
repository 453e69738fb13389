"""What can go wrong, in one sentence each: what, where, and what to do."""


class AccuracyCurvesError(Exception):
    """Base of every error that this library raises on purpose.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> try:
    ...     ac.load_scores("absent.npz")
    ... except ac.AccuracyCurvesError as error:
    ...     print(error)
    there is no file or folder absent.npz: check its name
    """


class InputError(AccuracyCurvesError, ValueError):
    """The user's data, options or files cannot be used as they are.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> ac.ScoreMatrix([[0.9, 0.1, 0.3]], labels=[3])
    Traceback (most recent call last):
        ...
    accuracy_curves.exceptions.InputError: the label in row 0 is 3: labels are columns, from 0 to 2
    """


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
