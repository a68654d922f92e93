"""How late readers of an unfinished run are: live_latency.py PROGRAM SOURCE_DIR.

For each block the time from when its rows are in the file until a reader has them: the page of `report --live`, `dfsweep show`, and the
Python package. All look again and again while one thread computes. Prints the median and the greatest time for each reader.
"""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

SWEEP = """
[sweep]
name = "slow"
estimator = "serving"
[parameters]
model = "llama3-70b"
system = "dgx-h100"
software = "vllm"
precision = "fp8"
tensor_parallel = 4
queueing = "simulated"
prompt_tokens = 2000
output_tokens = 500
prompt_spread = 0.2
output_spread = 0.2
arrival_rate = { from = "1 Hz", to = "6 Hz", points = 30000, scale = "linear" }
"""
LOOK_SECONDS = 0.01
BLOCKS = re.compile(r"(\d+) of \d+ blocks")


class Seen:
    """When each number of blocks was first seen by a reader: a function that gives the number."""

    def __init__(self, count, goes_on):
        self.times, self._count, self._goes_on = {}, count, goes_on
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def _watch(self):
        highest = 0
        while self._goes_on():
            found = self._count()
            now = time.monotonic()
            for blocks in range(highest + 1, found + 1):
                self.times[blocks] = now
            highest = max(highest, found)
            time.sleep(LOOK_SECONDS)


def blocks_in_file(folder):
    """A function that counts blocks whose last row is written."""
    plan = json.loads((folder / "plan.json").read_text())
    status = next(each for each in plan["columns"] if each["path"] == "status")
    values = np.memmap(folder / "result.partial.h5", np.uint8, "r", status["offset"], status["count"])
    rows = plan["cut"]["groups_per_block"] * plan["cut"]["rows_per_group"]
    last = np.minimum(np.arange(rows, len(values) + rows, rows), len(values)) - 1
    return lambda: int(np.count_nonzero(values[last]))


def blocks_on(page):
    def count():
        found = BLOCKS.search(page.read_text()) if page.exists() else None
        return int(found[1]) if found else 0
    return count


def blocks_shown(program, folder):
    def count():
        done = subprocess.run([program, "show", folder, "--json"], capture_output=True, text=True)
        return json.loads(done.stdout).get("blocks", {"done": 0})["done"] if done.returncode == 0 else 0
    return count


def blocks_loaded(dfsweep, folder, rows):
    def count():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return len(dfsweep.load(folder, columns="status", partial=True)) // rows
        except dfsweep.UnfinishedRun:
            return 0
    return count


def main(program, source):
    sys.path.insert(0, str(pathlib.Path(source) / "io" / "python"))
    import dfsweep

    with tempfile.TemporaryDirectory() as name:
        folder, page = pathlib.Path(name) / "run", pathlib.Path(name) / "page.html"
        sweep = pathlib.Path(name) / "slow.toml"
        sweep.write_text(SWEEP)
        run = subprocess.Popen([program, "run", sweep, "--out", folder, "--threads", "1", "--quiet"])
        while not (folder / "result.partial.h5").exists() or not (folder / "plan.json").exists():
            time.sleep(LOOK_SECONDS)
        follower = subprocess.Popen([program, "report", folder, "-o", page, "--live", "--quiet"])
        plan = json.loads((folder / "plan.json").read_text())
        rows = plan["cut"]["groups_per_block"] * plan["cut"]["rows_per_group"]
        start = time.monotonic()
        counts = {"written": blocks_in_file(folder), "page": blocks_on(page), "show": blocks_shown(program, folder),
                  "python": blocks_loaded(dfsweep, folder, rows)}
        seen = {reader: Seen(count, lambda: run.poll() is None) for reader, count in counts.items()}
        run.wait()
        for each in seen.values():
            each.thread.join()
        follower.wait()
        print(f"{len(seen['written'].times)} blocks of {rows} rows in {time.monotonic() - start:.1f} s")
        for reader in ("page", "show", "python"):
            late = [when - seen["written"].times[block] for block, when in seen[reader].times.items()
                    if block in seen["written"].times]
            print(f"{reader}: {len(late)} blocks, median {statistics.median(late):.2f} s, greatest {max(late):.2f} s late")


if __name__ == "__main__":
    main(*sys.argv[1:])
