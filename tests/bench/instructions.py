"""Instructions per point of two builds of dfsweep, counted by valgrind: they do not depend on the load of the machine.

    instructions.py OLD_PROGRAM NEW_PROGRAM [--profiles DIR] [CASE...]

Each case runs a small and a large grid on one thread; the difference over the difference of their points leaves out what
a run does once. The second ratio counts the evaluation of points alone. `profiled` needs measured tables (--profiles).
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

TASK_GRAPH = """
convention = ["sharded", "source"]
strategy = {strategy}
device = "h100-80g"
interconnect = "nvlink4"
heads = 32
head_dim = 128
ffn_hidden = 16384
tensor_parallel = 8
pipeline_parallel = 2
sequence_length = {{ from = 128, to = {longest}, step = 16 }}
"""
FOUR_LAYERS = """
attention_kernel = ["materialized", "flash"]
micro_batches = [1, 2, 4, 8]
layers = 4
hidden = 4096
batch = 1024
"""
CACHES = """
attention_kernel = "flash"
micro_batches = [1, 16, 128]
cache_capacity = ["1.2 GB", "2.4 GB", "4.8 GB", "9.6 GB", "80 GB"]
layers = 16
hidden = 16384
batch = 128
"""
TRAINING = """
model = ["llama3-8b", "gpt3-13b", "llama3-70b"]
system = ["dgx-h100", "dgx-a100-80g"]
device_count = [256, 1024]
global_batch = {batches}
sequence_length = 4096
precision = "bf16"
optimizer_sharding = 1
tensor_parallel = [1, 2, 4, 8]
pipeline_parallel = [1, 2, 4, 8]
micro_batch = [1, 2, 4]
recompute = ["none", "selective", "full"]
"""
LEARNING = """
train_tokens = 2e12
law = "step-law"
learning_rate = {{ from = 1e-4, to = 1.6e-3, points = {points}, scale = "log" }}
"""
DATAFLOW = """
model = "gpt3-1t"
device = "h100"
memory = "hbm3"
topology = "switch-switch-switch"
interconnect = "nvlink4"
device_count = 1024
tensor_parallel = 8
pipeline_parallel = 16
data_parallel = 8
dram_bandwidth = {{ from = "0.5 TB/s", to = "8 TB/s", points = {points}, scale = "log" }}
dram_capacity = {{ from = "80 GB", to = "4 TB", points = 10, scale = "log" }}
sram_capacity = {{ from = "20 MB", to = "400 MB", points = 7, scale = "log" }}
link_bandwidth = {{ from = "50 GB/s", to = "1 TB/s", points = 20, scale = "log" }}
mapping = "kernel_by_kernel"
compute_utilization = 0.9
"""
MAPPINGS = """
model = "gpt3-175b"
phase = "prefill"
device = "sn10"
memory = "ddr4-sn10"
topology = "2d-torus"
shape = "4x2"
tensor_parallel = 4
data_parallel = 2
interconnect = "pcie4"
sram_capacity = {{ from = "100 MB", to = "600 MB", points = {points}, scale = "log" }}
dram_bandwidth = ["100 GB/s", "300 GB/s", "600 GB/s"]
mapping = "best"
sram_accounting = "split"
compute_utilization = 0
convention = ["dfmodel-g2", "physical"]
"""
SERVING = """
model = ["llama3-8b", "llama3-70b", "mixtral-8x7b"]
system = ["dgx-a100-80g", "dgx-h100"]
precision = ["bf16", "fp8"]
tensor_parallel = [1, 2, 4, 8]
"""
LENGTHS = """
prompt_tokens = {{ from = 128, to = {longest}, step = 128 }}
output_tokens = [32, 64, 128, 256, 512, 1024, 2048, 4096]
"""
DEMANDS = """
{demand} = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
"""
PROFILED = """
model = ["meta-llama/Llama-2-7b-hf", "meta-llama/Meta-Llama-3-8B"]
tensor_parallel = [1, 2, 4, 8]
decode_batch = {{ from = 1, to = 128, step = 1 }}
decode_context = {{ from = 32, to = {longest}, step = 32 }}
prefill_chunk = [0, 256, 512]
[[together]]
device = ["a100", "h100"]
network = ["a100_dgx", "h100_dgx"]
"""
CALCULON = """
model = "gpt3-175b"
system = "h100_80g_nvl8"
device_count = 512
precision = "fp16"
max_batch = 512
tensor_parallel = 8
pipeline_parallel = 8
interleaving = [1, 2, 3, 4, 6, 12]
recompute = ["full", "attention", "none"]
optimizer_sharding = [1, 0]
tensor_comm = ["all_reduce", "p2p_reduce_scatter_all_gather", "reduce_scatter_all_gather"]
data_overlap = [1, 0]
tensor_overlap = ["none", "ring", "pipe"]
weight_offload = [1, 0]
optimizer_offload = [1, 0]
micro_batch = {micro_batches}
"""
LAWS = """
law = ["step-law", "unified", "deepseek", "porian"]
parameters = [2e8, 1e9, 7e9, 7e10]
train_tokens = [2e10, 1e11, 1.4e12, 1.5e13]
learning_rate = {{ from = 1e-4, to = 8e-3, points = {points}, scale = "log" }}
batch_tokens = [131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608]
"""
OF_TASKS = ["step_time", "critical_path", "attention_time", "ffn_time", "communication_time", "token_rate", "cache_fit"]
OF_TRAINING = ["step_time", "utilization", "memory_used", "token_rate_per_device", "forward_time", "backward_time",
               "recompute_time", "bubble_time", "tensor_comm_time", "pipeline_comm_time", "data_comm_time"]
OF_DATAFLOW = ["step_time", "utilization", "compute_time", "memory_time", "network_time", "bubble_time", "partitions",
               "memory_used", "optimality_gap"]
OF_SERVING = ["time_to_first_token", "time_per_output_token", "decode_rate", "compute_time", "memory_time", "network_time",
              "memory_used", "token_rate_per_device", "request_latency"]

# Name: estimator, parameters, what the small and the large grid put into them, metrics (those of both builds).
CASES = {
    "tensor_pipeline": ("taskgraph", TASK_GRAPH + FOUR_LAYERS,
                        [dict(strategy='"tensor_pipeline"', longest=n) for n in (1712, 33712)], OF_TASKS),
    "attention_pool": ("taskgraph", TASK_GRAPH + FOUR_LAYERS + "pool_devices = [1, 3, 4, 8]\n",
                       [dict(strategy='"attention_pool"', longest=n) for n in (912, 8912)], OF_TASKS),
    "best_pool": ("taskgraph", TASK_GRAPH + FOUR_LAYERS + 'pool_devices = "best"\n',
                  [dict(strategy='"attention_pool"', longest=n) for n in (144, 304)], OF_TASKS),
    "layerwise": ("taskgraph", TASK_GRAPH + CACHES,
                  [dict(strategy='"layerwise"', longest=n) for n in (912, 8912)], OF_TASKS),
    "dataflow": ("dataflow", DATAFLOW, [dict(points=n) for n in (2, 82)], OF_DATAFLOW),
    "mappings": ("dataflow", MAPPINGS, [dict(points=n) for n in (2, 8)], OF_DATAFLOW),
    "training": ("training", TRAINING, [dict(batches=[256 * (i + 1) for i in range(n)]) for n in (4, 24)], OF_TRAINING),
    "learning": ("training", TRAINING + LEARNING, [dict(batches=[256, 512, 1024], points=n) for n in (2, 42)],
                 OF_TRAINING + ["train_cost", "loss_excess"]),
    "serving": ("serving", SERVING + LENGTHS + DEMANDS,
                [dict(longest=n, demand="concurrency") for n in (256, 1792)], OF_SERVING),
    "in_flight": ("serving", SERVING + LENGTHS + DEMANDS,
                  [dict(longest=n, demand="batch") for n in (256, 1792)], OF_SERVING),
    "static": ("serving", SERVING + LENGTHS + DEMANDS + 'batching = "static"\n',
               [dict(longest=n, demand="batch") for n in (256, 1792)], OF_SERVING),
    "slow_batch": ("serving", SERVING + DEMANDS + LENGTHS, [dict(longest=n, demand="batch") for n in (256, 1792)],
                   OF_SERVING),
    "calculon": ("calculon", CALCULON, [dict(micro_batches=m) for m in ([1], [1, 2, 4, 8, 16])], OF_TRAINING),
    "profiled": ("profiled", PROFILED, [dict(longest=n) for n in (64, 1344)],
                 ["step_time", "attention_time", "mlp_time", "tensor_comm_time", "token_rate", "coverage"]),
    "hyperparameters": ("hyperparameters", LAWS, [dict(points=n) for n in (10, 210)], ["optimal_learning_rate",
                        "optimal_batch_tokens", "loss_excess", "plateau_low", "plateau_high"]),
}
EVALUATION = re.compile(r"^ *([\d,]+) .*:dfsweep::evaluate_range\(", re.MULTILINE)


def sweep_text(estimator, parameters, values, metrics, program):
    """The sweep of a case. Builds before the estimator `calculon` have it as a convention of `training`."""
    known = subprocess.run([program, "describe", estimator], capture_output=True).returncode == 0
    convention = "" if known else f'convention = "{estimator}"\n'
    name = estimator if known else "training"
    return (f'[sweep]\nname = "counted"\nestimator = "{name}"\n[output]\nmetrics = {json.dumps(metrics)}\n[parameters]\n'
            + convention + parameters.format(**values))


def counted(program, text, options, folder):
    """Rows of a run, and its instructions: all, and those of evaluating points."""
    sweep, run, calls = folder / "counted.toml", folder / "run", folder / "calls.out"
    sweep.write_text(text)
    shutil.rmtree(run, ignore_errors=True)
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={calls}", program, "run", sweep, "--out",
                           run, "--threads", "1", "--quiet", *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{program} ends with {done.returncode}: {done.stdout}{done.stderr}")
    status = subprocess.run([program, "status", run, "--json"], capture_output=True, text=True, check=True).stdout
    rows = int(re.search(r'"rows": *(\d+)', status)[1])
    listed = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", calls], capture_output=True,
                            text=True, check=True).stdout
    evaluation = sum(int(number.replace(",", "")) for number in EVALUATION.findall(listed))
    return rows, int(re.search(r"Collected : (\d+)", done.stderr)[1]), evaluation


def per_point(program, case, options):
    """Instructions per point: of the command, and of evaluation."""
    estimator, parameters, grids, metrics = case
    with tempfile.TemporaryDirectory() as folder:
        small, large = (counted(program, sweep_text(estimator, parameters, values, metrics, program), options,
                                pathlib.Path(folder)) for values in grids)
    return [(large[i] - small[i]) / (large[0] - small[0]) for i in (1, 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--profiles")
    parser.add_argument("cases", nargs="*", default=list(CASES))
    asked = parser.parse_intermixed_args()
    print(f"{'case':16} {'command, old':>14} {'new':>10} {'ratio':>6} {'evaluation, old':>17} {'new':>10} {'ratio':>6}")
    for name in asked.cases:
        options = []
        if CASES[name][0] == "profiled":
            if asked.profiles is None:
                continue
            options = ["--profiles", asked.profiles]
        old, new = (per_point(program, CASES[name], options) for program in (asked.old, asked.new))
        print(f"{name:16} {old[0]:14.0f} {new[0]:10.0f} {new[0] / old[0]:6.3f} {old[1]:17.0f} {new[1]:10.0f} "
              f"{new[1] / old[1]:6.3f}", flush=True)


main()
