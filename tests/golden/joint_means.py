"""Prints the table of docs/joint.md: usage: joint_means.py PROGRAM SOURCE. Geometric means of ratios of step times over
all rows of a study that differ in one axis alone."""
import collections
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

STUDIES = ("joint", "joint-dataflow")
MODELS = ("llama3-8b", "gpt3-1t")
AXES = ("model", "memory", "interconnect", "device", "topology", "learning_rate", "global_batch")
ROWS = (  # axis, value above, value below, device whose rows count (empty: all)
    ("device", "h100", "sn30", ""), ("device", "h100", "tpu-v4", ""), ("device", "h100", "wse-2", ""),
    ("memory", "ddr4", "hbm3", "h100"), ("memory", "ddr4", "hbm3", "sn30"), ("memory", "ddr4", "hbm3", "wse-2"),
    ("interconnect", "pcie4", "nvlink4", "h100"), ("interconnect", "pcie4", "nvlink4", "wse-2"),
    ("topology", "2d-torus", "dragonfly", "h100"), ("topology", "2d-torus", "dragonfly", "wse-2"),
)


def rows_of(program, source, study, folder):
    sweep = source / "sweeps" / "studies" / f"{study}.toml"
    run, table = folder / study, folder / f"{study}.csv"
    subprocess.run([program, "run", sweep, "--out", run, "--quiet"], check=True)
    subprocess.run([program, "export", run, "-o", table, "--quiet"], check=True)
    with open(table, newline="") as file:
        return [row for row in csv.DictReader(file) if row["status"] == "ok"]


def mean_ratio(rows, model, axis, above, below, device):
    times = collections.defaultdict(dict)
    for row in rows:
        if row["model"] == model and device in ("", row["device"]):
            others = tuple(row[name] for name in AXES if name != axis)
            times[others][row[axis]] = float(row["step_time"])
    logs = [math.log(each[above] / each[below]) for each in times.values() if above in each and below in each]
    return math.exp(sum(logs) / len(logs))


def main(program, source):
    with tempfile.TemporaryDirectory() as folder:
        tables = [rows_of(program, pathlib.Path(source), study, pathlib.Path(folder)) for study in STUDIES]
    for axis, above, below, device in ROWS:
        cells = [f"{mean_ratio(rows, model, axis, above, below, device):.2f}" for model in MODELS for rows in tables]
        print(f"| {axis}: time with {above} over {below} {device} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
