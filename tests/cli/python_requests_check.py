"""What the Python package reads, verifies and refuses: columns, rows, chunks, unfinished and rewritten files.

Usage: python_requests_check.py PROGRAM SOURCE_DIR [LIBRARY]. With the library of checksums the package is tested with it, too.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
import warnings

from python_package import Runner, expect_error, package_of, require

require("h5py", "numpy", "pandas", "xarray")

import h5py  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

ROWS = 200_000
PIECES = 2**20  # bytes of what is looked at at once
SWEEP = """
[sweep]
name = "many"
estimator = "hyperparameters"
[parameters]
law = ["step-law", "porian"]
parameters = {{ from = 1e9, to = 1e12, points = {}, scale = "log" }}
train_tokens = {{ from = 1e11, to = 1e13, points = 1000, scale = "log" }}
[filter]
{}
"""
# Slow enough to be killed: each search takes a few milliseconds.
SLOW = """
[sweep]
name = "slow"
estimator = "dataflow"
[parameters]
model = "gpt3-1t"
device = "h100"
topology = "2d-torus"
memory = "hbm3"
interconnect = "nvlink4"
shape = "8x8"
micro_batch = { from = 1, to = 6000, step = 1 }
dram_capacity = { from = "1 GB", to = "4 TB", points = 3000, scale = "log" }
[output]
metrics = ["step_time"]
"""


def check_requests(dfsweep, program, folder):
    path = Runner(program, folder).run("filtered", SWEEP.format(100, 'keep = "parameters > 2e9 || train_tokens < 1e12"'))
    whole = dfsweep.load(path)
    assert 0 < len(whole) < ROWS and not isinstance(whole.index, pd.RangeIndex)
    names = ["optimal_learning_rate", "law"]
    assert dfsweep.load(path, columns=names).equals(whole[names])
    assert dfsweep.load(path, columns="law").equals(whole[["law"]])
    for rows in (slice(10, 20), slice(None, None, 7), slice(-5, None), range(3, 90_000, 30_000), slice(5, 5)):
        wanted = whole.iloc[list(rows)] if isinstance(rows, range) else whole.iloc[rows]
        assert dfsweep.load(path, rows=rows).equals(wanted), rows
    where = "law == 'porian' && parameters > 5e11 and status == 'ok'"
    wanted = whole[(whole.law == "porian") & (whole.parameters > 5e11)]
    assert len(wanted) and dfsweep.load(path, where=where).equals(wanted)
    assert dfsweep.load(path, columns=names, where=where).equals(wanted[names])
    assert dfsweep.load(path, where=lambda frame: frame.parameters > 5e11).equals(whole[whole.parameters > 5e11])
    assert dfsweep.load(path, where="sequence_length > 0").equals(whole), "a fixed parameter is a name"
    assert dfsweep.load(path, where="parameters < 0").empty
    for chunks in (1000, 77_777, 10**9):
        frames = list(dfsweep.load(path, chunks=chunks))
        assert all(len(frame) == chunks for frame in frames[:-1]) and pd.concat(frames).equals(whole), chunks
    expect_error(KeyError, ["no column 'nothing'", "optimal_learning_rate"], lambda: dfsweep.load(path, columns="nothing"))
    expect_error(KeyError, ["no column 'nothing'"], lambda: dfsweep.load(path, where="nothing > 1"))
    expect_error(ValueError, ["'pory'", "did you mean"], lambda: dfsweep.load(path, where="law == 'pory'"))
    expect_error(TypeError, ["row numbers"], lambda: dfsweep.load(path, rows=[0.5, 2]))
    expect_error(IndexError, ["the result has rows 0 to"], lambda: dfsweep.load(path, rows=range(ROWS)))
    expect_error(ValueError, ["must be 1 or more"], lambda: dfsweep.load(path, chunks=0))


def check_conditions_on_axes(dfsweep, program, folder):
    """Conditions on the axes of a whole grid, which are decided without reading the rows, keep the rows that a mask keeps."""
    path = Runner(program, folder).run("grid", SWEEP.format(100, "").replace("[filter]", ""))
    whole = dfsweep.load(path)
    law, parameters, tokens = whole.law == "porian", whole.parameters, whole.train_tokens
    cases = [("law == 'porian'", law), ("law == 'porian' && parameters > 1e11", law & (parameters > 1e11)),
             ("parameters < 2e9 || parameters > 5e11", (parameters < 2e9) | (parameters > 5e11)),
             ("train_tokens > 1e12 && law != 'porian'", (tokens > 1e12) & ~law), ("train_tokens < 0", tokens < 0),
             ("train_tokens / parameters > 20", tokens / parameters > 20)]
    for where, mask in cases:
        wanted = whole[mask]
        frame = dfsweep.load(path, where=where)
        assert frame.equals(wanted), where
        assert dfsweep.load(path, where=where, columns=["train_tokens"]).train_tokens.equals(wanted.train_tokens), where
        for rows in (slice(150, 140_000), slice(3, None, 7), np.arange(5, ROWS, 1001)):
            kept = whole.iloc[rows][mask.iloc[rows]]
            assert dfsweep.load(path, where=where, rows=rows).equals(kept), (where, rows)
        assert pd.concat(dfsweep.load(path, where=where, chunks=7001)).equals(wanted), where
        sample = dfsweep.load(path, where=where, rows=100)
        assert len(sample) == min(100, len(wanted)) and sample.equals(wanted.loc[sample.index]), where
    assert isinstance(dfsweep.load(path, where="law == 'porian'", columns="law").index, pd.RangeIndex), "one range of rows"


def check_row_numbers(dfsweep, program, folder):
    """Rows by number in any order, and random samples: without repetition, the same for a seed, also of kept rows."""
    path = Runner(program, folder).run("filtered", SWEEP.format(400, 'keep = "parameters > 2e9 || train_tokens < 1e12"'))
    whole = dfsweep.load(path)
    assert len(whole) > 2 << 18, "the rows are of one piece"
    for rows in ([], [7], [5, 3, 3, len(whole) - 1], np.arange(0, len(whole), 70_001), range(0, 10)):
        assert dfsweep.load(path, rows=rows).equals(whole.iloc[list(rows)]), rows
    mask = np.arange(len(whole)) % 1000 == 1
    assert dfsweep.load(path, rows=mask).equals(whole[mask])
    rows = [len(whole) - 1, 5, len(whole) - 1, 3, 400_000]
    kept = whole.iloc[rows]
    assert dfsweep.load(path, rows=rows, where="law == 'porian'").equals(kept[kept.law == "porian"])
    sample = dfsweep.load(path, rows=10_000)
    assert len(sample) == 10_000 and sample.index.is_monotonic_increasing and sample.index.is_unique
    assert sample.equals(whole.loc[sample.index]) and sample.equals(dfsweep.load(path, rows=10_000))
    assert not sample.index.equals(dfsweep.load(path, rows=10_000, seed=1).index)
    assert pd.concat(dfsweep.load(path, rows=10_000, chunks=3000)).equals(sample)
    for name in ("law", "parameters", "train_tokens"):  # each half of the axis has about its share of the sample
        codes = whole[name].cat.codes if name == "law" else whole[name]
        low = codes <= codes.quantile(0.5, interpolation="lower")
        share, expected = low.loc[sample.index].mean(), low.mean()
        assert abs(share - expected) < 5 * (expected * (1 - expected) / 10_000) ** 0.5, (name, share, expected)
    some = dfsweep.load(path, rows=500, where="law == 'porian' && parameters > 5e11")
    assert len(some) == 500 and (some.law == "porian").all() and (some.parameters > 5e11).all() and some.index.is_unique
    assert len(dfsweep.load(path, rows=10**9, where="parameters < 1.1e9")) == (whole.parameters < 1.1e9).sum()
    expect_error(IndexError, ["the result has rows 0 to"], lambda: dfsweep.load(path, rows=[len(whole)]))


def peak(action):
    tracemalloc.start()
    answer = action()
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size, answer


def check_memory_and_checksums(dfsweep, program, folder):
    """One column costs one column, a chunk one chunk, and every byte that is used has been hashed once."""
    path = Runner(program, folder).run("whole", SWEEP.format(100, "").replace("[filter]", ""))
    column = 8 * ROWS
    size, frame = peak(lambda: dfsweep.load(path, columns="optimal_learning_rate"))
    assert len(frame) == ROWS and size < 2.5 * column, f"{size / column:.2f} columns"
    size, rows = peak(lambda: sum(len(frame) for frame in dfsweep.load(path, chunks=2000)))
    assert rows == ROWS and size < 2 * column, f"{size / column:.2f} columns"
    size, cube = peak(lambda: dfsweep.cube(path, "optimal_learning_rate"))
    assert cube.size == ROWS and size < 1.5 * column, f"{size / column:.2f} columns"
    size, frame = peak(lambda: dfsweep.load(path))
    frame_bytes = int(frame.memory_usage(index=False).sum())
    assert size < 1.3 * frame_bytes + 2 * column, f"{size / frame_bytes:.2f} of the frame"
    size, frame = peak(lambda: dfsweep.load(path, where="law == 'porian'"))
    frame_bytes = int(frame.memory_usage(index=False).sum())
    assert size < 1.3 * frame_bytes + 3 * column, f"{size / frame_bytes:.2f} of the frame"

    import dfsweep.checksum as checksum
    hashed, one, many = [], checksum.xxh3_128, checksum.first_damaged
    for module in ("frame", "seal", "result"):
        setattr(sys.modules[f"dfsweep.{module}"], "xxh3_128", lambda data: hashed.append(memoryview(data).nbytes) or one(data))
    sys.modules["dfsweep.columns"].first_damaged = lambda data, *of: hashed.append(data.nbytes) or many(data, *of)
    dfsweep.load(path)
    size = (path / "result.h5").stat().st_size
    assert 0.9 * size < sum(hashed) <= size, f"{sum(hashed)} of {size} bytes are hashed"
    hashed.clear()
    dfsweep.load(path, columns="optimal_learning_rate")
    assert sum(hashed) < 2 * column, "a column and the frame, no other column"
    hashed.clear()
    dfsweep.load(path, check=False)
    assert not hashed


def check_peaks(dfsweep, program, folder):
    """Frames that hold some of the rows need little more memory than they keep. The bound is that of the documentation."""
    path = Runner(program, folder).run("large", SWEEP.format(800, "").replace("[filter]", ""))
    columns = ["law", "parameters", "train_tokens", "optimal_learning_rate"]
    middle = float(dfsweep.load(path, columns="optimal_learning_rate").optimal_learning_rate.median())
    cases = [dict(where=f"optimal_learning_rate > {middle!r}"), dict(where="law == 'porian' && parameters > 1e10"),
             dict(rows=400_000), dict(rows=400_000, where="law == 'porian'"),
             dict(rows=np.random.default_rng(0).permutation(1_600_000)[:400_000])]
    for arguments in cases:
        size, frame = peak(lambda: dfsweep.load(path, columns=columns, **arguments))
        frame_bytes = int(frame.memory_usage(deep=True).sum())
        assert frame_bytes > 10**7 and size < 1.3 * frame_bytes + PIECES, f"{arguments}: {size / frame_bytes:.2f} of the frame"


def check_damage(dfsweep, program, folder):
    """A damaged column is refused by its name; the others can be read."""
    path = Runner(program, folder).run("damaged", SWEEP.format(100, "").replace("[filter]", "")) / "result.h5"
    sound = dfsweep.load(path)
    with h5py.File(path) as file:
        offset = file["optimal_learning_rate"].id.get_offset()
    with open(path, "r+b") as file:
        file.seek(offset + 8 * 150_000 + 6)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    expect_error(dfsweep.DamagedFile, [str(path), "column optimal_learning_rate", "block "], lambda: dfsweep.load(path))
    expect_error(dfsweep.DamagedFile, ["optimal_learning_rate"], lambda: dfsweep.cube(path, "optimal_learning_rate"))
    name = "optimal_learning_rate"
    for request in (dict(rows=[150_010]), dict(rows=slice(149_990, 149_995)), dict(where=f"{name} > 1"), dict(rows=100_000)):
        expect_error(dfsweep.DamagedFile, ["column optimal_learning_rate"], lambda: dfsweep.load(path, columns=name, **request))
    far = [0, 5, 190_000]  # in other blocks
    assert dfsweep.load(path, columns=name, rows=far).equals(sound[[name]].iloc[far])
    assert dfsweep.load(path, columns="optimal_batch_tokens").equals(sound[["optimal_batch_tokens"]])
    assert not dfsweep.load(path, check=False).equals(sound)
    for size in (0, 7, 8191, 8192, 9000, path.stat().st_size - 1):
        with open(path, "r+b") as file:
            file.truncate(max(size, 0))
        expect_error((dfsweep.DamagedFile, dfsweep.UnfinishedRun), [str(path)], lambda: dfsweep.load(path))


def kill_early(program, sweep, run_folder):
    """Starts a run, and kills it once it has begun to write its journal; returns whether it was unfinished."""
    partial = run_folder / "result.partial.h5"
    process = subprocess.Popen([program, "run", sweep, "--out", run_folder, "--quiet", "--threads", "1"])
    while process.poll() is None and not (partial.exists() and list((run_folder / "journal").glob("*.journal"))):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if not partial.exists():
        return False
    with h5py.File(partial) as file:
        return bool((file["status"][:] == 0).any())


def check_unfinished(dfsweep, program, folder):
    """What a kill leaves: no row that was not computed is `ok`."""
    (folder / "slow.toml").write_text(SLOW)
    run_folder = folder / "slow"
    partial = run_folder / "result.partial.h5"
    for _ in range(10):  # on a busy machine the run may be complete before the signal reaches it
        if kill_early(program, folder / "slow.toml", run_folder):
            break
        shutil.rmtree(run_folder)
    for path in (run_folder, partial):
        expect_error(dfsweep.UnfinishedRun, ["dfsweep run", "--partial", "result.incomplete.h5"], lambda: dfsweep.load(path))
    renamed = folder / "renamed.h5"
    shutil.copy(partial, renamed)
    for check in (True, False):
        expect_error(dfsweep.UnfinishedRun, ["never published"], lambda: dfsweep.load(renamed, check=check))
    with h5py.File(partial) as file:
        status, time_of = file["status"], file["step_time"]
        names = dict(zip(status.attrs["flag_values"], status.attrs["flag_meanings"].split()))
        assert names[0] == "missing" and names[status.attrs["first_code"]] == "ok", names
        codes = status[:]
        assert (codes == 0).any(), "the run was complete before it was killed"
        assert not (time_of[:][codes == status.attrs["first_code"]] == 0).any(), "a row that was not computed is ok"
    check_partial(dfsweep, run_folder, renamed)
    subprocess.run([program, "publish", run_folder, "--partial", "--quiet"], check=True)
    frame = dfsweep.load(run_folder / "result.incomplete.h5", columns=["status", "step_time"])
    assert (frame.status == "missing").any() and frame.step_time[frame.status == "missing"].isna().all()
    assert "missing" not in dfsweep.cube(run_folder / "result.incomplete.h5", "status").values


def check_partial(dfsweep, run_folder, copy):
    """The complete blocks can be read, verified, and are the rows that `status` counts; a torn block is refused."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = dfsweep.load(run_folder, partial=True)
        again = dfsweep.load(run_folder / "result.partial.h5", partial=True, columns=["step_time"])
        cube = dfsweep.cube(run_folder, "step_time", partial=True)
    assert [each.category for each in caught] == [dfsweep.PartialWarning] * 3 and "are missing" in str(caught[0].message)
    assert len(frame) and "missing" not in frame.status.values and frame.index.is_unique
    assert frame.attrs["missing_rows"] > 0 and again.step_time.equals(frame.step_time)
    with h5py.File(copy) as file:
        assert len(frame) + frame.attrs["missing_rows"] == len(file["point"])
        at = frame.index.to_numpy()  # a grid without filters: row i is point i
        assert np.array_equal(file["point"][:][at], at)
        assert np.array_equal(file["step_time"][:][at], frame.step_time, equal_nan=True)
        offset = file["step_time"].id.get_offset() + 8 * int(at[-1])
    assert int(cube.notnull().sum()) == int(frame.step_time.notna().sum())
    with open(run_folder / "result.partial.h5", "r+b") as file:
        file.seek(offset)
        byte = file.read(1)
        file.seek(offset)
        file.write(bytes([byte[0] ^ 1]))
        file.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expect_error(dfsweep.DamagedFile, ["column step_time"], lambda: dfsweep.load(run_folder, partial=True))
        file.seek(offset)
        file.write(byte)


