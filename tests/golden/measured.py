"""docs/measured.md from a run of the study of measured training steps: usage: measured.py PROGRAM [--update].

Without --update it fails where the page, or the point list of the study, is stale. Needs h5py.
"""
import collections
import csv
import math
import pathlib
import statistics
import sys
import tempfile

import h5py

from program import SOURCE, import_measured, run

ROWS = SOURCE / "sweeps" / "measured" / "training.csv"
STUDY = SOURCE / "sweeps" / "studies" / "measured-training.toml"
MLPERF_ROWS = SOURCE / "sweeps" / "measured" / "training-mlperf.csv"
MLPERF_STUDY = SOURCE / "sweeps" / "studies" / "measured-training-mlperf.toml"
PAGE = SOURCE / "docs" / "measured.md"

INTRODUCTION = """# Measured training steps

How far the estimator `training` is from published measurements. The rows are
`sweeps/measured/training.csv` and, of rounds 4.0 to 5.1 of MLPerf Training, `sweeps/measured/training-mlperf.csv`, each with
its address; `sweeps/studies/measured-training.toml` and `measured-training-mlperf.toml` predict them with the shipped
systems and software stacks, and `tests/golden/measured.py --update` writes this page from the results.
[Measured serving](measured-serving.md) does the same for the estimator `serving`.

The error of a row is predicted step time over measured step time, less 1. The measured step time is that of the published
tokens per second and device; else the published step time; else that of the published utilization. Rows whose own figures
contradict one another, and rows of models whose sizes are not published, are left out.

## What is fitted

No constant belongs to a row or a source. But the constants of software stacks were fitted to the rows that this page shows, so
[the errors](#errors) below are those of a fit, not of predictions. 93 constants are fitted: the 69 of the table, and 24 factors on
`matrix_share`, one for each accelerator. They are the defaults of
`models/kernels/software.hpp` and, where an accelerator or a stack has its own, entries of `sweeps/catalogue/software/`
whose source says "fit".

| constant | first value | fit |
|---|---|---|
| `matrix_share`, A100 | 0.82 | 0.864 |
| `matrix_share`, H100 | 0.72 | 0.716 |
| `matrix_share`, Blackwell | 0.75 | 0.603 |
| `matrix_share`, V100 | 0.72 | 0.76 |
| `matrix_share`, Gaudi 2 | 0.85 | 0.789 |
| `matrix_share`, TPU | 0.85 | 0.873 |
| `matrix_share`, L40S | 0.72 | 0.713 |
| `matrix_share`, CDNA 3 (MI300X, MI325X) | 0.45 | 0.437 |
| `matrix_share`, CDNA 4 (MI350X, MI355X) | 0.45 | 0.564 |
| `matrix_share`, exponent of power | 1 | 1.06 |
| `matrix_share_8bit` | 0.9 | 1.01 |
| `matrix_share_4bit` | 0.65 | 0.742 |
| `matrix_share_8bit`, factor of TPU | 0.8 | 0.89 |
| `matrix_share_8bit`, factor of TPU v6e | 0.8 | 0.756 |
| `matrix_share_4bit`, factor of Ultra (B300, GB300) | 0.8 | 0.77 |
| `half_rows` | 200 | 350 |
| `half_columns` | 128 | 150 |
| `half_depth` | 128 | 176 |
| `half_rows_grouped` | 200 | 780 |
| these three half sizes, factor of TPU with arrays of 128; twice that with 256 | 0.5 | 0.753 |
| `misaligned` | 1.15 | 1.1 |
| `matrix_memory_share` | 0.8 | 0.812 |
| `cast_bytes` | 3.2 | 3.19 |
| `launch_time` | 6 us | 5.9 us |
| `attention_share`, A100 | 0.5 | 0.486 |
| `attention_share`, A100, fsdp | 0.4 | 0.329 |
| `attention_share`, A100, materialized | 0.5 | 0.408 |
| `attention_share`, H100 | 0.5 | 0.357 |
| `attention_share`, H100, fsdp | 0.3 | 0.186 |
| `attention_share`, H100, fsdp-compiled | 0.35 | 0.228 |
| `attention_share`, Blackwell | 0.5 | 0.729 |
| `attention_share`, TPU | 0.45 | 0.598 |
| `attention_share`, V100 | 0.5 | 0.491 |
| `attention_share`, Gaudi 2 | 0.45 | 0.388 |
| `attention_share`, MI3 | 0.45 | 0.465 |
| `attention_share`, L40S | 0.45 | 0.445 |
| `attention_share_8bit` | 0.6 | 0.542 |
| `attention_half_keys` | 500 | 488 |
| `odd_head` | 2.5 | 9.07 |
| `score_bytes` | 10 | 10.3 |
| `hidden_bytes` | 16 | 16.1 |
| `logit_bytes` | 14 | 14.2 |
| `routing` | 1.6 | 2.45 |
| `expert_bias_bytes` | 12.7 | 15.1 |
| `inside_share` | 0.7 | 0.689 |
| `inside_share`, Gaudi 2 | 0.98 | 0.98 |
| `across_share` | 0.8 | 0.81 |
| `across_share` before 2023 | 0.6 | 0.82 |
| `expert_share` | 0.6 | 1.01 |
| `tensor_visible` | 0.4 | 0.532 |
| `expert_visible` | 0.8 | 0.476 |
| `gradient_hidden`, Megatron Core | 0.7 | 0.645 |
| `gradient_hidden`, others | 0.4 | 0.407 |
| `gradient_exposed` | 0.15 | 0.179 |
| `gather_hidden` | 0.8 | 0.762 |
| `stage_visible` | 0.5 | 0.387 |
| latency between nodes; a third of it inside | 6 us | 4.39 us |
| `adapter_slowdown` of a half year, H100 | 1.06 | 1.01 |
| `adapter_slowdown` of a half year, Blackwell | 1.15 | 1.12 |
| `host_layer_time` | 0.8 ms | 0.8 ms |
| `host_adapter_layer_time` | 5 ms | 5.58 ms |
| `host_expert_layer_time` | 2.6 ms | 3.5 ms |
| `host_expert_time` | 0.2 ms | 0.339 ms |
| `routing`, `cast_bytes` and host times of experts, factor where exchanges permute tokens | 0.7 | 0.444 |
| `fixed_time` | 50 ms | 46.8 ms |
| `fixed_time_graph` | 30 ms | 38.5 ms |
| `fixed_time_adapters` | 20 ms | 16.4 ms |
| `optimizer_bytes` | 30 | 31.4 |
| `straggler` | 0.005 | 0.00563 |

Factors of accelerators on `matrix_share`, each 1 at first: A100-40GB 1.00, A100-80GB 1.02, B200-180GB 1.01, B300-270GB
1.01, GB200-186GB 0.91, GB300-279GB 1.01, Gaudi2 0.98, H100-80GB 0.98, H100-96GB-HBM2e 0.93, H200-141GB 1.03,
H200-NVL-141GB 1.05, H800-80GB 1.02, L40S-48GB 1.00, MI300X-192GB 0.96, MI325X-256GB 1.04, MI350X-288GB 1.04,
MI355X-288GB 0.98, TPU7x 1.00, TPUv4 1.00, TPUv5e 1.17, TPUv5p 0.98, TPUv6e 0.88, V100-16GB 1.03, V100-32GB 0.98. H800
has the entry of H100.

The fit is maximum a posteriori: the logarithm of a constant is normal around its first value, a usual figure of the literature
or of the data sheets; errors have a robust loss; and each source but MLPerf has a factor of its own, which predictions leave out
(`tests/support/measured_fit.hpp`). Accelerators of a generation differ in what they may draw: their
share is that of the generation times the power of a device over its peak, relative to a usual one, to a fitted exponent, so a device without
rows of its own has the share of its generation and its power. Blackwell and Hopper have an `adapter_slowdown` for each half year by which software is older
than the second year of the devices: the same flags ran adapters 1.17 to 1.22 times as fast on Blackwell in November 2025 as in
June, while steps of pre-training did not change. It is in the entries with a date, such as `b200-megatron-25.04`. What the rows do not decide stays near its first value: `launch_time`,
`host_layer_time`, `optimizer_bytes`, `matrix_memory_share` and latencies. `inside_share` of Gaudi 2 is measured: all-reduces of its library reach 258.2 of 262.5 GB/s among
eight devices that are joined in pairs, where rings through a switch reach less. `expert_bias_bytes` is counted: experts of gpt-oss add biases,
clamp their gate and multiply by it, 44 bytes in kernels of their own for two first results and a last one, of which `routing` has 6. Stacks whose exchanges of experts permute
their tokens, by DeepEP or what followed it in Megatron 26.06, have a common factor. The shipped constants have three digits:
steps differ from those of the fit by 0.1 % in the median and 0.9 % at the 90th percentile. Three differ on purpose: `expert_share` is 0.90, because a share is
not above 1, with an `expert_visible` that leaves their ratio, `matrix_share` of TPU v5e is 1, and that of Gaudi 2 is rounded up to 0.79. Latencies of systems are 4.9 us, as an earlier fit gave them. Not fitted are what a pair of
passes of a dual pipe hides (`pair_hidden` is 0 in the fit and 1 as shipped: one row has such pairs, the report of
DeepSeek-V3), peak rates, bandwidths and capacities of systems (data sheets), twice the half sizes of TPU v6e and TPU7x for arrays of 256, host times of XLA (a twentieth), and bytes of
states, on the wire and kept for the backward pass.

## Left-out rows

The errors to expect of a prediction are those of rows that the fit has not seen: the fit is repeated without the rows of a part and
tested on that part, for all parts in turn. Parts are the sources of the first table; fifths of all configurations (accelerator, devices, model,
task, format, batches, degrees), so that a configuration is either wholly in the fit or wholly left out; and the accelerators of
MLPerf, of which other rows stay in the fit.

| | dense: median | 90th percentile | experts: median | 90th percentile | MLPerf: mean | median | 90th percentile |
|---|---|---|---|---|---|---|---|
| left-out sources | 7.8% | 22.4% | 10.8% | 26.3% | - | - | - |
| left-out configurations | 5.0% | 15.1% | 7.2% | 20.3% | 4.8% | 3.5% | 9.6% |
| the same by a fit to MLPerf alone | - | - | - | - | 4.7% | 3.5% | 9.5% |
| left-out accelerators of MLPerf | - | - | - | - | 6.1% | 5.2% | 11.8% |
| fit to all rows | 4.7% | 14.8% | 5.8% | 18.0% | 3.4% | 2.2% | 7.3% |
| first values | 8.6% | 23.1% | 12.5% | 32.8% | 7.0% | 4.8% | 14.5% |

Entries of stacks with at least five rows have the median error of their left-out configurations as `expected_error`.
`golden.measured_fit_test` repeats these fits and holds the table. Also the left-out figures are a little too good: the first
values, the form of the model and the rules for [empty cells](#what-an-empty-cell-becomes) were chosen with all rows in sight.
Two systems of MLPerf with the same configuration differ by 1 % in the median and by 4 % at the 90th percentile; groups of
devices that cross nodes of a cloud differ by up to 40 %.

## What an empty cell becomes

| column | becomes | because |
|---|---|---|
| tensor_parallel, pipeline_parallel | the smallest degrees that fit the memory, tensor first; parameters are sharded instead only where no degrees fit | the usual advice; replicas never outnumber sequences |
| data_parallel | devices over the other degrees | so they multiply |
| virtual_pipeline | the largest divisor of a stage's layers up to 8 for Megatron, else 1 | Megatron interleaves where layers divide |
| micro_batch | 1 with a pipeline (as many micro-batches as stages for PyTorch); all of a replica's batch for XLA; else the largest power of two that fits | defaults of the stacks |
| sharding | parameters for XLA and Gaudi, optimizer for others; parameters where "assumed" optimizer sharding does not fit | defaults of the stacks |
| recompute | the least that fits, for Megatron from 2023 the fewest eighths of the layers where whole passes are recomputed; with experts at least selective, for Megatron from 26.06 at least elementwise | recipes with experts recompute activations and norms, older ones more |
| sequence_parallel | 1 but for Megatron before 2023; 1 with "tensor_overlap" 1 of Megatron whatever it says | default of the stack; Megatron-LM refuses that overlap without it |
| context_parallel, expert_parallel | 1 | not used where not named |
| all degrees of MLPerf | those whose product the accumulation steps give: the smallest tensor degree at which a device holds a whole sequence, the rest shares it | as in scripts of other systems |
| cuda_graph | 1 on Blackwell without a pipeline, for adapters only where devices share a sequence; on Hopper from autumn 2024 for adapters where eight devices do | scripts that say it |
| eight_bit_activations_kept | 0; for adapters 1 where the step fits only so | scripts of the same shape |
| head width, latent attention, windows | the entry of the model | the columns do not have them |

Words in other cells decide too: `4 links stated` is four NVLinks, `72-device domain` is one node, `asynchronous tensor
parallel` hides exchanges, `inter-chip` links are those of the system, `7 links of 128 GB/s` join pairs of devices, `12 copies` are slices of a pod, `with multi-token prediction` adds a layer and an output layer, `hfu` gives the share of layers
that are recomputed.
"""
# Why a row of the worst can be off, by source and by words of its notes; the first that fits.
REASONS = [
    ("nemo-long-sequence", "without context parallelism", "best unknown configuration: the degrees are ours"),
    ("megatron-bridge", "known regression", "the source names a regression of this release"),
    ("tpu-recipes-ironwood", "", "sharding axes are not in the table"),
    ("deepspeed-azure", "", "peak of a sweep: the batch is not stated"),
    ("bigscience-1b3", "", "tensor pairs of these nodes may lack a direct link; times are whole seconds"),
    ("internevo", "", "gradient exchange at this scale is slower than its volume"),
    ("nemo-automodel", "", "recomputation is not stated"),
    ("megatron-bridge", "token-drop", "dropped tokens: fixed sizes need fewer launches than ours"),
    ("megatron-bridge", "", "launches and kernels of experts change from release to release"),
    ("intel-gaudi2", "", "degrees are not stated"),
    ("mlperf-", "", "devices of a group in several nodes of a cloud, or a host of its own"),
]


