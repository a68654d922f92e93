"""The original's predictions through the public command line: usage: profiled_test.py PROGRAM REFERENCE.

Each golden table becomes a point list; `dfsweep run` evaluates it under convention = "vidur". Forests of different seeds
differ by 0.1 % on average and by up to 3.3 % at single points, so every operator has to agree within 1 % on average and
4 % at its worst point, and whole batches within 1 % on average.
"""
import collections
import math
import pathlib
import sys
import tempfile

from profiled_rows import PARAMETERS, TABLES
from program import Result, run

MEAN_LIMIT = 0.01
WORST_LIMIT = 0.04  # of operators


def write_sweep(rows, folder, name, reference, convention):
    lines = [",".join(PARAMETERS)] + [",".join(row.point[p] for p in PARAMETERS) for row in rows]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    sweep = folder / f"{name}.toml"
    profiles = pathlib.Path(reference).resolve() / "data" / "profiling"
    sweep.write_text(f'[sweep]\nname = "{name}"\nestimator = "profiled"\n\n[parameters]\nconvention = "{convention}"\n\n'
                     f'[points]\nfile = "{name}.csv"\n\n[data]\nprofiles = "{profiles}"\n')
    return sweep


def differences(program, reference, name, convention="vidur"):
    """metric -> relative differences of all rows that have it; a zero that should be one counts as none."""
    rows = TABLES[name](reference)
    found = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        result = Result(run(program, write_sweep(rows, folder, name, reference, convention), folder / "run"))
        assert result.count == len(rows), f"{name}: {result.count} rows of {len(rows)} lines"
        for i, row in enumerate(rows):
            for metric, expected in row.expected.items():
                ours = float(result[metric][i])
                difference = abs(ours / expected - 1) if expected else (0.0 if ours == 0.0 else math.inf)
                found[metric].append((difference if difference == difference else math.inf, row.case))
    return found


def main(program, reference):
    failures = 0
    for name in TABLES:
        print(f"{name}: metric, rows, mean and worst difference, where")
        for metric, values in sorted(differences(program, reference, name).items()):
            mean = sum(value for value, _ in values) / len(values)
            worst, case = max(values)
            agrees = mean <= MEAN_LIMIT and (worst <= WORST_LIMIT or metric == "step_time")
            failures += not agrees
            print(f"  {metric:30} {len(values):5} {mean:9.5f} {worst:9.5f} {case} {'' if agrees else 'DIFFERS'}")
    print(f"{failures} metrics differ that should agree")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
