"""docs/measured.md from a run of the study of measured training steps: usage: measured.py PROGRAM [--update].

Without --update it fails where the page, or the point list of the study, is stale. Needs h5py.
"""
import collections
import csv
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import h5py

from program import SOURCE, run

ROWS = SOURCE / "sweeps" / "measured" / "training.csv"
STUDY = SOURCE / "sweeps" / "studies" / "measured-training.toml"
PAGE = SOURCE / "docs" / "measured.md"

INTRODUCTION = """# Measured training steps

How far the estimator `training` under its convention `physical` is from published measurements. The rows are
`sweeps/measured/training.csv`, each with its address; `sweeps/studies/measured-training.toml` predicts them with the shipped
systems and software stacks, and `tests/golden/measured.py --update` writes this page from the result. No number is tuned
for a row. Efficiencies belong to an accelerator and a software stack; those marked "fit" in `sweeps/catalogue/software/`
were fit to these rows together, with one factor for each source that is left out of the prediction.

The error of a row is predicted step time over measured step time, less 1. The measured step time is that of the published
tokens per second and device; else the published step time; else that of the published utilization. Rows whose own figures
contradict one another, and rows of models whose sizes are not published, are left out.

## Left-out sources

The same fit without the rows of one source, then tried on that source, for all sources in turn: median 9.5 % and 90th
percentile 24 % of dense rows, 16 % and 37 % of rows with experts. With numbers of the literature only, before any fit:
11 % and 27 %, 16 % and 42 %.

## What an empty cell becomes

| column | becomes | because |
|---|---|---|
| tensor_parallel, pipeline_parallel | the smallest degrees that fit the memory, tensor first | the usual advice; replicas never outnumber sequences |
| data_parallel | devices over the other degrees | so they multiply |
| virtual_pipeline | the largest divisor of a stage's layers up to 8 for Megatron, else 1 | Megatron interleaves where layers divide |
| micro_batch | 1 with a pipeline (as many micro-batches as stages for PyTorch); all of a replica's batch for XLA; else the largest power of two that fits | defaults of the stacks |
| sharding | parameters for XLA and Gaudi, optimizer for others; parameters where "assumed" optimizer sharding does not fit | defaults of the stacks |
| recompute | the least that fits; at least selective with experts | recipes with experts recompute activations and norms |
| sequence_parallel | 1 but for Megatron before 2023 | default of the stack |
| context_parallel, expert_parallel | 1 | not used where not named |
| head width, latent attention, windows | the entry of the model | the columns do not have them |

Words in other cells decide too: `4 links stated` is four NVLinks, `72-device domain` is one node, `asynchronous tensor
parallel` hides exchanges, `with multi-token prediction` adds a layer and an output layer, `hfu` gives the share of layers
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
]


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def measured_time(row, tokens, devices, peak_time):
    """Seconds; `peak_time`: of the row's causal FLOP at the peak."""
    for column in ("tokens_per_second_per_device", "tokens_per_second_derived"):
        if row[column]:
            return tokens / devices / float(row[column])
    if row["step_time_s"]:
        return float(row["step_time_s"])
    return peak_time / float(row["utilization_causal"])


def predictions(result, notes):
    """(row, error, status) of every row that is a point and consistent."""
    rows = {row["id"]: row for row in read_csv(ROWS)}
    points = {int(note["point"]) - 1: note["id"] for note in notes if note["point"]}
    with h5py.File(result) as file:
        column = {name: file[name][...] for name in ("step_time", "token_rate", "token_rate_per_device",
                                                     "model_flops_utilization", "status")}
    found = []
    for point, name in sorted(points.items()):
        row, time = rows[name], column["step_time"][point]
        if row["consistent"] == "no":
            continue
        tokens = column["token_rate"][point] * time
        devices = column["token_rate"][point] / column["token_rate_per_device"][point]
        measured = measured_time(row, tokens, devices, column["model_flops_utilization"][point] * time)
        found.append((row, time / measured - 1, int(column["status"][point])))
    return found


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def kind(row):
    return "experts" if row["experts"] else "dense"


def errors_section(found):
    text = "\n## Errors\n\n| model | rows | median | 90th percentile |\n|---|---|---|---|\n"
    groups = collections.defaultdict(list)
    for row, error, _ in found:
        groups[kind(row)].append(abs(error))
    for name in ("dense", "experts"):
        text += (f"| {name} | {len(groups[name])} | {quantile(groups[name], 0.5):.1%} | "
                 f"{quantile(groups[name], 0.9):.1%} |\n")
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
        if row["source"] == source and words in row["notes"]:
            return why
    return "unknown"


def worst_section(found):
    text = "\n## The worst ten\n\n| row | accelerator | model | devices | error | probably |\n|---|---|---|---|---|---|\n"
    for row, error, _ in sorted(found, key=lambda item: -abs(math.log1p(item[1])))[:10]:
        text += (f"| {row['id']} | {row['accelerator']} | {row['model']} | {row['devices']} | {error:+.0%} | "
                 f"{reason(row)} |\n")
    return text


def memory_section(found):
    large = [row for row, _, status in found if status]
    text = f"\n## Memory\n\n{len(large)} of {len(found)} rows that ran are called too large ({len(large) / len(found):.1%}):\n\n"
    text += "| row | accelerator | model | devices | recompute | sharding |\n|---|---|---|---|---|---|\n"
    for row in large:
        text += f"| {row['id']} | {row['accelerator']} | {row['model']} | {row['devices']} | {row['recompute'] or 'not stated'} | {row['sharding'] or 'not stated'} |\n"
    return text + ("\nOf ten published configurations that ran out of memory eight are called too large; the other two need 0.82 and\n"
                   "0.85 of the memory by this accounting.\n")


def left_out_section(notes):
    reasons = collections.Counter(note["reason"].removeprefix("cannot be expressed: ") for note in notes
                                  if not note["point"])
    text = "\n## Rows that cannot be expressed\n\n| why | rows |\n|---|---|\n"
    return text + "".join(f"| {why} | {count} |\n" for why, count in sorted(reasons.items()))


def main(program, update):
    with tempfile.TemporaryDirectory() as folder:
        imported = pathlib.Path(folder) / STUDY.with_suffix(".csv").name
        made = imported if not update else STUDY.with_suffix(".csv")
        subprocess.run([program, "import", "measured", str(ROWS.relative_to(SOURCE)), "-o", str(made), "--quiet"], check=True,
                       cwd=SOURCE)
        stale = [] if made.read_bytes() == STUDY.with_suffix(".csv").read_bytes() else [STUDY.with_suffix(".csv").name]
        notes = read_csv(made.with_suffix(".notes.csv"))
        found = predictions(run(program, STUDY, pathlib.Path(folder) / "run"), notes)
    page = (INTRODUCTION + errors_section(found) + plot_section(found) + worst_section(found) + memory_section(found) +
            left_out_section(notes))
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
