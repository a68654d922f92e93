"""Time and memory of reading a result in Python, side by side with other ways: python_loading.py PROGRAM SOURCE_DIR [ROWS].

Each way runs in a process of its own, after its imports: the least processor time of some rounds with the file in the page cache,
and the growth of the resident memory at its peak in the first one, over the bytes of what is returned. Only `dfsweep` verifies what it
reads. pandas reads the CSV and pyarrow the Parquet file that `dfsweep export` writes; zarr reads arrays in chunks, compressed as it does by
default. What is not installed is left out, and with many rows also what would need much memory: CSV, and frames of all columns. The
package is the installed one: with the library that is built beside PROGRAM. Prints a table for docs/python.md. TMPDIR says where the files
are: 16 GB for 10^8 rows.
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
metrics = ["optimal_learning_rate", "optimal_batch_tokens"]
"""
SHARE = 100  # one row of this number is sampled
MANY_ROWS = 30_000_000

# What each child process runs. `path`, `csv`, `parquet`, `store` and `sample` (ascending row numbers) are given.
WAYS = {
    "one column": {
        "dfsweep": "dfsweep.load(path, columns='optimal_learning_rate')",
        "h5py": "h5py.File(path)['optimal_learning_rate'][:]",
        "xarray": "xr.open_dataset(path, engine='h5netcdf').optimal_learning_rate.values",
        "zarr": "zarr.open(store, 'r')['optimal_learning_rate'][:]",
        "pyarrow": "pq.read_table(parquet, columns=['optimal_learning_rate']).to_pandas()",
        "pandas, CSV": "pd.read_csv(csv, usecols=['optimal_learning_rate'])"},
    "filtered frame": {
        "dfsweep": "dfsweep.load(path, columns=COLUMNS, where=\"law == 'porian' && parameters > 1e11\")",
        "h5py": "filtered(h5py_frame(COLUMNS))",
        "xarray": "xarray_filtered(lambda opened: (of_law(opened) & (opened.parameters.values > 1e11)))",
        "zarr": "filtered(zarr_frame())",
        "pyarrow": "pq.read_table(parquet, columns=COLUMNS, filters=[('law', '==', 'porian'), ('parameters', '>', 1e11)]).to_pandas()",
        "pandas, CSV": "filtered(pd.read_csv(csv, usecols=COLUMNS))"},
    "filtered by a metric": {
        "dfsweep": "dfsweep.load(path, columns=COLUMNS, where='optimal_learning_rate > 1e-3')",
        "h5py": "by_metric(h5py_frame(COLUMNS))",
        "xarray": "xarray_filtered(lambda opened: opened.optimal_learning_rate.values > 1e-3)",
        "zarr": "by_metric(zarr_frame())",
        "pyarrow": "pq.read_table(parquet, columns=COLUMNS, filters=[('optimal_learning_rate', '>', 1e-3)]).to_pandas()",
        "pandas, CSV": "by_metric(pd.read_csv(csv, usecols=COLUMNS))"},
    "cube": {
        "dfsweep": "dfsweep.cube(path, 'optimal_learning_rate')",
        "h5py": "h5py_cube()",
        "xarray": "xr.open_dataset(path, engine='h5netcdf').set_index(point=AXES).optimal_learning_rate.unstack('point')",
        "zarr": "zarr.open(store, 'r')['optimal_learning_rate'][:].reshape(SHAPE)",
        "pandas, CSV": "pd.read_csv(csv, usecols=AXES + ['optimal_learning_rate']).set_index(AXES).to_xarray()"},
    "random rows": {
        "dfsweep": f"dfsweep.load(path, columns=COLUMNS, rows=rows // {SHARE})",
        "h5py": "pd.DataFrame({name: h5py.File(path)[name][:][sample] for name in COLUMNS})",
        "xarray": "xr.open_dataset(path, engine='h5netcdf')[COLUMNS].load().isel(point=sample)",
        "zarr": "pd.DataFrame({name: zarr.open(store, 'r')[name][:][sample] for name in COLUMNS})",
        "pyarrow": "pq.read_table(parquet, columns=COLUMNS).take(sample).to_pandas()",
        "pandas, CSV": f"pd.read_csv(csv, usecols=COLUMNS).sample(rows // {SHARE})"},
    "whole frame": {
        "dfsweep": "dfsweep.load(path)",
        "h5py": "h5py_frame()",
        "xarray": "xr.open_dataset(path, engine='h5netcdf').to_dataframe()",
        "pyarrow": "pq.read_table(parquet).to_pandas()",
        "pandas, CSV": "pd.read_csv(csv, index_col='point')"},
}
IMPORTS = {"dfsweep": "import dfsweep, xarray as xr", "h5py": "import h5py, pandas as pd, xarray as xr",
           "xarray": "import xarray as xr, h5netcdf, pandas as pd", "zarr": "import zarr, h5py, pandas as pd",
           "pyarrow": "import pyarrow.parquet as pq, pandas as pd", "pandas, CSV": "import pandas as pd, xarray as xr"}
