"""What the Python package asks the program for: evaluate, Sweep, and xarray by itself. Usage: python_program_check.py PROGRAM SOURCE_DIR."""
import contextlib
import inspect
import io
import os
import pathlib
import pickle
import sys
import tempfile
import typing

from python_package import expect_error, package_of, require

require("h5py", "numpy", "pandas", "xarray")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import xarray as xr  # noqa: E402

FIXED = {"model": "gpt3-1t", "topology": "2d-torus", "shape": "8x128", "interconnect": "nvlink4",
         "mapping": "kernel_by_kernel"}


def check_evaluate(dfsweep):
    """Points of a table, in its order, give what the sweep of these points gives."""
    table = pd.DataFrame({"device": ["h100", "tpu-v4", "h100"], "memory": "hbm3",
                          "dram_bandwidth": [3e12, np.nan, "2 TB/s"], "dram_capacity": [1e12, 1e12, 1e10]},
                         index=["a", "b", "c"])
    frame = dfsweep.evaluate("dataflow", table.assign(**FIXED))
    assert list(frame.index) == ["a", "b", "c"] and list(frame.device) == list(table.device), frame
    assert list(frame.status) == ["ok", "ok", "out_of_memory"], frame.status
    assert frame.dram_bandwidth.iloc[0] == 3e12 and np.isnan(frame.dram_bandwidth.iloc[1]), frame.dram_bandwidth
    one = dfsweep.evaluate("dataflow", {**FIXED, "device": "h100", "memory": "hbm3", "dram_bandwidth": 3e12,
                                        "dram_capacity": "1 TB"}, metrics=["step_time"])
    assert len(one) == 1 and one.step_time.iloc[0] == frame.step_time.iloc[0], one
    assert "utilization" not in one
    lists = dfsweep.evaluate("hyperparameters", {"parameters": [1e9, 2e9], "train_tokens": 1e11})
    assert len(lists) == 2 and lists.optimal_learning_rate.is_monotonic_decreasing
    twice = dfsweep.evaluate("hyperparameters", [{"parameters": 1e9, "train_tokens": 1e11}] * 2)
    assert len(twice) == 2 and twice.optimal_learning_rate.nunique() == 1
    expect_error(dfsweep.SweepError, "parametres", lambda: dfsweep.evaluate("hyperparameters", {"parametres": 1e9}))
    expect_error(dfsweep.SweepError, "nothing", lambda: dfsweep.evaluate("nothing", {"parameters": 1e9}))
    expect_error(ValueError, "no point", lambda: dfsweep.evaluate("hyperparameters", {"parameters": []}))


def check_sweep(dfsweep, folder):
    """A sweep of axes, linked axes, a filter and a search; run again, it is found published."""
    sweep = dfsweep.Sweep("dataflow", {**FIXED, "device": ["h100", "tpu-v4"], "dram_bandwidth": [2e12, 3e12],
                                       "micro_batch": {"powers_of": 2, "from": 1, "to": 4}},
                          name="linked", filter=["micro_batch < 4"],
                          together=[{"memory": ["ddr4", "hbm3"], "dram_capacity": [1e12, "100 GB"]}],
                          search={"over": ["micro_batch"], "minimize": "step_time"}, output={"metrics": ["step_time"]})
    assert "<pre>" in sweep._repr_html_() and "[[together]]" in sweep._repr_html_(), "a notebook shows the text"
    with contextlib.redirect_stderr(io.StringIO()) as drawn:
        path = sweep.run(folder / "linked", progress=True)
    assert "100%" in drawn.getvalue() and drawn.getvalue().endswith("\n"), drawn.getvalue()
    assert sweep.run(folder / "linked") == path
    frame = dfsweep.load(path)
    assert len(frame) == 8 and set(frame.dram_capacity) == {1e12, 1e11}, frame
    cube = dfsweep.cube(path, "step_time")
    assert cube.dims == ("device", "dram_bandwidth", "memory") and cube.shape == (2, 2, 2), cube
    try:
        dfsweep.Sweep("dataflow", {**FIXED, "device": "h", "memory": "hbm3"}).plan()
    except dfsweep.InvalidSweep as error:
        assert str(error).startswith("sweep.toml:"), f"{error}: the text has no folder"
    sample = dfsweep.Sweep("hyperparameters", {"parameters": {"from": 1e9, "to": 1e12, "scale": "log"}, "train_tokens": [1e11, 1e12]},
                           sample={"count": 10, "method": "sobol", "split": {"train": 0.5, "test": 0.5, "by": ["train_tokens"]}})
    drawn = dfsweep.load(sample.run(folder / "drawn"))
    assert len(drawn) == 10 and drawn.groupby("split", observed=True).train_tokens.nunique().eq(1).all(), drawn
    assert repr(sweep).startswith("sweep linked\n[sweep]"), sweep
    other = dfsweep.Sweep("dataflow", {**FIXED, "device": "h100", "memory": "hbm3"}, name="linked")
    expect_error(dfsweep.SweepError, "--fresh", lambda: other.run(path))
    assert len(dfsweep.load(other.run(path, fresh=True))) == 1


