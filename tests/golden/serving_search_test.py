"""A search of deployments finds what brute force finds, and what a simulation finds best is among its hundred.

serving_search_test.py PROGRAM: 10^6 deployments by the closed form, once as a search and once as rows; 10^3 deployments by
simulation, whose cheapest within the limits is among the best 100 of the search by the closed form.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

COMMON = """
[parameters]
model         = "llama3-70b"
prompt_tokens = 2000
output_tokens = 500
prompt_spread = 0.2
output_spread = 0.2
arrival_rate  = "10 Hz"
time_to_first_token_limit   = "1 s"
time_per_output_token_limit = "30 ms"
queueing      = "{queueing}"
{axes}
[[together]]
system            = {systems}
device_hour_price = {prices}
"""
LARGE = """
software            = ["vllm", "sglang", "trtllm"]
precision           = ["bf16", "fp8"]
cache_precision     = ["bf16", "fp8"]
tensor_parallel     = [1, 2, 4, 8]
pipeline_parallel   = [1, 2]
pools               = ["shared", "separate"]
prefill_replicas    = [1, 2, 3, 4, 6, 8]
chunk_tokens        = [1024, 2048, 3072, 4096, 6144, 8192, 16384]
batch_limit         = [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512]
replicas            = [1, 2, 3, 4, 6, 8, 10, 12]
"""
SMALL = """
software            = ["vllm", "trtllm"]
precision           = ["bf16", "fp8"]
tensor_parallel     = [1, 2, 4, 8]
chunk_tokens        = [2048, 4096, 8192]
batch_limit         = [32, 64, 128]
replicas            = [1, 2, 3, 4, 6, 8, 12]
"""
PRICES = {"dgx-h100": "2.5 USD", "dgx-h200": "3 USD", "dgx-b200": "5 USD"}


def sweep(folder, name, axes, systems, queueing="steady", search="", metrics="cost_per_million_tokens"):
    prices = [PRICES[system] for system in systems]
    text = f'[sweep]\nname = "{name}"\nestimator = "serving"\n' + COMMON.format(
        axes=axes, systems=list(systems), prices=prices, queueing=queueing).replace("'", '"')
    text += search + f'\n[output]\nmetrics = ["{metrics}"]\n'
    path = folder / f"{name}.toml"
    path.write_text(text)
    subprocess.run([PROGRAM, "run", str(path), "--out", str(folder / name), "--quiet"], check=True)
    return h5py.File(folder / name / "result.h5")


def search_of(axes, top):
    names = [line.split("=")[0].strip() for line in axes.strip().splitlines()] + ["system"]
    over = ", ".join(f'"{name}"' for name in names)
    return f'\n[search]\nover = [{over}]\nminimize = "cost_per_million_tokens"\ntop = {top}\n'


def feasible(file):
    ok = file["status"][()] == list(file["status"].attrs["flag_meanings"].split()).index("ok")
    return ok & numpy.isfinite(file["cost_per_million_tokens"][()])


def check(condition, message):
    if not condition:
        print(f"failed: {message}")
        sys.exit(1)


def brute_force(folder):
    systems = ("dgx-h100", "dgx-b200")
    rows = sweep(folder, "rows", LARGE, systems)
    cost = numpy.where(feasible(rows), rows["cost_per_million_tokens"][()], numpy.inf)
    found = sweep(folder, "search", LARGE, systems, search=search_of(LARGE, 100))
    order = numpy.lexsort((rows["point"][()], cost))[:100]
    check(len(cost) >= 10**6, f"{len(cost)} deployments are fewer than a million")
    check(numpy.isfinite(cost[order]).all(), "fewer than a hundred deployments keep the limits")
    check((found["point"][()] == rows["point"][()][order]).all(), "the search has other points than brute force")
    check((found["cost_per_million_tokens"][()] == cost[order]).all(), "the search has other costs than brute force")
    print(f"{len(cost)} deployments: the best 100 of the search are those of brute force")


def simulation(folder):
    systems = ("dgx-h100", "dgx-h200", "dgx-b200")
    rows = sweep(folder, "simulated", SMALL, systems, queueing="simulated")
    cost = numpy.where(feasible(rows), rows["cost_per_million_tokens"][()], numpy.inf)
    best = rows["point"][()][numpy.argmin(cost)]
    found = sweep(folder, "closed", SMALL, systems, search=search_of(SMALL, 100))
    check(len(cost) >= 10**3, f"{len(cost)} deployments are fewer than a thousand")
    check(numpy.isfinite(cost.min()), "no simulated deployment keeps the limits")
    place = numpy.flatnonzero(found["point"][()] == best)
    check(len(place) == 1, f"point {best}, the best by simulation, is not among the hundred of the closed form")
    print(f"{len(cost)} deployments: the best by simulation is number {place[0] + 1} by the closed form")


PROGRAM = sys.argv[1]
with tempfile.TemporaryDirectory() as temporary:
    brute_force(pathlib.Path(temporary))
    simulation(pathlib.Path(temporary))
