"""Calculon rows through the public command line: usage: training_cli_test.py PROGRAM REFERENCE.

`dfsweep import calculon` makes entries of the reference's models and systems and point lists of its executions;
`dfsweep run` evaluates them, and every row has to have its reason and its 96 figures.
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

from program import Result

TABLES = ("repo", "train", "edge", "infer", "reject", "shapes")
TOLERANCE = 1e-12
# Figures whose metric has another name in dfsweep; the others keep the tool's name.
OURS = {
    "total_time": "step_time", "fw_time": "forward_time", "bw_time": "backward_time",
    "optim_step_time": "optimizer_time", "tp_comm_exposed_time": "tensor_comm_time",
    "pp_comm_exposed_time": "pipeline_comm_time", "dp_comm_exposed_time": "data_comm_time",
    "proc_mem_tier1_cap_req": "memory_used", "proc_mem_tier2_cap_req": "offload_used",
    "total_efficiency": "utilization",
}


def call(*command):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")


def evaluate(program, rows, catalogue, folder):
    """The dataset of a table of executions."""
    points = folder / f"{rows.stem}.csv"
    call(program, "import", "calculon", "--rows", rows, "-o", points, "--quiet")
    sweep = folder / f"{rows.stem}.toml"
    sweep.write_text(f'[sweep]\nname = "{rows.stem}"\nestimator = "calculon"\n\n'
                     f'[parameters]\n\n[points]\nfile = "{points.name}"\n')
    call(program, "run", sweep, "--catalogue", catalogue, "--out", folder / "runs" / rows.stem, "--quiet")
    return Result(folder / "runs" / rows.stem / "result.h5")


def difference(expected, found):
    """The relative difference; 0 if both values are empty."""
    if expected == "":
        return 0.0 if math.isnan(found) else math.inf
    expected = float(expected)
    if expected == found:
        return 0.0
    return abs(found - expected) / abs(expected) if expected != 0.0 and not math.isnan(found) else math.inf


def compare(rows, result):
    """The problems as lines, the number of compared figures, and how many of them are bit-identical."""
    problems, compared, identical = [], 0, 0
    figures = list(rows[0])[list(rows[0]).index("block_fw_flops"):]
    for i, row in enumerate(rows):
        if row["reason"] != result["status"][i]:
            problems.append(f"{row['row_id']}: status {result['status'][i]}, not {row['reason']}")
        has_figures = row["total_time"] != ""
        for figure in figures if has_figures else ():
            found = float(result[OURS.get(figure, figure)][i])
            off = difference(row[figure], found)
            compared += 1
            identical += off == 0.0
            if off > TOLERANCE:
                problems.append(f"{row['row_id']}: {figure} is {found!r}, not {row[figure]}")
    return problems, compared, identical


def main(program, reference):
    source = pathlib.Path(reference) / "reference" / "calculon"
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        catalogue = folder / "catalogue"
        call(program, "import", "calculon", source / "models.csv", source / "systems.csv", "-o", catalogue, "--quiet")
        for table in TABLES:
            path = source / f"golden_{table}.csv"
            with open(path, newline="") as file:
                rows = list(csv.DictReader(file))
            result = evaluate(program, path, catalogue, folder)
            assert result.count == len(rows) > 0, f"{table}: {result.count} rows of {len(rows)}"
            problems, compared, identical = compare(rows, result)
            failures += len(problems)
            print(f"{table}: {len(rows)} rows, {identical} of {compared} figures bit-identical, {len(problems)} problems")
            print("\n".join(problems[:20]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
