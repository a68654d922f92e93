"""docs/measured-energy.md: watts and joules of serving against measured ones: usage:
measured_energy.py PROGRAM [--update | --rows ROWS.csv].

Without an option it fails where the page is stale. With --rows it prints the tables for other rows with the same columns.
Needs scipy and h5py.
"""
import collections
import csv
import math
import pathlib
import re
import sys
import tempfile
import tomllib

try:
    import h5py
    import numpy
    from scipy.optimize import least_squares
except ImportError:
    print(f"skipped: {sys.executable} has no scipy and h5py")
    sys.exit(77)

from program import SOURCE, run

ROWS = SOURCE / "sweeps" / "measured" / "energy.csv"
LOAD_ROWS = SOURCE / "sweeps" / "measured" / "serving-load.csv"
PAGE = SOURCE / "docs" / "measured-energy.md"
CATALOGUE = SOURCE / "sweeps" / "catalogue" / "models"
SOFTWARE = SOURCE / "sweeps" / "catalogue" / "software"
MODELS = {  # start of model_id -> entry of the catalogue; the longest start that fits counts
    "Qwen/Qwen3-235B-A22B": "qwen3-235b-a22b", "Qwen/Qwen3-30B-A3B": "qwen3-30b-a3b",
    "Qwen/Qwen3-Coder-30B-A3B": "qwen3-30b-a3b", "Qwen/Qwen3-32B": "qwen3-32b", "deepseek-ai/DeepSeek-V3.1": "deepseek-v3",
    "google/gemma-3-12b": "gemma3-12b", "meta-llama/Llama-3.1-405B": "llama3.1-405b", "meta-llama/Llama-3.1-70B": "llama3-70b",
    "meta-llama/Llama-3.1-8B": "llama3.1-8b", "meta-llama/Llama-4-Scout": "llama4-scout",
    "meta-llama/Llama-4-Maverick": "llama4-maverick", "openai/gpt-oss-120b": "gpt-oss-120b", "openai/gpt-oss-20b": "gpt-oss-20b"}
SIZES = {  # models that the catalogue lacks, by their published configurations
    "Qwen/Qwen3-14B": {"hidden": 5120, "heads": 40, "head_dim": 128, "key_value_heads": 8, "ffn_hidden": 17408,
                       "layers": 40, "vocabulary": 151936},
    "google/gemma-3-27b": {"hidden": 5376, "heads": 32, "head_dim": 128, "key_value_heads": 16, "ffn_hidden": 21504,
                           "layers": 62, "vocabulary": 262144, "window": 1024, "windowed_layers": 0.8333},
    "Qwen/Qwen3-Coder-480B-A35B": {"hidden": 6144, "heads": 96, "head_dim": 128, "key_value_heads": 8, "ffn_hidden": 8192,
                                   "layers": 62, "vocabulary": 151936, "experts": 160, "experts_per_token": 8,
                                   "expert_ffn_hidden": 2560}}
PROMPTS = {"lm-arena-chat": 250, "gpqa": 270, "sourcegraph-fim": 1000}  # assumed: the rows do not say
CHAT = ("lm-arena-chat", "gpqa")
SYSTEMS = {"H100": "dgx-h100", "B200": "dgx-b200"}
LIMIT = {"H100": 700, "B200": 1000}
IDLE = {"H100": 0.16, "B200": 0.20}
BANDWIDTH = {"H100": 3.35e12, "B200": 8e12}
PEAK = {"H100": {2: 989.4e12, 1: 1978.9e12, 0.53125: 989.4e12}, "B200": {2: 2250e12, 1: 4500e12, 0.53125: 9000e12}}
WEIGHT = {"bfloat16": 2, "fp8": 1, "mxfp4": 0.53125}
# In which vllm-energy differs from vllm.
HOST = ("sequence_time", "layer_time", "expert_layer_time", "expert_layer_8bit", "fixed_time")
SKEW = 1.93  # of the popularity of experts, as in the entry vllm
# Constants of cost::ServingPower, and those without a fit with their spreads in the logarithm.
SHIPPED = {"active": 0.335, "narrow": 2.5, "bytes": 0.34, "flop": 3.3, "prompt": 0.98, "layer": 28e-6, "expert_layer": 82e-6,
           "routed": 0.15e-9}
