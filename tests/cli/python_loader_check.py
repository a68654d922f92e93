"""Loads results with the package io/python. Usage: python_loader_check.py PROGRAM SOURCE_DIR."""
import sys
import tempfile

from python_package import Runner, expect_error, package_of, require

require("h5py", "numpy", "pandas", "xarray")

import h5py  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

GRID = """
[sweep]
name = "loader"
estimator = "dataflow"
[parameters]
model = "gpt3-1t"
device = ["tpu-v4", "h100"]
topology = "2d-torus"
shape = "8x128"
memory = "hbm3"
interconnect = "nvlink4"
mapping = "kernel_by_kernel"
dram_capacity = ["10 GB", "100 GB", "1 TB"]
[filter]
keep = ["device == 'h100' || dram_capacity > '50 GB'"]
"""
LINKED = GRID.split("[filter]")[0].replace('memory = "hbm3"\ninterconnect = "nvlink4"\n', "") + """
[[together]]
memory = ["ddr4", "hbm3", "hbm3"]
interconnect = ["pcie4", "pcie4", "nvlink4"]
"""
SEARCH = LINKED + """
[search]
over = ["dram_capacity", "memory"]
minimize = "step_time"
top = 2
"""
LISTED = """
[sweep]
name = "listed"
estimator = "dataflow"
[parameters]
model = "gpt3-1t"
topology = "2d-torus"
shape = "8x128"
interconnect = "nvlink4"
mapping = "kernel_by_kernel"
[points]
file = "points.csv"
"""


def check_compressed(dfsweep, loader):
    """A compressed result has the same frames, also of a part of its rows, and a damaged chunk is refused."""
    compressed = '[output]\ncompression = "deflate"\n'
    for name, text in (("plain", GRID), ("search", SEARCH)):
        expected = dfsweep.load(loader.run(f"not-compressed-{name}", text))
        path = loader.run(f"compressed-{name}", text + compressed)
        pd.testing.assert_frame_equal(dfsweep.load(path), expected)
        pd.testing.assert_frame_equal(dfsweep.load(path, rows=slice(2, 4)), expected.iloc[2:4])
    with h5py.File(path / "result.h5") as file:
        offset = int(file["provenance/chunks"][0, 0])
    with open(path / "result.h5", "r+b") as file:
        file.seek(offset + 3)
        byte = file.read(1)
        file.seek(offset + 3)
        file.write(bytes([byte[0] ^ 1]))
    expect_error(dfsweep.DamagedFile, "chunk", lambda: dfsweep.load(path))


def check_large_table(dfsweep, loader):
    """A table of checksums that stays in the file, and is read in pieces of a block, is as good as one in memory."""
    import dfsweep.columns
    import dfsweep.result
    kept, piece = dfsweep.result.KEPT_TABLE, dfsweep.columns.TABLE_PIECE
    for name, text in (("large", GRID), ("large-compressed", GRID + '[output]\ncompression = "deflate"\n')):
        path = loader.run(name, text)
        expected = dfsweep.load(path)
        with h5py.File(path / "result.h5") as file:
            checksums, column = file["provenance/checksums"], file["step_time"]
            places = {"table": checksums.id.get_offset(), "step_time": column.id.get_offset()}
            assert checksums.shape[0] > 1, "several blocks"
        try:
            dfsweep.result.KEPT_TABLE, dfsweep.columns.TABLE_PIECE, dfsweep.result.TABLE_PIECE = 0, 1, 1
            pd.testing.assert_frame_equal(dfsweep.load(path), expected)
            pd.testing.assert_frame_equal(dfsweep.load(path, rows=slice(2, 4)), expected.iloc[2:4])
            for damaged, offset in places.items():
                if offset is None:
                    continue  # in chunks
                with open(path / "result.h5", "r+b") as file:
                    file.seek(offset)
                    byte = file.read(1)
                    file.seek(offset)
                    file.write(bytes([byte[0] ^ 1]))
                    file.flush()
                    expect_error(dfsweep.DamagedFile, "wrong checksum", lambda: dfsweep.load(path))
                    file.seek(offset)
                    file.write(byte)
                assert dfsweep.load(path).equals(expected), damaged
        finally:
            dfsweep.result.KEPT_TABLE, dfsweep.columns.TABLE_PIECE, dfsweep.result.TABLE_PIECE = kept, piece, piece


