#!/usr/bin/env python3
"""What a second thread and a second rank gain, against two independent processes that are started together.

    gain_bench.py DFSWEEP TOY_RUN FOLDER [ROUNDS]

Two independent processes evaluate the whole sweep each, with one thread, so together they evaluate it twice. A gain of 1
means that two threads (or ranks) evaluate as many points per second as both of them. Printed twice: from the time on the
clock of the evaluation, and from processor time, which other work on the machine changes less. Best of the rounds, in
which the cases alternate.
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_hwloc_base_binding_policy="none")

EXPENSIVE = """[sweep]
name = "expensive"
estimator = "toy"
[parameters]
seed = { from = 1, to = 1000, step = 1 }
work = 1000000
skew = 0
"""


def evaluated(folder):
    """Seconds of the evaluation of a run, from its log."""
    lines = (folder / "log.jsonl").read_text().splitlines()
    return next(json.loads(line)["seconds"] for line in lines if '"evaluated"' in line)


def run(commands):
    """Starts all commands together; returns the processor time of all, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for command in commands]
    statuses = [process.wait(timeout=600) for process in started]
    if any(statuses):
        sys.exit(f"failed: {commands[0]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, sweep, folder, launcher, copies, threads):
    """(seconds on the clock, processor seconds) of evaluating a sweep in each of `copies` processes at once."""
    folders = [folder / str(copy) for copy in range(copies)]
    for each in folders:
        shutil.rmtree(each, ignore_errors=True)
    commands = [[*launcher, program, "run", str(sweep), "--out", str(each), "--threads", str(threads)] for each in folders]
    processor = run(commands)
    return max(evaluated(each) for each in folders), processor


def gains(name, program, sweep, folder, rounds):
    cases = {"together": ([], 2, 1), "threads": ([], 1, 2), "ranks": (["mpirun", "-n", "2"], 1, 1)}
    best = {case: (float("inf"), float("inf")) for case in cases}
    for _ in range(rounds):
        for case, (launcher, copies, threads) in cases.items():
            taken = measure(program, sweep, folder, launcher, copies, threads)
            best[case] = tuple(min(pair) for pair in zip(best[case], taken))
    for case in ("threads", "ranks"):
        clock, processor = (best["together"][i] / 2 / best[case][i] for i in (0, 1))
        print(f"{name}: 2 {case} {clock:.3f} of two processes on the clock, {processor:.3f} by processor time "
              f"({best[case][0]:.2f} s, together {best['together'][0]:.2f} s)", flush=True)


def main():
    program, toy_run, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    folder.mkdir(parents=True, exist_ok=True)
    print(f"load: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    expensive = folder / "expensive.toml"
    expensive.write_text(EXPENSIVE)
    gains("expensive points", toy_run, expensive, folder, rounds)
    gains("cheap points", program, here / "sweeps" / "throughput.toml", folder, rounds)
    gains("searches", program, here / "sweeps" / "small-searches.toml", folder, rounds)
    for copy in ("0", "1"):
        shutil.rmtree(folder / copy, ignore_errors=True)


main()
