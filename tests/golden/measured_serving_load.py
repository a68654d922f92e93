"""docs/measured-serving-load.md from a run of the study of serving under load: usage:
measured_serving_load.py PROGRAM [--update | --rows ROWS.csv].

Without an option it fails where the page, or the point list of the study, is stale, and where a target is missed. With --rows
it prints the tables for other rows with the same columns. Needs h5py.
"""
import collections
import csv
import pathlib
import subprocess
import sys
import tempfile

import h5py

from program import SOURCE, import_measured, run
from serving_load_score import TIMES, Point, Score, grouped, is_client_known, is_core, is_known, is_sound_pool, table

ROWS = SOURCE / "sweeps" / "measured" / "serving-load.csv"
STUDY = SOURCE / "sweeps" / "studies" / "measured-serving-load.toml"
PAGE = SOURCE / "docs" / "measured-serving-load.md"
UNFITTED = "serving-default"  # software of which nothing is fitted
# Errors of core rows whose client is known that the shipped numbers must not exceed.
TARGETS = {"TPOT": (0.11, 0.105), "TTFT": (0.24, 0.17)}
POOL_TARGETS = {"TPOT": (0.13, 0.08), "TTFT": (0.60, 0.50)}  # of separate pools, none of whose rows is fitted
SAME_RUN = 0.02  # by how much token times of one workload differ that are called one measurement

INTRODUCTION = """# Measured serving under load

How far the estimator `serving` with `queueing = "simulated"` is from public benchmarks of servers under load: users who send their next
request when an answer is complete. The rows are `sweeps/measured/serving-load.csv`; `sweeps/studies/measured-serving-load.toml`
predicts them, and `tests/golden/measured_serving_load.py --update` writes this page. [Engines](models/serving-engines.md) has the rules of
the engines, [measured serving](measured-serving.md) rows of batches and queues without users.

## What is compared

TTFT is the time to the first token and TPOT the time per output token, as the client sees them, in means over requests. Figures are in per cent:

* TPOT and TTFT: the mean of |predicted / measured - 1| over all points.
* Shapes: a curve is one configuration in one run, with a point for each number of users. The point of fewest users is the anchor. Every other
  point counts |(predicted / predicted at the anchor) / (measured / measured at the anchor) - 1|; the mean is over these points of all
  curves. Of a repeated number of users one row counts.

Rows that are not predicted are left out of the errors; the tables give the share that is predicted. Core rows have one pool for prompts and
answers, known degrees and figures that do not contradict each other, and were surely measured without speculation. The users of `nvidia-gap`
rows are not known (their lengths, their number of requests, their client), so these rows have tables of their own.

## What is fitted

The numbers of `software = "vllm"`, `"sglang"` and `"trtllm"` were fitted to core rows of this page with up to 300 users, and with a tenth of
their weight to the rows of [measured serving](measured-serving.md). No constant belongs to a row, a model or a system: 19 belong to all
engines (shares of peaks and bandwidths, times of layers and exchanges, bytes, two times of the client), four to each engine (`layer_time`,
`fixed_time`, `client_time`, `first_token_lag`). Rows of separate pools were not fitted, and of `nvidia-gap` rows only TPOT. That the
hand-over of a request between pools takes 0.1 s beside its bytes (`client_handover_time`) was chosen with their first tokens in sight: they
are 63 % off without it, and 59 to 61 % with 0.05 to 0.15 s.

The fit minimises a robust loss of logarithmic errors (quadratic up to 12 % of TPOT and 30 % of TTFT, linear beyond; TTFT at weight 0.45), where
n rows of one system, model and engine have the weight n^-0.35 each, and the distance of the constants from the values without a fit: those
of `serving-default`, with the spreads that `dfsweep calibrate` takes. The weight of queued rows, and that `prompt_layer_time` is not fitted
(rows hardly depend on it), were chosen with left-out rows in sight; so were, before, the rules of the loop. Left-out errors are a little
flattering. Of the values without a fit, three were counted again with these rows in sight; without a fit, TPOT was 15.2 % off and its shape
16.4 %, TTFT 29.9 % and 19.2 % before. `expert_layer_8bit` is four small kernels, not one; `client_token_time` is that of a compiled tokenizer, 1 us
and not 3 us (the shape of TTFT of left-out configurations was 17.1 % before); and the first token of an engine that handles the tokens of
a step while the next one runs leaves a whole step later, not half of one. First tokens of SGLang do not tell a client of 0.15 s from one
of 0.03 s with eleven steps of delay: where `first_token_lag` has the spread 1, the second fits as well, and predicts left-out systems worse.
"""

