"""Sweeps from Python: writes a sweep file, lets the program plan or run it, and loads the result."""
from __future__ import annotations

import copy
import csv
import html
import functools
import json
import numbers
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Dict

import numpy as np
import pandas as pd

from .argument_types import Folders, Names, Path, Tables
from .errors import InvalidSweep, SweepError
from .rows import load

if TYPE_CHECKING:
    from .points import Points

# Exit statuses of the program.
INVALID_INPUT = 3
FAILED_POINTS = 5  # everything is evaluated, and some points failed


def find_program(program: Path | None = None) -> str:
    """The path of dfsweep: as given, in DFSWEEP_PROGRAM, installed with this package, or on the PATH."""
    prefix = os.path.abspath(__file__)
    for _ in range(5):  # PREFIX/share/dfsweep/python/dfsweep/program.py, PREFIX/lib/python3.X/dist-packages/dfsweep/program.py
        prefix = os.path.dirname(prefix)
    for each in (program, os.environ.get("DFSWEEP_PROGRAM"), os.path.join(prefix, "bin", "dfsweep"), "dfsweep"):
        found = shutil.which(os.fspath(each)) if each else None
        if found:
            return found
        if each and each == program:
            break
    raise FileNotFoundError(f"the program {program or 'dfsweep'} is not found. Give program=, or set DFSWEEP_PROGRAM")


def installed_catalogues() -> list[str]:
    """The catalogue that is installed with this package, then that of DFSWEEP_CATALOGUE, which replaces its entries."""
    folder = os.path.dirname(os.path.abspath(__file__))
    share = os.path.join(folder, *[".."] * 4, "share", "dfsweep")
    places = [os.path.join(each, "catalogue") for each in (folder, os.path.join(folder, "..", ".."), share)]
    found = [os.path.normpath(place) for place in places if os.path.isdir(place)][:1]
    own = os.environ.get("DFSWEEP_CATALOGUE")
    return found + [own] if found and own else found


POLL_SECONDS = 0.5


