"""`dfsweep.evaluate` in this process gives what a run of the program gives, names arguments, and can be interrupted.

Usage: python_evaluate_check.py PROGRAM SOURCE_DIR LIBRARY.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings

from python_package import expect_error, package_of, require

require("h5py", "numpy", "pandas")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

DATAFLOW = {"model": "gpt3-1t", "topology": "2d-torus", "shape": "8x128", "interconnect": "nvlink4", "device": "h100",
            "memory": "hbm3", "mapping": "kernel_by_kernel"}


def by_program(dfsweep, *arguments, **options):
    """The same call, answered by a run of the program."""
    from dfsweep import evaluation
    find = evaluation.find_engine
    evaluation.find_engine = lambda program=None: None
    try:
        return dfsweep.evaluate(*arguments, **options)
    finally:
        evaluation.find_engine = find


def check_vectors(dfsweep):
    """Tables give the rows of a run, to the last bit, for any number of threads."""
    random = np.random.default_rng(1)
    table = pd.DataFrame({"parameters": 10 ** random.uniform(9, 12, 20_000), "train_tokens": 10 ** random.uniform(11, 13, 20_000),
                          "law": random.choice(["step-law", "porian"], 20_000)})
    expected = by_program(dfsweep, "hyperparameters", table)
    for threads in (1, 2, 7):
        found = dfsweep.evaluate("hyperparameters", table, threads=threads)
        assert list(found) == list(expected), (list(found), list(expected))
        for name in expected:
            one, two = expected[name].astype(object), found[name].astype(object)
            assert (one.eq(two) | one.isna() & two.isna()).all(), name
    some = table.iloc[[5, 3, 3]].set_index(pd.Index(["a", "b", "c"]))
    rows = dfsweep.evaluate("hyperparameters", some, metrics=["optimal_learning_rate"])
    assert list(rows.index) == ["a", "b", "c"] and list(rows.columns[-2:]) == ["status", "optimal_learning_rate"]
    assert np.array_equal(rows.optimal_learning_rate, expected.optimal_learning_rate.iloc[[5, 3, 3]])
    assert rows.attrs["units"]["parameters"] == "1"
    categories = dfsweep.evaluate("hyperparameters", table.astype({"law": "category"}).head(100))
    assert categories.optimal_learning_rate.equals(found.optimal_learning_rate.head(100))
    found = dfsweep.evaluate("dataflow", pd.DataFrame({"dram_capacity": ["10 GB", 1e12, None]}), **DATAFLOW)
    assert list(found.dram_capacity[:2]) == [1e10, 1e12] and np.isnan(found.dram_capacity[2]), found.dram_capacity
    assert found.status.iloc[1] == "ok" and found.status.iloc[0] == "out_of_memory", found.status


def check_types(dfsweep):
    """Whole numbers and booleans come back as such; booleans are the flags 0 and 1."""
    training = {"model": "llama3-70b", "device": "h100", "memory": "hbm3", "topology": "dgx-1", "interconnect": "nvlink4",
                "device_count": 64, "tensor_parallel": 8, "pipeline_parallel": 2, "data_parallel": 4, "global_batch": 64,
                "metrics": ["step_time"]}
    given = {"micro_batch": [1, 2, 1], "sequence_parallel": [True, False, True]}
    flags = dfsweep.evaluate("training", **training, micro_batch=[1, 2, 1], sequence_parallel=[1, 0, 1])
    for wrapped in (list, np.array, pd.Series):
        found = dfsweep.evaluate("training", **training, **{name: wrapped(values) for name, values in given.items()})
        assert found.micro_batch.dtype == np.int64 and found.sequence_parallel.dtype == bool, found.dtypes
        assert found.step_time.equals(flags.step_time) and list(found.sequence_parallel) == given["sequence_parallel"]
    some = dfsweep.evaluate("training", [{"micro_batch": 1, "sequence_parallel": True}, {"micro_batch": 2}], **training)
    assert some.micro_batch.dtype == np.int64 and np.isnan(some.sequence_parallel[1]), some.dtypes
    program = by_program(dfsweep, "training", pd.DataFrame(given), **training)
    assert program.step_time.equals(flags.step_time)


def check_one(dfsweep):
    """One point is an Estimate; if it could not be computed, it says why."""
    estimate = dfsweep.evaluate("dataflow", **DATAFLOW, dram_capacity="1 TB")
    frame = by_program(dfsweep, "dataflow", [{**DATAFLOW, "dram_capacity": "1 TB"}])
    assert estimate.status == "ok" and estimate.step_time == estimate["step_time"] == frame.step_time.iloc[0]
    assert estimate.units["step_time"] == "s" and "step_time" in list(estimate) and "step_time" in repr(estimate)
    assert "<table>" in estimate._repr_html_() and dict(estimate)["step_time"] == estimate.step_time
    small = dfsweep.evaluate("dataflow", **DATAFLOW, dram_capacity="10 GB")
    assert small.status == "out_of_memory" and "10 GB" in small.reason and "10 GB" in repr(small), small
    for capacity, here in (("1 TB", estimate), ("10 GB", small)):  # the program gives the same Estimate
        other = by_program(dfsweep, "dataflow", **DATAFLOW, dram_capacity=capacity)
        assert type(other) is type(here) and vars(other) == vars(here), (vars(other), vars(here))
    only = {"metrics": "coverage", "model": "llama3-8b", "system": "dgx-h100", "software": "vllm", "tensor_parallel": 2, "batch": 64}
    assert vars(by_program(dfsweep, "serving", **only)) == vars(dfsweep.evaluate("serving", **only))
    expect_error(AttributeError, ["step_tine", "did you mean 'step_time'"], lambda: estimate.step_tine)
    assert pd.Series(estimate).step_time == pd.DataFrame([estimate, small]).step_time[0] == estimate.step_time
    assert "step_time" in estimate and "step_tine" not in estimate


def check_fronts(dfsweep):
    """Frames know which direction of a metric is better."""
    frame = dfsweep.evaluate("dataflow", {**DATAFLOW, "dram_bandwidth": [1e12, 2e12, 3e12]})
    front = dfsweep.front(frame, "step_time", "system_power")
    assert 0 < len(front) <= 3 and front.frame.index[0] == 2, front
    expect_error(KeyError, "step_tine", lambda: dfsweep.front(frame, "step_tine", "system_power"))
    expect_error(ValueError, "given twice", lambda: dfsweep.front(frame, "step_time", "step_time"))


def check_kept(dfsweep):
    """Calls with values that were seen are answered from what was prepared for them, to the last bit, until a file changes."""
    from dfsweep import evaluation, kept_points
    prepared = []

    def counted(*arguments):
        prepared.append(arguments)
        return library_evaluation(*arguments)

    library_evaluation, evaluation.Evaluation = evaluation.Evaluation, counted
    try:
        table = pd.DataFrame([{"device": device, "memory": memory, "dram_capacity": capacity, "micro_batch": batch}
                              for device in ("h100", "tpu-v4") for memory in ("hbm3", "ddr4") for capacity in ("10 GB", 1e12)
                              for batch in (1, 2.0)])
        fixed = {name: value for name, value in DATAFLOW.items() if name not in table}
        expected = dfsweep.evaluate("dataflow", table, **fixed)
        for turn in range(2):
            prepared.clear()
            for (_, row), whole in zip(table.iterrows(), expected.itertuples()):
                one = dfsweep.evaluate("dataflow", **fixed, **row)
                assert one.status == whole.status and (one.status == "ok") == (one.reason == ""), one
                assert all(value == getattr(whole, name) for name, value in one.items()), (one, whole)
        assert not prepared, f"{len(prepared)} of {len(table)} calls were prepared though all their values were seen"
        with tempfile.TemporaryDirectory() as folder:
            entry = pathlib.Path(folder) / "laws" / "mine.toml"
            entry.parent.mkdir()
            rates = []
            for rate in (1.0, 1.0, 1.0, 2.0, 2.0, 2.0):
                text = ('name = "mine"\nkind = "power"\nlr_intercept = { value = %s, source = "test" }\n'
                        'batch_intercept = { value = 1, source = "test" }\n') % rate
                if not entry.exists() or entry.read_text() != text:
                    entry.write_text(text)
                    os.utime(entry, (rate, rate))  # the clock of a file system may be too slow for this test
                rates.append(dfsweep.evaluate("hyperparameters", law="mine", parameters=1e9, train_tokens=1e11,
                                              catalogue=folder).optimal_learning_rate)
            assert rates[:3] == [np.exp(1.0)] * 3 and rates[3:] == [np.exp(2.0)] * 3, rates
        assert len(kept_points._sets) <= kept_points.MOST_SETS
    finally:
        evaluation.Evaluation = library_evaluation


def check_shared_data(dfsweep):
    """Calls with new values read measured tables once, until one of them changes, and give what calls without shared data give."""
    from dfsweep import library
    engine = library.find_engine(os.environ["DFSWEEP_PROGRAM"])
    with tempfile.TemporaryDirectory() as folder:
        tables = pathlib.Path(folder) / "tables"
        subprocess.run([os.environ["DFSWEEP_PROGRAM"], "profiles", tables, "--generate", "--devices", "h100", "--models",
                        "microsoft/phi-2", "--degrees", "1,2", "--tokens", "64", "--networks", "h100_dgx", "--interconnect",
                        "nvlink4"], check=True, stdout=subprocess.DEVNULL)
        point = {"model": "microsoft/phi-2", "device": "h100", "network": "h100_dgx", "decode_context": 64, "data": {"profiles": tables}}
        changes = [{"decode_batch": 4}, {"decode_batch": 8}, {"tensor_parallel": 2}, {"memory_margin": 0.2}, {"statistic": "mean"}]
        alone = [by_program(dfsweep, "profiled", **point, **change) for change in changes]
        before = engine.data_reads()
        for change, expected in zip(changes, alone):
            assert vars(dfsweep.evaluate("profiled", **point, **change)) == vars(expected), change
        assert engine.data_reads() == before + 1, engine.data_reads() - before
        (table,) = tables.rglob("mlp.csv")
        os.utime(table, (1, 1))
        dfsweep.evaluate("profiled", **point, decode_batch=16)
        assert engine.data_reads() == before + 2, engine.data_reads() - before


def check_messages(dfsweep):
    """Messages name the argument, and the row of a table; they have what the program says."""
    expect_error(dfsweep.InvalidSweep, ["device: ", "h1000", "Did you mean 'h100'"],
           lambda: dfsweep.evaluate("dataflow", **{**DATAFLOW, "device": "h1000"}))
    expect_error(dfsweep.InvalidSweep, ["micro_batch: ", "out of range"], lambda: dfsweep.evaluate("dataflow", **DATAFLOW, micro_batch=-1))
    expect_error(dfsweep.InvalidSweep, ["devise: unknown parameter 'devise'"], lambda: dfsweep.evaluate("dataflow", **DATAFLOW, devise="h100"))
    expect_error(dfsweep.InvalidSweep, ["parameters[2]: "], lambda: dfsweep.evaluate(
        "hyperparameters", parameters=[1e9, 1e9, -1.0], train_tokens=1e11))
    expect_error(dfsweep.InvalidSweep, ["law['b']: "], lambda: dfsweep.evaluate(
        "hyperparameters", pd.DataFrame({"law": ["porian", "pory"]}, index=["a", "b"]), parameters=1e9, train_tokens=1e11))
    expect_error(dfsweep.InvalidSweep, ["'device' must be a string"], lambda: dfsweep.evaluate("dataflow", **{**DATAFLOW, "device": 7}))
    expect_error(dfsweep.InvalidSweep, ["train_tokens"], lambda: dfsweep.evaluate("hyperparameters", parameters=1e9))
    expect_error(dfsweep.InvalidSweep, ["unknown estimator"], lambda: dfsweep.evaluate("hyperparameter", parameters=1e9))
    expect_error(dfsweep.InvalidSweep, ["step_tine"], lambda: dfsweep.evaluate("dataflow", **DATAFLOW, metrics=["step_tine"]))
    expect_error(ValueError, ["different lengths"], lambda: dfsweep.evaluate("hyperparameters", parameters=[1e9] * 2, train_tokens=[1e11] * 3))
    expect_error(dfsweep.InvalidSweep, ['with data={"profiles": PATH}'], lambda: dfsweep.evaluate("profiled", model="gpt3-175b", device="h100"))
    expect_error(dfsweep.InvalidSweep, ["catalogue=FOLDER"], lambda: dfsweep.evaluate("dataflow", **{**DATAFLOW, "device": "zzz"}))
    expect_error(ValueError, ["given twice"], lambda: dfsweep.evaluate("hyperparameters", {"parameters": 1e9}, parameters=1e9))


def check_interruption(dfsweep):
    """Ctrl-C ends a call of minutes; other threads of Python go on in the meantime."""
    count = 3_000
    steps = []
    counting = threading.Thread(target=lambda: [(steps.append(None), time.sleep(0.001)) for _ in range(20)])
    alarm = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    counting.start()
    alarm.start()
    try:
        dfsweep.evaluate("dataflow", {name: value for name, value in DATAFLOW.items() if name != "mapping"}, mapping="best",
                         dram_capacity=list(np.geomspace(1e10, 1e13, count)), threads=1)
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("the evaluation was not interrupted")
    counting.join()
    assert len(steps) == 20
    assert dfsweep.evaluate("dataflow", **DATAFLOW).status


def check_installed(library, source):
    """The engine beside the package is found without the program, does not start MPI, and finds its catalogue."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["cp", "-r", pathlib.Path(source) / "io" / "python" / "dfsweep", folder / "dfsweep"], check=True)
        subprocess.run(["cp", library, folder / "dfsweep"], check=True)
        code = ("import sys, dfsweep; before = 'mpi' in open('/proc/self/maps').read();"
                "e = dfsweep.evaluate('hyperparameters', parameters=1e9, train_tokens=1e11);"
                "print(e.status, before, 'libmpi' in open('/proc/self/maps').read())")
        done = subprocess.run([sys.executable, "-B", "-c", code], env={**os.environ, "PYTHONPATH": name, "PATH": "/nowhere",
                                                                       "DFSWEEP_PROGRAM": ""},
                              capture_output=True, text=True)
        assert done.stdout.split() == ["ok", "False", "False"], done


def main(program, source, library):
    os.environ["DFSWEEP_PROGRAM"] = program
    dfsweep = package_of(source)
    warnings.simplefilter("ignore")
    for check in (check_vectors, check_types, check_one, check_kept, check_shared_data, check_fronts, check_messages, check_interruption):
        check(dfsweep)
        print(f"{check.__name__}: ok", flush=True)
    check_installed(library, source)


main(*sys.argv[1:])