STARTS = {"active": (0.25, 0.3), "narrow": (2, 0.5), "bytes": (0.35, 0.3), "flop": (3, 0.5), "prompt": (0.95, 0.05),
          "layer": (25e-6, 0.5), "expert_layer": (70e-6, 0.7), "routed": (0.05e-9, 1)}

# `narrow`: share of the bandwidth of weights of experts in 8 and 4 bits; `routed`: numbers of rows of experts.
Row = collections.namedtuple(
    "Row", "model accelerator watts limit idle bytes narrow flop prompts layers expert_layers routed step")


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def named(table, model_id):
    starts = [start for start in table if model_id.startswith(start)]
    return table[max(starts, key=len)] if starts else None


def sizes_of(model_id):
    entry = named(MODELS, model_id)
    if entry is None:
        return named(SIZES, model_id)
    fields = tomllib.loads((CATALOGUE / f"{entry}.toml").read_text())
    return {name: field["value"] for name, field in fields.items() if isinstance(field, dict)}


def served(m):
    """(attention, dense networks, experts) in numbers of weights, cache numbers of a token, layers with experts."""
    layers, hidden, heads = m["layers"], m["hidden"], m["heads"]
    if "key_value_rank" in m:
        query, kept, rotary = m["query_rank"], m["key_value_rank"], m["rotary_head_dim"]
        attention = (hidden * query + query * heads * (m["plain_head_dim"] + rotary) + hidden * (kept + rotary) +
                     kept * heads * (m["plain_head_dim"] + m["value_head_dim"]) + heads * m["value_head_dim"] * hidden)
        cache = layers * (kept + rotary)
    else:
        attention = hidden * m["head_dim"] * (2 * heads + 2 * m["key_value_heads"])
        cache = layers * 2 * m["key_value_heads"] * m["head_dim"]
    expert_layers = layers - m.get("dense_layers", 0) if "experts" in m else 0
    dense = ((layers - expert_layers) * 3 * hidden * m["ffn_hidden"] +
             expert_layers * (3 * hidden * m.get("shared_ffn_hidden", 0) + hidden * m.get("experts", 0)))
    experts = expert_layers * m.get("experts", 0) * 3 * hidden * m.get("expert_ffn_hidden", 0)
    return layers * attention, dense, experts, cache, expert_layers


def row_of(line):
    """The shares of bandwidth and peak of the measured rate."""
    m = sizes_of(line["model_id"])
    attention, dense, experts, cache, expert_layers = served(m)
    devices, batch = float(line["num_gpus"]), float(line["avg_batch_size"])
    every = batch / float(line["output_throughput_tokens_per_sec"])  # s of a token, prompts included
    step = min(float(line["median_itl_ms"]) / 1e3, every)
    weight = WEIGHT[line["weight_precision"]]
    is_8bit = weight <= 1
    k, count = m.get("experts_per_token", 0), m.get("experts", 1)
    touched = 1 - (1 + batch * k / (count * SKEW)) ** -SKEW if k else 0
    context = PROMPTS[line["task"]] + float(line["avg_output_len"]) / 2
    read = context if "window" not in m else (
        m["windowed_layers"] * min(context, m["window"]) + (1 - m["windowed_layers"]) * context)
    attention_weight = 2 if weight < 1 else weight
    heads_kept = 1 if "key_value_rank" in m else m["key_value_heads"] / math.ceil(m["key_value_heads"] / devices)
    output = m["hidden"] * m["vocabulary"]
    moved = ((attention * attention_weight + dense * weight + 2 * output + experts * weight * touched) / devices +
             batch * read * cache * (1 if is_8bit else 2) / heads_kept)
    flop = 2 * batch * (attention + dense + experts * k / count + output)
    accelerator = line["gpu_model"]
    second = step * BANDWIDTH[accelerator]
    return Row(line["model_id"], accelerator, float(line["avg_power_watts"]) / devices, LIMIT[accelerator], IDLE[accelerator],
               moved / second,
               experts * weight * touched / devices / second if is_8bit else 0.0,
               flop / (step * devices * PEAK[accelerator][weight]), 1 - step / every, m["layers"] - expert_layers,
               expert_layers, expert_layers * batch * k * m["hidden"], step)


