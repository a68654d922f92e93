"""Pages for tests: results of all estimators, and pages whose data were changed in one respect."""
import base64
import json
import math
import pathlib
import re
import struct
import subprocess

DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.S)
HOSTILE = '</script><b onclick="document.title=1">&"\'<img src=x onerror=alert(1)>'

# Small studies of every estimator: (name, sweep below sweeps/, options of report).
STUDIES = (
    ("llm", "studies/llm", ("--facet", "device", "--metrics", "utilization,cost_efficiency,power_efficiency")),
    ("quickstart", "quickstart", ()),
    ("joint", "studies/joint", ()),                          # training
    ("training-search", "studies/training-search", ()),      # a search
    ("serving-cost", "studies/serving-cost", ()),
    ("speculative-decoding", "studies/speculative-decoding", ()),
    ("step-law", "studies/step-law", ()),                    # hyperparameters
    ("task-graph", "studies/task-graph", ()),
    ("profiled", "studies/profiled", ()),
    ("measured-training", "studies/measured-training", ()),  # a point list
)


def call(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"dfsweep {' '.join(map(str, arguments))}: status {done.returncode}\n{done.stderr}")


def study_pages(program, source, folder):
    """Runs the studies and writes a page of each: name -> path."""
    pages, tables = {}, folder / "tables"
    call(program, "profiles", tables, "--generate", "--devices", "a100,h100",
         "--models", "meta-llama/Llama-2-7b-hf,meta-llama/Meta-Llama-3-8B")
    call(program, "profiles", tables, "--generate", "--networks", "a100_dgx,h100_dgx", "--interconnect", "nvlink3")
    for name, sweep, options in STUDIES:
        run, page = folder / "runs" / name, folder / f"{name}.html"
        profiles = ("--profiles", tables) if name == "profiled" else ()
        call(program, "run", source / "sweeps" / f"{sweep}.toml", "--out", run, "--quiet", *profiles)
        call(program, "report", run, "-o", page, "--quiet", *options)
        pages[name] = page
    return pages | special_pages(program, folder)


def special_pages(program, folder):
    """Two results side by side, and measured rows beside predicted ones."""
    first, second, rows = folder / "runs" / "llm", folder / "runs" / "quickstart", folder / "rows.csv"
    rows.write_text("device,memory,interconnect,topology,step_time\nh100,hbm3,nvlink4,3d-torus,60 s\nsn30,ddr4,pcie4,dgx-1,70 s\n"
                    "h100,hbm3,nvlink4,moebius,60 s\n")
    pages = {"two-results": folder / "two-results.html", "measured-rows": folder / "measured-rows.html"}
    call(program, "report", first, second, "-o", pages["two-results"], "--quiet")
    call(program, "report", first, "--measured", rows, "-o", pages["measured-rows"], "--quiet")
    return pages


def data_of(text):
    return json.loads(DATA.search(text)[2])


def with_data(text, data):
    """The page with other data; its policy does not cover data, which are no program."""
    raw = data if isinstance(data, str) else json.dumps(data).replace("<", "\\u003c")
    return DATA.sub(lambda found: found[1] + raw + found[3], text)


def numbers(column, code):
    raw = base64.b64decode(column)
    return list(struct.unpack(f"<{len(raw) // struct.calcsize(code)}{code}", raw))


def column(values, code):
    return base64.b64encode(struct.pack(f"<{len(values)}{code}", *values)).decode()


def hostile(data):
    """Every name that a person can choose is an attack."""
    data["sweep"] = {key: HOSTILE for key in data["sweep"]}
    data["fixed"] = [[HOSTILE, HOSTILE]]
    for axis in data["axes"]:
        if axis["kind"] == "label":
            axis["values"] = [f"{HOSTILE}{place}" for place in range(len(axis["values"]))]
    for metric in data["metrics"]:
        metric["long_name"] = HOSTILE
    for status in data["statuses"]:
        status["meaning"] = HOSTILE
    return data


def status_code(data, name):
    """The code of a status, which is added where the data have no such row."""
    for status in data["statuses"]:
        if status["name"] == name:
            return status["code"]
    data["statuses"].append({"code": 200, "name": name, "meaning": "added by a test"})
    return 200


def infeasible(data):
    """The same grid without a feasible row: all rows have the last status."""
    feasible = next(each for each in data["cube"]["count"] if each["status"] == 0)
    code = status_code(data, "out_of_memory")
    data["cube"]["count"] = [{"status": code, "u32": feasible["u32"]}]
    cells = len(numbers(feasible["u32"], "I"))
    for best in data["cube"]["best"]:
        best["kept"] = column([-1] * cells, "i")
    for part in ("kept", "sample"):
        if part in data:
            data[part].update(n=0, point={"bytes": 4, "data": ""}, why="")
            for each in data[part]["axes"]:
                each["codes"] = ""
            for each in data[part]["metrics"]:
                each.update({key: "" for key in ("f32", "u16") if key in each})
    for histogram in data["histograms"]:
        histogram["count"] = [0] * len(histogram["count"])
    return data