def check_annotations(dfsweep):
    """Every public function says the types of its arguments and of its answer."""
    functions = [(name, getattr(dfsweep, name)) for name in dfsweep.__all__ if inspect.isfunction(getattr(dfsweep, name))]
    for name in dfsweep.__all__:
        if inspect.isclass(getattr(dfsweep, name)):
            functions += [(f"{name}.{member}", function) for member, function in vars(getattr(dfsweep, name)).items()
                          if inspect.isfunction(function) and (member == "__init__" or not member.startswith("_"))]
    for name, function in functions:
        if name == "Estimate.__init__":  # only `evaluate` makes one
            continue
        signature = inspect.signature(function)
        for argument in list(signature.parameters.values()):
            assert argument.name == "self" or argument.annotation is not inspect.Parameter.empty, f"{name}: {argument.name}"
        assert signature.return_annotation is not inspect.Signature.empty, f"{name}: no type of its answer"
        namespace = {**vars(sys.modules[function.__module__]), "xarray": xr}
        typing.get_type_hints(function, namespace)
    assert len(functions) > 8


def check_xarray(dfsweep, folder):
    """The backend has the cubes of `cube`, reads a column when it is used, and knows its files."""
    from dfsweep.xarray_backend import DfsweepBackend

    path = pathlib.Path(dfsweep.Sweep("hyperparameters", {"parameters": [1e9, 1e10], "train_tokens": [1e11, 1e12],
                                                          "law": ["porian", "step-law"]},
                                      filter=["law == 'porian' || parameters > 5e9"]).run(folder / "backend"))
    with xr.open_dataset(path / "result.h5", engine=DfsweepBackend) as opened:
        assert opened.optimal_learning_rate.identical(dfsweep.cube(path, "optimal_learning_rate"))
        assert opened.attrs["estimator"] == "hyperparameters"
        some = opened.optimal_learning_rate.sel(law="porian").isel(parameters=slice(1, None))
        assert np.array_equal(some.values, dfsweep.cube(path, "optimal_learning_rate").sel(law="porian").values[1:])
        statuses = opened.status.values.ravel().tolist()
        assert statuses.count("ok") == 6 and len(statuses) == 8, statuses
    check_parts(dfsweep, path)
    backend = DfsweepBackend()
    assert backend.guess_can_open(path) and backend.guess_can_open(str(path / "result.h5"))
    for foreign in (__file__, folder, folder / "nothing.h5", b"DFSWSEAL", 7):
        assert not backend.guess_can_open(foreign), foreign
    expect_error(KeyError, "optimal_learning_rate", lambda: xr.open_dataset(
        path / "result.h5", engine=DfsweepBackend, drop_variables="optimal_learning_rate")["optimal_learning_rate"])


