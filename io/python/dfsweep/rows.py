"""Rows of a result as a DataFrame: all of them, or the columns, rows and values that are asked for."""
import ast

import numpy as np
import pandas as pd

from .result import PIECE, Result


def load(path, columns=None, where=None, rows=None, chunks=None, check=True):
    """Rows of a result as a DataFrame, indexed by point.

    path: a result file or a run directory.
    columns: names of the columns that are wanted; only these are read. All by default.
    where: which rows to keep: an expression of pandas with columns and fixed parameters as names, in base SI units
        ("device == 'h100' and step_time < 2"), or a function of a frame with the wanted columns that gives booleans.
    rows: a slice or range of row numbers, with a step of 1 or more.
    chunks: a number of rows. The answer is then an iterator over frames of at most that many rows, and no more than one
        of them is in memory. Whole numbers with missing values are floats in all of them.
    check: whether bytes are compared with their checksums before they are used.

    `frame.attrs` holds "units" (column -> unit), "fixed" (parameters that do not vary) and "axes" (names of the axes).
    Raises DamagedFile, UnfinishedRun, CannotVerify, KeyError for unknown columns.
    """
    result = Result(path, check)
    try:
        request = _Request(result, columns, where, rows)
        if chunks is not None and chunks < 1:
            raise ValueError(f"chunks is {chunks}; it must be 1 or more")
    except BaseException:
        result.close()
        raise
    if chunks is not None:
        return _frames(result, request, chunks)
    with result:
        if where is None:
            return request.frame(request.rows, is_one_of_many=False)
        kept = [request.frame(part, is_one_of_many=True) for part in _parts(request.rows, PIECE)]
        frame = pd.concat(kept) if len(kept) > 1 else kept[0]
        frame.attrs = request.attrs
        return frame


def _frames(result, request, chunks):
    with result:
        for part in _parts(request.rows, chunks):
            yield request.frame(part, is_one_of_many=True)


def _parts(rows, size):
    """A range cut into ranges of at most `size` rows; one empty range where there are no rows."""
    return [rows[i:i + size] for i in range(0, max(len(rows), 1), size)]


class _Request:
    """What a caller of `load` wants of a result."""

    def __init__(self, result, columns, where, rows):
        if columns is None:
            columns = [name for name in result.columns if name != "point"]
        self._result, self._where = result, where
        self._columns = [columns] if isinstance(columns, str) else list(columns)
        used = [] if where is None or callable(where) else _names(where, result)
        self._read = list(dict.fromkeys([*self._columns, *(name for name in used if name != "point")]))
        result.expect_columns(self._columns + used)
        self.rows = _range(rows, result.row_count)
        self._fixed = result.fixed()
        self.attrs = {"units": {name: result.units(name) for name in self._columns}, "fixed": self._fixed,
                      "axes": result.attrs["grid_axes"].split()}

    def frame(self, rows, is_one_of_many):
        """The frame of a range of rows, without those that `where` drops."""
        first, count = (rows[0], rows[-1] - rows[0] + 1) if len(rows) else (0, 0)
        every = slice(None, None, rows.step)
        data = {name: self._result.decoded(name, self._result.stored(name, first, count)[every], is_one_of_many)
                for name in self._read}
        frame = pd.DataFrame(data, index=_index(self._result, first, count)[every], copy=False)
        if self._where is not None:
            frame = frame[self._kept(frame)]
        if self._read != self._columns:
            frame = frame[self._columns]
        frame.attrs = self.attrs
        return frame

    def _kept(self, frame):
        if callable(self._where):
            return self._where(frame)
        kept = frame.eval(self._where, engine="python", resolvers=[self._fixed])
        return np.full(len(frame), kept) if np.isscalar(kept) else kept


def _range(rows, count):
    if rows is None:
        return range(count)
    if not isinstance(rows, (slice, range)):
        raise TypeError(f"rows is a {type(rows).__name__}; it must be a slice or a range")
    if isinstance(rows, range):
        if len(rows) == 0:
            return range(0)
        if min(rows) < 0 or max(rows) >= count:
            raise IndexError(f"rows are {rows}; the result has rows 0 to {count - 1}")
    wanted = range(count)[rows] if isinstance(rows, slice) else rows
    if wanted.step < 1:
        raise ValueError("rows must ascend: their step must be 1 or more")
    return wanted


def _names(expression, result):
    """Columns that an expression uses."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError as error:
        raise ValueError(f"where = {expression!r} is not an expression of pandas ({error.msg}); "
                         "use 'and', 'or', 'not' and ==") from None
    names = dict.fromkeys(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    fixed = set(result.file.get("fixed", {}))
    return [name for name in names if name not in fixed]


def _index(result, first, count):
    """The points of rows. Where they are consecutive, as in a grid without filters, they need no memory."""
    start = result.consecutive_from(first, count)
    if start is None:
        return pd.Index(result.stored("point", first, count), name="point")
    return pd.RangeIndex(start, start + count, name="point")
