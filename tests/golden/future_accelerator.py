"""The study of a future accelerator: future_accelerator.py PROGRAM SOURCE [--update].

Runs both sweeps on a thinned grid, and checks the scores against brute force over their exported rows. With DFSWEEP_LONG_TESTS
set, or --update, runs them on the whole grid of a million machines and compares the tables of docs/future-accelerator.md with what
is printed; --update writes them.
"""
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

AXES = ["peak_flops", "dram_bandwidth", "dram_capacity", "device_link_bandwidth", "node_devices"]
SCORES = {
    "dollars": "1e-6 * train_cost(A) + cost_per_million_tokens(B)",
    "energy": "1e-12 * train_energy(A) + energy_per_token(B)",
    "worst": "max(1e-6 * train_cost(A), cost_per_million_tokens(B))",
}
BLOCK = re.compile(r"<!-- (?P<name>[\w-]+) -->\n```text\n.*?```\n", re.S)


def dfsweep(program, *arguments, folder):
    done = subprocess.run([program, *arguments], cwd=folder, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"dfsweep {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


def run_sweeps(program, source, folder, points=None):
    """Both studies; `points`: of every range, instead of what the files have."""
    for name in ("training", "serving"):
        text = (source / "sweeps" / f"accelerator-{name}.toml").read_text()
        if points:
            text = re.sub(r"points = \d+", f"points = {points}", text)
        (folder / f"{name}.toml").write_text(text)
        dfsweep(program, "run", f"{name}.toml", "--quiet", folder=folder)


def score(program, folder, objective, *options):
    return dfsweep(program, "score", "runs/accelerator-training", "runs/accelerator-serving", "--by", ",".join(AXES),
                   "--minimize", objective, *options, folder=folder)


def rows_of(program, folder, name, metrics):
    """{machine: {metric: value}} of the feasible rows."""
    text = dfsweep(program, "export", f"runs/accelerator-{name}", "--columns", ",".join(AXES + ["status"] + metrics),
                   folder=folder)
    rows = {}
    for row in csv.DictReader(text.splitlines()):
        if row["status"] == "ok" and all(row[metric] for metric in metrics):
            rows[tuple(float(row[axis]) for axis in AXES)] = [float(row[metric]) for metric in metrics]
    return rows


def check_by_brute_force(program, folder):
    training = rows_of(program, folder, "training", ["train_cost", "train_energy"])
    serving = rows_of(program, folder, "serving", ["cost_per_million_tokens", "energy_per_token"])
    common = training.keys() & serving.keys()
    assert len(common) > 100, f"only {len(common)} machines are feasible"
    parts = {machine: (training[machine], serving[machine]) for machine in common}
    expected = {
        "dollars": min(1e-6 * t[0] + s[0] for t, s in parts.values()),
        "energy": min(1e-12 * t[1] + s[1] for t, s in parts.values()),
        "worst": min(max(1e-6 * t[0], s[0]) for t, s in parts.values()),
    }
    for name, objective in SCORES.items():
        found = json.loads(score(program, folder, objective, "--json", "--top", "1"))
        assert found["scored"] == len(common), (found["scored"], len(common))
        best = found["machines"][0]
        assert math.isclose(best["score"], expected[name], rel_tol=1e-12), (name, best["score"], expected[name])
    return len(common)


def tables(program, folder):
    best = json.loads(score(program, folder, SCORES["dollars"], "--json", "--top", "1"))["machines"][0]
    sensitivity = dfsweep(program, "explain", "runs/accelerator-training", "--point", str(best["point(A)"]), "--sensitivity",
                          "train_cost,train_energy", folder=folder)
    served = dfsweep(program, "explain", "runs/accelerator-serving", "--point", str(best["point(B)"]), "--sensitivity",
                     "cost_per_million_tokens,energy_per_token", folder=folder)
    numbers = re.compile(r"    metrics in per cent.*?(?=\n\n)", re.S)
    return {
        "dollars": score(program, folder, SCORES["dollars"], "--top", "8"),
        "energy": score(program, folder, SCORES["energy"], "--top", "8"),
        "front": score(program, folder, SCORES["dollars"], "--front", "--top", "16"),
        "training": numbers.search(sensitivity).group() + "\n",
        "serving": numbers.search(served).group() + "\n",
    }


def compare_page(program, source, folder, update):
    page = source / "docs" / "future-accelerator.md"
    text = page.read_text()
    made = tables(program, folder)
    new = BLOCK.sub(lambda match: f"<!-- {match['name']} -->\n```text\n{made[match['name']]}```\n", text)
    if update:
        page.write_text(new)
    elif new != text:
        sys.exit("docs/future-accelerator.md is not what the studies print: run tests/golden/future_accelerator.py --update")


def main():
    program, source = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    update = "--update" in sys.argv[3:]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if update or os.environ.get("DFSWEEP_LONG_TESTS"):
            run_sweeps(program, source, folder)
            compare_page(program, source, folder, update)
            return
        run_sweeps(program, source, folder, points=4)
        print(f"{check_by_brute_force(program, folder)} machines, three objectives: as by brute force")


if __name__ == "__main__":
    main()