def below_one(x, exponent=8):
    return x / (1 + x**exponent) ** (1 / exponent)


def watts(row, c):
    """Of a row, or of rows whose fields are arrays."""
    kernels = (row.layers * c["layer"] + row.expert_layers * c["expert_layer"] + row.routed * c["routed"]) / row.step
    moved = row.bytes + (c["narrow"] - 1) * row.narrow
    busy = below_one(moved / 0.85 + row.flop / 0.6 + kernels, 4)
    step = row.idle + c["active"] * busy + c["bytes"] * moved + c["flop"] * row.flop
    return row.limit * below_one((1 - row.prompts) * step + row.prompts * c["prompt"])


def fitted(rows, fixed):
    """All constants; those of `fixed` have its values."""
    names = [name for name in STARTS if name not in fixed]
    start = numpy.log([STARTS[name][0] for name in names])
    spread = numpy.array([STARTS[name][1] for name in names])
    every = Row(*map(numpy.array, zip(*rows)))
    count = collections.Counter(row.model for row in rows)
    weight = numpy.array([count[row.model] for row in rows]) ** -0.25 / 0.12

    def constants(logs):
        return {**dict(zip(names, numpy.exp(logs))), **fixed}

    def residuals(logs):
        return numpy.concatenate([numpy.log(watts(every, constants(logs)) / every.watts) * weight, (logs - start) / spread])
    return constants(least_squares(residuals, start, loss="soft_l1").x)


def left_out(rows, group, fixed={}):
    found = {}
    for name in sorted({group(row) for row in rows}):
        constants = fitted([row for row in rows if group(row) != name], fixed)
        found.update({row: watts(row, constants) for row in rows if group(row) == name})
    return [(row.watts, found[row]) for row in rows]


def cells(pairs):
    sizes = sorted(abs(predicted / measured - 1) for measured, predicted in pairs)
    ratio = numpy.median([predicted / measured for measured, predicted in pairs])
    return f"{len(sizes)} | {100 * numpy.mean(sizes):.1f} | {100 * numpy.median(sizes):.1f} | " \
           f"{100 * sizes[int(0.9 * (len(sizes) - 1))]:.0f} | {ratio:.2f}"


def table(lines):
    text = "| | rows | mean | median | 90th percentile | median of predicted / measured |\n|---|---|---|---|---|---|\n"
    return text + "".join(f"| {name} | {cells(pairs)} |\n" for name, pairs in lines if pairs)


def measured_section(lines):
    rows = [row_of(line) for line in lines if line["task"] in PROMPTS and sizes_of(line["model_id"])]
    starts = {name: start for name, (start, _) in STARTS.items()}
    share = numpy.mean([row.watts / row.limit for row in rows])
    text = "\n## Watts of a device, from measured rates\n\n" + table([
        ("a device at its limit", [(row.watts, row.limit) for row in rows]),
        (f"{100 * share:.0f} % of the limit", [(row.watts, share * row.limit) for row in rows]),
        ("**shipped constants**", [(row.watts, watts(row, SHIPPED)) for row in rows]),
        ("nothing fitted", [(row.watts, watts(row, starts)) for row in rows]),
        ("fitted, model left out", left_out(rows, lambda row: row.model)),
        ("the same without `routed`", left_out(rows, lambda row: row.model, {"routed": 0.0})),
        ("the same without `narrow`", left_out(rows, lambda row: row.model, {"narrow": 1.0})),
        ("fitted, accelerator left out", left_out(rows, lambda row: row.accelerator)),
        ("the same without `routed`", left_out(rows, lambda row: row.accelerator, {"routed": 0.0})),
        ("the same without `narrow`", left_out(rows, lambda row: row.accelerator, {"narrow": 1.0}))])
    text += "\nShipped constants, by accelerator and by kind of model:\n\n"
    cuts = [(name, [row for row in rows if row.accelerator == name]) for name in SYSTEMS]
    cuts += [("dense", [row for row in rows if not row.expert_layers]), ("experts", [row for row in rows if row.expert_layers])]
    return text + table([(name, [(row.watts, watts(row, SHIPPED)) for row in cut]) for name, cut in cuts])


