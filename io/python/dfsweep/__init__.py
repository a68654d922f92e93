"""Reads results of dfsweep into pandas and xarray.

    import dfsweep
    frame = dfsweep.load("runs/first/result.h5")
    cube = dfsweep.cube("runs/first/result.h5", "step_time")

A path is a result file or a run directory. Columns of names (status, device) become categories; quantities are in
base SI units.
"""
import os

import h5py
import numpy as np
import pandas as pd

__all__ = ["cube", "load"]

MISSING_POINT = np.iinfo(np.uint64).max  # rows of `dfsweep publish --partial` that were not evaluated


def _open(path):
    """The result file of a path. Raises FileNotFoundError or ValueError that say what to do."""
    path = os.fspath(path)
    if os.path.isdir(path):
        folder, path = path, os.path.join(path, "result.h5")
        if not os.path.exists(path):
            raise FileNotFoundError(f"{folder} has no result.h5. Finish it with 'dfsweep run', or write what is there "
                                    f"with 'dfsweep publish {folder} --partial' and load result.incomplete.h5")
    file = h5py.File(path, "r")
    if file.attrs.get("format") != "dfsweep":
        file.close()
        raise ValueError(f"{path} is not a result of dfsweep")
    return file


def _column(file, name):
    """One column: labels as categories, fill values as missing."""
    dataset = file[name]
    values, fill = dataset[:], dataset.attrs.get("_FillValue")
    absent = np.zeros(len(values), bool) if fill is None else values == np.ravel(fill)[0]
    if "labels" not in dataset.attrs:
        return np.where(absent, np.nan, values) if absent.any() else values
    labels, code_of = np.unique(file[dataset.attrs["labels"]].asstr()[:], return_inverse=True)
    first = np.array([np.flatnonzero(code_of == code)[0] for code in range(len(labels))], int)
    order = np.argsort(first)  # one category per name, in the order of the sweep
    place = np.empty(len(labels), int)
    place[order] = np.arange(len(labels))
    codes = np.full(len(values), -1)
    codes[~absent] = place[code_of[values[~absent].astype(int)]]
    return pd.Categorical.from_codes(codes, labels[order])


def _grid(file):
    """Axes of the grid that rows report: name -> (size, stride, its columns). A linked axis has several columns."""
    names = file.attrs["grid_axes"].split()
    sizes = [int(size) for size in file.attrs["grid_shape"]]
    if len(sizes) < len(names):  # listed points: all parameters vary together
        return {names[0]: (sizes[0], 1, names)}
    columns = file.attrs["columns"].split()
    parameters = [name for name in columns[:columns.index("status")] if name not in ("point", "rank")]
    axes, stride = {}, int(np.prod(sizes, dtype=object))
    for name, size in zip(names, sizes):
        stride //= size
        first = parameters.index(name)
        last = next((i for i in range(first + 1, len(parameters)) if parameters[i] in names), len(parameters))
        axes[name] = (size, stride, parameters[first:last])
    searched = file.attrs.get("search_over", "").split()
    return {name: axis for name, axis in axes.items() if name not in searched}


def load(path):
    """All rows of a result as a DataFrame, indexed by point.

    `frame.attrs` holds "units" (column -> unit), "fixed" (parameters that do not vary) and "axes" (names of the axes).
    """
    with _open(path) as file:
        frame = pd.DataFrame({name: _column(file, name) for name in file.attrs["columns"].split()}).set_index("point")
        fixed = {name: value.asstr()[()] if h5py.check_string_dtype(value.dtype) else value[()]
                 for name, value in file.get("fixed", {}).items()}
        frame.attrs = {"units": {name: file[name].attrs.get("units", "1") for name in frame}, "fixed": fixed,
                       "axes": file.attrs["grid_axes"].split()}
    return frame


def _plain(values):
    """Categories as an array of their names, which is what coordinates of xarray hold."""
    return np.asarray(values, object) if isinstance(values, pd.Categorical) else np.asarray(values)


def _dimensions(file, rows):
    """Dimensions of a cube of these rows: name -> (index of each row, {coordinate: its values})."""
    point = file["point"][:][rows]
    dimensions = {}
    for name, (size, stride, linked) in _grid(file).items():
        index = (point // np.uint64(stride) % np.uint64(size)).astype(int)
        _, first, place = np.unique(index, return_index=True, return_inverse=True)
        dimensions[name] = (place, {parameter: _plain(_column(file, parameter)[rows])[first] for parameter in linked})
    if int(file.attrs.get("search_top", 1)) > 1:
        ranks, place = np.unique(file["rank"][:][rows], return_inverse=True)
        dimensions["rank"] = (place, {"rank": ranks})
    return dimensions


def cube(path, column=None):
    """A column over the axes of the grid as a DataArray; without a name all metrics as a Dataset.

    Coordinates are the values of the axes in the order of the sweep: `cube.sel(device="h100")`. Linked parameters
    share one dimension, named like the first of them, and each is a coordinate of it; a value that occurs twice there
    selects both. NaN stands where a filter dropped the point. After a search the dimensions are the reported axes, and
    `rank` where several rows are kept; a searched parameter is a column like a metric: `cube(path, "tensor_parallel")`.
    Listed points lie along one dimension.
    """
    import xarray as xr

    with _open(path) as file:
        columns = file.attrs["columns"].split()
        if column is not None and column not in columns:
            raise KeyError(f"no column {column!r}; there are: {', '.join(columns)}")
        rows = np.flatnonzero(file["point"][:] != MISSING_POINT)
        dimensions = _dimensions(file, rows)
        unit = {name: {"units": file[name].attrs.get("units", "1")} for name in columns}
        coordinates = {parameter: (name, values, unit[parameter])
                       for name, (_, linked) in dimensions.items() for parameter, values in linked.items()}
        places = tuple(place for place, _ in dimensions.values())
        shape = [len(linked[name]) for name, (_, linked) in dimensions.items()]
        arrays = {}
        for name in columns[columns.index("status") + 1:] if column is None else [column]:
            values = _plain(_column(file, name)[rows])
            is_number = np.issubdtype(values.dtype, np.number)
            array = np.full(shape, np.nan, np.result_type(values, np.float32) if is_number else object)
            array[places] = values
            arrays[name] = xr.DataArray(array, coordinates, list(dimensions), name, unit[name])
    return xr.Dataset(arrays) if column is None else arrays[column]