REPORTED = """
Sources that report the memory of a device, against `memory_used`. MLPerf reports the peak of what the allocator gave out,
which `memory_used` is for stacks of Megatron; others mostly report what the allocator holds, blocks that it keeps for later
included. Whether a step fits is decided with 4 % more (`fragment_share`), because the driver and fragments need it.
[Calibrated](measured-calibrated.md#memory) shows what a fit makes of it.

"""

QUALITY = """
## Time to the target quality

Rows of MLPerf again, with the [batch law](models/whole-run.md) of their model (`batch_law`) for the samples: `time_to_target` against the
time to train of the submission, the median of its runs. The laws were fitted to these runs, and one evaluation is 10 % of a run of adapters.

"""

TORI = """
## TPU pods as tori

Pods of TPU are tori of two dimensions (v5e, v6e) or three. The shipped systems take a slice as a node with a switch, and no
constant was fitted to anything else. The same rows with `topology = "2d-torus"` or `"3d-torus"`, and nothing else changed:

"""

WHY_NO_TORI = """
Rows without tensor parallelism hardly change. Where ranks share layers they lie along one ring and have a half or a third
of the links of a device, so exchanges take two to three times as long and steps come out too slow. The compiler of these rows lays
groups out over several dimensions and runs exchanges beside products, and the share of links that programs reach was fitted with
a switch in mind. Therefore the shipped systems of TPU name no topology; a sweep may.
"""


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def measured_time(row, tokens, devices, peak_time):
    """Seconds; `peak_time`: of the row's causal FLOP at the peak."""
    for column in ("tokens_per_second_per_device", "tokens_per_second_derived"):
        if row.get(column):
            return tokens / devices / float(row[column])
    if row["step_time_s"]:
        return float(row["step_time_s"])
    return peak_time / float(row["utilization_causal"])


