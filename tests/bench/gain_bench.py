#!/usr/bin/env python3
"""What a second thread and a second rank gain, against two independent processes that are started together.

    gain_bench.py DFSWEEP TOY_RUN FOLDER [ROUNDS [NAME...]]        (FOLDER needs 7 GB; names: expensive, cheap, searches)

Two independent processes evaluate the whole sweep each, with one thread, so together they evaluate it twice. A gain of 1
means that two threads (or ranks) evaluate as many points per second as both of them. Each sweep takes one process 10 to
25 s. What is done once (loading, the start of MPI) is measured by the same command with --time-limit 0:00, and printed.

Printed three times: from the clock of the evaluation; from processor time without the start; and the latter less the
share of the evaluation in which a computing thread neither ran nor waited for a core, which is what the clock would
say on a machine that does nothing else. The last two change little with other work on the machine. Best of the rounds,
in which the cases alternate.
"""

import datetime
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

here = pathlib.Path(__file__).resolve().parent
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_hwloc_base_binding_policy="none")
CASES = {"together": ([], 2, 1), "threads": ([], 1, 2), "ranks": (["mpirun", "-n", "2"], 1, 1)}

EXPENSIVE = """[sweep]
name = "expensive"
estimator = "toy"
[parameters]
seed = { from = 1, to = 10000, step = 1 }
work = 1000000
skew = 0
"""


def cheap():
    """48 million points, one metric, 3.3 GB."""
    text = (here / "sweeps" / "throughput.toml").read_text().replace("points = 30,", "points = 150,")
    return text + '\n[output]\nmetrics = ["step_time"]\n'


def searches():
    """20 times the searches of the file."""
    text = (here / "sweeps" / "small-searches.toml").read_text()
    for axis, ends in {"dram_bandwidth": '"1 TB/s", to = "8 TB/s"', "peak_flops": '"200 TFLOP/s", to = "2000 TFLOP/s"'}.items():
        lines = [f'{axis} = {{ from = {ends}, points = 9, scale = "log" }}' if line.startswith(axis) else line
                 for line in text.splitlines()]
        text = "\n".join(lines)
    return text + "\n"


def during_evaluation(folder):
    """Begin, end (of the epoch) and seconds of the evaluation of a run, from its log."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    last = next(line for line in lines if line["event"] == "evaluated")
    end = datetime.datetime.fromisoformat(last["time"].replace("Z", "+00:00")).timestamp()
    return end - last["seconds"], end, last["seconds"]


def processes_below(pid):
    """A process and all below it."""
    found = [pid]
    for each in found:
        try:
            for thread in os.listdir(f"/proc/{each}/task"):
                text = pathlib.Path(f"/proc/{each}/task/{thread}/children").read_text()
                found += [int(child) for child in text.split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def sample(pids, samples):
    """Adds to each thread's samples the time and the seconds in which it ran or waited for a core."""
    for process in [each for pid in pids for each in processes_below(pid)]:
        try:
            for thread in os.listdir(f"/proc/{process}/task"):
                ran, waited, _ = pathlib.Path(f"/proc/{process}/task/{thread}/schedstat").read_text().split()
                samples.setdefault(thread, []).append((time.time(), 1e-9 * (int(ran) + int(waited))))
        except (FileNotFoundError, ProcessLookupError, ValueError):
            continue


def at(samples, moment):
    """Seconds of a thread at a moment, between the two nearest samples."""
    before, after = samples[0], samples[-1]
    for each in samples:
        if each[0] <= moment:
            before = each
        else:
            after = each
            break
    if after[0] <= before[0]:
        return before[1]
    share = min(max((moment - before[0]) / (after[0] - before[0]), 0.0), 1.0)
    return before[1] + share * (after[1] - before[1])


def run(commands, statuses, samples):
    """Starts all commands together; returns the processor time of all, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for command in commands]
    while any(os.waitid(os.P_PID, each.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None for each in started):
        sample([each.pid for each in started], samples)
        time.sleep(0.05)
    if any(process.wait() not in statuses for process in started):
        sys.exit(f"failed: {commands[0]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, sweep, folder, case):
    """(seconds on the clock, processor seconds without the start, of the start, share of waiting)"""
    launcher, copies, threads = CASES[case]
    folders = [folder / str(copy) for copy in range(copies)]
    for each in folders:
        shutil.rmtree(each, ignore_errors=True)
    commands = [[*launcher, program, "run", str(sweep), "--out", str(each), "--threads", str(threads)] for each in folders]
    start = run([[*command, "--time-limit", "0:00"] for command in commands], (75,), {})
    for each in folders:
        shutil.rmtree(each, ignore_errors=True)
    samples = {}
    processor = run(commands, (0,), samples)
    times = [during_evaluation(each) for each in folders]
    begin, end = min(each[0] for each in times), max(each[1] for each in times)
    computing = sorted((at(each, end) - at(each, begin) for each in samples.values()), reverse=True)[:2]
    seconds = max(each[2] for each in times)
    return seconds, processor - start, start, max(0.0, 1.0 - sum(computing) / 2 / seconds)


def gains(name, program, text, folder, rounds):
    sweep = folder / "sweep.toml"
    sweep.write_text(text)
    best = {case: (float("inf"),) * 4 for case in CASES}
    for _ in range(rounds):
        for case in CASES:
            taken = measure(program, sweep, folder, case)
            best[case] = tuple(min(pair) for pair in zip(best[case], taken))
    clock, processor, start, idle = best["together"]
    print(f"{name}: two processes {clock:.2f} s, {processor:.2f} s of processor time and {start:.2f} s for their start, "
          f"{100 * idle:.1f} % waiting", flush=True)
    for case in ("threads", "ranks"):
        own_clock, own_processor, own_start, own_idle = best[case]
        by_processor = processor / 2 / own_processor
        print(f"  2 {case}: {clock / 2 / own_clock:.3f} on the clock, {by_processor:.3f} by processor time, "
              f"{by_processor * (1 - own_idle) / (1 - idle):.3f} with waiting ({own_clock:.2f} s, {own_processor:.2f} s and "
              f"{own_start:.2f} s for the start, {100 * own_idle:.1f} % waiting)", flush=True)


def main():
    program, toy_run, folder = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:4])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    print(f"load: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores", flush=True)
    sweeps = {"expensive": (toy_run, EXPENSIVE), "cheap": (program, cheap()), "searches": (program, searches())}
    for name in sys.argv[5:] or sweeps:
        gains(name, *sweeps[name], folder, rounds)
    for copy in ("0", "1"):
        shutil.rmtree(folder / copy, ignore_errors=True)


main()