LEFT_OUT = """
## Errors of rows that the fit has not seen

Core rows whose client is known. Each row is predicted by a fit without its configuration (three folds; all workloads, users and runs of
a configuration are in one), without its system, or without its model; rows of [measured serving](measured-serving.md) of that system or
model are left out with them. `tests/golden/serving_load_fit_test.cpp` computes and holds these figures. Its fits start from the
constants without a fit, so that they have not seen the rows that they predict.

| constants | rows | TPOT | TPOT shape | TTFT | TTFT shape |
|---|---|---|---|---|---|
| nothing fitted | 782 | 14.0 | 14.2 | 28.9 | 18.1 |
| fitted, in sample | 782 | 9.8 | 9.6 | 20.9 | 15.6 |
| configurations left out | 782 | 10.6 | 9.9 | 21.3 | 16.0 |
| one system left out | 782 | 11.8 | 9.5 | 23.1 | 16.4 |
| one model left out | 782 | 16.0 | 11.3 | 23.9 | 16.1 |

Parts of these rows, each cell "TPOT / shape, TTFT / shape" with the configuration, the system or the model left out:

| part | rows | configuration | system | model |
|---|---|---|---|---|
| sglang | 150 | 13.3 / 13.0, 27.5 / 22.8 | 13.9 / 13.2, 29.1 / 22.8 | 17.4 / 12.3, 27.8 / 22.2 |
| tensorrt-llm | 141 | 13.5 / 8.5, 25.2 / 12.5 | 18.2 / 7.7, 30.1 / 13.7 | 20.6 / 7.4, 32.1 / 13.7 |
| vllm | 491 | 8.9 / 9.3, 18.3 / 14.7 | 9.4 / 8.8, 19.2 / 15.1 | 14.3 / 12.0, 20.4 / 14.7 |
| deepseek-v3 | 58 | 16.3 / 15.4, 41.3 / 28.7 | 17.8 / 15.6, 41.4 / 29.6 | 17.7 / 16.2, 41.8 / 28.9 |
| glm-5 | 22 | 8.3 / 11.2, 18.5 / 18.2 | 11.5 / 13.6, 18.0 / 17.6 | 29.3 / 7.0, 16.5 / 16.4 |
| gpt-oss-120b | 134 | 13.3 / 8.6, 14.0 / 11.9 | 18.6 / 6.6, 18.9 / 13.4 | 27.6 / 6.7, 22.2 / 14.8 |
| kimi-k2 | 88 | 8.4 / 10.3, 20.2 / 17.5 | 8.0 / 9.8, 19.7 / 17.2 | 12.6 / 11.7, 22.2 / 17.0 |
| llama3-70b | 97 | 8.6 / 6.9, 25.1 / 9.4 | 8.8 / 6.9, 24.4 / 10.0 | 10.3 / 7.1, 28.8 / 9.8 |
| minimax-m2.5 | 283 | 8.9 / 9.2, 18.3 / 14.9 | 9.2 / 8.9, 20.2 / 15.4 | 12.8 / 13.9, 19.3 / 14.3 |
| qwen3.5-397b-a17b | 100 | 12.9 / 12.5, 26.5 / 20.8 | 13.1 / 12.4, 29.2 / 20.7 | 14.5 / 12.4, 27.4 / 20.3 |
| dgx-b200 | 390 | 10.5 / 9.6, 19.5 / 15.4 | 12.6 / 8.8, 22.4 / 15.8 | 18.3 / 10.7, 23.5 / 15.3 |
| dgx-b300 | 130 | 11.7 / 13.3, 25.3 / 21.9 | 11.9 / 13.3, 26.8 / 21.8 | 13.9 / 16.6, 24.6 / 21.0 |
| dgx-h100 | 60 | 9.2 / 7.6, 24.8 / 17.1 | 9.6 / 7.5, 24.9 / 16.9 | 14.7 / 8.1, 26.7 / 18.4 |
| dgx-h200 | 202 | 10.4 / 9.0, 21.4 / 13.0 | 10.9 / 9.0, 21.4 / 14.0 | 13.6 / 10.0, 23.6 / 13.8 |
"""

EXPECTED = """
## Expected errors

`expected_error` of an estimate with one of these engines is the median error over TPOT and TTFT of rows that the fit has not seen:

| software | system and model measured with it | system not in `measured_on` | model not in `measured_models` |
|---|---|---|---|
| `vllm` | 10 % | 11 % | 14 % |
| `sglang` | 14 % | 16 % | 18 % |
| `trtllm` | 12 % | 15 % | 17 % |

Fields of the entries: `expected_error`, `expected_error_other_system`, `expected_error_other_model`; where neither system nor model was
measured, the last one holds. `evidence` says the same of the system alone.

## How to repeat

    dfsweep import measured sweeps/measured/serving-load.csv -o sweeps/studies/measured-serving-load.csv
    DFSWEEP_LONG_TESTS=1 build/release/tests/golden_tests --run_test=serving_load_fit_test   # fitted constants; left-out errors
    tests/golden/measured_serving_load.py PROGRAM --update                                   # this page
    tests/golden/measured_serving_load.py PROGRAM --rows ROWS.csv                            # the same tables for other rows

Times are means by simulation. The closed form (`queueing = "steady"`) gives the fit its slopes.
"""