def _call(program: str, arguments: Sequence[Path], watch: Callable[[], None] | None = None) -> str:
    """What the program prints. Ctrl-C lets it save what it has: the same call resumes it. `watch` is called again and again
    meanwhile, and once at the end."""
    process = subprocess.Popen([program, *(os.fspath(each) for each in arguments)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    try:
        while True:
            try:
                out, problems = process.communicate(timeout=POLL_SECONDS if watch else None)
                break
            except subprocess.TimeoutExpired:
                if watch:
                    watch()
        if watch:
            watch()
    except BaseException:
        process.send_signal(signal.SIGTERM)
        process.wait()
        raise
    if process.returncode not in (0, FAILED_POINTS):
        kind = InvalidSweep if process.returncode == INVALID_INPUT else SweepError
        raise kind((problems or "").strip() or f"dfsweep ended with status {process.returncode}")
    return out


@functools.lru_cache(maxsize=None)
def described_by(program: str, estimator: str) -> dict[str, Any]:
    """What `dfsweep describe ESTIMATOR --json` says."""
    try:
        return json.loads(_call(program, ["describe", estimator, "--json"]))
    except SweepError as error:
        raise InvalidSweep(str(error).removeprefix("dfsweep: ")) from None


def _units(program: str, estimator: str) -> dict[str, str]:
    """Units of the parameters of an estimator: name -> unit, for those that have one."""
    return {each["name"]: each["unit"] for each in described_by(program, estimator)["parameters"] if each["unit"] != "1"}


def _toml(value: Any, unit: str | None = None) -> str:
    """A value as TOML. Numbers of a parameter with a unit are in that unit, and become quantities."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each, unit if key in ('from', 'to', 'step') else None)}"
                                for key, each in value.items()) + " }"
    if isinstance(value, (list, tuple, range, np.ndarray, pd.Series)):
        return "[" + ", ".join(_toml(each, unit) for each in value) + "]"
    if isinstance(value, (bool, np.bool_)):  # flags of estimators are 0 and 1
        return str(int(value))
    if isinstance(value, numbers.Number):
        number = value.item() if isinstance(value, np.generic) else value
        return json.dumps(f"{number!r} {unit}") if unit else repr(number)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _table(name: str, values: Tables, units: Mapping[str, str] | None = None) -> str:
    lines = [f"{key} = {_toml(value, (units or {}).get(key))}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])


class Sweep:
    """A sweep, as docs/sweep-file.md describes it: a file, its text, its tables as a dict, or an estimator and parameters.

        Sweep("sweeps/quickstart.toml")
        Sweep({"sweep": {"name": "first", "estimator": "training"}, "parameters": {...}, "search": {...}})
        Sweep("training", {"model": "llama3-70b", "device": ["h100", "a100"], ...})

    parameters: name -> value, list of values, or range ({"powers_of": 2, "from": 1, "to": 8}). Numbers of a parameter
    with a unit are in base SI units; texts are as in the file ("80 GB").
    filter, search, sample, data, output: the members of these tables; together: a list of tables of linked axes. catalogue: folders of own
    entries. base: the folder of paths in a text or dict; by default the current one.
    """

    def __init__(self, source: Path | Tables, parameters: Tables | None = None, *, name: str = "sweep",
                 filter: list[str] | tuple[str, ...] = (), search: Tables | None = None,
                 together: list[Tables] | tuple[Tables, ...] = (), data: Tables | None = None, output: Tables | None = None,
                 sample: Tables | None = None, catalogue: Folders = (),
                 base: Path | None = None, program: Path | None = None) -> None:
        self.program = find_program(program)
        self._catalogue = [catalogue] if isinstance(catalogue, (str, os.PathLike)) else list(catalogue)
        self._base, self._file, self._name = os.getcwd() if base is None else os.fspath(base), None, name
        if parameters is not None:
            tables = {"sweep": {"name": name, "estimator": source}, "parameters": parameters, "together": list(together),
                      "filter": {"keep": filter} if filter else None, "search": search, "sample": sample, "data": data,
                      "output": output}
            self.text = self._text_of(tables)
        elif isinstance(source, Mapping):
            self._name = source.get("sweep", {}).get("name", name)
            self.text = self._text_of(source)
        elif isinstance(source, os.PathLike) or "\n" not in source:
            self._file = os.path.abspath(source)
            with open(self._file, encoding="utf-8") as file:
                self.text = file.read()
        else:
            self.text = source
        if self._file is not None or (parameters is None and not isinstance(source, Mapping)):
            self._name = _name_in(self.text) or name

    def _text_of(self, tables: Tables) -> str:
        units = _units(self.program, str(tables.get("sweep", {}).get("estimator", "")))
        parts = []
        for name, table in tables.items():
            of_parameters = units if name in ("parameters", "together") else None
            if name == "together":
                parts += [_table("[together]", linked, of_parameters) for linked in table or ()]
            elif table:
                parts.append(_table(name, table, of_parameters))
        return "\n".join(parts)

    def plan(self) -> Plan:
        """What a run amounts to, without running it: a Plan, which is a dict and prints as a table. Raises InvalidSweep."""
        return Plan(json.loads(self._with_file(lambda file: _call(self.program, ["plan", file, "--json", *self._options()]))))

    def run(self, out: Path | None = None, *, threads: int | None = None, fresh: bool = False, progress: bool = False) -> str:
        """Runs or resumes the sweep in the folder `out` (runs/NAME by default), which `load` and `cube` open. progress:
        whether to draw a line of progress, which terminals and notebooks show. Raises InvalidSweep and SweepError with what the program printed;
        after Ctrl-C the same call resumes the run."""
        folder = os.path.join("runs", self._name) if out is None else os.fspath(out)
        options = [*self._options(), *(["--threads", str(threads)] if threads else []), *(["--fresh"] if fresh else []), "--quiet"]
        watch = functools.partial(_draw_progress, self.program, folder) if progress else None
        try:
            self._with_file(lambda file: _call(self.program, ["run", file, "--out", folder, *options], watch))
        finally:
            if progress:
                print(file=sys.stderr)
        return folder

    def __repr__(self) -> str:
        return f"sweep {self._name}" + (f" of {self._file}" if self._file else f"\n{self.text}")

    def _repr_html_(self) -> str:
        return f"<details><summary>sweep {html.escape(self._name)}</summary><pre>{html.escape(self.text)}</pre></details>"

    def search(self, *, threads: int | None = None, **changes: Any) -> pd.DataFrame:
        """Runs the sweep in a temporary folder and returns its rows as a DataFrame: with [search] the best of each reported
        point. changes: members of [search], such as over=["tensor_parallel"], minimize="step_time", top=3."""
        sweep = self
        if changes:
            if re.search(r"(?m)^\[search\]", self.text):
                raise ValueError("the sweep has a table [search]; give over=, minimize= where it has none")
            sweep = copy.copy(self)
            sweep.text, sweep._file = self.text + "\n" + _table("search", changes), None
            sweep._base = self._base if self._file is None else os.path.dirname(self._file)
        with tempfile.TemporaryDirectory() as folder:
            return load(sweep.run(os.path.join(folder, "run"), threads=threads))

    def _reason(self) -> str:
        """Why the only point has no estimate."""
        said = self._with_file(lambda file: _call(self.program, ["explain", file, "--point", "0", "--json", *self._options()]))
        return next((fact["value"] for fact in json.loads(said)["explanation"]["facts"] if fact["label"] == "reason"), "")

    def _options(self) -> list[Path]:
        return [option for folder in self._catalogue for option in ("--catalogue", folder)]

    def _with_file(self, use: Callable[[str], str]) -> str:
        """Calls `use` with the path of a sweep file, in the folder that its paths are relative to."""
        if self._file is not None:
            return use(self._file)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, f"{self._name}.toml")
            self._write(file)
            for name in [] if self._is_alone() else os.listdir(self._base):
                if not os.path.lexists(os.path.join(folder, name)):
                    os.symlink(os.path.join(self._base, name), os.path.join(folder, name))
            try:
                return use(file)
            except SweepError as error:
                raise type(error)(str(error).replace(os.path.join(folder, ""), "")) from None

    def _is_alone(self) -> bool:
        """Whether the text names no files."""
        return not re.search(r"\.(toml|json|csv)[\"']|^\[data\]|^\[points\]", self.text, re.MULTILINE)

    def _write(self, file: str) -> None:
        with open(file, "w", encoding="utf-8") as to:
            to.write(self.text)


BAR_WIDTH = 30


def _draw_progress(program: str, out: str) -> None:
    """A line that replaces itself: how much of a run is finished, how fast it is, and how long it will take."""
    answer = subprocess.run([program, "status", out, "--json"], capture_output=True, text=True)
    try:
        status = json.loads(answer.stdout)
    except ValueError:  # there is no run directory yet
        return
    share = status["blocks_complete"] / max(status["blocks"], 1)
    left = "" if status["seconds_left"] is None else f", {status['seconds_left']:.0f} s left"
    rate = f", {status['points_per_second']:.3g} points/s" if status["points_per_second"] else ""
    bar = ("#" * int(BAR_WIDTH * share)).ljust(BAR_WIDTH)
    print(f"\r[{bar}] {share:4.0%}  {status['blocks_complete']} of {status['blocks']} blocks{rate}{left}".ljust(100), end="",
          file=sys.stderr, flush=True)


def _name_in(text: str) -> str | None:
    found = re.search(r"^\s*name\s*=\s*[\"']([^\"']+)[\"']", text, re.MULTILINE)
    return found[1] if found else None


class Plan(Dict[str, Any]):
    """What `dfsweep plan --json` says of a sweep; prints as a table."""

    def _rows(self) -> Iterator[tuple[str, str]]:
        axes = " x ".join(f"{'+'.join(axis['parameters'])} {axis['size']}" for axis in self["axes"])
        yield from (("sweep", f"{self['sweep']} ({self['estimator']})"), ("axes", axes or "none"),
                    ("points", f"{self['kept_points']} of {self['grid_points']}"), ("rows", str(self["rows"])),
                    ("bytes", f"{self['bytes']:.3g}"), ("seconds", f"{self['sample']['seconds']:.3g}"))
        for status, count in self["sample"]["statuses"].items():
            yield f"sample: {status}", str(count)

    def __repr__(self) -> str:
        return "\n".join(f"{name:12} {value}" for name, value in self._rows())

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in self._rows())
        return f"<table>{rows}</table>"


class _Points(Sweep):
    """A sweep over listed points: some parameters are fixed, the others are columns of a table."""

    def __init__(self, estimator: str, fixed: Tables, table: Mapping[str, Sequence[Any]], **options: Any) -> None:
        super().__init__(estimator, fixed, **options)
        self.text += '\n[points]\nfile = "points.csv"\n'
        self._table, self._units = table, _units(self.program, estimator)

    def _is_alone(self) -> bool:
        return True  # its list is written beside it

    def _write(self, file: str) -> None:
        super()._write(file)
        with open(os.path.join(os.path.dirname(file), "points.csv"), "w", encoding="utf-8", newline="") as to:
            writer = csv.writer(to, lineterminator="\n")
            writer.writerow(self._table)
            units = [self._units.get(name) for name in self._table]
            for row in zip(*self._table.values()):
                writer.writerow([_cell(value, unit) for value, unit in zip(row, units)])


def _cell(value: Any, unit: str | None) -> str:
    """A cell of a point list: empty for no value, quantities with their unit."""
    if value is None or (isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and value != value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, numbers.Number):
        number = value.item() if isinstance(value, np.generic) else value
        number = int(number) if isinstance(number, float) and number.is_integer() and abs(number) < 2**53 else number
        return f"{number!r} {unit}" if unit else repr(number)
    return str(value)


def evaluate_by_program(estimator: str, points: Points, *, metrics: Names | None = None, catalogue: Folders = (),
                        data: Mapping[str, Path] | None = None, program: Path | None = None) -> tuple[pd.DataFrame, str]:
    """`evaluate` where the engine is not there as a library: by a run of the program. The rows, and why the first one has no
    estimate where it is asked for as one point."""
    varying = {name: [values[code] for code in codes] for name, (values, codes) in points.varying().items()}
    fixed = {name: value for name, value in points.fixed().items() if value is not None}
    if points.count > 1 and not varying:
        name = next(iter(fixed))
        varying = {name: [fixed.pop(name)] * points.count}
    options: dict[str, Any] = {"catalogue": catalogue, "program": program, "name": "points"}
    if data:
        options["data"] = {name: os.path.abspath(path) for name, path in data.items()}
    if metrics:
        options["output"] = {"metrics": [metrics] if isinstance(metrics, str) else list(metrics)}
    sweep = _Points(estimator, fixed, varying, **options) if varying else Sweep(estimator, fixed, **options)
    with tempfile.TemporaryDirectory() as folder:
        frame = load(sweep.run(os.path.join(folder, "run")))
    reason = sweep._reason() if points.is_one and frame.status.iloc[0] != "ok" else ""
    if points.index is not None:
        frame.index = points.index
    return frame, reason
