"""Rows of a result as a DataFrame: all of them, or the columns, rows and values that are asked for."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, overload

import numpy as np
import pandas as pd

from .argument_types import Array, Names, Path, Rows, Where
from .condition import Condition
from .grid_condition import grid_condition
from .parts import (Part, Parts, cut, joined, kept_part, number_parts, numbers_of, numbers_within, pieces_of, range_parts, sampled,
                    size_of)
from .result import Result


@overload
def load(path: Path, columns: Names | None = ..., where: Where | None = ..., rows: Rows | None = ..., chunks: None = ...,
         check: bool = ..., *, seed: int = ..., partial: bool = ...) -> pd.DataFrame: ...


@overload
def load(path: Path, columns: Names | None = ..., where: Where | None = ..., rows: Rows | None = ..., *, chunks: int,
         check: bool = ..., seed: int = ..., partial: bool = ...) -> Iterator[pd.DataFrame]: ...


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

    `frame.attrs` holds "units" (column -> unit), "fixed" (parameters that do not vary), "axes" (names of the axes) and
    "better" (column -> "lower", "higher" or "neither").
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


def _frames(result: Result, request: Request, chunks: int) -> Iterator[pd.DataFrame]:
    with result:
        for parts in request.chunks(chunks):
            yield request.frame_of(parts, is_one_of_many=True)


class Request:
    """What a caller wants of a result, as parts of its rows."""

    def __init__(self, result: Result, columns: Names | None, where: Where | None, rows: Rows | None, seed: int) -> None:
        self._is_whole = columns is None
        if columns is None:
            columns = [name for name in result.columns if name != "point"]
        self._result, self._where, self._seed = result, where, seed
        self.columns = [columns] if isinstance(columns, str) else list(columns)
        result.expect_columns(self.columns)
        fixed = result.fixed()
        self._condition = self._condition_of(where, fixed) if isinstance(where, str) else None
        self._on_grid = grid_condition(result, self._condition) if self._condition else None
        self._sample: int | None = None
        self._parts: Parts = []
        self._places: Array | None = None  # in the frame, of each of the rows: where their numbers are given and do not ascend
        self._select(rows)
        self.attrs = {"units": {name: result.units(name) for name in self.columns}, "fixed": fixed,
                      "axes": result.attrs["grid_axes"].split(),
                      "better": {name: result.better(name) for name in self.columns}}
        if result.missing_rows:
            self.attrs["missing_rows"] = result.missing_rows

    def _condition_of(self, where: str, fixed: Mapping[str, Any]) -> Condition:
        columns = {name: (self._result.labels(name), self._result.units(name)) for name in self._result.columns}
        units = {name: self._result.units(f"fixed/{name}") for name in fixed}
        return Condition(where, columns, fixed, units)

    def _select(self, rows: Rows | None) -> None:
        count = self._result.row_count
        if rows is None:
            self._parts = range_parts(range(count))
        elif isinstance(rows, (int, np.integer)) and not isinstance(rows, bool):
            if rows < 0:
                raise ValueError(f"rows is {rows}; a sample has 0 rows or more")
            self._parts, self._sample = range_parts(range(count)), int(rows)
        elif isinstance(rows, (slice, range)):
            self._parts = range_parts(_range(rows, count))
        else:
            numbers = _numbers(rows, count)
            if (numbers[1:] < numbers[:-1]).any():
                order = np.argsort(numbers, kind="stable")
                self._places = order.astype(np.min_scalar_type(len(numbers)))
                numbers = numbers[order]
            self._parts = number_parts(numbers)

    def frame(self) -> pd.DataFrame:
        """All rows that are wanted, in one frame."""
        parts = self._parts
        if self._where is not None:
            parts = self._kept_of(parts)
        if self._sample is not None:
            parts = sampled(parts, self._sample, self._seed)
        places = self._places
        if places is not None and self._where is not None:  # numbers of rows that were dropped are skipped
            places = _places_left(places, np.isin(numbers_within(self._parts), numbers_within(parts)))
        return self.frame_of(parts, is_one_of_many=False, places=places)

    def chunks(self, size: int) -> Iterator[Parts]:
        """Parts for frames of at most `size` rows, before `where` drops some of them."""
        parts = self._parts
        if self._sample is not None:
            if self._where is not None:
                parts = self._kept_of(parts)
            parts = sampled(parts, self._sample, self._seed)
        elif self._places is not None:
            raise ValueError("rows must ascend without repetition where chunks are asked for")
        any_part = False
        for chunk in cut(parts, size):
            any_part = True
            yield chunk if self._where is None or self._sample is not None else self._kept_of(chunk)
        if not any_part:
            yield []

    def _kept_of(self, parts: Parts) -> Parts:
        """The rows of parts that `where` keeps."""
        return joined(kept for part in parts for piece in pieces_of(part) for kept in self._kept(piece))

    def _kept(self, piece: Part) -> Iterator[Part]:
        """The rows of a piece that `where` keeps: a part, or none."""
        first, _, pick = piece
        kept = self._is_kept(piece)
        if kept.all():
            yield piece
        elif kept.any() and isinstance(pick, slice) and (pick.step or 1) == 1:
            yield kept_part(first, kept)
        elif kept.any():
            yield first, piece[1], numbers_of(piece)[kept]

    def _is_kept(self, piece: Part) -> Array:
        if self._on_grid is not None:
            return self._on_grid.keeps(piece)
        if self._condition is None:
            assert callable(self._where)
            return np.asarray(self._where(self.frame_of([piece], is_one_of_many=True)), bool)
        return self._condition.keeps({name: self._result.operand(name, self._result.stored_of(name, piece))
                                      for name in self._condition.columns}, size_of(piece))

    def frame_of(self, parts: Parts, is_one_of_many: bool, places: Array | None = None) -> pd.DataFrame:
        """The frame of parts of the rows. places: where in the frame each of these rows belongs."""
        data = {name: self._result.gathered(name, parts, is_one_of_many, places) for name in self.columns}
        frame = pd.DataFrame(data, index=self._index(parts, places), copy=False)
        if len(data) < len(self.columns):  # a name was asked for twice
            frame = frame[self.columns]
        frame.attrs = dict(self.attrs)
        return frame

    def _index(self, parts: Parts, places: Array | None) -> pd.Index:
        """The points of rows. Where they are consecutive, as in a grid without filters, they need no memory."""
        pick = parts[0][2] if len(parts) == 1 else None
        if not self._is_whole and self._result.is_whole_grid:
            if isinstance(pick, slice):
                first, count, _ = parts[0]
                points = range(first, first + count)[pick]
                return pd.RangeIndex(points.start, points.stop, points.step, name="point")
            return pd.Index(numbers_within(parts, places), name="point")
        if isinstance(pick, slice):
            first, count, _ = parts[0]
            start = self._result.consecutive_from(first, count)
            if start is not None:
                return pd.RangeIndex(start, start + count, name="point")[pick]
        return pd.Index(self._result.gathered("point", parts, places=places), name="point")


def _range(rows: slice | range, count: int) -> range:
    if isinstance(rows, range):
        if len(rows) == 0:
            return range(0)
        if min(rows) < 0 or max(rows) >= count:
            raise IndexError(f"rows are {rows}; the result has rows 0 to {count - 1}")
    wanted = range(count)[rows] if isinstance(rows, slice) else rows
    if wanted.step < 1:
        raise ValueError("rows must ascend: their step must be 1 or more")
    return wanted


def _numbers(rows: Any, count: int) -> Array:
    numbers = np.asarray(rows)
    if numbers.dtype == bool and numbers.shape == (count,):
        return np.flatnonzero(numbers)
    if numbers.size == 0:
        return np.empty(0, np.int64)
    if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"rows is {type(rows).__name__}; it must be a number, a slice, a range, or row numbers")
    if numbers.min() < 0 or numbers.max() >= count:
        raise IndexError(f"rows are {numbers.min()} to {numbers.max()}; the result has rows 0 to {count - 1}")
    return numbers.astype(np.int64, copy=False)


def _places_left(places: Array, kept: Array) -> Array:
    """Places among the rows that are kept."""
    is_kept = np.zeros(len(places), bool)
    is_kept[places[kept]] = True
    return (np.cumsum(is_kept) - 1)[places[kept]]
