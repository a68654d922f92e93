"""Pareto fronts of the Python package: against `show --pareto`, against all pairs of rows, and what a notebook shows.

Usage: python_front_check.py PROGRAM SOURCE_DIR.
"""
import json
import sys
import tempfile
import types
import xml.dom.minidom

from python_package import Runner, expect_error, package_of, require

require("h5py", "numpy", "pandas")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

SWEEP = """
[sweep]
name = "front"
estimator = "training"
[parameters]
model = "gpt3-175b"
system = "dgx-h100"
device_count = 512
sequence_length = 2048
global_batch = 512
precision = "bf16"
tensor_parallel = [1, 2, 4, 8]
pipeline_parallel = [1, 2, 4, 8, 16]
micro_batch = [1, 2, 4, 8]
recompute = ["none", "selective", "full"]
optimizer_sharding = [0, 1, 2, 3]
"""
PAIRS = [("step_time", "memory_used", None), ("memory_used", "step_time", None),
         ("model_flops_utilization", "memory_used", "tensor_parallel > 1 && recompute != 'full'")]


def check_against_program(dfsweep, runner, path):
    for first, second, where in PAIRS:
        front = dfsweep.front(path, first, second, where)
        told = runner.dfsweep("show", path, "--pareto", f"{first},{second}", "--top", "100000", "--json",
                              *(["--where", where] if where else []))
        points = [row["point"] for row in json.loads(told)["answer"]["rows"]]
        assert len(points) > 2 and front.frame.index.tolist() == points, (first, second, points)
        kept = dfsweep.load(path, where=where)
        assert dfsweep.front(kept, first, second).frame.equals(front.frame), "a front of a frame"
        assert front.frame.equals(kept.loc[points])
    expect_error(KeyError, "nothing", lambda: dfsweep.front(path, "nothing", "step_time"))
    expect_error(ValueError, "no better direction", lambda: dfsweep.front(path, "tensor_parallel", "step_time"))


def is_beaten(row, others):
    """Whether another row is no worse in both and better in one, or is equal and stands before it."""
    number, (first, second) = row
    return any((a <= first and b <= second and (a < first or b < second or other < number)) for other, (a, b) in others)


def check_against_pairs(dfsweep):
    """Few values, so that many are equal; missing ones; both directions."""
    random = np.random.default_rng(7)
    for size in (1, 2, 40, 200):
        values = random.integers(0, 12, (size, 2)).astype(float)
        values[random.random((size, 2)) < 0.1] = np.nan
        frame = pd.DataFrame({"cost": values[:, 0], "rate": -values[:, 1]})
        frame.attrs["better"] = {"cost": "lower", "rate": "higher"}
        rows = [(i, tuple(row)) for i, row in enumerate(values) if not np.isnan(row).any()]
        expected = sorted((row for row in rows if not is_beaten(row, rows)), key=lambda row: row[1][0])
        front = dfsweep.front(frame, "cost", "rate")
        assert front.frame.index.tolist() == [number for number, _ in expected], (size, values)


def check_pieces(dfsweep, path):
    """A front that is found piece by piece is that of all rows at once."""
    import dfsweep.fronts as fronts

    whole, fronts.PIECE = dfsweep.front(path, "step_time", "memory_used"), 37
    assert dfsweep.front(path, "step_time", "memory_used").frame.equals(whole.frame)


class Axes:
    """Stands in for axes of matplotlib: keeps what it is asked to draw."""

    def step(self, x, y, **style):
        self.drawn = list(x), list(y), style

    def set_xlabel(self, text):
        self.x_label = text

    def set_ylabel(self, text):
        self.y_label = text


def check_pictures(dfsweep, path):
    front = dfsweep.front(path, "step_time", "memory_used")
    shown = front._repr_html_()
    svg = xml.dom.minidom.parseString(shown[shown.index("<svg"):shown.index("</svg>") + 6])
    assert len(svg.getElementsByTagName("circle")) == len(front) and "step_time (s)" in shown and "<table" in shown
    assert "memory_used (byte)" in svg.getElementsByTagName("title")[0].firstChild.data
    axes = Axes()
    assert front.plot(axes, color="red") is axes and axes.drawn[2] == {"where": "post", "marker": "o", "color": "red"}
    assert axes.drawn[0] == front.frame.step_time.tolist() and axes.y_label == "memory_used (byte)"
    sys.modules["matplotlib"] = types.ModuleType("matplotlib")
    sys.modules["matplotlib"].pyplot = types.SimpleNamespace(subplots=lambda: (None, Axes()))
    assert front.plot().x_label == "step_time (s)"
    frame = pd.DataFrame({"cost": [1.0], "rate": [np.nan]})
    frame.attrs["better"] = {"cost": "lower", "rate": "higher"}
    assert "<svg" not in dfsweep.front(frame, "cost", "rate")._repr_html_(), "an empty front"
    frame["rate"] = 2.0
    assert "<circle" in dfsweep.front(frame, "cost", "rate")._repr_html_(), "a front of one row"


def main(program, source):
    dfsweep = package_of(source)
    check_against_pairs(dfsweep)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(program, folder)
        path = runner.run("front", SWEEP)
        check_against_program(dfsweep, runner, path)
        check_pictures(dfsweep, path)
        check_pieces(dfsweep, path)
    print("fronts are those of `show --pareto` and of all pairs of rows: ok")


main(*sys.argv[1:])
