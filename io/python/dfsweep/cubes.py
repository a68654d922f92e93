"""Columns of a result over the axes of its grid, as arrays of xarray."""
from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, List, Tuple, overload

import numpy as np
import pandas as pd

from .argument_types import Array, Chunks, Path
from .parts import PIECE, range_parts
from .result import Result

if TYPE_CHECKING:
    import xarray

Axis = Tuple[int, int, List[str]]  # size, stride, columns

MISSING_POINT = np.iinfo(np.uint64).max  # rows of `dfsweep publish --partial` that were not evaluated


def grid_of(result: Result) -> dict[str, Axis]:
    """Axes of the grid that rows report: name -> (size, stride, its columns). A linked axis has several columns."""
    names = result.attrs["grid_axes"].split()
    sizes = [int(size) for size in result.attrs["grid_shape"]]
    if len(sizes) < len(names):  # listed points: all parameters vary together
        return {names[0]: (sizes[0], 1, names)}
    parameters = [name for name in result.columns[:result.columns.index("status")] if name not in ("point", "rank", "split")]
    axes, stride = {}, int(np.prod(sizes, dtype=object))
    for name, size in zip(names, sizes):
        stride //= size
        first = parameters.index(name)
        last = next((i for i in range(first + 1, len(parameters)) if parameters[i] in names), len(parameters))
        axes[name] = (size, stride, parameters[first:last])
    searched = result.attrs.get("search_over", "").split()
    return {name: axis for name, axis in axes.items() if name not in searched}


def plain(values: Any) -> Array:
    """Categories as an array of their names, which is what coordinates of xarray hold."""
    if not isinstance(values, pd.Categorical):
        return np.asarray(values)
    names = np.append(np.asarray(values.categories, object), np.array([np.nan], object))
    return names[values.codes]