COLUMNS = """
## Columns and parameters

`dfsweep import measured ROWS.csv -o POINTS.csv` reads tables that have a column `time_per_output_token_s`:

| column | parameter |
|---|---|
| `model`, `system` | `model`, `system`: names of the catalogue |
| `framework`: `vllm`, `sglang`, `tensorrt-llm`, also after `dynamo-` | `engine` and `software`: `vllm`, `sglang`, `trtllm` |
| `devices` | `device_count`; not where pools are separate |
| `tensor_parallel`, `pipeline_parallel` | the same |
| `attention_data_parallel`, `expert_parallel` | the same; of a model without experts, the former is replicas and the latter nothing |
| `disaggregated` = yes | `pools = "separate"` |
| `prefill_workers`, `prefill_tensor_parallel`, ... | `prefill_replicas`, `prefill_tensor_parallel`, ...; `decode_` likewise |
| `weight_precision` | `weight_precision` and `precision`; 4 bits: `precision` is that of the chip's units, `attention_precision` 16 bits where there are experts |
| `cache_precision` | the same |
| `prompt_tokens`, `output_tokens` | the same: means |
| `length_distribution`: `uniform A-B of nominal` | `prompt_spread` and `output_spread` (B - A) / (B + A); else 0 |
| `concurrency` | the same: users of the whole deployment |
| `requests` | `requests_per_user`: requests over users; else 10 |
| `chunk_tokens`, `receive_interval_steps`, `batch_wait_steps` | the same |
| `running_limit` | `batch_limit` |
| `memory_share` | `cache_share`, of the memory that the engine's share is of; empty, where weights need more than 0.9 of it: 0.95 |
| `time_to_first_token_s`, `time_per_output_token_s` | measured `time_to_first_token`, `time_per_output_token` |
| `degrees_known` = no | the row cannot be expressed |
| `consistent`, `speculation`, `repeat`, `check_notes` | a note; doubtful rows and rows with suspected speculation are not in `POINTS.measured.csv` |

`queueing` is `simulated`. Times of the client (`client_time` and others) are numbers of the software entry.
"""

LIMITS = """
## What the rows do not say

* Whether speculation was on. `speculation` is `suspected` where a run is 1.25 times or more faster than the same configuration on another
  day; rows of `deepseek-v3` count as core only where the source selects runs without.
* Which settings a run had: they are those of the launch scripts of one date.
* Versions: the same configuration with another version differs by 0.7 % in the median and 42 % at the 90th percentile (TPOT), 4 % and 53 %
  (TTFT); with the same version by 0.2 % and 8 %, and 1 % and 15 %: the noise floor. The model has no input for a version.
"""


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def predicted_points(result, rows, notes):
    """A Point for each row; rows without a point, and rejected points, have no predicted times."""
    line_of = {note["id"]: int(note["point"]) - 1 for note in notes if note["point"]}
    with h5py.File(result) as file:
        columns = {column: file[column][...] for column in TIMES.values()}
    return [Point(row, {column: columns[column][line_of[row["id"]]] for column in columns} if row["id"] in line_of else {})
            for row in rows]


def cuts(points):
    core = [point for point in points if is_core(point.row)]
    return [("core, client known", [point for point in core if is_client_known(point.row)]),
            ("core, `nvidia-gap`", [point for point in core if point.row["source"] == "nvidia-gap"]),
            ("separate pools", [point for point in points if is_sound_pool(point.row)]),
            ("all rows with known degrees", [point for point in points if is_known(point.row)])]


def errors_section(points, unfitted):
    text = "\n## Errors\n" + table("group, fitted (in sample, but for pools)", cuts(points))
    return text + table("group, nothing fitted: `serving-default`", cuts(unfitted))


def sections(points):
    core, nvidia, pools, _ = (found for _, found in cuts(points))
    text = ""
    for title, found in (("core rows, client known", core), ("`nvidia-gap` rows", nvidia)):
        text += f"\n## By framework, model and system: {title}\n"
        for column in ("framework", "model", "system"):
            text += table(column, grouped(found, column))
    return text + "\n## Separate pools\n" + table("framework", grouped(pools, "framework")) + table("system", grouped(pools, "system")) + \
        twice_stated_section(pools)


