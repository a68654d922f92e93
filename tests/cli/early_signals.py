"""A run that is asked to stop in its first moments, or while a long list of points is read, ends with the status of a
run that was stopped, and never by the signal.

Usage: early_signals.py PROGRAM LIBRARY, the library being signal_at_start.cpp.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

STOPPED = 75
ASKING = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
POINTS = 150_000
SWEEP = """[sweep]
name = "long"
estimator = "hyperparameters"
[parameters]
law = "step-law"
[points]
file = "points.csv"
"""


def answers_signals(process):
    """Whether the program holds the signals of a run (SigBlk) or answers them (SigCgt)."""
    wanted = sum(1 << number - 1 for number in ASKING)
    try:
        lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    except OSError:
        return True
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    masks = [int(fields.get(name, "0"), 16) for name in ("SigBlk", "SigCgt")]
    return any(mask & wanted == wanted for mask in masks) or fields["State"].startswith("Z")


def expect_stopped(what, status, words):
    if status not in (0, STOPPED):
        sys.exit(f"{what}: status {status}\n{words}")
    if status == STOPPED and "To resume: dfsweep run" not in words:
        sys.exit(f"{what}: nothing says how to continue\n{words}")
    return status == STOPPED


def main():
    program, library = sys.argv[1:]
    stops = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "long.toml").write_text(SWEEP)
        with open(folder / "points.csv", "w", encoding="ascii") as points:
            points.write("parameters,train_tokens\n")
            points.writelines(f"{10**9 + 1000 * i},{10**11 + 10**5 * i}\n" for i in range(POINTS))
        command = [program, "run", str(folder / "long.toml"), "--threads", "1", "--out", str(folder / "run")]
        for number in ASKING:
            early = {**os.environ, "LD_PRELOAD": library, "EARLY_SIGNAL": str(int(number))}
            process = subprocess.run(command, env=early, capture_output=True, text=True, timeout=60, check=False)
            if not expect_stopped(f"{number.name} before main()", process.returncode, process.stdout + process.stderr):
                sys.exit(f"{number.name} before main() was lost")
        waits = [0, 0.002, 0.01, 0.05, 0.2, 0.4]
        for wait in waits:
            for number in ASKING:
                process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                while not answers_signals(process):
                    time.sleep(0.0002)
                time.sleep(wait)
                process.send_signal(number)
                words, errors = process.communicate(timeout=60)
                stops += expect_stopped(f"{number.name} after {wait} s", process.returncode, words + errors)
        finished = subprocess.run([*command, "--quiet"], check=False)
        if finished.returncode != 0:
            sys.exit("a run that was stopped early cannot be finished")
    asked = len(waits) * len(ASKING)
    if 2 * stops < asked:
        sys.exit(f"only {stops} of {asked} runs were stopped: the list of points is too short for this machine")
    print(f"{len(ASKING)} signals before main(), and {stops} of {asked} later ones: all answered by {STOPPED}")


if __name__ == "__main__":
    main()
