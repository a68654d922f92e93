"""Rows of a result as a DataFrame: all of them, or the columns, rows and values that are asked for."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from .argument_types import Names, Path, Rows, Where
from .condition import Condition
from .result import PIECE, Result

ALL = slice(None)


def load(path: Path, columns: Names | None = None, where: Where | None = None, rows: Rows | None = None,
         chunks: int | None = None, check: bool = True, *, seed: int = 0,
         partial: bool = False) -> pd.DataFrame | Iterator[pd.DataFrame]:
    """Rows of a result as a DataFrame, indexed by point.

    path: a result file or a run directory.
    columns: names of the columns that are wanted; only these are read. All by default.
    where: which rows to keep: an expression in the language of `dfsweep show --where`, with columns and fixed parameters as
        names ("device == 'h100' && memory_used < '80 GB'"; `and`, `or`, `not` are understood, too), or a function of a
        frame with the wanted columns that gives booleans.
    rows: a slice, a range, or an array of row numbers; or a number: the size of a random sample of the rows that `where`
        keeps, without repetition and in the order of the result.
    chunks: a number of rows. The answer is then an iterator over frames of at most that many rows, and no more than one
        of them is in memory. Whole numbers with missing values are floats in all of them.
    check: whether bytes are compared with their checksums before they are used.
    seed: of the random sample: the same rows for the same seed.
    partial: whether to read an unfinished run. Only rows of complete blocks are returned, and PartialWarning says how many
        are missing; so does `frame.attrs["missing_rows"]`.

    `frame.attrs` holds "units" (column -> unit), "fixed" (parameters that do not vary) and "axes" (names of the axes).
    Raises DamagedFile, UnfinishedRun, CannotVerify, KeyError for unknown columns, ValueError for an expression.
    """
    result = Result(path, check, partial)
    try:
        request = Request(result, columns, where, rows, seed)
        if chunks is not None and chunks < 1:
            raise ValueError(f"chunks is {chunks}; it must be 1 or more")
    except BaseException:
        result.close()
        raise
    if chunks is not None:
        return _frames(result, request, chunks)
    with result:
        return request.frame()


def _frames(result, request, chunks):
    with result:
        for parts in request.chunks(chunks):
            yield request.frame_of(parts, is_one_of_many=True)


class Request:
    """What a caller wants of a result. Parts of rows are (first row, rows, which of them: a slice or ascending numbers)."""

    def __init__(self, result, columns, where, rows, seed):
        self._is_whole = columns is None
        if columns is None:
            columns = [name for name in result.columns if name != "point"]
        self._result, self._where, self._seed = result, where, seed
        self.columns = [columns] if isinstance(columns, str) else list(columns)
        result.expect_columns(self.columns)
        fixed = result.fixed()
        self._condition = self._condition_of(where, fixed) if isinstance(where, str) else None
        self._sample, self._order, self._parts = None, None, []
        self._select(rows)
        self.attrs = {"units": {name: result.units(name) for name in self.columns}, "fixed": fixed,
                      "axes": result.attrs["grid_axes"].split()}
        if result.missing_rows:
            self.attrs["missing_rows"] = result.missing_rows

    def _condition_of(self, where, fixed):
        columns = {name: (self._result.labels(name), self._result.units(name)) for name in self._result.columns}
        units = {name: self._result.units(f"fixed/{name}") for name in fixed}
        return Condition(where, columns, fixed, units)

    def _select(self, rows):
        count = self._result.row_count
        if rows is None:
            self._parts = _range_parts(range(count))
        elif isinstance(rows, (int, np.integer)) and not isinstance(rows, bool):
            if rows < 0:
                raise ValueError(f"rows is {rows}; a sample has 0 rows or more")
            self._parts, self._sample = _range_parts(range(count)), int(rows)
        elif isinstance(rows, (slice, range)):
            self._parts = _range_parts(_range(rows, count))
        else:
            numbers = _numbers(rows, count)
            ascending, self._order = np.unique(numbers, return_inverse=True)
            if len(ascending) == len(numbers) and (numbers[1:] > numbers[:-1]).all():
                self._order = None
            self._parts = _number_parts(ascending)

    def frame(self):
        """All rows that are wanted, in one frame."""
        parts = self._parts
        if self._where is not None:
            parts = [kept for part in parts for kept in self._kept(part)]
        if self._sample is not None:
            parts = _sampled(parts, self._sample, self._seed)
        frame = self.frame_of(parts, is_one_of_many=False)
        if self._order is None:
            return frame
        order = self._order
        if self._where is not None:  # numbers of rows that were dropped are skipped
            kept = np.zeros(int(order.max(initial=-1)) + 1, bool)
            kept[_positions(parts, self._parts)] = True
            order = (np.cumsum(kept) - 1)[order[kept[order]]]
        frame, attrs = frame.iloc[order], frame.attrs
        frame.attrs = attrs
        return frame

    def chunks(self, size):
        """Parts for frames of at most `size` rows, before `where` drops some of them."""
        parts = self._parts
        if self._sample is not None:
            if self._where is not None:
                parts = [kept for part in parts for kept in self._kept(part)]
            parts = _sampled(parts, self._sample, self._seed)
        elif self._order is not None:
            raise ValueError("rows must ascend without repetition where chunks are asked for")
        any_part = False
        for chunk in _cut(parts, size):
            any_part = True
            yield chunk if self._where is None or self._sample is not None else [
                kept for part in chunk for kept in self._kept(part)]
        if not any_part:
            yield []

    def _kept(self, part):
        """The rows of a part that `where` keeps, as parts of at most PIECE rows."""
        for first, count, pick in _pieces_of(part):
            if self._condition is None:
                kept = np.asarray(self._where(self.frame_of([(first, count, pick)], is_one_of_many=True)), bool)
            else:
                values = {name: self._operand(name, first, count, pick) for name in self._condition.columns}
                kept = self._condition.keeps(values, _size((first, count, pick)))
            if kept.all():
                yield first, count, pick
            elif kept.any():
                yield first, count, np.arange(count)[pick][kept]

    def _operand(self, name, first, count, pick):
        stored = self._result.stored(name, first, count)[pick]
        if self._result.labels(name) is not None:
            return stored
        fill = self._result.fill_value(name)
        values = stored.astype(np.float64)
        if fill is not None:
            values[stored == fill] = np.nan
        return values

    def frame_of(self, parts, is_one_of_many):
        """The frame of parts of the rows."""
        data = {name: self._result.gathered(name, parts, is_one_of_many) for name in self.columns}
        frame = pd.DataFrame(data, index=self._index(parts), copy=False)
        if len(data) < len(self.columns):  # a name was asked for twice
            frame = frame[self.columns]
        frame.attrs = dict(self.attrs)
        return frame

    def _index(self, parts):
        """The points of rows. Where they are consecutive, as in a grid without filters, they need no memory."""
        is_range = len(parts) == 1 and isinstance(parts[0][2], slice)
        if not self._is_whole and self._result.is_whole_grid:
            if is_range:
                first, count, pick = parts[0]
                points = range(first, first + count)[pick]
                return pd.RangeIndex(points.start, points.stop, points.step, name="point")
            numbers = [first + np.arange(count)[pick] for first, count, pick in parts]
            return pd.Index(np.concatenate(numbers) if numbers else np.empty(0, np.int64), name="point")
        if is_range:
            first, count, pick = parts[0]
            start = self._result.consecutive_from(first, count)
            if start is not None:
                return pd.RangeIndex(start, start + count, name="point")[pick]
        return pd.Index(self._result.gathered("point", parts), name="point")


def _range(rows, count):
    if isinstance(rows, range):
        if len(rows) == 0:
            return range(0)
        if min(rows) < 0 or max(rows) >= count:
            raise IndexError(f"rows are {rows}; the result has rows 0 to {count - 1}")
    wanted = range(count)[rows] if isinstance(rows, slice) else rows
    if wanted.step < 1:
        raise ValueError("rows must ascend: their step must be 1 or more")
    return wanted


def _numbers(rows, count):
    numbers = np.asarray(rows)
    if numbers.dtype == bool and numbers.shape == (count,):
        return np.flatnonzero(numbers)
    if numbers.size == 0:
        return np.empty(0, np.int64)
    if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"rows is {type(rows).__name__}; it must be a number, a slice, a range, or row numbers")
    if numbers.min() < 0 or numbers.max() >= count:
        raise IndexError(f"rows are {numbers.min()} to {numbers.max()}; the result has rows 0 to {count - 1}")
    return numbers.astype(np.int64)


def _range_parts(rows):
    return [(rows[0], rows[-1] - rows[0] + 1, slice(None, None, rows.step) if rows.step > 1 else ALL)] if len(rows) else []


def _number_parts(numbers):
    if len(numbers) == 0:
        return []
    first = int(numbers[0])
    return [(first, int(numbers[-1]) - first + 1, numbers - first)]


def _size(part):
    _, count, pick = part
    return len(range(count)[pick]) if isinstance(pick, slice) else len(pick)


def _cut(parts, size):
    """Lists of parts with `size` rows each, the last one with fewer."""
    chunk, room = [], size
    for part in parts:
        while part is not None:
            first, count, pick = part
            taken = min(_size(part), room)
            if taken == _size(part):
                chunk, room, part = chunk + [part], room - taken, None
            elif isinstance(pick, slice):
                step = pick.step or 1
                chunk.append((first, (taken - 1) * step + 1, pick))
                room, part = 0, (first + taken * step, count - taken * step, pick)
            else:
                chunk.append((first, count, pick[:taken]))
                room, part = 0, (first, count, pick[taken:])
            if room == 0:
                yield chunk
                chunk, room = [], size
    if chunk:
        yield chunk


def _pieces_of(part):
    """A part in pieces of at most PIECE rows of the file."""
    first, count, pick = part
    if count <= PIECE:
        return [part]
    if isinstance(pick, slice):
        step = pick.step or 1
        numbers = range(0, count, step * max(PIECE // step, 1))
        return [(first + i, min(numbers.step, count - i), pick) for i in numbers]
    bounds = np.searchsorted(pick, range(0, count + PIECE, PIECE))
    return [(first + i * PIECE, min(PIECE, count - i * PIECE), pick[low:high] - i * PIECE)
            for i, (low, high) in enumerate(zip(bounds[:-1], bounds[1:])) if high > low]


def _sampled(parts, size, seed):
    """A random sample of the rows of parts, piece by piece: how many of each piece, then which of them."""
    pieces = [piece for part in parts for piece in _pieces_of(part)]
    sizes = np.array([_size(piece) for piece in pieces], np.int64)
    random = np.random.Generator(np.random.PCG64(seed))
    left, wanted, sampled = int(sizes.sum()), min(size, int(sizes.sum())), []
    for (first, count, pick), rows in zip(pieces, sizes.tolist()):
        left -= rows
        taken = int(random.hypergeometric(rows, left, wanted)) if left and wanted else wanted
        wanted -= taken
        if taken:
            chosen = np.sort(random.choice(rows, taken, replace=False, shuffle=False))
            sampled.append((first, count, chosen * (pick.step or 1) if isinstance(pick, slice) else pick[chosen]))
    return sampled


def _positions(parts, whole):
    """Where the rows of parts lie among those of a list with one part of numbers."""
    numbers = [first + np.arange(count)[pick] for first, count, pick in parts]
    if not numbers:
        return np.empty(0, np.int64)
    first, _, pick = whole[0]
    return np.searchsorted(pick, np.concatenate(numbers) - first)