CHILD = """
import time
import numpy as np
{imports}
path, csv, parquet, store = {paths!r}
rows, rounds = {rows}, {rounds}
AXES = ["law", "parameters", "train_tokens"]
SHAPE = 2, rows // 2000, 1000
COLUMNS = ["law", "parameters", "train_tokens", "optimal_learning_rate"]
sample = np.sort(np.random.default_rng(0).permutation(rows)[:rows // {share}]).copy()

def filtered(frame):
    return frame[(frame.law == "porian") & (frame.parameters > 1e11)]

def by_metric(frame):
    return frame[frame.optimal_learning_rate > 1e-3]

def h5py_column(file, name):
    if "labels" not in file[name].attrs:
        return file[name][:]
    return pd.Categorical.from_codes(file[name][:], file[file[name].attrs["labels"]].asstr()[:])

def h5py_frame(names=None):
    with h5py.File(path) as file:
        return pd.DataFrame({{name: h5py_column(file, name) for name in names or file.attrs["columns"].split()}})

def h5py_cube():
    with h5py.File(path) as file:
        return file["optimal_learning_rate"][:].reshape(file.attrs["grid_shape"])

def zarr_frame():
    group = zarr.open(store, "r")
    law = pd.Categorical.from_codes(group["law"][:], ["step-law", "porian"])
    return pd.DataFrame({{"law": law, **{{name: group[name][:] for name in COLUMNS[1:]}}}})

def of_law(opened):
    return opened.law.values == list(opened.law_label.values).index("porian")

def xarray_filtered(kept):
    opened = xr.open_dataset(path, engine="h5netcdf")
    return opened[COLUMNS].load().isel(point=kept(opened))

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


def measured(action, way, paths, rows, environment):
    """Seconds, megabytes at the peak and of the answer; None where a package is missing or memory ends."""
    rounds = 1 if way == "pandas, CSV" and rows > 3_000_000 else 3
    code = CHILD.format(imports=IMPORTS[way], paths=[str(each) for each in paths], rows=rows, rounds=rounds, share=SHARE,
                        action=action)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, text=True)
    if done.returncode:
        print(f"{way}: {(done.stderr.strip() or 'killed').splitlines()[-1]}", file=sys.stderr)
        return None
    return [float(word) for word in done.stdout.split()]


def needs_too_much(task, way, rows):
    """Whether a way is left out with many rows: it would need more than ten times the bytes of a column."""
    return rows > MANY_ROWS and (way == "pandas, CSV" or task == "whole frame" or (task, way) == ("cube", "xarray"))


def write_zarr(path, store):
    """Columns as arrays in chunks. False where there is no zarr."""
    try:
        import h5py
        import zarr
    except ImportError:
        return False
    group = zarr.open(str(store), "w")
    with h5py.File(path) as file:
        for name in ("law", "parameters", "train_tokens", "optimal_learning_rate"):
            array = group.create_dataset(name, shape=file[name].shape, dtype=file[name].dtype, chunks=1 << 20)
            for first in range(0, len(file[name]), 1 << 20):
                array[first:first + (1 << 20)] = file[name][first:first + (1 << 20)]
    return True


def prepare(program, source, folder, rows):
    """The package as it is installed, and the files that are read."""
    package = folder / "python" / "dfsweep"
    shutil.copytree(source / "io" / "python" / "dfsweep", package)
    shutil.copy(program.parent / "libdfsweep_checksum.so", package)
    sweep, path = folder / "wide.toml", folder / "run" / "result.h5"
    csv, parquet, store = folder / "rows.csv", folder / "rows.parquet", folder / "store.zarr"
    sweep.write_text(SWEEP.format(rows // 2000))
    subprocess.run([program, "run", sweep, "--out", path.parent, "--quiet"], check=True)
    if rows <= MANY_ROWS:
        subprocess.run([program, "export", path, "--output", csv], check=True, stdout=subprocess.DEVNULL)
    if not subprocess.run([sys.executable, "-c", IMPORTS["pyarrow"]], capture_output=True).returncode:
        subprocess.run([program, "export", path, "--format", "parquet", "--output", parquet], check=True, stdout=subprocess.DEVNULL)
    write_zarr(path, store)
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1",
                       PYTHONPATH=os.pathsep.join([str(package.parent), os.environ.get("PYTHONPATH", "")]))
    return (path, csv, parquet, store), environment


def main(program, source, rows="2000000"):
    program, rows = pathlib.Path(program).resolve(), int(rows)
    with tempfile.TemporaryDirectory() as name:
        paths, environment = prepare(program, pathlib.Path(source), pathlib.Path(name), rows)
        print(f"{rows} rows, {paths[0].stat().st_size / 1e6:.0f} MB\n")
        print("| what | with | seconds | over the best other | peak, MB | over what is returned |\n|---|---|---|---|---|---|")
        for task, ways in WAYS.items():
            found = {way: measured(action, way, paths, rows, environment) for way, action in ways.items()
                     if not needs_too_much(task, way, rows)}
            found = {way: figures for way, figures in found.items() if figures is not None}
            best = min((seconds for way, (seconds, _, _) in found.items() if way != "dfsweep"), default=float("nan"))
            for way, (seconds, peak, returned) in found.items():
                print(f"| {task} | {way} | {seconds:.3f} | {seconds / best:.2f} | {peak:.0f} | {peak / returned:.2f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
