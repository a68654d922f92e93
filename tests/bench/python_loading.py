"""Time and memory of reading a result in Python, side by side with other ways: python_loading.py PROGRAM SOURCE_DIR [ROWS].

Each way runs in a process of its own, after its imports: the least processor time of some rounds with the file in the page cache,
and the growth of the resident memory at its peak in the first one, also over the bytes of what is returned. Only `dfsweep` verifies what it reads.
pandas reads the CSV that `dfsweep export` writes. The package is the installed one: with the library that is built beside
PROGRAM.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SWEEP = """
[sweep]
name = "wide"
estimator = "hyperparameters"
[parameters]
law = ["step-law", "porian"]
parameters = {{ from = 1e9, to = 1e12, points = {}, scale = "log" }}
train_tokens = {{ from = 1e11, to = 1e13, points = 1000, scale = "log" }}
[output]
metrics = ["optimal_learning_rate", "optimal_batch_tokens", "optimal_batch_sequences"]
"""
SHARE = 100  # one row of this number is sampled

# What each child process runs. `path`, `csv` and `sample` (ascending row numbers) are given.
WAYS = {
    "one column": {
        "dfsweep": "dfsweep.load(path, columns='optimal_learning_rate')",
        "h5py": "h5py.File(path)['optimal_learning_rate'][:]",
        "xarray, h5netcdf": "xr.open_dataset(path, engine='h5netcdf').optimal_learning_rate.values",
        "pandas, CSV": "pd.read_csv(csv, usecols=['optimal_learning_rate'])"},
    "filtered frame": {
        "dfsweep": "dfsweep.load(path, columns=COLUMNS, where=\"law == 'porian' && parameters > 1e11\")",
        "h5py": "h5py_filtered()",
        "xarray, h5netcdf": "xarray_filtered()",
        "pandas, CSV": "pd.read_csv(csv, usecols=COLUMNS).query(\"law == 'porian' and parameters > 1e11\")"},
    "whole frame": {
        "dfsweep": "dfsweep.load(path)",
        "h5py": "h5py_frame()",
        "xarray, h5netcdf": "xr.open_dataset(path, engine='h5netcdf').to_dataframe()",
        "pandas, CSV": "pd.read_csv(csv, index_col='point')"},
    "cube": {
        "dfsweep": "dfsweep.cube(path, 'optimal_learning_rate')",
        "h5py": "h5py_cube()",
        "xarray, h5netcdf": "xr.open_dataset(path, engine='h5netcdf').set_index(point=AXES).optimal_learning_rate.unstack('point')",
        "pandas, CSV": "pd.read_csv(csv, usecols=AXES + ['optimal_learning_rate']).set_index(AXES).to_xarray()"},
    "random rows": {
        "dfsweep": f"dfsweep.load(path, columns=COLUMNS, rows=rows // {SHARE})",
        "h5py": "pd.DataFrame({name: h5py.File(path)[name][:][sample] for name in COLUMNS})",
        "xarray, h5netcdf": "xr.open_dataset(path, engine='h5netcdf')[COLUMNS].isel(point=sample).load()",
        "pandas, CSV": f"pd.read_csv(csv, usecols=COLUMNS).sample(rows // {SHARE})"},
}
IMPORTS = {"dfsweep": "import dfsweep, xarray as xr", "h5py": "import h5py, pandas as pd, xarray as xr",
           "xarray, h5netcdf": "import xarray as xr, h5netcdf, pandas as pd", "pandas, CSV": "import pandas as pd, xarray as xr"}
CHILD = """
import time
import numpy as np
{imports}
path, csv, rows, rounds = {path!r}, {csv!r}, {rows}, {rounds}
AXES = ["law", "parameters", "train_tokens"]
COLUMNS = ["law", "parameters", "train_tokens", "optimal_learning_rate"]
sample = np.sort(np.random.default_rng(0).permutation(rows)[:rows // {share}])

def h5py_column(file, name):
    if "labels" not in file[name].attrs:
        return file[name][:]
    return pd.Categorical.from_codes(file[name][:], file[file[name].attrs["labels"]].asstr()[:])

def h5py_frame(names=None):
    with h5py.File(path) as file:
        return pd.DataFrame({{name: h5py_column(file, name) for name in names or file.attrs["columns"].split()}})

def h5py_filtered():
    frame = h5py_frame(COLUMNS)
    return frame[(frame.law == "porian") & (frame.parameters > 1e11)]

def h5py_cube():
    with h5py.File(path) as file:
        return file["optimal_learning_rate"][:].reshape(file.attrs["grid_shape"])

def xarray_filtered():
    opened = xr.open_dataset(path, engine="h5netcdf")
    code = list(opened.law_label.values).index("porian")
    return opened[COLUMNS].isel(point=(opened.law.values == code) & (opened.parameters.values > 1e11)).load()

def megabytes(which):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(which))

def size(answer):
    if hasattr(answer, "memory_usage"):
        return answer.memory_usage(deep=True).sum()
    return answer.nbytes

least, peak = float("inf"), None
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak is that of the resident memory from here on
before = megabytes("VmRSS")
for _ in range(rounds):
    start = time.process_time()
    answer = {action}
    least = min(least, time.process_time() - start)
    peak = megabytes("VmHWM") - before if peak is None else peak
    returned = size(answer) / 2**20
    del answer
print(least, peak, returned)
"""


def measured(action, way, path, csv, rows, environment):
    """Seconds, megabytes at the peak and of the answer; nothing where a package is missing or memory ends."""
    rounds = 1 if way == "pandas, CSV" and rows > 3_000_000 else 3
    code = CHILD.format(imports=IMPORTS[way], path=str(path), csv=str(csv), rows=rows, rounds=rounds, share=SHARE, action=action)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, text=True)
    if done.returncode:
        print(f"{way}: {(done.stderr.strip() or 'killed').splitlines()[-1]}", file=sys.stderr)
        return None
    return [float(word) for word in done.stdout.split()]


def main(program, source, rows="2000000"):
    program, rows = pathlib.Path(program).resolve(), int(rows)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        package = folder / "python" / "dfsweep"
        shutil.copytree(pathlib.Path(source) / "io" / "python" / "dfsweep", package)
        shutil.copy(program.parent / "libdfsweep_checksum.so", package)
        environment = dict(os.environ, PYTHONPATH=str(package.parent), PYTHONDONTWRITEBYTECODE="1")
        sweep, path, csv = folder / "wide.toml", folder / "run" / "result.h5", folder / "rows.csv"
        sweep.write_text(SWEEP.format(rows // 2000))
        subprocess.run([program, "run", sweep, "--out", path.parent, "--quiet"], check=True)
        subprocess.run([program, "export", path, "--output", csv], check=True, stdout=subprocess.DEVNULL)
        print(f"{rows} rows, {path.stat().st_size / 1e6:.0f} MB as HDF5, {csv.stat().st_size / 1e6:.0f} MB as CSV")
        print(f"{'':16} {'':18} {'seconds':>8} {'peak MB':>8} {'of answer':>9}")
        for task, ways in WAYS.items():
            for way, action in ways.items():
                found = measured(action, way, path, csv, rows, environment)
                if found is not None:
                    seconds, peak, returned = found
                    print(f"{task:16} {way:18} {seconds:8.3f} {peak:8.0f} {peak / returned:9.2f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
