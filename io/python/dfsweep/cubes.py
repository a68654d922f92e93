"""Columns of a result over the axes of its grid, as arrays of xarray."""
import numpy as np
import pandas as pd

from .result import Result

MISSING_POINT = np.iinfo(np.uint64).max  # rows of `dfsweep publish --partial` that were not evaluated


def grid_of(result):
    """Axes of the grid that rows report: name -> (size, stride, its columns). A linked axis has several columns."""
    names = result.attrs["grid_axes"].split()
    sizes = [int(size) for size in result.attrs["grid_shape"]]
    if len(sizes) < len(names):  # listed points: all parameters vary together
        return {names[0]: (sizes[0], 1, names)}
    parameters = [name for name in result.columns[:result.columns.index("status")] if name not in ("point", "rank")]
    axes, stride = {}, int(np.prod(sizes, dtype=object))
    for name, size in zip(names, sizes):
        stride //= size
        first = parameters.index(name)
        last = next((i for i in range(first + 1, len(parameters)) if parameters[i] in names), len(parameters))
        axes[name] = (size, stride, parameters[first:last])
    searched = result.attrs.get("search_over", "").split()
    return {name: axis for name, axis in axes.items() if name not in searched}


def plain(values):
    """Categories as an array of their names, which is what coordinates of xarray hold."""
    if not isinstance(values, pd.Categorical):
        return np.asarray(values)
    names = np.append(np.asarray(values.categories, object), np.array([np.nan], object))
    return names[values.codes]


class CubeLayout:
    """Where each row lies in the cube: shape and coordinates, and for cubes with holes the place of each row."""

    def __init__(self, result):
        self._result = result
        self._grid = grid_of(result)
        self.dimensions = list(self._grid)
        self.shape = tuple(size for size, _, _ in self._grid.values())
        self.has_ranks = int(result.attrs.get("search_top", 1)) > 1
        count = int(np.prod(self.shape, dtype=object))
        is_grid = "search_over" not in result.attrs and count == result.row_count
        if is_grid and result.consecutive_from(0, count) == 0:
            self._rows = self._places = None  # row i is point i
            first = {name: np.arange(size) * stride for name, (size, stride, _) in self._grid.items()}
        else:
            first = self._scatter(result.stored("point"))
        self.coordinates = {}
        for name, (_, _, linked) in self._grid.items():
            for parameter in linked:
                values = result.decoded(parameter, _at(result, parameter, first[name]))
                self.coordinates[parameter] = (name, plain(values), {"units": result.units(parameter)})
        if self.has_ranks:
            self.coordinates["rank"] = ("rank", self._ranks, {"units": result.units("rank")})

    def _scatter(self, point):
        """Finds the place of each row; returns the first row of each value of each axis."""
        is_there = point != MISSING_POINT
        self._rows = None if is_there.all() else np.flatnonzero(is_there)
        point = point if self._rows is None else point[self._rows]
        places, shape, firsts = np.zeros(len(point), np.int64), [], {}
        for name, (size, stride, _) in self._grid.items():
            index = (point // np.uint64(stride) % np.uint64(size)).astype(np.int64)
            first = np.full(size, -1)
            first[index[::-1]] = np.arange(len(index))[::-1]
            present = first >= 0
            places = places * int(present.sum()) + (np.cumsum(present) - 1)[index]
            shape.append(int(present.sum()))
            firsts[name] = first[present] if self._rows is None else self._rows[first[present]]
        if self.has_ranks:
            rank = self._result.stored("rank")
            self._ranks, index = np.unique(rank if self._rows is None else rank[self._rows], return_inverse=True)
            places = places * len(self._ranks) + index
            self.dimensions.append("rank")
            shape.append(len(self._ranks))
        self.shape, self._places = tuple(shape), places
        return firsts

    def dtype(self, name):
        """The type of the elements of `array(name)`; a column of whole numbers with a fill value has floats."""
        dataset = self._result.file[name]
        if "labels" in dataset.attrs:
            return np.dtype(object)
        has_holes = self._places is not None or "_FillValue" in dataset.attrs
        return np.result_type(dataset.dtype, np.float32) if has_holes else dataset.dtype

    def array(self, name):
        """A column in the shape of the cube. NaN stands where there is no row."""
        values = plain(self._result.decoded(name, self._result.stored(name)))
        if self._places is None:
            return values.astype(self.dtype(name), copy=False).reshape(self.shape)
        values = values if self._rows is None else values[self._rows]
        array = np.full(self.shape, np.nan, self.dtype(name))
        array.reshape(-1)[self._places] = values
        return array

    def metrics(self):
        return self._result.columns[self._result.columns.index("status") + 1:]


def _at(result, name, rows):
    """Elements of a column at rows in any order."""
    order = np.argsort(rows, kind="stable")
    values = np.empty(len(rows), result.file[name].dtype)
    values[order] = result.stored_at(name, np.asarray(rows)[order])
    return values


def cube(path, column=None, check=True):
    """A column over the axes of the grid as a DataArray; without a name all metrics as a Dataset.

    Coordinates are the values of the axes in the order of the sweep: `cube.sel(device="h100")`. Linked parameters
    share one dimension, named like the first of them, and each is a coordinate of it; a value that occurs twice there
    selects both. NaN stands where a filter dropped the point. After a search the dimensions are the reported axes, and
    `rank` where several rows are kept; a searched parameter is a column like a metric: `cube(path, "tensor_parallel")`.
    Listed points lie along one dimension. `check` and errors are those of `load`.
    """
    import xarray as xr

    with Result(path, check) as result:
        result.expect_columns([] if column is None else [column])
        layout = CubeLayout(result)
        arrays = {name: xr.DataArray(layout.array(name), layout.coordinates, layout.dimensions, name,
                                     {"units": result.units(name)})
                  for name in (layout.metrics() if column is None else [column])}
    return xr.Dataset(arrays) if column is None else arrays[column]
