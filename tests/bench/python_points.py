"""The rate of `dfsweep.evaluate` over that of a run, and the time of one call: python_points.py PROGRAM SOURCE_DIR [POINTS].

Both evaluate the same points on one thread, in turn; a run also starts a program, writes its result and verifies it. All times are
processor time, the least of some rounds. Calls are also timed for estimators that read data: the measured tables of the tests, and
measured operators.
"""
import os
import pathlib
import resource
import sys
import tempfile
import time

import numpy as np

ROUNDS = 3
SWEEPS = {
    "hyperparameters": ({"law": "step-law"}, {"parameters": np.geomspace(1e9, 1e12, 1000),
                                              "train_tokens": np.geomspace(1e11, 1e13, 1000)}),
    "training": ({"model": "gpt3-175b", "system": "dgx-h100", "device_count": 512, "sequence_length": 2048, "global_batch": 512,
                  "precision": "bf16"},
                 {"tensor_parallel": [1, 2, 4, 8], "pipeline_parallel": [1, 2, 4, 8, 16], "micro_batch": [1, 2, 4, 8],
                  "recompute": ["none", "selective", "full"], "optimizer_sharding": [0, 1, 2, 3],
                  "train_tokens": np.geomspace(1e11, 1e13, 1000)}),
}
TABLES = "golden/data/profiling"  # beside the program
OPERATORS = "sweeps/measured/operators"
LLAMA = "llama2-7b-padded"
CALLS = {  # parameters of a call, the one that changes, and its values
    **{name: ({**fixed, **{axis: values[0] for axis, values in axes.items()}}, "train_tokens", range(10**12, 10**12 + 50))
       for name, (fixed, axes) in SWEEPS.items()},
    "profiled": ({"model": LLAMA, "device": "a100", "prefill_batch": 0}, "decode_batch", range(1, 51)),
    "profiled, another convention": ({"model": LLAMA, "device": "a100", "prefill_batch": 0, "convention": "vidur"}, "decode_batch",
                                     range(1, 51)),
    "serving": ({"model": "llama3-8b", "system": "dgx-h100", "software": "vllm"}, "batch", range(1, 51)),
    "serving, measured operators": ({"model": "llama3-8b", "system": "dgx-h100", "software": "vllm"}, "batch", range(1, 51)),
}


def table(axes, points):
    """The first points of a grid, as columns."""
    shape = [len(values) for values in axes.values()]
    count = min(points, int(np.prod(shape)))
    codes = np.unravel_index(np.arange(count), shape)
    return {name: np.asarray(values)[code] for (name, values), code in zip(axes.items(), codes)}


def spent(who):
    """Processor seconds of this process, or of those that it started and that have ended."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def least_time(dfsweep, name, data, new_values):
    """Of a call of one point, in ms."""
    fixed, changed, values = CALLS[name]
    times = []
    for i, value in enumerate(values):
        start = time.process_time()
        dfsweep.evaluate(name.split(",")[0], data=data, **{**fixed, changed: value if new_values else values[i % 3]})
        times.append(time.process_time() - start)
    return min(times[10:]) * 1e3


def main(program, source, points="1000000"):
    sys.path.insert(0, str(pathlib.Path(source) / "io" / "python"))
    os.environ["DFSWEEP_PROGRAM"] = str(pathlib.Path(program).resolve())
    import dfsweep

    for estimator, (fixed, axes) in SWEEPS.items():
        columns = table(axes, int(points))
        count = len(next(iter(columns.values())))
        calls, runs = [], []
        with tempfile.TemporaryDirectory() as folder:
            grid = {name: list(dict.fromkeys(values.tolist())) for name, values in columns.items()}
            sweep = dfsweep.Sweep(estimator, {**fixed, **grid})
            for i in range(ROUNDS):
                start = spent(resource.RUSAGE_SELF)
                dfsweep.evaluate(estimator, columns, threads=1, **fixed)
                calls.append(count / (spent(resource.RUSAGE_SELF) - start))
                start = spent(resource.RUSAGE_CHILDREN)
                sweep.run(f"{folder}/{i}", threads=1)
                runs.append(count / (spent(resource.RUSAGE_CHILDREN) - start))
        print(f"{estimator}: {count} points, evaluate {max(calls) / 1e6:.2f} M/s, run {max(runs) / 1e6:.2f} M/s, "
              f"ratio {max(calls) / max(runs):.2f}")
    tables = pathlib.Path(program).resolve().parent / TABLES
    for name in CALLS:
        data = {"profiles": tables} if name.startswith("profiled") else None
        data = {"operators": pathlib.Path(source) / OPERATORS} if name.endswith("operators") else data
        if data and not all(place.exists() for place in data.values()):
            continue
        new, known = (least_time(dfsweep, name, data, new_values) for new_values in (True, False))
        print(f"{name}: one call {new:.2f} ms with a new value, {known:.2f} ms with values that occurred before", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
