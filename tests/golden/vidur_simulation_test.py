"""Vidur's simulator on its forests, through the public command line: usage: vidur_simulation_test.py PROGRAM REFERENCE.

Every golden run with random forests becomes a sweep of one point over the trace of the run. Two forests of different
seeds move these numbers as well, so they are compared as Vidur compares with itself: rates within 1 %, mean latencies
within 2 %, medians within 3 % (of the first token 4 %), 99 % quantiles within 5 %, each in nine runs of ten.
"""
import collections
import csv
import pathlib
import sys
import tempfile

from program import Result, run

SCHEDULERS = {"faster_transformer": "fastertransformer"}
ROUTINGS = {"lor": "least_outstanding"}
# Metric: column of the golden run, relative limit.
COMPARED = {
    "request_rate": ("throughput_req_s", 0.01), "model_flops_utilization": ("mfu_pct", 0.01),
    "request_latency": ("e2e_s_mean", 0.02), "time_to_first_token": ("ttft_s_mean", 0.02),
    "token_interval": ("tbt_s_mean", 0.02), "running_batch": ("mean_batch_size", 0.05),
    "request_latency_p50": ("e2e_s_p50", 0.03), "token_interval_p50": ("tbt_s_p50", 0.03),
    "time_to_first_token_p50": ("ttft_s_p50", 0.04), "request_latency_p99": ("e2e_s_p99", 0.05),
    "token_interval_p99": ("tbt_s_p99", 0.05), "time_to_first_token_p99": ("ttft_s_p99", 0.05),
}
SHARE = 0.9
CHAOTIC = {"rf112"}  # one request moves by a factor of 9 between two forests of the original
TERA = 2.0**40  # the original counts 2^40 FLOP as a TFLOP
PEAKS = {"a100": 312, "h100": 1000, "a800": 312}


def table(reference, name):
    with open(pathlib.Path(reference) / "reference" / "vidur" / "simulator" / name, newline="") as file:
        return list(csv.DictReader(file))


def parameters(golden):
    given = {
        "queueing": "simulated", "convention": "vidur", "model": golden["model"], "device": golden["device"],
        "network": golden["network_device"], "tensor_parallel": int(golden["tp"]),
        "pipeline_parallel": int(golden["pp"]), "replicas": int(golden["replicas"]),
        "scheduler": SCHEDULERS.get(golden["scheduler"], golden["scheduler"]),
        "routing": ROUTINGS.get(golden["global_scheduler"], golden["global_scheduler"]),
        "batch_limit": int(golden["batch_size_cap"]), "block_size": int(golden["block_size"]),
        "watermark": float(golden["watermark_fraction"]), "max_request_tokens": int(golden["max_request_tokens"]),
        "peak_flops": f"{PEAKS[golden['device']] * TERA / 1e12:.9f} TFLOP/s",
    }
    if golden["chunk_size"]:
        given["chunk_tokens"] = int(golden["chunk_size"])
    if golden["max_tokens_in_batch"]:
        given["prompt_batch_tokens"] = int(golden["max_tokens_in_batch"])
    if golden["num_blocks"]:
        given["cache_blocks"] = int(golden["num_blocks"])
    return given


def written(value):
    return f'"{value}"' if isinstance(value, str) else str(value)


def simulated(program, reference, golden, trace, folder):
    lines = ["arrived_at,num_prefill_tokens,num_decode_tokens"]
    lines += [f"{r['arrived_at_s']},{r['prefill_tokens']},{r['decode_tokens']}" for r in trace]
    (folder / "trace.csv").write_text("\n".join(lines) + "\n")
    profiles = pathlib.Path(reference).resolve() / "data" / "profiling"
    sweep = folder / f"{golden['run_id']}.toml"
    text = "".join(f"{name} = {written(value)}\n" for name, value in parameters(golden).items())
    sweep.write_text(f'[sweep]\nname = "{golden["run_id"]}"\nestimator = "profiled"\n\n[parameters]\n{text}\n'
                     f'[data]\nprofiles = "{profiles}"\ntrace = "trace.csv"\n')
    return Result(run(program, sweep, folder / golden["run_id"]))


def main(program, reference):
    traces = collections.defaultdict(list)
    for row in table(reference, "sim_traces.csv"):
        traces[row["trace_id"]].append(row)
    found = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as temporary:
        for golden in table(reference, "sim_runs.csv"):
            if golden["predictor"] != "random_forest" or golden["run_id"] in CHAOTIC:
                continue
            result = simulated(program, reference, golden, traces[golden["trace_id"]], pathlib.Path(temporary))
            assert int(result["completed_requests"][0]) == int(golden["completed"]), golden["run_id"]
            for metric, (column, _) in COMPARED.items():
                expected = float(golden[column]) * (0.01 if column.endswith("_pct") else 1.0)
                found[metric].append((abs(float(result[metric][0]) / expected - 1), golden["run_id"]))
    failures = 0
    print("metric, runs, median and worst difference, where, share of runs within the limit")
    for metric, differences in found.items():
        differences.sort()
        limit = COMPARED[metric][1]
        share = sum(d <= limit for d, _ in differences) / len(differences)
        failures += share < SHARE
        print(f"  {metric:25} {len(differences):3} {differences[len(differences) // 2][0]:8.5f} {differences[-1][0]:8.5f} "
              f"{differences[-1][1]} {share:5.2f}{'' if share >= SHARE else ' DIFFERS'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