def write_points(path, cases):
    columns = ["model", "system", "device_count", "tensor_parallel", "batch", "prompt_tokens", "output_tokens", "precision",
               "weight_precision", "attention_precision", "software"]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for line, software in cases:
            kept = {"bfloat16": "bf16", "fp8": "fp8", "mxfp4": "fp4"}[line["weight_precision"]]
            products = "bf16" if kept == "fp4" and line["gpu_model"] == "H100" else kept
            attention = "bf16" if kept == "fp4" else kept
            writer.writerow([named(MODELS, line["model_id"]), SYSTEMS[line["gpu_model"]], line["num_gpus"],
                             line["num_gpus"], max(1, round(float(line["avg_batch_size"]))), PROMPTS[line["task"]],
                             max(2, round(float(line["avg_output_len"]))), products, kept, attention, software])


def software_entry(name, constants):
    """The entry vllm with other host times."""
    text = re.sub('^name .*', f'name = "{name}"', (SOFTWARE / "vllm.toml").read_text(), flags=re.M)
    for field, seconds in constants.items():
        text = re.sub(f'^({field} *= {{ value = )"[^"]*"', f'\\g<1>"{1e6 * seconds:.9g} us"', text, flags=re.M)
    return text


def same_loads(lines):
    """Ratios of the time of a token here and under tuned launch scripts, of the same model, machine and requests at once."""
    tuned = collections.defaultdict(list)
    for row in read_rows(LOAD_ROWS):
        if row["framework"] == "vllm" and row["disaggregated"] == "no" and row["consistent"] == "yes":
            key = row["model"], row["system"], row["weight_precision"], float(row["devices"]), float(row["concurrency"])
            tuned[key].append(1e3 * float(row["time_per_output_token_s"]))
    ratios = collections.defaultdict(list)
    for line in lines:
        kept = {"bfloat16": "bf16", "fp8": "fp8", "mxfp4": "fp4"}[line["weight_precision"]]
        devices, requests = float(line["num_gpus"]), float(line["max_num_seqs"])
        key = named(MODELS, line["model_id"]), SYSTEMS[line["gpu_model"]], kept, devices, requests
        if key in tuned:
            ratios[key[:2] + (devices,)].append((requests, float(line["median_itl_ms"]) / numpy.median(tuned[key])))
    text = "\n| model | system | devices | requests at once | time of a token over that of tuned scripts |\n|---|---|---|---|---|\n"
    for (model, system, devices), found in sorted(ratios.items()):
        requests, sizes = zip(*sorted(found))
        text += f"| {model} | `{system}` | {devices:.0f} | {', '.join(f'{one:.0f}' for one in requests)} | " \
                f"{', '.join(f'{one:.2f}' for one in sizes)} |\n"
    return text


def host_times(name):
    """Of a shipped entry, in s."""
    fields = tomllib.loads((SOFTWARE / f"{name}.toml").read_text())
    values = {field: fields[field]["value"].split() for field in HOST}
    return {field: float(number) * {"us": 1e-6, "ms": 1e-3}[unit] for field, (number, unit) in values.items()}


