"""Time and memory of loading a result in Python, verified and not: python_bench.py PROGRAM SOURCE_DIR [ROWS].

The package is the installed one: with the checksum library that is built beside PROGRAM."""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SWEEP = """
[sweep]
name = "wide"
estimator = "hyperparameters"
[parameters]
law = ["step-law", "porian"]
parameters = {{ from = 1e9, to = 1e12, points = {}, scale = "log" }}
train_tokens = {{ from = 1e11, to = 1e13, points = 1000, scale = "log" }}
"""
ROUNDS = 15


def best(*actions):
    """Least processor seconds of each action, in turn."""
    least = [float("inf")] * len(actions)
    for _ in range(ROUNDS):
        for i, action in enumerate(actions):
            start = time.process_time()
            action()
            least[i] = min(least[i], time.process_time() - start)
    return least


def main(program, source, rows="2000000"):
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "python" / "dfsweep"
        shutil.copytree(pathlib.Path(source) / "io" / "python" / "dfsweep", package)
        shutil.copy(pathlib.Path(program).parent / "libdfsweep_checksum.so", package)
        sys.path.insert(0, str(package.parent))
        import dfsweep
        import h5py
        import pandas as pd

        sweep, path = pathlib.Path(folder) / "wide.toml", pathlib.Path(folder) / "run" / "result.h5"
        sweep.write_text(SWEEP.format(int(rows) // 2000))
        subprocess.run([program, "run", sweep, "--out", path.parent, "--quiet"], check=True)
        dfsweep.cube(path, "optimal_learning_rate")

        def plainly():
            with h5py.File(path) as file:
                return pd.DataFrame({name: file[name][:] for name in file.attrs["columns"].split()})

        name = "optimal_learning_rate"
        verified, trusted, plain, column, trusted_column, cube = best(
            lambda: dfsweep.load(path), lambda: dfsweep.load(path, check=False), plainly,
            lambda: dfsweep.load(path, columns=name), lambda: dfsweep.load(path, columns=name, check=False),
            lambda: dfsweep.cube(path, name))
        size = path.stat().st_size
        print(f"{rows} rows, {size / 1e6:.0f} MB: verified {verified:.3f} s, not verified {trusted:.3f} s "
              f"(verification {verified / trusted - 1:.1%}), codes by h5py {plain:.3f} s")
        print(f"one column: verified {column:.4f} s, not verified {trusted_column:.4f} s; cube of it {cube:.4f} s")
        print(f"peak of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
