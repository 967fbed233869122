"""A table as an Arrow stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import UsageError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._native import Stream


class Table:
    """A table that any library which speaks Arrow takes without a copy.

    ``pyarrow.table(table)`` and ``polars.DataFrame(table)`` read it; the methods below are short
    for them. Times are whole numbers of ns, as the column's name says.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow C stream, in a capsule."""
        return self._stream.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self._stream)

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""
        return self._stream.column_names

    def to_pyarrow(self) -> pyarrow.Table:
        """The table in pyarrow, without a copy.

        Raises:
            UsageError: pyarrow is not installed.
        """
        try:
            import pyarrow
        except ImportError:
            raise _missing("pyarrow") from None
        return pyarrow.table(self)

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """The table in pandas; ``options`` are those of ``pyarrow.Table.to_pandas``.

        A column of whole numbers in which some are missing is of pandas' ``Int64`` or its like, so
        that no number becomes a float.

        Raises:
            UsageError: pandas or pyarrow is not installed.
        """
        table = self.to_pyarrow()
        try:
            import pandas
            import pyarrow
        except ImportError:
            raise _missing("pandas") from None
        frame = table.to_pandas(**options)
        for name, column in zip(table.column_names, table.columns, strict=True):
            if pyarrow.types.is_integer(column.type) and column.null_count > 0:
                mask = column.is_null().to_numpy()
                values = column.fill_null(0).to_numpy()
                frame[name] = pandas.arrays.IntegerArray(values.copy(), mask.copy())
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The table in polars.

        Raises:
            UsageError: polars is not installed.
        """
        try:
            import polars
        except ImportError:
            raise _missing("polars") from None
        return polars.DataFrame(self)

    def __repr__(self) -> str:
        return f"<schedscope table of {len(self)} rows: {', '.join(self.column_names)}>"


def _missing(library: str) -> UsageError:
    return UsageError(f"this needs {library}: pip install {library}")