def check_rewritten(dfsweep, program, folder):
    """Files whose checks are impossible say so."""
    path = Runner(program, folder).run("rewritten", SWEEP.format(2, "").replace("[filter]", "")) / "result.h5"
    sound = dfsweep.load(path)
    if shutil.which("h5repack"):
        small = folder / "small.h5"
        subprocess.run(["h5repack", "-f", "SHUF", "-f", "GZIP=1", path, small], check=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert dfsweep.load(small).equals(sound)
        assert any(issubclass(each.category, dfsweep.UnverifiedWarning) for each in caught), caught
    else:
        print("h5repack is not there: repacked files are not tested")
    old = folder / "old.h5"
    with h5py.File(path) as file, h5py.File(old, "w") as to:
        for name in file:
            file.copy(name, to)
        to.attrs.update({name: value for name, value in file.attrs.items() if name != "format_version"})
        to.attrs["format_version"] = 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert dfsweep.load(old).equals(sound)
    assert any("cannot be verified" in str(each.message) for each in caught), caught
    with h5py.File(old, "r+") as file:
        file.attrs["format_version"] = 3
    expect_error(dfsweep.UnfinishedRun, ["has no seal"], lambda: dfsweep.load(old))
    with open(old, "r+b") as file:
        file.truncate(old.stat().st_size // 2)
    expect_error(dfsweep.DamagedFile, ["cannot be parsed"], lambda: dfsweep.load(old))
    expect_error(FileNotFoundError, ["nothing.h5"], lambda: dfsweep.load(folder / "nothing.h5"))
    expect_error(ValueError, ["not a regular file"], lambda: dfsweep.load("/dev/null"))


def with_library(source, library, folder):
    """A source tree whose package has the library."""
    package = folder / "io" / "python" / "dfsweep"
    shutil.copytree(pathlib.Path(source) / "io" / "python" / "dfsweep", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(library, package)
    return folder


def main(program, source, library=None):
    if library is not None:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, __file__, program, with_library(source, library, pathlib.Path(folder))], check=True)
    dfsweep = package_of(source)
    has_library = dfsweep.checksum.has_library()
    checks = [check_requests, check_conditions_on_axes, check_row_numbers, check_damage, check_unfinished]
    checks += [check_peaks] if has_library else [check_rewritten, check_memory_and_checksums]
    for check in checks:
        with tempfile.TemporaryDirectory() as folder:
            check(dfsweep, program, pathlib.Path(folder))
        print(f"{check.__name__}{' with the library' if has_library else ''}: ok", flush=True)


main(*sys.argv[1:])
