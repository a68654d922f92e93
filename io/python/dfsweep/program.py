"""Sweeps from Python: writes a sweep file, lets the program run it, and loads the result."""
import csv
import functools
import json
import numbers
import os
import shutil
import subprocess
import tempfile

import numpy as np
import pandas as pd

from .errors import SweepError
from .rows import load

FAILED_POINTS = 5  # exit status: everything is evaluated, and some points failed


def find_program(program=None):
    """The path of dfsweep: as given, in DFSWEEP_PROGRAM, installed with this package, or on the PATH."""
    prefix = os.path.abspath(__file__)
    for _ in range(5):  # PREFIX/share/dfsweep/python/dfsweep/program.py, PREFIX/lib/python3.X/dist-packages/dfsweep/program.py
        prefix = os.path.dirname(prefix)
    for each in (program, os.environ.get("DFSWEEP_PROGRAM"), os.path.join(prefix, "bin", "dfsweep"), "dfsweep"):
        if each and shutil.which(os.fspath(each)):
            return shutil.which(os.fspath(each))
        if each and each == program:
            break
    raise FileNotFoundError(f"the program {program or 'dfsweep'} is not found. Give program=, or set DFSWEEP_PROGRAM")


def _call(program, arguments, folder=None):
    done = subprocess.run([program, *map(os.fspath, arguments)], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in (0, FAILED_POINTS):
        raise SweepError(done.stderr.strip() or f"dfsweep ended with status {done.returncode}")
    return done.stdout


@functools.lru_cache(maxsize=None)
def _units(program, estimator):
    """Units of the parameters of an estimator: name -> unit, for those that have one."""
    described = json.loads(_call(program, ["describe", estimator, "--json"]))
    return {each["name"]: each["unit"] for each in described["parameters"] if each["unit"] != "1"}


def _toml(value, unit=None):
    """A value as TOML. Numbers of a parameter with a unit are in that unit, and become quantities."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each, unit if key in ('from', 'to', 'step') else None)}"
                                for key, each in value.items()) + " }"
    if isinstance(value, (list, tuple, range, np.ndarray, pd.Series)):
        return "[" + ", ".join(_toml(each, unit) for each in value) + "]"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Number):
        number = value.item() if isinstance(value, np.generic) else value
        return json.dumps(f"{number!r} {unit}") if unit else repr(number)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _table(name, values, units=None):
    lines = [f"{key} = {_toml(value, (units or {}).get(key))}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])


class Sweep:
    """A sweep file, as docs/sweep-file.md describes it.

    parameters: name -> value, list of values, or range ({"powers_of": 2, "from": 1, "to": 8}). Numbers of a parameter
    with a unit are in base SI units; texts are as in the file ("80 GB").
    filter, search, output: the members of these tables; together: a list of tables of linked axes.
    """

    def __init__(self, estimator, parameters, *, name="sweep", filter=(), search=None, together=(), output=None,
                 catalogue=(), program=None):
        self.program = find_program(program)
        self._name, self._catalogue = name, [catalogue] if isinstance(catalogue, (str, os.PathLike)) else list(catalogue)
        units = _units(self.program, estimator)
        self.text = "\n".join([
            _table("sweep", {"name": name, "estimator": estimator}), _table("parameters", parameters, units),
            *(_table("[together]", linked, units) for linked in together),
            _table("filter", {"keep": filter}) if filter else "", _table("search", search) if search else "",
            _table("output", output) if output else ""])

    def run(self, out=None, *, threads=None, fresh=False):
        """Runs or resumes the sweep in the folder `out` (runs/NAME by default), which `load` and `cube` open. Raises
        SweepError with what the program printed."""
        out = os.path.join("runs", self._name) if out is None else os.fspath(out)
        options = [option for folder in self._catalogue for option in ("--catalogue", folder)]
        options += ["--threads", str(threads)] if threads else []
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, f"{self._name}.toml")
            self._write(file)
            _call(self.program, ["run", file, "--out", out, "--quiet", *options, *(["--fresh"] if fresh else [])])
        return out

    def _write(self, file):
        with open(file, "w", encoding="utf-8") as to:
            to.write(self.text)


class _Points(Sweep):
    """A sweep over listed points: some parameters are fixed, the others are columns of a table."""

    def __init__(self, estimator, fixed, table, **options):
        super().__init__(estimator, fixed, **options)
        self.text += '\n[points]\nfile = "points.csv"\n'
        self._table, self._units = table, _units(self.program, estimator)

    def _write(self, file):
        super()._write(file)
        with open(os.path.join(os.path.dirname(file), "points.csv"), "w", encoding="utf-8", newline="") as to:
            writer = csv.writer(to, lineterminator="\n")
            writer.writerow(self._table.columns)
            units = [self._units.get(name) for name in self._table.columns]
            for row in zip(*(self._table[name] for name in self._table.columns)):
                writer.writerow([_cell(value, unit) for value, unit in zip(row, units)])


def _cell(value, unit):
    """A cell of a point list: empty for no value, quantities with their unit."""
    if value is None or (isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and value != value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Number):
        number = value.item() if isinstance(value, np.generic) else value
        number = int(number) if isinstance(number, float) and number.is_integer() and abs(number) < 2**53 else number
        return f"{number!r} {unit}" if unit else repr(number)
    return str(value)


def evaluate(estimator, values, *, metrics=None, catalogue=(), program=None):
    """Estimates of points: one row for each row of a DataFrame, or for each value of lists of the same length.

    estimator: a name of `dfsweep describe`. values: a DataFrame, a list of dicts, or a dict of values and lists; columns
    are parameters, in base SI units or as texts with units. A missing value means the default.
    metrics: names of the metrics that are wanted; by default all that apply. catalogue: folders of own entries.
    Returns a DataFrame with status and metrics beside the parameters that vary, in the order and with the index of
    `values`. Raises SweepError where the program refuses a value.
    """
    if isinstance(values, dict) and all(np.isscalar(each) for each in values.values()):
        values = [values]
    table = values if isinstance(values, pd.DataFrame) else pd.DataFrame(values)
    if table.empty:
        raise ValueError("there is no point to evaluate")
    fixed = {name: table[name].iloc[0] for name in table if _is_same(table[name])}
    varying = table.drop(columns=list(fixed))
    if len(table) > 1 and varying.columns.empty:
        name = next(iter(fixed))
        varying, fixed = table[[name]], {key: value for key, value in fixed.items() if key != name}
    options = {"output": {"metrics": list(metrics)} if metrics else None, "catalogue": catalogue, "program": program,
               "name": "points"}
    sweep = _Points(estimator, fixed, varying, **options) if len(table) > 1 else Sweep(estimator, fixed, **options)
    with tempfile.TemporaryDirectory() as folder:
        frame = load(sweep.run(os.path.join(folder, "run")))
    frame.index = table.index
    return frame


def _is_same(column):
    return column.notna().all() and column.nunique() == 1
