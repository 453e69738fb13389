"""Columns of a text file, with the line of the first fault."""

import csv
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import Float64Array, IntArray

if TYPE_CHECKING:
    import pandas as pd

# Any number of spaces and tabs.
BLANKS = r"\s+"


class Names(NamedTuple):
    """Names, and in place of each entry of a column the position of its name.

    Attributes
    ----------
    codes : (n,) array of int
        -1 where the entry is empty.
    names : (m,) array of str
    """

    codes: IntArray
    names: npt.NDArray[np.str_]


def first_fields(source: Path, separator: str) -> list[str]:
    """Split the first line of a text."""
    with _readable(source):
        # The second is read too: pandas does not see that the first line after a header is longer.
        return [str(name) for name in _read_csv(source, separator, nrows=2, dtype=str).iloc[0]]


def read_lines(
    source: Path, columns: Sequence[str], score: str | None, *, separator: str, header: bool = True
) -> "pd.DataFrame":
    """Read columns of a text: all are texts but the score, which is a number if it can.

    Parameters
    ----------
    source : Path
        A text in UTF-8, as it is or packed by gzip.
    columns : sequence of str
        Those to read, by their names in the first line; without such a line, all that there are.
    score : str, optional
        The one that holds numbers.
    separator : str
        Between the fields.
    header : bool
        Whether the first line names the columns.

    Returns
    -------
    DataFrame
        Its index is the line in the file, from 1; empty lines are left out.

    Raises
    ------
    InputError
        If the file is absent or is not such a text.
    """
    there = first_fields(source, separator)
    if not header and len(there) != len(columns):
        raise InputError(
            f"{source}: line 1 has {len(there)} fields where {len(columns)} are expected: "
            f"{', '.join(columns)}"
        )
    # All columns are read, as pandas would else pass over fields too many, as of decimal commas.
    chosen: dict[str, Any] = {"header": 0} if header else {"names": list(columns)}
    kinds: dict[str, Any] = dict.fromkeys(there if header else columns, str)
    with _readable(source):
        try:
            typed = kinds | ({score: np.float64} if score else {})
            table = _read_csv(source, separator, **chosen, dtype=typed)
        except UnicodeDecodeError:
            raise
        except ValueError:  # A field that is no number, perhaps of an empty line.
            table = _read_csv(source, separator, **chosen, dtype=kinds)
    table = table[list(columns)]
    table.index += 2 if header else 1
    if score is None or table[score].dtype.kind != "f":
        table = table[(table != "").any(axis=1)]
    if table.empty:
        raise InputError(f"{source} has no rows: at least one score is needed")
    return table


def _read_csv(source: Path, separator: str, **options: Any) -> "pd.DataFrame":
    import pandas as pd

    table: pd.DataFrame = pd.read_csv(
        source,
        **{"header": None, **options},
        sep=separator,
        quoting=csv.QUOTE_NONE if separator == BLANKS else csv.QUOTE_MINIMAL,
        skipinitialspace=True,
        skip_blank_lines=False,
        na_filter=False,
        index_col=False,
        # Not by all the names that pandas knows: they need other packages, and fail in other ways.
        compression="gzip" if source.suffix.lower() == ".gz" else None,
    )
    return table


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    """Turn what pandas raises on a file that is no table into a sentence."""
    from pandas.errors import EmptyDataError, ParserError

    if not source.is_file():
        raise InputError(f"there is no file {source}: check its name")
    try:
        yield
    except EmptyDataError as error:
        raise InputError(f"{source} is empty") from error
    except ParserError as error:
        fault = str(error).strip().removeprefix("Error tokenizing data. C error: ")
        raise InputError(f"{source} is not a table: {fault}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{source} is not a text in UTF-8: save it as such") from error
    except MemoryError as error:
        raise InputError(f"{source} does not fit in the memory of this machine") from error
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {source}: {error}") from error


def encode(column: "pd.Series[Any]", unit: str | None = None, *, ascending: bool = False) -> Names:
    """Replace the entries of a column by the positions of their names.

    Parameters
    ----------
    column : Series
        Texts or whole numbers.
    unit : str, optional
        "line" or "row": what the index counts, where no entry may be empty.
    ascending : bool
        Whether the names are sorted; by default they stand as they appear.

    Returns
    -------
    Names

    Raises
    ------
    InputError
        If an entry is empty and must not be.
    """
    import pandas as pd

    if column.dtype.kind == "f":
        column = column.convert_dtypes()  # Whole numbers with gaps.
    codes, found = pd.factorize(column)
    names = pd.Index(found).astype(str).to_numpy().astype(np.str_)
    names, place = (
        np.unique(names, return_inverse=True) if ascending else (names, np.arange(len(names)))
    )
    empty = np.append(names == "", True)
    # The last place is that of the code -1.
    codes = np.append(place, -1)[codes]
    codes = np.where(empty[codes], -1, codes)
    if unit is not None and (codes < 0).any():
        row = int((codes < 0).argmax())
        raise InputError(f"{unit} {column.index[row]}: {column.name} is empty")
    return Names(codes, names)


def as_scores(column: "pd.Series[Any]", unit: str) -> Float64Array:
    """Convert a column to finite numbers; `unit` is what its index counts."""
    import pandas as pd

    found = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(found))
    if len(wrong):
        field = str(column.iloc[wrong[0]])
        raise InputError(
            f"{unit} {column.index[wrong[0]]}: {column.name} is "
            f"{repr(field) if field else 'empty'}: every score must be a finite number"
        )
    # The parser rounds the last digit otherwise than that of whole columns of numbers.
    return (
        found if column.dtype.kind in "biuf" else column.to_numpy(dtype=object).astype(np.float64)
    )


def as_bools(column: "pd.Series[Any]", unit: str, words: dict[str, bool]) -> npt.NDArray[np.bool_]:
    """Convert a column of words, in any case, to true and false."""
    import pandas as pd

    codes, found = pd.factorize(column)
    values = [words.get(str(word).lower()) for word in found]
    wrong = np.append([value is None for value in values], True)[codes]
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(
            f"{unit} {column.index[row]}: {column.name} is {str(column.iloc[row])!r}: it must be "
            f"{' or '.join(words)}"
        )
    return np.array(values, dtype=bool)[codes]