def points_of(notes):
    """The row's name of every point."""
    return {int(note["point"]) - 1: note["id"] for note in notes if note["point"]}


def predictions(result, notes, table=ROWS):
    """(row, error, whether it is not ok) of every row that is a point and consistent."""
    rows = {row["id"]: row for row in read_csv(table)}
    with h5py.File(result) as file:
        column = {name: file[name][...] for name in ("step_time", "token_rate", "token_rate_per_device",
                                                     "model_flops_utilization", "status")}
        ok = file["status"].attrs["first_code"]
    found = []
    for point, name in sorted(points_of(notes).items()):
        row, time = rows[name], column["step_time"][point]
        if row.get("consistent") == "no":
            continue
        tokens = column["token_rate"][point] * time
        devices = column["token_rate"][point] / column["token_rate_per_device"][point]
        measured = measured_time(row, tokens, devices, column["model_flops_utilization"][point] * time)
        found.append((row, time / measured - 1, bool(column["status"][point] != ok)))
    return found


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def is_mlperf(row):
    return row["source"].startswith("mlperf-")


def kind(row):
    if is_mlperf(row):
        return "adapters" if row["task"] == "lora" else "dense"
    return "experts" if row["experts"] else "dense"


def errors_section(found):
    text = "\n## Errors\n\n| rows | number | mean | median | 90th percentile |\n|---|---|---|---|---|\n"
    groups = collections.defaultdict(list)
    for row, error, _ in found:
        groups[f"MLPerf, {kind(row)}" if is_mlperf(row) else kind(row)].append(abs(error))
        if is_mlperf(row):
            groups["MLPerf"].append(abs(error))
    for name in ("dense", "experts", "MLPerf", "MLPerf, dense", "MLPerf, adapters"):
        text += (f"| {name} | {len(groups[name])} | {statistics.mean(groups[name]):.1%} | "
                 f"{quantile(groups[name], 0.5):.1%} | {quantile(groups[name], 0.9):.1%} |\n")
    text += "\n| accelerator of MLPerf | rows | mean error | median | 90th percentile |\n|---|---|---|---|---|\n"
    devices = collections.defaultdict(list)
    for row, error, _ in found:
        if is_mlperf(row):
            devices[row["accelerator"]].append(error)
    for name, errors in sorted(devices.items()):
        sizes = [abs(error) for error in errors]
        text += (f"| {name} | {len(errors)} | {statistics.mean(errors):+.1%} | {quantile(sizes, 0.5):.1%} | "
                 f"{quantile(sizes, 0.9):.1%} |\n")
    text += "\n| source | accelerator | model | rows | median | 90th percentile | signed median |\n|---|---|---|---|---|---|---|\n"
    groups = collections.defaultdict(list)
    for row, error, _ in found:
        groups[row["source"], row["accelerator"], kind(row)].append(error)
    for key, errors in sorted(groups.items()):
        sizes = [abs(error) for error in errors]
        text += (f"| {' | '.join(key)} | {len(errors)} | {quantile(sizes, 0.5):.1%} | {quantile(sizes, 0.9):.1%} | "
                 f"{statistics.median(errors):+.1%} |\n")
    return text


