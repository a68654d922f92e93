"""Loads results of dfsweep: load(path) as a pandas DataFrame, cube(path, metric) as an xarray DataArray.

A convenience, never required: the files are plain HDF5 with one dataset per column. `path` is a result file or a
finished run directory. Needs h5py and pandas; cube also needs xarray.
"""
import os

import h5py
import numpy as np
import pandas as pd


def _open(path):
    return h5py.File(os.path.join(path, "result.h5") if os.path.isdir(path) else path, "r")


def _column(file, name):
    """One column: labels as categories, fill values as missing."""
    dataset = file[name]
    values, fill = dataset[:], dataset.attrs.get("_FillValue")
    absent = np.zeros(len(values), bool) if fill is None else values == np.ravel(fill)[0]
    if "labels" in dataset.attrs:
        codes = np.where(absent, -1, values.astype(np.int32))
        return pd.Categorical.from_codes(codes, file[dataset.attrs["labels"]].asstr()[:])
    return np.where(absent, np.nan, values) if absent.any() else values


def load(path):
    """All rows, indexed by point. `frame.attrs["units"]` and `frame.attrs["fixed"]` tell units and fixed parameters."""
    with _open(path) as file:
        frame = pd.DataFrame({name: _column(file, name) for name in file.attrs["columns"].split()}).set_index("point")
        fixed = {name: value.asstr()[()] if h5py.check_string_dtype(value.dtype) else value[()]
                 for name, value in file.get("fixed", {}).items()}
        frame.attrs = {"units": {name: file[name].attrs.get("units", "1") for name in frame}, "fixed": fixed,
                       "axes": file.attrs["grid_axes"].split()}
    return frame


def cube(path, metric):
    """One metric over the axes of the grid, with labels as coordinates; NaN where a filter dropped the point."""
    frame = load(path)
    axes = frame.attrs["axes"]
    values = frame.astype({axis: object for axis in axes if frame[axis].dtype == "category"}).set_index(axes)[metric]
    array = values.to_xarray()
    array.attrs = {"units": frame.attrs["units"][metric]}
    return array
