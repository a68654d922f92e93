"""Loads runs with docs/python/dfsweep.py. Usage: python_loader_check.py PROGRAM SOURCE_DIR."""
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    import h5py  # noqa: F401
    import pandas as pd
    import xarray as xr  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

SWEEP = """
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


def main(program, source):
    sys.path.insert(0, str(pathlib.Path(source) / "docs" / "python"))
    import dfsweep

    with tempfile.TemporaryDirectory() as name:
        sweep = pathlib.Path(name) / "loader.toml"
        sweep.write_text(SWEEP)
        subprocess.run([program, "run", sweep, "--out", f"{name}/run", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        frame = dfsweep.load(f"{name}/run")
        csv = subprocess.run([program, "export", f"{name}/run"], check=True, capture_output=True, text=True).stdout
        (pathlib.Path(name) / "run.csv").write_text(csv)
        read = pd.read_csv(f"{name}/run.csv", index_col="point", float_precision="round_trip")
        pd.testing.assert_frame_equal(frame.astype({"device": object, "status": object}), read, check_dtype=False, check_index_type=False,
                                      check_exact=True)
        assert frame.attrs["units"]["step_time"] == "s" and frame.attrs["fixed"]["topology"] == "2d-torus", frame.attrs

        cube = dfsweep.cube(f"{name}/run/result.h5", "step_time")
        assert cube.dims == ("device", "dram_capacity") and cube.shape == (2, 3), cube
        assert float(cube.sel(device="h100", dram_capacity=1e12)) == frame.step_time.iloc[-1]
        assert cube.sel(device="tpu-v4", dram_capacity=1e10).isnull() and cube.attrs["units"] == "s"
    print("pandas and CSV agree in every bit")


main(*sys.argv[1:])