def plot_section(found):
    """A histogram of predicted over measured in text: a line for each step of 5 %."""
    text = "\n## Predicted over measured\n\n```\n"
    steps = collections.Counter(min(max(round(error / 0.05), -10), 10) for _, error, _ in found)
    for step in range(-10, 11):
        label = f"{'<=' if step == -10 else '>=' if step == 10 else '  '} {step * 0.05:+.0%}"
        text += f"{label:>8} {steps[step]:4d} {'#' * math.ceil(steps[step] / 3)}\n"
    return text + "```\n"


def reason(row):
    for source, words, why in REASONS:
        if row["source"].startswith(source) and words in row["notes"]:
            return why
    return "unknown"


def worst_section(found):
    text = "\n## The worst ten\n\n| row | accelerator | model | devices | error | probably |\n|---|---|---|---|---|---|\n"
    for row, error, _ in sorted(found, key=lambda item: -abs(math.log1p(item[1])))[:10]:
        text += (f"| {row['id']} | {row['accelerator']} | {row['model']} | {row['devices']} | {error:+.0%} | "
                 f"{reason(row)} |\n")
    return text


def memory_section(found):
    large = [row for row, _, is_rejected in found if is_rejected]
    text = f"\n## Memory\n\n{len(large)} of {len(found)} rows that ran are called too large ({len(large) / len(found):.1%}):\n\n"
    text += "| row | accelerator | model | devices | recompute | sharding |\n|---|---|---|---|---|---|\n"
    for row in large:
        text += f"| {row['id']} | {row['accelerator']} | {row['model']} | {row['devices']} | {row['recompute'] or 'not stated'} | {row['sharding'] or 'not stated'} |\n"
    return text + ("\nOf ten published configurations that ran out of memory eight are called too large; the other two need 0.82 and\n"
                   "0.85 of the memory by this accounting.\n")


