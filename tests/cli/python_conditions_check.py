"""`where` of the Python package keeps the rows that `dfsweep export --where` keeps.

Usage: python_conditions_check.py PROGRAM SOURCE_DIR.
"""
import importlib
import pathlib
import random
import subprocess
import sys
import tempfile

from python_package import Runner, package_of, require

require("h5py", "numpy", "pandas")

SWEEP = """
[sweep]
name = "conditions"
estimator = "dataflow"
[parameters]
model = "gpt3-1t"
topology = "2d-torus"
shape = "8x128"
interconnect = "nvlink4"
mapping = "kernel_by_kernel"
[points]
file = "points.csv"
"""
POINTS = """device,memory,dram_capacity,micro_batch
h100,hbm3,80 GB,1
tpu-v4,hbm3,,2
h100,ddr4,1 TB,3
tpu-v4,ddr4,30 GB,1
h100,hbm3,,4
"""
# Each with what it tests.
CONDITIONS = [
    "step_time < '20 s'",  # quantities
    "memory_used <= '80 GB' && status == 'ok'",  # a label and a quantity
    "dram_capacity > 1e11",  # missing numbers
    "dram_capacity != 1e12",  # missing numbers differ from all
    "!(dram_capacity < '100 GB')",
    "device == 'h100' || memory == \"ddr4\"",
    "status != 'ok'",
    "device == memory",  # labels of two columns
    "topology == '2d-torus' && micro_batch >= 2",  # a fixed parameter
    "topology == 'ring'",
    "micro_batch % 2",  # a number as truth
    "micro_batch - 1",
    "-micro_batch^2 + 4",  # precedence of signs
    "!micro_batch == 0",
    "2^3^0 == 2",  # right to left
    "micro_batch == 1 ? step_time > 10 : step_time > 20",
    "1 < micro_batch < 3",  # left to right, as numbers
    "min(micro_batch, 2, 3) == 2 || max(micro_batch, 1) > 3",
    "sum(micro_batch, 1) > avg(3, micro_batch) + 0.5",
    "sqrt(step_time) * log10(memory_used) / ln(10) > 1",
    "rint(step_time / 10) == 2 || abs(-3) != 3",
    "exp(micro_batch) > _e && sign(micro_batch) == 1 && atan2(1, 1) < _pi",
    "point > 1 && (point < 4)",
    "utilization > 0.3 && compute_time + memory_time > 0 && micro_batch + (device == 'h100') == 2",
]
MALFORMED = ["", "step_time <", "(step_time", "step_tine > 1", "device == 'h1000'", "step_time = 1", "step_time < '1 GB'",
             "step_time > 1,2", "step_time 'a'", "nothing(1)", "step_time == 'h100'", "step_time > 'unclosed"]
NUMBERS = ["micro_batch", "step_time", "dram_capacity", "utilization", "point", "2", "0.5", "1e11", "memory_used"]
TRUTHS = ["device == 'h100'", "memory != 'ddr4'", "status == 'ok'", "dram_capacity > '50 GB'", "step_time < '15 s'"]


def random_condition(source, depth):
    """An expression over numbers and truths, with parentheses or without."""
    if depth == 0:
        return source.choice(TRUTHS + NUMBERS)
    left, right = random_condition(source, depth - 1), random_condition(source, depth - 1)
    sign = source.choice(["&&", "||", "<", ">=", "==", "!=", "+", "-", "*", "/"])
    form = source.choice(["{} {} {}", "({}) {} ({})", "!({}) {} {}", "-({}) {} ({})"])
    return form.format(left, sign, right)


def kept_by_program(program, path, condition):
    done = subprocess.run([program, "export", path, "--columns", "point", "--where", condition], capture_output=True, text=True)
    return [int(line) for line in done.stdout.split()[1:]] if done.returncode == 0 else None


def main(program, source):
    dfsweep = package_of(source)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "points.csv").write_text(POINTS)
        path = Runner(program, folder).run("conditions", SWEEP) / "result.h5"
        random_ones = [random_condition(random.Random(seed), 1 + seed % 3) for seed in range(60)]
        kept_some = 0
        for condition in CONDITIONS + random_ones:
            expected = kept_by_program(program, path, condition)
            if expected is None:
                assert condition in random_ones, f"{condition}: the program refuses it"
                continue
            found = list(dfsweep.load(path, columns=[], where=condition).index)
            assert found == expected, f"{condition}: {found}, and {expected} by the program"
            kept_some += 0 < len(found) < 5
        quantities = importlib.import_module("dfsweep.quantities")
        assert quantities.parse_quantity("5 /s") == quantities.parse_quantity("5 Hz") == quantities.parse_quantity("5 1/s")
        assert kept_some > 20, "most conditions keep all rows or no row"
        for condition in MALFORMED:
            assert condition == "" or kept_by_program(program, path, condition) is None, condition
            try:
                dfsweep.load(path, where=condition)
            except (ValueError, KeyError):
                continue
            raise AssertionError(f"{condition!r} was not refused")
    print(f"{len(CONDITIONS)} conditions and {len(random_ones)} random ones keep the same rows: ok")


main(*sys.argv[1:])