def check_parts(dfsweep, path):
    """The backend is found without its name, reads parts of cubes with and without holes, and is opened by dask."""
    whole = dfsweep.Sweep("hyperparameters", {"parameters": [1e9, 2e9, 4e9, 1e10], "train_tokens": [1e11, 3e11, 1e12],
                                              "law": ["porian", "step-law"]}).run(path.parent / "whole")
    some = dfsweep.Sweep("hyperparameters", {"parameters": [1e9, 2e9, 4e9, 1e10], "train_tokens": [1e11, 3e11, 1e12],
                                             "law": ["porian", "step-law"]},
                         filter=["parameters < 5e9 || law == 'porian'", "train_tokens != 3e11"]).run(path.parent / "some")
    for folder in (whole, some):
        cube = dfsweep.cube(folder, "optimal_learning_rate").values
        for key in ((1,), (slice(1, 3),), (slice(None), 1), (slice(None), slice(None), 0), ([2, 0, 0], slice(1), slice(None)),
                    (slice(None, None, -1), [1, 0], 1), (slice(2, 2),)):
            with xr.open_dataset(os.path.join(folder, "result.h5")) as opened:
                assert opened.status.dims == ("parameters", "train_tokens", "law")
                part = opened.optimal_learning_rate[key]
                expected = xr.DataArray(cube, dims=opened.status.dims)[key]
                assert np.array_equal(part.values, expected.values, equal_nan=True), (folder, key)
    try:
        import dask  # noqa: F401
    except ImportError:
        print("dask is not there: chunks are not tested")
        return
    for folder in (whole, some):
        with xr.open_dataset(os.path.join(folder, "result.h5"), chunks={}) as opened:
            assert opened.optimal_learning_rate.chunks is not None, "arrays of dask in the chunks of the backend"
            assert opened.load().identical(xr.open_dataset(os.path.join(folder, "result.h5")).load())
        for column in ("optimal_learning_rate", "status", None):
            lazy, eager = dfsweep.cube(folder, column, chunks={"parameters": 3}), dfsweep.cube(folder, column)
            array = lazy.optimal_learning_rate if column is None else lazy
            assert array.chunks[0] == ((3, 1) if array.sizes["parameters"] == 4 else (len(array),)), array.chunks
            assert lazy.load().equals(eager) and list(lazy.coords) == list(eager.coords), column
        expect_error(ValueError, "an axis of the cube", lambda: dfsweep.cube(folder, "law", chunks={}))
        with xr.open_dataset(os.path.join(folder, "result.h5"), chunks={"parameters": 2}) as opened:
            assert opened.optimal_learning_rate.chunks[0][0] == 2
            least = opened.optimal_learning_rate.min("law").compute()
            assert least.equals(dfsweep.cube(folder, "optimal_learning_rate").min("law"))
            copy = pickle.loads(pickle.dumps(opened))
            assert copy.optimal_learning_rate.load().equals(opened.optimal_learning_rate.load()), "a worker opens the file"


def register(folder):
    """Makes the package one that is installed, so that xarray finds its backend."""
    info = folder / "site" / "dfsweep-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dfsweep\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[xarray.backends]\ndfsweep = dfsweep.xarray_backend:DfsweepBackend\n")
    sys.path.insert(0, str(info.parent))


def main(program, source):
    os.environ["DFSWEEP_PROGRAM"] = program
    dfsweep = package_of(source)
    with tempfile.TemporaryDirectory() as folder:
        register(pathlib.Path(folder))
        check_annotations(dfsweep)
        check_evaluate(dfsweep)
        check_sweep(dfsweep, pathlib.Path(folder))
        check_xarray(dfsweep, pathlib.Path(folder))
    print("evaluate, Sweep and the backend of xarray: ok")


main(*sys.argv[1:])
