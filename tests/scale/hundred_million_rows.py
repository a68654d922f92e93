"""10^8 rows written, verified, published, queried and reported within a fixed memory: hundred_million_rows.py PROGRAM FOLDER [POINTS].

A nightly test (DFSWEEP_NIGHTLY): it needs 6 GB in FOLDER. Prints the time and the peak memory of each command. The bounds are
those of buffers and of the page, whatever the number of rows. POINTS: values of the learning rate, 620 for 10^8 rows."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
METRICS = '["step_time", "memory_used", "train_cost"]'
# Peak memory in MB of each command.
BOUNDS = {"run": 120, "verify": 60, "show --best": 80, "show --where": 80, "show --pareto": 80, "report": 200}


def sweep_text(points):
    """report-rows with other numbers of learning rates and metrics, in float32."""
    text = (HERE.parent / "bench" / "sweeps" / "report-rows.toml").read_text()
    text = re.sub(r"points = 62,", f"points = {points},", text)
    return re.sub(r"metrics = \[.*\]\n", f'metrics = {METRICS}\nprecision = "float32"\n', text, flags=re.S)


def measured(command):
    """Runs a command and returns its output, the seconds that it took and its peak memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        process.kill()
        raise
    if status != 0:
        sys.exit(f"FAILED with status {status}: {' '.join(command)}")
    return output, time.monotonic() - start, usage.ru_maxrss // 1024


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    points = int(sys.argv[3]) if len(sys.argv) > 3 else 620
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if shutil.disk_usage(folder).free < 8e9:
        print("skipped: less than 8 GB free")
        sys.exit(77)
    sweep, run, page = folder / "rows.toml", str(folder / "run"), str(folder / "page.html")
    sweep.write_text(sweep_text(points))
    commands = {
        "run": ["run", str(sweep), "--out", run, "--quiet", "--threads", "2"],
        "verify": ["verify", run],
        "show --best": ["show", run, "--best", "step_time", "--by", "model", "--json"],
        "show --where": ["show", run, "--best", "train_cost", "--where", "memory_used < '40 GB' && device == 'h100'", "--json"],
        "show --pareto": ["show", run, "--pareto", "step_time,train_cost", "--json"],
        "report": ["report", run, "-o", page, "--quiet"],
    }
    failed = []
    try:
        for name, arguments in commands.items():
            output, seconds, peak = measured([program, *arguments])
            if name == "run":
                cut = json.loads((folder / "run" / "plan.json").read_text())["cut"]
                size = (folder / "run" / "result.h5").stat().st_size
                print(f"{cut['rows']} rows, {cut['blocks']} blocks, {size / 1e9:.2f} GB")
            if name.startswith("show") and not json.loads(output):
                failed.append(f"{name} printed nothing")
            print(f"{name}: {seconds:.1f} s, {peak} MB peak", flush=True)
            if peak > BOUNDS[name]:
                failed.append(f"{name} took {peak} MB, at most {BOUNDS[name]}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if failed:
        sys.exit("FAILED: " + "; ".join(failed))


main()
