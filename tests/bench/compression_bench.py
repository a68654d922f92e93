#!/usr/bin/env python3
"""What compressed results cost and gain, for five sweeps.

    compression_bench.py DFSWEEP FOLDER [LEVELS [ROUNDS [SWEEP...]]]        (levels as 1,4,9; FOLDER needs 5 GB)

For each sweep and level: the size of the published file over that of the uncompressed one, the processor time of the whole
run, of verifying the file, and of exporting one metric, each over that of the uncompressed file. Best of the rounds, three unless said otherwise.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
SWEEPS = {  # and a metric to export
    "sweeps/hyperparameters": "loss",
    "sweeps/throughput": "step_time",
    "sweeps/training-rows": "sample_rate",
    "sweeps/serving": "time_per_output_token",
    "sweeps/report-rows": "step_time",
}


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def with_output(text, lines):
    """The text of a sweep with more lines in [output]."""
    if not lines:
        return text
    if "[output]" in text:
        return text.replace("[output]", "[output]\n" + lines)
    return text + "\n[output]\n" + lines


def measured(program, folder, text, metric, rounds):
    """(bytes, seconds of the run, of verifying, of exporting a metric)"""
    sweep, run = folder / "sweep.toml", folder / "run"
    sweep.write_text(text)
    taken = [processor_seconds([program, "run", sweep, "--out", run, "--fresh", "--quiet"]) for _ in range(rounds)]
    file = run / "result.h5"
    verify = min(processor_seconds([program, "verify", file, "--quiet"]) for _ in range(rounds))
    export = min(processor_seconds([program, "export", file, "--columns", metric, "-o", folder / "rows.csv", "--quiet"])
                 for _ in range(rounds))
    size = file.stat().st_size
    shutil.rmtree(run)
    return size, min(taken), verify, export


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    levels = [int(level) for level in (sys.argv[3] if len(sys.argv) > 3 else "1,4,9").split(",")]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    folder.mkdir(parents=True, exist_ok=True)
    print(f"load: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores; processor time")
    for path in sys.argv[5:] or SWEEPS:
        metric = SWEEPS[path]
        text = (here / f"{path}.toml").read_text()
        size, run, verify, export = measured(program, folder, text, metric, rounds)
        print(f"{path}: {size / 1e6:.0f} MB, run {run:.2f} s, verify {verify:.3f} s, export {export:.2f} s")
        for level in levels:
            lines = f'compression = "deflate"\ncompression_level = {level}\n'
            packed = measured(program, folder, with_output(text, lines), metric, rounds)
            print(f"  level {level}: size {packed[0] / size:.3f}, run {packed[1] / run:.2f}, verify {packed[2] / verify:.1f}, "
                  f"export {packed[3] / export:.2f}", flush=True)
    shutil.rmtree(folder)


main()