def estimates(program, cases, entries=None):
    """Metrics of (line, software); `entries` are further entries of software: name -> text."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "catalogue" / "software").mkdir(parents=True)
        for name, text in (entries or {}).items():
            (folder / "catalogue" / "software" / f"{name}.toml").write_text(text)
        write_points(folder / "points.csv", cases)
        study = folder / "energy.toml"
        study.write_text('[sweep]\nname = "energy"\nestimator = "serving"\n[points]\nfile = "points.csv"\n')
        with h5py.File(run(program, study, folder / "run", "--catalogue", str(folder / "catalogue"))) as file:
            return {name: file[name][...] for name in ("device_average_power", "device_energy_per_token", "token_rate")}


def measured_rates(lines):
    return numpy.array([float(line["output_throughput_tokens_per_sec"]) for line in lines])


def token_slopes(program, lines):
    """Seconds of a token with the host times of vllm, and what they gain with each of these times, which is linear."""
    base = host_times("vllm")
    entries = {"base": software_entry("base", base)}
    for field in HOST:
        entries[field] = software_entry(field, {**base, field: 2 * base[field]})
    cases = [(line, name) for name in entries for line in lines]
    seconds = (1 / estimates(program, cases, entries)["token_rate"]).reshape(len(entries), len(lines))
    return seconds[0], numpy.array([(seconds[1 + i] - seconds[0]) / base[field] for i, field in enumerate(HOST)])


def fitted_host(lines, rates, seconds, slopes):
    base = host_times("vllm")
    start = numpy.log([base[field] for field in HOST])
    runs = collections.Counter((line["model_id"], line["gpu_model"]) for line in lines)
    weight = numpy.array([runs[line["model_id"], line["gpu_model"]] ** -0.25 for line in lines]) / 0.15

    def residuals(logs):
        changes = numpy.exp(logs) - numpy.exp(start)
        return numpy.concatenate([numpy.log((seconds + changes @ slopes) * rates) * weight, (logs - start) / 0.7])
    return dict(zip(HOST, numpy.exp(least_squares(residuals, start, loss="soft_l1").x)))


def host_left_out(program, lines, group):
    """Estimates of every line with host times fitted to the lines of other groups."""
    rates = measured_rates(lines)
    seconds, slopes = token_slopes(program, lines)
    entries, cases = {}, []
    groups = [group(line) for line in lines]
    for name in sorted(set(groups)):
        kept = numpy.array([other != name for other in groups])
        constants = fitted_host([line for line, keep in zip(lines, kept) if keep], rates[kept], seconds[kept], slopes[:, kept])
        entries[f"without-{name.lower()}"] = software_entry(f"without-{name.lower()}", constants)
    cases = [(line, f"without-{name.lower()}") for line, name in zip(lines, groups)]
    return estimates(program, cases, entries)


def fault_table(lines, found, measured, devices):
    """Joules with one of watts and rate replaced by the measured one, and where the rest of the error is."""
    joules, watts_measured, rates = (measured[name] for name in ("device_energy_per_token", "device_average_power", "token_rate"))
    formed = numpy.array([watts(row_of(line), SHIPPED) for line in lines])
    text = "\nWhich of the two is at fault: `device_energy_per_token` where the other is measured:\n\n" + table(
        [(f"watts of {name}, measured rate", list(zip(joules, each["device_average_power"] * devices / rates))) for name, each in found]
        + [(f"measured watts, rate of {name}", list(zip(joules, watts_measured * devices / each["token_rate"]))) for name, each in found]
        + [("watts of the formula at the measured rate, measured rate", list(zip(joules, formed * devices / rates)))])
    errors = abs(found[-1][1]["device_energy_per_token"] / joules - 1)
    runs = collections.defaultdict(list)
    for i, line in enumerate(lines):
        runs[line["model_id"].split("/")[1], line["weight_precision"], line["gpu_model"], line["num_gpus"]].append(i)
    largest = sorted(runs, key=lambda run: -sum(errors[runs[run]]))[:6]
    text += f"\nThe runs of {len(runs)} configurations that add most to the mean error of joules of {found[-1][0].strip('*')}, with medians of predicted / measured:\n\n"
    text += "| model | weights | devices | rows | share of the error | rate | watts | watts of the formula at the measured rate |\n|---|---|---|---|---|---|---|---|\n"
    for run in largest:
        at = runs[run]
        ratios = [found[-1][1]["token_rate"][at] / rates[at], found[-1][1]["device_average_power"][at] / watts_measured[at],
                  formed[at] / watts_measured[at]]
        text += f"| {run[0]} | {run[1]} | {run[3]} {run[2]} | {len(at)} | {100 * sum(errors[at]) / sum(errors):.0f} % | " + \
                " | ".join(f"{numpy.median(one):.2f}" for one in ratios) + " |\n"
    return text + REST


BANDS = ((1, 16), (17, 64), (65, 256), (257, 10 ** 6))  # requests at once


def rate_table(lines, found, rates):
    """Where the token rate is off: by kind of model, its format and requests at once."""
    text = "\nWhere the rate is off, medians of predicted / measured token rate by requests at once:\n\n| entry | models |"
    text += "".join(f" {low} to {high} |" if high < 10 ** 6 else f" more than {low - 1} |" for low, high in BANDS)
    text += "\n|---|---|" + "---|" * len(BANDS) + "\n"
    batches = numpy.array([float(line["avg_batch_size"]) for line in lines])
    dense = numpy.array([row_of(line).expert_layers == 0 for line in lines])
    wide = numpy.array([line["weight_precision"] == "bfloat16" for line in lines])
    for name, each in found:
        for kind, rows in (("dense", dense), ("experts, 16 bits", ~dense & wide), ("experts, 8 and 4 bits", ~dense & ~wide)):
            text += f"| {name} | {kind} |"
            for low, high in BANDS:
                part = rows & (batches >= low - 0.5) & (batches < high + 0.5)
                ratio = numpy.median((each["token_rate"] / rates)[part]) if part.any() else None
                text += f" {ratio:.2f} ({part.sum()} rows) |" if part.any() else " |"
            text += "\n"
    return text


def program_section(program, lines):
    lines = [line for line in lines if line["task"] in CHAT and named(MODELS, line["model_id"])]
    fits = numpy.isfinite(estimates(program, [(line, "vllm") for line in lines])["token_rate"])
    lines = [line for line, fit in zip(lines, fits) if fit]
    found = [("`vllm`", estimates(program, [(line, "vllm") for line in lines])),
             ("**`vllm-energy`**", estimates(program, [(line, "vllm-energy") for line in lines])),
             ("fitted, model left out", host_left_out(program, lines, lambda line: named(MODELS, line["model_id"]))),
             ("fitted, accelerator left out", host_left_out(program, lines, lambda line: line["gpu_model"]))]
    devices = numpy.array([float(line["num_gpus"]) for line in lines])
    watts_measured = numpy.array([float(line["avg_power_watts"]) for line in lines]) / devices
    rates = measured_rates(lines)
    measured = {"token_rate": rates, "device_average_power": watts_measured,
                "device_energy_per_token": watts_measured * devices / rates}
    text = "\n## Watts and joules from the program's own rates\n"
    for metric, title in (("token_rate", "Token rate"), ("device_average_power", "`device_average_power`"),
                          ("device_energy_per_token", "`device_energy_per_token`")):
        text += f"\n{title}:\n\n" + table([(name, list(zip(measured[metric], each[metric]))) for name, each in found])
    text += rate_table(lines, found[:2], rates)
    vllm, fitted = host_times("vllm"), host_times("vllm-energy")
    text += fault_table(lines, found[:2], measured, devices)
    text += "\n| host time | `vllm` | `vllm-energy` |\n|---|---|---|\n" + "".join(
        f"| `{field}` | {1e6 * vllm[field]:.3g} us | {1e6 * fitted[field]:.3g} us |\n" for field in HOST)
    return text + OWN_RATES + same_loads(lines) + SHARED_NODES


INTRODUCTION = """# Measured energy of serving

