"""Original files that a Python package contains."""

from importlib.util import find_spec
from pathlib import Path

from accuracy_curves.datasets.downloads.integrity import check_copy
from accuracy_curves.datasets.downloads.sources import Source
from accuracy_curves.exceptions import MissingDependencyError


def packaged_file(source: Source) -> Path:
    """Find a file of an installed package, which is not imported.

    Parameters
    ----------
    source : Source
        With a package.

    Returns
    -------
    Path
        The file, checked.

    Raises
    ------
    MissingDependencyError
        If the package or its file is absent.
    InputError
        If the file is another one.
    """
    spec = find_spec(source.package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependencyError(
            f"{source.title} is part of the Python package {source.package}, which is not "
            f"installed: install {source.version.replace(' ', '==')}"
        )
    path = Path(spec.submodule_search_locations[0]) / source.name.split("/", 1)[1]
    if not path.exists():
        raise MissingDependencyError(f"{path} is absent: install {source.package} again")
    check_copy(path, source)
    return path
