"""Random sweeps of every estimator are refused with reasons, or give numbers that can be: random_sweeps.py PROGRAM [COUNT].

Parameters, their values and the metrics are read from `dfsweep describe --json`, so that new ones take part without a change here.
"""
import csv
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SEED = 42
COUNT, LONG_COUNT = 50, 3000
SECONDS = 120  # far beyond what any of these sweeps takes
# Of a metric that is a share of something; those that count the whole square of attention may exceed what is executed.
SHARE = re.compile(r"(utilization|_fraction|_share)$")
RANGE = re.compile(r"(whole )?number, (\S+) to ([^\s,]+)(?: ([^\s,]+))?")


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def __call__(self, *arguments):
        return subprocess.run([self.path, *arguments], cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS)

    def described(self, *subject):
        return json.loads(self("describe", *subject, "--json").stdout)


class Values:
    """Draws values of parameters as sweep files spell them."""

    def __init__(self, program):
        self.program, self.entries = program, {}

    def entry(self, kind, draw):
        if kind not in self.entries:
            self.entries[kind] = list(self.program.described("catalogue", kind)["entries"])
        return draw.choice(self.entries[kind])

    def __call__(self, parameter, draw):
        values = parameter["values"]
        if '"best"' in values and draw.random() < 0.1:
            return '"best"'
        if of_kind := re.match(r"entry of (\w+)", values):
            return json.dumps(self.entry(of_kind[1], draw))
        if of_range := RANGE.match(values):
            return number(of_range, draw)
        choices = [choice for choice in re.split(r", (?:or )?", values) if re.fullmatch(r"[\w-]+", choice)]
        return json.dumps(draw.choice(choices))


def number(of_range, draw):
    is_whole, low, high, unit = of_range[1], float(of_range[2]), float(of_range[3]), of_range[4]
    if draw.random() < 0.05:
        value = draw.choice([low, high])
    elif is_whole:
        value = min(max(2 ** draw.randrange(12) if draw.random() < 0.8 else draw.randrange(200), low), high)
    elif high <= 1:
        value = draw.uniform(low, high)
    else:
        value = min(max(10 ** (draw.uniform(9, 15) if unit in ("B", "B/s", "FLOP/s") else draw.uniform(-3, 6)), low), high)
    text = str(int(value)) if is_whole else f"{value:.6g}"
    return f'"{text} {unit}"' if unit else text


def sweep_lines(estimator, values, draw):
    """Lines of a sweep file; a quarter of the parameters that need not be given are."""
    lines = ["[sweep]", 'name = "random"', f'estimator = "{estimator["name"]}"', "[parameters]"]
    axes = []
    for parameter in estimator["parameters"]:
        if not parameter["required"] and draw.random() > 0.25:
            continue
        if len(axes) < 3 and draw.random() < 0.3:
            drawn = dict.fromkeys(values(parameter, draw) for _ in range(3))
            lines.append(f"{parameter['name']} = [{', '.join(drawn)}]")
            axes.append(parameter["name"])
        else:
            lines.append(f"{parameter['name']} = {values(parameter, draw)}")
    if axes and draw.random() < 0.3:
        metric = draw.choice(estimator["metrics"])["name"]
        lines += ["[search]", f"over = {json.dumps(draw.sample(axes, draw.randrange(1, len(axes) + 1)))}",
                  f'{draw.choice(["minimize", "maximize"])} = "{metric}"', f"top = {draw.randrange(1, 4)}"]
    return lines


def without_problems(lines, refusal, estimator, values, draw):
    """The lines but for those that a refusal names, with what it misses: after a few rounds most sweeps run."""
    parameters = {parameter["name"]: parameter for parameter in estimator["parameters"]}
    wrong = {int(line) - 1 for line in re.findall(r"^sweep\.toml:(\d+):", refusal, re.M)}
    missing = [name for name in re.findall(r"'(\w+)' is missing", refusal) if name in parameters]
    if any(at in wrong and at < len(lines) and lines[at].split(" ")[0] not in parameters for at in wrong):
        lines = lines[:lines.index("[search]")] if "[search]" in lines else lines
    kept = [line for at, line in enumerate(lines) if at not in wrong or line.split(" ")[0] not in parameters]
    given = {line.split(" ")[0] for line in kept}
    again = [lines[at].split(" ")[0] for at in wrong if at < len(lines)]
    needed = missing + [name for name in again if name in parameters and parameters[name]["required"]]
    new = [f"{name} = {values(parameters[name], draw)}" for name in dict.fromkeys(needed) if name not in given]
    place = kept.index("[parameters]") + 1
    return kept[:place] + new + kept[place:]


def impossible(metrics, rows):
    for row in rows:
        for name in metrics & row.keys():
            try:
                value = float(row[name])
            except ValueError:
                continue  # blank where it does not apply, or a label
            if not math.isfinite(value) or value < 0 or (SHARE.search(name) and value > 1 + 1e-9):
                return f"{name} = {value}, status {row.get('status')}"
    return None


def problem_of(program, estimator, values, draw):
    """What is wrong with one random sweep, or nothing, and whether it ran."""
    file = program.folder / "sweep.toml"
    lines = sweep_lines(estimator, values, draw)
    for _ in range(8):
        file.write_text("\n".join(lines) + "\n")
        done = program("run", "sweep.toml", "--fresh", "--quiet")
        if done.returncode != 3:
            break
        lines = without_problems(lines, done.stderr, estimator, values, draw)
    if done.returncode == 3:
        return None, False
    if done.returncode != 0:
        return f"run: status {done.returncode}\n{done.stdout}{done.stderr}", True
    for command in (["export", "runs/random", "-o", "rows.csv"], ["explain", "runs/random", "--point", "0", "--full"]):
        done = program(*command)
        if done.returncode != 0:
            return f"{command[0]}: status {done.returncode}\n{done.stdout}{done.stderr}", True
    with open(program.folder / "rows.csv", newline="") as rows:
        return impossible({metric["name"] for metric in estimator["metrics"]}, csv.DictReader(rows)), True


def main(path, count):
    with tempfile.TemporaryDirectory() as folder:
        program = Program(path, pathlib.Path(folder))
        values = Values(program)
        names = [estimator["name"] for estimator in program.described()["estimators"]]
        estimators = [program.described(name) for name in names if name != "profiled"]  # needs measured tables
        ran = failed = 0
        for number_of_sweep in range(count):
            draw = random.Random(f"{SEED} {number_of_sweep}")
            estimator = draw.choice(estimators)
            problem, has_run = problem_of(program, estimator, values, draw)
            ran += has_run
            if problem:
                failed += 1
                print(f"sweep {number_of_sweep}: {problem}\n{(program.folder / 'sweep.toml').read_text()}")
    print(f"{count} sweeps: {ran} ran, {failed} failed")
    return failed > 0 or ran < count / 2


if __name__ == "__main__":
    default = LONG_COUNT if os.environ.get("DFSWEEP_LONG_TESTS") else COUNT
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else default))