How far average watts and joules per token of the estimator `serving` are from measured ones. The rows are `sweeps/measured/energy.csv`:
language models on 1 to 8 H100 or B200, measured at the devices. `tests/golden/measured_energy.py --update` writes this page.

With u_b the share of the memory bandwidth and u_f that of the peak that decode steps reach, phi the share of time of prompts, T the time of a
step, L layers and R the numbers in the rows that experts of all layers take (hidden size, for each token and each of its experts)

    watts = limit min_8(1, (1 - phi) (idle + active busy + bytes u_b + flop u_f) + phi prompt)
    busy  = min_4(1, u_b / 0.85 + u_f / 0.6 + (L kernel + R routed) / T)          min_e(1, x) = x / (1 + x^e)^(1/e)

Time in which a deployment has no request counts as idle. Constants are fields of entries of `software` (`power_active` and others); `idle_power`
and `power_limit` those of systems. `watts_source` is `measured` where a system has an `idle_power`. The constants were fitted to rows of text,
those of this page among them; the lines "left out" fit all of them again without a model or an accelerator. Errors are |predicted /
measured - 1| in per cent.

Kernels of experts in 8 and 4 bits expand and scale weights: in u_b a byte of such weights counts `power_narrow` times. Kernels that gather
rows for experts, weigh them and add them up keep a device busy that computes little: `power_routed_time` is their time for each number of such a row.
"""

OWN_RATES = """
`vllm` was fitted to runs of tuned launch scripts by up to some hundred users, and is too fast for these rows: where both sources have the
same model, machine and number of requests, tokens take longer here (table below), so that no column tells the two apart. The error
grows with requests and with layers of experts, and is least for dense models by few requests (table above). `vllm` is for
tuned deployments, `vllm-energy` for ones like these. What is missing is time of the host: for each sequence of a step, whose tokens are
streamed one by one (a batch of 1000 waits some 40 ms), and for each layer, most of all where kernels of experts scale blocks of 8 bits. Such
times are added to those of the device: with a time of a step and one of a sequence, left-out models are 25 % off where they add up, and
30 % where device and host overlap. The entry `vllm-energy` is `vllm` with five host times that
were fitted to the measured rates, of rows of all models together, and nothing else: no
number of it is about watts. The lines "left out" fit the five times without a model or an accelerator and predict its rows.
"""

REST = """
With `vllm` the rate is at fault, with `vllm-energy` rate and watts alike. What is left has no common cause: DeepSeek-V3.1 takes longer,
Qwen3-30B on one B200 waits for its host, and small experts on one B200 draw less than on one H100.
"""

SHARED_NODES = """
Some rows wait for their host far longer: tokens of Qwen3-32B on one B200 by 8 requests take 14 ms in chats and 44 ms in questions, and
vary by half. Such rows share a node with others, as far as can be told, and no constant says which.
"""

LIMITS = f"""
## What the rows do not say

