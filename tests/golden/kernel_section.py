"""The section "Kernel tables" of docs/measured-calibrated.md: what operator tables say of training steps on A100 and H100."""
import csv
import json
import math
import pathlib
import subprocess

SYSTEMS = {"dgx-a100-80g": "A100", "dgx-a100-40g": "A100", "dgx-h100": "H100"}
MEASURED_ON = "a100=dgx-a100-80g,a100_dgx=dgx-a100-80g,h100=dgx-h100,h100_dgx=dgx-h100"
MACHINES = {"dgx-a100-80g": "A100", "dgx-h100": "H100"}
CLASSES = ("products", "attention", "vector_work", "inside_exchanges", "across_exchanges")

INTRODUCTION = """## Kernel tables

Operator tables of an inference simulator (Vidur and two of its forks, 16 bits, forward) for A100 and H100, fitted as
[calibrate](calibrate.md#kernels-that-were-measured-one-by-one) says, against measured training steps of the same accelerators. Every
line starts from `sweeps/measured/literature/`. "Left out by source" predicts every source by a fit to the others.

    dfsweep calibrate rows.csv --catalogue sweeps/measured/literature --profiles DIR \\
        --measured-on """ + MEASURED_ON + "\n\n"

CONTRADICTIONS = {
    "attention_share": "the tables time the paged prompt attention of an inference engine, of 2023: on H100 it is no kernel for that "
                       "chip, and training runs others",
    "hidden_bytes": "the tables time each norm, activation and sum as a kernel of its own, at a third to a half of the bandwidth; training "
                    "frameworks fuse and compile them",
    "across_share": "the nodes of the tables were not joined by the eight InfiniBand links of the system: two ranks of two nodes reach 6 GB/s",
    "inside_share": "the all-reduces of the tables are slower than any of the literature",
}
WHY = """
Where the tables make it worse. Products: on H100 they raise `matrix_share`, and steps are then predicted too fast; attention that is
slower than in training hides that in part, so that the gain without runs is partly two errors that cancel. With runs: the spreads of the
kernel fit hold these numbers nearer to the kernels than the runs would put them. The tables are forward kernels timed alone; what a
step adds (backward kernels, clocks under sustained load) is not in them, and which of these acts here the rows do not tell.
"""


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    below = int(place)
    return values[below] + (place - below) * (values[min(below + 1, len(values) - 1)] - values[below])


def rows_of_machines(rows, path):
    """The measured rows of the accelerators that have tables, as a file."""
    with open(rows, newline="") as file:
        kept = [row for row in csv.DictReader(file) if row["system"] in SYSTEMS]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(kept[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
    return kept


def fitted(program, rows, literature, *options):
    command = [program, "calibrate", rows, "--catalogue", literature, "--json", "--replicates", "0", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def errors_of(found, name, rows, machine):
    errors = found["log_errors"][name] if name in found["log_errors"] else found["log_errors"]["left_out"][name]
    return [100 * abs(math.expm1(error)) for line, error in zip(found["lines"], errors) if SYSTEMS[rows[line - 2]["system"]] == machine]


def steps_table(lines, rows):
    text = "| | | rows | median | 90th percentile |\n|---|---|---|---|---|\n"
    for label, found, name in lines:
        for machine in ("A100", "H100"):
            errors = errors_of(found, name, rows, machine)
            text += f"| {label} | {machine} | {len(errors)} | {quantile(errors, 0.5):.1f} % | {quantile(errors, 0.9):.1f} % |\n"
    return text


def both(pair):
    return "one group" if pair is None else f"{100 * pair[0]:.1f} %, {100 * pair[1]:.1f} %"


def kernels_table(found):
    text = "| | kernels | tables | rows | literature | fitted | left out by model or ranks |\n|---|---|---|---|---|---|---|\n"
    for fit in found["kernels"]:
        for one in fit["classes"]:
            count = ", masked half computed" if one["masked_half_computed"] else ""
            text += (f"| {MACHINES[fit['system']]} | {one['class']}{count} | {one['tables']} | {one['kernels']} | {both(one['before'])} | "
                     f"{both(one['after'])} | {both(one['left_out'])} |\n")
    return text


def kept_by(number):
    return f", kept by {', '.join(number['kept_by'])}" if number["kept_by"] else ""


def numbers_table(found):
    text = "| | number | literature | kernels say | spread | |\n|---|---|---|---|---|---|\n"
    contradicted = set()
    for fit in found["kernels"]:
        for one in fit["classes"]:
            for number in one["numbers"]:
                said = "" if number["verdict"] == "undetermined" else f"{number['after']:.3g}"
                text += (f"| {MACHINES[fit['system']]} | `{number['name']}` | {number['before']:.3g} | {said} | {number['spread']:.2f} | "
                         f"{number['verdict'].replace('_', ' ')}{kept_by(number)} |\n")
                if number["verdict"] == "contradicted":
                    contradicted.add(number["name"])
    for name in sorted(contradicted):
        text += f"\n`{name}`, contradicted: {CONTRADICTIONS.get(name, 'not explained')}.\n"
    return text


def verdict(lines, rows):
    """In a sentence for each accelerator: what the tables changed."""
    text = ""
    found = {label: (result, name) for label, result, name in lines}
    for machine in ("A100", "H100"):
        for how, without, given in (("Without any run", "literature alone", "kernel tables alone"),
                                    ("With runs", "runs, left out by source", "kernel tables and runs, left out by source")):
            one, two = (errors_of(*found[label], rows, machine) for label in (without, given))
            change = quantile(two, 0.5) - quantile(one, 0.5)
            most = quantile(two, 0.9) - quantile(one, 0.9)
            word = "better" if change < -0.05 else "worse" if change > 0.05 else "no better"
            text += f"* {machine}, {how.lower()}: the median is {word} with the tables ({change:+.1f} points), the 90th percentile {most:+.1f}.\n"
    return text


def section(program, reference, rows, literature):
    tables = pathlib.Path(reference) / "data" / "profiling"
    chosen = rows.with_name("machines.csv")
    kept = rows_of_machines(rows, chosen)
    options = ["--profiles", tables, "--measured-on", MEASURED_ON]
    alone = fitted(program, chosen, literature)
    given = fitted(program, chosen, literature, *options)
    lines = [("literature alone", alone, "before"), ("kernel tables alone", given, "before"),
             ("kernel tables and runs, left out by source", given, "source"), ("runs, left out by source", alone, "source")]
    fitted_classes = [name for name in CLASSES if any(one["class"] == name and any(n["verdict"] == "fitted" for n in one["numbers"])
                                            for fit in given["kernels"] for one in fit["classes"])]
    by_class = [(f"tables of {name} alone", fitted(program, chosen, literature, *options, "--kernels", name, "--fit", "straggler"), "before")
                for name in fitted_classes]
    text = INTRODUCTION + steps_table(lines, kept) + "\n" + verdict(lines, kept)
    chosen_level = {name: next(level["name"] for level in found["levels"] if level["chosen"]) for name, found in
                    (("with the tables", given), ("without them", alone))}
    text += ("\nWhich numbers are fitted to runs is decided by the left-out error; of equal errors, the smaller set is taken: with the tables "
             f"\"{chosen_level['with the tables']}\", without them \"{chosen_level['without them']}\".\n")
    text += "\nClass by class, without any run:\n\n" + steps_table(by_class, kept)
    text += WHY
    text += "\nHow well the formulas of training steps meet the kernels (median and 90th percentile of the error of a kernel's time):\n\n"
    text += kernels_table(given) + "\nWhat they say of the numbers. A contradicted number keeps its value:\n\n" + numbers_table(given)
    return text
