"""Pages of small sweeps that are special in one respect: nothing fits, one row, hostile names, still running."""
import json
import math
import pathlib
import signal
import subprocess

import pages

HOSTILE_FILE = "<img src=x onerror=alert(1)>/script><b onclick=alert(1)> \" & \u00fc.toml"

TRAINING = """
[sweep]
name        = "special"
estimator   = "training"
description = {description!r}

[parameters]
model              = {model}
device             = {device}
memory             = "hbm3-80g"
interconnect       = "nvlink4"
outer_interconnect = "pcie4"
device_count       = 64
tensor_parallel    = {tensor_parallel}
pipeline_parallel  = {pipeline_parallel}
data_parallel      = [1, 2, 4, 8, 16, 32, 64]
micro_batch        = {micro_batch}
global_batch       = {global_batch}

[filter]
keep = "tensor_parallel * pipeline_parallel * data_parallel == device_count"
{more}
"""
USUAL = {"description": "", "model": ["llama3-8b"], "device": ["a100", "h100"], "tensor_parallel": [1, 8], "pipeline_parallel": [1],
         "micro_batch": [1, 2, 4], "global_batch": [256, 512, 1024], "more": ""}

HOSTILE = """
[sweep]
name        = "hostile-names"
estimator   = "taskgraph"
description = {text}

[parameters]
strategy     = ["graph.toml", {file}]
device       = ["a100-80g", "h100-80g"]
interconnect = ["pcie4", "nvlink4"]
"""

# name: (what differs from the usual sweep, options of report). With one device of 80 GB for each model nothing fits.
SWEEPS = {
    "scarce": ({}, ("--facet", "device")),
    "nothing-fits": ({"model": ["llama3-70b", "gpt3-175b"], "tensor_parallel": [1]}, ()),
    "single-row": ({"device": ["h100"], "tensor_parallel": [8], "micro_batch": [1], "global_batch": [64]}, ()),
    "linked": ({"tensor_parallel": [8], "more": '[[together]]\nnode_links = ["switched", "direct", "direct", "switched"]\n'
                                                "device_hour_price = [\"1 USD\", \"2 USD\", \"3 USD\", \"4 USD\"]"}, ("--facet", "device")),
}
# Half of a sweep of many blocks is done while a process works on the other half.
LIVE = {"tensor_parallel": [1, 2, 4, 8], "pipeline_parallel": [1, 2, 4, 8], "micro_batch": [1, 2],
        "global_batch": {"from": 64, "to": 640064, "step": 64}}


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {part}" for key, part in value.items()) + " }"
    return "[" + ", ".join(f"'{part}'" if isinstance(part, str) else str(part) for part in value) + "]"


def sweep_text(changes):
    parts = USUAL | changes
    return TRAINING.format(**{key: part if isinstance(part, str) else toml(part) for key, part in parts.items()})


def hostile_sweep(source, place):
    """A sweep whose graphs of tasks lie in files with hostile names."""
    graph = (source / "sweeps" / "graphs" / "two-branches.toml").read_text()
    for name in (HOSTILE_FILE, "graph.toml"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(graph)
    return HOSTILE.format(file=json.dumps(HOSTILE_FILE), text=json.dumps(pages.HOSTILE))


def special_pages(program, source, folder):
    """name -> path. Names of folders are not plain on purpose."""
    place = folder / "gr\u00f6\u00dfere St\u00e4dte \u65e5\u672c"
    place.mkdir()
    made = {}
    texts = {name: (sweep_text(changes), options) for name, (changes, options) in SWEEPS.items()}
    texts["hostile-names"] = (hostile_sweep(source, place), ())
    for name, (text, options) in texts.items():
        sweep, run, made[name] = place / f"{name}.toml", place / "runs" / name, place / f"{name}.html"
        sweep.write_text(text)
        pages.call(program, "run", sweep, "--out", run, "--quiet")
        pages.call(program, "report", run, "-o", made[name], "--quiet", *options)
    made["running"] = running_page(program, place)
    made["fit"] = fit_page(program, place)
    return made


def fit_page(program, place):
    """A fit of runs around a known optimum, with a ripple that no law has."""
    runs, fit, page, lines = place / "runs.csv", place / "fit.h5", place / "fit.html", ["lr,bs,N,D,loss"]
    for n, d in ((1e8, 2e9), (2e8, 4e9), (4e8, 8e9), (4e8, 1.6e10), (1e9, 2e10)):
        best_rate, best_batch = 200 * n ** -0.7 * d ** 0.2, 0.5 * d ** 0.57 / 2048
        for i in range(-3, 4):
            for j in range(-3, 4):
                ripple = 1 + 1e-3 * math.sin(7 * i + 5 * j + math.log(n))
                loss = 2.5 * (n / 1e8) ** -0.07 * (1 + 0.004 * (0.5 * i) ** 2 + 0.003 * (0.5 * j) ** 2) * ripple
                lines.append(f"{best_rate * math.exp(0.5 * i)},{best_batch * math.exp(0.5 * j)},{n},{d},{loss}")
    runs.write_text("\n".join(lines) + "\n")
    pages.call(program, "fit", "steplaw", runs, "-o", fit, "--quiet")
    pages.call(program, "report", fit, "-o", page, "--quiet")
    return page


def running_page(program, place):
    sweep, run, page = place / "running.toml", place / "runs" / "running", place / "running.html"
    sweep.write_text(sweep_text(LIVE))
    pages.call(program, "run", sweep, "--out", run, "--quiet", "--part", "1/2")
    other = subprocess.Popen([program, "run", sweep, "--out", run, "--quiet", "--part", "2/2"])
    other.send_signal(signal.SIGSTOP)
    try:
        pages.call(program, "report", run, "-o", page, "--quiet")
    finally:
        other.kill()
        other.wait()
    return page


def all_pages(program, source, folder):
    made = pages.study_pages(program, source, folder)
    made |= pages.changed_pages(made["llm"], folder)
    return made | special_pages(program, source, pathlib.Path(folder))