def reported_memory(row):
    """Bytes of a device, or nothing."""
    if row.get("memory_peak_allocated_bytes"):
        return float(row["memory_peak_allocated_bytes"])
    return float(row["memory_reported_gib"]) * 2**30 if row.get("memory_reported_gib") else None


def reported_memory_section(results):
    groups = collections.defaultdict(list)
    for table, result, notes in results:
        rows = {row["id"]: row for row in read_csv(table)}
        with h5py.File(result) as file:
            used = file["memory_used"][...]
        for point, name in sorted(points_of(notes).items()):
            row, reported = rows[name], reported_memory(rows[name])
            if reported:
                groups[row["source"], row["accelerator"]].append(used[point] / reported - 1)
    text = REPORTED + "| source | accelerator | rows | median | 90th percentile | signed median |\n|---|---|---|---|---|---|\n"
    peaks = [error for (source, _), errors in groups.items() if source.startswith("mlperf-") for error in errors]
    everything = [error for errors in groups.values() for error in errors]
    for key, errors in [*sorted(groups.items()), (("MLPerf", ""), peaks), (("all", ""), everything)]:
        sizes = [abs(error) for error in errors]
        text += (f"| {' | '.join(key)} | {len(errors)} | {quantile(sizes, 0.5):.1%} | {quantile(sizes, 0.9):.1%} | "
                 f"{statistics.median(errors):+.1%} |\n")
    return text


