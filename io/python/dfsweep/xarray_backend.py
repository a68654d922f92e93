"""Backend of xarray: `xarray.open_dataset("runs/first/result.h5")`. A column is read when it is first used."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from .argument_types import Array, Names, Path
from .cubes import CubeLayout
from .result import Result
from .seal import MAGIC

CHUNK = 1 << 22  # points


class _Column(BackendArray):
    """A column over the axes of the grid."""

    def __init__(self, layout: CubeLayout, name: str) -> None:
        self._layout, self._name = layout, name
        self.shape, self.dtype = layout.shape, layout.dtype(name)

    def __getitem__(self, key: Any) -> Array:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key: tuple[Any, ...]) -> Array:
        """key: for each dimension a number, a slice or an array of positions."""
        chosen = [np.arange(size)[each] for size, each in zip(self.shape, key)]
        part = self._layout.part(self._name, [np.atleast_1d(each) for each in chosen])
        return part.reshape([len(each) for each in chosen if each.ndim])


def _preferred_chunks(layout: CubeLayout) -> dict[str, int]:
    """For dask: slabs along the slowest axes with about CHUNK points; no preference for small cubes."""
    chunks: dict[str, int] = {}
    room = CHUNK
    if np.prod(layout.shape, dtype=object) <= CHUNK:
        return chunks
    for name, size in reversed(list(zip(layout.dimensions, layout.shape))):
        chunks[name] = max(min(size, room), 1)
        room //= max(size, 1)
    return chunks


class DfsweepBackend(BackendEntrypoint):
    """Results of dfsweep: all columns but the axes, over the axes of the grid, as `dfsweep.cube` lays them out."""

    description = "Open results of dfsweep"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "check", "partial", "columns")

    def open_dataset(self, filename_or_obj: Path, *, drop_variables: Names | None = None, check: bool = True,
                     partial: bool = False, columns: Sequence[str] | None = None) -> xr.Dataset:
        """`check` and `partial` are those of `dfsweep.load`; columns: names, by default the status and the metrics. With
        `chunks`, dask reads each chunk when it is computed."""
        result = Result(filename_or_obj, check, partial)
        try:
            result.expect_columns(columns or [])
            layout = CubeLayout(result)
            axes = [name for name in columns or [] if name in layout.coordinates]
            if axes:
                raise ValueError(f"{', '.join(axes)} is an axis of the cube: its values are the coordinate of that name")
        except BaseException:
            result.close()
            raise
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        variables = {name: (layout.dimensions, indexing.LazilyIndexedArray(_Column(layout, name)),
                            {"units": result.units(name)})
                     for name in columns or ["status", *layout.metrics()] if name not in dropped}
        attrs = {key: value for key, value in result.attrs.items() if isinstance(value, (str, int, np.integer))}
        chunks = _preferred_chunks(layout)
        encoding = {"preferred_chunks": chunks} if chunks else {}
        dataset = xr.Dataset({name: xr.Variable(*variable, encoding) for name, variable in variables.items()},
                             layout.coordinates, attrs)
        dataset.set_close(result.close)
        return dataset

    def guess_can_open(self, filename_or_obj: object) -> bool:
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        path = os.fspath(filename_or_obj)
        if os.path.isdir(path):
            path = os.path.join(path, "result.h5")
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