def with_missing(data):
    """One metric has no values, another lacks every third."""
    for place, metric in enumerate(data["kept"]["metrics"][:2]):
        values = numbers(metric["f32"], "f")
        values = [math.nan if place == 0 or i % 3 == 0 else value for i, value in enumerate(values)]
        metric["f32"] = column(values, "f")
        for best in data["cube"]["best"]:
            if best["metric"] == metric["name"]:
                kept = numbers(best["kept"], "i")
                best["kept"] = column([-1 if row < 0 or math.isnan(values[row]) else row for row in kept], "i")
    return data


def with_failed(data):
    code = status_code(data, "failed")
    cells = len(numbers(data["cube"]["count"][0]["u32"], "I"))
    data["cube"]["count"].append({"status": code, "u32": column([1] + [0] * (cells - 1), "I")})
    return data


def without_rows(data):
    data.update(rows=0, axes=[], metrics=[], views={}, histograms=[], cube={"axes": [], "count": [], "best": []},
                kept={"n": 0, "point": {"bytes": 4, "data": ""}, "why": "", "axes": [], "metrics": []})
    data.pop("sample", None)
    return data


def compared(data):
    """B has half the step time of A in the first cell, the same in the second, twice in the third; none in the last."""
    data["comparison"] = {
        "names": ["A", "B"], "axes": ["device", "memory"],
        "axes_values": [{"name": "device", "kind": "label", "unit": "1", "values": ["h100", "tpu-v4"]},
                        {"name": "memory", "kind": "label", "unit": "1", "values": ["ddr4", "hbm3"]}],
        "cells": [{"metric": "step_time", "better": "min", "a": column([2, 3, 4, 5], "f"), "b": column([1, 3, 8, math.nan], "f")}],
        "front": [{"x": "system_cost", "y": "step_time", "a": [[1e7, 4, 1], [2e7, 2, 2]], "b": [[1e7, 3, 1], [3e7, 1, 7]]}],
        "only_a": 5, "only_b": 0}
    return data


def measured(data):
    data["measured"] = {"metric": "step_time", "unit": "s", "summary": {"count": 3, "missing": 1, "median": 0.1, "p90": 0.5},
                        "rows": [{"name": "one", "group": "g", "measured": 1, "predicted": 1.1},
                                 {"name": "two", "group": "g", "measured": 20, "predicted": 10},
                                 {"name": "three", "group": HOSTILE, "measured": 5, "predicted": 5},
                                 {"name": "four", "group": "h", "measured": 5, "predicted": None}]}
    return data


def crowded(data, points):
    """A sample of that many rows, spread by the golden ratio over axes and metrics."""
    spread = [i * 0.6180339887498949 % 1 for i in range(points)]
    spread2 = [i * 0.7548776662466927 % 1 for i in range(points)]
    wide = {axis["name"]: len(axis["values"]) for axis in data["axes"]}
    data["complete"] = False
    data["sample"] = {
        "n": points, "of": points, "method": "made for a test", "point": {"bytes": 4, "data": column([10 ** 6 + i for i in range(points)], "I")},
        "axes": [{"name": name, "bytes": 1, "codes": column([int(part * 7919) % size for part in spread], "B")} for name, size in wide.items()],
        "metrics": [{"name": metric["name"], "scale": "log", "lo": 1.0, "hi": 1e4,
                     "u16": column([int(part * 65534) for part in (spread if place % 2 else spread2)], "H")}
                    for place, metric in enumerate(data["metrics"])]}
    return data


CHANGES = {"hostile": hostile, "infeasible": infeasible, "missing": with_missing, "failed": with_failed, "empty": without_rows,
           "comparison": compared, "measured": measured}


def changed_pages(page, folder):
    """Pages made of one page by changing its data: name -> path. The folder's name is not plain on purpose."""
    text, pages = page.read_text(), {}
    place = folder / "seiten mit \u00fcberraschung"
    place.mkdir(exist_ok=True)
    for name, change in CHANGES.items():
        pages[name] = place / f"{name}.html"
        pages[name].write_text(with_data(text, change(data_of(text))))
    pages["version"] = place / "version.html"
    pages["version"].write_text(with_data(text, {**data_of(text), "version": 2}))
    pages["damaged"] = place / "damaged.html"
    pages["damaged"].write_text(with_data(text, json.dumps(data_of(text))[:-100].replace("<", "\\u003c")))
    return {name: pathlib.Path(path) for name, path in pages.items()}
