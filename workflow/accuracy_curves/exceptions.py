"""What can go wrong, in one sentence each: what, where, and what to do."""


class AccuracyCurvesError(Exception):
    """Base of every error that this library raises on purpose."""

    def __str__(self) -> str:
        """Escape what no terminal should get raw, such as control characters of a damaged file."""
        said = super().__str__()
        return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in said)


class InputError(AccuracyCurvesError, ValueError):
    """The user's data, options or files cannot be used as they are."""


class FitError(AccuracyCurvesError, RuntimeError):
    """A method could not be fitted to a sample."""


class MissingDependencyError(AccuracyCurvesError, ImportError):
    """A program or package that the chosen method needs is absent or does not load."""