* Lengths of prompts: assumed as {PROMPTS["lm-arena-chat"]} tokens of chats, {PROMPTS["gpqa"]} of questions and {PROMPTS["sourcegraph-fim"]} of code. `1 - median_itl / (batch / throughput)` is the share of prompts.
* Degrees: `num_gpus` is taken as tensor parallelism; models with experts may have used others.
* The engine: vLLM as far as known. Rows of images and videos wait for processors and are left out, as are models of unknown sizes.
* Watts vary little: a constant share of the limit is not far off. Only errors well below that say anything.
* Watts of training are those of measured operators of H200, B200 and GB200 with the shares of a step; no measured watts of whole steps are at
  hand. Exchanges and processors were not measured: the rest of a node draws its nameplate power.
"""


def main(program, option):
    lines = read_rows(option if option not in (None, "--update") else ROWS)
    tables = measured_section(lines) + program_section(program, lines)
    if option not in (None, "--update"):
        print(tables)
        return 0
    page = INTRODUCTION + tables + LIMITS
    if option == "--update":
        PAGE.write_text(page)
        return 0
    if PAGE.exists() and PAGE.read_text() == page:
        return 0
    print(f"{PAGE.name} is stale: tests/golden/measured_energy.py {program} --update")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[-1] if len(sys.argv) > 2 else None))