def left_out_section(notes):
    reasons = collections.Counter(note["reason"].removeprefix("cannot be expressed: ") for note in notes
                                  if not note["point"])
    text = "\n## Rows that cannot be expressed\n\n| why | rows |\n|---|---|\n"
    return text + "".join(f"| {why} | {count} |\n" for why, count in sorted(reasons.items()))


def torus_of(system):
    return "2d-torus" if system in ("tpu-v5e", "tpu-v6e") else "3d-torus"


def tori_section(program, folder, found, notes):
    """Rows of TPU once more, on the tori that their pods are."""
    points = read_csv(STUDY.with_suffix(".csv"))
    for point in points:
        point["topology"] = torus_of(point["system"]) if point["system"].startswith("tpu") else ""
        if point["model"].startswith("models/"):
            point["model"] = str(STUDY.parent / point["model"])
    with open(folder / "tori.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, points[0])
        writer.writeheader()
        writer.writerows(points)
    sweep = folder / "tori.toml"
    sweep.write_text(STUDY.read_text().replace(STUDY.with_suffix(".csv").name, "tori.csv"))
    joined = {row["id"]: abs(error) for row, error, _ in predictions(run(program, sweep, folder / "tori"), notes)}
    text = TORI + "| accelerator | rows | switch: median | 90th percentile | torus: median | 90th percentile |\n|---|---|---|---|---|---|\n"
    groups = collections.defaultdict(list)
    for row, error, _ in found:
        if row["accelerator"].startswith("TPU"):
            groups[row["accelerator"]].append((abs(error), joined[row["id"]]))
    groups["all"] = [pair for pairs in list(groups.values()) for pair in pairs]
    for name, pairs in sorted(groups.items()):
        cells = [f"{quantile([pair[side] for pair in pairs], share):.1%}" for side in (0, 1) for share in (0.5, 0.9)]
        text += f"| {name} | {len(pairs)} | {' | '.join(cells)} |\n"
    return text + WHY_NO_TORI


def batch_law_of(row):
    return "llama2-70b-adapters" if row["model"] == "llama2-70b" else row["model"]


def quality_section(program, folder, notes):
    """Rows of MLPerf once more, with the samples that their model takes to its target."""
    rows = {row["id"]: row for row in read_csv(MLPERF_ROWS)}
    names = points_of(notes)
    points = read_csv(MLPERF_STUDY.with_suffix(".csv"))
    for index, point in enumerate(points):
        point["batch_law"] = batch_law_of(rows[names[index]])
        if point["model"].startswith("models/"):
            point["model"] = str(MLPERF_STUDY.parent / point["model"])
    with open(folder / "quality.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, points[0])
        writer.writeheader()
        writer.writerows(points)
    sweep = folder / "quality.toml"
    sweep.write_text(MLPERF_STUDY.read_text().replace(MLPERF_STUDY.with_suffix(".csv").name, "quality.csv"))
    errors = collections.defaultdict(list)
    with h5py.File(run(program, sweep, folder / "quality")) as file:
        column = {name: file[name][...] for name in ("step_time", "samples_to_target", "time_to_target", "time_to_target_low",
                                                     "time_to_target_high")}
    inside = []
    for index, name in sorted(names.items()):
        row, time = rows[name], column["time_to_target"][index]
        if not row["time_to_train_s"] or math.isnan(time):
            continue
        measured = float(row["time_to_train_s"])
        of_step = float(row["step_time_s"]) / column["step_time"][index]
        for model in ("all", batch_law_of(row)):
            errors["samples to the target", model].append(abs(column["samples_to_target"][index] / float(row["samples_to_target"]) - 1))
            errors["time, with the measured step", model].append(abs(time * of_step / measured - 1))
            errors["time, with the predicted step", model].append(abs(time / measured - 1))
        inside.append(float(column["time_to_target_low"][index] <= measured <= column["time_to_target_high"][index]))
    text = QUALITY + "| | model | rows | mean | median | 90th percentile |\n|---|---|---|---|---|---|\n"
    for (what, model), sizes in sorted(errors.items(), key=lambda item: (item[0][0], item[0][1] != "all", item[0][1])):
        text += (f"| {what} | {model} | {len(sizes)} | {statistics.mean(sizes):.1%} | {quantile(sizes, 0.5):.1%} | "
                 f"{quantile(sizes, 0.9):.1%} |\n")
    return text + (f"\n{statistics.mean(inside):.0%} of the runs are between `time_to_target_low` and `time_to_target_high`, which should hold "
                   "95 % of them.\n")


CONTEXT_ROW = "t-llama3-paper-003"


def context_section(result, notes):
    """The row whose sequences are shared by 16 devices: two readings of its FLOP, and what is predicted."""
    row = next(row for row in read_csv(ROWS) if row["id"] == CONTEXT_ROW)
    point = next(point for point, name in points_of(notes).items() if name == CONTEXT_ROW)
    with h5py.File(result) as file:
        seconds = {name: float(file[name][point]) for name in (
            "step_time", "forward_time", "backward_time", "context_comm_time", "bubble_time")}
    tokens = int(row["sequence_length"]) * int(row["global_batch"]) / int(row["devices"])
    causal, full = (tokens * float(row[f"flops_per_token_{kind}"]) / (float(row["tflops_per_device"]) * 1e12)
                    for kind in ("causal", "full"))
    return (f"""
## A sequence shared by 16 devices

`{CONTEXT_ROW}`, 405B with `context_parallel = 16` on {row["devices"]} H100, states {row["tflops_per_device"]} TFLOP/s of a device,
and not whether masked pairs of scores are counted. Without them, as this page takes it, its step took {causal:.1f} s, with them
{full:.1f} s; {seconds["step_time"]:.1f} s are predicted. No term of the exchange of keys can bring it nearer: its visible time is
{seconds["context_comm_time"]:.1f} s, computing takes {seconds["forward_time"] + seconds["backward_time"]:.1f} s and the pipeline's bubble {seconds["bubble_time"]:.1f} s, and the
time of attention is that of rows of long sequences whose time is stated.
""")


def main(program, update):
    with tempfile.TemporaryDirectory() as folder:
        results, found, stale, all_notes = [], [], [], []
        for table, study in ((ROWS, STUDY), (MLPERF_ROWS, MLPERF_STUDY)):
            points, outdated = import_measured(program, table, folder, study, update)
            notes = read_csv(points.with_suffix(".notes.csv"))
            result = run(program, study, pathlib.Path(folder) / study.stem)
            results.append((table, result, notes))
            stale += outdated
            all_notes += notes
            found += predictions(result, notes, table)
        reported = reported_memory_section(results)
        earlier = [item for item in found if not is_mlperf(item[0])]
        tori = tori_section(program, pathlib.Path(folder), earlier, results[0][2])
        quality = quality_section(program, pathlib.Path(folder), results[1][2])
        context = context_section(results[0][1], results[0][2])
    page = (INTRODUCTION + errors_section(found) + plot_section(found) + worst_section(found) + context +
            memory_section(found) + reported + quality + tori + left_out_section(all_notes))
    if update:
        PAGE.write_text(page)
        return 0
    if PAGE.read_text() != page:
        stale.append(PAGE.name)
    for name in stale:
        print(f"{name} is stale: tests/golden/measured.py {program} --update")
    return 1 if stale else 0


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    sys.exit(main(arguments[0], "--update" in sys.argv))