class CubeLayout:
    """Where the rows of a result lie in a cube: its dimensions, its coordinates, and parts of its columns."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._grid = grid_of(result)
        self.dimensions = list(self._grid)
        self.shape = tuple(size for size, _, _ in self._grid.values())
        self.has_ranks = int(result.attrs.get("search_top", 1)) > 1
        self._is_whole = result.is_whole_grid  # row i is point i
        if self._is_whole:
            first = {name: np.arange(size) * stride for name, (size, stride, _) in self._grid.items()}
        else:
            first = self._survey()
        self.coordinates = {}
        for name, (_, _, linked) in self._grid.items():
            for parameter in linked:
                values = result.decoded(parameter, _at(result, parameter, first[name]))
                self.coordinates[parameter] = (name, plain(values), {"units": result.units(parameter)})
        if self.has_ranks:
            self.coordinates["rank"] = ("rank", self._ranks, {"units": result.units("rank")})

    def _points(self, begin: int = 0, end: int | None = None) -> Iterator[tuple[int, Array]]:
        """The points of rows in pieces: first row, points."""
        end = self._result.row_count if end is None else end
        for first in range(begin, end, PIECE):
            yield first, self._result.stored("point", first, min(PIECE, end - first))

    def _survey(self) -> dict[str, Array]:
        """Finds which values of the axes occur; returns the first row of each."""
        firsts = {name: np.full(size, -1) for name, (size, _, _) in self._grid.items()}
        ranks = set()
        for row, points in self._points():
            is_there = points != MISSING_POINT
            for name, (size, stride, _) in self._grid.items():
                first = firsts[name]
                if (first >= 0).all():
                    continue
                index = (points // np.uint64(stride) % np.uint64(size))[is_there].astype(np.int64)
                new = first[index] < 0  # backwards, so that the first of several rows is the last that is assigned
                first[index[new][::-1]] = (row + np.flatnonzero(is_there)[new])[::-1]
            if self.has_ranks:
                ranks.update(np.unique(self._result.stored("rank", row, len(points))[is_there]).tolist())
        self._present = {name: np.flatnonzero(first >= 0) for name, first in firsts.items()}
        sizes = [size for size, _, _ in self._grid.values()]
        self._has_all_values = ("search_over" not in self._result.attrs and not self.has_ranks
                                and sizes == [len(present) for present in self._present.values()])
        self._first_of_slowest = firsts[self.dimensions[0]][self._present[self.dimensions[0]]]
        self.shape = tuple(len(present) for present in self._present.values())
        if self.has_ranks:
            self._ranks = np.array(sorted(ranks), self._result.file["rank"].dtype)
            self.dimensions.append("rank")
            self.shape += (len(ranks),)
        return {name: first[self._present[name]] for name, first in firsts.items()}

    def dtype(self, name: str) -> np.dtype[Any]:
        """The type of the elements of `array(name)`; a column of whole numbers with a fill value has floats."""
        dataset = self._result.file[name]
        if "labels" in dataset.attrs:
            return np.dtype(object)
        has_holes = not self._is_whole or "_FillValue" in dataset.attrs
        return np.result_type(dataset.dtype, np.float32) if has_holes else dataset.dtype

    def array(self, name: str) -> Array:
        """A column in the shape of the cube. NaN stands where there is no row."""
        return self.part(name, [np.arange(size) for size in self.shape])

    def part(self, name: str, chosen: Sequence[Array]) -> Array:
        """The column at some positions along each dimension, ascending or not. Rows of other parts are not read where they
        lie apart."""
        shape = tuple(map(len, chosen))
        if 0 in shape:
            return np.empty(shape, self.dtype(name))
        return self._part_of_grid(name, chosen, shape) if self._is_whole else self._part_with_holes(name, chosen, shape)

    def _points_of(self, chosen: Sequence[Array], shape: tuple[int, ...]) -> tuple[int, bool]:
        """The points of a part of the grid: the first of them, and whether they follow each other."""
        first, last = (sum(int(end(indices)) * stride for indices, (_, stride, _) in zip(chosen, self._grid.values()))
                       for end in (np.min, np.max))
        return first, (last - first + 1 == np.prod(shape, dtype=object)
                       and all((np.diff(each) > 0).all() for each in chosen))

    def _part_of_grid(self, name: str, chosen: Sequence[Array], shape: tuple[int, ...]) -> Array:
        first, are_adjacent = self._points_of(chosen, shape)
        if are_adjacent:
            values = self._result.gathered(name, range_parts(range(first, first + int(np.prod(shape)))))
            return self._typed(name, plain(values)).reshape(shape)
        rows = np.zeros((1,) * len(shape), np.int64)
        for at, (indices, (_, stride, _)) in enumerate(zip(chosen, self._grid.values())):
            rows = rows + (indices * stride).reshape([-1 if i == at else 1 for i in range(len(shape))])
        values = self._result.decoded(name, _at(self._result, name, rows.reshape(-1)))
        return self._typed(name, plain(values)).reshape(shape)

    def _typed(self, name: str, values: Array) -> Array:
        return values.astype(self.dtype(name), copy=False)

    def _part_with_holes(self, name: str, chosen: Sequence[Array], shape: tuple[int, ...]) -> Array:
        """Puts the rows of a slab along the slowest axis where they belong, piece by piece."""
        array = np.full(shape, np.nan, self.dtype(name))
        flat, tables = array.reshape(-1), []
        start, are_adjacent = self._points_of(chosen, shape) if self._has_all_values else (0, False)
        present = [*self._present.values(), *([np.arange(len(self._ranks))] if self.has_ranks else [])]
        for indices, there in zip(chosen, present):
            ascending, inverse = np.unique(indices, return_inverse=True)
            if len(ascending) < len(indices) or not np.array_equal(inverse, np.arange(len(indices))):
                whole = self.part(name, [np.unique(each) for each in chosen])
                return whole[np.ix_(*(np.unique(each, return_inverse=True)[1] for each in chosen))]
            table = np.full(int(there[-1]) + 1, -1)
            table[there[indices]] = np.arange(len(indices))
            tables.append(table)
        ends = np.append(self._first_of_slowest[1:], self._result.row_count)
        for first, points in self._points(int(self._first_of_slowest[chosen[0].min()]), int(ends[chosen[0].max()])):
            place = _offsets(points, start, len(flat)) if are_adjacent else self._places(first, points, tables, shape)
            values = plain(self._result.decoded(name, self._result.stored(name, first, len(points)), is_one_of_many=True))
            kept = place >= 0
            if kept.all():
                flat[place] = values
            else:
                flat[place[kept]] = values[kept]
        return array

    def _places(self, first: int, points: Array, tables: Sequence[Array], shape: tuple[int, ...]) -> Array:
        """Where rows lie in a part of the cube; -1 for rows of no point, or of other parts."""
        kept, place = points != MISSING_POINT, np.zeros(len(points), np.int64)
        points = np.where(kept, points, 0)
        for table, length, (size, stride, _) in zip(tables, shape, self._grid.values()):
            index = (points // np.uint64(stride) % np.uint64(size)).astype(np.int64)
            at = table[np.minimum(index, len(table) - 1)]
            kept &= (at >= 0) & (index < len(table))
            place = place * length + at
        if self.has_ranks:
            rank = self._result.stored("rank", first, len(points))
            index = np.minimum(np.searchsorted(self._ranks, rank), len(self._ranks) - 1)
            at = tables[-1][np.minimum(index, len(tables[-1]) - 1)]
            kept &= (at >= 0) & (index < len(tables[-1]))
            place = place * shape[-1] + at
        return np.where(kept, place, -1)

    def metrics(self) -> list[str]:
        return self._result.columns[self._result.columns.index("status") + 1:]


def _offsets(points: Array, start: int, count: int) -> Array:
    """Places of points among the `count` points from `start` on; -1 for others, and for rows of no point."""
    offsets = points - np.uint64(start)
    offsets[offsets >= count] = np.iinfo(np.uint64).max
    return offsets.view(np.int64)


def _at(result: Result, name: str, rows: Array) -> Array:
    """Elements of a column as they are stored, at rows in any order."""
    if len(rows) == 0:
        return np.empty(0, result.file[name].dtype)
    ascending, inverse = np.unique(rows, return_inverse=True)
    return result.stored_at(name, ascending)[inverse]


@overload
def cube(path: Path, column: str, check: bool = ..., *, partial: bool = ..., chunks: Chunks | None = ...) -> xarray.DataArray: ...


@overload
def cube(path: Path, column: None = ..., check: bool = ..., *, partial: bool = ...,
         chunks: Chunks | None = ...) -> xarray.Dataset: ...


def cube(path: Path, column: str | None = None, check: bool = True, *, partial: bool = False,
         chunks: Chunks | None = None) -> xarray.DataArray | xarray.Dataset:
    """A column over the axes of the grid as a DataArray; without a name all metrics as a Dataset.

    Coordinates are the values of the axes in the order of the sweep: `cube.sel(device="h100")`. Linked parameters
    share one dimension, named like the first of them, and each is a coordinate of it; a value that occurs twice there
    selects both. NaN stands where a filter dropped the point. After a search the dimensions are the reported axes, and
    `rank` where several rows are kept; a searched parameter is a column like a metric: `cube(path, "tensor_parallel")`.
    Listed points lie along one dimension. `check`, `partial` and errors are those of `load`.
    chunks: sizes as `xarray.open_dataset` takes them, or {} for slabs along the slowest axes. The arrays are then those of
    dask: each chunk reads its rows when it is computed, and the cube may be larger than memory.
    """
    import xarray as xr

    if chunks is not None:
        return _lazy_cube(path, column, check, partial, chunks)
    with Result(path, check, partial) as result:
        result.expect_columns([] if column is None else [column])
        layout = CubeLayout(result)
        arrays = {name: xr.DataArray(layout.array(name), layout.coordinates, layout.dimensions, name,
                                     {"units": result.units(name)})
                  for name in (layout.metrics() if column is None else [column])}
    return xr.Dataset(arrays) if column is None else arrays[column]


def _lazy_cube(path: Path, column: str | None, check: bool, partial: bool,
               chunks: Chunks) -> xarray.DataArray | xarray.Dataset:
    import xarray as xr

    from .xarray_backend import DfsweepBackend

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The specified Dask chunks separate")  # any rows can be read apart
        lazy = xr.open_dataset(path, engine=DfsweepBackend, chunks=chunks, check=check, partial=partial,
                               columns=None if column is None else [column])
    return lazy.drop_vars("status") if column is None else lazy[column]
