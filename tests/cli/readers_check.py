"""Opens a published file the way the README shows: h5py, pandas, xarray with h5netcdf, h5dump. Usage: readers_check.py PROGRAM."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from python_package import Runner, require

require("h5netcdf", "h5py", "numpy", "pandas", "xarray")

import h5py  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import xarray as xr  # noqa: E402

SWEEP = """
[sweep]
name = "readers"
estimator = "dataflow"
[parameters]
model = ["gpt3-1t", "gpt3-175b"]
device = ["h100", "tpu-v4"]
topology = "2d-torus"
shape = "8x128"
memory = ["hbm3", "ddr4"]
interconnect = "nvlink4"
mapping = "kernel_by_kernel"
dram_bandwidth = ["1 TB/s", "2 TB/s", "3 TB/s"]
"""
SEARCH = SWEEP + """
[search]
over = ["memory", "dram_bandwidth"]
minimize = "step_time"
top = 2
"""
COMPRESSED = """
[output]
compression = "deflate"
"""


def data_frame(path):
    f = h5py.File(path)

    def column(dataset):
        if "labels" not in dataset.attrs:
            return dataset[:]
        codes = dataset[:].astype(int)
        if "_FillValue" in dataset.attrs:  # no value
            codes[codes == int(np.ravel(dataset.attrs["_FillValue"])[0])] = -1
        return pd.Categorical.from_codes(codes, f[dataset.attrs["labels"]].asstr()[:])

    return pd.DataFrame({k: column(f[k]) for k in f.attrs["columns"].split()}).set_index("point")


def check_grid(path):
    df = data_frame(path)
    assert len(df) == 24 and list(df.index) == list(range(24)), df
    assert list(df.model[:12].unique()) == ["gpt3-1t"] and df.status.iloc[0] == "ok", df
    assert df.dram_bandwidth.iloc[1] == 2e12 and df.step_time[:12].gt(0).all(), df
    assert (df.step_time.isna() == (df.status != "ok")).all() and df.step_time.isna().any(), df

    ds = xr.open_dataset(path, engine="h5netcdf")
    cube = ds.set_index(point=ds.attrs["grid_axes"].split()).unstack("point").step_time
    assert dict(zip(ds.attrs["grid_axes"].split(), ds.attrs["grid_shape"])) == dict(cube.sizes), cube.sizes
    assert np.array_equal(cube.values.ravel(), df.step_time.values, equal_nan=True)
    assert cube.attrs["units"] == "s" and ds.attrs["Conventions"] == "CF-1.10"
    assert ds.step_time.dims == ("point",) and not any(d.startswith("phony") for d in ds.dims), ds.dims
    # The table of chunks of a compressed file has no dimension scales.
    provenance = xr.open_dataset(path, engine="h5netcdf", group="provenance", phony_dims="sort")
    assert provenance.checksums.shape[0] >= 1
    assert h5py.File(path)["fixed/topology"].asstr()[()] == "2d-torus"
    assert "hbm3" in h5py.File(path)["provenance/sweep"].asstr()[()]


def check_search(path):
    df = data_frame(path)
    assert len(df) == 8 and list(df["rank"]) == [1, 2] * 4, df
    assert (df.step_time[:4:2].values <= df.step_time[1:4:2].values).all(), df
    assert list(df.status[3:5]) == ["ok", "no_feasible"] and df.memory[4:].isna().all(), df
    ds = xr.open_dataset(path, engine="h5netcdf")
    assert ds.rejections.dims == ("reported_point", "status_label"), ds.rejections
    assert (ds.rejections.sum("status_label") == 6).all(), ds.rejections
    assert list(ds.rejections.sel(status_label="ok")) == [6, 6, 0, 0]
    assert np.isnan(ds.dram_bandwidth[4]), "searched axes have no value where nothing is feasible"


def check_tools(path):
    if shutil.which("h5dump"):
        subprocess.run(["h5dump", "-d", "/step_time", path], check=True, stdout=subprocess.DEVNULL)
    if shutil.which("h5repack"):
        packed = path.with_name("packed.h5")
        subprocess.run(["h5repack", "-f", "SHUF", "-f", "GZIP=1", path, packed], check=True)
        assert data_frame(packed).equals(data_frame(path))
        return packed
    return None


def main(program):
    with tempfile.TemporaryDirectory() as name:
        runner = Runner(program, name)
        grid = runner.run("grid", SWEEP) / "result.h5"
        check_grid(grid)
        check_search(runner.run("search", SEARCH) / "result.h5")
        packed = check_tools(grid)
        compressed = runner.run("compressed", SWEEP + COMPRESSED) / "result.h5"
        check_grid(compressed)
        assert data_frame(compressed).equals(data_frame(grid))
        assert h5py.File(compressed)["step_time"].compression == "gzip" and h5py.File(compressed)["step_time"].shuffle
        check_search(runner.run("compressed-search", SEARCH + COMPRESSED) / "result.h5")
        check_tools(compressed)
        for path in filter(None, [grid, packed]):
            subprocess.run([program, "verify", path, "--quiet"], check=True)
            subprocess.run([program, "show", path], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
