"""The Python package is typed: mypy finds nothing in it, and in a program of a user what is wrong there.

Usage: python_types_check.py SOURCE_DIR. Skipped where mypy is missing.
"""
import pathlib
import subprocess
import sys
import tempfile

from python_package import require

require("mypy", "numpy")

# A line with "type: ignore" is wrong, and mypy has to say so: an unused "ignore" is an error.
PROGRAM = '''
import pathlib
from typing import List

import dfsweep

rows: int = len(dfsweep.load("runs/first", columns=["device"], where="step_time < 1", rows=range(4)))
rows = len(dfsweep.load(pathlib.Path("runs/first"), partial=True))
for part in dfsweep.load("runs/first", chunks=10):
    rows += len(part)
dfsweep.load(7)  # type: ignore[call-overload]
dfsweep.load("runs/first", colums="device")  # type: ignore[call-overload]
dfsweep.cube("runs/first", "step_time", chunks={}).sel(device="h100")
path: str = dfsweep.Sweep("first.toml").run(threads=2)
path = dfsweep.Sweep("training", {"model": ["gpt3-175b"]}, catalogue="mine").plan()  # type: ignore[assignment]
dfsweep.Sweep("first.toml").run(thread=2)  # type: ignore[call-arg]
estimate = dfsweep.evaluate("training", model="gpt3-175b", metrics="step_time")
dfsweep.evaluate(7)  # type: ignore[arg-type]
if isinstance(estimate, dfsweep.Estimate):
    names: List[str] = [*estimate]
    reason: str = estimate.reason
front: int = len(dfsweep.front("runs/first", "step_time", "memory_used").frame)
'''


def main(source):
    package = pathlib.Path(source) / "io" / "python"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(PROGRAM)
        done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", folder, "dfsweep",
                               program], cwd=package, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout.strip())


main(*sys.argv[1:])
