"""What can go wrong, in one sentence each: what, where, and what to do."""


class AccuracyCurvesError(Exception):
    """Base of every error that this library raises on purpose.

    Parameters
    ----------
    message : str
        One sentence.
    reason : str
        Names the kind of error where a caller can add what mends it, such as ``"no_points"``;
        most errors have none.
    """

    def __init__(self, *message: object, reason: str = "") -> None:
        super().__init__(*message)
        self.reason = reason


class InputError(AccuracyCurvesError, ValueError):
    """The user's data, options or files cannot be used as they are."""


class FitError(AccuracyCurvesError, RuntimeError):
    """A method could not be fitted to a sample."""


class MissingDependencyError(AccuracyCurvesError, ImportError):
    """A program or package that the chosen method needs is absent or does not load."""


class AccuracyWarning(UserWarning):
    """What makes a prediction doubtful.

    Parameters
    ----------
    message : str
        One sentence, without a capital at its start or a point at its end.
    reason : str
        Names the kind of warning, such as ``"probabilities"``.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])