def twice_stated(points):
    """Points whose measurement is also there with other degrees of the prompt pool."""
    same = collections.defaultdict(list)
    for point in points:
        same[tuple(point.row[column] for column in ("system", "model", "framework", "weight_precision", "prompt_tokens",
                                                    "output_tokens", "concurrency", "devices"))].append(point)
    return [point for group in same.values() for point in group
            if any(abs(point.measured["TPOT"] / other.measured["TPOT"] - 1) < SAME_RUN and
                   point.row["prefill_tensor_parallel"] != other.row["prefill_tensor_parallel"] for other in group)]


def twice_stated_section(pools):
    twice = twice_stated(pools)
    systems = ", ".join(f"`{name}`" for name in sorted({point.row["system"] for point in twice}))
    text = f"\n{len(twice)} of these rows, all of {systems}, are one measurement stated twice, with prompts read by eight devices of one rank and by\n" \
           "eight ranks: which of the two ran is not known, and the predicted first tokens differ by up to a factor of seven.\n"
    return text + table("prompt pool as stated", [
        (f"tensor parallel {degree}", [point for point in twice if point.row["prefill_tensor_parallel"] == degree])
        for degree in sorted({point.row["prefill_tensor_parallel"] for point in twice})] +
        [("all other rows", [point for point in pools if point not in twice])])


def notes_section(notes):
    assumed = collections.Counter((note["parameter"], note["reason"]) for note in notes if note["parameter"])
    text = "\n## What an empty cell becomes\n\n| parameter | because | rows |\n|---|---|---|\n"
    text += "".join(f"| `{name}` | {why} | {count} |\n" for (name, why), count in sorted(assumed.items()))
    lost = collections.Counter(note["reason"].removeprefix("cannot be expressed: ").partition(":")[0]
                               for note in notes if not note["point"])
    text += "\nRows that cannot be expressed:\n\n| why | rows |\n|---|---|\n"
    return text + "".join(f"| {why} | {count} |\n" for why, count in sorted(lost.items()))


def missed_targets(points):
    for (name, found), held in zip(cuts(points)[::2], (TARGETS, POOL_TARGETS)):
        score = Score(found)
        for time, targets in held.items():
            for what, figure, target in zip(("error", "shape"), (score.error[time], score.shape[time]), targets):
                if not figure <= target:
                    yield f"{name}: {what} of {time} is {figure:.1%}, not {target:.0%}"
    for point in points:
        if is_known(point.row) and not all(point.is_predicted(time) for time in TIMES if point.measured[time] > 0):
            yield f"{point.row['id']}: degrees are known and nothing is predicted"


def unfitted_points(program, listed, rows, notes, folder):
    """The rows predicted with the rules of the engines and the numbers that all stacks share."""
    with open(listed, newline="") as file:
        lines = list(csv.DictReader(file))
    points = pathlib.Path(folder) / "unfitted.csv"
    with open(points, "w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(line | {"software": UNFITTED} for line in lines)
    result = run(program, study_of(points, folder), pathlib.Path(folder) / "unfitted")
    return predicted_points(result, rows, notes)


def study_of(points, folder):
    """The study for another point list."""
    study = pathlib.Path(folder) / "other.toml"
    study.write_text(f'[sweep]\nname = "other"\nestimator = "serving"\n[points]\nfile = "{points}"\n')
    return study


def score_other(program, rows):
    with tempfile.TemporaryDirectory() as folder:
        points = pathlib.Path(folder) / "points.csv"
        subprocess.run([program, "import", "measured", str(rows), "-o", str(points), "--quiet"], check=True)
        result = run(program, study_of(points, folder), pathlib.Path(folder) / "run")
        notes = read_csv(points.with_suffix(".notes.csv"))
        predicted = predicted_points(result, read_csv(rows), notes)
        print(errors_section(predicted, unfitted_points(program, points, read_csv(rows), notes, folder)) + sections(predicted))
    return 0


def main(program, update):
    with tempfile.TemporaryDirectory() as folder:
        listed, stale = import_measured(program, ROWS, folder, STUDY, update)
        notes = read_csv(listed.with_suffix(".notes.csv"))
        rows = read_csv(ROWS)
        points = predicted_points(run(program, STUDY, pathlib.Path(folder) / "run"), rows, notes)
        unfitted = unfitted_points(program, listed, rows, notes, folder)
    page = INTRODUCTION + errors_section(points, unfitted) + LEFT_OUT + EXPECTED + sections(points) + notes_section(notes) + COLUMNS + LIMITS
    missed = list(missed_targets(points))
    print("\n".join(missed[:20]))
    if update:
        PAGE.write_text(page)
        return 1 if missed else 0
    if not PAGE.exists() or PAGE.read_text() != page:
        stale.append(PAGE.name)
    for name in stale:
        print(f"{name} is stale: tests/golden/measured_serving_load.py {program} --update")
    return 1 if stale or missed else 0


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[2] == "--rows":
        sys.exit(score_other(sys.argv[1], sys.argv[3]))
    sys.exit(main(sys.argv[1], "--update" in sys.argv))