def check_grid(dfsweep, loader):
    path = loader.run("grid", GRID)
    frame = dfsweep.load(path)
    (path / "rows.csv").write_text(loader.dfsweep("export", path))
    read = pd.read_csv(path / "rows.csv", index_col="point", float_precision="round_trip")
    pd.testing.assert_frame_equal(frame.astype({name: object for name in frame if frame[name].dtype == "category"}), read, check_dtype=False,
                                  check_index_type=False, check_exact=True)
    assert frame.attrs["units"]["step_time"] == "s" and frame.attrs["fixed"]["topology"] == "2d-torus", frame.attrs

    cube = dfsweep.cube(path / "result.h5", "step_time")
    assert cube.dims == ("device", "dram_capacity") and cube.shape == (2, 3), cube
    assert list(cube.device.values) == ["tpu-v4", "h100"], "coordinates stand in the order of the sweep"
    assert float(cube.sel(device="h100", dram_capacity=1e12)) == frame.step_time.iloc[-1]
    assert cube.sel(device="tpu-v4", dram_capacity=1e10).isnull(), "the filter dropped this point"
    assert cube.attrs["units"] == "s" and cube.dram_capacity.attrs["units"] == "byte", cube
    everything = dfsweep.cube(path)
    assert everything.step_time.identical(cube) and "status" not in everything
    assert dfsweep.cube(path, "status").sel(device="h100", dram_capacity=1e10) == "out_of_memory"
    expect_error(KeyError, "no column 'step_tine'", lambda: dfsweep.cube(path, "step_tine"))


def check_linked(dfsweep, loader):
    """A name that occurs twice in a linked axis is one category, and two places of the dimension."""
    path = loader.run("linked", LINKED)
    frame = dfsweep.load(path)
    assert list(frame.memory.cat.categories) == ["ddr4", "hbm3"], frame.memory
    assert frame.groupby("memory").size().to_dict() == {"ddr4": 6, "hbm3": 12}
    cube = dfsweep.cube(path, "step_time")
    assert cube.dims == ("device", "dram_capacity", "memory") and cube.shape == (2, 3, 3), cube
    assert list(cube.interconnect.values) == ["pcie4", "pcie4", "nvlink4"] and cube.interconnect.dims == ("memory",)
    assert cube.sel(memory="hbm3").shape == (2, 3, 2) and cube.sel(memory="ddr4").shape == (2, 3)
    assert np.array_equal(cube.values.ravel(), frame.step_time.values, equal_nan=True)


def check_labels_stored_twice(dfsweep, loader):
    """A file whose table of labels names one memory twice reads as if it named it once."""
    path = loader.run("twice", LINKED) / "result.h5"
    once = dfsweep.load(path)
    with h5py.File(path, "r+") as file:
        codes = file["memory"][:]
        del file["memory_label"]
        file["memory_label"] = np.array(["hbm3", "ddr4", "hbm3"], h5py.string_dtype())
        true_codes = np.where(once.memory == "ddr4", 1, np.arange(len(codes)) % 3 // 2 * 2)
        file["memory"][:] = true_codes
    expect_error(dfsweep.DamagedFile, "twice", lambda: dfsweep.load(path))
    assert list(dfsweep.load(path, check=False).memory) == list(once.memory)


def check_search(dfsweep, loader):
    path = loader.run("search", SEARCH)
    frame = dfsweep.load(path)
    cube = dfsweep.cube(path, "step_time")
    assert cube.dims == ("device", "rank") and list(cube["rank"].values) == [1, 2], cube
    assert float(cube.sel(device="h100", rank=1)) == frame[frame.device == "h100"].step_time.iloc[0]
    assert dfsweep.cube(path, "memory").sel(device="h100", rank=1) == "hbm3", "a searched parameter is a column"


def check_listed(dfsweep, loader):
    (loader.folder / "points.csv").write_text("device,memory\nh100,hbm3\nh100,ddr4\ntpu-v4,hbm3\n")
    path = loader.run("listed", LISTED)
    assert list(dfsweep.load(path).device) == ["h100", "h100", "tpu-v4"]
    cube = dfsweep.cube(path, "step_time")
    assert cube.dims == ("device",) and list(cube.memory.values) == ["hbm3", "ddr4", "hbm3"], cube
    assert cube.sel(device="h100").shape == (2,)


def check_refusals(dfsweep, loader):
    (loader.folder / "unfinished").mkdir()
    expect_error(FileNotFoundError, "--partial", lambda: dfsweep.load(loader.folder / "unfinished"))
    with h5py.File(loader.folder / "foreign.h5", "w"):
        pass
    expect_error(ValueError, "not a result of dfsweep", lambda: dfsweep.load(loader.folder / "foreign.h5"))


def main(program, source):
    dfsweep = package_of(source)
    with tempfile.TemporaryDirectory() as folder:
        loader = Runner(program, folder)
        for check in (check_grid, check_compressed, check_large_table, check_linked, check_labels_stored_twice, check_search, check_listed, check_refusals):
            check(dfsweep, loader)
            print(f"{check.__name__}: ok")


main(*sys.argv[1:])
